"""objects.inv: what Sphinx reads to find the terms of another project, so that `:term:` leads here from anywhere.

The list at the site's root has every name that a term ever had and leads to its page. Each release has a list of its
own, of the names that were in force then, which leads to the wording that was in force then. A line is

    name std:term -1 address -

and its reader takes the name to end before the first two words of which the second is a whole number. The format has
no escape for that: such a name is left out, and told as a problem.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from sitegen import urls
from sitegen.exports import fit
from sitegen.model import File, Lane, Life, Problem
from sitegen.site import Site

Places = dict[str, str]
"""Names to the addresses that they lead to."""

_ENDS_EARLY = re.compile(r".+?\s\S+\s-?\d+(\s|$)")
_HEAD = """\
# Sphinx inventory version 2
# Project: {project}
# Version: {version}
# The remainder of this file is compressed using zlib.
"""


def files(site: Site) -> Iterator[File]:
    """Gives the list of all names, and one for each release that is out."""
    yield File(path=urls.INVENTORY, content=_written(site.title, "", _names_ever(site)))
    for release, places in _names_then(site).items():
        path = urls.release_inventory(release)
        yield File(path=path, content=_written(site.title, release, places, root=urls.root(path)))


def problems(site: Site) -> Iterator[Problem]:
    """Gives the names that no list can hold."""
    for life in site.lives:
        for name in (*_current(life), *_former(life)):
            if not _can_be_held(name):
                yield Problem(
                    path=life.entry.citation.path,
                    line=life.entry.citation.line,
                    found=f"objects.inv cannot hold the name “{name}”: Sphinx will not find it from elsewhere",
                    wanted="a name whose third and later words are no whole numbers",
                )


def _names_ever(site: Site) -> Places:
    """Names in force, preferred ones before others; then what nothing in force is called, whatever its case."""
    addresses = {life.key: urls.term(site.slugs[life.key]) for life in site.lives}
    living = [life for life in site.lives if life.is_defined]
    places: Places = {}
    for life in living:
        places.setdefault(fit.line(life.name), addresses[life.key])
    for life in living:
        for name in _current(life):
            places.setdefault(name, addresses[life.key])
    taken = {name.lower() for name in places}
    for life in site.lives:
        for name in (*_current(life), *_former(life)):
            if name.lower() not in taken:
                places.setdefault(name, addresses[life.key])
    return places


def _current(life: Life) -> Iterator[str]:
    return (fit.line(name.text) for name in life.names)


def _former(life: Life) -> Iterator[str]:
    return (fit.line(name) for name, _ in life.former_names)


def _names_then(site: Site) -> Mapping[str, Places]:
    """The names in force in each release that is out, preferred ones before others."""
    preferred: dict[str, Places] = defaultdict(dict)
    others: dict[str, Places] = defaultdict(dict)
    for life in site.lives:
        for lane in life.term.lanes:
            for release, address, (first, *more) in _wordings(life, lane, site):
                preferred[release].setdefault(first, address)
                for name in more:
                    others[release].setdefault(name, address)
    return {release: {**others[release], **preferred[release]} for release in site.releases_out}


def _wordings(life: Life, lane: Lane, site: Site) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The releases of a source that define a term, each with the address of the wording in force and the names."""
    if lane.source.undated:
        return
    source, unreleased, slug = lane.source.id, lane.source.unreleased, site.slugs[life.key]
    begin = {revision.first for revision in life.revisions if revision.source == source}
    frozen = None
    for first, past in pairwise((*lane.turns, len(lane.steps))):
        entry, release = lane.steps[first].entry, lane.steps[first].release
        if release in begin:
            frozen = site.wordings.get((life.key, source, release))
        names = tuple(fit.line(name.text) for name in entry.designations) if entry else ()
        for step in lane.steps[first:past] if entry else ():
            if step.release not in unreleased:
                # Words that a branch brought before any release did are frozen nowhere.
                yield step.release, frozen or urls.term(slug, anchor=site.anchors(slug)[source, step.release]), names


def _written(project: str, version: str, places: Places, *, root: str = "") -> bytes:
    """The list as bytes. Addresses are relative to where it stands, which is what its readers take them for."""
    head = _HEAD.format(project=fit.line(project), version=fit.line(version))
    lines = (f"{name} std:term -1 {root}{places[name]} -\n" for name in sorted(places) if _can_be_held(name))
    return head.encode() + zlib.compress("".join(lines).encode(), 9)


def _can_be_held(name: str) -> bool:
    return bool(name) and (name.count(" ") < 2 or _ENDS_EARLY.match(name) is None)
