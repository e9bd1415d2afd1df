"""Computes the promises of a site, a ledger row for every address that it publishes, and which ones it would break.

`breaches` compares the rows with the ledger, and `retiring` handles promises that the sources no longer keep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Entry, Problem
from sitegen.model.terms import Ids, Term
from sitegen.permanence.breaches import breaches
from sitegen.permanence.corrections import words_of
from sitegen.permanence.ledger import Fragments, Ledger, LedgerRow, as_wordings, of_kind, wording_of, words_by_release
from sitegen.permanence.remedies import MAINTENANCE, Inputs, Remedy, remedies
from sitegen.site import exports
from sitegen.site.comparisons import pairs
from sitegen.site.pages import letters
from sitegen.site.pages.releases import addresses_in_full
from sitegen.site.site import LazyMapping, Site
from sitegen.sources.git.dated_states import period_in
from sitegen.sources.git.repositories import SHALLOW
from sitegen.text.names import fold
from sitegen.text.words import digest

UNREADABLE = ("no permission to read", "cannot be read")
"""The beginnings of problems about files and folders that the operating system refuses to read."""

LEFT_OUT = {
    "before": "none of its files match paths",
    "pre-release": "prereleases leaves it out",
    "excluded": "exclude leaves it out",
    "alias": "its tag repeats a fuller one or moves",
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
    rows_now = promises(site)
    if not (found := tuple(breaches(site.ledger, rows_now))):
        return ()
    return remedies(found, site.ledger, rows_now, _inputs(site, tuple(problems or site.problems), former_ids))


def _inputs(site: Site, problems: tuple[Problem, ...], former_ids: Mapping[str, tuple[str, ...]]) -> Inputs:
    editions = {(source, one.release): one for source, of_source in site.editions.items() for one in of_source}
    unread = {place: edition.unread for place, edition in editions.items() if edition.unread}
    names = tuple({name for of_source in unread.values() for name in of_source if name})
    wanted = "`git fetch --tags` brings the tags (in a workflow on GitHub, `fetch-depth: 0`)"
    return Inputs(
        releases={source.id: {release.name for release in source.releases} for source in site.sources},
        words=LazyMapping(editions, lambda place: words_of(editions[place])),
        unread=unread.keys(),
        left_out=dict(_left_out(site)),
        unread_problems=tuple(
            one for one in problems if one.found.startswith(UNREADABLE) or one.path.endswith(names)
        ),
        unreadable=any(one.found.startswith(UNREADABLE) for one in problems),
        shallow_problems=tuple(one for one in problems if one.found == SHALLOW),
        untagged={
            source.id: Problem(path=source.id, found="no release is read, only what is still to come", wanted=wanted)
            for source in site.sources
            if source.releases and all(release.unreleased for release in source.releases)
        },
        former_ids=former_ids,
    )


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


def promises(site: Site) -> Ledger:
    """Returns the rows of this site, by address.

    The row of an address whose meaning is unchanged has the name and first release of the ledger's row, so that both
    can be compared. Of unreleased data only the pages of terms are promised, without ids of releases.
    """
    if not (rows_now := {**site.rows}):
        for row in chain(_rows_of_pages(site), _TermRows(site).rows(), _rows_of_wordings(site)):
            promised = site.ledger.get(row.address)
            # Comparing with the ledger is faster where both have the same object.
            rows_now[row.address] = promised if promised == row else row
    for kept in site.kept:
        row_now = rows_now.get(kept.row.address, replace(kept.row, successor=""))
        rows_now[kept.row.address] = replace(kept.row, successor=row_now.successor, fragments=row_now.fragments)
    a_to_z = f"/{urls.A_TO_Z}"
    kept_fragments = {**site.kept_fragments}
    for ids in site.retired_ids.values():
        kept_fragments[a_to_z] = (*kept_fragments.get(a_to_z, ()), *ids)
    for address, ids in kept_fragments.items():
        meanings = dict(site.ledger[address].fragments)
        fragments = dict(rows_now[address].fragments) | {id: meanings[id] for id in ids}
        rows_now[address] = replace(rows_now[address], fragments=tuple(sorted(fragments.items())))
    return rows_now


def _rows_of_pages(site: Site) -> Iterator[LedgerRow]:
    """Yields the rows of all pages and data files, except the pages of terms and of wordings."""
    if site.base_url:
        yield LedgerRow(address=site.base_url, kind="site")
    fixed = (urls.HOME, urls.RELEASES, urls.MATRIX, urls.COMPARE, urls.ABOUT, urls.SEARCH, urls.NOT_FOUND)
    by_letter = (
        letters.page(list_, letter)
        for list_, own in ((urls.A_TO_Z, letters.pages_of_a_to_z(site)), (urls.MATRIX, letters.pages_of_matrix(site)))
        for letter in own
    )
    for address in (*fixed, *site.redirects, *by_letter):
        yield LedgerRow(address=f"/{address}", kind="page")
    yield from _rows_of_releases(site)
    for pair in pairs(site):
        if source := next((source for source in site.sources if pair.is_settled(source)), None):
            address = f"/{urls.comparison(pair.older, pair.newer)}"
            yield LedgerRow(address=address, kind="compare", source=source.id, first=pair.older, last=pair.newer)
    for heading in (*(section.heading for section in site.sections.values()), *site.former_sections):
        yield LedgerRow(address=f"/{urls.section(heading)}", kind="section", name=heading)
    for path in exports.paths(site):
        yield LedgerRow(address=f"/{path}", kind="data")
    yield _row_of_a_to_z(site)


def _row_of_a_to_z(site: Site) -> LedgerRow:
    """Returns the row of the list of all terms, with the ids by which Sphinx linked to terms, each with a slug."""
    row = site.ledger.get(f"/{urls.A_TO_Z}")
    promised = dict(row.fragments) if row else {}
    fragments = [(letters.anchor(letter), "") for letter in letters.of_current(site)]
    for id, key in site.sphinx_ids.items():
        slug = promised.get(id, "")
        fragments.append((id, slug if site.owners.get(slug) == key else site.slugs[key]))
    return LedgerRow(address=f"/{urls.A_TO_Z}", kind="page", fragments=tuple(sorted(fragments)))


def _rows_of_releases(site: Site) -> Iterator[LedgerRow]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for life in site.lives:
        for change in life.changes:
            kinds[change.release].add(change.kind)
    for name in site.release_names():
        source = next((source for source, release in site.releases(name) if not release.unreleased), None)
        if source is None:
            continue
        yield LedgerRow(
            address=f"/{urls.release(name)}",
            kind="release",
            name=name,
            source=source.id,
            first=name,
            last=name,
            fragments=tuple((kind, "") for kind in sorted(kinds[name])),
        )
        for address in addresses_in_full(site, name):
            yield LedgerRow(address=f"/{address}", kind="page")


def _rows_of_wordings(site: Site) -> Iterator[LedgerRow]:
    for frozen in site.frozen:
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

    def __init__(self, site: Site) -> None:
        self._site = site
        self._settled: Settled = {
            source.id: tuple("" if release.unreleased else release.name for release in source.releases)
            for source in site.sources
        }
        self._promised = {urls.slug_in(row.address): row for row in of_kind(site.ledger, "term")}
        # Most terms share their ids.
        self._fragments = {id(ids): self._ids(ids) for ids in site.ids.values()}

    def rows(self) -> Iterator[LedgerRow]:
        successors = _successors(self._site)
        return (self._row(slug, key, successors.get(slug, "")) for slug, key in self._site.owners.items())

    def _row(self, slug: str, key: str, successor: str) -> LedgerRow:
        """Returns the row of a slug's page; `key` is that of its term."""
        promised = self._promised.get(slug)
        all_uses = self._uses(self._site.by_key[key].term)
        # Without a use under the name, which breaks a promise, the row is that of all uses.
        named = fold(promised.name if promised else self._site.slug_names[slug])
        uses = [use for use in all_uses if fold(use.entry.name) == named] or all_uses
        entry, source, releases = uses[0]
        name, first = entry.name, next(iter(releases), "")
        published = [release for use in uses if use.source == source for release in use.releases if release]
        # An address whose meaning is unchanged keeps the name that it was published with.
        if promised and _is_published_term(promised, uses):
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
            fragments=self._fragments[id(self._site.ids[slug])],
            wordings=self._wordings(() if successor else self._shown_wordings(all_uses), promised),
        )

    def _uses(self, term: Term) -> list[WordingUse]:
        return [
            WordingUse(span.entry, lane.source.id, self._settled[lane.source.id][span.first : span.past])
            for lane in term.lanes
            for span in lane.spans
            if span.entry
        ]

    def _ids(self, ids: Ids) -> Fragments:
        """Returns the ids of published releases, each with its source and release."""
        settled = self._settled
        return tuple(
            sorted((id, f"{source} {release}") for (source, release), id in ids.items() if release in settled[source])
        )

    def _shown_wordings(self, uses: Iterable[WordingUse]) -> Fragments:
        """Returns the wordings of a term, each with its releases."""
        by_wording: dict[tuple[str, str], list[str]] = defaultdict(list)
        for use in uses:
            if releases := [name for name in use.releases if name]:
                by_wording[use.source, wording_of(use.entry)] += releases
        return tuple(("\t".join((source, *releases)), wording) for (source, wording), releases in by_wording.items())

    def _wordings(self, current: Fragments, promised: LedgerRow | None) -> Fragments:
        """Returns the wordings that a page shows for each release, and promised ones that another term has now."""
        if promised is None or promised.wordings in ((), current):
            return current
        wordings = dict(words_by_release(current))
        for key, wording in words_by_release(promised.wordings).items():
            # A page that shows the promised words under a corrected name keeps the promise.
            if wording.partition(" ")[0] == wordings.get(key, "").partition(" ")[0] or self._is_kept(key, wording):
                wordings[key] = wording
            else:
                wordings.pop(key, None)
        return as_wordings(wordings)

    def _is_kept(self, key: tuple[str, str], wording: str) -> bool:
        """True if a release still has the wording that was promised for it, under any term.

        The wording was edited if the release defines the name in other words. If the release does not have the name,
        the name was corrected. A missing release breaks other promises: those of its ids.
        """
        if key not in self._editions or key in self._site.corrected:
            return True
        wordings, names = self._editions[key]
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

        def wordings_and_names(key: tuple[str, str]) -> tuple[AbstractSet[str], AbstractSet[str]]:
            wordings = set(map(wording_of, editions[key].entries))
            return wordings, {wording.partition(" ")[2] for wording in wordings}

        return LazyMapping(editions, wordings_and_names)


def _is_published_term(promised: LedgerRow, uses: list[WordingUse]) -> bool:
    """True if a term is the published one: its source gives it the name at a promised release or with the promised
    words, or it has the name at another release for which a wording was promised.
    """
    name_key = fold(promised.name)
    named = [use for use in uses if fold(use.entry.name) == name_key]
    of_source = [use for use in named if use.source == promised.source]
    if of_source and not promised.first:
        return True
    if any(promised.first in use.releases or promised.last in use.releases for use in of_source):
        return True
    if any(digest(use.entry.definition) == promised.words for use in of_source):
        return True
    promised_releases = words_by_release(promised.wordings)
    return any((use.source, release) in promised_releases for use in named for release in use.releases)


def _successors(site: Site) -> Mapping[str, str]:
    """Returns slug to the address of the page that defines its term today, or "" if that is its own page.

    The address is final: a successor has no successor itself.
    """
    synonyms = {site.slugs[life.key]: life.key for life in site.lives if life.synonym_of}
    successors = {}
    for slug, key in (synonyms | dict(site.former_slugs)).items():
        present = site.slugs[site.defining_term(key).key]
        successors[slug] = "" if present == slug else f"/{urls.term(present)}"
    return successors
