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
from sitegen.model.terms import Change, Course, Ids, Life, Revision
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import compared_entries, sentences
from sitegen.site.pages.copied_texts import copies
from sitegen.site.pages.marked_wordings import WordingComparison, comparison
from sitegen.site.pages.page import SEPARATOR, Writer, anchor_elements
from sitegen.site.pages.status import last_change
from sitegen.site.pages.term_events import TermEvent, events
from sitegen.site.pages.timeline import timeline
from sitegen.text.words import same_words


class OfferedWording(NamedTuple):
    """The releases of a wording, in the list of releases on the page of a term."""

    label: str
    """The releases of the wording; empty for releases without the term."""
    releases: list[OfferedRelease]
    is_other: bool
    """True if the words are not those that the page shows."""


class OfferedRelease(NamedTuple):
    """A release at which a reader can read a term, in the list of releases on its page."""

    name: str
    version: str
    """The name, or the date of a dated state."""
    event: str
    """The id of the event with the wording in force then; empty if the term was absent."""


def history(
    life: Life, *, anchors: Ids, shown: Entry, writer: Writer
) -> Mapping[str, object] | None:
    """Returns the values of the history's template, or None if no source of the term has releases.

    `anchors` are the ids of releases on the page. `shown` is the entry with the definition at the
    top of the page. An event does not show that definition again, unless as a difference from an
    older one.
    """
    courses = life.dated_courses
    if not courses:
        return None
    return _HistoryWriter(life, courses, anchors, shown, writer).values()


@dataclass(frozen=True)
class _HistoryWriter:
    life: Life
    courses: Sequence[Course]
    anchors: Ids
    shown: Entry
    writer: Writer

    def values(self) -> Mapping[str, object]:
        """Returns the values of the template."""
        term_events = events(self.courses)
        items = self._items(term_events)

        # If the status says all about the only event, the page has the ids of the event, and its
        # later changes.
        anchors = Markup()
        later: list[Markup] = []
        if self._are_said_by_status(items):
            items = []
            only_event = term_events[0]
            anchors = anchor_elements(self._ids(only_event))
            sentences = [*self._later_changes(only_event), self._formatting(only_event)]
            later = [sentence for sentence in sentences if sentence]

        # A first appearance alone needs no timeline.
        picture = None
        without_gaps = [event for event in term_events if not event.is_gap]
        if len(without_gaps) > 1:
            picture = timeline(self.courses, without_gaps, self.anchors, self.writer.words)

        return {
            "events": items,
            "anchors": anchors,
            "later": later,
            "timeline": picture,
            **self._values_of_choice(term_events),
            # With one release in each source, the history has only begun.
            "begins": all(len(course.releases) == 1 for course in self.courses),
        }

    def _items(self, term_events: Iterable[TermEvent]) -> list[Mapping[str, object]]:
        """Returns the items of the list. The newest event is open; a gap never is."""
        items = []
        has_open = False
        for event in term_events:
            is_open = not has_open and not event.is_gap
            items.append(self._event(event, is_open=is_open))
            has_open = has_open or is_open
        return items

    def _are_said_by_status(self, items: Sequence[Mapping[str, object]]) -> bool:
        """True if there is only one event, and it says no more than the status of the page: when
        the term appeared."""
        is_about_same_source = self.courses[0].source.id == self.life.entry.place.source
        return is_about_same_source and len(items) == 1 and not items[0]["sentences"]

    def _values_of_choice(self, term_events: Iterable[TermEvent]) -> Mapping[str, object]:
        """Returns the releases from which a reader chooses one, by their wordings; the name of the
        newest of them, or that it does not define the term; and the releases of the newest wording.
        A term that was the same in all releases has nothing to choose."""
        choices = [*self._choices(term_events)]
        if len({choice.event for choice in choices}) < 2:
            return {"has_choice": False}
        newest = choices[0]  # not the latest release if that could not be read
        version = self.writer.text(newest.version)
        course = self.life.course(self.shown.place.source)
        if newest.event:
            called = _called_latest(version, newest.name, course, self.writer)
        else:
            called = self.writer.say("chosen.absent", release=version)
        return {
            "has_choice": True,
            "choices": self._by_wording(choices, course),
            "newest": plain(called),
            "present": plain(present_releases(course, self.writer)),
        }

    def _choices(self, term_events: Iterable[TermEvent]) -> Iterator[OfferedRelease]:
        """Yields the releases that a reader can choose, newest first: the readable releases of the
        shown entry's source."""
        source = self.shown.place.source
        for event in term_events:
            course = event.course
            if event.is_gap or course.source.id != source:
                continue
            event_id = self._ids(event)[0]
            for number in sorted(event.numbers, reverse=True):
                if course.span_at(number).state != "unread":
                    name = course.releases[number]
                    version = self.writer.words.version_text(name)
                    is_absent = course.entries[number] is None
                    yield OfferedRelease(name, version, event="" if is_absent else event_id)

    def _by_wording(
        self, choices: Iterable[OfferedRelease], course: Course
    ) -> list[OfferedWording]:
        """Returns the releases that a reader can choose, those of each wording together."""
        wordings: list[OfferedWording] = []
        last_revision = None
        for choice in choices:
            revision = course.revision_at(choice.name)
            if not wordings or revision is not last_revision:
                wordings.append(self._wording(revision))
                last_revision = revision
            wordings[-1].releases.append(choice)
        return wordings

    def _wording(self, revision: Revision | None) -> OfferedWording:
        """Returns the wording of a revision, without its releases; without a revision, the releases
        do not have the term."""
        if revision is None:
            return OfferedWording("", [], is_other=False)
        label = plain(self.writer.releases_of(revision))
        is_other = not same_words(revision.entry.definition, self.shown.definition)
        return OfferedWording(label, [], is_other=is_other)

    def _ids(self, event: TermEvent) -> list[str]:
        """Returns the ids of the releases of an event. The first one is the id of the event
        itself."""
        source = event.course.source.id
        return [self.anchors[source, release] for release in event.names]

    def _event(self, event: TermEvent, *, is_open: bool) -> Mapping[str, object]:
        """Returns an item of the list. The item of a gap only says which releases could not be
        read."""
        source = event.course.source
        ids = self._ids(event)
        item = {
            "id": ids[0],
            # Later releases in which this was the current state.
            "anchors": anchor_elements(ids[1:]),
            "source": source.title if len(self.courses) > 1 else "",
            "is_open": is_open,
        }
        if event.is_gap:
            releases = self.writer.versions(event.names)
            return {**item, "gap": self.writer.say("status.unread", releases=releases)}

        difference = self._difference(event)
        full_text = None if difference else self._full_text(event)
        facts = [self.writer.date(source.id, event.release.name)]
        if difference:
            facts.append(difference.summary)

        # An event without words of its own has those at the top of the page. The page says so if
        # the term has other wordings too.
        shows_words = bool(difference or full_text)
        has_words_of_page = event.is_defined and not shows_words
        return {
            **item,
            **self._own_release(event),
            "later": self._later_changes(event),
            "formatting": self._formatting(event),
            "facts": SEPARATOR.join([fact for fact in facts if fact]),
            "comparison": difference,
            "full_text": full_text,
            "is_same": has_words_of_page and _wording_count(self.courses) > 1,
        }

    def _own_release(self, event: TermEvent) -> Mapping[str, object]:
        """Returns what happened in the release of an event."""
        writer = self.writer
        source = event.course.source
        release = event.release

        # The address is the frozen page of the wording in force, or else the event.
        revision = event.course.revision_at(release.name)
        address = writer.site.frozen_address(self.life.key, revision)
        if not address:
            id = self.anchors[source.id, release.name]
            address = f"{writer.address}#{id}"

        # The first release that was read has no known changes.
        all_changes = Markup()
        if event.kinds != ("first-read",):
            all_changes = writer.all_changes(release.name)
        return {
            "gap": "",
            "kinds": event.kinds,
            "sentences": self._sentences(event.changes),
            "release": writer.version_of(source, release.name),
            "address": writer.site.base_url + address,
            "place": self._place(event),
            "copies": self._copies(event, address),
            "all_changes": all_changes,
        }

    def _formatting(self, event: TermEvent) -> Markup:
        """Returns a sentence with the later releases of an event that only changed the formatting;
        empty if there are none."""
        reformatted = []
        for change in event.later_changes:
            if change.kind == "reformatted":
                reformatted.append(change.release)
        if not reformatted:
            return Markup()
        return self.writer.say("event.reformatted", releases=self.writer.versions(reformatted))

    def _later_changes(self, event: TermEvent) -> list[Markup]:
        """Returns sentences about the later changes of an event, each after its release: "In 2.0:".
        These changes keep the words."""
        later_sentences = []
        for change in event.later_changes:
            release = self.writer.version(change.release)
            for sentence in self._sentences([change]):
                start = self.writer.say("chosen.reworded", release=release)
                later_sentences.append(start + " " + sentence)
        return later_sentences

    def _place(self, event: TermEvent) -> Markup:
        """Returns the place of an event's entry; empty for a removal, which has none."""
        if not event.is_defined:
            return Markup()
        place = self.writer.place(event.entry)
        return self.writer.say("event.source", place=place)

    def _copies(self, event: TermEvent, address: str) -> Mapping[str, str] | None:
        """Returns the texts for copying an event's wording. Only wordings of the shown entry's
        source have them."""
        if event.course.source.id != self.shown.place.source or not event.is_defined:
            return None
        return copies(self.life, event.entry, address=address, writer=self.writer)

    def _difference(self, event: TermEvent) -> WordingComparison | None:
        """Returns the difference between the words before and after an event; None if they are the
        same."""
        for change in event.changes:
            entries = compared_entries(change)
            if entries:
                return comparison(*entries, of=self.life.key, writer=self.writer)
        return None

    def _full_text(self, event: TermEvent) -> Markup | None:
        """Returns the whole wording of an event. The result is None for a removal, and for the
        wording at the top of the page."""
        is_shown = same_words(event.entry.definition, self.shown.definition)
        if is_shown or not event.is_defined:
            return None
        return self.writer.definition(event.entry, of=self.life.key)

    def _sentences(self, changes: Iterable[Change]) -> list[Markup]:
        """Returns the sentences about changes. The removal of a term that is still removed has
        none, because the status of the page says when it was."""
        removal = None if self.life.is_defined else last_change(self.life, "removed")
        all_sentences: list[Markup] = []
        for change in changes:
            if change is not removal:
                all_sentences += sentences(change, self.writer)
        return all_sentences


def present_releases(course: Course, writer: Writer) -> Markup:
    """Returns the releases of the newest wording in a source: "1.10.0 to 2.9.0 (latest)"."""
    wording = course.revisions[-1]
    releases = writer.words.span(wording.first, wording.last)
    return _called_latest(releases, wording.last, course, writer)


def _called_latest(releases: Markup, last: str, course: Course, writer: Writer) -> Markup:
    """Returns releases, with the addition "latest" if the last of them is the latest release. It is
    not the latest if the term was removed, if the latest release could not be read, or if the last
    one is unreleased."""
    source = course.source
    if last != source.latest or last in source.unreleased:
        return releases
    site = writer.site
    if site.is_translation:  # the original may have changed since
        language = site.language.upper()
        return writer.say("chosen.latest-here", release=releases, language=language)
    return writer.say("chosen.latest", release=releases)


def wordings(life: Life, writer: Writer) -> Sequence[tuple[str, Sequence[Markup]]]:
    """Returns the links to a term's wordings, newest first, as a list for each source. A term with
    one wording has no links. The title of a source is empty if there is only one source."""
    courses = life.dated_courses
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
    """Returns links to the wordings in a source, newest first."""
    links = []
    for revision in reversed(course.revisions):
        address = writer.site.wording_address(life.key, revision)
        links.append(writer.link(writer.releases_of(revision), address))
    return links
