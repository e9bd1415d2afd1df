"""Splits a term's history into spans of releases, and groups spans into episodes.

Both depend only on the term's course: the kinds and releases of its changes, without names and words. Many terms of a
glossary have equal courses, so the results are cached by course.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from sitegen.history import relations
from sitegen.model import Release, Source
from sitegen.model.terms import Change, ChangeKind, Lane, Life, Step

MINOR = frozenset({"reformatted", "moved"})
"""Changes that leave the words the same."""
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
    course_changes: tuple[CourseChange, ...]


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
    def is_shown(self) -> bool:
        """False for the time before a term was added and after it was removed."""
        return bool(self.changes) or self.state != "absent"

    @property
    def is_event(self) -> bool:
        return not MINOR.issuperset(self.kinds)


class Episode(NamedTuple):
    """An event or a gap, and the following spans in which it determined the state."""

    span: ReleaseSpan
    others: tuple[ReleaseSpan, ...]

    @property
    def spans(self) -> tuple[ReleaseSpan, ...]:
        return (self.span, *self.others)

    @property
    def date(self) -> date | None:
        return self.span.first.date

    @property
    def minor(self) -> tuple[ReleaseSpan, ...]:
        """The spans with minor changes."""
        return tuple([other for other in self.others if other.changes])


def courses(life: Life) -> Courses:
    """Returns the courses of a term."""
    return tuple([course(lane, life.changes) for lane in life.term.lanes if not lane.source.undated])


def course(lane: Lane, changes: Iterable[Change]) -> TermCourse:
    """Returns the course of a term in one source. `changes` are all changes of the term."""
    states: list[tuple[int, str]] = []
    for step, number, _ in lane.runs():
        state = _state_of(step)
        if not states or state != states[-1][1]:
            states.append((number, state))
    own = [
        CourseChange(number, change.release, change.kind)
        for number, change in enumerate(changes)
        if change.source == lane.source.id
    ]
    return TermCourse(lane.source, tuple(states), tuple(own))


def _state_of(step: Step) -> str:
    """Returns the state of a term: defined, deprecated, absent or unread."""
    return "deprecated" if step.entry and relations.deprecation(step.entry) else step.state


@lru_cache(maxsize=4096)
def spans(course: TermCourse) -> tuple[ReleaseSpan, ...]:
    """Returns the spans of a course, oldest first."""
    return tuple(_spans(course))


def _spans(course: TermCourse) -> Iterator[ReleaseSpan]:
    releases = course.source.releases
    eventful = {happening.release for happening in course.course_changes}
    states = [
        state
        for (first, state), (past, _) in pairwise((*course.states, (len(releases), "")))
        for _ in range(first, past)
    ]

    def run(number: int) -> object:
        """Groups releases without changes; defined and deprecated are one group, since a change separates them."""
        if releases[number].name in eventful:
            return number
        return "defined" if states[number] in DEFINED else states[number]

    for _, several in groupby(range(len(releases)), key=run):
        numbers = [*several]
        first, past = numbers[0], numbers[-1] + 1
        own = [happening for happening in course.course_changes if happening.release == releases[first].name]
        yield ReleaseSpan(
            source=course.source,
            first=releases[first],
            releases=tuple([release.name for release in releases[first:past]]),
            number=first,
            past=past,
            state=states[first],
            changes=tuple([happening.number for happening in own]),
            kinds=tuple([happening.kind for happening in own]),
        )


def rows(courses: Courses) -> tuple[ReleaseSpan, ...]:
    """Returns the spans that a table of a term's history has, by source, newest first."""
    return tuple([span for course in courses for span in reversed(spans(course)) if span.is_shown])


@lru_cache(maxsize=4096)
def episodes(courses: Courses) -> tuple[Episode, ...]:
    """Returns the events of a term and the gaps between them, newest first; every span belongs to one of them.

    They are sorted by date if all dates are known, else by source.
    """
    found = [episode for course in courses for episode in reversed(_episodes(spans(course)))]
    dates = {id(episode): episode.date or date.min for episode in found}
    if date.min in dates.values():
        return tuple(found)
    return tuple(sorted(found, key=lambda episode: dates[id(episode)], reverse=True))


def is_eventful(courses: Courses) -> bool:
    """True if a term has changes other than its first appearance."""
    return sum(episode.span.is_event for episode in episodes(courses)) > 1


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
