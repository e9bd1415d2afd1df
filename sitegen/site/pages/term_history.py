"""Computes a term's history for its page: a list of events, newest first, of which the newest is
open.

Every release of a source has an anchor, at the event that was in force in it. Changes of formatting
or place are part of the event before them.

Also computes the list of a term's wordings, from which a reader chooses one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from sitegen.model import Entry
from sitegen.model.terms import Change, Course, Ids, Life
from sitegen.site.pages.change_texts import compared_entries, sentences
from sitegen.site.pages.copied_texts import copies
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.page import SEPARATOR, Writer, anchor_elements
from sitegen.site.pages.status import last_change
from sitegen.site.pages.timeline import DEFINED, Period, events, periods, timeline
from sitegen.text.words import same_words


class OfferedRelease(NamedTuple):
    """A release in the header of a term's page, at which a reader can read the term."""

    version: str
    event: str = ""
    """The id of the event with the wording in force then; empty if the term was absent."""
    is_other: bool = False
    """True if its words are not those that the page shows."""
    merged: str = ""
    """The name of the term that the absent one was merged into, in this release or before."""


def history(
    life: Life, *, anchors: Ids, shown: Entry, writer: Writer
) -> Mapping[str, object] | None:
    """Returns the values of the history's template, or None if no source of the term has releases.

    `anchors` are the ids of releases on the page. `shown` is the entry whose definition the page
    shows; an event repeats it only beside the wording that it replaced.
    """
    courses = life.term.dated_courses
    return _HistoryWriter(life, courses, anchors, shown, writer).values() if courses else None


@dataclass(frozen=True, slots=True)
class _HistoryWriter:
    life: Life
    courses: Sequence[Course]
    anchors: Ids
    shown: Entry
    writer: Writer

    def values(self) -> Mapping[str, object]:
        """Returns the values of the template."""
        histories = [periods(course) for course in self.courses]
        found = events(histories)
        items = self._items(found)
        anchors, later = Markup(), []
        if len(items) == 1 and self._is_said_by_status(items[0]):
            later = [*filter(None, [*self._afterwards(found[0]), self._formatting(found[0])])]
            items = []
            anchors = anchor_elements(self._ids(found[0]))
        picture = None
        changes = [event for event in found if event[0].is_event]
        # A first appearance alone is no change.
        if len(changes) > 1:
            picture = timeline(histories, self.anchors, self.writer.words)
        return {
            "events": items,
            "anchors": anchors,
            "later": later,
            "timeline": picture,
            "choices": [*self._choices(found)],
            "begins": all(len(course.releases) == 1 for course in self.courses),
        }

    def _items(self, found: Iterable[Sequence[Period]]) -> list[Mapping[str, object]]:
        """Returns the items of the list. The newest event is open, but for one of releases that
        could not be read."""
        items = []
        has_open = False
        for event in found:
            is_open = not has_open and not event[0].is_gap
            items.append(self._event(event, is_open=is_open))
            has_open = has_open or is_open
        return items

    def _is_said_by_status(self, item: Mapping[str, object]) -> bool:
        """True if the status of the page says what the only event says: when the term appeared."""
        is_of_status = self.courses[0].source.id == self.life.entry.place.source
        return is_of_status and not item["sentences"]

    def _choices(self, found: Iterable[Sequence[Period]]) -> Iterator[OfferedRelease]:
        """Yields the releases that a reader can choose: those of the shown entry's source that
        could be read, newest first."""
        source = self.shown.place.source
        for event in found:
            first = event[0]
            if first.is_gap or first.source.id != source:
                continue
            course = self.life.term.course(source)
            id, *_ = self._ids(event)
            numbers: list[int] = []
            for period in event:
                if not period.is_gap:
                    numbers += range(period.first, period.past)
            for number in sorted(numbers, reverse=True):
                yield self._choice(course, number, id)

    def _choice(self, course: Course, number: int, event: str) -> OfferedRelease:
        """Returns a release, which has the wording of an event."""
        release, entry = course.source.releases[number], course.entries[number]
        version = self.writer.words.version_text(release.name)
        if entry is None:
            return OfferedRelease(version, merged=self._merged(course, number))
        return OfferedRelease(
            version,
            event=event,
            is_other=not same_words(entry.definition, self.shown.definition),
        )

    def _merged(self, course: Course, number: int) -> str:
        """Returns the name of the term that this one was merged into up to a release; else
        nothing."""
        merge = course.merge
        if not merge or not merge.other or number < course.releases.index(merge.release):
            return ""
        return self.writer.site.by_key[merge.other].name

    def _ids(self, event: Sequence[Period]) -> Iterator[str]:
        """Yields the ids of the releases of an event."""
        for period in event:
            for release in period.names:
                yield self.anchors[period.source.id, release]

    def _event(self, event: Sequence[Period], *, is_open: bool) -> Mapping[str, object]:
        """Returns an item of the list; that of a gap, of unread releases, only has a sentence about
        it."""
        period = event[0]
        id, *other_ids = self._ids(event)
        item = {
            "id": id,
            # Later releases in which this was the current state.
            "anchors": anchor_elements(other_ids),
            "source": period.source.title if len(self.courses) > 1 else "",
            "is_open": is_open,
        }
        if period.is_gap:
            releases = self.writer.versions(period.names)
            return {**item, "gap": self.writer.say("status.unread", releases=releases)}
        difference, full_text = self._words(period)
        counted = difference.summary if difference else ""
        facts = (self.writer.date(period.source.id, period.release.name), counted)
        return {
            **item,
            **self._facts(period),
            "later": self._afterwards(event),
            "formatting": self._formatting(event),
            "facts": SEPARATOR.join(filter(None, facts)),
            "comparison": difference,
            "full_text": full_text,
            # True if the event brought one of several wordings: that which the page shows.
            "is_same": (
                period.state in DEFINED
                and not (difference or full_text)
                and _wording_count(self.courses) > 1
            ),
        }

    def _facts(self, period: Period) -> Mapping[str, object]:
        """Returns what happened in the first release of an event."""
        writer, release = self.writer, period.release
        # The frozen page of the wording in force, or else the event.
        revision = self.life.term.course(period.source.id).revision_at(release.name)
        address = writer.site.frozen_address(self.life.key, revision)
        if not address:
            id = self.anchors[period.source.id, release.name]
            address = f"{writer.page_address}#{id}"
        all_changes = Markup()
        # Nothing is known to have changed in the oldest known wording.
        if period.kinds != ("first-read",):
            all_changes = writer.all_changes(release.name)
        return {
            "gap": "",
            "kinds": period.kinds,
            "sentences": self._sentences(period.changes),
            "release": writer.version_of(period.source, release.name),
            "address": writer.data.absolute(address),
            "place": self._place(period),
            "copies": self._copies(period, address),
            "all_changes": all_changes,
        }

    def _afterwards(self, event: Sequence[Period]) -> list[Markup]:
        """Returns sentences about what other terms did in an event, and what changed later in
        it."""
        return [*self._mergers(event), *self._later(event)]

    def _formatting(self, event: Sequence[Period]) -> Markup:
        """Returns in which releases after the first of an event the formatting changed."""
        found = [period.release.name for period in event[1:] if "reformatted" in period.kinds]
        if not found:
            return Markup()
        kind, releases = self.writer.words.kinds(["reformatted"]), self.writer.versions(found)
        return self.writer.say("timeline.event", kind=kind, release=releases)

    def _mergers(self, event: Sequence[Period]) -> Iterator[Markup]:
        """Yields which terms were merged into this one in the releases of an event; those after the
        first are named."""
        writer = self.writer
        releases = [(period.source.id, name) for period in event for name in period.names]
        for merge in writer.data.merges.get(self.life.key, ()):
            change = merge.change
            if (change.source, change.release) not in releases:
                continue
            sentence = writer.say("event.merged-here", term=writer.term(merge.key))
            if change.release != event[0].release.name:
                release = writer.say("chosen.reworded", release=writer.version(change.release))
                sentence = release + " " + sentence
            yield sentence

    def _later(self, event: Sequence[Period]) -> list[Markup]:
        """Returns sentences about what changed after the first release of an event without words,
        each with its release."""
        writer = self.writer
        found: list[Markup] = []
        for period in event[1:]:
            release = writer.say("chosen.reworded", release=writer.version(period.release.name))
            found += [release + " " + said for said in self._sentences(period.changes)]
        return found

    def _place(self, period: Period) -> Markup:
        """Returns the place of an event's entry; empty for a removal, which has none."""
        if period.state not in DEFINED:
            return Markup()
        place = self.writer.place(period.changes[0].entry)
        return self.writer.say("event.source", place=place)

    def _copies(self, period: Period, address: str) -> Mapping[str, str] | None:
        """Returns the texts for copying an event's wording, if a reader can choose its
        releases."""
        if period.source.id != self.shown.place.source or period.state not in DEFINED:
            return None
        entry = period.changes[0].entry
        return copies(self.life, entry, address=address, writer=self.writer)

    def _words(self, period: Period) -> tuple[WordingComparison | None, Markup | None]:
        """Returns the difference that an event made; if it made none, its whole wording, unless the
        page shows that already."""
        for change in period.changes:
            entries = compared_entries(change)
            if entries:
                difference = comparison(*entries, of=self.life.key, writer=self.writer)
                if difference:
                    return difference, None
                break
        entry = period.changes[0].entry
        is_shown = same_words(entry.definition, self.shown.definition)
        if is_shown or period.state not in DEFINED:
            return None, None
        return None, self.writer.definition(entry, of=self.life.key)

    def _sentences(self, changes: Iterable[Change]) -> list[Markup]:
        """Returns the sentences about changes. A change of the formatting has none: a mark says
        it. Nor has the removal that the status of the page tells."""
        removal = None if self.life.is_defined else last_change(self.life, "removed")
        found: list[Markup] = []
        for change in changes:
            if change is removal:
                continue
            found += sentences(change, of=self.life.key, writer=self.writer)
        return found


def wordings(life: Life, writer: Writer) -> Sequence[tuple[str, Sequence[Markup]]]:
    """Returns links to a term's wordings, for each source, with its title if there are several,
    newest first; none if there is only one wording."""
    courses = life.term.dated_courses
    if _wording_count(courses) < 2:
        return ()
    lists = []
    for course in courses:
        title = course.source.title if len(courses) > 1 else ""
        lists.append((title, _links_to_wordings(life, course, writer)))
    return lists


def _wording_count(courses: Iterable[Course]) -> int:
    """Returns the number of wordings in all sources."""
    return sum(len(course.revisions) for course in courses)


def _links_to_wordings(life: Life, course: Course, writer: Writer) -> Sequence[Markup]:
    """Returns links to the wordings in a source: to their frozen pages, or to their event."""
    links = []
    for revision in reversed(course.revisions):
        address = writer.data.wording(life.key, revision)
        links.append(writer.link(writer.releases_of(revision), address))
    return links
