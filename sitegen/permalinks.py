"""Addresses of terms: which slug each name of each term has, and which wordings have a frozen page.

Slugs are given once. Those in the ledger stay with the term that it says they stand for: the one that its source
defined under that name at that release. So do the ids of releases on a term's page, and wordings that are frozen,
even where one belongs to another term by now. Of terms that ask for the same new slug, the one that appeared first
has it; later ones are numbered. Every preferred name a term ever had keeps its slug.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from sitegen import urls
from sitegen.known import Known
from sitegen.ledger import Ledger, Row
from sitegen.lives import Ids, Lane, Life, Revision
from sitegen.model import Designation, Entry
from sitegen.names import fold
from sitegen.slugs import slug
from sitegen.words import digest


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


def permalinks(lives: Iterable[Life], ledger: Ledger, known: Known | None = None) -> Permalinks:
    """Returns the addresses of all terms, those in the ledger unchanged.

    What each term asks for is `known` where its life is from another time.
    """
    lives = tuple(lives)
    asks = (known or Known()).each(_asks, lives)
    uses = [use for one in asks for use in one.uses]
    finder = _Finder(lives, uses)
    slugs = _Slugs(uses, ledger, finder)
    current = {one.key: slugs.given[one.key, one.name] for one in asks}
    ids = _ids_on_pages(slugs.owners, {life.term.key: life for life in lives}, ledger)
    return Permalinks(
        current=current,
        former=dict(sorted((slug, key) for slug, key in slugs.owners.items() if current.get(key, slug) != slug)),
        names=slugs.names,
        ids=ids,
        frozen=tuple(_frozen(asks, slugs, ids, ledger, finder)),
        sphinx_ids=_sphinx_ids(asks, slugs.owners, ledger),
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
    uses: tuple[Use, ...]
    sphinx_ids: tuple[tuple[str, Claim], ...]
    wordings: tuple[tuple[str, Revision], ...]
    """Those to be frozen, each with the folded name that was in force."""


def _asks(life: Life, _known: Known) -> Asks:
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
    return Asks(key, fold(life.name), tuple(uses.values()), tuple(claims), tuple(_wordings(life)))


class Naming(NamedTuple):
    """A release with which a source began to call a term so."""

    source: str
    number: int
    """The release's."""
    designations: tuple[Designation, ...]


def _namings(lane: Lane) -> Iterator[Naming]:
    before: tuple[Designation, ...] = ()
    for number in lane.turns:
        entry = lane.steps[number].entry
        if entry and entry.designations is not before:
            before = entry.designations
            yield Naming(lane.source.id, number, before)


def _wordings(life: Life) -> list[tuple[str, Revision]]:
    settled = {lane.source.id: lane.source.unreleased for lane in life.term.lanes if not lane.source.undated}
    return [
        (fold(revision.entry.name), revision)
        for revision in life.revisions
        if revision.source in settled and revision.first not in settled[revision.source]
    ]


Fragments = tuple[tuple[str, str], ...]
"""Ids on a page, each with what stands there, as a row of the ledger has them."""


def _ids_on_pages(owners: Mapping[str, str], lives: Mapping[str, Life], ledger: Ledger) -> Mapping[str, Ids]:
    """By slug, the places of releases on pages. Most terms of the same sources have the same, and share them."""
    shared: dict[tuple[object, ...], Ids] = {}
    found: dict[tuple[tuple[str, ...], Fragments], Ids] = {}
    result = {}
    for used, key in owners.items():
        if life := lives.get(key):
            sources = tuple([lane.source.id for lane in life.term.lanes])
            row = ledger.get(f"/{urls.term(used)}")
            published = row.fragments if row else ()
            if (sources, published) not in found:
                ids = _ids(life, dict(published))
                found[sources, published] = shared.setdefault(tuple(ids.items()), ids)
            result[used] = found[sources, published]
    return result


def _ids(life: Life, promised: Mapping[str, str]) -> Ids:
    """`promised` are the ids that were published on a page, each with what stood there: `{"r1.8": "pytorch 1.8"}`."""
    ids = {meaning: id for id, meaning in promised.items()}
    taken = {*promised}
    result = Ids()
    for lane in life.term.lanes:
        source = lane.source.id
        for step in lane.steps if not lane.source.undated else ():
            id = ids.get(f"{source} {step.release}")
            if id is None:
                id = urls.revision_anchor(step.release)
                if id in taken:
                    id = urls.revision_anchor(step.release, source=source)
            result[source, step.release] = id
            taken.add(id)
    return result


def _sphinx_ids(asks: Iterable[Asks], owners: Mapping[str, str], ledger: Ledger) -> Mapping[str, str]:
    """The ids that Sphinx gave to names, each with the key of the term it leads to: where it led before, or else to
    the first that had such a name, preferred names of a release before its other names.
    """
    first: dict[str, Claim] = {}
    for id, claim in [claimed for one in asks for claimed in one.sphinx_ids]:
        if id not in first or claim < first[id]:
            first[id] = claim
    led = ledger[f"/{urls.A_TO_Z}"].fragments if f"/{urls.A_TO_Z}" in ledger else ()
    found = {id: key for id, (_, _, _, key) in first.items()} | {id: owners.get(slug, "") for id, slug in led if slug}
    return {id: key for id, key in found.items() if key}


class _Slugs:
    """Gives slugs: first those of the ledger, then, to who asks first, new ones."""

    def __init__(self, uses: Iterable[Use], ledger: Ledger, finder: _Finder) -> None:
        self.owners: dict[str, str] = {}
        """Slug to term key; to an empty one where the ledger's term is not among those read."""
        self.given: dict[tuple[str, str], str] = {}
        """(term key, folded name) to slug."""
        self.names: dict[str, str] = {}
        self._keep([row for row in ledger.values() if row.kind == "term"], finder)
        for (*_, name), key, folded, asked in sorted(uses, key=itemgetter(0)):
            if (key, folded) not in self.given:
                self._give(self._free(asked, key), key, name)

    def _keep(self, rows: list[Row], finder: _Finder) -> None:
        """Gives the ledger's slugs: what is certain first, so that nobody inherits what is another's."""
        rows.sort(key=lambda row: (len(row.address), row.address))
        taken: set[str] = set()
        for find in (finder.key, finder.heir):
            for row in rows:
                slug = slug_of(row.address)
                if not self.owners.get(slug):
                    self._give(slug, find(row, taken) or "", row.name)
                    taken.add(self.owners[slug])

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


class _Finder:
    """Finds the term that a row of the ledger stands for."""

    def __init__(self, lives: Iterable[Life], uses: Iterable[Use]) -> None:
        self._lives = {life.term.key: life for life in lives}
        self._uses = uses

    @cached_property
    def _named(self) -> Mapping[str, Mapping[str, Life]]:
        """By every folded name that a term ever had: terms by key."""
        named: dict[str, dict[str, Life]] = defaultdict(dict)
        for use in self._uses:
            named[use.folded][use.key] = self._lives[use.key]
        return named

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, str], int]:
        """(source id, release) to the number of the release."""
        lanes = {lane.source.id: lane for life in self._lives.values() for lane in life.term.lanes}
        return {
            (source, step.release): number for source, lane in lanes.items() for number, step in enumerate(lane.steps)
        }

    @cached_property
    def _sources(self) -> Collection[str]:
        return {source for source, _ in self._numbers}

    def key(self, row: Row, taken: Collection[str]) -> str | None:
        """The term that its source called so at the row's first release; of homonyms, the one with its words.

        Where that release is gone, the same words under the same name show that a term is still the same, and if they
        are gone as well, what it was called in the row's last release. A term that was published before its first
        release has no such words to be held to.
        """
        for called in (
            self._called(row.name, row.source, row.first),
            (one for one in self._ever_called(row) if digest(one[1].definition) == row.words),
            self._called(row.name, row.source, row.last),
            self._ever_called(row) if not row.first else (),
        ):
            if found := list(called):
                return _likest(row, found, taken)
        return None

    def heir(self, row: Row, taken: Collection[str]) -> str | None:
        """The one term of that name for which no other row stands, where its source has nothing left to tell by."""
        releases = {(row.source, release) for release in (row.first, row.last) if release}
        if releases & self._numbers.keys() or (not releases and row.source in self._sources):
            return None
        free = [life.key for life in self._of_name(row.name) if life.key not in taken]
        return free[0] if len(free) == 1 else None

    def wording(self, row: Row, owner: str) -> tuple[str, Entry] | None:
        """What a frozen page shows: the same words, whosever they are by now, or else what its term says there."""
        own = self._entry(self._lives[owner], row.source, row.first) if owner else None
        if own and digest(own.definition) == row.words:
            return owner, own
        named = self._called(row.name, row.source, row.first)
        same = (one for one in named if digest(one[1].definition) == row.words)
        return next(same, (owner, own) if own else None)

    def _of_name(self, name: str) -> Iterable[Life]:
        return self._named.get(fold(name), {}).values()

    def _called(self, name: str, source: str, release: str) -> Iterator[tuple[str, Entry]]:
        """What a source called so at a release, with the keys of terms."""
        called = fold(name)
        for life in self._of_name(name):
            entry = self._entry(life, source, release)
            if entry and fold(entry.name) == called:
                yield life.key, entry

    def _ever_called(self, row: Row) -> Iterator[tuple[str, Entry]]:
        """The same, at any release."""
        for life in self._of_name(row.name):
            steps = (step for lane in life.term.lanes if lane.source.id == row.source for step in lane.steps)
            for step in steps:
                if step.entry and fold(step.entry.name) == fold(row.name):
                    yield life.key, step.entry

    def _entry(self, life: Life, source: str, release: str) -> Entry | None:
        """What a term says in a release of a source."""
        number = self._numbers.get((source, release))
        for lane in life.term.lanes:
            if lane.source.id == source and number is not None:
                return lane.steps[number].entry
        return None


def _likest(row: Row, called: Sequence[tuple[str, Entry]], taken: Collection[str]) -> str:
    """Of terms with one name, told apart at most by case, the one with the row's words, or with its very spelling."""
    if len(called) == 1:
        return called[0][0]

    def likeness(one: tuple[str, Entry]) -> tuple[bool, bool, bool]:
        key, entry = one
        return (digest(entry.definition) == row.words, entry.name == row.name, key not in taken)

    return max(called, key=likeness)[0]


def slug_of(address: str) -> str:
    """Returns the slug in an address that begins `/term/`."""
    return address.split("/")[2]


def published_names(ledger: Ledger) -> Mapping[str, str]:
    """Returns the slugs in a ledger with the names that they were given to."""
    return {slug_of(row.address): row.name for row in ledger.values() if row.kind == "term"}


def _frozen(
    asks: Iterable[Asks], slugs: _Slugs, ids: Mapping[str, Ids], ledger: Ledger, finder: _Finder
) -> Iterator[Frozen]:
    """A page for every wording that the ledger has, and for every release that brought other words.

    What is in no release yet may still be worded otherwise, and is not frozen.
    """
    addresses = {}
    for row in ledger.values():
        if row.kind == "frozen" and (found := finder.wording(row, slugs.owners.get(slug_of(row.address), ""))):
            addresses[row.address] = found
    for asked in asks:
        for name, revision in asked.wordings:
            slug = slugs.given[asked.key, name]
            part = ids[slug][revision.source, revision.first].removeprefix("r")
            addresses.setdefault(f"/{urls.frozen(slug, part)}", (asked.key, revision.entry))
    for address in sorted(addresses):
        key, entry = addresses[address]
        yield Frozen(key=key, address=address, entry=entry)
