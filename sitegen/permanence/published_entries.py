"""What published pages showed: entries, with the ids of their releases, and which terms have these
entries now.

The line of a page has the entries that begin on it. Each is shown in the releases after it too, as
long as these have an entry of its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Entry, EntryText, Prose, Source
from sitegen.model.terms import Course, Life
from sitegen.permanence.archive import (
    Archive,
    ArchivedEdition,
    ArchivedPage,
    EntryReference,
    SourceRelease,
)
from sitegen.permanence.archived_releases import entry_text
from sitegen.text.names import fold
from sitegen.text.words import words_of

Pairs = Mapping[SourceRelease, Sequence[tuple[str, str]]]
"""Releases to the (former name, present name) of their published entries."""


class PublishedEntry(NamedTuple):
    """An entry that the page of a term showed."""

    source: str
    """The present id of its source."""
    reference: EntryReference
    id: str
    """The id of the release on the page; empty if the source has no releases."""


def published_entries(lines: Iterable[ArchivedPage], archive: Archive) -> Sequence[PublishedEntry]:
    """Returns the entries that the page of a term showed, by source, oldest first.

    Two branches can publish one address for different entries, and with ids that leave out another
    source. Both are returned.
    """
    entries = []
    for line in lines:
        own = archive.present_id(line.source)  # its ids are `r1.0`, not `s-pytorch~1.0`
        for at, reference in shown_entries(line, archive).items():
            source, release = at
            id = release_id(at, own, archive) if release else ""
            entries.append(PublishedEntry(source, reference, id))
    return [*dict.fromkeys(entries)]


def begun_entries(
    page: ArchivedPage, archive: Archive
) -> Mapping[str, Mapping[str, EntryReference]]:
    """Returns the entries that begin on the page of a term, by present source id and release:
    `{"pytorch": {"1.0": …, "4.0": …}}`; of several for one release, the last."""
    begun: dict[str, dict[str, EntryReference]] = defaultdict(dict)
    for one in page.entries:
        source = archive.present_id(one.source)
        begun[source][one.release] = one
    return begun


def shown_entries(page: ArchivedPage, archive: Archive) -> Mapping[SourceRelease, EntryReference]:
    """Returns the entries that the page of a term showed, by present source id and release."""
    shown: dict[SourceRelease, EntryReference] = {}
    for source, begun in begun_entries(page, archive).items():
        for edition in archive.releases.get(source, {}).values():
            # The entry that begins in this release; else the one of the release before goes on.
            previous = shown.get((source, edition.after))
            entry = entry_in(edition, begun.get(edition.release, previous), archive)
            if entry:
                shown[source, edition.release] = entry
    return shown


def entry_in(
    edition: ArchivedEdition, other: EntryReference | None, archive: Archive
) -> EntryReference | None:
    """Returns the entry of an edition that has the name of another entry; None if it has none."""
    if other is None or not archive.has_entry(*edition.at, other.name):
        return None
    return EntryReference(
        source=edition.source, release=edition.release, name=other.name, number=other.number
    )


def release_id(at: SourceRelease, own: str, archive: Archive) -> str:
    """Returns the id of a release on a page. Those of other sources than the page's `own` have the
    id that the source had when the release was published."""
    source, release = at
    if source == own:
        return urls.revision_anchor(release)
    return urls.revision_anchor(release, source=archive.published_id(source, release))


def references_of(lines: Sequence[ArchivedPage]) -> list[EntryReference]:
    """Returns the entries that begin on a page. Those of the page's own source come first."""
    own, others = [], []
    for line in lines:
        for one in line.entries:
            if one.name and one.source == lines[0].source:
                own.append(one)
            elif one.name:
                others.append(one)
    return [*own, *others]


def published_text(reference: EntryReference, archive: Archive) -> EntryText | None:
    """Returns the words of an entry as they were published last."""
    named = archive.texts_by_name.get(reference.at, {}).get(reference.name, ())
    if not named:
        return None
    number = min(reference.number, len(named) - 1)
    return entry_text(named[number])


class TermEntry(NamedTuple):
    """An entry of a term."""

    key: str
    entry: Entry


class EntryIndex:
    """The entries of all terms, by the names under which they were published."""

    def __init__(self, lives: Iterable[Life], archive: Archive, pairs: Pairs) -> None:
        self._archive = archive
        self._pairs = pairs
        self._courses: dict[tuple[str, str], dict[str, Course]] = defaultdict(dict)
        """(source id, name) to the courses of the terms that had the name there, by key."""
        self._named: dict[str, dict[str, str]] = defaultdict(dict)
        """Folded name to the keys of the terms that have or had it, each with its source."""
        self._sources: dict[str, Source] = {}
        for life in lives:
            for course in life.term.courses:
                self._sources[course.source.id] = course.source
                for entry in course.span_entries:
                    self._courses[course.source.id, entry.name][life.key] = course
                    self._named[fold(entry.name)].setdefault(life.key, course.source.id)

    def entry(self, reference: EntryReference) -> TermEntry | None:
        """Returns the entry of a reference with its term; None if the release does not have the
        entry any more. An entry that was published as "Array" may have the name "Tensor" now."""
        source, release = self._archive.present_id(reference.source), reference.release
        later_names = dict(self._pairs.get((source, release), ()))
        tried: set[str] = set()
        name = reference.name
        while name not in tried:
            called = self._called(source, release, name)
            if called:
                # Of three entries of one name, of which one is left, that stands for all three.
                return called[min(reference.number, len(called) - 1)]
            tried.add(name)
            name = later_names.get(name, name)
        return None

    def _called(self, source: str, release: str, name: str) -> list[TermEntry]:
        """Returns the entries of a release with a name, in their order: two, if the release defines
        the name twice with other words."""
        entries = []
        for key, course in self._courses.get((source, name), {}).items():
            entry = course.at(release)
            if entry and entry.name == name:
                entries.append(TermEntry(key, entry))
        if len(entries) > 1:
            releases = self._sources[source].releases
            in_order = releases[self._sources[source].numbers[release]].entries
            entries.sort(key=lambda one: in_order.index(one.entry))
        return entries

    def reference(self, key: str, entry: Entry) -> EntryReference:
        """Returns the reference to an entry of a term, for the archive."""
        source, release = entry.place.source, entry.place.release
        keys = [one.key for one in self._called(source, release, entry.name)]
        return EntryReference(
            source=self._archive.published_id(source, release),
            release=release,
            name=entry.name,
            number=keys.index(key),
        )

    def with_words(self, words: Prose) -> str:
        """Returns the key of the last term that had these words; empty if none had."""
        return self._by_words.get(words_of(words).keys, "")

    @cached_property
    def _by_words(self) -> Mapping[tuple[str, ...], str]:
        """Maps the words of each definition that a term ever had to the key of the term; of several
        terms, the last."""
        keys = {}
        for courses in self._courses.values():
            for key, course in courses.items():
                for entry in course.span_entries:
                    keys[words_of(entry.definition).keys] = key
        return keys

    def named(self, name: str, sources: Collection[str]) -> str:
        """Returns the key of a term that has or had a name, preferably in one of these sources;
        empty if there is none."""
        source_of = self._named.get(fold(name), {})
        preferred = {self._archive.present_id(source) for source in sources}
        for key, source in source_of.items():
            if source in preferred:
                return key
        return next(iter(source_of), "")
