"""Computes a term's history for its page: a list of events, newest first, and the same as a table.

Every release of a source has an anchor, at the event that was in force in it. Changes of formatting or place are
part of the event before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.model import Entry, Source
from sitegen.model.terms import Change, Ids, Life
from sitegen.site.pages.changes import places, sentences
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.page import Writer
from sitegen.site.pages.spans import (
    DEFINED,
    Courses,
    Episode,
    ReleaseSpan,
    TermCourse,
    courses,
    episodes,
    frozen_address,
    lane_of,
    spans,
)
from sitegen.site.pages.timeline import timeline

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
    term_courses = courses(life)
    return _HistoryWriter(life, term_courses, anchors, shown, writer).values() if term_courses else None


@dataclass(frozen=True, slots=True)
class _HistoryWriter:
    life: Life
    courses: Courses
    anchors: Ids
    shown: Entry
    writer: Writer

    def values(self) -> Mapping[str, object]:
        all_episodes, all_ids = episodes(self.courses), iter(self.anchors.values())
        # A first appearance alone is no event.
        number = sum(episode.span.is_event for episode in all_episodes)
        events = tuple(self._events(all_episodes)) if number > 1 else ()
        ids = tuple([tuple(islice(all_ids, len(course.source.releases))) for course in self.courses])
        sources = {course.source.id for course in self.courses}
        is_compared = sum(revision.source in sources for revision in self.life.revisions) > 1
        return {
            "events": events,
            "anchors": "" if events else _elements([id for episode in all_episodes for id in self._ids(episode)]),
            "gaps": [] if events else [self._unread(episode) for episode in all_episodes if episode.span.is_gap],
            # Without the time before the term was added and after it was removed.
            "rows": [
                self._row(span)
                for course in self.courses
                for span in reversed(spans(course))
                if span.changes or span.state != "absent"
            ],
            "timeline": timeline(self.courses, ids, self.writer.words) if events else None,
            "several": len(self.courses) > 1,
            "begins": all(len(course.source.releases) == 1 for course in self.courses),
            "choices": _choices(tuple(zip(map(_defined, self.courses), ids, strict=True))) if is_compared else "",
        }

    def _events(self, all_episodes: tuple[Episode, ...]) -> Iterator[HistoryEvent]:
        is_short = sum(episode.span.is_event for episode in all_episodes) <= MAX_OPEN
        for episode in all_episodes:
            if episode.span.is_gap:
                id, *others = self._ids(episode)
                gap = self._unread(episode)
                yield HistoryEvent(id=id, anchors=_elements(others), source=self._source(episode.span), gap=gap)
            else:
                yield self._event(episode, is_open=is_short or episode is all_episodes[0])

    def _event(self, episode: Episode, *, is_open: bool) -> HistoryEvent:
        life, writer, span = self.life, self.writer, episode.span
        source, release, site = span.source.id, span.releases[0], writer.data.site
        changes = self._changes(span)
        entry = changes[0].entry
        difference = self._difference(changes)
        id, *others = self._ids(episode)
        frozen = site.wordings.get((life.key, source, release))
        in_force = frozen or frozen_address(life, source, release, site)
        is_shown = (difference and difference.after) or entry.definition.html == self.shown.definition.html
        return HistoryEvent(
            id=id,
            anchors=_elements(others),
            source=self._source(span),
            kinds=span.kinds,
            release=writer.version(release),
            date=self._date(span),
            sentences=[
                *([writer.say("event.unreleased")] if span.first.unreleased else []),
                *self._sentences(changes),
            ],
            comparison=difference,
            is_open=is_open,
            address=writer.data.absolute(in_force or f"{writer.page_address}#{id}"),
            frozen=writer.href(frozen) if frozen else "",
            place=writer.place(entry.citation),
            full_text=None if is_shown else writer.definition(entry, of=life.key),
            all_changes=writer.all_changes(release),
            minor=[self._minor(self._changes(other)) for other in episode.others if other.changes],
        )

    def _changes(self, span: ReleaseSpan) -> list[Change]:
        return [self.life.changes[number] for number in span.changes]

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

    def _ids(self, episode: Episode) -> list[str]:
        source = episode.span.source.id
        return [self.anchors[source, release] for release in episode.releases]

    def _source(self, span: ReleaseSpan) -> str:
        return span.source.title if len(self.courses) > 1 else ""

    def _date(self, span: ReleaseSpan) -> Markup:
        return self.writer.words.date(span.first.date) if span.first.date else Markup()

    def _unread(self, gap: Episode) -> Markup:
        return self.writer.say("status.unread", releases=self.writer.versions(gap.span.releases))

    def _row(self, span: ReleaseSpan) -> tuple[str, Markup, Markup, Sequence[str], Markup]:
        """Returns a row of the table: source, releases, date, kinds of change and places."""
        first, last = self.writer.version(span.releases[0]), self.writer.version(span.releases[-1])
        is_one = len(span.releases) == 1
        releases = first if is_one else self.writer.say("table.span", first=first, last=last)
        entry = lane_of(self.life, span.source.id).entries[span.past - 1]
        if span.changes:
            place = places(self.life.changes[span.changes[0]], self.writer)
        else:
            place = self.writer.place(entry.citation) if entry else Markup()
        kinds = span.kinds or ("unread" if span.is_gap else "unchanged",)
        return self._source(span), releases, self._date(span) if is_one else Markup(), kinds, place


def _elements(ids: Sequence[str]) -> Markup:
    """Returns empty elements for ids that links lead to. No id contains a line break."""
    separator = '"></span><span class="anchor" id="'
    joined = escape("\n".join(ids))
    return joined and Markup(f'<span class="anchor" id="{joined}"></span>'.replace("\n", separator))  # noqa: S704


DefinedReleases = tuple[Source, tuple[tuple[int, int], ...]]
"""A source, and the ranges of the numbers of its releases in which it defined a term: first, and after the last."""


def _defined(course: TermCourse) -> DefinedReleases:
    ends = pairwise((*course.states, (len(course.source.releases), "")))
    return course.source, tuple([(first, past) for (first, state), (past, _) in ends if state in DEFINED])


# Cached because most terms are defined in the same releases as many others. With 100 releases, a template is slow.
@lru_cache(maxsize=4096)
def _choices(defined: tuple[tuple[DefinedReleases, tuple[str, ...]], ...]) -> Markup:
    """Returns the options of a list of the releases in which a term was defined, by source, oldest first.

    Their values are the ids of the releases on the page. The newest release of the first source is selected.
    """
    (_, (*_, (_, past))), ids = defined[0]
    newest = ids[past - 1]
    options = [
        f'<option value="{escape(id)}"{" selected" if id == newest else ""}>'
        f"{escape(f'{source.title} {release.name}' if len(defined) > 1 else release.name)}</option>"
        for (source, runs), ids in defined
        for run in runs
        for release, id in zip(source.releases[slice(*run)], ids[slice(*run)], strict=True)
    ]
    return Markup("".join(options))  # noqa: S704
