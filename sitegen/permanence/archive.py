"""The archive: the words of every published release, and the addresses that were published.

An archive is a set of lines, so two of them are united without a conflict. The line of an edition
is never edited: a changed edition is written again with a higher number, and the highest number
counts. `archive_lines` reads and writes the lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import NamedTuple, TypeVar

from sitegen.model import Designation, EntryText, grouped
from sitegen.text.memo import memo
from sitegen.text.names import fold
from sitegen.text.prose import from_sanitized

Kind = TypeVar("Kind")

SourceRelease = tuple[str, str]
"""(source id, release)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedText:
    """The content of an entry, as in `EntryText`."""

    names: tuple[Designation, ...]
    """The first one is the preferred name."""
    html: str
    section: str = ""
    anchors: tuple[str, ...] = ()
    deprecated: bool = False
    metadata: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def name(self) -> str:
        return self.names[0].text


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedDocument:
    """One document of an edition, as it was read."""

    name: str
    """The path within the release."""
    digest: str = ""
    """The digest of its bytes; empty if they could not be read."""
    texts: tuple[str, ...] = ()
    """The sums of its texts, in their order."""
    is_unread: bool = False
    """True if it, or a part of it, could not be read."""
    kept_as_text: tuple[str, ...] = ()
    """Names of earlier terms that it has, but not as entries."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Correction:
    """Words that were taken over from the source after the release was published."""

    terms: tuple[str, ...]
    """The names of the entries with these words."""
    reason: str
    day: date | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedEdition:
    """One published state of a release."""

    source: str
    release: str
    number: int
    """Counts the published states of this release, from 1."""
    is_closed: bool = False
    kind: str
    """As in `Release`."""
    unreleased: bool = False
    label: str = ""
    """The tag, branch or folder."""
    place: str = ""
    """What precedes the name of a document in the path that is shown to readers."""
    day: date | None = None
    """The date of the release."""
    commit: str = ""
    link: str = ""
    lines: str = ""
    after: str = ""
    """The release before it when it was published. It only decides about the order."""
    documents: tuple[str, ...] = ()
    """The sums of its documents."""
    reading: int = 1
    """The number of the reading (`formats.READING`)."""
    corrections: tuple[Correction, ...] = ()
    """The words that were taken over after the release was published."""
    pairs: tuple[tuple[str, str], ...] = ()
    """(former name, present name) of the entries that had another name in an earlier state."""

    @property
    def at(self) -> SourceRelease:
        return self.source, self.release


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class EntryReference:
    """An entry of an edition, by the name that it had when it was published."""

    source: str
    release: str
    name: str
    number: int = 0
    """Of several entries with one name, the position among these."""

    @property
    def at(self) -> SourceRelease:
        return self.source, self.release


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedPage:
    """A published address. Several lines for one address are one page with the entries of all."""

    address: str
    """From the site's root, with a leading slash: `/term/aten/`."""
    name: str = ""
    """The name of the term or of the section."""
    entries: tuple[EntryReference, ...] = ()
    """The entries that begin on the page of a term; the entry of a frozen wording."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FormerSource:
    """An id that a source had before."""

    id: str
    present: str
    """The id that replaced it."""


Line = ArchivedText | ArchivedDocument | ArchivedEdition | ArchivedPage | FormerSource


class _Rank(NamedTuple):
    """Of the published states of a release, the one with the lowest rank counts."""

    number: int
    is_open: bool
    reading: int
    sum: str


@dataclass(frozen=True, kw_only=True)
class Archive:
    """What was published: lines by their sums."""

    texts: Mapping[str, ArchivedText] = field(default_factory=dict)
    documents: Mapping[str, ArchivedDocument] = field(default_factory=dict)
    editions: Mapping[str, ArchivedEdition] = field(default_factory=dict)
    pages: Mapping[str, ArchivedPage] = field(default_factory=dict)
    sources: Mapping[str, FormerSource] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.editions or self.pages)

    @cached_property
    def states(self) -> Mapping[SourceRelease, tuple[ArchivedEdition, ...]]:
        """The published states of each release. The first one counts."""
        ranked = sorted((_rank(sum, one), one) for sum, one in self.editions.items())
        return grouped((edition.at, edition) for _, edition in ranked)

    @cached_property
    def by_address(self) -> Mapping[str, tuple[ArchivedPage, ...]]:
        """The pages of each address, in the order of their sums."""
        return grouped((page.address, page) for _, page in sorted(self.pages.items()))

    @cached_property
    def present_ids(self) -> Mapping[str, str]:
        """Former ids of sources, to the ids that they have now."""
        following = {one.id: one.present for _, one in sorted(self.sources.items(), reverse=True)}
        present = {}
        for former in following:
            seen = {former}
            id = following[former]
            while id in following and id not in seen:
                seen.add(id)
                id = following[id]
            present[former] = id
        return present

    def texts_of(self, edition: ArchivedEdition) -> Iterator[ArchivedText]:
        """Yields the texts of an edition, in their order."""
        for document in edition.documents:
            for text in self.documents[document].texts:
                yield self.texts[text]

    def names_of(self, edition: ArchivedEdition) -> set[str]:
        """Returns the folded preferred names of an edition."""
        return {fold(text.name) for text in self.texts_of(edition)}


def _rank(sum: str, edition: ArchivedEdition) -> _Rank:
    return _Rank(-edition.number, not edition.is_closed, -edition.reading, sum)


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


def united(archives: Iterable[Archive]) -> Archive:
    """Returns the archive with the lines of all archives, in any order."""
    archives = tuple(archives)
    return Archive(
        texts=_joined(one.texts for one in archives),
        documents=_joined(one.documents for one in archives),
        editions=_joined(one.editions for one in archives),
        pages=_joined(one.pages for one in archives),
        sources=_joined(one.sources for one in archives),
    )


def _joined(parts: Iterable[Mapping[str, Kind]]) -> dict[str, Kind]:
    joined: dict[str, Kind] = {}
    for part in parts:
        joined.update(part)
    return joined


def tidied(archive: Archive) -> Archive:
    """Returns an archive without the states, documents and texts that nothing needs any more."""
    editions = {sum: one for sum, one in archive.editions.items() if _is_needed(one, archive)}
    used_documents = {sum for one in editions.values() for sum in one.documents}
    documents = {sum: one for sum, one in archive.documents.items() if sum in used_documents}
    used_texts = {sum for one in documents.values() for sum in one.texts}
    texts = {sum: one for sum, one in archive.texts.items() if sum in used_texts}
    return replace(archive, texts=texts, documents=documents, editions=editions)


def _is_needed(edition: ArchivedEdition, archive: Archive) -> bool:
    """True for the state of a release that counts, and for an earlier one if it has a name that no
    later one has or pairs with another name."""
    states = archive.states[edition.at]
    later = states[: states.index(edition)]
    return not later or not archive.names_of(edition) <= known_names(archive, later)


def known_names(archive: Archive, states: Iterable[ArchivedEdition]) -> set[str]:
    """Returns the folded names that states of a release have, or pair with another name."""
    names: set[str] = set()
    for one in states:
        names |= archive.names_of(one)
        names |= {fold(former) for former, _ in one.pairs}
    return names


def lost(archive: Archive, published: Archive) -> Iterator[str]:
    """Yields what `published` has and `archive` lacks: releases, names in them, and addresses."""
    for at, states in published.states.items():
        own = archive.states.get(at, ())
        if not own or own[0].number < states[0].number:
            yield " ".join(at)
        elif missing := known_names(published, states) - known_names(archive, own):
            yield f"{' '.join(at)}: {min(missing)}"
    for address, pages in sorted(published.by_address.items()):
        own_pages = archive.by_address.get(address, ())
        entries = {one for page in own_pages for one in page.entries}
        if not own_pages or not entries.issuperset(one for page in pages for one in page.entries):
            yield address
    yield from (one.id for sum, one in published.sources.items() if sum not in archive.sources)
