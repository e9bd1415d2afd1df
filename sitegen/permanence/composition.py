"""Composes the releases of a source from what it says now and what was published.

A closed release is shown as it was published. What cannot be read any more comes from the archive,
and so do the words of documents that were edited, until `sitegen correct` takes the new words over.
The same bytes are always read anew (`ReadAgain`): what was published is what the source said, not
how an earlier version of sitegen read it. `composed_sources` decides which releases a source has,
and in which order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sitegen.config.tables import Corrected
from sitegen.model import Document, Entry, EntryText, Release
from sitegen.permanence.archive import (
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    Correction,
    NamePairs,
)
from sitegen.permanence.archived_releases import (
    archived_document,
    digest_of,
    entry_text,
    sums_of,
    without_documents,
)
from sitegen.text.names import fold
from sitegen.text.words import same_words

DocumentBytes = tuple[str, str]
"""(name, digest) of a document."""
NameNumber = tuple[str, int]
"""A folded name, and the position among the entries of one release with this name."""


@dataclass(frozen=True, kw_only=True)
class PublishedDifference:
    """An entry of a closed release whose source has other words now than were published."""

    published: Entry | None
    """None if the entry was added to the release."""
    now: Entry | None
    """None if the release does not have it any more."""

    @property
    def entry(self) -> Entry:
        entry = self.published or self.now
        assert entry, "a difference has at least one side"
        return entry


@dataclass(frozen=True, kw_only=True)
class ComposedRelease:
    """A release with the documents that are shown, and what a build has to say about it."""

    source: str
    release: Release
    edition: ArchivedEdition | None = None
    """Its last edition; None if it was not published."""
    after: str = ""
    """Of a new release: the release before it; empty if there is none."""
    pairs: NamePairs = ()
    """The entries that had another name when they were published."""
    corrections: tuple[Correction, ...] = ()
    """The words that were taken over after it was published."""
    differences: tuple[PublishedDifference, ...] = ()
    missing: tuple[str, ...] = ()
    """The published documents with terms that are not read now."""

    @property
    def is_read(self) -> bool:
        """False if all of it comes from the archive."""
        return self.release.origin == "read"

    @property
    def loss(self) -> str:
        """Says that more than half of the published terms are gone: "3 of 4 published terms are
        gone"; empty if they are not."""
        number_gone = [one.now for one in self.differences].count(None)
        number_published = len(self.release.entries)
        if 2 * number_gone <= number_published:
            return ""
        return f"{number_gone} of {number_published} published terms are gone"


class ReadAgain:
    """The documents of a source that can be read now, and the differences between what was
    published of their bytes and what this version of sitegen reads in these: other words
    (`read_otherwise`), or an entry less (`unseen`). They are no changes of the glossary."""

    def __init__(
        self, read: Iterable[Release], published: Iterable[ArchivedEdition], archive: Archive
    ) -> None:
        """`read` are the releases as they are now, `published` the editions of the source."""
        self.read_otherwise: dict[str, EntryText] = {}
        """The texts that this version reads otherwise than the archive has them, from the same
        bytes, by the sum of the archived text."""
        self._documents: dict[DocumentBytes, Document] = {}
        """The documents that can be read now."""
        self._unseen: dict[DocumentBytes, set[str]] = defaultdict(set)
        """The published names that this version does not see in the same bytes any more."""
        for release in read:
            for document in release.documents:
                self._documents[document.name, digest_of(document)] = document
        for edition in published:
            for archived in archive.documents_of(edition):
                now = self.document(archived)
                if now is None:
                    continue
                names = [archive.texts[sum].name for sum in archived.texts]
                for sum, text in _read_otherwise(archived, names, now):
                    self.read_otherwise.setdefault(sum, text)
                key = archived.name, archived.digest
                self._unseen[key] |= _unseen_names(archived, names, now)

    def document(self, archived: ArchivedDocument) -> Document | None:
        """Returns the document of the same name and bytes as a published one, from any release that
        can be read; None if there is none."""
        return self._documents.get((archived.name, archived.digest))

    def unseen(self, document: Document) -> Collection[str]:
        """Returns the names that were published for the bytes of a document, but are not read in
        these bytes now."""
        return self._unseen.get((document.name, digest_of(document)), ())


def _read_otherwise(
    archived: ArchivedDocument, names: Sequence[str], now: Document
) -> Iterator[tuple[str, EntryText]]:
    """Yields the texts of a published document that are read otherwise now: the sum by which the
    archive names the published text, with the text that is read now. `names` are those of the
    published entries, `now` is the document as it is read now."""
    if sums_of(now.entries) == archived.texts:
        return
    present_entries = by_name_and_number(now.entries)
    for sum, key in zip(archived.texts, _name_numbers(names), strict=True):
        present = present_entries.get(key)
        if present and sums_of([present]) != (sum,):
            yield sum, present.text


def _unseen_names(archived: ArchivedDocument, names: Iterable[str], now: Document) -> set[str]:
    """Returns the names of a published document that this version does not find in it. `names` are
    those of the published entries, `now` is the document as it is read now."""
    names_now: set[str] = set()
    for entry in now.entries:
        names_now.update(name.text for name in entry.designations)
    return {*names, *archived.kept_as_text} - names_now


@dataclass(frozen=True, kw_only=True)
class Composer:
    """Composes the releases of one source."""

    source: str
    read: Mapping[str, Release]
    """The releases as they are now."""
    published: Mapping[str, ArchivedEdition]
    """The releases that were published and are not withdrawn."""
    order: Sequence[str]
    """The names of all releases, oldest first, with those that are withdrawn."""
    previous_of_new: Mapping[str, str]
    """Each new release with the one before it; empty if there is none."""
    archive: Archive
    corrected: Sequence[Corrected]
    """The [[corrected]] tables about the source."""

    @cached_property
    def rereading(self) -> ReadAgain:
        return ReadAgain(self.read.values(), self.published.values(), self.archive)

    def release(self, name: str) -> ComposedRelease | None:
        """Returns a release as it is shown: with the words of the source, or with those that were
        published; None if it is withdrawn."""
        read = self.read.get(name)
        edition = self.published.get(name)
        if edition is None:
            if read is None:
                return None
            after = self.previous_of_new.get(name, "")
            composed = ComposedRelease(source=self.source, release=read, after=after)
        elif read is None or not read.documents:  # it cannot be read any more
            composed = self._as_published(without_documents(edition), edition)
        elif is_shown_as_now(read, edition):
            composed = self._as_now(read, edition)
        elif tables := [one for one in self.corrected if _is_not_applied(one, edition)]:
            composed = self._with_corrections(self._as_now(read, edition), edition, tables)
        else:
            composed = self._as_published(read, edition)
        return replace(composed, release=composed.release.with_each(self._with_unseen_names))

    def _with_unseen_names(self, document: Document) -> Document:
        """Adds the published names that this version of sitegen does not find in a document, so
        that their terms do not count as removed."""
        unseen_names = self.rereading.unseen(document)
        if not unseen_names:
            return document
        return replace(document, kept_as_text=document.kept_as_text.union(unseen_names))

    def _published_document(self, archived: ArchivedDocument, release: Release) -> Document:
        """Returns a document with its published words. They are those of a document with the same
        bytes, if a release still has one; else they come from the archive. A text that this version
        reads otherwise has the words that it reads (`ReadAgain`)."""
        same_document = self.rereading.document(archived)
        if same_document:
            archived = replace(archived, is_unread=not same_document.is_read_in_full)
            texts = [entry.text for entry in same_document.entries]
        else:
            read_otherwise = self.rereading.read_otherwise
            texts = []
            for sum in archived.texts:
                texts.append(read_otherwise.get(sum) or entry_text(self.archive.texts[sum]))
        return archived_document(archived, texts, release, source=self.source)

    def _as_now(self, read: Release, edition: ArchivedEdition) -> ComposedRelease:
        """Returns a release as it is now. Documents that cannot be read have their published
        words."""
        documents = [*read.documents]
        unread = {**read.unread}
        missing = []
        for archived in self.archive.documents_of(edition):
            if archived.name in unread:
                del unread[archived.name]
                document = self._published_document(archived, read)
                documents.append(document)
                if document.entries:
                    missing.append(archived.name)
        return ComposedRelease(
            source=self.source,
            release=replace(read, documents=tuple(documents), unread=unread),
            edition=edition,
            corrections=edition.corrections,
            missing=tuple(missing),
        )

    def _as_published(self, read: Release, edition: ArchivedEdition) -> ComposedRelease:
        """Returns a release as it was published, with what the source says otherwise now. `read` is
        without documents if nothing of it can be read."""
        documents = []
        differences: list[PublishedDifference] = []
        missing = []
        read_documents = {one.name: one for one in read.documents}
        for archived in self.archive.documents_of(edition):
            now = read_documents.pop(archived.name, None)
            was_unread = not archived.digest  # when it was published, its bytes could not be read
            if now and (was_unread or archived.digest == digest_of(now)):
                documents.append(now)
                continue
            document = self._published_document(archived, read)
            if now:
                document = _with_present_lines(document, now)
                differences += _differences(document.entries, now.entries)
            elif document.entries:
                missing.append(archived.name)
            documents.append(document)

        # The documents that were added since.
        for added in read_documents.values():
            differences += _differences((), added.entries)
        return ComposedRelease(
            source=self.source,
            release=replace(read, documents=tuple(documents), unread={}),
            edition=edition,
            corrections=edition.corrections,
            differences=tuple(differences),
            missing=tuple(missing),
        )

    def _with_corrections(
        self, now: ComposedRelease, edition: ArchivedEdition, tables: Iterable[Corrected]
    ) -> ComposedRelease:
        """Adds a correction for each of the [[corrected]] tables to a release as it is now. Without
        a difference from the published words, none is added."""
        # Without documents of the source, all words come from the archive.
        published = self._as_published(without_documents(edition), edition).release
        names = []
        for difference in _differences(published.entries, now.release.entries):
            present_entry = difference.now or difference.entry  # the published one if it is gone
            names.append(present_entry.name)
        terms = tuple(dict.fromkeys(names))
        corrections = [*edition.corrections]
        if terms:
            for table in tables:
                corrections.append(Correction(terms=terms, reason=table.reason, day=table.date))
        return replace(now, corrections=tuple(corrections))


def _with_present_lines(published: Document, now: Document) -> Document:
    """Returns a published document in which unchanged entries have their present lines."""
    present_entries = by_name_and_number(now.entries)
    entries = []
    for key, entry in by_name_and_number(published.entries).items():
        present = present_entries.get(key)
        if present and _is_same(entry, present):
            entry = entry._replace(line=present.line)
        entries.append(entry)
    assert published.reading, "a published document has its reading"
    return replace(published, reading=replace(published.reading, entries=tuple(entries)))


def _differences(published: Sequence[Entry], now: Sequence[Entry]) -> Iterator[PublishedDifference]:
    """Yields the published entries that were changed or removed since, then the added entries."""
    present_entries = by_name_and_number(now)
    for key, entry in by_name_and_number(published).items():
        present = present_entries.pop(key, None)
        if present is None or not _is_same(entry, present):
            yield PublishedDifference(published=entry, now=present)
    for added in present_entries.values():
        yield PublishedDifference(published=None, now=added)


def _is_not_applied(table: Corrected, edition: ArchivedEdition) -> bool:
    """True if a [[corrected]] table is about a release, and is no correction of its edition yet."""
    is_about_release = table.release == edition.release
    applied = {(one.reason, one.day) for one in edition.corrections}
    return is_about_release and (table.reason, table.date) not in applied


def may_be_edited(release: Release) -> bool:
    """True if the words of a release may change after it is published."""
    if release.open or release.unreleased:
        return True
    # A branch, or a glossary without releases, has the words of today.
    return release.kind == "branch" or not release.name


def is_shown_as_now(release: Release, edition: ArchivedEdition) -> bool:
    """True if a published release is shown with its present words. Its last edition is not closed
    then, and its source may still change it."""
    if edition.is_closed:
        return False
    # A dated state may have been published before its period was over.
    return may_be_edited(release) or release.kind == "dated"


def _is_same(one: Entry, other: Entry) -> bool:
    """True if two entries have the same names and words."""
    return one.designations == other.designations and same_words(one.definition, other.definition)


def by_name_and_number(entries: Sequence[Entry]) -> dict[NameNumber, Entry]:
    """Returns entries by their folded names and numbers, in their order. Two entries "Saw" have the
    keys `("saw", 0)` and `("saw", 1)`."""
    names = [entry.name for entry in entries]
    return dict(zip(_name_numbers(names), entries, strict=True))


def _name_numbers(names: Iterable[str]) -> list[NameNumber]:
    """Returns names folded, each with its number.

    >>> _name_numbers(["Saw", "Nail", "saw"])
    [('saw', 0), ('nail', 0), ('saw', 1)]
    """
    numbered_names = []
    earlier_uses: Counter[str] = Counter()
    for name in map(fold, names):
        numbered_names.append((name, earlier_uses[name]))
        earlier_uses[name] += 1
    return numbered_names
