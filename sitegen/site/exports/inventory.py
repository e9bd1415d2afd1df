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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import itemgetter

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import Life
from sitegen.site.exports.texts import one_line
from sitegen.site.site import Site, SitePart

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


def parts(site: Site) -> Iterator[SitePart[File]]:
    """Yields each inventory as a part: that of all names, and that of each published release.
    Compression is the slowest step."""
    yield SitePart(paths=(urls.INVENTORY,), make=partial(_of_all_names, site))
    lines = cache(partial(_lines_by_release, site))
    for release in site.releases_out:
        path = urls.release_inventory(release)
        yield SitePart(paths=(path,), make=partial(_of_release, release, lines, site))


def _of_all_names(site: Site) -> Iterator[File]:
    content = inventory(site.title, "", "".join(_lines_of_all_names(site)))
    yield File(path=urls.INVENTORY, content=content)


def _of_release(
    release: str, lines: Callable[[], Mapping[str, Iterable[str]]], site: Site
) -> Iterator[File]:
    """Yields the inventory of a release. Sphinx resolves its addresses relative to its own one."""
    content = inventory(site.title, release, "".join(lines()[release]))
    yield File(path=urls.release_inventory(release), content=content)


def inventory(title: str, release: str, lines: str) -> bytes:
    """Returns an inventory with these lines."""
    head = _HEAD.format(project=one_line(title), version=one_line(release))
    return head.encode() + zlib.compress(lines.encode(), LEVEL)


def notes(site: Site) -> Iterator[str]:
    """Yields one line for all names that Sphinx would misread, and that are in no inventory."""
    names = (name for life in site.lives for name in (*_names_in_force(life), *_former_names(life)))
    if left_out := tuple(dict.fromkeys(name for name in names if not _is_allowed(name))):
        more = f" and {len(left_out) - 1:,} more" if len(left_out) > 1 else ""
        yield (
            f"objects.inv cannot hold “{left_out[0]}”{more}: Sphinx ends a name at a third or "
            f"later word of digits"
        )


def _lines_of_all_names(site: Site) -> Iterator[str]:
    """Returns the lines of all names. Of equal names, the preferred name of a term takes
    precedence.

    Names that are not in force are added if no name in force equals them, ignoring case.
    """
    terms = [(life, urls.term(site.slugs[life.key])) for life in site.lives]
    in_force = [(_names_in_force(life), address) for life, address in terms if life.is_defined]
    addresses: dict[str, str] = {}
    for names, address in in_force:
        addresses.setdefault(names[0], address)
    for names, address in in_force:
        for name in names:
            addresses.setdefault(name, address)
    lower_names = {name.lower() for name in addresses}
    for life, address in terms:
        for name in (*_names_in_force(life), *_former_names(life)):
            if name.lower() not in lower_names:
                addresses.setdefault(name, address)
    return (
        _inventory_line(name, addresses[name]) for name in sorted(addresses) if _is_allowed(name)
    )


def _names_in_force(life: Life) -> list[str]:
    return [one_line(name.text) for name in life.names]


def _former_names(life: Life) -> list[str]:
    return [one_line(name) for name, _ in life.former_names]


def _lines_by_release(site: Site) -> Mapping[str, Iterable[str]]:
    """Returns the lines of each published release. A name that terms share links to the term that
    prefers it."""
    root = urls.root(urls.release_inventory("any"))
    rows: list[tuple[str, bool, str, Sequence[str]]] = []
    """A name, whether it is not the preferred one, its line, and the releases that have it."""
    for names, address, releases in _wordings(site):
        for number, name in enumerate(names):
            if _is_allowed(name):
                rows.append((name, number > 0, _inventory_line(name, root + address), releases))
    lines: dict[str, dict[str, str]] = {release: {} for release in site.releases_out}
    for name, _, line, releases in sorted(rows, key=itemgetter(0, 1)):
        for release in releases:
            lines[release].setdefault(name, line)
    return {release: by_name.values() for release, by_name in lines.items()}


def _wordings(site: Site) -> Iterator[tuple[list[str], str, Sequence[str]]]:
    """Yields the names that a source gave a term, the address of the wording in force, and the
    releases of both."""
    for run in site.runs():
        source, names = run.course.source, [one_line(name.text) for name in run.entry.designations]
        releases = [release for release in run.releases if release not in source.unreleased]
        if run.frozen:
            yield names, run.frozen, releases
            continue
        # A wording that is only on a branch has no frozen page.
        slug = site.slugs[run.life.key]
        for release in releases:
            id = site.addresses.pages[slug].ids[source.id, release]
            yield names, urls.term(slug, anchor=id), [release]


def _inventory_line(name: str, address: str) -> str:
    return f"{name} std:term -1 {address} -\n"


def _is_allowed(name: str) -> bool:
    return bool(name) and (name.count(" ") < 2 or _ENDS_EARLY.match(name) is None)
