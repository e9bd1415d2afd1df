"""What a build promises: a row for every address it publishes, and what becomes of promises nothing stands behind.

The rows are held against the ledger by `gate`. An address that a person retired is kept by a page that says so; an
id that was linked to on a page that lives on is kept there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from sitegen import exports, urls
from sitegen.ledger import Ledger, Row
from sitegen.model import Life, Retired
from sitegen.names import fold
from sitegen.pages.lists import letters
from sitegen.permalinks import anchors
from sitegen.site import Kept, Site
from sitegen.words import digest


def promises(site: Site, ledger: Ledger) -> Ledger:
    """Returns what this site publishes, by address, with what each address stands for.

    A row of `ledger` that still stands for the same is given as it is there, so that both can be compared. Of what
    is in no release yet only the terms are promised, and where they stand without a release.
    """
    found = (
        *_fixed(),
        _a_to_z(site, ledger),
        *_releases(site),
        *_sections(site),
        *_terms(site, ledger),
        *_frozen(site),
        *_data(site),
    )
    there = {row.address: row for row in found}
    for kept in site.kept:
        there[kept.row.address] = replace(kept.row, kind="retired", successor="")
    for address, ids in site.kept_fragments.items():
        meanings = dict(ledger[address].fragments)
        kept_there = ((id, meanings[id]) for id in ids)
        there[address] = replace(there[address], fragments=tuple(sorted((*there[address].fragments, *kept_there))))
    return there


def keep(site: Site, ledger: Ledger, retired: tuple[Retired, ...]) -> Site:
    """Returns the site with what it has to keep: former sections, retired addresses, ids linked to before."""
    sections = {urls.section(section.heading) for section in site.sections.values()}
    former = (row.name for row in ledger.values() if row.kind == "section" and row.address[1:] not in sections)
    site = replace(site, former_sections=tuple(sorted(former)))
    there = promises(site, ledger)
    gone = (row for address, row in sorted(ledger.items()) if address not in there)
    words = ((row, _word(_about(row, ledger), retired)) for row in gone)
    ids = {
        address: tuple(id for id in _lost_ids(row, there[address]) if _is_kept(row, id, retired))
        for address, row in ledger.items()
        if address in there
    }
    return replace(
        site,
        kept=tuple(Kept(row=row, reason=word.reason) for row, word in words if word),
        kept_fragments={address: lost for address, lost in ids.items() if lost},
    )


def _about(row: Row, ledger: Ledger) -> Row:
    """The row that says what another speaks of: a term's data stand for the term."""
    return ledger.get(row.address.removesuffix("index.json"), row) if row.kind == "data" else row


def _word(row: Row, retired: tuple[Retired, ...]) -> Retired | None:
    """What a person said of an address, of the release it speaks of, or of its whole source."""
    return next(
        (
            word
            for word in retired
            if word.address == row.address
            or (not word.address and row.source and _covers(word, row.source, row.first))
        ),
        None,
    )


def _covers(word: Retired, source: str, release: str) -> bool:
    return bool(word.source or word.release) and word.source in ("", source) and word.release in ("", release)


def _lost_ids(promised: Row, given: Row) -> Iterator[str]:
    there = dict(given.fragments)
    return (id for id, _ in promised.fragments if id not in there)


def _is_kept(row: Row, id: str, retired: tuple[Retired, ...]) -> bool:
    """On lists an id only marks a place and always stays; on a term's page a person must have retired its release."""
    if row.kind in ("page", "release", "section"):
        return True
    source, _, release = dict(row.fragments)[id].partition(" ")
    return any(_covers(word, source, release) for word in retired)


def _fixed() -> Iterator[Row]:
    for address in (urls.HOME, urls.RELEASES, urls.ABOUT, urls.SEARCH, urls.NOT_FOUND):
        yield Row(address=f"/{address}", kind="page")


def _a_to_z(site: Site, ledger: Ledger) -> Row:
    """The list of all terms, with the ids by which Sphinx linked to them, each leading to whom it always led."""
    slugs = {**{slug: key for key, slug in site.slugs.items()}, **site.former_slugs}
    address = f"/{urls.A_TO_Z}"
    promised = dict(ledger[address].fragments) if address in ledger else {}
    fragments = [
        (id, was if slugs.get(was := promised.get(id, "")) == key else site.slugs[key])
        for id, key in site.sphinx_ids.items()
    ]
    places = ((letter.anchor, "") for letter in letters(site) if letter.anchor)
    return Row(address=address, kind="page", fragments=tuple(sorted((*fragments, *places))))


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


def _sections(site: Site) -> Iterator[Row]:
    for heading in (*(section.heading for section in site.sections.values()), *site.former_sections):
        yield Row(address="/" + urls.section(heading), kind="section", name=heading)


def _terms(site: Site, ledger: Ledger) -> Iterator[Row]:
    slugs = {**{slug: key for key, slug in site.slugs.items()}, **site.former_slugs}
    for slug, key in slugs.items():
        life = site.by_key[key]
        given = _term(site, life, slug)
        promised = ledger.get(given.address)
        # The ledger's slugs were given first, to the terms they stand for: whoever has one means the same by it.
        if promised:
            given = replace(given, name=promised.name, source=promised.source, first=promised.first)
        yield given


def _term(site: Site, life: Life, slug: str) -> Row:
    called = [
        (lane.source.id, "" if step.release in lane.source.unreleased else step.release, step.entry)
        for lane in life.term.lanes
        for step in lane.steps
        if step.entry and fold(step.entry.name) == fold(site.slug_names[slug])
    ]
    source, first, entry = called[0]
    return Row(
        address="/" + urls.term(slug),
        kind="term",
        name=entry.name,
        source=source,
        first=first,
        last=next((release for id, release, _ in reversed(called) if id == source and release), ""),
        words=digest(entry.definition),
        successor=_successor(site, life, slug),
        fragments=_revisions(life),
    )


def _revisions(life: Life) -> tuple[tuple[str, str], ...]:
    moving = {lane.source.id: lane.source.unreleased for lane in life.term.lanes}
    return tuple(
        sorted(
            (id, f"{source} {release}")
            for (source, release), id in anchors(life).items()
            if release not in moving[source]
        )
    )


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
