"""Computes a term's history for its page: a list of events, newest first, and the releases that a
reader can choose.

Every release of a source has an anchor, at the event that was in force in it. Changes of formatting
or place are part of the event before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from sitegen.model import Entry
from sitegen.model.terms import Change, Ids, Lane, Life
from sitegen.site.pages.change_texts import compared_entries, places, sentences
from sitegen.site.pages.differences import comparison
from sitegen.site.pages.page import DOT, SEPARATOR, Writer
from sitegen.site.pages.periods import DEFINED, Period, events, periods
from sitegen.site.pages.timeline import timeline
from sitegen.site.site import frozen_address, runs
from sitegen.text.words import same_words

MAX_OPEN = 3
"""With more events, only the newest difference is open."""


def history(
    life: Life, *, anchors: Ids, shown: Entry, writer: Writer
) -> Mapping[str, object] | None:
    """Returns the values of the history's template, or None if no source of the term has releases.

    `anchors` are the ids of releases on the page. `shown` is the entry whose definition the page
    shows; no event repeats it.
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
        histories = [periods(self.life, lane) for lane in self.lanes]
        found = events(histories)
        is_short = sum(first.is_event for first, *_ in found) <= MAX_OPEN
        # A first appearance alone is no change.
        is_changed = sum(first.is_event for first, *_ in found) > 1
        return {
            "events": [
                self._event(event, is_open=is_short or event is found[0]) for event in found
            ],
            "timeline": timeline(histories, self.anchors, self.writer.words)
            if is_changed
            else None,
            "begins": all(len(lane.releases) == 1 for lane in self.lanes),
            "choices": [*map(self._choices, self.lanes)],
            "is_changed": is_changed,
        }

    def _event(self, event: Sequence[Period], *, is_open: bool) -> Mapping[str, object]:
        """Returns an item of the list; that of a gap, of unread releases, only has a sentence about
        it."""
        period = event[0]
        id, *other_ids = [
            self.anchors[one.source.id, release] for one in event for release in one.names
        ]
        item = {
            "id": id,
            # Later releases in which this was the current state.
            "anchors": _elements(other_ids),
            "source": period.source.title if len(self.lanes) > 1 else "",
            "is_open": is_open,
        }
        if period.is_gap:
            return {
                **item,
                "gap": self.writer.say(
                    "status.unread", releases=self.writer.versions(period.names)
                ),
            }
        return {**item, **self._facts(event), **self._words(period)}

    def _facts(self, event: Sequence[Period]) -> Mapping[str, object]:
        """Returns what happened in the first release of an event, and what changed without words
        after it."""
        writer, (period, *others) = self.writer, event
        release = period.release
        address = self._address(period.source.id, release.name)
        unreleased = [writer.say("event.unreleased")] if release.unreleased else []
        return {
            "gap": "",
            "kinds": period.kinds,
            "releases": writer.link(self._releases(event), address),
            "date": writer.date(period.source.id, release.name),
            "sentences": [*unreleased, *self._sentences(period.changes)],
            "release": writer.version(release.name),
            "address": writer.data.absolute(address),
            "place": writer.place(period.changes[0].entry),
            "all_changes": writer.all_changes(release.name),
            # Changes of formatting or place that follow: their sentences and places.
            "minor": SEPARATOR.join(
                self._sentences(change for one in others for change in one.changes)
            ),
            "minor_places": DOT.join(
                places(one.changes[0], writer) for one in others if one.changes
            ),
        }

    def _words(self, period: Period) -> Mapping[str, object]:
        """Returns the difference that an event made, or its whole wording, unless the page shows
        that already."""
        entry = period.changes[0].entry
        wordings = next(filter(None, map(compared_entries, period.changes)), ())
        difference = (
            comparison(*wordings, of=self.life.key, writer=self.writer) if wordings else None
        )
        is_shown = same_words(entry.definition, self.shown.definition)
        if difference and difference.before and is_shown:
            difference = difference._replace(after=None)
        is_repeated = difference or is_shown or period.state not in DEFINED
        full_text = None if is_repeated else self.writer.definition(entry, of=self.life.key)
        return {"comparison": difference, "full_text": full_text}

    def _releases(self, event: Sequence[Period]) -> Markup:
        """Returns the releases in which the wording of an event was in force; of a removal, its own
        release."""
        period, writer = event[0], self.writer
        first, past = writer.version(period.release.name), max(one.past for one in event)
        if period.state not in DEFINED:
            return first
        if past == len(period.source.releases):
            return writer.say("history.since", release=first)
        return writer.words.span(period.release.name, period.source.releases[past - 1].name)

    def _address(self, source: str, release: str) -> str:
        """Returns the address of the wording in force at a release: its frozen page, or else its
        event."""
        return frozen_address(self.life, source, release, self.writer.data.site) or self._anchor(
            source, release
        )

    def _anchor(self, source: str, release: str) -> str:
        return f"{self.writer.page_address}#{self.anchors[source, release]}"

    def _choices(self, lane: Lane) -> tuple[str, Markup]:
        """Returns the title of a source if there are several, and links for releases with the term,
        newest first."""
        source, ids, version = lane.source.id, self.anchors, self.writer.version
        links: list[str] = []
        for _, since, releases in runs(self.life, lane):
            page = self.writer.data.site.wordings.get((self.life.key, source, since))
            href = page and escape(self.writer.href(page))
            links += [
                f'<a href="{href or escape("#" + ids[source, one])}">{version(one)}</a>'
                for one in releases
            ]
        newest_first = " ".join(reversed(links))
        title = lane.source.title if len(self.lanes) > 1 else ""
        return title, Markup(newest_first)  # noqa: S704 -- made of escaped parts

    def _sentences(self, changes: Iterable[Change]) -> list[Markup]:
        return [
            text
            for change in changes
            for text in sentences(change, of=self.life.key, writer=self.writer)
        ]


def _elements(ids: Sequence[str]) -> Markup:
    """Returns empty elements for ids that links lead to. No id contains a line break."""
    separator = '"></span><span class="anchor" id="'
    joined = escape("\n".join(ids))
    return joined and Markup(f'<span class="anchor" id="{joined}"></span>'.replace("\n", separator))  # noqa: S704
