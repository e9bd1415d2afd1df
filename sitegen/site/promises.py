"""What a build promises: a row for every address it publishes, with what the address stands for.

The rows are held against the ledger by `gate`. What becomes of promises that nothing stands behind any more is for
`retiring` to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.ledger import Ledger, Row, of_kind
from sitegen.addresses.owners import slug_of
from sitegen.addresses.permalinks import Fragments
from sitegen.model import Entry, Source
from sitegen.model.terms import Ids, Term
from sitegen.site import exports
from sitegen.site.comparisons import pairs
from sitegen.site.pages import letters, lists, matrix, release_terms
from sitegen.site.site import Site
from sitegen.text.names import fold
from sitegen.text.words import digest

Settled = Mapping[str, tuple[str, ...]]
"""Source id to its releases, oldest first; an empty one for what is in no release yet."""


class Use(NamedTuple):
    """What a source said of a term while it called it so."""

    entry: Entry
    source: str
    releases: tuple[str, ...]
    """As settled ones are given."""


def promises(site: Site) -> Ledger:
    """Returns what this site publishes, by address.

    What still stands for what it was published as is given in the words of the ledger, so that both can be compared.
    Of what is in no release yet only the terms are promised, and where they stand without a release.
    """
    there = {**(site.rows or _rows(site))}
    for kept in site.kept:
        given = there.get(kept.row.address, replace(kept.row, successor=""))
        there[kept.row.address] = replace(kept.row, successor=given.successor, fragments=given.fragments)
    for address, ids in site.kept_fragments.items():
        meanings = dict(site.ledger[address].fragments)
        fragments = dict(there[address].fragments) | {id: meanings[id] for id in ids}
        there[address] = replace(there[address], fragments=tuple(sorted(fragments.items())))
    return there


def _rows(site: Site) -> Ledger:
    few = chain(_fixed(site), _letters(site), _releases(site), _comparisons(site), _sections(site))
    data = (_as_promised(Row(address=f"/{path}", kind="data"), site) for path in exports.paths(site))
    return {row.address: row for row in chain(few, [_a_to_z(site)], _terms(site), _frozen(site), data)}


def _fixed(site: Site) -> Iterator[Row]:
    if site.base_url:
        yield Row(address=site.base_url, kind="site")
    for address in (
        urls.HOME,
        urls.RELEASES,
        urls.MATRIX,
        urls.COMPARE,
        urls.ABOUT,
        urls.SEARCH,
        urls.NOT_FOUND,
        *site.redirects,
    ):
        yield Row(address=f"/{address}", kind="page")


def _a_to_z(site: Site) -> Row:
    """The list of all terms, with the ids by which Sphinx linked to them, each leading to whom it always led."""
    row = site.ledger.get(f"/{urls.A_TO_Z}")
    promised = dict(row.fragments if row else ())
    fragments = [
        (id, was if site.owners.get(was := promised.get(id, "")) == key else site.slugs[key])
        for id, key in site.sphinx_ids.items()
    ]
    places = ((letters.anchor(letter), "") for letter in lists.letters(site))
    return Row(address=f"/{urls.A_TO_Z}", kind="page", fragments=tuple(sorted((*fragments, *places))))


def _letters(site: Site) -> Iterator[Row]:
    for list_, own in ((urls.A_TO_Z, lists.letter_pages(site)), (urls.MATRIX, matrix.letter_pages(site))):
        yield from (Row(address=f"/{letters.page(list_, letter)}", kind="page") for letter in own)


def _as_promised(row: Row, site: Site) -> Row:
    """The very row of the ledger, where it says the same: `gate` compares identity first."""
    promised = site.ledger.get(row.address)
    return promised if promised == row else row


def _releases(site: Site) -> Iterator[Row]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for life in site.lives:
        for change in life.changes:
            kinds[change.release].add(change.kind)
    for name in site.release_names():
        source = next((source for source, release in site.releases(name) if not release.unreleased), None)
        if source is None:
            continue
        yield Row(
            address="/" + urls.release(name),
            kind="release",
            name=name,
            source=source.id,
            first=name,
            last=name,
            fragments=tuple((kind, "") for kind in sorted(kinds[name])),
        )
        for address in release_terms.addresses(site, name):
            yield Row(address=f"/{address}", kind="page")


def _comparisons(site: Site) -> Iterator[Row]:
    for pair in pairs(site):
        if source := next((source for source in site.sources if pair.is_settled(source)), None):
            yield Row(
                address="/" + urls.comparison(pair.older, pair.newer),
                kind="compare",
                source=source.id,
                first=pair.older,
                last=pair.newer,
            )


def _sections(site: Site) -> Iterator[Row]:
    for heading in (*(section.heading for section in site.sections.values()), *site.former_sections):
        yield Row(address="/" + urls.section(heading), kind="section", name=heading)


def _terms(site: Site) -> Iterator[Row]:
    settled, successors = _settled(site.sources), _successors(site)
    promised = {slug_of(row.address): row for row in of_kind(site.ledger, "term")}
    # Most terms share their ids.
    shared = {id(ids): _places(ids, settled) for ids in site.ids.values()}
    for slug, key in site.owners.items():
        published = promised.get(slug)
        name = published.name if published else site.slug_names[slug]
        row = _term(
            slug,
            _uses(site.by_key[key].term, name, settled),
            published,
            places=shared.get(id(site.ids.get(slug)), ()),
            successor=successors.get(slug, ""),
        )
        yield published if row == published else row


def _settled(sources: Iterable[Source]) -> Settled:
    return {
        source.id: tuple("" if release.unreleased else release.name for release in source.releases)
        for source in sources
    }


def _term(slug: str, uses: list[Use], promised: Row | None, *, places: Fragments, successor: str) -> Row:
    first = uses[0]
    releases = [release for use in uses if use.source == first.source for release in use.releases if release]
    # What still stands for what it was published as is called as it was then.
    called = promised if promised and _stands_for(promised, uses) else None
    return Row(
        address=f"/{urls.term(slug)}",
        kind="term",
        name=called.name if called else first.entry.name,
        source=called.source if called else first.source,
        first=called.first if called else first.releases[0],
        last=releases[-1] if releases else "",
        words=digest(first.entry.definition),
        successor=successor,
        fragments=places,
    )


def _uses(term: Term, name: str, settled: Settled) -> list[Use]:
    """The wordings in which a term is called so; where there is none, which is against a promise, all of them."""
    uses = [
        Use(step.entry, lane.source.id, settled[lane.source.id][first:past])
        for lane in term.lanes
        for step, first, past in lane.runs()
        if step.entry
    ]
    called = fold(name)
    return [use for use in uses if fold(use.entry.name) == called] or uses


def _stands_for(promised: Row, uses: list[Use]) -> bool:
    """True where a term is the one that was published: its source calls it so where it did, or in the same words."""
    called = fold(promised.name)
    return any(
        use.source == promised.source
        and fold(use.entry.name) == called
        and (
            not promised.first
            or promised.first in use.releases
            or promised.last in use.releases
            or digest(use.entry.definition) == promised.words
        )
        for use in uses
    )


def _places(ids: Ids, settled: Settled) -> Fragments:
    """The ids of releases, each with what stands there; of what is in no release yet nothing is promised."""
    promised = ((id, f"{source} {release}") for (source, release), id in ids.items() if release in settled[source])
    return tuple(sorted(promised))


def _successors(site: Site) -> Mapping[str, str]:
    """By slug, where its term is spoken for today, when elsewhere: in one step, however often it moved on."""
    synonyms = {site.slugs[life.key]: life.key for life in site.lives if life.synonym_of}
    found = {}
    for slug, key in (synonyms | dict(site.former_slugs)).items():
        present = site.slugs[site.speaker(key).key]
        found[slug] = "" if present == slug else f"/{urls.term(present)}"
    return found


def _frozen(site: Site) -> Iterator[Row]:
    for frozen in site.frozen:
        entry, place = frozen.entry, frozen.entry.place
        row = Row(
            address=frozen.address,
            kind="frozen",
            name=entry.name,
            source=place.source,
            first=place.release,
            last=place.release,
            words=digest(entry.definition),
        )
        yield _as_promised(row, site)
