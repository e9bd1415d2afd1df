"""The state of a release: its documents with their entries, as its source has them now, or as they
were published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sitegen.model import Document, Entry, EntryText, Place, Reading, Release, entries_at, grouped
from sitegen.permanence.archive import (
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    ArchivedText,
    Correction,
    SourceRelease,
)
from sitegen.permanence.archive_lines import sum_of_line
from sitegen.text.memo import memo
from sitegen.text.names import fold
from sitegen.text.prose import from_sanitized

NameNumber = tuple[str, int]
"""A folded name, and the position among the entries of one release with this name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentState:
    """One document of a release."""

    name: str
    digest: str = ""
    """The digest of its bytes; empty if they could not be read."""
    entries: tuple[Entry, ...] = ()
    is_unread: bool = False
    """True if it, or a part of it, could not be read."""
    kept_as_text: tuple[str, ...] = ()
    """Names of terms that it has, but not as entries: terms of an earlier release, or such that
    another version of sitegen read in the same bytes."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The sums of its texts."""
        return tuple(sum_of_line(archived_text(entry.text)) for entry in self.entries)

    @property
    def archived(self) -> ArchivedDocument:
        """The document as the archive keeps it."""
        return ArchivedDocument(
            name=self.name,
            digest=self.digest,
            texts=self.texts,
            is_unread=self.is_unread,
            kept_as_text=self.kept_as_text,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ReleaseState:
    """A release with its documents."""

    source: str
    release: Release
    documents: tuple[DocumentState, ...]
    corrections: tuple[Correction, ...] = ()
    """The words that were taken over after the release was published."""
    pairs: tuple[tuple[str, str], ...] = ()
    """(former name, present name) of the entries that had another name when they were published."""

    @property
    def at(self) -> SourceRelease:
        return self.source, self.release.name

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for document in self.documents for entry in document.entries)

    @property
    def is_read(self) -> bool:
        """True if some document could be read."""
        return any(document.digest for document in self.documents)

    def composed(self, number: int) -> Release:
        """Returns the release with these documents, as the history reads it."""
        read = {document.name: document for document in self.release.documents}
        documents = [self._document(one, read.get(one.name)) for one in self.documents]
        kept = [(one.name, name) for one in self.documents for name in one.kept_as_text]
        return replace(
            self.release,
            number=number,
            documents=tuple(documents),
            unread={},
            kept_as_text=frozenset(kept),
        )

    def _document(self, state: DocumentState, read: Document | None) -> Document:
        if read and read.entries == state.entries and read.is_read_in_full != state.is_unread:
            return read
        reading = Reading(
            entries=state.entries,
            is_partial=state.is_unread,
            is_auxiliary=not (state.entries or state.is_unread),
        )
        return Document(
            source=self.source,
            release=self.release.name,
            path=self.release.path(state.name),
            name=state.name,
            text="",
            reading=reading,
        )


def name_numbers(names: Iterable[str]) -> list[NameNumber]:
    """Returns names folded, each with its number."""
    numbers = []
    times: Counter[str] = Counter()
    for name in map(fold, names):
        numbers.append((name, times[name]))
        times[name] += 1
    return numbers


def numbered(entries: Sequence[Entry]) -> dict[NameNumber, Entry]:
    """Returns entries by their names and numbers, in their order."""
    return dict(zip(name_numbers([entry.name for entry in entries]), entries, strict=True))


def read_state(source: str, release: Release) -> ReleaseState:
    """Returns the state of a release as its source has it now."""
    kept = grouped(sorted(release.kept_as_text))
    documents = [
        DocumentState(
            name=one.name,
            digest=(one.file_digest or one.digest).hex(),
            entries=one.entries,
            is_unread=not one.is_read_in_full,
            kept_as_text=kept.get(one.name, ()),
        )
        for one in release.documents
    ]
    documents += [DocumentState(name=name, is_unread=True) for name in release.unread]
    return ReleaseState(source=source, release=release, documents=tuple(documents))


def archived_document(
    document: ArchivedDocument, release: Release, archive: Archive, *, source: str
) -> DocumentState:
    """Returns a document as it was published."""
    place = place_in(release, document.name, source=source)
    texts = [entry_text(archive.texts[sum]) for sum in document.texts]
    return DocumentState(
        name=document.name,
        digest=document.digest,
        # The lines of what cannot be read any more are not known.
        entries=entries_at(place, texts, [0] * len(texts)),
        is_unread=document.is_unread,
        kept_as_text=document.kept_as_text,
    )


def place_in(release: Release, name: str, *, source: str) -> Place:
    """Returns the place of a document in a release."""
    return Place(source=source, release=release.name, path=release.path(name), name=name)


def archived_state(edition: ArchivedEdition, archive: Archive) -> ReleaseState:
    """Returns a release as it was published."""
    source, release = archive.present_id(edition.source), archived_release(edition)
    documents = []
    for sum in edition.documents:
        document = archive.documents[sum]
        documents.append(archived_document(document, release, archive, source=source))
    return ReleaseState(source=source, release=release, documents=tuple(documents))


def archived_release(edition: ArchivedEdition) -> Release:
    """Returns a release with the facts that were published."""
    return Release(
        name=edition.release,
        date=edition.day,
        commit=edition.commit,
        kind=edition.kind,
        origin="archive",
        open=not edition.is_closed,
        unreleased=edition.unreleased,
        link=edition.link,
        lines=edition.lines,
        label=edition.label,
    )


@memo
def archived_text(text: EntryText) -> ArchivedText:
    """Returns an entry's content as the archive keeps it."""
    return ArchivedText(
        names=text.designations,
        html=text.definition.html,
        section=text.section,
        anchors=text.anchors,
        deprecated=text.deprecated,
        metadata=text.metadata,
    )


@memo
def entry_text(text: ArchivedText) -> EntryText:
    """Returns the content of an archived entry. Its HTML passes the sanitizer again."""
    return EntryText(
        designations=text.names,
        definition=from_sanitized(text.html),
        section=text.section,
        anchors=text.anchors,
        deprecated=text.deprecated,
        metadata=text.metadata,
    )
