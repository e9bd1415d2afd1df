"""Computes the promises of a site: a ledger row for every address that it publishes.

`breaches` compares the rows with the ledger, and `keeping` handles promises that the sources no longer keep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Edition, Entry, Source
from sitegen.model.terms import Ids, Life, Term, defining_term
from sitegen.permanence.breaches import SourceRelease
from sitegen.permanence.ledger import Fragments, Ledger, LedgerRow, as_wordings, of_kind, wording_of, words_by_release
from sitegen.permanence.permalinks import Permalinks
from sitegen.text.names import fold
from sitegen.text.words import digest


class KeptAddress(NamedTuple):
    """A published address whose content is gone or has changed its meaning."""

    row: LedgerRow
    reason: str
    has_page: bool = False
    """True if the address still has a page, which then shows the reason as a notice."""


@dataclass(frozen=True, kw_only=True)
class Permanence(Permalinks):
    """The addresses of a site: what was promised of them, what they stand for, and what is kept of lost ones."""

    ledger: Ledger = field(default_factory=dict)
    """All rows that were published before, with the present ids and names."""
    rows: Ledger = field(default_factory=dict)
    """The rows of this site."""
    former_sections: tuple[str, ...] = ()
    """Published headings of sections that have no terms now."""
    kept: tuple[KeptAddress, ...] = ()
    kept_fragments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address, with a leading slash, to published ids that its page must keep although nothing on it uses them."""
    retired_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address of a retired term, with a leading slash, to the ids by which Sphinx linked to it in the list A–Z."""
    moved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address of a term's page that a source no longer shares, to the keys of that source's terms with the name."""

    @cached_property
    def notices(self) -> Mapping[str, str]:
        """Address, with a leading slash, to the reason why its page differs from the published one."""
        return {kept.row.address: kept.reason for kept in self.kept if kept.has_page}


@dataclass(frozen=True, kw_only=True)
class History:
    """What was read: sources, their editions by source id, and the terms."""

    sources: tuple[Source, ...]
    editions: Mapping[str, tuple[Edition, ...]]
    """Oldest first."""
    lives: tuple[Life, ...]

    @cached_property
    def by_key(self) -> Mapping[str, Life]:
        return {life.key: life for life in self.lives}

    @cached_property
    def by_release(self) -> Mapping[tuple[str, str], Edition]:
        """(source id, release) to the edition."""
        return {(source, one.release): one for source, several in self.editions.items() for one in several}


Settled = Mapping[str, tuple[str, ...]]
"""Source id to its releases, oldest first; an unreleased one is an empty text."""


def promises(
    pages: Iterable[LedgerRow],
    history: History,
    links: Permalinks,
    ledger: Ledger,
    *,
    corrected: AbstractSet[SourceRelease] = frozenset(),
) -> Ledger:
    """Returns the rows of a site, by address; `pages` are those of pages that are not about one term.

    The row of an address whose meaning is unchanged has the name and first release of the ledger's row, so that both
    can be compared. Of unreleased data only the pages of terms are promised, without ids of releases. `corrected` are
    the releases whose present words were accepted.
    """
    rows = {}
    for row in chain(pages, _TermRows(history, links, ledger, corrected).rows(), _rows_of_wordings(links)):
        promised = ledger.get(row.address)
        # Comparing with the ledger is faster where both have the same object.
        rows[row.address] = promised if promised == row else row
    return rows


def _rows_of_wordings(links: Permalinks) -> Iterator[LedgerRow]:
    for frozen in links.frozen:
        place = frozen.entry.place
        yield LedgerRow(
            address=frozen.address,
            kind="frozen",
            name=frozen.entry.name,
            source=place.source,
            first=place.release,
            last=place.release,
            words=digest(frozen.entry.definition),
        )


class WordingUse(NamedTuple):
    """An entry of a term, and the releases of a source that have its wording."""

    entry: Entry
    source: str
    releases: tuple[str, ...]
    """As in `Settled`."""


class _TermRows:
    """Builds the rows of terms, one for each slug."""

    def __init__(
        self, history: History, links: Permalinks, ledger: Ledger, corrected: AbstractSet[SourceRelease]
    ) -> None:
        self._history = history
        self._links = links
        self._corrected = corrected
        self._settled: Settled = {
            source.id: tuple("" if release.unreleased else release.name for release in source.releases)
            for source in history.sources
        }
        self._promised = {urls.slug_in(row.address): row for row in of_kind(ledger, "term")}
        self._wordings_read: dict[SourceRelease, AbstractSet[str]] = {}
        """The wordings of each release, and the digests of words and of names in them."""
        # Most terms share their ids.
        self._fragments = {id(ids): self._ids(ids) for ids in links.ids.values()}

    def rows(self) -> Iterator[LedgerRow]:
        successors = _successors(self._history, self._links)
        return (self._row(slug, key, successors.get(slug, "")) for slug, key in self._links.owners.items())

    def _row(self, slug: str, key: str, successor: str) -> LedgerRow:
        """Returns the row of a slug's page; `key` is that of its term."""
        promised = self._promised.get(slug)
        all_uses = self._uses(self._history.by_key[key].term)
        # Without a use under the name, which breaks a promise, the row is that of all uses.
        named = fold(promised.name if promised else self._links.slug_names[slug])
        uses = [use for use in all_uses if fold(use.entry.name) == named] or all_uses
        entry, source, releases = uses[0]
        name, first = entry.name, next(iter(releases), "")
        published = [release for use in uses if use.source == source for release in use.releases if release]
        # An address whose meaning is unchanged keeps the name that it was published with.
        if promised and _is_published_term(promised, uses):
            name, source, first = promised.name, promised.source, promised.first
        return LedgerRow(
            address=f"/{urls.term(slug)}",
            kind="term",
            name=name,
            source=source,
            first=first,
            last=published[-1] if published else "",
            words=digest(entry.definition),
            successor=successor,
            fragments=self._fragments[id(self._links.ids[slug])],
            wordings=self._wordings(() if successor else self._shown_wordings(all_uses), promised),
        )

    def _uses(self, term: Term) -> list[WordingUse]:
        return [
            WordingUse(span.entry, lane.source.id, self._settled[lane.source.id][span.first : span.past])
            for lane in term.lanes
            for span in lane.spans
            if span.entry
        ]

    def _ids(self, ids: Ids) -> Fragments:
        """Returns the ids of published releases, each with its source and release."""
        settled = self._settled
        return tuple(
            sorted((id, f"{source} {release}") for (source, release), id in ids.items() if release in settled[source])
        )

    def _shown_wordings(self, uses: Iterable[WordingUse]) -> Fragments:
        """Returns the wordings of a term, each with its releases."""
        by_wording: dict[tuple[str, str], list[str]] = defaultdict(list)
        for use in uses:
            if releases := [name for name in use.releases if name]:
                by_wording[use.source, wording_of(use.entry)] += releases
        return tuple(("\t".join((source, *releases)), wording) for (source, wording), releases in by_wording.items())

    def _wordings(self, current: Fragments, promised: LedgerRow | None) -> Fragments:
        """Returns the wordings that a page shows for each release, and promised ones that another term has now."""
        if promised is None or promised.wordings in ((), current):
            return current
        wordings = dict(words_by_release(current))
        for key, wording in words_by_release(promised.wordings).items():
            # A page that shows the promised words under a corrected name keeps the promise.
            if wording.partition(" ")[0] == wordings.get(key, "").partition(" ")[0] or self._is_kept(key, wording):
                wordings[key] = wording
            else:
                wordings.pop(key, None)
        return as_wordings(wordings)

    def _is_kept(self, key: tuple[str, str], wording: str) -> bool:
        """True if a release still has the wording that was promised for it, under any term.

        The wording was edited if the release defines the name in other words. If the release does not have the name,
        the name was corrected. A missing release breaks other promises: those of its ids.
        """
        source, release = key
        if release not in self._settled.get(source, ()) or key in self._corrected:
            return True
        if key not in self._wordings_read:
            wordings = set(map(wording_of, self._history.by_release[key].entries))
            self._wordings_read[key] = wordings.union(*(one.split(" ") for one in wordings))
        read = self._wordings_read[key]
        words, name = wording.split(" ")
        return wording in read or (name not in read and words in read)


def _is_published_term(promised: LedgerRow, uses: list[WordingUse]) -> bool:
    """True if a term is the published one: its source gives it the name at a promised release or with the promised
    words, or it has the name at another release for which a wording was promised.
    """
    name_key = fold(promised.name)
    named = [use for use in uses if fold(use.entry.name) == name_key]
    of_source = [use for use in named if use.source == promised.source]
    if of_source and not promised.first:
        return True
    if any(promised.first in use.releases or promised.last in use.releases for use in of_source):
        return True
    if any(digest(use.entry.definition) == promised.words for use in of_source):
        return True
    promised_releases = words_by_release(promised.wordings)
    return any((use.source, release) in promised_releases for use in named for release in use.releases)


def _successors(history: History, links: Permalinks) -> Mapping[str, str]:
    """Returns slug to the address of the page that defines its term today, or "" if that is its own page.

    The address is final: a successor has no successor itself.
    """
    synonyms = {links.slugs[life.key]: life.key for life in history.lives if life.synonym_of}
    successors = {}
    for slug, key in (synonyms | dict(links.former_slugs)).items():
        present = links.slugs[defining_term(history.by_key, key).key]
        successors[slug] = "" if present == slug else f"/{urls.term(present)}"
    return successors
