"""The wording of a term that is in force at a release, and the address of its frozen page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sitegen.model import Entry
from sitegen.model.terms import Lane, Life, Revision
from sitegen.site.site import Site


def in_force(life: Life, source: str, release: str) -> Revision | None:
    """Returns the wording of a term in a source at a release, or None if there was none."""
    number = life.term.lane(source).releases.index
    revisions = life.revisions_in(source)
    return next((one for one in revisions if number(one.first) <= number(release) <= number(one.last)), None)


def frozen_address(life: Life, source: str, release: str, site: Site) -> str:
    """Returns the address of the frozen page with the wording in force at a release; empty if it has none."""
    revision = in_force(life, source, release)
    return site.wordings.get((life.key, source, revision.first), "") if revision else ""


def runs(life: Life, lane: Lane) -> Iterator[tuple[Entry, str, Sequence[str]]]:
    """Yields each run of releases in which a source words the term the same and defines it: the entry, the first
    release of its wording, and the releases.
    """
    since = ""
    starts = {revision.first for revision in life.revisions_in(lane.source.id)}
    for span in lane.spans:
        if span.entry is not None:
            releases = lane.names_in(span)
            since = releases[0] if releases[0] in starts else since
            yield span.entry, since, releases


def dated(site: Site) -> Iterator[tuple[Life, Lane, Entry, str, Sequence[str]]]:
    """Yields the `runs` of all terms in sources with releases: the term, the lane, the entry, the address of the
    frozen page of its wording, empty if it has none, and the releases.
    """
    for life in site.lives:
        for lane in life.term.lanes:
            for entry, since, releases in runs(life, lane) if not lane.source.undated else ():
                yield life, lane, entry, site.wordings.get((life.key, lane.source.id, since), ""), releases


def last_released(revision: Revision, lane: Lane) -> str:
    """Returns the last published release with a wording; empty if there is none."""
    order = lane.releases
    span = order[order.index(revision.first) : order.index(revision.last) + 1]
    return next((name for name in reversed(span) if name not in lane.source.unreleased), "")
