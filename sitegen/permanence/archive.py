"""The archive: the words of every published release, and the addresses that were published.

An archive is a set of lines, so two of them are united without a conflict. Each line ends with its
sum, a digest of its content, by which other lines name it. The line of an edition is never edited:
a changed edition is written again with a higher number, and the highest number counts.
`archive_lines` reads and writes the lines.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TypeVar

from sitegen.model import Designation, ReleaseKind, grouped
from sitegen.text.release_names import ordered

Kind = TypeVar("Kind", bound="Line")

SourceRelease = tuple[str, str]
"""(source id, release)."""
NamePairs = tuple[tuple[str, str], ...]
"""(former name, present name) of entries."""

READING = 6
"""The version of the formats. It is raised when one of them reads other words in the same bytes."""


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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
    """Names of earlier terms that its text has, but not as entries."""


@dataclass(frozen=True, kw_only=True)
class Correction:
    """Words that were taken over from the source after the release was published."""

    terms: tuple[str, ...]
    """The names of the entries whose words were taken over, and of those that are gone."""
    reason: str
    day: date | None = None


@dataclass(frozen=True, kw_only=True)
class OfRelease:
    """The release that an edition, or a reference to an entry, belongs to."""

    source: str
    release: str

    @property
    def at(self) -> SourceRelease:
        return self.source, self.release


@dataclass(frozen=True, kw_only=True)
class ArchivedEdition(OfRelease):
    """A release as it was published, at one time."""

    number: int
    """Counts the editions of the release, from 1."""
    is_closed: bool = False
    """True if the source may not change its words any more (`composition.may_be_edited`)."""
    kind: ReleaseKind
    unreleased: bool = False
    """True for the head of a branch."""
    label: str = ""
    """The tag, branch or folder."""
    day: date | None = None
    """The date of the release."""
    commit: str = ""
    link: str = ""
    lines: str = ""
    """The pattern of links to lines, `Release.line_pattern`."""
    after: str = ""
    """The release before this one at that time. It only decides about the order."""
    documents: tuple[str, ...] = ()
    """The sums of its documents."""
    reading: int = 1
    """The `READING` of the version that read it."""
    corrections: tuple[Correction, ...] = ()
    pairs: NamePairs = ()
    """The names of the entries that had another name in an earlier edition."""


@dataclass(frozen=True, kw_only=True, order=True)
class EntryReference(OfRelease):
    """An entry of an edition, by the name under which it was published."""

    name: str
    number: int = 0
    """The position among the entries of the edition with this name, from 0."""


@dataclass(frozen=True, kw_only=True)
class ArchivedPage:
    """One line of a published address. A line with more entries replaces an earlier line of the
    address. The address has several lines if several branches published it."""

    address: str
    """From the site's root: `term/aten/`; that of the site itself is absolute."""
    name: str = ""
    """The name of the term or of the section."""
    source: str = ""
    """The page's own source, whose releases have the short ids `r1.8` on the page of a term; those
    of another source have `s-course~1.8`."""
    entries: tuple[EntryReference, ...] = ()
    """Of the page of a term: a reference for each release in which the page shows another name than
    in the release before, in the order in which they were published. One without a name says that
    the page shows nothing there (`page_lines` has an example). Of a frozen wording: its entry."""

    def has_all_of(self, other: ArchivedPage) -> bool:
        """True if this line has all that the line `other` has."""
        if replace(self, entries=()) != replace(other, entries=()):
            return False
        # Two branches may have published the page first at different releases: both lines stay.
        if self._not_shown_at_first() != other._not_shown_at_first():
            return False
        return set(self.entries) >= set(other.entries)

    def _not_shown_at_first(self) -> set[EntryReference]:
        """Returns the references without a name with which the line begins. They are for releases
        in which another term had the name when the page was published first."""
        return set(itertools.takewhile(lambda one: not one.name, self.entries))


@dataclass(frozen=True, kw_only=True)
class PublishedPage:
    """A published address with its lines: several, if several branches published it."""

    address: str
    name: str
    """That of the first line, as its source."""
    source: str
    lines: tuple[ArchivedPage, ...]


@dataclass(frozen=True, kw_only=True)
class FormerSource:
    """An id that a source had before."""

    id: str
    present: str
    """The id that replaced it."""


Line = ArchivedText | ArchivedDocument | ArchivedEdition | ArchivedPage | FormerSource


@dataclass(frozen=True)
class Archive:
    """The published words and addresses."""

    lines: Mapping[str, Line] = field(default_factory=dict)
    """The lines by their sums."""

    @cached_property
    def texts(self) -> Mapping[str, ArchivedText]:
        return self._of_kind(ArchivedText)

    @cached_property
    def documents(self) -> Mapping[str, ArchivedDocument]:
        return self._of_kind(ArchivedDocument)

    @cached_property
    def editions(self) -> Mapping[str, ArchivedEdition]:
        return self._of_kind(ArchivedEdition)

    @cached_property
    def pages(self) -> Mapping[str, ArchivedPage]:
        return self._of_kind(ArchivedPage)

    @cached_property
    def sources(self) -> Mapping[str, FormerSource]:
        return self._of_kind(FormerSource)

    def _of_kind(self, kind: type[Kind]) -> Mapping[str, Kind]:
        return {sum: line for sum, line in self.lines.items() if isinstance(line, kind)}

    def __bool__(self) -> bool:
        return bool(self.editions or self.pages)

    @cached_property
    def editions_of(self) -> Mapping[SourceRelease, tuple[ArchivedEdition, ...]]:
        """The editions of each release, the last one first, which counts."""
        by_sum = [edition for _, edition in sorted(self.editions.items())]
        return grouped((edition.at, edition) for edition in sorted(by_sum, key=_rank))

    @cached_property
    def by_address(self) -> Mapping[str, PublishedPage]:
        """The page at each address."""
        lines = grouped((page.address, page) for page in self.pages.values())
        return {address: published_page(several) for address, several in lines.items()}

    @cached_property
    def folder_of_source(self) -> Mapping[str, str]:
        """The folder with the pages of each source: `fr/` for a translation that site.toml leaves
        out, "" for others."""
        folders = {}
        for address, page in self.by_address.items():
            folders[page.source] = address.partition("term/")[0]
        return folders

    @cached_property
    def _following_ids(self) -> Mapping[str, str]:
        """The former ids of sources, each with the id that replaced it."""
        following: dict[str, str] = {}
        for _, former in sorted(self.sources.items()):
            following.setdefault(former.id, former.present)  # that of the smallest sum counts
        return following

    def present_id(self, source: str) -> str:
        """Returns the id that a source has now."""
        present = source
        seen = set()  # one branch may rename `a` to `b`, and another one `b` back to `a`
        while present in self._following_ids and present not in seen:
            seen.add(present)
            present = self._following_ids[present]
        return present

    @cached_property
    def releases(self) -> Mapping[str, Mapping[str, ArchivedEdition]]:
        """The published releases: present id of a source to the names of its releases, oldest
        first, each with the edition that counts."""
        by_source: dict[str, dict[str, ArchivedEdition]] = {}
        for source, release in sorted(self.editions_of):
            editions = by_source.setdefault(self.present_id(source), {})
            edition = self.editions_of[source, release][0]
            # Two branches may have published the release under two ids of the source.
            editions[release] = min(editions.get(release, edition), edition, key=_rank)
        in_order = {}
        for id, editions in by_source.items():
            previous = {name: edition.after for name, edition in editions.items()}
            in_order[id] = {name: editions[name] for name in in_published_order(previous)}
        return in_order

    def published_id(self, source: str, release: str) -> str:
        """Returns the id that a source had when a release was published; `source`, which is its
        present id, if the release was not published."""
        edition = self.releases.get(source, {}).get(release)
        return edition.source if edition else source

    @cached_property
    def names(self) -> Mapping[SourceRelease, set[str]]:
        """The names that each release had in any of its editions (`known_names`)."""
        return {at: known_names(self, editions) for at, editions in self.editions_of.items()}

    @cached_property
    def texts_by_name(self) -> Mapping[SourceRelease, Mapping[str, Sequence[ArchivedText]]]:
        """The texts of each release by their names, from the last edition with the name."""
        named = {}
        for at, editions in self.editions_of.items():
            texts: dict[str, Sequence[ArchivedText]] = {}
            for edition in reversed(editions):  # the last edition comes first
                texts.update(grouped((text.name, text) for text in self.texts_of(edition)))
            named[at] = texts
        return named

    def texts_of(self, edition: ArchivedEdition) -> Iterator[ArchivedText]:
        """Yields the texts of an edition, in their order."""
        for document in self.documents_of(edition):
            for sum in document.texts:
                yield self.texts[sum]

    def documents_of(self, edition: ArchivedEdition) -> Iterator[ArchivedDocument]:
        """Yields the documents of an edition, in their order."""
        for sum in edition.documents:
            yield self.documents[sum]

    def names_of(self, edition: ArchivedEdition) -> set[str]:
        """Returns the preferred names of an edition."""
        return {text.name for text in self.texts_of(edition)}


def published_page(lines: Sequence[ArchivedPage]) -> PublishedPage:
    """Returns the page with these lines. A line is left out if another one has all its entries. The
    order of the lines does not change when a line gets more entries."""
    in_order = sorted(lines, key=lambda line: (line.entries, line.source, line.name))
    # Of lines with the same entries, the first one is kept.
    longest_first = sorted(in_order, key=lambda line: len(line.entries), reverse=True)
    kept: list[ArchivedPage] = []
    for line in longest_first:
        is_replaced = any(longer.has_all_of(line) for longer in kept)
        if not is_replaced:
            kept.append(line)
    kept_in_order = tuple([line for line in in_order if line in kept])
    first = kept_in_order[0]
    return PublishedPage(
        address=first.address, name=first.name, source=first.source, lines=kept_in_order
    )


def _rank(edition: ArchivedEdition) -> tuple[int, bool, int]:
    """Returns the key by which the editions of a release are sorted: the highest number comes
    first; of equal numbers a closed edition, then the latest reading."""
    return -edition.number, not edition.is_closed, -edition.reading


def in_published_order(previous: Mapping[str, str]) -> list[str]:
    """Returns the names of releases, oldest first. `previous` has for each release the one that was
    before it when it was published.

    If several have the same previous release, since one was inserted later or by another branch,
    the order of their names decides.

    >>> in_published_order({"1.0": "", "2.0": "1.0", "3.0": "2.0", "1.5": "1.0"})
    ['1.0', '1.5', '2.0', '3.0']
    """
    remaining = dict.fromkeys(ordered(previous))  # a dict, since it finds and removes names fast
    in_order = []
    while remaining:
        # Two branches may have published two releases, each after the other: then the first counts.
        following = next(iter(remaining))
        for release in remaining:
            if previous[release] not in remaining:
                following = release
                break
        del remaining[following]
        in_order.append(following)
    return in_order


def known_names(archive: Archive, editions: Iterable[ArchivedEdition]) -> set[str]:
    """Returns the names in some editions of a release, and the former names of their entries."""
    names = set()
    for edition in editions:
        names |= archive.names_of(edition)
        names.update(former for former, _ in edition.pairs)
    return names
