"""Writes objects.inv, the inventory by which Sphinx resolves `:term:` references from other
projects to this site.

The inventory at the site's root has every name that a term ever had and links to the term's page.
Each release has an inventory of the names in force in it, which links to the wordings in force in
it. A line is

    name std:term -1 address -

and Sphinx ends the name before the first two words of which the second is an integer. The format
has no escape for this: a name that contains such words is left out and reported as a problem.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping

from sitegen.addresses import urls
from sitegen.model import File, first_of
from sitegen.model.terms import Life
from sitegen.site.exports.escaping import one_line
from sitegen.site.site import Site
from sitegen.site.wording_runs import WordingRun, dated_runs

LEVEL = 4
"""The zlib level: compared with the default 6, it takes less than half of the time and the file is
10% larger."""

_ENDS_EARLY = re.compile(r".+?\s\S+\s-?\d+(\s|$)")
_HEAD = """\
# Sphinx inventory version 2
# Project: {project}
# Version: {version}
# The remainder of this file is compressed using zlib.
"""


def files(site: Site) -> Iterator[File]:
    """Yields the inventory of all names, and that of each published release. Sphinx resolves the
    addresses of an inventory relative to its own one."""
    content = inventory(site.title, "", "".join(_lines_of_all_names(site)))
    yield File(path=urls.INVENTORY, content=content)
    for release, lines in _lines_by_release(site).items():
        content = inventory(site.title, release, "".join(lines))
        yield File(path=urls.release_inventory(release), content=content)


def inventory(title: str, release: str, lines: str) -> bytes:
    """Returns an inventory with these lines."""
    head = _HEAD.format(project=one_line(title), version=one_line(release))
    return head.encode() + zlib.compress(lines.encode(), LEVEL)


def notes(site: Site) -> Iterator[str]:
    """Yields one line for all names that Sphinx would misread, and that are in no inventory."""
    left_out: dict[str, None] = {}
    for life in site.lives:
        for name in _all_names(life):
            if not _is_allowed(name):
                left_out[name] = None
    if left_out:
        names = first_of([f"“{name}”" for name in left_out], 1)
        yield (
            f"objects.inv cannot hold {names}: Sphinx ends a name at a third or later word of "
            f"digits"
        )


def _lines_of_all_names(site: Site) -> Iterator[str]:
    """Yields the lines of all names. A name leads to the term that prefers it, else to a term that
    has it.

    A former name, or a name of a term that is gone, is left out if a term in force has it, in any
    case.
    """
    addresses: dict[str, str] = {}
    for life in site.defined:
        addresses.setdefault(one_line(life.name), site.address(life.key))
    for life in site.defined:
        for name in _present_names(life):
            addresses.setdefault(name, site.address(life.key))
    lower_names = {name.lower() for name in addresses}
    for life in site.lives:
        for name in _all_names(life):
            if name.lower() not in lower_names:
                addresses.setdefault(name, site.address(life.key))
    for name in sorted(addresses):
        if _is_allowed(name):
            yield _inventory_line(name, addresses[name])


def _present_names(life: Life) -> list[str]:
    """Returns the present names of a term; of one that is gone, the last ones."""
    return [one_line(name.text) for name in life.names]


def _all_names(life: Life) -> list[str]:
    """Returns the present names of a term, then the former ones."""
    former = [one_line(name) for name, _ in life.former_names]
    return [*_present_names(life), *former]


def _lines_by_release(site: Site) -> Mapping[str, Iterable[str]]:
    """Returns the lines of each published release, by name. A name that terms share links to the
    term that prefers it."""
    names: list[tuple[str, WordingRun]] = []
    other_names: list[tuple[str, WordingRun]] = []
    for run in dated_runs(site):
        preferred, *others = [one_line(name.text) for name in run.entry.designations]
        names.append((preferred, run))
        other_names += [(name, run) for name in others]
    lines: dict[str, dict[str, str]] = {release: {} for release in site.releases_out}
    for name, run in (*names, *other_names):
        if not _is_allowed(name):
            continue
        for release in run.releases:
            if release not in run.course.source.unreleased:
                address = _address_of_wording(run, release, site)
                lines[release].setdefault(name, _inventory_line(name, address))
    in_order = {}
    for release, found in lines.items():
        in_order[release] = [found[name] for name in sorted(found)]
    return in_order


def _address_of_wording(run: WordingRun, release: str, site: Site) -> str:
    """Returns the address of the wording in force at a release, seen from its inventory."""
    root = urls.root(urls.release_inventory("any"))
    address = run.frozen
    if not address:  # the wording is only on a branch
        address = site.event_address(run.life.key, run.course.source.id, release)
    return root + address


def _inventory_line(name: str, address: str) -> str:
    """Returns the line of a name."""
    return f"{name} std:term -1 {address} -\n"


def _is_allowed(name: str) -> bool:
    """True if Sphinx reads the whole name.

    >>> _is_allowed("code 404"), _is_allowed("status code 404")
    (True, False)
    """
    has_few_words = name.count(" ") < 2
    return name != "" and (has_few_words or _ENDS_EARLY.match(name) is None)
