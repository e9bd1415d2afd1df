"""Addresses of terms: which slug each name of each term has, and which wordings have a frozen page.

A slug that is in the ledger stays with the term of its row: the one that its source defined under
that name at that release. The same holds for the ids of releases on a term's page, and for frozen
wordings. Of terms with the same new slug, the one that appeared first has it, and later ones are
numbered. Every preferred name that a term ever had keeps its slug. What a row says (a name, when,
and in which words) is looked up in what was read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from operator import itemgetter
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug
from sitegen.config.tables import ChosenSlug, Corrected
from sitegen.model import (
    Designation,
    Entry,
    Problem,
    ProblemKind,
    Source,
    Trouble,
    grouped,
)
from sitegen.model.terms import Ids, Life
from sitegen.permanence.breaches import Breach
from sitegen.permanence.ledger import (
    AddressKind,
    Fragments,
    Ledger,
    LedgerRow,
    grown,
    name_mark,
    of_kind,
)
from sitegen.permanence.shown_words import LanesByKey, ShownWordings
from sitegen.text.names import fold
from sitegen.text.words import digest


@dataclass(frozen=True, kw_only=True, slots=True)
class FrozenPage:
    """A wording that has an address of its own."""

    key: str
    address: str
    entry: Entry


class KeptAddress(NamedTuple):
    """A published address whose content is gone or has changed its meaning."""

    row: LedgerRow
    reason: str
    has_page: bool = False
    """True if the address still has a page, which then shows the reason as a notice."""
    terms: tuple[str, ...] = ()
    """The keys of the terms that have words of this address now, those with its first words
    first."""


@dataclass(frozen=True, kw_only=True)
class Permanence:
    """The addresses of a site: what was promised of them, what they mean, and what is kept of lost
    ones."""

    slugs: Mapping[str, str]
    """Term key to the slug of its present name."""
    former_slugs: Mapping[str, str] = field(default_factory=dict)
    """Slug of a name that a term had once, to the key of that term. Its page shows the present
    name."""
    slug_names: Mapping[str, str] = field(default_factory=dict)
    """Slug to the name that it was given to."""
    ids: Mapping[str, Ids] = field(default_factory=dict)
    """Slug to the ids of releases on its page."""
    frozen: tuple[FrozenPage, ...] = ()
    """The wordings that have a frozen page, by address."""
    sphinx_ids: Mapping[str, str] = field(default_factory=dict)
    """The ids by which Sphinx linked to terms, to term keys."""
    moved: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Slug to the ids of releases on its page whose promised words another term has now, with that
    term's key."""
    wordings: ShownWordings = field(default_factory=ShownWordings, compare=False)
    ledger: Ledger = field(default_factory=dict)
    """All rows that were published before, with the present ids and names."""
    rows: Ledger = field(default_factory=dict)
    """The rows of this site."""
    corrected: Mapping[str, tuple[Corrected, ...]] = field(default_factory=dict)
    """Address, with a leading slash, to the corrections of the words that its page shows."""
    former_sections: tuple[str, ...] = ()
    """Published headings of sections that have no terms now."""
    kept: tuple[KeptAddress, ...] = ()
    kept_fragments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address, with a leading slash, to published ids that its page must keep although nothing on
    it uses them."""
    broken: tuple[Breach, ...] = ()
    """The promises that publishing this site would break."""

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """Every slug in use, former ones too, to the key of its term."""
        return {**{slug: key for key, slug in self.slugs.items()}, **self.former_slugs}

    def added_to(self, ledger: Ledger) -> Ledger:
        """Returns a ledger with the rows of this site."""
        return grown(ledger, self.rows.values(), self.ledger)

    @cached_property
    def notices(self) -> Mapping[str, str]:
        """Address, with a leading slash, to the reason why its page differs from the published
        one."""
        return {kept.row.address: kept.reason for kept in self.kept if kept.has_page}


def permalinks(
    lives: Collection[Life],
    ledger: Ledger,
    slugs: Iterable[ChosenSlug] = (),
    *,
    published: Ledger | None = None,
) -> Permanence:
    """Returns the addresses of all terms, those in the ledger unchanged. `slugs` are chosen for new
    names.

    `published` is the ledger with the ids and names of its time; `ledger` has the present ones.
    """
    namings = {life.key: _namings(life) for life in lives}
    uses = [*_name_uses(namings, slugs)]
    wordings = ShownWordings({life.key: life.term.lanes for life in lives})
    assigned = _AssignedSlugs(uses, _own_rows(ledger, "term"), wordings)
    current = {life.key: assigned.slugs[life.key, fold(life.name)] for life in lives}
    moved = _moved(assigned.owners, ledger, wordings)
    ids = _ids_on_pages(assigned.owners, wordings.lanes, ledger, moved)
    frozen = _new_wordings(lives, assigned, ids) | _published_wordings(
        ledger, assigned.owners, wordings
    )
    former = (
        pair for pair in sorted(assigned.owners.items()) if current.get(pair[1], pair[0]) != pair[0]
    )
    published_names = {
        urls.slug_in(row.address): row.name for row in of_kind(published or {}, "term")
    }
    return Permanence(
        slugs=current,
        former_slugs=dict(former),
        slug_names={**assigned.names, **published_names},
        ids=ids,
        frozen=tuple(frozen[address] for address in sorted(frozen)),
        sphinx_ids=_sphinx_ids(namings, assigned.owners, ledger),
        moved=moved,
        wordings=wordings,
        ledger=ledger,
        former_sections=_former_sections(lives, ledger),
    )


def _former_sections(lives: Iterable[Life], ledger: Ledger) -> tuple[str, ...]:
    headings = {life.entry.section for life in lives if life.entry.section and life.is_defined}
    sections = {f"/{urls.section(heading)}" for heading in headings}
    return tuple(
        sorted(one.name for one in of_kind(ledger, "section") if one.address not in sections)
    )


def _own_rows(ledger: Ledger, kind: AddressKind) -> tuple[LedgerRow, ...]:
    """Returns the rows of a kind, without those of a language that the site does not have any
    more."""
    return tuple(row for row in of_kind(ledger, kind) if urls.slug_in(row.address))


def unused_slugs(
    chosen: Iterable[ChosenSlug], links: Permanence, *, path: str
) -> Iterator[Problem]:
    """Yields a problem for each chosen slug that no address has. `path` is the file that chooses
    them."""
    named = grouped((fold(name), used_slug) for used_slug, name in links.slug_names.items())
    for one in chosen:
        slugs = named.get(fold(one.name), ())
        if one.slug in slugs:
            continue
        found, wanted = (
            "is not the name of a term at any release",
            "write the name as the glossary has it",
        )
        if slugs:
            found, wanted = f"is published as /{urls.term(slugs[0])} already", "remove the table"
        yield Trouble(ProblemKind.SETTINGS, f"[[slug]] {one.name!r} {found}", wanted).at(
            path, line=one.line
        )


class Naming(NamedTuple):
    """A release with which a source began to call a term so."""

    source: str
    number: int
    """The release's."""
    designations: tuple[Designation, ...]


def _namings(life: Life) -> list[Naming]:
    namings = []
    for lane in life.term.lanes:
        previous: tuple[Designation, ...] = ()
        for span in lane.spans:
            if span.entry and span.entry.designations != previous:
                previous = span.entry.designations
                namings.append(Naming(lane.source.id, span.first, previous))
    return namings


class NameUse(NamedTuple):
    """The first time that a term was called by a name."""

    order: tuple[bool, int, str, bool, str]
    """False for a chosen slug, release number, source id, True if the slug lost a part of the name,
    and the name."""
    key: str
    folded: str
    """The name."""
    slug: str


def _name_uses(
    namings: Mapping[str, Iterable[Naming]], slugs: Iterable[ChosenSlug]
) -> Iterator[NameUse]:
    """Yields the first use of each preferred name of each term, with the slug to ask for."""
    chosen = {(one.source, fold(one.name)): one.slug for one in slugs}
    for key, of_term in namings.items():
        known: set[str] = set()
        for source, number, designations in of_term:
            name = designations[0].text
            if (folded := fold(name)) not in known:
                known.add(folded)
                chosen_slug = chosen.get((source, folded)) or chosen.get(("", folded), "")
                wanted = chosen_slug or slug(name)
                order = (not chosen_slug, number, source, wanted != folded.replace(" ", "-"), name)
                yield NameUse(order, key, folded, wanted)


class _AssignedSlugs:
    """Gives slugs: first those of the ledger, then new ones in the order of the first use of each
    name."""

    def __init__(
        self, uses: Iterable[NameUse], rows: Iterable[LedgerRow], wordings: ShownWordings
    ) -> None:
        self.owners: dict[str, str] = {}
        """Slug to term key; to an empty one if the ledger's term is not among those read."""
        self.slugs: dict[tuple[str, str], str] = {}
        """(term key, folded name) to slug."""
        self.names: dict[str, str] = {}
        keys_of_name = grouped((use.folded, use.key) for use in uses)
        assigned_keys: set[str] = set()
        for row in sorted(rows, key=lambda row: (len(row.address), row.address)):
            by_name = keys_of_name.get(fold(row.name), ())
            by_words = (wordings.term_with(wording, at) for at, wording in row.wordings.items())
            terms = (dict.fromkeys(filter(None, keys)) for keys in (by_name, by_words))
            key = next(
                filter(None, (_term_of_row(row, some, wordings, assigned_keys) for some in terms)),
                "",
            )
            self._give(urls.slug_in(row.address), key, row.name)
            assigned_keys.add(key)
        for (*_, name), key, folded, wanted in sorted(uses, key=itemgetter(0)):
            if (key, folded) not in self.slugs:
                self._give(self._free(wanted, key), key, name)

    def _give(self, slug: str, key: str, name: str) -> None:
        self.owners[slug] = key
        self.slugs.setdefault((key, fold(name)), slug)
        self.names[slug] = name

    def _free(self, base: str, key: str) -> str:
        number = 1
        candidate = base
        while self.owners.get(candidate, key) != key:
            number += 1
            candidate = f"{base}-{number}"
        return candidate


def _term_of_row(
    row: LedgerRow, terms: Iterable[str], wordings: ShownWordings, assigned_keys: Collection[str]
) -> str:
    """Returns the key of the term for which a row of the ledger stands; empty if none has anything
    of it.

    It is the term that the row's source called so at the row's first release, or else at most
    releases for which that was promised; then the one with most of the promised wordings, which the
    page may have had of other sources for a time; then one that had the row's words under its name,
    or its name if the page has no release; then its spelling.
    """
    promised, mark, own_name = row.wordings, name_mark(row.name), fold(row.name)
    first, last = (row.source, row.first), (row.source, row.last)
    own = [at for at in {**promised, first: "", last: ""} if promised.get(at, mark).endswith(mark)]
    scores: dict[str, tuple[int, ...]] = {}
    for key in terms:
        shown = wordings.of(key)
        # Where another term has the promised words, a name in other letters is not the one that was
        # published.
        others = {
            at
            for at, one in promised.items()
            if shown.get(at) != one and wordings.term_with(one, at)
        }
        named = [at for at in own if at not in others and shown.get(at, "").endswith(mark)]
        spans = (
            span
            for lane in wordings.lanes[key]
            if lane.source.id == row.source
            for span in lane.spans
        )
        entries = [span.entry for span in spans if span.entry and fold(span.entry.name) == own_name]
        has_words = any(digest(entry.definition) == row.words for entry in entries)
        evidence = (
            first in named,
            sum(source == row.source for source, _ in named),
            sum(shown.get(at) == wording for at, wording in promised.items()),
            len(named),
            has_words,
            bool(entries) and not row.first,
        )
        if any(evidence):
            scores[key] = (
                *evidence,
                any(entry.name == row.name for entry in entries),
                key not in assigned_keys,
            )
    return max(scores, key=lambda key: scores[key], default="")


def _moved(
    owners: Mapping[str, str], ledger: Ledger, wordings: ShownWordings
) -> Mapping[str, Mapping[str, str]]:
    """Returns, by slug, the ids of releases whose promised words another term has now, with the key
    of that term.

    Of a release that is gone, it is the last term with these words, unless the page has them.
    """
    moved: dict[str, dict[str, str]] = {}
    lanes = chain.from_iterable(wordings.lanes.values())
    read = {(lane.source.id, name) for lane in lanes for name in lane.releases}
    for row in of_kind(ledger, "term"):
        slug = urls.slug_in(row.address)
        key = owners.get(slug, "")
        shown = wordings.of(key)
        if not key or row.wordings.items() <= shown.items():
            continue
        id_of = {meaning: id for id, meaning in row.fragments}
        words = {wording[:12] for wording in shown.values()}
        for at, wording in row.wordings.items():
            other = wordings.term_with(wording, at) if shown.get(at) != wording else ""
            if at not in read and wording[:12] not in words:
                other = wordings.last_with(wording[:12], at[0])
            if other and " ".join(at) in id_of:
                moved.setdefault(slug, {})[id_of[" ".join(at)]] = other
    return moved


def _ids_on_pages(
    owners: Mapping[str, str],
    lanes: LanesByKey,
    ledger: Ledger,
    moved: Mapping[str, Mapping[str, str]],
) -> Mapping[str, Ids]:
    """Returns, by slug, the ids of releases on its page. Most terms of the same sources share
    them."""
    ids_by_page: dict[tuple[tuple[Source, ...], Fragments, frozenset[str]], Ids] = {}
    result = {}
    for used_slug, key in owners.items():
        if key:
            row = ledger.get(f"/{urls.term(used_slug)}")
            fragments = row.fragments if row else ()
            page = (
                tuple([lane.source for lane in lanes[key]]),
                fragments,
                frozenset(moved.get(used_slug, ())),
            )
            if page not in ids_by_page:
                ids_by_page[page] = _ids(*page)
            result[used_slug] = ids_by_page[page]
    return result


def _ids(sources: Iterable[Source], published: Fragments, moved: AbstractSet[str]) -> Ids:
    """Returns the ids of releases on a page: the published ones, but for those whose words have
    `moved`."""
    id_of, used = (
        {meaning: id for id, meaning in published if id not in moved},
        {id for id, _ in published},
    )
    result = Ids()
    for source in sources:
        for release in source.releases if not source.undated else ():
            own, base = (
                urls.revision_anchor(release.name),
                urls.revision_anchor(release.name, source=source.id),
            )
            free = (
                one
                for one in chain((own, base), (f"{base}~{n}" for n in count(2)))
                if one not in used
            )
            id = id_of.get(f"{source.id} {release.name}") or next(free)
            result[source.id, release.name] = id
            used.add(id)
    return result


def _new_wordings(
    lives: Iterable[Life], assigned: _AssignedSlugs, ids: Mapping[str, Ids]
) -> dict[str, FrozenPage]:
    """Returns, by address, the frozen page of the first entry of each wording.

    Wordings that are in no release yet can still change, and are not frozen.
    """
    result = {}
    for life in lives:
        unreleased = {
            lane.source.id: lane.source.unreleased
            for lane in life.term.lanes
            if not lane.source.undated
        }
        for revision in life.revisions:
            if revision.source in unreleased and revision.first not in unreleased[revision.source]:
                slug = assigned.slugs[life.key, fold(revision.entry.name)]
                part = ids[slug][revision.source, revision.first].removeprefix("r")
                address = f"/{urls.frozen(slug, part)}"
                result[address] = FrozenPage(key=life.key, address=address, entry=revision.entry)
    return result


def _published_wordings(
    ledger: Ledger, owners: Mapping[str, str], wordings: ShownWordings
) -> dict[str, FrozenPage]:
    """Returns, by address, the frozen pages in the ledger.

    Each shows the entry of its release with the promised words, whichever term has it now, and
    under any name; else the entry of the page's term, or else the one of the row's name.
    """
    result = {}
    for row in _own_rows(ledger, "frozen"):
        mark, at = name_mark(row.name), (row.source, row.first)
        with_words = wordings.term_with(row.words + mark, at) or wordings.term_with(row.words, at)
        for key in (
            with_words,
            owners.get(urls.slug_in(row.address), ""),
            wordings.term_with(mark, at),
        ):
            entry = next(
                (
                    lane.at(row.first)
                    for lane in wordings.lanes.get(key, ())
                    if lane.source.id == row.source
                ),
                None,
            )
            if entry:
                result[row.address] = FrozenPage(key=key, address=row.address, entry=entry)
                break
    return result


def _sphinx_ids(
    namings: Mapping[str, Iterable[Naming]], owners: Mapping[str, str], ledger: Ledger
) -> Mapping[str, str]:
    """Returns the ids that Sphinx gave to names, each with the key of the term it leads to: where
    it led before, or else to the first that had such a name, preferred names of a release before
    its other names.
    """
    first: dict[str, tuple[int, int, str, str]] = {}
    for key, of_term in namings.items():
        for source, number, designations in of_term:
            for place, designation in enumerate(designations):
                claim = (number, min(place, 1), source, key)
                for id in urls.sphinx_anchors(designation.text):
                    first[id] = min(first.get(id, claim), claim)
    old = ledger[f"/{urls.A_TO_Z}"].fragments if f"/{urls.A_TO_Z}" in ledger else ()
    keys = {id: key for id, (_, _, _, key) in first.items()} | {
        id: owners.get(slug, "") for id, slug in old if slug
    }
    return {id: key for id, key in keys.items() if key}
