"""Addresses of terms: which slug each name of each term has, and which wordings have a frozen page.

Slugs are given once. Those in the ledger stay with the term that it says they stand for: the one that its source
defined under that name at that release. Of terms that ask for the same new slug, the one that appeared first has it;
later ones are numbered. Every preferred name a term ever had keeps its slug.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sitegen import urls
from sitegen.ledger import Ledger, Row
from sitegen.model import Entry, Life
from sitegen.names import fold
from sitegen.slugs import slug
from sitegen.words import digest

Anchor = tuple[str, str, str]
"""(source id, release, folded name): what a source called a term at a release. The past does not change."""


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
    frozen: tuple[Frozen, ...]
    """By address."""
    sphinx_ids: Mapping[str, str]
    """The ids by which Sphinx linked to terms, to term keys."""


def permalinks(lives: Iterable[Life], ledger: Ledger) -> Permalinks:
    """Returns the addresses of all terms, those in the ledger unchanged."""
    lives = tuple(lives)
    slugs = _Slugs(lives, ledger)
    current = {life.key: slugs.given[life.key, fold(life.name)] for life in lives}
    return Permalinks(
        current=current,
        former={slug: key for slug, key in sorted(slugs.owners.items()) if key in current and current[key] != slug},
        names=slugs.names,
        frozen=tuple(sorted(_frozen(lives, slugs, ledger), key=lambda frozen: frozen.address)),
        sphinx_ids=_sphinx_ids(lives, slugs.owners, ledger),
    )


def anchors(life: Life) -> Mapping[tuple[str, str], str]:
    """Returns the id that stands on a term's page for each (source id, release) of the term's dated sources."""
    taken: set[str] = set()
    result = {}
    for lane in life.term.lanes:
        if lane.source.undated:
            continue
        for step in lane.steps:
            source = lane.source.id if step.release in taken else ""
            result[lane.source.id, step.release] = urls.revision_anchor(step.release, source=source)
        taken.update(step.release for step in lane.steps)
    return result


def _sphinx_ids(lives: Iterable[Life], owners: Mapping[str, str], ledger: Ledger) -> Mapping[str, str]:
    """The ids that Sphinx gave to names, each with the key of the term it leads to: where it led before, or else to
    the first that had such a name, preferred names of a release before its other names.
    """
    first: dict[str, tuple[int, int, str, str]] = {}
    for life in lives:
        for lane in life.term.lanes:
            for number, step in enumerate(lane.steps):
                for place, designation in enumerate(step.entry.designations if step.entry else ()):
                    asks = (number, min(place, 1), lane.source.id, life.key)
                    for id in urls.sphinx_anchors(designation.text):
                        first[id] = min(first.get(id, asks), asks)
    led = ledger[f"/{urls.A_TO_Z}"].fragments if f"/{urls.A_TO_Z}" in ledger else ()
    found = {id: key for id, (_, _, _, key) in first.items()} | {id: owners.get(slug, "") for id, slug in led if slug}
    return {id: key for id, key in found.items() if key}


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The first time that a term was called by a name."""

    order: tuple[int, str, str]
    """Release number, source id, name: who asks first."""
    key: str
    name: str


def _uses(lives: tuple[Life, ...]) -> Iterator[Use]:
    for life in lives:
        seen: set[str] = set()
        for lane in life.term.lanes:
            for number, step in enumerate(lane.steps):
                if step.entry and (name := fold(step.entry.name)) not in seen:
                    seen.add(name)
                    order = (number, lane.source.id, step.entry.name)
                    yield Use(order=order, key=life.key, name=step.entry.name)


class _Slugs:
    """Gives slugs: first those of the ledger, then, to who asks first, new ones."""

    def __init__(self, lives: tuple[Life, ...], ledger: Ledger) -> None:
        self.owners: dict[str, str] = {}
        """Slug to term key; to an empty one where the ledger's term is not among those read."""
        self.given: dict[tuple[str, str], str] = {}
        """(term key, folded name) to slug."""
        self.names: dict[str, str] = {}
        found = _Finder(lives)
        for row in sorted((row for row in ledger.values() if row.kind == "term"), key=lambda row: row.address):
            self._give(slug_of(row.address), found.key(row) or "", row.name)
        for use in sorted(_uses(lives), key=lambda use: use.order):
            if (use.key, fold(use.name)) not in self.given:
                self._give(self._free(slug(use.name), use.key), use.key, use.name)

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

    def __init__(self, lives: Iterable[Life]) -> None:
        self._called: dict[Anchor, list[tuple[str, Entry]]] = defaultdict(list)
        """What a source called a term, at a release and (under an empty one) ever."""
        for life in lives:
            for lane in life.term.lanes:
                for step in lane.steps:
                    if step.entry:
                        for release in (step.release, ""):
                            self._called[lane.source.id, release, fold(step.entry.name)].append(
                                (life.key, step.entry)
                            )

    def key(self, row: Row) -> str | None:
        """The term that its source called so at the row's first release, or at its last; of homonyms by its words.

        Where both releases are gone, only the same words under the same name show that a term is still the same. A
        term that was published before its first release has no such words to be held to.
        """
        for release in (row.first, row.last, ""):
            called = self._called.get((row.source, release, fold(row.name)), [])
            same = [key for key, entry in called if digest(entry.definition) == row.words]
            others = [key for key, _ in called] if release or not row.first else []
            if found := next(iter((*same, *others)), None):
                return found
        return None


def slug_of(address: str) -> str:
    """Returns the slug in an address that begins `/term/`."""
    return address.split("/")[2]


def _frozen(lives: tuple[Life, ...], slugs: _Slugs, ledger: Ledger) -> Iterator[Frozen]:
    asked: dict[str, list[Row]] = defaultdict(list)
    for row in ledger.values():
        if row.kind == "frozen":
            asked[slugs.owners.get(slug_of(row.address), "")].append(row)
    for life in lives:
        yield from _frozen_of(life, slugs, asked[life.key])


def _frozen_of(life: Life, slugs: _Slugs, asked: Iterable[Row]) -> Iterator[Frozen]:
    """A frozen page for every release that brought other words, and for every one the ledger has.

    What is in no release yet may still be worded otherwise, and is not frozen.
    """
    ids = anchors(life)
    dated = {lane.source.id: lane.source for lane in life.term.lanes if not lane.source.undated}
    addresses: dict[str, Entry] = {}
    for revision in life.revisions:
        if revision.source in dated and revision.first not in dated[revision.source].unreleased:
            slug = slugs.given[life.key, fold(revision.entry.name)]
            part = ids[revision.source, revision.first].removeprefix("r")
            addresses["/" + urls.frozen(slug, part)] = revision.entry
    entries = {
        (lane.source.id, step.release): step.entry for lane in life.term.lanes for step in lane.steps if step.entry
    }
    for row in asked:
        if entry := entries.get((row.source, row.first)):
            addresses.setdefault(row.address, entry)
    yield from (Frozen(key=life.key, address=address, entry=entry) for address, entry in addresses.items())
