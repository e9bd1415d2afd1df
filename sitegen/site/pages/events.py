"""Computes a term's history for its page: a list of events, newest first, and the same as a table.

Every release of a source has an anchor, at the event that was in force in it. Changes of formatting or place are
part of the event before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.model import Entry, Source
from sitegen.model.terms import Change, Life
from sitegen.site.pages.copying import absolute
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.page import DOT, Writer, all_changes, stretch
from sitegen.site.pages.sentences import places, sentences
from sitegen.site.pages.spans import (
    DEFINED,
    Courses,
    Episode,
    ReleaseSpan,
    TermCourse,
    courses,
    episodes,
    is_eventful,
    rows,
)
from sitegen.site.pages.timeline import Timeline, timeline
from sitegen.site.pages.wordings import frozen_address, in_force, lane_of

Runs = tuple[tuple[int, int], ...]
"""Ranges of release numbers in which a term was defined: the first, and the one after the last."""


def choices(courses: Courses, ids: Iterable[str]) -> Markup:
    """Returns the options of a list of the releases in which a term was defined, by source, oldest first.

    `ids` are the HTML ids of all releases on the page, by course. They are the values of the options. The newest
    release of the first source is selected.
    """
    rest = iter(ids)
    sources = [course.source for course in courses]
    own = [tuple(islice(rest, len(source.releases))) for source in sources]
    return _choices(tuple(zip(sources, map(_defined, courses), own, strict=True)))


def _defined(course: TermCourse) -> Runs:
    ends = pairwise((*course.states, (len(course.source.releases), "")))
    return tuple([(first, past) for (first, state), (past, _) in ends if state in DEFINED])


# Cached because most terms are defined in the same releases as many others. With 100 releases, a template is slow.
@lru_cache(maxsize=4096)
def _choices(defined: tuple[tuple[Source, Runs, tuple[str, ...]], ...]) -> Markup:
    _, (*_, (_, past)), ids = defined[0]
    newest = ids[past - 1]
    options = [
        f'<option value="{escape(id)}"{" selected" if id == newest else ""}>'
        f"{escape(f'{source.title} {release.name}' if len(defined) > 1 else release.name)}</option>"
        for source, runs, ids in defined
        for run in runs
        for release, id in zip(source.releases[slice(*run)], ids[slice(*run)], strict=True)
    ]
    return Markup("".join(options))  # noqa: S704


MAX_OPEN = 3
"""With more events, only the newest difference is open."""

EMPTY = Markup()

Anchors = Mapping[tuple[str, str], str]
"""(source id, release) to its HTML id."""


class MinorChange(NamedTuple):
    """A change of formatting or place."""

    sentences: tuple[Markup, ...]
    places: Markup


class HistoryEvent(NamedTuple):
    """One item of the list of events. A gap (unread releases) has only ids, a source and `gap`."""

    id: str
    anchors: Markup
    """Empty elements with the ids of the later releases in which this was the current state."""
    source: str
    """Title of the source, if several have a history of the term."""
    gap: Markup = EMPTY
    """A sentence about the releases that could not be read."""
    kinds: tuple[str, ...] = ()
    release: Markup = EMPTY
    date: Markup = EMPTY
    sentences: tuple[Markup, ...] = ()
    comparison: WordingComparison | None = None
    is_open: bool = False
    address: str = ""
    """The address to copy: that of the frozen wording, or else of the event."""
    frozen: str = ""
    """Link to the frozen wording that came with the release, if there is one."""
    place: Markup = EMPTY
    full_text: tuple[Markup, ...] = ()
    """The definition, unless another place on the page shows it."""
    all_changes: Markup = EMPTY
    """A link to all changes of its release."""
    minor: tuple[MinorChange, ...] = ()


class HistoryRow(NamedTuple):
    """One row of the table."""

    source: str
    releases: Markup
    date: Markup
    kinds: tuple[str, ...]
    places: Markup


class History(NamedTuple):
    """The values of the history's template."""

    events: tuple[HistoryEvent, ...]
    """Newest first; empty if the term never changed."""
    anchors: Markup
    """Empty elements with the ids of the releases, if there are no events to have them."""
    gaps: tuple[Markup, ...]
    """Sentences about releases that could not be read, if there are no events."""
    rows: tuple[HistoryRow, ...]
    timeline: Timeline | None
    """None if the term never changed."""
    several: bool
    """True if several sources have a history of the term."""
    begins: bool
    """True if only one release has been read."""
    choices: Markup
    """Options for the releases that can be compared; empty if there is only one wording."""


def history(life: Life, *, anchors: Anchors, shown: Entry, writer: Writer) -> History | None:
    """Returns the history of a term, or None if no source of it has releases.

    `anchors` are the ids of releases on the page. `shown` is the entry whose definition the page shows; no event
    repeats it.
    """
    own = courses(life)
    return _HistoryWriter(life, own, anchors, shown, writer).history() if own else None


@dataclass(frozen=True, slots=True)
class _HistoryWriter:
    life: Life
    courses: Courses
    anchors: Anchors
    shown: Entry
    writer: Writer

    def history(self) -> History:
        all_ = episodes(self.courses)
        events = tuple(self._events(all_)) if is_eventful(self.courses) else ()
        sources = {course.source.id for course in self.courses}
        is_compared = sum(revision.source in sources for revision in self.life.revisions) > 1
        return History(
            events=events,
            anchors=EMPTY if events else anchors(chain.from_iterable(map(self._ids, all_))),
            gaps=() if events else tuple(self._unread(episode) for episode in all_ if episode.span.is_gap),
            rows=tuple([self._row(span) for span in rows(self.courses)]),
            timeline=timeline(self.courses, tuple(self.anchors.values()), self.writer.data.words) if events else None,
            several=self._has_several,
            begins=all(len(course.source.releases) == 1 for course in self.courses),
            choices=choices(self.courses, self.anchors.values()) if is_compared else EMPTY,
        )

    @property
    def _has_several(self) -> bool:
        return len(self.courses) > 1

    def _events(self, all_: tuple[Episode, ...]) -> Iterator[HistoryEvent]:
        is_short = sum(episode.span.is_event for episode in all_) <= MAX_OPEN
        for episode in all_:
            if episode.span.is_gap:
                id, *others = self._ids(episode)
                gap, source = self._unread(episode), self._source(episode.span)
                yield HistoryEvent(id=id, anchors=anchors(others), source=source, gap=gap)
            else:
                yield self._event(episode, is_open=is_short or episode is all_[0])

    def _event(self, episode: Episode, *, is_open: bool) -> HistoryEvent:
        span = episode.span
        changes = self._changes(span)
        changed = self._comparison(changes)
        id, *others = self._ids(episode)
        return HistoryEvent(
            id=id,
            anchors=anchors(others),
            source=self._source(span),
            kinds=span.kinds,
            release=self.writer.version(span.releases[0]),
            date=self._date(span),
            sentences=(*self._unreleased(span), *self._sentences(changes)),
            comparison=changed,
            is_open=is_open,
            address=self._address(span),
            frozen=self._frozen(span),
            place=self.writer.place(changes[0].citation),
            full_text=self._full_text(changes[0], changed),
            all_changes=all_changes(self.writer.data.words, self.writer.root, span.releases[0]),
            minor=tuple(map(self._minor, episode.minor)),
        )

    def _ids(self, episode: Episode) -> tuple[str, ...]:
        source = episode.span.source.id
        releases = chain.from_iterable(span.releases for span in episode.spans)
        return tuple([self.anchors[source, release] for release in releases])

    def _source(self, span: ReleaseSpan) -> str:
        return span.source.title if self._has_several else ""

    def _date(self, span: ReleaseSpan) -> Markup:
        return self.writer.data.words.date(span.first.date) if span.first.date else Markup()

    def _unread(self, gap: Episode) -> Markup:
        return self.writer.say("status.unread", releases=self.writer.versions(gap.span.releases))

    def _changes(self, span: ReleaseSpan) -> tuple[Change, ...]:
        return tuple([self.life.changes[number] for number in span.changes])

    def _unreleased(self, span: ReleaseSpan) -> tuple[Markup, ...]:
        return (self.writer.say("event.unreleased"),) if span.first.unreleased else ()

    def _sentences(self, changes: tuple[Change, ...]) -> tuple[Markup, ...]:
        return tuple([said for change in changes for said in sentences(change, of=self.life.key, writer=self.writer)])

    def _comparison(self, changes: tuple[Change, ...]) -> WordingComparison | None:
        """Returns the difference of the words, or None."""
        for change in changes:
            if change.kind in ("reworded", "restored") and change.before and change.after:
                return comparison(change.before, change.after, of=self.life.key, writer=self.writer)
        return None

    def _address(self, span: ReleaseSpan) -> str:
        source, release = span.source.id, span.releases[0]
        wording = in_force(self.life, source, release)
        frozen = frozen_address(self.life, wording, self.writer.data) if wording else ""
        return absolute(frozen or f"{self.writer.here}#{self.anchors[source, release]}", self.writer.data)

    def _frozen(self, span: ReleaseSpan) -> str:
        address = self.writer.data.site.wordings.get((self.life.key, span.source.id, span.releases[0]))
        return self.writer.href(address) if address else ""

    def _full_text(self, change: Change, changed: WordingComparison | None) -> tuple[Markup, ...]:
        entry = change.after or change.before
        if entry is None or (changed and changed.after) or entry.definition.html == self.shown.definition.html:
            return ()
        return (self.writer.definition(entry, of=self.life.key),)

    def _minor(self, span: ReleaseSpan) -> MinorChange:
        changes = self._changes(span)
        return MinorChange(sentences=self._sentences(changes), places=DOT.join(places(changes[0], self.writer)))

    def _row(self, span: ReleaseSpan) -> HistoryRow:
        first, last = span.releases[0], span.releases[-1]
        is_one = len(span.releases) == 1
        return HistoryRow(
            source=self._source(span),
            releases=self.writer.version(first) if is_one else stretch(self.writer.data.words, first, last),
            date=self._date(span) if is_one else Markup(),
            kinds=span.kinds or ("unread" if span.is_gap else "unchanged",),
            places=self._places(span),
        )

    def _places(self, span: ReleaseSpan) -> Markup:
        if span.changes:
            return DOT.join(places(self.life.changes[span.changes[0]], self.writer))
        entry = lane_of(self.life, span.source.id).entries[span.past - 1]
        return self.writer.place(entry.citation) if entry else EMPTY


def anchors(ids: Iterable[str]) -> Markup:
    """Returns empty elements for ids that links lead to. No id contains a line break."""
    between = '"></span><span class="anchor" id="'
    joined = escape("\n".join(ids))
    return joined and Markup(f'<span class="anchor" id="{joined}"></span>'.replace("\n", between))  # noqa: S704
