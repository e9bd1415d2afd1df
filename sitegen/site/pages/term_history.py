"""Computes a term's history for its page: a list of events, newest first, and the same as a table.

Every release of a source has an anchor, at the event that was in force in it. Changes of formatting or place are
part of the event before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.model import Entry
from sitegen.model.terms import Change, Ids, Lane, Life
from sitegen.site.pages.change_texts import places, sentences
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.page import Writer
from sitegen.site.pages.periods import Period, events, periods
from sitegen.site.pages.timeline import timeline
from sitegen.site.wordings import frozen_address

MAX_OPEN = 3
"""With more events, only the newest difference is open."""


class HistoryEvent(NamedTuple):
    """One item of the list of events. A gap (unread releases) has only ids, a source and `gap`."""

    id: str
    anchors: Markup
    """Empty elements with the ids of the later releases in which this was the current state."""
    source: str
    """Title of the source, if several have a history of the term."""
    gap: Markup = Markup()
    """A sentence about the releases that could not be read."""
    kinds: tuple[str, ...] = ()
    release: Markup = Markup()
    date: Markup = Markup()
    sentences: Sequence[Markup] = ()
    comparison: WordingComparison | None = None
    is_open: bool = False
    address: str = ""
    """The address to copy: that of the frozen wording, or else of the event."""
    frozen: str = ""
    """Link to the frozen wording that came with the release, if there is one."""
    place: Markup = Markup()
    full_text: Markup | None = None
    """The definition, unless another place on the page shows it."""
    all_changes: Markup = Markup()
    """A link to all changes of its release."""
    minor: Sequence[tuple[Markup, Markup]] = ()
    """The sentences and the places of each change of formatting or place that follows."""


def history(life: Life, *, anchors: Ids, shown: Entry, writer: Writer) -> Mapping[str, object] | None:
    """Returns the values of the history's template, or None if no source of the term has releases.

    `anchors` are the ids of releases on the page. `shown` is the entry whose definition the page shows; no event
    repeats it.
    """
    lanes = [lane for lane in life.term.lanes if not lane.source.undated]
    return _HistoryWriter(life, lanes, anchors, shown, writer).values() if lanes else None


@dataclass(frozen=True, slots=True)
class _HistoryWriter:
    life: Life
    lanes: Sequence[Lane]
    anchors: Ids
    shown: Entry
    writer: Writer

    def values(self) -> Mapping[str, object]:
        histories, all_ids = [periods(self.life, lane) for lane in self.lanes], iter(self.anchors.values())
        found = events(histories)
        # A first appearance alone is no event.
        number = sum(first.is_event for first, *_ in found)
        listed = tuple(self._events(found)) if number > 1 else ()
        ids = [[*islice(all_ids, len(lane.releases))] for lane in self.lanes]
        is_compared = sum(len(self.life.revisions_in(lane.source.id)) for lane in self.lanes) > 1
        return {
            "events": listed,
            "anchors": "" if listed else _elements([id for event in found for id in self._ids(event)]),
            "gaps": [] if listed else [self._unread(first) for first, *_ in found if first.is_gap],
            # Without the time before the term was added and after it was removed.
            "rows": [
                self._row(period)
                for history in histories
                for period in reversed(history)
                if period.changes or period.state != "absent"
            ],
            "timeline": timeline(histories, ids, self.writer.words) if listed else None,
            "several": len(self.lanes) > 1,
            "begins": all(len(lane.releases) == 1 for lane in self.lanes),
            "choices": _choices(self.lanes, ids) if is_compared else "",
        }

    def _events(self, found: Sequence[Sequence[Period]]) -> Iterator[HistoryEvent]:
        is_short = sum(first.is_event for first, *_ in found) <= MAX_OPEN
        for event in found:
            if event[0].is_gap:
                id, *others = self._ids(event)
                gap = self._unread(event[0])
                yield HistoryEvent(id=id, anchors=_elements(others), source=self._source(event[0]), gap=gap)
            else:
                yield self._event(event, is_open=is_short or event is found[0])

    def _event(self, event: Sequence[Period], *, is_open: bool) -> HistoryEvent:
        life, writer, (period, *others) = self.life, self.writer, event
        source, release, site = period.source.id, period.release, writer.data.site
        entry = period.changes[0].entry
        difference = self._difference(period.changes)
        id, *other_ids = self._ids(event)
        frozen = site.wordings.get((life.key, source, release.name))
        in_force = frozen or frozen_address(life, source, release.name, site)
        is_shown = (difference and difference.after) or entry.definition.html == self.shown.definition.html
        return HistoryEvent(
            id=id,
            anchors=_elements(other_ids),
            source=self._source(period),
            kinds=period.kinds,
            release=writer.version(release.name),
            date=self._date(period),
            sentences=[
                *([writer.say("event.unreleased")] if release.unreleased else []),
                *self._sentences(period.changes),
            ],
            comparison=difference,
            is_open=is_open,
            address=writer.data.absolute(in_force or f"{writer.page_address}#{id}"),
            frozen=writer.href(frozen) if frozen else "",
            place=writer.place(entry.citation),
            full_text=None if is_shown else writer.definition(entry, of=life.key),
            all_changes=writer.all_changes(release.name),
            minor=[self._minor(other.changes) for other in others if other.changes],
        )

    def _sentences(self, changes: Iterable[Change]) -> list[Markup]:
        return [text for change in changes for text in sentences(change, of=self.life.key, writer=self.writer)]

    def _minor(self, changes: Sequence[Change]) -> tuple[Markup, Markup]:
        return Markup(" ").join(self._sentences(changes)), places(changes[0], self.writer)

    def _difference(self, changes: Iterable[Change]) -> WordingComparison | None:
        """Returns the difference of the words, or None."""
        for change in changes:
            if change.kind in ("reworded", "restored") and change.before and change.after:
                return comparison(change.before, change.after, of=self.life.key, writer=self.writer)
        return None

    def _ids(self, event: Iterable[Period]) -> list[str]:
        return [self.anchors[period.source.id, release] for period in event for release in period.names]

    def _source(self, period: Period) -> str:
        return period.source.title if len(self.lanes) > 1 else ""

    def _date(self, period: Period) -> Markup:
        return self.writer.words.date(period.release.date) if period.release.date else Markup()

    def _unread(self, gap: Period) -> Markup:
        return self.writer.say("status.unread", releases=self.writer.versions(gap.names))

    def _row(self, period: Period) -> tuple[str, Markup, Markup, Sequence[str], Markup]:
        """Returns a row of the table: source, releases, date, kinds of change and places."""
        names = period.names
        first, last = self.writer.version(names[0]), self.writer.version(names[-1])
        is_one = len(names) == 1
        releases = first if is_one else self.writer.say("table.span", first=first, last=last)
        entry = self.life.term.lane(period.source.id).entries[period.past - 1]
        if period.changes:
            place = places(period.changes[0], self.writer)
        else:
            place = self.writer.place(entry.citation) if entry else Markup()
        kinds = period.kinds or ("unread" if period.is_gap else "unchanged",)
        return self._source(period), releases, self._date(period) if is_one else Markup(), kinds, place


def _elements(ids: Sequence[str]) -> Markup:
    """Returns empty elements for ids that links lead to. No id contains a line break."""
    separator = '"></span><span class="anchor" id="'
    joined = escape("\n".join(ids))
    return joined and Markup(f'<span class="anchor" id="{joined}"></span>'.replace("\n", separator))  # noqa: S704


def _choices(lanes: Sequence[Lane], ids: Sequence[Sequence[str]]) -> Markup:
    """Returns the options of a list of the releases in which a term was defined, by source, oldest first.

    Their values are the ids of the releases on the page. The newest release of the first source is selected.
    """
    options = [
        (id, f"{lane.source.title} {release}" if len(lanes) > 1 else release)
        for lane, of_lane in zip(lanes, ids, strict=True)
        for id, release, entry in zip(of_lane, lane.releases, lane.entries, strict=True)
        if entry
    ]
    newest = [id for id, entry in zip(ids[0], lanes[0].entries, strict=True) if entry][-1]
    elements = [
        f'<option value="{escape(id)}"{" selected" if id == newest else ""}>{escape(text)}</option>'
        for id, text in options
    ]
    return Markup("".join(elements))  # noqa: S704
