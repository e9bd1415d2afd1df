"""Refuses to publish what does not continue what was published: another file, another language.

A published address stays for ever, so words that are published by mistake stay too. A release
continues another one if at least half of the entries of the earlier one go on in it. A
[[continues]] table says that a release is right all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sitegen.config.toml import table_text
from sitegen.model import Entry, Release, SitegenError, counted, grouped
from sitegen.permanence.archive import READING, Archive, ArchivedEdition
from sitegen.permanence.archived_releases import archived_documents, archived_release
from sitegen.permanence.composition import ComposedRelease, Composition
from sitegen.text.names import fold
from sitegen.text.words import words_of

MIN_COMPARED = 5
"""The minimum number of entries by which a glossary is recognized without its files."""
MAX_SHOWN_PATHS = 3
"""The maximum number of paths in a message."""

ByName = Mapping[str, Sequence[Entry]]
"""Entries by each of their folded names."""


class ContinuityError(SitegenError):
    """A build would publish words of something else."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedCourse:
    """The releases of a source, with what was published of them."""

    composition: Composition
    editions: Mapping[str, ArchivedEdition]
    """The last editions, by release."""
    archive: Archive
    elsewhere: ByName
    """The entries of the other sources: terms can move to another source."""
    renamed: Mapping[str, Sequence[str]]
    """The folded names that site.toml renames, each with its new names."""

    def release(self, name: str) -> Release | None:
        """Returns a release as it was published. A new release is returned as it is read; a
        withdrawn one is None."""
        if edition := self.editions.get(name):
            return archived_release(edition, self.archive)
        new = self.composition.by_name.get(name)
        return new.release if new else None


def by_name(entries: Iterable[Entry]) -> ByName:
    """Returns entries by each of their folded names."""
    return grouped((fold(name.text), entry) for entry in entries for name in entry.designations)


def check_continuity(course: PublishedCourse, *, accepted: Collection[str]) -> None:
    """Raises `ContinuityError` if a release to be published does not continue its own last
    edition, or the release before it. `accepted` are releases that site.toml says are right."""
    if not course.editions:
        return  # nothing was published that could be continued
    source = course.composition.source
    for composed in course.composition.composed:
        release = composed.release
        if release.name in accepted or not _is_new(composed, course):
            continue
        found = _comparison(release, course).fault()
        if found:
            paths = sorted({entry.place.path for entry in release.entries})
            shown = ", ".join(paths[:MAX_SHOWN_PATHS])
            values = {"source": source, "release": release.name, "reason": "…"}
            raise ContinuityError(
                f"{source}: {found} ({shown}); if that is another document, correct "
                f"[[source]]; if it is right, add to site.toml:\n"
                f"{table_text('[[continues]]', values).rstrip()}"
            )


def _is_new(composed: ComposedRelease, course: PublishedCourse) -> bool:
    """True if a release has words that were not published. Words do not count if site.toml takes
    them over, or if another version of sitegen read the published ones."""
    release = composed.release
    edition = course.editions.get(release.name)
    if not composed.is_read or not release.entries:
        return False
    if edition is None:
        return True
    if edition.reading != READING or edition.corrections != composed.corrections:
        return False
    published = [document.texts for document in course.archive.documents_of(edition)]
    return published != [document.texts for document in archived_documents(release)]


def _comparison(release: Release, course: PublishedCourse) -> _Comparison:
    """Returns the comparison of a release to be published with the one that it continues, which may
    be a later one."""
    other = _neighbor(release, course)
    order = course.composition.order
    if order.index(release.name) < order.index(other.name):
        return _Comparison(earlier=release, later=other, course=course)
    return _Comparison(earlier=other, later=release, course=course)


def _neighbor(release: Release, course: PublishedCourse) -> Release:
    """Returns the release that a release continues. A release that was published continues its own
    last edition; a new one continues the release before it, or the one after it if nothing
    before was published. Only a release with entries counts, and one that was read in full comes
    first."""
    read_in_part = None
    for name in _names_around(release.name, course):
        other = course.release(name)
        if other is None or not other.entries:
            continue
        if not other.gaps:
            return other
        read_in_part = read_in_part or other
    return read_in_part or release


def _names_around(name: str, course: PublishedCourse) -> Sequence[str]:
    """Returns the names of the releases that a release may continue, the likeliest first: of the
    new 3.0 beside 1.0, 2.0 and 4.0, these are 2.0, 1.0 and 4.0."""
    if name in course.editions:
        return [name]
    order = course.composition.order
    number = order.index(name)
    before, after = order[:number], order[number + 1 :]
    if course.editions.keys().isdisjoint(before):
        return after  # those before are new too, and continue this one
    return [*reversed(before), *after]


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """Compares the documents of a release, the later one, with those of the release before it, the
    earlier one."""

    earlier: Release
    later: Release
    course: PublishedCourse

    @cached_property
    def _later_entries(self) -> ByName:
        return by_name(self.later.entries)

    def fault(self) -> str:
        """Returns why the later release does not continue the earlier one; empty if it does."""
        known = self._known_entries()
        if 2 * len(known) < len(self.earlier.entries):
            return ""  # most of the later release could not be read
        if len(known) < MIN_COMPARED and self.earlier.gaps:
            return ""  # so few of the earlier entries say nothing about the others
        going_on = sum(map(self._goes_on, known))
        if len(known) < MIN_COMPARED:
            going_on = max(going_on, self._in_same_files())
        later = self.later.name or "the glossary"
        if 2 * going_on < len(known):
            terms = self._terms(len(known))
            return f"{going_on} of the {terms} are in {later} with similar words"
        number = len(self._new_names())
        if number >= MIN_COMPARED and 2 * number > len(known):
            return f"{later} has {counted(number, 'new term')} in other files"
        return ""

    def _terms(self, number: int) -> str:
        """Returns the number of earlier terms, with the name of the earlier release: `12 terms of
        1.0`; without, if both releases have the same name: `12 published terms`."""
        earlier = self.earlier.name
        if earlier and earlier != self.later.name:
            return f"{counted(number, 'term')} of {earlier}"
        return counted(number, "published term")

    def _known_entries(self) -> Sequence[Entry]:
        """Returns the earlier entries that can be looked for in the later release. If that could
        not be read in full, these are the entries of the documents that were read in full."""
        if not self.later.gaps:
            return self.earlier.entries
        read = self.later.names_read
        return [entry for entry in self.earlier.entries if entry.place.name in read]

    def _in_same_files(self) -> int:
        """Returns the number of earlier entries whose file has an entry with the same name."""
        later = {_file_and_name(entry) for entry in self.later.entries}
        return sum(_file_and_name(entry) in later for entry in self.earlier.entries)

    def _new_names(self) -> set[str]:
        """Returns the names in documents that no published release had: the names of
        `docs/other.md`, where 1.0 had `docs/words.md` and 2.0 has both. None if the earlier names
        are not all known, or if all documents were moved."""
        if self.earlier.gaps:
            return set()
        with_entries = {entry.place.name for entry in self.earlier.entries}
        if with_entries.isdisjoint(entry.place.name for entry in self.later.entries):
            return set()
        published = set()
        for edition in self.course.editions.values():
            for document in self.course.archive.documents_of(edition):
                published.add(document.name)
        names = set()
        for entry in self.later.entries:
            if entry.place.name not in published:
                names.add(fold(entry.name))
        return names - by_name(self.earlier.entries).keys()

    def _goes_on(self, entry: Entry) -> bool:
        """True if an entry goes on in the later release, or in another source: an entry there has
        one of its names, and at least half of the words of the shorter definition."""
        names = [fold(name.text) for name in entry.designations]
        names += [new for name in names for new in self.course.renamed.get(name, ())]
        own = Counter(words_of(entry.definition).keys)
        for name in names:
            others = (*self._later_entries.get(name, ()), *self.course.elsewhere.get(name, ()))
            for other in others:
                words = Counter(words_of(other.definition).keys)
                if 2 * (own & words).total() >= min(own.total(), words.total()):
                    return True
        return False


def _file_and_name(entry: Entry) -> tuple[str, str]:
    """Returns the file and the folded name of an entry."""
    return entry.place.name, fold(entry.name)
