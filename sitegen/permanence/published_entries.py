"""The entries that published pages showed, and the terms that have these entries now.

A reference names an entry of a published release (`EntryReference`). The line of a page has a
reference for each entry that begins on the page. An entry is shown in the later releases too, as
long as these have an entry of its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from sitegen.addresses import urls
from sitegen.model import Entry, EntryText, Prose
from sitegen.model.terms import Course, Life
from sitegen.permanence.archive import (
    Archive,
    ArchivedEdition,
    ArchivedPage,
    EntryReference,
    PublishedPage,
    SourceRelease,
)
from sitegen.permanence.archived_releases import entry_text
from sitegen.text.names import fold
from sitegen.text.words import words_of

Value = TypeVar("Value")

ByRelease = Mapping[str, Mapping[str, EntryReference]]
"""References by the present ids of their sources, then by release:
`{"pytorch": {"1.0": …, "4.0": …}}`."""


class PublishedEntry(NamedTuple):
    """An entry that the page of a term showed."""

    source: str
    """The present id of its source."""
    reference: EntryReference
    id: str
    """The id of the release on the page; empty if the source has no releases."""


def published_entries(lines: Sequence[ArchivedPage], archive: Archive) -> Sequence[PublishedEntry]:
    """Returns the entries that the page of a term showed, by source, oldest first.

    If the page has two lines, the entries and ids of both are returned, in the order in which a
    line that joins them has them.
    """
    shown_by_line = [shown_references(line, archive) for line in lines]
    sources = dict.fromkeys(source for shown in shown_by_line for source in shown)
    entries: dict[PublishedEntry, None] = {}
    for source in sources:
        for release in archive.releases.get(source, {}):
            for line, shown in zip(lines, shown_by_line, strict=True):
                reference = shown.get(source, {}).get(release)
                if reference:
                    own_source = archive.present_id(line.source)
                    # The ids of the own source are `r1.0`, not `s-pytorch~1.0`.
                    id = release_id((source, release), own_source, archive) if release else ""
                    entries[PublishedEntry(source, reference, id)] = None
    return [*entries]


def references_by_release(line: ArchivedPage, archive: Archive) -> ByRelease:
    """Returns the references of the line of a term. If it has several for one release, the last one
    counts."""
    references: dict[str, dict[str, EntryReference]] = defaultdict(dict)
    for reference in line.entries:
        source = archive.present_id(reference.source)
        references[source][reference.release] = reference
    return references


def shown_references(line: ArchivedPage, archive: Archive) -> ByRelease:
    """Returns what the page of a term showed in each release, according to a line of it."""
    shown_in_sources = {}
    for source, of_line in references_by_release(line, archive).items():
        shown: dict[str, EntryReference] = {}
        for edition in archive.releases.get(source, {}).values():
            reference = shown_reference(edition, of_line, shown, archive)
            if reference:
                shown[edition.release] = reference
        shown_in_sources[source] = shown
    return shown_in_sources


def shown_reference(
    edition: ArchivedEdition,
    of_line: Mapping[str, EntryReference],
    shown_before: Mapping[str, EntryReference],
    archive: Archive,
) -> EntryReference | None:
    """Returns the entry that a page shows in a release, according to its line. It is the one that
    begins there, or else that of the release before. None if the release has no entry of this name.
    A reference without a name says that the page shows nothing there.

    `of_line` are the references of the line in the source, `shown_before` is what the page shows in
    earlier releases.
    """
    reference = of_line.get(edition.release, shown_before.get(edition.after))
    if reference is None or reference.name not in archive.names[edition.at]:
        return None
    return replace(reference, source=edition.source, release=edition.release)


def release_id(at: SourceRelease, own_source: str, archive: Archive) -> str:
    """Returns the HTML id of a release on the page of a term: `r1.8` for the page's own source.
    For another source, the id also has the source, by the id under which the release was published:
    `s-course~1.8`."""
    source, release = at
    if source == own_source:
        return urls.revision_anchor(release)
    return urls.revision_anchor(release, source=archive.published_id(source, release))


def references_of(page: PublishedPage, archive: Archive) -> list[EntryReference]:
    """Returns the entries that begin on a page. Those of the page's own source come first."""
    own_source = archive.present_id(page.source)
    # One without a name says that the page shows nothing from its release on.
    references = [one for line in page.lines for one in line.entries if one.name]
    return sorted(references, key=lambda one: archive.present_id(one.source) != own_source)


def published_text(reference: EntryReference, archive: Archive) -> EntryText | None:
    """Returns the words of an entry as they were published last; None if they are not archived."""
    if reference.at not in archive.editions_of:
        return None
    last_edition = archive.editions_of[reference.at][0]
    texts_by_name = archive.texts_by_name[reference.at]
    for name in _names_since(reference, last_edition):
        if name in texts_by_name:
            return entry_text(_numbered(texts_by_name[name], reference.number))
    return None


def _names_since(reference: EntryReference, edition: ArchivedEdition | None) -> Iterator[str]:
    """Yields the name under which an entry was published, and the names that it got later.
    `edition` is the last one of its release; None if the release is not archived."""
    later_names = dict(edition.pairs) if edition else {}
    yielded: set[str] = set()  # two names may have been exchanged
    name = reference.name
    while name not in yielded:
        yield name
        yielded.add(name)
        name = later_names.get(name, name)


def _numbered(same_names: Sequence[Value], number: int) -> Value:
    """Returns the entry with a number among those of one name. If some are gone, as they were
    merged, the last one stands for them."""
    return same_names[min(number, len(same_names) - 1)]


class TermEntry(NamedTuple):
    """An entry of a term."""

    key: str
    """The key of the term."""
    entry: Entry


class EntryIndex:
    """The entries of all terms, by the names under which they were published."""

    def __init__(self, lives: Iterable[Life], archive: Archive) -> None:
        """`archive` has the editions of the releases as they are now."""
        self._archive = archive
        self._courses: dict[tuple[str, str], dict[str, Course]] = defaultdict(dict)
        """(source id, name) to the courses of the terms that had the name there, by term key."""
        self._named: dict[str, str] = {}
        """Folded name to the key of the first term that has or had it."""
        for life in lives:
            for course in life.courses:
                for entry in course.span_entries:
                    self._courses[course.source.id, entry.name][life.key] = course
                    self._named.setdefault(fold(entry.name), life.key)

    def entry(self, reference: EntryReference) -> TermEntry | None:
        """Returns the entry of a reference with its term; None if the release does not have the
        entry any more. An entry that was published as "Array" may have the name "Tensor" now."""
        source = self._archive.present_id(reference.source)
        # Two branches may have published the release under two ids: the edition that counts has the
        # names.
        edition = self._archive.releases.get(source, {}).get(reference.release)
        for name in _names_since(reference, edition):
            entries = self._entries_named(name, source, reference.release)
            if entries:
                return _numbered(entries, reference.number)
        return None

    def _entries_named(self, name: str, source: str, release: str) -> list[TermEntry]:
        """Returns the entries of a release with a preferred name, in their order: two, if the
        release defines the name twice with other words."""
        entries = []
        courses = self._courses.get((source, name), {})
        for key, course in courses.items():
            entry = course.at(release)
            if entry and entry.name == name:
                entries.append(TermEntry(key, entry))
        if len(entries) > 1:
            first, *_ = courses.values()
            number = first.source.numbers[release]
            entries_in_order = first.source.releases[number].entries
            entries.sort(key=lambda one: entries_in_order.index(one.entry))
        return entries

    def reference(self, key: str, entry: Entry) -> EntryReference:
        """Returns the reference to an entry of a term, for the archive."""
        source, release = entry.place.source, entry.place.release
        keys = [one.key for one in self._entries_named(entry.name, source, release)]
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
        """Maps the words of each definition, present or earlier, to the key of its term. If several
        terms had the words, the last term counts."""
        keys = {}
        for courses in self._courses.values():
            for key, course in courses.items():
                for entry in course.span_entries:
                    keys[words_of(entry.definition).keys] = key
        return keys

    def named(self, name: str) -> str:
        """Returns the key of the first term that has or had a name; empty if there is none."""
        return self._named.get(fold(name), "")
