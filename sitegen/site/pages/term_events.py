"""The events of a term, which its page lists: releases that changed it, and gaps between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from operator import itemgetter

from sitegen.model import Entry, Release, grouped
from sitegen.model.terms import MINOR, Change, ChangeKind, Course


@dataclass(kw_only=True)
class TermEvent:
    """A release that changed a term, or a gap: releases that could not be read.

    If 1.0 adds a term, 1.1 could not be read and 1.2 has the same words, one event has 1.0 and 1.2,
    and 1.1 is a gap.
    """

    course: Course
    changes: tuple[Change, ...] = ()
    """The changes of its own release; none for a gap."""
    numbers: list[int]
    """The numbers of its releases: first its own, then those that have what it brought."""
    later_changes: list[Change] = field(default_factory=list)
    """The changes of the other releases, which keep the words."""

    @property
    def release(self) -> Release:
        """Its own release; the first release of a gap."""
        return self.course.source.releases[self.numbers[0]]

    @property
    def entry(self) -> Entry:
        """The entry at its own release; for a removal, the last one before. A gap has none."""
        return self.changes[0].entry

    @property
    def names(self) -> list[str]:
        """The names of its releases."""
        return [self.course.releases[number] for number in self.numbers]

    @property
    def kinds(self) -> tuple[ChangeKind, ...]:
        """The kinds of the changes of its own release."""
        return tuple([change.kind for change in self.changes])

    @property
    def is_defined(self) -> bool:
        """True if its own release defines the term."""
        return self.course.entries[self.numbers[0]] is not None

    @property
    def is_gap(self) -> bool:
        return not self.changes


def events(courses: Iterable[Course]) -> list[TermEvent]:
    """Returns the events of a term and the gaps between them, newest first.

    The events of several sources are sorted by date if all dates are known, else they stay source
    by source.
    """
    dated_events: list[tuple[date, TermEvent]] = []
    for course in courses:
        # An older release may have a later date. The latest date so far keeps the events of a
        # source in the order of its releases.
        latest = date.min
        events_of_source = []
        for event in _events_of_source(course):
            latest = max(latest, event.release.date or date.min)
            events_of_source.append((latest, event))
        dated_events += reversed(events_of_source)

    if all(event.release.date for _, event in dated_events):
        dated_events.sort(key=itemgetter(0), reverse=True)
    return [event for _, event in dated_events]


def _events_of_source(course: Course) -> list[TermEvent]:
    """Returns the events and gaps in one source, oldest first."""
    changes_of_release = grouped((change.release, change) for change in course.changes)
    all_events: list[TermEvent] = []
    before_first: list[int] = []  # the releases before the first event
    last = None  # the last event that is no gap
    was_defined = False
    for span in course.spans:
        numbers = range(span.first, span.past)
        # A removed term has no gaps: what is unread then goes on with the removal.
        if span.state == "unread" and was_defined:
            all_events.append(TermEvent(course=course, numbers=[*numbers]))
            continue
        was_defined = span.entry is not None
        for number in numbers:
            changes = changes_of_release.get(course.releases[number], ())
            is_minor = all(change.kind in MINOR for change in changes)
            if not is_minor:
                last = TermEvent(course=course, changes=changes, numbers=[number])
                all_events.append(last)
            elif last:
                last.numbers.append(number)
                last.later_changes += changes
            else:
                before_first.append(number)

    # Releases before the term appeared have no event of their own.
    all_events[0].numbers += before_first
    return all_events
