"""A term's history as its page tells it: a list of events, newest first, and the same as a table.

Every release of a source has an anchor, which stands at the event that was in force then. Changes of formatting or
place are folded into the event they follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from sitegen.model import Change, Entry, Life
from sitegen.pages.copying import absolute
from sitegen.pages.differences import Comparison, comparison
from sitegen.pages.page import Pen
from sitegen.pages.sentences import places, sentences
from sitegen.pages.spans import Episode, Span, courses, episodes, spans
from sitegen.pages.timeline import Timeline, timeline
from sitegen.pages.wordings import frozen_address, in_force, lane_of

Anchors = Mapping[tuple[str, str], str]
"""(source id, release) to the id that stands for it."""

MANY = 3
"""Above so many events, only the newest difference is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minor:
    """A change of formatting or place."""

    sentences: tuple[Markup, ...]
    places: tuple[Markup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One item of the list."""

    anchors: tuple[str, ...]
    """Ids of the releases in which this was the state of things; the first is its own."""
    kinds: tuple[str, ...]
    """Empty for a gap in what is known, of which there is nothing to say but one sentence."""
    release: Markup
    source: str
    """Title of the source, where several have a history of the term."""
    date: Markup
    sentences: tuple[Markup, ...]
    comparison: Comparison | None = None
    is_open: bool = False
    address: str = ""
    """What is copied: where the wording of that release stands for good, or else the event."""
    links: tuple[Markup, ...] = ()
    full_text: Markup | None = None
    minor: tuple[Minor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the table."""

    source: str
    releases: Markup
    date: Markup
    kinds: tuple[str, ...]
    places: tuple[Markup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    events: tuple[Event, ...]
    """Newest first; empty where nothing ever happened to the term."""
    anchors: tuple[str, ...]
    """Ids of the releases, where there are no events to have them."""
    gaps: tuple[Markup, ...]
    """Which releases could not be read, where no event says so."""
    rows: tuple[Row, ...]
    timeline: Timeline | None
    """None where nothing ever happened to the term."""
    several: bool
    """Sources with a history of the term."""
    begins: bool
    """Only one release has been read so far."""


def history(life: Life, *, anchors: Anchors, shown: Entry, pen: Pen) -> History | None:
    """Returns what a term's page tells of its past, or None where no source of it has releases.

    `anchors` are the ids of releases on the page. `shown` is the entry whose definition stands there; no event
    repeats it.
    """
    own = courses(life)
    if not own:
        return None
    told = episodes(own)
    teller = _Teller(life, anchors, shown, pen)
    events = sum(1 for episode in told if episode.span.is_event)
    eventful = events > 1
    gaps = tuple(episode for episode in told if episode.span.is_gap)
    return History(
        events=tuple([teller.event(one, is_open=one is told[0] or events <= MANY) for one in told])
        if eventful
        else (),
        anchors=() if eventful else tuple(id for episode in told for id in teller.ids(episode)),
        gaps=() if eventful else tuple(teller.unread(episode.span) for episode in gaps),
        rows=tuple(teller.row(span) for course in own for span in reversed(spans(course)) if span.is_told),
        timeline=timeline(own, pen.desk.words) if eventful else None,
        several=teller.several,
        begins=all(len(course.source.releases) == 1 for course in own),
    )


@dataclass(frozen=True)
class _Teller:
    """Turns the bones of a term's history into what its page shows."""

    life: Life
    anchors: Anchors
    shown: Entry
    pen: Pen

    @cached_property
    def several(self) -> bool:
        return len({lane.source.id for lane in self.life.term.lanes if not lane.source.undated}) > 1

    def ids(self, episode: Episode) -> tuple[str, ...]:
        source = episode.span.source.id
        return tuple([self.anchors[source, release] for release in episode.releases])

    def event(self, episode: Episode, *, is_open: bool) -> Event:
        span = episode.span
        if span.is_gap:
            return self._gap(episode)
        changes = self._changes(span)
        changed = self._comparison(changes)
        return Event(
            anchors=self.ids(episode),
            kinds=span.kinds,
            release=self.pen.version(span.releases[0]),
            source=self._source(span),
            date=self._date(span),
            sentences=(*self._unreleased(span), *self._sentences(changes)),
            comparison=changed,
            address=self._address(episode),
            is_open=is_open,
            links=(
                *self._frozen(span),
                self.pen.all_changes(span.releases[0]),
                self.pen.place(changes[0].citation),
            ),
            full_text=self._full_text(changes[0], changed),
            minor=tuple(self._minor(other) for other in episode.others if other.changes),
        )

    def row(self, span: Span) -> Row:
        return Row(
            source=self._source(span),
            releases=self._releases(span.releases),
            date=self._date(span) if len(span.releases) == 1 else Markup(),
            kinds=span.kinds or ("unread" if span.is_gap else "unchanged",),
            places=self._places(span),
        )

    def _address(self, episode: Episode) -> str:
        source, release = episode.span.source.id, episode.span.releases[0]
        wording = in_force(self.life, source, release)
        frozen = frozen_address(self.life, wording, self.pen.desk) if wording else ""
        return absolute(frozen or f"{self.pen.here}#{self.ids(episode)[0]}", self.pen.desk)

    def _frozen(self, span: Span) -> tuple[Markup, ...]:
        """A link to the wording that came with a release, where it has an address of its own."""
        address = self.pen.desk.site.wordings.get((self.life.key, span.source.id, span.releases[0]))
        if not address:
            return ()
        return (self.pen.link(self.pen.say("event.frozen", release=self.pen.version(span.releases[0])), address),)

    def _gap(self, episode: Episode) -> Event:
        return Event(
            anchors=self.ids(episode),
            kinds=(),
            release=self.pen.versions(episode.span.releases),
            source=self._source(episode.span),
            date=Markup(),
            sentences=(self.unread(episode.span),),
        )

    def unread(self, gap: Span) -> Markup:
        return self.pen.say("status.unread", releases=self.pen.versions(gap.releases))

    def _unreleased(self, span: Span) -> tuple[Markup, ...]:
        return (self.pen.say("event.unreleased"),) if span.first.unreleased else ()

    def _source(self, span: Span) -> str:
        return span.source.title if self.several else ""

    def _date(self, span: Span) -> Markup:
        day = span.first.date
        return self.pen.desk.words.date(day) if day else Markup()

    def _sentences(self, changes: tuple[Change, ...]) -> tuple[Markup, ...]:
        return tuple(said for change in changes for said in sentences(change, life=self.life, pen=self.pen))

    def _changes(self, span: Span) -> tuple[Change, ...]:
        return tuple([self.life.changes[number] for number in span.changes])

    def _comparison(self, changes: tuple[Change, ...]) -> Comparison | None:
        """What changed in the words, where there is anything to compare."""
        for change in changes:
            if change.kind in ("reworded", "restored") and change.before and change.after:
                return comparison(change.before, change.after, of=self.life.key, pen=self.pen)
        return None

    def _full_text(self, change: Change, changed: Comparison | None) -> Markup | None:
        entry = change.after or change.before
        if entry is None or (changed and changed.after) or entry.definition.html == self.shown.definition.html:
            return None
        return self.pen.definition(entry, of=self.life.key)

    def _minor(self, span: Span) -> Minor:
        changes = self._changes(span)
        return Minor(sentences=self._sentences(changes), places=places(changes[0], self.pen))

    def _releases(self, releases: tuple[str, ...]) -> Markup:
        if len(releases) == 1:
            return self.pen.version(releases[0])
        return self.pen.span(releases[0], releases[-1])

    def _places(self, span: Span) -> tuple[Markup, ...]:
        if span.changes:
            return places(self.life.changes[span.changes[0]], self.pen)
        entry = lane_of(self.life, span.source.id).steps[span.past - 1].entry
        return (self.pen.place(entry.citation),) if entry else ()
