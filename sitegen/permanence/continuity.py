"""Refuses to publish what does not continue what was published: another file, another language.

A published address stays for ever, so words that are published by mistake stay too. A release
continues another one if at least half of the entries of the earlier one go on in it. A
[[continues]] table says that a release is right all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sitegen.config.tables import Rename
from sitegen.config.toml import table
from sitegen.model import EntryText, SitegenError, counted, grouped
from sitegen.permanence.archive import READING, Archive, ArchivedEdition
from sitegen.permanence.states import DocumentState, ReleaseState, entry_text
from sitegen.text.names import fold
from sitegen.text.words import words_of

MIN_ENTRIES = 5
"""The minimum number of entries by which a glossary is recognized without its files."""

ByName = Mapping[str, Sequence[EntryText]]
"""Entries by each of their folded names."""


class ContinuityError(SitegenError):
    """A build would publish words of something else."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedCourse:
    """The releases of a source, with what was published of them."""

    source: str
    states: Sequence[ReleaseState]
    order: Sequence[str]
    """The names of all releases, oldest first."""
    editions: Mapping[str, ArchivedEdition]
    """The published states, by release."""
    archive: Archive
    elsewhere: ByName
    """The entries of the other sources: terms can move to another source."""

    def documents(self, release: str) -> Sequence[ComparedDocument]:
        """Returns the documents of a release as they were published; as they are read, if it is
        new."""
        if edition := self.editions.get(release):
            return [self._published(sum) for sum in edition.documents]
        documents: list[ComparedDocument] = []
        for state in self.states:
            if state.release.name == release:
                documents += [_as_read(one) for one in state.documents]
        return documents

    def _published(self, sum: str) -> ComparedDocument:
        document = self.archive.documents[sum]
        texts = [entry_text(self.archive.texts[one]) for one in document.texts]
        return ComparedDocument(document.name, texts, document.is_unread)


class ComparedDocument(NamedTuple):
    """A document of one of two releases that are compared."""

    name: str
    texts: Sequence[EntryText]
    is_unread: bool


class ComparedRelease(NamedTuple):
    """One of two releases that are compared."""

    name: str
    documents: Sequence[ComparedDocument]


def _as_read(document: DocumentState) -> ComparedDocument:
    texts = [entry.text for entry in document.entries]
    return ComparedDocument(document.name, texts, document.is_unread)


def by_name(texts: Iterable[EntryText]) -> ByName:
    return grouped((fold(name.text), text) for text in texts for name in text.designations)


def check_continuity(
    course: PublishedCourse, renames: Iterable[Rename], *, accepted: Collection[str]
) -> None:
    """Raises `ContinuityError` if a release to be published does not continue its own published
    state, or the release before it. `accepted` are releases that site.toml says are right."""
    if not course.editions:
        return  # nothing was published that could be continued
    renamed = grouped((fold(one.old), fold(one.new)) for one in renames)
    for state in course.states:
        if state.release.name in accepted or not _is_new(state, course):
            continue
        earlier, later = _compared_releases(state, course)
        if found := _Comparison(earlier, later, course, renamed).fault():
            paths = ", ".join(sorted({entry.place.path for entry in state.entries})[:3])
            values = {"source": course.source, "release": state.release.name, "reason": "…"}
            advice = f"look at [[source]]; if it is right:\n{table('[[continues]]', values)}"
            raise ContinuityError(f"{course.source}: {found} ({paths}); {advice.rstrip()}")


def _is_new(state: ReleaseState, course: PublishedCourse) -> bool:
    """True if a release has entries that were not published, unless site.toml takes them over, or
    another version of sitegen has read the same bytes otherwise."""
    edition = course.editions.get(state.release.name)
    if state.release.origin == "archive" or not state.entries:
        return False
    if edition is None:
        return True
    published = [course.archive.documents[sum].texts for sum in edition.documents]
    is_same = published == [document.texts for document in state.documents]
    return not is_same and edition.reading == READING and edition.corrections == state.corrections


def _compared_releases(
    state: ReleaseState, course: PublishedCourse
) -> tuple[ComparedRelease, ComparedRelease]:
    """Returns a release to be published and the one with which it is compared, the earlier one
    first."""
    name, neighbor = state.release.name, _neighbor(state, course)
    own = ComparedRelease(name, [_as_read(one) for one in state.documents])
    other = ComparedRelease(neighbor, course.documents(neighbor))
    if course.order.index(name) < course.order.index(neighbor):
        return own, other
    return other, own


def _neighbor(state: ReleaseState, course: PublishedCourse) -> str:
    """Returns the release that a release continues: itself, if it was published, else the one
    before it, or after it if nothing before it was published; only such that have entries, and
    preferably one that was read in full."""
    name = state.release.name
    if name in course.editions:
        return name
    number = course.order.index(name)
    neighbors = [*reversed(course.order[:number])]
    if course.editions.keys().isdisjoint(neighbors):
        neighbors = []  # these are new, and continue this one
    found = name
    for other in (*neighbors, *course.order[number + 1 :]):
        documents = course.documents(other)
        if not any(document.texts for document in documents):
            continue
        if not any(document.is_unread for document in documents):
            return other
        if found == name:
            found = other
    return found


class _Comparison:
    """Compares the documents of a release with those of the release that it continues."""

    def __init__(
        self,
        earlier: ComparedRelease,
        later: ComparedRelease,
        course: PublishedCourse,
        renamed: Mapping[str, Sequence[str]],
    ) -> None:
        self._earlier = earlier
        self._later = later
        self._course = course
        self._renamed = renamed
        self._later_texts = by_name(text for one in later.documents for text in one.texts)

    def fault(self) -> str:
        """Returns why the later release does not continue the earlier one; empty if it does."""
        known = self._known_texts()
        documents = self._earlier.documents
        if 2 * len(known) < sum(len(document.texts) for document in documents):
            return ""  # most of the later release could not be read
        if len(known) < MIN_ENTRIES and any(document.is_unread for document in documents):
            return ""  # so few of the earlier entries say nothing about the others
        going_on = sum(1 for text in known if self._goes_on(text))
        if len(known) < MIN_ENTRIES:
            going_on = max(going_on, self._in_same_files())
        if 2 * going_on < len(known):
            return self._too_few(going_on, len(known))
        number = len(self._new_names())
        if number >= MIN_ENTRIES and 2 * number > len(known):
            release = self._later.name or "the glossary"
            return f"{release} has {counted(number, 'new term')} in other files"
        return ""

    def _too_few(self, going_on: int, known: int) -> str:
        """Returns the sentence about releases of which too few terms go on. The release of a
        glossary without releases has no name."""
        earlier, later = self._earlier.name, self._later.name
        terms = counted(known, "published term")
        if earlier and earlier != later:
            terms = f"{counted(known, 'term')} of {earlier}"
        place = f" in {later}" if later else ""
        return f"{going_on} of the {terms} go on{place}"

    def _known_texts(self) -> Sequence[EntryText]:
        """Returns the earlier entries, without those of documents that may be among the ones that
        could not be read in the later release."""
        read = [one.name for one in self._later.documents if not one.is_unread]
        has_unread = len(read) < len(self._later.documents)
        texts: list[EntryText] = []
        for document in self._earlier.documents:
            if not has_unread or document.name in read:
                texts += document.texts
        return texts

    def _in_same_files(self) -> int:
        """Returns the number of earlier entries whose file has an entry with the same name."""
        names: set[tuple[str, str]] = set()
        for document in self._later.documents:
            names.update(
                (document.name, fold(text.designations[0].text)) for text in document.texts
            )
        number = 0
        for document in self._earlier.documents:
            for text in document.texts:
                number += (document.name, fold(text.designations[0].text)) in names
        return number

    def _new_names(self) -> set[str]:
        """Returns the names that documents bring which were never published, beside those that
        were; none if the earlier names are not all known, or all documents were moved."""
        earlier = self._earlier.documents
        if any(document.is_unread for document in earlier):
            return set()
        with_texts = {document.name for document in earlier if document.texts}
        if with_texts.isdisjoint(one.name for one in self._later.documents if one.texts):
            return set()
        archive = self._course.archive
        editions = self._course.editions.values()
        published = {archive.documents[sum].name for one in editions for sum in one.documents}
        names: set[str] = set()
        for document in self._later.documents:
            if document.name not in published:
                names.update(fold(text.designations[0].text) for text in document.texts)
        return names - by_name(text for one in earlier for text in one.texts).keys()

    def _goes_on(self, text: EntryText) -> bool:
        """True if an entry with one of its names has at least half of the words of the shorter
        one."""
        names = [fold(name.text) for name in text.designations]
        names += [new for name in names for new in self._renamed.get(name, ())]
        own = Counter(words_of(text.definition).keys)
        for name in names:
            for other in (*self._later_texts.get(name, ()), *self._course.elsewhere.get(name, ())):
                words = Counter(words_of(other.definition).keys)
                if 2 * (own & words).total() >= min(own.total(), words.total()):
                    return True
        return False
