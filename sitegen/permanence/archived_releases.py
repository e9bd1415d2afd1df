"""Converts releases to lines of the archive, and lines of the archive to releases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitegen.model import Document, Entry, EntryText, Place, Reading, Release
from sitegen.permanence.archive import Archive, ArchivedDocument, ArchivedEdition, ArchivedText
from sitegen.permanence.archive_lines import sum_of_line
from sitegen.text.memo import memo
from sitegen.text.prose import from_sanitized


def archived_documents(release: Release) -> Iterator[ArchivedDocument]:
    """Yields the documents of a release as the archive has them, also those that could not be
    read."""
    for document in release.documents:
        yield ArchivedDocument(
            name=document.name,
            digest=digest_of(document),
            texts=sums_of(document.entries),
            is_unread=not document.is_read_in_full,
            kept_as_text=tuple(sorted(document.kept_as_text)),
        )
    for name in release.unread:
        yield ArchivedDocument(name=name, is_unread=True)


def digest_of(document: Document) -> str:
    """Returns the digest of the bytes of a document; empty if they could not be read."""
    digest = document.file_digest
    if document.text and not digest:
        digest = document.digest  # the text was not read from a file
    return digest.hex()


def sums_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Returns the sums of the lines that the archive has for the texts of entries."""
    return tuple([sum_of_line(archived_text(entry.text)) for entry in entries])


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
    """Returns the content of an archived entry. If an archive was edited, and its HTML is not as
    the sanitizer leaves it, the HTML is sanitized again."""
    return EntryText(
        designations=text.names,
        definition=from_sanitized(text.html),
        section=text.section,
        anchors=text.anchors,
        deprecated=text.deprecated,
        metadata=text.metadata,
    )


def archived_release(edition: ArchivedEdition, archive: Archive) -> Release:
    """Returns a release as it was published."""
    release = without_documents(edition)
    source = archive.present_id(edition.source)
    documents = []
    for archived in archive.documents_of(edition):
        texts = [entry_text(archive.texts[sum]) for sum in archived.texts]
        documents.append(archived_document(archived, texts, release, source=source))
    return replace(release, documents=tuple(documents))


def without_documents(edition: ArchivedEdition) -> Release:
    """Returns a release as it was published, without its documents."""
    return Release(
        name=edition.release,
        date=edition.day,
        commit=edition.commit,
        kind=edition.kind,
        origin="archive",
        open=not edition.is_closed,
        unreleased=edition.unreleased,
        link=edition.link,
        line_pattern=edition.lines,
        label=edition.label,
    )


def archived_document(
    archived: ArchivedDocument, texts: Sequence[EntryText], release: Release, *, source: str
) -> Document:
    """Returns a published document of a release, with the texts of its entries."""
    path = release.path(archived.name)
    place = Place(source=source, release=release.name, path=path, name=archived.name)
    # The lines of what cannot be read any more are not known.
    entries = tuple([Entry(text, place, 0) for text in texts])
    # A document that was read and has no entry is meant to have none.
    had_no_terms = not entries and not archived.is_unread
    reading = Reading(entries=entries, is_partial=archived.is_unread, is_auxiliary=had_no_terms)
    return Document(
        source=place.source,
        release=place.release,
        path=place.path,
        name=place.name,
        text="",
        file_digest=bytes.fromhex(archived.digest),
        reading=reading,
        kept_as_text=frozenset(archived.kept_as_text),
    )
