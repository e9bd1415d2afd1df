"""The outline of a history: all that terms share to which the same happened, with room for what each has of its own.

A history is its outline and the term's own values, in one row: for each event those of `Own`, then two for each minor
change that it is followed by, and at last the places of each row of the table. Terms with the same outline look
alike, so a template need not be carried out for each of them (`stencils`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple

from markupsafe import Markup

from sitegen.site.messages import Catalogue
from sitegen.site.pages.choices import Choice, choices
from sitegen.site.pages.differences import Comparison
from sitegen.site.pages.page import all_changes, stretch, version
from sitegen.site.pages.spans import Courses, Episode, Span, episodes, is_eventful, rows
from sitegen.site.pages.timeline import Timeline, timeline

MANY = 3
"""Above so many events, only the newest difference is open."""


class Own(NamedTuple):
    """What an event has to say of one term alone."""

    sentences: tuple[Markup, ...]
    comparison: Comparison | None
    address: str
    """What is copied: where the wording of that release stands for good, or else the event."""
    frozen: str
    """Where the wording that came with the release has an address of its own, the way there."""
    place: Markup
    full_text: tuple[Markup, ...]
    """The definition, unless it can be read elsewhere on the page."""


class Minor(NamedTuple):
    """A change of formatting or place."""

    sentences: tuple[Markup, ...]
    places: tuple[Markup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One item of the list."""

    anchors: tuple[str, ...]
    """Ids of the releases in which this was the state of things; the first is its own."""
    kinds: tuple[str, ...]
    release: Markup
    source: str
    """Title of the source, where several have a history of the term."""
    date: Markup
    gap: Markup
    """The one thing to say of releases of which nothing is known; of them there is nothing else."""
    own: Own | None
    is_open: bool
    all_changes: Markup
    """A link to what else its release changed."""
    minor: tuple[Minor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the table."""

    source: str
    releases: Markup
    date: Markup
    kinds: tuple[str, ...]
    places: tuple[Markup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A history as its template places it."""

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
    choices: tuple[Choice, ...]
    """The releases that can be compared."""


class Outline(NamedTuple):
    """What decides how a history looks."""

    courses: Courses
    ids: tuple[str, ...]
    """Those of all releases, course by course."""
    root: str
    """The way from the page to the site's root."""
    words: Catalogue
    is_compared: bool
    """There is more than one wording."""

    def told(self, own: Iterable[object]) -> Told:
        """Returns the history that has these values of its own."""
        return _Teller(self, iter(own)).told()


@dataclass(frozen=True)
class _Teller:
    """Goes through an outline and puts each value of a term where it belongs."""

    outline: Outline
    own: Iterator[Any]

    def told(self) -> Told:
        courses = self.outline.courses
        told = episodes(courses)
        events = self._events()
        return Told(
            events=events,
            anchors=() if events else tuple(id for episode in told for id in self._anchors(episode)),
            gaps=() if events else tuple(self._unread(episode) for episode in told if episode.span.is_gap),
            rows=tuple([self._row(span) for span in rows(courses)]),
            timeline=timeline(courses, self.outline.words) if events else None,
            several=self._several,
            begins=all(len(course.source.releases) == 1 for course in courses),
            choices=choices(courses, self.outline.ids) if self.outline.is_compared else (),
        )

    @cached_property
    def _ids(self) -> Mapping[str, tuple[str, ...]]:
        """By source, those of its releases."""
        rest = iter(self.outline.ids)
        sources = [course.source for course in self.outline.courses]
        return {source.id: tuple(islice(rest, len(source.releases))) for source in sources}

    @property
    def _several(self) -> bool:
        return len(self.outline.courses) > 1

    def _events(self) -> tuple[Event, ...]:
        told = episodes(self.outline.courses)
        if not is_eventful(self.outline.courses):
            return ()
        is_short = sum(episode.span.is_event for episode in told) <= MANY
        return tuple([self._event(one, is_open=is_short or one is told[0]) for one in told])

    def _event(self, episode: Episode, *, is_open: bool) -> Event:
        span = episode.span
        return Event(
            anchors=self._anchors(episode),
            kinds=span.kinds,
            release=version(span.releases[0]),
            source=self._source(span),
            date=self._date(span),
            gap=self._unread(episode) if span.is_gap else Markup(),
            own=None if span.is_gap else Own(*islice(self.own, len(Own._fields))),
            is_open=is_open,
            all_changes=all_changes(self.outline.words, self.outline.root, span.releases[0]),
            minor=tuple([Minor(*islice(self.own, len(Minor._fields))) for _ in episode.minor]),
        )

    def _row(self, span: Span) -> Row:
        is_one = len(span.releases) == 1
        return Row(
            source=self._source(span),
            releases=version(span.releases[0])
            if is_one
            else stretch(self.outline.words, span.releases[0], span.releases[-1]),
            date=self._date(span) if is_one else Markup(),
            kinds=span.kinds or ("unread" if span.is_gap else "unchanged",),
            places=next(self.own),
        )

    def _anchors(self, episode: Episode) -> tuple[str, ...]:
        ids = self._ids[episode.span.source.id]
        return tuple(chain.from_iterable([ids[span.number : span.past] for span in episode.spans]))

    def _unread(self, gap: Episode) -> Markup:
        words = self.outline.words
        return words.say("status.unread", releases=words.listed(map(version, gap.span.releases)))

    def _source(self, span: Span) -> str:
        return span.source.title if self._several else ""

    def _date(self, span: Span) -> Markup:
        return self.outline.words.date(span.first.date) if span.first.date else Markup()
