"""Addresses of terms: which slug each name of each term has, and which wordings have a frozen page.

A slug that is in the ledger stays with the term that its row stands for: the one that its source defined under that
name at that release. The same holds for the ids of releases on a term's page, and for frozen wordings. Of terms with
the same new slug, the one that appeared first has it, and later ones are numbered. Every preferred name that a term
ever had keeps its slug.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.ledger import Ledger, LedgerRow, of_kind
from sitegen.addresses.owners import (
    KeyedEntry,
    KeysByName,
    OwnerCandidate,
    candidates,
    keys_by_name,
    slug_of,
    wordings,
)
from sitegen.addresses.slugs import slug
from sitegen.model import ChosenSlug, Designation, Entry, Problem, Source
from sitegen.model.terms import Ids, Lane, Life
from sitegen.text.names import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenPage:
    """A wording that has an address of its own."""

    key: str
    address: str
    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Permalinks:
    current: Mapping[str, str]
    """Term key to the slug of its present name."""
    former: Mapping[str, str]
    """Slug of a name that a term had once, to the key of that term."""
    names: Mapping[str, str]
    """Slug to the name that it was given to."""
    ids: Mapping[str, Ids]
    """Slug to the ids of releases on its page."""
    frozen: tuple[FrozenPage, ...]
    """By address."""
    sphinx_ids: Mapping[str, str]
    """The ids by which Sphinx linked to terms, to term keys."""


def permalinks(lives: Iterable[Life], ledger: Ledger, slugs: Iterable[ChosenSlug] = ()) -> Permalinks:
    """Returns the addresses of all terms, those in the ledger unchanged. `slugs` are chosen for new names."""
    chosen = {(one.source, fold(one.name)): one.slug for one in slugs}
    lives = tuple(lives)
    asks = [_asks(life, chosen) for life in lives]
    uses = [one.uses for one in asks]
    by_key = {one.key: life for one, life in zip(asks, lives, strict=True)}
    keys = keys_by_name((use.folded, use.key) for use in chain.from_iterable(uses))
    given = _Slugs(uses, _claims(of_kind(ledger, "term"), keys, by_key))
    current = {one.key: given.given[one.key, one.name] for one in asks}
    ids = _ids_on_pages(given, {one.key: one.sources for one in asks}, ledger)
    published = wordings(of_kind(ledger, "frozen"), given.owners, by_key, keys)
    return Permalinks(
        current=current,
        former=dict(sorted((slug, key) for slug, key in given.owners.items() if current.get(key, slug) != slug)),
        names=given.names,
        ids=ids,
        frozen=_frozen(asks, given, ids, published),
        sphinx_ids=_sphinx_ids((one.sphinx_ids for one in asks), given, ledger),
    )


def unused_slugs(chosen: Iterable[ChosenSlug], links: Permalinks, *, path: str) -> Iterator[Problem]:
    """Yields a problem for each chosen slug that no address has. `path` is the file that chooses them."""
    named: dict[str, list[str]] = {}
    for given, name in links.names.items():
        named.setdefault(fold(name), []).append(given)
    for one in chosen:
        slugs = named.get(fold(one.name), [])
        if one.slug not in slugs:
            found = (
                f"is published as /{urls.term(slugs[0])} already" if slugs else "is at no release the name of a term"
            )
            yield Problem(
                path=path,
                line=one.line,
                found=f"[[slug]] {one.name!r} {found}",
                wanted="remove the table" if slugs else "write the name as the glossary has it",
            )


def _claims(
    rows: Iterable[LedgerRow], keys: KeysByName, lives: Mapping[str, Life]
) -> Iterator[tuple[LedgerRow, tuple[OwnerCandidate, ...]]]:
    """Yields each row with the terms that it may stand for, the shortest address first."""
    for row in sorted(rows, key=lambda row: (len(row.address), row.address)):
        yield row, candidates(row, [lives[key].term for key in keys.get(fold(row.name), ())])


class NameUse(NamedTuple):
    """The first time that a term was called by a name."""

    order: tuple[bool, int, str, bool, str]
    """False for a chosen slug, release number, source id, True if the slug lost a part of the name, and the name."""
    key: str
    folded: str
    """The name."""
    slug: str


Claim = tuple[int, int, str, str]
"""Release number, 0 for a preferred name, source id, term key. The lowest claim to an id gets it."""


class Asks(NamedTuple):
    """The names, ids and wordings of a term that need addresses. It does not depend on other terms."""

    key: str
    name: str
    """Its present one, folded."""
    sources: tuple[Source, ...]
    uses: tuple[NameUse, ...]
    sphinx_ids: tuple[tuple[str, Claim], ...]
    wordings: tuple[tuple[str, Entry], ...]
    """The first entry of each wording to be frozen, with its folded name at that time."""


def _asks(life: Life, chosen: Mapping[tuple[str, str], str]) -> Asks:
    key = life.term.key
    uses: dict[str, NameUse] = {}
    claims: list[tuple[str, Claim]] = []
    for source, number, designations in [naming for lane in life.term.lanes for naming in _namings(lane)]:
        name = designations[0].text
        if (folded := fold(name)) not in uses:
            mine = chosen.get((source, folded)) or chosen.get(("", folded), "")
            asked = mine or slug(name)
            order = (not mine, number, source, asked != folded.replace(" ", "-"), name)
            uses[folded] = NameUse(order, key, folded, asked)
        for place, designation in enumerate(designations):
            claim = (number, min(place, 1), source, key)
            claims += [(id, claim) for id in urls.sphinx_anchors(designation.text)]
    sources = tuple([lane.source for lane in life.term.lanes])
    return Asks(key, fold(life.name), sources, tuple(uses.values()), tuple(claims), tuple(_wordings(life)))


class Naming(NamedTuple):
    """A release with which a source began to call a term so."""

    source: str
    number: int
    """The release's."""
    designations: tuple[Designation, ...]


def _namings(lane: Lane) -> Iterator[Naming]:
    before: tuple[Designation, ...] = ()
    for number, (_, _, entry, _) in zip(lane.turns, lane.turned, strict=True):
        if entry and entry.designations != before:
            before = entry.designations
            yield Naming(lane.source.id, number, before)


def _wordings(life: Life) -> list[tuple[str, Entry]]:
    settled = {lane.source.id: lane.source.unreleased for lane in life.term.lanes if not lane.source.undated}
    return [
        (fold(revision.entry.name), revision.entry)
        for revision in life.revisions
        if revision.source in settled and revision.first not in settled[revision.source]
    ]


Fragments = tuple[tuple[str, str], ...]
"""Ids on a page, each with what stands there, as a row of the ledger has them."""


def _ids_on_pages(slugs: _Slugs, sources: Mapping[str, tuple[Source, ...]], ledger: Ledger) -> Mapping[str, Ids]:
    """By slug, the ids of releases on its page. Most terms of the same sources share them."""
    shared: dict[tuple[object, ...], Ids] = {}
    found: dict[tuple[tuple[Source, ...], Fragments], Ids] = {}
    result = {}
    for used, key in slugs.owners.items():
        if of := sources.get(key):
            row = ledger.get(f"/{urls.term(used)}")
            published = row.fragments if row else ()
            if (of, published) not in found:
                ids = _ids(of, dict(published))
                found[of, published] = shared.setdefault(tuple(ids.items()), ids)
            result[used] = found[of, published]
    return result


def _ids(sources: Iterable[Source], promised: Mapping[str, str]) -> Ids:
    """`promised` are the ids that were published on a page, each with what stood there: `{"r1.8": "pytorch 1.8"}`."""
    ids = {meaning: id for id, meaning in promised.items()}
    taken = {*promised}
    result = Ids()
    for source in sources:
        for release in source.releases if not source.undated else ():
            id = ids.get(f"{source.id} {release.name}")
            if id is None:
                id = urls.revision_anchor(release.name)
                if id in taken:
                    id = urls.revision_anchor(release.name, source=source.id)
            result[source.id, release.name] = id
            taken.add(id)
    return result


def _sphinx_ids(claims: Iterable[tuple[tuple[str, Claim], ...]], slugs: _Slugs, ledger: Ledger) -> Mapping[str, str]:
    """The ids that Sphinx gave to names, each with the key of the term it leads to: where it led before, or else to
    the first that had such a name, preferred names of a release before its other names.
    """
    first: dict[str, Claim] = {}
    for id, claim in chain.from_iterable(claims):
        if id not in first or claim < first[id]:
            first[id] = claim
    led = ledger[f"/{urls.A_TO_Z}"].fragments if f"/{urls.A_TO_Z}" in ledger else ()
    owners = slugs.owners
    found = {id: key for id, (_, _, _, key) in first.items()} | {id: owners.get(slug, "") for id, slug in led if slug}
    return {id: key for id, key in found.items() if key}


class _Slugs:
    """Gives slugs: first those of the ledger, then new ones in the order of the first use of each name."""

    def __init__(
        self, uses: Iterable[tuple[NameUse, ...]], claims: Iterable[tuple[LedgerRow, tuple[OwnerCandidate, ...]]]
    ) -> None:
        self.owners: dict[str, str] = {}
        """Slug to term key; to an empty one if the ledger's term is not among those read."""
        self.given: dict[tuple[str, str], str] = {}
        """(term key, folded name) to slug."""
        self.names: dict[str, str] = {}
        taken: set[str] = set()
        for row, of_row in claims:
            key = _best(of_row, taken)
            self._give(slug_of(row.address), key, row.name)
            taken.add(key)
        for (*_, name), key, folded, asked in sorted(chain.from_iterable(uses), key=itemgetter(0)):
            if (key, folded) not in self.given:
                self._give(self._free(asked, key), key, name)

    def _give(self, slug: str, key: str, name: str) -> None:
        self.owners[slug] = key
        self.given.setdefault((key, fold(name)), slug)
        self.names[slug] = name

    def _free(self, base: str, key: str) -> str:
        number = 1
        candidate = base
        while self.owners.get(candidate, key) != key:
            number += 1
            candidate = f"{base}-{number}"
        return candidate


def _best(found: tuple[OwnerCandidate, ...], taken: Collection[str]) -> str:
    """Returns the key of the candidate with the row's words, or else its exact spelling; empty if there is none."""
    if len(found) == 1:
        return found[0].key
    best = max(found, key=lambda one: (one.has_words, one.is_spelled_so, one.key not in taken), default=None)
    return best.key if best else ""


def published_names(ledger: Ledger) -> Mapping[str, str]:
    """Returns the slugs in a ledger with the names that they were given to."""
    return {slug_of(row.address): row.name for row in of_kind(ledger, "term")}


def _frozen(
    asks: Iterable[Asks], slugs: _Slugs, ids: Mapping[str, Ids], published: Mapping[str, KeyedEntry]
) -> tuple[FrozenPage, ...]:
    """A page for every wording that the ledger has, and for every release that brought other words.

    Wordings that are in no release yet can still change, and are not frozen.
    """
    addressed: dict[str, KeyedEntry] = {}
    for asked in asks:
        for name, entry in asked.wordings:
            slug = slugs.given[asked.key, name]
            part = ids[slug][entry.place.source, entry.place.release].removeprefix("r")
            addressed[f"/{urls.frozen(slug, part)}"] = asked.key, entry
    addressed |= published
    return tuple(
        [
            FrozenPage(key=key, address=one, entry=entry)
            for one, (key, entry) in sorted(addressed.items(), key=itemgetter(0))
        ]
    )
