"""What a build promises: a row for every address it publishes, with what the address stands for.

The rows are held against the ledger by `gate`. What becomes of promises that nothing stands behind any more is for
`retiring` to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from sitegen import exports, urls
from sitegen.comparisons import pairs
from sitegen.ledger import Ledger, Row
from sitegen.lives import Ids, Life
from sitegen.model import Entry
from sitegen.names import fold
from sitegen.pages import letters, lists, matrix
from sitegen.permalinks import Fragments
from sitegen.site import Site
from sitegen.words import digest

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
    there = {**site.rows} or {row.address: row for row in _rows(site)}
    for kept in site.kept:
        given = there.get(kept.row.address, replace(kept.row, successor=""))
        there[kept.row.address] = replace(kept.row, successor=given.successor, fragments=given.fragments)
    for address, ids in site.kept_fragments.items():
        meanings = dict(site.ledger[address].fragments)
        fragments = dict(there[address].fragments) | {id: meanings[id] for id in ids}
        there[address] = replace(there[address], fragments=tuple(sorted(fragments.items())))
    return there


def _rows(site: Site) -> Iterator[Row]:
    yield from _fixed(site)
    yield _a_to_z(site)
    yield from _letters(site)
    yield from _releases(site)
    yield from _comparisons(site)
    yield from _sections(site)
    yield from _terms(site)
    yield from _frozen(site)
    yield from _data(site)


def _fixed(site: Site) -> Iterator[Row]:
    if site.base_url:
        yield Row(address=site.base_url, kind="site")
    for address in (urls.HOME, urls.RELEASES, urls.MATRIX, urls.COMPARE, urls.ABOUT, urls.SEARCH, urls.NOT_FOUND):
        yield Row(address=f"/{address}", kind="page")


def _a_to_z(site: Site) -> Row:
    """The list of all terms, with the ids by which Sphinx linked to them, each leading to whom it always led."""
    address = f"/{urls.A_TO_Z}"
    promised = dict(site.ledger[address].fragments) if address in site.ledger else {}
    fragments = [
        (id, was if site.owners.get(was := promised.get(id, "")) == key else site.slugs[key])
        for id, key in site.sphinx_ids.items()
    ]
    places = ((letters.anchor(letter), "") for letter in lists.letters(site))
    return Row(address=address, kind="page", fragments=tuple(sorted((*fragments, *places))))


def _letters(site: Site) -> Iterator[Row]:
    for list_, own in ((urls.A_TO_Z, lists.letter_pages(site)), (urls.MATRIX, matrix.letter_pages(site))):
        yield from (Row(address=f"/{letters.page(list_, letter)}", kind="page") for letter in own)


def _data(site: Site) -> Iterator[Row]:
    yield from (Row(address=f"/{path}", kind="data") for path in exports.paths(site))


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
    settled = {
        source.id: tuple("" if release.unreleased else release.name for release in source.releases)
        for source in site.sources
    }
    places: dict[int, Fragments] = {}
    """By the identity of ids: most terms share theirs."""
    for slug, key in site.owners.items():
        ids = site.anchors(slug)
        if id(ids) not in places:
            places[id(ids)] = _places(ids, settled)
        yield _term(site, site.by_key[key], slug, places[id(ids)], settled)


def _term(site: Site, life: Life, slug: str, places: Fragments, settled: Settled) -> Row:
    address = "/" + urls.term(slug)
    promised = site.ledger.get(address)
    uses = _uses(life, promised.name if promised else site.slug_names[slug], settled)
    first = uses[0]
    releases = [release for use in uses if use.source == first.source for release in use.releases if release]
    # What still stands for what it was published as is called as it was then.
    called = promised if promised and _stands_for(promised, uses) else None
    return Row(
        address=address,
        kind="term",
        name=called.name if called else first.entry.name,
        source=called.source if called else first.source,
        first=called.first if called else first.releases[0],
        last=releases[-1] if releases else "",
        words=digest(first.entry.definition),
        successor=_successor(site, life, slug),
        fragments=places,
    )


def _uses(life: Life, name: str, settled: Settled) -> list[Use]:
    """The wordings in which a term is called so; where there is none, which is against a promise, all of them."""
    uses = [
        Use(entry, lane.source.id, settled[lane.source.id][first:past])
        for lane in life.term.lanes
        for first, past in pairwise((*lane.turns, len(lane.steps)))
        if (entry := lane.steps[first].entry)
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


def _successor(site: Site, life: Life, slug: str) -> str:
    """Where the term is spoken for today, when not on this very page: in one step, however often it moved on."""
    last = site.speaker(life.key)
    present = site.slugs[last.key]
    return "" if present == slug else "/" + urls.term(present)


def _frozen(site: Site) -> Iterator[Row]:
    for frozen in site.frozen:
        citation = frozen.entry.citation
        yield Row(
            address=frozen.address,
            kind="frozen",
            name=frozen.entry.name,
            source=citation.source,
            first=citation.release,
            last=citation.release,
            words=digest(frozen.entry.definition),
        )
