"""Composes the releases of a source from what it says now and what was published.

A closed release is shown as it was published. What cannot be read any more comes from the archive,
and so do the words of documents that were edited, until somebody takes the new words over. The same
bytes are always read anew: what was published is what the source said, not how an earlier version
of sitegen read it. `composed_sources` decides which releases a source has, and in which order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sitegen.config.tables import Corrected
from sitegen.model import Entry, EntryText, Release, entries_at
from sitegen.permanence.archive import (
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    Correction,
)
from sitegen.permanence.states import (
    DocumentState,
    ReleaseState,
    archived_document,
    archived_release,
    name_numbers,
    numbered,
    place_in,
)
from sitegen.text.words import same_words


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedDifference:
    """An entry of a closed release of which its source says something else now."""

    published: Entry | None
    """None if the entry was added to the release."""
    now: Entry | None
    """None if the release does not have it any more."""

    @property
    def entry(self) -> Entry:
        entry = self.published or self.now
        assert entry, "a difference has at least one side"
        return entry


@dataclass(kw_only=True, slots=True)
class Composition:
    """The releases of one source, composed."""

    states: list[ReleaseState] = field(default_factory=list)
    order: Sequence[str] = ()
    """The names of its releases, oldest first, with those that are withdrawn."""
    published: Mapping[str, ArchivedEdition] = field(default_factory=dict)
    """The published editions by their releases, without those that are withdrawn."""
    new: Mapping[str, str] = field(default_factory=dict)
    """The releases that are published first now, each with the one after which it is published."""
    differences: list[PublishedDifference] = field(default_factory=list)
    missing: list[tuple[str, str]] = field(default_factory=list)
    """(release, document) of what is not read now; an empty document is the whole release."""
    better: Mapping[str, EntryText] = field(default_factory=dict)
    """The sums of archived texts, to what this version of sitegen reads in the same bytes."""


class Composer:
    """Composes the releases of one source."""

    def __init__(
        self,
        source: str,
        read: Iterable[ReleaseState],
        published: Mapping[str, ArchivedEdition],
        archive: Archive,
        corrected: Iterable[Corrected],
    ) -> None:
        """`read` are the releases as they are now, `published` the editions by their releases."""
        self._source = source
        self._read = {state.release.name: state for state in read}
        self._published = published
        self._archive = archive
        self._corrected = tuple(corrected)
        self._by_bytes: dict[tuple[str, str], DocumentState] = {}
        """The documents that could be read, by their names and digests."""
        for state in self._read.values():
            for document in state.documents:
                if document.digest:
                    self._by_bytes[document.name, document.digest] = document
        self._better: dict[str, EntryText] = {}
        """The sums of archived texts, to what this version reads in the same bytes."""
        self._unseen: dict[tuple[str, str], set[str]] = defaultdict(set)
        """The published names that this version does not see in the same bytes any more, by the
        names and digests of their documents."""
        self._read_again()
        self._result = Composition(published=published, better=self._better)

    def compose(self, order: Sequence[str]) -> Composition:
        """Returns the releases, in an order that also has those that are withdrawn."""
        self._result.order = order
        for name in order:
            if name in self._read or name in self._published:
                self._result.states.append(_with_unseen_names(self._composed(name), self._unseen))
        return self._result

    def _composed(self, name: str) -> ReleaseState:
        state, edition = self._read.get(name), self._published.get(name)
        if edition is None:
            assert state, "a release is read, or was published"
            return state
        if state is None or not state.is_read:
            self._result.missing.append((name, ""))
            return self._archived(edition)
        if is_open(state.release, edition):
            return self._opened(state, edition)
        return self._closed(state, edition)

    def _archived(self, edition: ArchivedEdition) -> ReleaseState:
        release = archived_release(edition)
        documents = [self._unread(one, release) for one in self._documents(edition)]
        return ReleaseState(
            source=self._source,
            release=release,
            documents=tuple(documents),
            corrections=edition.corrections,
            pairs=edition.pairs,
        )

    def _unread(self, archived: ArchivedDocument, release: Release) -> DocumentState:
        """Returns a document that cannot be read, or was edited, as it was published: as another
        release has the same bytes, else from the archive, with the words that are read better now.
        """
        if same := self._by_bytes.get((archived.name, archived.digest)):
            place = place_in(release, archived.name, source=self._source)
            texts = [entry.text for entry in same.entries]
            return replace(same, entries=entries_at(place, texts, [0] * len(texts)))
        document = archived_document(archived, release, self._archive, source=self._source)
        entries = []
        for sum, entry in zip(archived.texts, document.entries, strict=True):
            entries.append(entry._replace(text=self._better.get(sum, entry.text)))
        return replace(document, entries=tuple(entries))

    def _missing(self, archived: ArchivedDocument, release: Release) -> DocumentState:
        """Returns a document that cannot be read, as it was published, and notes it if it has words
        so."""
        document = self._unread(archived, release)
        if document.entries:
            self._result.missing.append((release.name, archived.name))
        return document

    def _opened(self, state: ReleaseState, edition: ArchivedEdition) -> ReleaseState:
        """Returns an open release as it is now, with the published words of what cannot be read."""
        documents = []
        archived = {one.name: one for one in self._documents(edition)}
        for document in state.documents:
            if document.digest or document.name not in archived:
                documents.append(document)
            else:
                documents.append(self._missing(archived[document.name], state.release))
        return replace(state, documents=tuple(documents), corrections=edition.corrections)

    def _closed(self, state: ReleaseState, edition: ArchivedEdition) -> ReleaseState:
        """Returns a closed release as it was published, unless its words are taken over."""
        if tables := [one for one in self._corrected if _applies(one, edition)]:
            return self._taken_over(state, edition, tables)
        now = {document.name: document for document in state.documents}
        documents = []
        for archived in self._documents(edition):
            document = now.pop(archived.name, None)
            if document is None or not document.digest:
                documents.append(self._missing(archived, state.release))
            elif document.digest == archived.digest or not archived.digest:
                documents.append(document)
            else:
                documents.append(self._edited(self._unread(archived, state.release), document))
        for document in now.values():
            for entry in document.entries:
                self._differ(None, entry)
        return replace(state, documents=tuple(documents), corrections=edition.corrections)

    def _taken_over(
        self, state: ReleaseState, edition: ArchivedEdition, tables: Iterable[Corrected]
    ) -> ReleaseState:
        """Returns a closed release with the words that its source has now."""
        taken = self._opened(state, edition)
        published, now = numbered(self._archived(edition).entries), numbered(taken.entries)
        names = []
        for key, entry in {**published, **now}.items():
            is_kept = key in published and key in now
            if not is_kept or not _is_same(published[key], now[key]):
                names.append(entry.name)
        corrections = [*edition.corrections]
        if terms := tuple(dict.fromkeys(names)):
            for one in tables:
                corrections.append(Correction(terms=terms, reason=one.reason, day=one.date))
        return replace(taken, corrections=tuple(corrections))

    def _documents(self, edition: ArchivedEdition) -> Iterator[ArchivedDocument]:
        return (self._archive.documents[sum] for sum in edition.documents)

    def _edited(self, published: DocumentState, now: DocumentState) -> DocumentState:
        """Returns a document of a closed release whose bytes have changed, as it was published."""
        entries: list[Entry] = []
        current = numbered(now.entries)
        for key, entry in numbered(published.entries).items():
            other = current.pop(key, None)
            if other and _is_same(entry, other):
                entries.append(entry._replace(line=other.line))
            else:
                self._differ(entry, other)
                entries.append(entry)
        for other in current.values():
            self._differ(None, other)
        return replace(published, entries=tuple(entries))

    def _differ(self, published: Entry | None, now: Entry | None) -> None:
        self._result.differences.append(PublishedDifference(published=published, now=now))

    def _read_again(self) -> None:
        """Compares the documents of published releases with what this version reads in the same
        bytes: finds the texts that it reads better, and the names that it does not see any more."""
        for edition in self._published.values():
            for archived in self._documents(edition):
                document = self._by_bytes.get((archived.name, archived.digest))
                if document is None:
                    continue
                names = [self._archive.texts[sum].name for sum in archived.texts]
                if document.texts != archived.texts:
                    now = numbered(document.entries)
                    for sum, key in zip(archived.texts, name_numbers(names), strict=True):
                        if key in now:
                            self._better.setdefault(sum, now[key].text)
                elif not archived.kept_as_text:
                    continue
                seen: set[str] = set()
                for entry in document.entries:
                    seen.update(name.text for name in entry.designations)
                unseen = {*names, *archived.kept_as_text} - seen
                self._unseen[document.name, document.digest] |= unseen


def _with_unseen_names(
    state: ReleaseState, unseen: Mapping[tuple[str, str], set[str]]
) -> ReleaseState:
    """Returns a release in which the entries with these names are unknown: its source has not
    removed them."""
    documents = []
    for document in state.documents:
        if names := unseen.get((document.name, document.digest)):
            kept = tuple(sorted(names.union(document.kept_as_text)))
            document = replace(document, kept_as_text=kept)
        documents.append(document)
    return replace(state, documents=tuple(documents))


def _applies(table: Corrected, edition: ArchivedEdition) -> bool:
    """True if a table is about a release, and its words were not taken over yet."""
    done = {(one.reason, one.day) for one in edition.corrections}
    is_about = table.release == edition.release
    return is_about and (table.reason, table.date) not in done


def may_be_edited(release: Release) -> bool:
    """True if the words of a release may change after it is published."""
    return release.open or release.unreleased or not release.name or release.kind == "branch"


def is_open(release: Release, edition: ArchivedEdition) -> bool:
    """True if a published release has its present words."""
    if edition.is_closed:
        return False
    # A dated state may have been published before its period was over.
    return may_be_edited(release) or release.kind == "dated"


def _is_same(one: Entry, other: Entry) -> bool:
    return one.designations == other.designations and same_words(one.definition, other.definition)
