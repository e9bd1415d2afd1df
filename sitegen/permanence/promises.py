"""Computes the promises of a site: a ledger row for every address that it publishes.

`breaches` compares the rows with the ledger, and `keeping` handles promises that the sources no
longer keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Entry, Release, Source
from sitegen.model.terms import Ids, Life, Term, defining_term
from sitegen.permanence.ledger import (
    Fragments,
    Ledger,
    LedgerRow,
    SourceRelease,
    Wordings,
    of_kind,
)
from sitegen.permanence.permalinks import Permanence
from sitegen.text.names import fold
from sitegen.text.words import digest


@dataclass(frozen=True, kw_only=True)
class History:
    """What was read: sources, and the terms."""

    sources: tuple[Source, ...]
    lives: tuple[Life, ...]

    @cached_property
    def by_key(self) -> Mapping[str, Life]:
        return {life.key: life for life in self.lives}

    @cached_property
    def releases(self) -> AbstractSet[SourceRelease]:
        """The published releases that were read."""
        return {
            (source.id, one.name)
            for source in self.sources
            for one in source.releases
            if not one.unreleased
        }

    @cached_property
    def by_release(self) -> Mapping[tuple[str, str], Release]:
        """(source id, name) to the release."""
        return {
            (source.id, release.name): release
            for source in self.sources
            for release in source.releases
        }


Settled = Mapping[str, tuple[str, ...]]
"""Source id to its releases, oldest first; an unreleased one is an empty text."""


def promises(pages: Iterable[LedgerRow], history: History, links: Permanence) -> Ledger:
    """Returns the rows of a site, by address; `pages` are those of pages that are not about one
    term.

    The row of an address whose meaning is unchanged has the name and first release of the ledger's
    row, so that both can be compared. Of unreleased data only the pages of terms are promised,
    without ids of releases.
    """
    rows = {}
    for row in chain(pages, _TermRows(history, links).rows(), _rows_of_wordings(links)):
        promised = links.ledger.get(row.address)
        # Comparing with the ledger is faster where both have the same object.
        rows[row.address] = promised if promised == row else row
    return rows


def _rows_of_wordings(links: Permanence) -> Iterator[LedgerRow]:
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

    def __init__(self, history: History, links: Permanence) -> None:
        self._history = history
        self._links = links
        self._settled: Settled = {
            source.id: tuple(
                "" if release.unreleased else release.name for release in source.releases
            )
            for source in history.sources
        }
        self._promised = {urls.slug_in(row.address): row for row in of_kind(links.ledger, "term")}
        # Most terms share their ids.
        self._fragments = {id(ids): self._ids(ids) for ids in links.ids.values()}

    def rows(self) -> Iterator[LedgerRow]:
        successors = _successors(self._history, self._links)
        return (
            self._row(slug, key, successors.get(slug, ""))
            for slug, key in self._links.owners.items()
        )

    def _row(self, slug: str, key: str, successor: str) -> LedgerRow:
        """Returns the row of a slug's page; `key` is that of its term."""
        promised = self._promised.get(slug)
        all_uses = self._uses(self._history.by_key[key].term)
        # Without a use under the name, which breaks a promise, the row is that of all uses.
        named = fold(promised.name if promised else self._links.slug_names[slug])
        named_uses = [use for use in all_uses if fold(use.entry.name) == named]
        uses = named_uses or all_uses
        entry, source, releases = uses[0]
        name, first = entry.name, next(iter(releases), "")
        published = [
            release for use in uses if use.source == source for release in use.releases if release
        ]
        # An address whose meaning is unchanged keeps the name that it was published with.
        if promised and _is_published_term(promised, named_uses):
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
            fragments=self._fragments_of(slug, promised),
            wordings=self._wordings(key, promised),
        )

    def _uses(self, term: Term) -> list[WordingUse]:
        return [
            WordingUse(
                span.entry, lane.source.id, self._settled[lane.source.id][span.first : span.past]
            )
            for lane in term.lanes
            for span in lane.spans
            if span.entry
        ]

    def _ids(self, ids: Ids) -> Fragments:
        """Returns the ids of published releases, each with its source and release."""
        settled = self._settled
        return tuple(
            sorted(
                (id, f"{source} {release}")
                for (source, release), id in ids.items()
                if release in settled[source]
            )
        )

    def _fragments_of(self, slug: str, promised: LedgerRow | None) -> Fragments:
        fragments, moved = self._fragments[id(self._links.ids[slug])], self._links.moved.get(slug)
        if not promised or not moved:
            return fragments
        # The page has another id for what it shows itself of such a release; that one is not
        # promised.
        led_on = {id: what for id, what in promised.fragments if id in moved}
        own = (pair for pair in fragments if pair[1] not in led_on.values())
        return tuple(sorted((*own, *led_on.items())))

    def _wordings(self, key: str, promised: LedgerRow | None) -> Wordings:
        """Returns the wordings that a page shows for each release, and promised ones to which it
        leads."""
        now, has_words = dict(self._links.wordings.of(key)), self._links.wordings.term_with
        for at, wording in promised.wordings.items() if promised else ():
            if now.get(at) != wording and (
                at not in self._history.releases or has_words(wording, at)
            ):
                now[at] = wording
        return now


def _is_published_term(promised: LedgerRow, uses: Iterable[WordingUse]) -> bool:
    """True if a term is the published one: it has the name at a promised release, or with the
    promised words.

    `uses` are the term's uses of the name.
    """
    ends = {(promised.source, promised.first), (promised.source, promised.last)}
    promised_at = promised.wordings.keys() | ends
    return any(
        not promised_at.isdisjoint((use.source, release) for release in use.releases)
        or (
            use.source == promised.source
            and (not promised.first or digest(use.entry.definition) == promised.words)
        )
        for use in uses
    )


def _successors(history: History, links: Permanence) -> Mapping[str, str]:
    """Returns slug to the address of the page that defines its term today, or "" if that is its own
    page.

    The address is final: a successor has no successor itself.
    """
    synonyms = {links.slugs[life.key]: life.key for life in history.lives if life.synonym_of}
    successors = {}
    for slug, key in (synonyms | dict(links.former_slugs)).items():
        present = links.slugs[defining_term(history.by_key, key).key]
        successors[slug] = "" if present == slug else f"/{urls.term(present)}"
    return successors
