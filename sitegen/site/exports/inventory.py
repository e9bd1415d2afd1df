"""Writes objects.inv, the inventory by which Sphinx resolves `:term:` references from other
projects to this site.

The inventory at the site's root has every name that a term ever had and links to the term's page.
Each release has an inventory of the names in force in it, which links to the wordings in force in
it. A line is

    name std:term -1 address -

and Sphinx ends the name before the first two words of which the second is an integer. The format
has no escape for this: a name that contains such words is left out.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.exports.escaping import one_line
from sitegen.site.site import Site
from sitegen.site.wording_runs import WordingRun, dated_runs

LEVEL = 4
"""The zlib level: compared with the default 6, it takes less than half of the time and the file is
10% larger."""

_MISREAD_BY_SPHINX = re.compile(r".+?\s\S+\s-?\d+(\s|$)")
"""Matches the names of three words or more in which a third or later word is a number. In a line of
the inventory, Sphinx takes such a number for the priority that follows the name."""

_HEAD = """\
# Sphinx inventory version 2
# Project: {project}
# Version: {version}
# The remainder of this file is compressed using zlib.
"""


def files(site: Site) -> Iterator[File]:
    """Yields the inventory of all names, and an inventory for each published release."""
    content = inventory(site.title, "", "".join(_lines_of_all_names(site)))
    yield File(path=urls.INVENTORY, content=content)
    for release, lines in _lines_by_release(site).items():
        content = inventory(site.title, release, "".join(lines))
        yield File(path=urls.release_inventory(release), content=content)


def inventory(title: str, release: str, lines: str) -> bytes:
    """Returns the content of an inventory file with these lines."""
    head = _HEAD.format(project=one_line(title), version=one_line(release))
    return head.encode() + zlib.compress(lines.encode(), LEVEL)


def _lines_of_all_names(site: Site) -> Iterator[str]:
    """Yields the lines of all names, sorted by name. If several terms have a name, it leads to the
    term that prefers it."""
    # The first address of a name remains: preferred names come first.
    addresses: dict[str, str] = {}
    for life in site.defined:
        addresses.setdefault(one_line(life.name), site.address(life.key))
    for life in site.defined:
        for designation in life.names:
            addresses.setdefault(one_line(designation.text), site.address(life.key))

    # Sphinx also finds a term by its name in another case. A former name is left out where that
    # would lead away from a term in force.
    names_in_force = {name.lower() for name in addresses}
    for life in site.lives:
        for name in map(one_line, life.all_names):
            if name.lower() not in names_in_force:
                addresses.setdefault(name, site.address(life.key))

    for name in sorted(addresses):
        if _is_allowed(name):
            yield _inventory_line(name, addresses[name])


def _lines_by_release(site: Site) -> Mapping[str, Iterable[str]]:
    """Returns the lines of each published release, sorted by name. If several terms have a name, it
    leads to the term that prefers it."""
    preferred_names: list[tuple[str, WordingRun]] = []
    other_names: list[tuple[str, WordingRun]] = []
    for run in dated_runs(site):
        preferred, *others = [one_line(name.text) for name in run.entry.designations]
        preferred_names.append((preferred, run))
        other_names += [(name, run) for name in others]

    # The first line of a name remains: preferred names come first.
    lines: dict[str, dict[str, str]] = {release: {} for release in site.published_releases}
    for name, run in (*preferred_names, *other_names):
        if not _is_allowed(name):
            continue
        for release in run.releases:
            if release not in run.course.source.unreleased:
                address = _address_of_wording(run, release, site)
                lines[release].setdefault(name, _inventory_line(name, address))

    sorted_lines = {}
    for release, lines_by_name in lines.items():
        sorted_lines[release] = [lines_by_name[name] for name in sorted(lines_by_name)]
    return sorted_lines


def _address_of_wording(run: WordingRun, release: str, site: Site) -> str:
    """Returns the address of the wording in force at a release. It is relative to the folder of the
    release's inventory, as Sphinx expects."""
    # The inventories of all releases are equally deep, so any name will do.
    root = urls.root(urls.release_inventory("any"))
    address = run.frozen
    if not address:  # the wording is only on a branch
        address = site.event_address(run.life.key, run.course.source.id, release)
    return root + address


def _inventory_line(name: str, address: str) -> str:
    """Returns the line of a name, as Sphinx writes it for a term of a glossary."""
    # Name, type, priority, address, and "-" for a title that is the same as the name. The priority
    # -1 hides a term in the search of Sphinx.
    return f"{name} std:term -1 {address} -\n"


def _is_allowed(name: str) -> bool:
    """True if Sphinx reads the whole name.

    >>> _is_allowed("code 404"), _is_allowed("status code 404")
    (True, False)
    """
    return name != "" and _MISREAD_BY_SPHINX.match(name) is None
