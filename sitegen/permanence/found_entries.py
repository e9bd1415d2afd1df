"""Finds the terms that have published entries now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from sitegen.model import Entry, Prose, Source
from sitegen.model.terms import Course, Life
from sitegen.permanence.archive import Archive, EntryReference, SourceRelease
from sitegen.text.names import fold
from sitegen.text.words import words_of

Pairs = Mapping[SourceRelease, Sequence[tuple[str, str]]]
"""Releases to the (former name, present name) of their published entries."""


class TermEntry(NamedTuple):
    """An entry of a term."""

    key: str
    entry: Entry


class FoundEntries:
    """The entries of all terms, by the names under which they were published."""

    def __init__(self, lives: Iterable[Life], archive: Archive, pairs: Pairs) -> None:
        self._archive = archive
        self._pairs = pairs
        self._courses: dict[tuple[str, str], dict[str, Course]] = defaultdict(dict)
        """(source id, folded name) to the courses of the terms that had the name there, by key."""
        self._living: dict[str, dict[str, str]] = defaultdict(dict)
        """Folded name to the sources of the terms that have or had it, by key."""
        for life in lives:
            for course in life.term.courses:
                for span in course.spans:
                    if span.entry:
                        name = fold(span.entry.name)
                        self._courses[course.source.id, name][life.key] = course
                        self._living[name].setdefault(life.key, course.source.id)

    def entry(self, reference: EntryReference) -> TermEntry | None:
        """Returns the entry of a reference with its term; None if its release does not have it any
        more, under any name."""
        source = self._archive.present_id(reference.source)
        for key, name in self._names(reference).items():
            entries = []
            for one in self._called(source, reference.release, fold(name)):
                if self._archive.key(reference.at, one.entry.name) == key:
                    entries.append(one)
            exact = [one for one in entries if one.entry.name == name]
            if chosen := exact or entries:
                return chosen[min(reference.number, len(chosen) - 1)]
        return None

    def _called(self, source: str, release: str, name: str) -> list[TermEntry]:
        """Returns the entries of a release with a folded name, in the order of the release."""
        entries = []
        for key, course in self._courses.get((source, name), {}).items():
            entry = course.at(release)
            if entry and fold(entry.name) == name:
                entries.append(TermEntry(key, entry))
        if len(entries) > 1:
            in_order = _entries_of(course.source, release)
            entries.sort(key=lambda one: in_order.index(one.entry))
        return entries

    def reference(self, key: str, entry: Entry) -> EntryReference:
        """Returns the reference to an entry of a term, for the archive."""
        place, name = entry.place, fold(entry.name)
        called = self._called(place.source, place.release, name)
        keys = [one.key for one in called if one.entry.name == entry.name]
        at = place.source, place.release
        return EntryReference(
            source=self._archive.published_ids.get(at, place.source),
            release=place.release,
            name=entry.name,
            number=keys.index(key),
        )

    def _names(self, reference: EntryReference) -> Mapping[str, str]:
        """Returns the names of a published entry, by their keys: that of its time, and later
        ones."""
        key_of = partial(self._archive.key, reference.at)
        at = self._archive.present_id(reference.source), reference.release
        present = {key_of(old): new for old, new in self._pairs.get(at, ())}
        names: dict[str, str] = {}
        name = reference.name
        while (key := key_of(name)) not in names:
            names[key] = name
            name = present.get(key, name)
        return names

    def with_words(self, words: Prose) -> str:
        """Returns the key of the last term that had these words; empty if none had."""
        return self._by_words.get(words_of(words).keys, "")

    @cached_property
    def _by_words(self) -> Mapping[tuple[str, ...], str]:
        keys = {}
        for courses in self._courses.values():
            for key, course in courses.items():
                for span in course.spans:
                    if span.entry:
                        keys[words_of(span.entry.definition).keys] = key
        return keys

    def named(self, name: str, sources: Collection[str]) -> str:
        """Returns the key of a term that has or had a name, preferably in one of these sources;
        empty if there is none."""
        terms = self._living.get(fold(name), {})
        present = {self._archive.present_id(source) for source in sources}
        own = [key for key, source in terms.items() if source in present]
        return next(iter((*own, *terms)), "")


def _entries_of(source: Source, release: str) -> list[Entry]:
    """Returns the entries of a release, in its order."""
    for one in source.releases:
        if one.name == release:
            return [*one.entries]
    return []
