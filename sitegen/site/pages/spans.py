"""A term's history by release: its course, split into spans and episodes, and the wording in force at a release.

A course has the kinds and releases of the changes in one source, without names and words. Many terms of a glossary
have equal courses, so the results are cached by course.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain, groupby, pairwise
from typing import NamedTuple

from sitegen.model import Entry, Release, Source
from sitegen.model.terms import Change, ChangeKind, Lane, Life, Revision
from sitegen.site.site import Site

MINOR = frozenset({"reformatted", "moved"})
"""Changes that leave the words the same."""
QUIET = MINOR | {"first-read"}
"""Changes that do not count as a change of the term in the matrix."""
DEFINED = frozenset({"defined", "deprecated"})
"""States of a term that has a definition."""


class CourseChange(NamedTuple):
    """The part of a change that belongs to a course."""

    number: int
    """Its index in the changes of the term."""
    release: str
    kind: ChangeKind


class TermCourse(NamedTuple):
    """The changes and states of a term in one source, without names and words."""

    source: Source
    states: tuple[tuple[int, str], ...]
    """The number of each release at which the state changed, and the new state, as in `ReleaseSpan`."""
    changes: tuple[CourseChange, ...]


Courses = tuple[TermCourse, ...]
"""The courses of a term, one for each of its sources that have releases."""


class ReleaseSpan(NamedTuple):
    """One release of a source with changes, or a run of releases without."""

    source: Source
    first: Release
    releases: tuple[str, ...]
    number: int
    """The number of the first release."""
    past: int
    """The number of the release after the last."""
    state: str
    """The state of the term: defined, deprecated, absent or unread."""
    changes: tuple[int, ...]
    """Indexes in the changes of the term."""
    kinds: tuple[ChangeKind, ...]

    @property
    def is_gap(self) -> bool:
        return self.state == "unread"

    @property
    def is_event(self) -> bool:
        return not MINOR.issuperset(self.kinds)


class Episode(NamedTuple):
    """An event or a gap, and the following spans in which it determined the state."""

    span: ReleaseSpan
    others: tuple[ReleaseSpan, ...]

    @property
    def releases(self) -> Iterator[str]:
        return chain.from_iterable(span.releases for span in (self.span, *self.others))


def courses(life: Life) -> Courses:
    """Returns the courses of a term."""
    return tuple([course(lane, life.changes) for lane in life.term.lanes if not lane.source.undated])


def course(lane: Lane, changes: Iterable[Change]) -> TermCourse:
    """Returns the course of a term in one source. `changes` are all changes of the term."""
    states: list[tuple[int, str]] = []
    for span in lane.spans:
        if not states or span.state != states[-1][1]:
            states.append((span.first, span.state))
    course_changes = [
        CourseChange(number, change.release, change.kind)
        for number, change in enumerate(changes)
        if change.source == lane.source.id
    ]
    return TermCourse(lane.source, tuple(states), tuple(course_changes))


def is_changed(changes: Iterable[Change]) -> bool:
    """True if changes of a term include one that the matrix shows as a change."""
    return any(change.kind not in QUIET for change in changes)


@lru_cache(maxsize=4096)
def spans(course: TermCourse) -> tuple[ReleaseSpan, ...]:
    """Returns the spans of a course, oldest first."""
    return tuple(_spans(course))


def _spans(course: TermCourse) -> Iterator[ReleaseSpan]:
    releases = course.source.releases
    changed_releases = {change.release for change in course.changes}
    ends = pairwise((*course.states, (len(releases), "")))
    states = [state for (first, state), (past, _) in ends for _ in range(first, past)]

    def run(number: int) -> object:
        """Groups releases without changes; defined and deprecated are one group, since a change separates them."""
        if releases[number].name in changed_releases:
            return number
        return "defined" if states[number] in DEFINED else states[number]

    for _, group in groupby(range(len(releases)), key=run):
        numbers = [*group]
        first, past = numbers[0], numbers[-1] + 1
        changes = [change for change in course.changes if change.release == releases[first].name]
        yield ReleaseSpan(
            source=course.source,
            first=releases[first],
            releases=tuple([release.name for release in releases[first:past]]),
            number=first,
            past=past,
            state=states[first],
            changes=tuple([change.number for change in changes]),
            kinds=tuple([change.kind for change in changes]),
        )


@lru_cache(maxsize=4096)
def episodes(courses: Courses) -> tuple[Episode, ...]:
    """Returns the events of a term and the gaps between them, newest first; every span belongs to one of them.

    They are sorted by date if all dates are known, else by source.
    """
    all_episodes = [episode for course in courses for episode in reversed(_episodes(spans(course)))]
    if all(episode.span.first.date for episode in all_episodes):
        all_episodes.sort(key=lambda episode: episode.span.first.date or date.min, reverse=True)
    return tuple(all_episodes)


def _episodes(spans: Iterable[ReleaseSpan]) -> list[Episode]:
    """Returns the episodes of one source, oldest first."""
    groups: list[list[ReleaseSpan]] = []
    early: list[ReleaseSpan] = []
    in_force: list[ReleaseSpan] | None = None
    for span in spans:
        if span.is_event:
            in_force = [span]
            groups.append(in_force)
        elif in_force is None:
            early.append(span)
        elif span.is_gap and in_force[-1].state in DEFINED:
            groups.append([span])
        else:
            in_force.append(span)
    groups[0].extend(early)
    return [Episode(span=span, others=tuple(others)) for span, *others in groups]


def lane_of(life: Life, source: str) -> Lane:
    """Returns a term's lane in one source."""
    return next(lane for lane in life.term.lanes if lane.source.id == source)


def in_force(life: Life, source: str, release: str) -> Revision | None:
    """Returns the wording of a term in a source at a release, or None if there was none."""
    revisions = [revision for revision in life.revisions if revision.source == source]
    for revision in revisions:
        if release in (revision.first, revision.last):
            return revision
    number = lane_of(life, source).releases.index
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
    starts = {revision.first for revision in life.revisions if revision.source == lane.source.id}
    for span in lane.spans:
        if span.entry is not None:
            releases = lane.names_in(span)
            since = releases[0] if releases[0] in starts else since
            yield span.entry, since, releases


def last_released(revision: Revision, lane: Lane) -> str:
    """Returns the last published release with a wording; empty if there is none."""
    order = lane.releases
    span = order[order.index(revision.first) : order.index(revision.last) + 1]
    return next((name for name in reversed(span) if name not in lane.source.unreleased), "")
