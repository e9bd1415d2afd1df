"""A term's history as its page tells it: a list of events, newest first, and the same as a table.

Every release of a source has an anchor, which stands at the event that was in force then. Changes of formatting or
place are folded into the event they follow. What terms share of all that is their outline; here is what each has of
its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from sitegen.model import Entry
from sitegen.model.terms import Change, Life
from sitegen.site.pages.copying import absolute
from sitegen.site.pages.differences import Comparison, comparison
from sitegen.site.pages.outlines import Minor, Outline, Own
from sitegen.site.pages.page import Pen
from sitegen.site.pages.sentences import places, sentences
from sitegen.site.pages.spans import Courses, Span, courses, episodes, is_eventful, rows
from sitegen.site.pages.wordings import frozen_address, in_force, lane_of

Anchors = Mapping[tuple[str, str], str]
"""(source id, release) to the id that stands for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    outline: Outline
    own: tuple[object, ...]
    """The values that the outline has room for, in order."""


def history(life: Life, *, anchors: Anchors, shown: Entry, pen: Pen) -> History | None:
    """Returns what a term's page tells of its past, or None where no source of it has releases.

    `anchors` are the ids of releases on the page. `shown` is the entry whose definition stands there; no event
    repeats it.
    """
    own = courses(life)
    if not own:
        return None
    sources = {course.source.id for course in own}
    is_compared = sum(revision.source in sources for revision in life.revisions) > 1
    return History(
        outline=Outline(own, tuple(anchors.values()), pen.root, pen.desk.words, is_compared),
        own=tuple(_Teller(life, anchors, shown, pen).own(own)),
    )


@dataclass(frozen=True, slots=True)
class _Teller:
    """Says of each event and row what is the term's own."""

    life: Life
    anchors: Anchors
    shown: Entry
    pen: Pen

    def own(self, courses: Courses) -> Iterator[object]:
        for episode in episodes(courses) if is_eventful(courses) else ():
            if not episode.span.is_gap:
                yield from self._event(episode.span)
            for minor in episode.minor:
                yield from self._minor(minor)
        for span in rows(courses):
            yield self._places(span)

    def _event(self, span: Span) -> Own:
        changes = self._changes(span)
        changed = self._comparison(changes)
        return Own(
            sentences=(*self._unreleased(span), *self._sentences(changes)),
            comparison=changed,
            address=self._address(span),
            frozen=self._frozen(span),
            place=self.pen.place(changes[0].citation),
            full_text=self._full_text(changes[0], changed),
        )

    def _changes(self, span: Span) -> tuple[Change, ...]:
        return tuple([self.life.changes[number] for number in span.changes])

    def _unreleased(self, span: Span) -> tuple[Markup, ...]:
        return (self.pen.say("event.unreleased"),) if span.first.unreleased else ()

    def _sentences(self, changes: tuple[Change, ...]) -> tuple[Markup, ...]:
        return tuple([said for change in changes for said in sentences(change, of=self.life.key, pen=self.pen)])

    def _comparison(self, changes: tuple[Change, ...]) -> Comparison | None:
        """What changed in the words, where there is anything to compare."""
        for change in changes:
            if change.kind in ("reworded", "restored") and change.before and change.after:
                return comparison(change.before, change.after, of=self.life.key, pen=self.pen)
        return None

    def _address(self, span: Span) -> str:
        source, release = span.source.id, span.releases[0]
        wording = in_force(self.life, source, release)
        frozen = frozen_address(self.life, wording, self.pen.desk) if wording else ""
        return absolute(frozen or f"{self.pen.here}#{self.anchors[source, release]}", self.pen.desk)

    def _frozen(self, span: Span) -> str:
        address = self.pen.desk.site.wordings.get((self.life.key, span.source.id, span.releases[0]))
        return self.pen.href(address) if address else ""

    def _full_text(self, change: Change, changed: Comparison | None) -> tuple[Markup, ...]:
        entry = change.after or change.before
        if entry is None or (changed and changed.after) or entry.definition.html == self.shown.definition.html:
            return ()
        return (self.pen.definition(entry, of=self.life.key),)

    def _minor(self, span: Span) -> Minor:
        changes = self._changes(span)
        return Minor(sentences=self._sentences(changes), places=places(changes[0], self.pen))

    def _places(self, span: Span) -> tuple[Markup, ...]:
        if span.changes:
            return places(self.life.changes[span.changes[0]], self.pen)
        entry = lane_of(self.life, span.source.id).entries[span.past - 1]
        return (self.pen.place(entry.citation),) if entry else ()
