"""A term's history in one source as periods: each release with changes, and each run of releases
without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import accumulate, groupby
from operator import itemgetter
from typing import NamedTuple

from sitegen.model import Release, Source, grouped
from sitegen.model.terms import MINOR, Change, ChangeKind, Course, CourseState

DEFINED = frozenset({"defined", "deprecated"})
"""States of a term that has a definition."""


class Period(NamedTuple):
    """One release of a source with changes of a term, or a run of releases without."""

    source: Source
    first: int
    """The number of the first release."""
    past: int
    """The number of the release after the last."""
    state: CourseState
    """The state of the term."""
    changes: tuple[Change, ...]

    @property
    def release(self) -> Release:
        """The first release."""
        return self.source.releases[self.first]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the releases."""
        return tuple([release.name for release in self.source.releases[self.first : self.past]])

    @property
    def kinds(self) -> tuple[ChangeKind, ...]:
        return tuple([change.kind for change in self.changes])

    @property
    def is_gap(self) -> bool:
        return self.state == "unread"

    @property
    def is_event(self) -> bool:
        return not MINOR.issuperset(self.kinds)


def periods(course: Course) -> tuple[Period, ...]:
    """Returns the periods of a term in one source, oldest first."""
    changes = grouped((change.release, change) for change in course.changes)
    states: list[CourseState] = []
    for span in course.spans:
        states += [span.state] * (span.past - span.first)

    def run(number: int) -> object:
        """Groups releases without changes; defined and deprecated are one group, since a change
        separates them."""
        if course.releases[number] in changes:
            return number
        return "defined" if states[number] in DEFINED else states[number]

    found = []
    for _, group in groupby(range(len(states)), key=run):
        numbers = [*group]
        first, past = numbers[0], numbers[-1] + 1
        changed = changes.get(course.releases[first], ())
        found.append(Period(course.source, first, past, states[first], changed))
    return tuple(found)


def events(histories: Iterable[Sequence[Period]]) -> tuple[Sequence[Period], ...]:
    """Returns the events of a term and the gaps between them, newest first, each with the periods
    that it determines.

    `histories` are its periods by source. The events of different sources are sorted by date if all
    dates are known; those of one source stay in the order of its releases, also where an older one
    has a later date.
    """
    found: list[tuple[date, Sequence[Period]]] = []
    for periods in histories:
        own = _events(periods)
        days = accumulate((event[0].release.date or date.min for event in own), max)
        found += reversed([*zip(days, own, strict=True)])
    if all(event[0].release.date for _, event in found):
        found.sort(key=itemgetter(0), reverse=True)
    return tuple([event for _, event in found])


def _events(periods: Iterable[Period]) -> list[list[Period]]:
    """Returns the events and gaps in one source, oldest first. Periods before the first event
    belong to it."""
    groups: list[list[Period]] = []
    early: list[Period] = []
    in_force: list[Period] | None = None
    for period in periods:
        if period.is_event:
            in_force = [period]
            groups.append(in_force)
        elif in_force is None:
            early.append(period)
        elif period.is_gap and in_force[-1].state in DEFINED:
            groups.append([period])
        else:
            in_force.append(period)
    groups[0].extend(early)
    return groups
