"""A term's history as periods, and its events: the periods with changes that the page of a term
lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
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
        """The kinds of its changes."""
        return tuple([change.kind for change in self.changes])

    @property
    def is_defined(self) -> bool:
        """True if its releases define the term."""
        return self.state in DEFINED

    @property
    def is_gap(self) -> bool:
        """True if its releases could not be read."""
        return self.state == "unread"

    @property
    def is_event(self) -> bool:
        """True if it has a change that is in the list of the history."""
        return not MINOR.issuperset(self.kinds)


def periods(course: Course) -> tuple[Period, ...]:
    """Returns the periods of a term in one source, oldest first."""
    changes_of_release = grouped((change.release, change) for change in course.changes)
    all_periods: list[Period] = []
    for span in course.spans:
        for number in range(span.first, span.past):
            changes = changes_of_release.get(course.releases[number], ())
            if all_periods and not changes and _goes_on(all_periods[-1], span.state):
                all_periods[-1] = all_periods[-1]._replace(past=number + 1)
            else:
                all_periods.append(Period(course.source, number, number + 1, span.state, changes))
    return tuple(all_periods)


def _goes_on(period: Period, state: CourseState) -> bool:
    """True if a period goes on with a release without changes, in which the term has this state. A
    period with changes is one release."""
    if period.changes:
        return False
    # A term that becomes deprecated has a change. Without one, both states are of one period.
    return period.state == state or {period.state, state} <= DEFINED


class TermEvent(NamedTuple):
    """An event of a term, or a gap of releases that could not be read."""

    first: Period
    later: Sequence[Period] = ()
    """The periods after the first one that have what the event brought."""

    @property
    def periods(self) -> Sequence[Period]:
        return self.first, *self.later


def events(histories: Iterable[Sequence[Period]]) -> list[TermEvent]:
    """Returns the events of a term and the gaps between them, newest first.

    `histories` are the periods in each source. The events of several sources are sorted by date if
    all dates are known, else they stay source by source.
    """
    dated_events: list[tuple[date, TermEvent]] = []
    for periods in histories:
        # An older release may have a later date. The latest date so far keeps the events of a
        # source in the order of its releases.
        latest = date.min
        events_of_source = []
        for event in _events_of_source(periods):
            latest = max(latest, event.first.release.date or date.min)
            events_of_source.append((latest, event))
        dated_events += reversed(events_of_source)

    if all(event.first.release.date for _, event in dated_events):
        dated_events.sort(key=itemgetter(0), reverse=True)
    return [event for _, event in dated_events]


def _events_of_source(periods: Iterable[Period]) -> list[TermEvent]:
    """Returns the events and gaps in one source, oldest first. If 1.0 adds a term, 1.1 could not be
    read and 1.2 has the same words, one event has 1.0 and 1.2, and 1.1 is a gap."""
    groups: list[list[Period]] = []
    before_first_event: list[Period] = []
    last_event: list[Period] = []
    for period in periods:
        if period.is_event:
            last_event = [period]
            groups.append(last_event)
        elif not last_event:
            before_first_event.append(period)
        elif period.is_gap and last_event[-1].is_defined:
            groups.append([period])
        else:
            last_event.append(period)

    # Releases before the term appeared have no event of their own.
    groups[0].extend(before_first_event)
    return [TermEvent(group[0], group[1:]) for group in groups]
