"""Addresses of terms: which slug each name of each term has, and which wordings have a frozen page.

Slugs are given once. Those in the ledger stay with the term that it says they stand for: the one that its source
defined under that name at that release. So do the ids of releases on a term's page, and wordings that are frozen,
even where one belongs to another term by now. Of terms that ask for the same new slug, the one that appeared first
has it; later ones are numbered. Every preferred name a term ever had keeps its slug.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.ledger import Ledger, of_kind
from sitegen.addresses.owners import Called, Candidate, Claims, Owners, keys_by_name, slug_of
from sitegen.addresses.slugs import slug
from sitegen.model import Designation, Entry, Source
from sitegen.model.terms import Ids, Lane, Life
from sitegen.text.names import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
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
    frozen: tuple[Frozen, ...]
    """By address."""
    sphinx_ids: Mapping[str, str]
    """The ids by which Sphinx linked to terms, to term keys."""


def permalinks(lives: Iterable[Life], ledger: Ledger) -> Permalinks:
    """Returns the addresses of all terms, those in the ledger unchanged."""
    lives = tuple(lives)
    asks = [_asks(life) for life in lives]
    uses = [use for one in asks for use in one.uses]
    owners = Owners({life.key: life for life in lives}, keys_by_name((use.folded, use.key) for use in uses))
    slugs = _Slugs(uses, owners.claims(of_kind(ledger, "term")))
    current = {one.key: slugs.given[one.key, one.name] for one in asks}
    ids = _ids_on_pages(slugs, {one.key: one.sources for one in asks}, ledger)
    return Permalinks(
        current=current,
        former=_former(current, slugs),
        names=slugs.names,
        ids=ids,
        frozen=_frozen(asks, slugs, ids, owners.wordings(of_kind(ledger, "frozen"), slugs.owners)),
        sphinx_ids=_sphinx_ids((one.sphinx_ids for one in asks), slugs, ledger),
    )


class Use(NamedTuple):
    """The first time that a term was called by a name."""

    order: tuple[int, str, bool, str]
    """Release number, source id, whether the slug tells less than the name, name: who asks first."""
    key: str
    folded: str
    """The name."""
    slug: str


Claim = tuple[int, int, str, str]
"""Release number, 0 for a preferred name, source id, term key: who comes first has an id."""


class Asks(NamedTuple):
    """What a term asks for, whatever others do."""

    key: str
    name: str
    """Its present one, folded."""
    sources: tuple[Source, ...]
    uses: tuple[Use, ...]
    sphinx_ids: tuple[tuple[str, Claim], ...]
    wordings: tuple[tuple[str, Entry], ...]
    """Those to be frozen, as they were first said, each with the folded name that was in force."""


def _asks(life: Life) -> Asks:
    key = life.term.key
    uses: dict[str, Use] = {}
    claims: list[tuple[str, Claim]] = []
    for source, number, designations in [naming for lane in life.term.lanes for naming in _namings(lane)]:
        name = designations[0].text
        if (folded := fold(name)) not in uses:
            asked = slug(name)
            order = (number, source, asked != folded.replace(" ", "-"), name)
            uses[folded] = Use(order, key, folded, asked)
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
    """By slug, the places of releases on pages. Most terms of the same sources have the same, and share them."""
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
    """Gives slugs: first those of the ledger, then, to who asks first, new ones."""

    def __init__(self, uses: Iterable[Use], claims: Claims) -> None:
        self.owners: dict[str, str] = {}
        """Slug to term key; to an empty one where the ledger's term is not among those read."""
        self.given: dict[tuple[str, str], str] = {}
        """(term key, folded name) to slug."""
        self.names: dict[str, str] = {}
        self._keep(claims)
        for (*_, name), key, folded, asked in sorted(uses, key=itemgetter(0)):
            if (key, folded) not in self.given:
                self._give(self._free(asked, key), key, name)

    def _keep(self, claims: Claims) -> None:
        """Gives the ledger's slugs: what is certain first, so that nobody inherits what is another's."""
        rows = sorted(claims.rows, key=lambda row: (len(row.address), row.address))
        taken: set[str] = set()
        for row in rows:
            key = _likest(claims.candidates[row.address], taken)
            self._give(slug_of(row.address), key, row.name)
            taken.add(key)
        for row in rows:
            free = [key for key in claims.heirs.get(row.address, ()) if key not in taken]
            if len(free) == 1:
                self._give(slug_of(row.address), free[0], row.name)
                taken.add(free[0])

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


def _likest(candidates: tuple[Candidate, ...], taken: Collection[str]) -> str:
    """Of terms with one name, told apart at most by case, the one with the row's words, or with its very spelling."""
    if len(candidates) == 1:
        return candidates[0].key
    likest = max(candidates, key=lambda one: (one.has_words, one.is_spelled_so, one.key not in taken), default=None)
    return likest.key if likest else ""


def _former(current: Mapping[str, str], slugs: _Slugs) -> Mapping[str, str]:
    return dict(sorted((slug, key) for slug, key in slugs.owners.items() if current.get(key, slug) != slug))


def published_names(ledger: Ledger) -> Mapping[str, str]:
    """Returns the slugs in a ledger with the names that they were given to."""
    return {slug_of(row.address): row.name for row in of_kind(ledger, "term")}


def _frozen(
    asks: Iterable[Asks],
    slugs: _Slugs,
    ids: Mapping[str, Ids],
    published: Mapping[str, Called],
) -> tuple[Frozen, ...]:
    """A page for every wording that the ledger has, and for every release that brought other words.

    What is in no release yet may still be worded otherwise, and is not frozen.
    """
    addresses: dict[str, Called] = {}
    for asked in asks:
        for name, entry in asked.wordings:
            slug = slugs.given[asked.key, name]
            part = ids[slug][entry.place.source, entry.place.release].removeprefix("r")
            addresses[f"/{urls.frozen(slug, part)}"] = asked.key, entry
    addresses |= published
    pages = sorted(addresses.items(), key=itemgetter(0))
    return tuple([Frozen(key=key, address=address, entry=entry) for address, (key, entry) in pages])
