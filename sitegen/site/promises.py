"""Computes the promises of a site, a ledger row for every address that it publishes, and which ones it would break.

`gate` compares the rows with the ledger, and `retiring` handles promises that the sources no longer keep.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.breaches import breaches
from sitegen.addresses.gate import MAINTENANCE, Inputs, Remedy, remedies
from sitegen.addresses.ledger import Ledger, LedgerRow, as_wordings, of_kind, words_by_release
from sitegen.addresses.owners import slug_of, wording_of
from sitegen.addresses.permalinks import Fragments
from sitegen.model import Edition, Entry, Problem, Source
from sitegen.model.terms import Ids, Term
from sitegen.site import exports
from sitegen.site.comparisons import pairs
from sitegen.site.pages import letters, lists, matrix, release_terms
from sitegen.site.site import LazyMapping, Site
from sitegen.sources.git.dated import period_in
from sitegen.sources.git.refs import SHALLOW
from sitegen.text.names import fold
from sitegen.text.words import digest

UNREADABLE = ("no permission to read", "cannot be read")
"""The beginnings of problems about files and folders that the operating system refuses to read."""

LEFT_OUT = {
    "before": "none of its files match paths",
    "pre-release": "prereleases leaves it out",
    "excluded": "exclude leaves it out",
    "maintenance": MAINTENANCE,
    "other": "tags leaves it out",
}
"""The reason for which a tag is skipped to its explanation."""


def broken_promises(
    site: Site, problems: Iterable[Problem] | None = None, *, former_ids: Mapping[str, tuple[str, ...]]
) -> tuple[Remedy, ...]:
    """Returns the remedies for all promises that publishing the site would break; none if it breaks none.

    `problems` are the site's problems, with paths as messages show them; `former_ids` those of each source that
    site.toml lists.
    """
    found = tuple(breaches(site.ledger, rows_now := promises(site)))
    if not found:
        return ()
    inputs = _inputs(site, tuple(problems or site.problems), former_ids)
    return remedies(found, site.ledger, rows_now, inputs)


def _inputs(site: Site, problems: tuple[Problem, ...], former_ids: Mapping[str, tuple[str, ...]]) -> Inputs:
    editions = {(source, one.release): one for source, all_of in site.editions.items() for one in all_of}
    unread = {place: edition.unread for place, edition in editions.items() if edition.unread}
    names = {name for of_edition in unread.values() for name in of_edition if name}
    return Inputs(
        releases={source.id: {release.name for release in source.releases} for source in site.sources},
        words=LazyMapping(editions, lambda place: words_of(editions[place])),
        unread=unread.keys(),
        left_out=dict(_left_out(site)),
        unread_problems=tuple(
            one
            for one in problems
            if one.found.startswith(UNREADABLE) or any(one.path.endswith(name) for name in names)
        ),
        unreadable=any(one.found.startswith(UNREADABLE) for one in problems),
        shallow_problems=tuple(one for one in problems if one.found == SHALLOW),
        untagged={source.id: _untagged(source) for source in site.sources if _is_untagged(source)},
        former_ids=former_ids,
    )


def _is_untagged(source: Source) -> bool:
    """True if only the unreleased state was read, as in a clone without tags."""
    return bool(source.releases) and all(release.unreleased for release in source.releases)


def _untagged(source: Source) -> Problem:
    wanted = "`git fetch --tags` brings the tags (in a workflow on GitHub, `fetch-depth: 0`)"
    return Problem(path=source.id, found="no release is read, only what is still to come", wanted=wanted)


def _left_out(site: Site) -> Iterator[tuple[tuple[str, str], str]]:
    """Yields (source id, release) of releases that exist but are not read, each with the setting that leaves it out.

    These are skipped tags, with and without the prefix `v`, and dated states of a source whose `by` has changed.
    """
    for source in site.sources:
        periods = {"", *(period_in(release.name) for release in source.releases)}
        for row in of_kind(site.ledger, "release"):
            if row.source == source.id and (period := period_in(row.first)) not in periods:
                yield (source.id, row.first), f'by = "{period}" reads it'
        for skipped in source.skipped:
            for tag in skipped.names:
                for release in (tag, tag.removeprefix("v")):
                    yield (source.id, release), LEFT_OUT[skipped.reason]


Settled = Mapping[str, tuple[str, ...]]
"""Source id to its releases, oldest first; an unreleased one is an empty text."""


class WordingUse(NamedTuple):
    """An entry of a term, and the releases of a source that have its wording."""

    entry: Entry
    source: str
    releases: tuple[str, ...]
    """As in `Settled`."""


def promises(site: Site) -> Ledger:
    """Returns the rows of this site, by address.

    The row of an address whose meaning is unchanged has the name and first release of the ledger's row, so that both
    can be compared. Of unreleased data only the pages of terms are promised, without ids of releases.
    """
    rows_now = {**(site.rows or _rows(site))}
    for kept in site.kept:
        given = rows_now.get(kept.row.address, replace(kept.row, successor=""))
        rows_now[kept.row.address] = replace(kept.row, successor=given.successor, fragments=given.fragments)
    a_to_z = f"/{urls.A_TO_Z}"
    kept_fragments = {**site.kept_fragments}
    for ids in site.retired_ids.values():
        kept_fragments[a_to_z] = (*kept_fragments.get(a_to_z, ()), *ids)
    for address, ids in kept_fragments.items():
        meanings = dict(site.ledger[address].fragments)
        fragments = dict(rows_now[address].fragments) | {id: meanings[id] for id in ids}
        rows_now[address] = replace(rows_now[address], fragments=tuple(sorted(fragments.items())))
    return rows_now


def words_of(edition: Edition) -> str:
    """Returns a digest of all definitions of an edition. A [[corrected]] table in site.toml names it."""
    words = sorted(digest(entry.definition) for entry in edition.entries)
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:12]


def _rows(site: Site) -> Ledger:
    few = chain(_fixed(site), _letters(site), _releases(site), _comparisons(site), _sections(site), _data(site))
    rows = chain(few, (_a_to_z(site),), _terms(site), _frozen(site))
    return {row.address: _as_promised(row, site.ledger.get(row.address)) for row in rows}


def _as_promised(row: LedgerRow, promised: LedgerRow | None) -> LedgerRow:
    """Returns the ledger's row object if it is equal, which makes later comparisons fast."""
    return promised if promised == row else row


def _fixed(site: Site) -> Iterator[LedgerRow]:
    if site.base_url:
        yield LedgerRow(address=site.base_url, kind="site")
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
        yield LedgerRow(address=f"/{address}", kind="page")


def _a_to_z(site: Site) -> LedgerRow:
    """Returns the row of the list of all terms, with the ids by which Sphinx linked to terms, each with a slug."""
    row = site.ledger.get(f"/{urls.A_TO_Z}")
    promised = dict(row.fragments) if row else {}
    fragments = [
        (id, was if site.owners.get(was := promised.get(id, "")) == key else site.slugs[key])
        for id, key in site.sphinx_ids.items()
    ]
    places = ((letters.anchor(letter), "") for letter in lists.letters(site))
    return LedgerRow(address=f"/{urls.A_TO_Z}", kind="page", fragments=tuple(sorted((*fragments, *places))))


def _letters(site: Site) -> Iterator[LedgerRow]:
    for list_, own in ((urls.A_TO_Z, lists.letter_pages(site)), (urls.MATRIX, matrix.letter_pages(site))):
        yield from (LedgerRow(address=f"/{letters.page(list_, letter)}", kind="page") for letter in own)


def _data(site: Site) -> Iterator[LedgerRow]:
    return (LedgerRow(address=f"/{path}", kind="data") for path in exports.paths(site))


def _releases(site: Site) -> Iterator[LedgerRow]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for life in site.lives:
        for change in life.changes:
            kinds[change.release].add(change.kind)
    for name in site.release_names():
        source = next((source for source, release in site.releases(name) if not release.unreleased), None)
        if source is None:
            continue
        yield LedgerRow(
            address="/" + urls.release(name),
            kind="release",
            name=name,
            source=source.id,
            first=name,
            last=name,
            fragments=tuple((kind, "") for kind in sorted(kinds[name])),
        )
        for address in release_terms.addresses(site, name):
            yield LedgerRow(address=f"/{address}", kind="page")


def _comparisons(site: Site) -> Iterator[LedgerRow]:
    for pair in pairs(site):
        if source := next((source for source in site.sources if pair.is_settled(source)), None):
            yield LedgerRow(
                address="/" + urls.comparison(pair.older, pair.newer),
                kind="compare",
                source=source.id,
                first=pair.older,
                last=pair.newer,
            )


def _sections(site: Site) -> Iterator[LedgerRow]:
    for heading in (*(section.heading for section in site.sections.values()), *site.former_sections):
        yield LedgerRow(address="/" + urls.section(heading), kind="section", name=heading)


def _terms(site: Site) -> Iterator[LedgerRow]:
    facts = _TermRows(site)
    return (facts.row(slug, key) for slug, key in site.owners.items())


class _TermRows:
    """Builds the rows of terms, one for each slug."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._settled: Settled = {
            source.id: tuple("" if release.unreleased else release.name for release in source.releases)
            for source in site.sources
        }
        self._promised = {slug_of(row.address): row for row in of_kind(site.ledger, "term")}
        self._successors = _successors(site)
        # Most terms share their ids.
        self._fragments = {id(ids): _fragments(ids, self._settled) for ids in site.ids.values()}

    def row(self, slug: str, key: str) -> LedgerRow:
        """Returns the row of a slug's page; `key` is that of its term."""
        promised, term = self._promised.get(slug), self._site.by_key[key].term
        uses = _uses(term, promised.name if promised else self._site.slug_names[slug], self._settled)
        first = uses[0]
        releases = [release for use in uses if use.source == first.source for release in use.releases if release]
        # An address whose meaning is unchanged keeps the name that it was published with.
        name_key = promised if promised and _is_published_term(promised, uses) else None
        successor = self._successors.get(slug, "")
        return LedgerRow(
            address=f"/{urls.term(slug)}",
            kind="term",
            name=name_key.name if name_key else first.entry.name,
            source=name_key.source if name_key else first.source,
            first=name_key.first if name_key else next(iter(first.releases), ""),
            last=releases[-1] if releases else "",
            words=digest(first.entry.definition),
            successor=successor,
            fragments=self._fragments[id(self._site.ids[slug])],
            wordings=self._wordings(term, promised, is_present=not successor),
        )

    def _wordings(self, term: Term, promised: LedgerRow | None, *, is_present: bool) -> Fragments:
        """Returns the wordings that a page shows for each release, and promised ones that another term has now."""
        found = _wordings(term, self._settled) if is_present else ()
        if promised is None or promised.wordings in ((), found):
            return found
        own = words_by_release(found)
        before = words_by_release(promised.wordings)
        lost = {
            at
            for at, wording in before.items()
            if not _has_words_of(wording, own.get(at, "")) and not self._is_kept(at, wording)
        }
        return as_wordings({at: words for at, words in {**own, **before}.items() if at not in lost})

    def _is_kept(self, at: tuple[str, str], wording: str) -> bool:
        """True if a release still has the wording that was promised for it, under any term.

        The wording was edited if the release defines the name in other words. If the release does not have the name,
        the name was corrected. A missing release breaks other promises: those of its ids.
        """
        if at not in self._editions or at in self._site.corrected:
            return True
        wordings, names = self._editions[at]
        words, _, name = wording.partition(" ")
        return wording in wordings or (name not in names and any(one.startswith(f"{words} ") for one in wordings))

    @cached_property
    def _editions(self) -> Mapping[tuple[str, str], tuple[AbstractSet[str], AbstractSet[str]]]:
        """(source id, release) to the wordings and the names in it."""
        editions = {
            (source, edition.release): edition
            for source, several in self._site.editions.items()
            for edition in several
            if edition.release in self._settled[source]
        }
        return LazyMapping(editions, lambda at: _defined(editions[at]))


def _has_words_of(promised: str, shown: str) -> bool:
    """True if a page shows the promised words, perhaps under a corrected name."""
    return promised.partition(" ")[0] == shown.partition(" ")[0]


def _defined(edition: Edition) -> tuple[AbstractSet[str], AbstractSet[str]]:
    wordings = frozenset(map(wording_of, edition.entries))
    return wordings, frozenset(wording.partition(" ")[2] for wording in wordings)


def _wordings(term: Term, settled: Settled) -> Fragments:
    runs: list[tuple[str, str]] = []
    for lane in term.lanes:
        by_wording: dict[str, list[str]] = {}
        for step, first, past in lane.runs():
            if step.entry and (releases := [name for name in settled[lane.source.id][first:past] if name]):
                by_wording.setdefault(wording_of(step.entry), []).extend(releases)
        runs += [("\t".join((lane.source.id, *releases)), wording) for wording, releases in by_wording.items()]
    return tuple(runs)


def _uses(term: Term, name: str, settled: Settled) -> list[WordingUse]:
    """Returns the uses of a term under a name; if there are none, which breaks a promise, all uses of the term."""
    uses = [
        WordingUse(step.entry, lane.source.id, settled[lane.source.id][first:past])
        for lane in term.lanes
        for step, first, past in lane.runs()
        if step.entry
    ]
    name_key = fold(name)
    return [use for use in uses if fold(use.entry.name) == name_key] or uses


def _is_published_term(promised: LedgerRow, uses: list[WordingUse]) -> bool:
    """True if a term is the published one: its source gives it the name at a promised release or with the promised
    words, or it has the name at another release for which a wording was promised.
    """
    name_key = fold(promised.name)
    worded: AbstractSet[tuple[str, str]] = words_by_release(promised.wordings).keys()
    for use in uses:
        if fold(use.entry.name) != name_key:
            continue
        if use.source == promised.source and (
            not promised.first
            or promised.first in use.releases
            or promised.last in use.releases
            or digest(use.entry.definition) == promised.words
        ):
            return True
        if any((use.source, release) in worded for release in use.releases):
            return True
    return False


def _fragments(ids: Ids, settled: Settled) -> Fragments:
    """Returns the ids of published releases, each with its source and release."""
    promised = ((id, f"{source} {release}") for (source, release), id in ids.items() if release in settled[source])
    return tuple(sorted(promised))


def _successors(site: Site) -> Mapping[str, str]:
    """Returns slug to the address of the page that defines its term today, or "" if that is its own page.

    The address is final: a successor has no successor itself.
    """
    synonyms = {site.slugs[life.key]: life.key for life in site.lives if life.synonym_of}
    found = {}
    for slug, key in (synonyms | dict(site.former_slugs)).items():
        present = site.slugs[site.defining_term(key).key]
        found[slug] = "" if present == slug else f"/{urls.term(present)}"
    return found


def _frozen(site: Site) -> Iterator[LedgerRow]:
    for frozen in site.frozen:
        entry, place = frozen.entry, frozen.entry.place
        yield LedgerRow(
            address=frozen.address,
            kind="frozen",
            name=entry.name,
            source=place.source,
            first=place.release,
            last=place.release,
            words=digest(entry.definition),
        )
