"""Finds the wording of a term at a release, its last release, and the address of its frozen page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sitegen.model import Entry
from sitegen.model.terms import Lane, Life, Revision
from sitegen.site.pages.page import PageData


def lane_of(life: Life, source: str) -> Lane:
    """Returns a term's lane in one source."""
    return next(lane for lane in life.term.lanes if lane.source.id == source)


def said_at(life: Life, source: str, release: str) -> Entry:
    """Returns the entry of a term in a source at a release that has the term."""
    entry = lane_of(life, source).at(release)
    assert entry, "it says something there"
    return entry


def in_force(life: Life, source: str, release: str) -> Revision | None:
    """Returns the wording of a term in a source at a release, or None if there was none."""
    own = [revision for revision in life.revisions if revision.source == source]
    at_an_end = (revision for revision in own if release in (revision.first, revision.last))
    return next(at_an_end, None) or _amid(own, lane_of(life, source), release)


def _amid(revisions: Iterable[Revision], lane: Lane, release: str) -> Revision | None:
    order = lane.releases
    place = order.index(release)
    return next((one for one in revisions if order.index(one.first) <= place <= order.index(one.last)), None)


def runs(life: Life, lane: Lane) -> Iterator[tuple[Entry, str, Sequence[str]]]:
    """Yields each run of releases in which a source words the term the same and defines it: the entry, the first
    release of its wording, and the releases.
    """
    since = ""
    starts = {revision.first for revision in life.revisions if revision.source == lane.source.id}
    for step, first, past in lane.runs():
        if step.state == "defined" and step.entry is not None:
            since = lane.releases[first] if lane.releases[first] in starts else since
            yield step.entry, since, lane.releases[first:past]


def last_released(revision: Revision, lane: Lane) -> str:
    """Returns the last published release with a wording; empty if there is none."""
    if revision.last not in lane.source.unreleased:
        return revision.last
    order = [release.name for release in lane.source.releases]
    span = order[order.index(revision.first) : order.index(revision.last) + 1]
    return next((name for name in reversed(span) if name not in lane.source.unreleased), "")


def unbroken(life: Life, source: str) -> tuple[Revision, ...]:
    """Returns a source's wordings of a term since it was added or last restored, oldest first."""
    run: list[Revision] = []
    for revision in life.revisions:
        if revision.source == source:
            run = [revision] if run and run[-1].ended in ("removed", "moved") else [*run, revision]
    return tuple(run)


def frozen_address(life: Life, revision: Revision, data: PageData) -> str:
    """Returns the address of a wording's frozen page; empty if it has none."""
    return data.site.wordings.get((life.key, revision.source, revision.first), "")
