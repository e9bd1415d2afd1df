"""Keeps published sections, addresses and ids that the sources no longer produce.

Three things are always kept: the page of a section without terms, ids that mark a position in a list, and ids of
releases on the page of a term that a source no longer shares (the page links to the source's terms). Other addresses
are kept if a `[[retired]]` table of site.toml covers them: by a page with the reason, or by a notice if the page
exists. `[[retired]]` never covers an unchanged address, nor changed words: those need a `[[corrected]]` table with
the digest of the current words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from sitegen.addresses import urls
from sitegen.config.tables import Corrected, Retired
from sitegen.model import Problem, ProblemKind
from sitegen.permanence.breaches import SourceRelease, page_of
from sitegen.permanence.corrections import words_of
from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    keeps,
    of_kind,
    promised_releases,
    stands_for_the_same,
    words_by_release,
)
from sitegen.permanence.permalinks import Permalinks, published_names
from sitegen.permanence.promises import History, KeptAddress, Permanence, promises
from sitegen.text.names import fold

EDITED = "edited since it was published"
"""The reason that is shown on a frozen page of a release whose text may be edited, if its words changed."""
LISTS = ("page", "release", "section")
"""The kinds of pages on which an id marks a position in a list."""

CoverageKey = str | SourceRelease
"""What a `[[retired]]` table names, and what a loss can be named by: an address, or a release of a source."""
NO_ADDRESS = "no address"
"""The key of feeds, which are lost if the site has no absolute address any more."""

IdsByAddress = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The tables of site.toml about what was published."""

    path: str = "site.toml"
    retired: tuple[Retired, ...] = ()
    corrected: tuple[Corrected, ...] = ()
    withheld: tuple[Corrected, ...] = ()
    """The corrections that result from withholding words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Published addresses, ids and wordings that the sources no longer produce."""

    rows: tuple[LedgerRow, ...]
    """Addresses that are missing or have another meaning."""
    ids: tuple[tuple[LedgerRow, str], ...]
    """Ids that are missing from existing pages."""
    wordings: frozenset[tuple[str, str]]
    """(source id, release) for which a page shows other words than promised."""


def promised(links: Permalinks, history: History, *, published: Ledger, ledger: Ledger) -> Permanence:
    """Returns the addresses of terms with what was promised of all addresses, for `keep`.

    `published` is the ledger, and `ledger` the same with the present ids and names.
    """
    headings = {life.entry.section for life in history.lives if life.entry.section and life.is_defined}
    sections = {f"/{urls.section(heading)}" for heading in headings}
    facts = {one.name: getattr(links, one.name) for one in fields(links)}
    return Permanence(
        **{**facts, "slug_names": {**links.slug_names, **published_names(published)}},
        ledger=ledger,
        former_sections=tuple(sorted(one.name for one in of_kind(ledger, "section") if one.address not in sections)),
    )


def keep(
    permanence: Permanence, history: History, pages: Iterable[LedgerRow], declared: Declared
) -> tuple[Permanence, tuple[Problem, ...]]:
    """Returns the addresses of a site with all published ones that it must keep, and problems of the declarations.

    `pages` are the rows of pages that are not about one term. A declaration without effect is a problem.
    """
    ledger, page_rows = permanence.ledger, tuple(pages)
    rows = promises(page_rows, history, permanence, ledger)
    if not ledger:
        return replace(permanence, rows=rows), ()
    losses = _losses(ledger, rows)
    accepted = (
        *(one for one in declared.corrected if _is_accepted(one, history)),
        *declared.withheld,
        *_corrections_of_edited(history, losses),
    )
    corrected = frozenset((one.source, one.release) for one in accepted) if losses.wordings else frozenset()
    if corrected:
        rows = promises(page_rows, history, permanence, ledger, corrected=corrected)
    coverage = _Coverage(history, ledger, rows, corrected)
    retired = declared.retired
    # A page that a [[retired]] covers may have words of a release that was corrected too.
    kept_rows = (
        *_reworded_pages(losses.rows, accepted, rows),
        *coverage.kept(losses.rows, (*retired, *_retired_by_edits(history, losses))),
    )
    kept = {one.row.address: one for one in kept_rows}
    named = {key for table in retired for key in _keys(table)}
    ids = [
        (row, id)
        for row, id in losses.ids
        if coverage.is_marked(row, id) or not named.isdisjoint(coverage.keys_of_id(row, id))
    ]
    kept_fragments, retired_ids = _kept_ids(ids, kept.values())
    permanence = replace(
        permanence,
        rows=_with_kept(rows, ledger, kept.values(), kept_fragments, retired_ids),
        kept=tuple(sorted(kept.values(), key=lambda one: one.row.address)),
        kept_fragments=kept_fragments,
        retired_ids=retired_ids,
        moved=_moved_terms(losses, coverage, history),
    )
    return permanence, (
        *_unused_tables(declared, losses, coverage),
        *_unused_corrections(declared, accepted, losses),
    )


def _with_kept(
    rows: Ledger,
    ledger: Ledger,
    kept: Iterable[KeptAddress],
    kept_fragments: IdsByAddress,
    retired_ids: IdsByAddress,
) -> Ledger:
    """Returns rows with those of kept addresses and ids."""
    rows_now = {**rows}
    for one in kept:
        row_now = rows_now.get(one.row.address, replace(one.row, successor=""))
        rows_now[one.row.address] = replace(one.row, successor=row_now.successor, fragments=row_now.fragments)
    kept_ids = {**kept_fragments}
    a_to_z = f"/{urls.A_TO_Z}"
    for ids in retired_ids.values():
        kept_ids[a_to_z] = (*kept_ids.get(a_to_z, ()), *ids)
    for address, ids in kept_ids.items():
        meanings = dict(ledger[address].fragments)
        fragments = dict(rows_now[address].fragments) | {id: meanings[id] for id in ids}
        rows_now[address] = replace(rows_now[address], fragments=tuple(sorted(fragments.items())))
    return rows_now


def _losses(ledger: Ledger, rows_now: Ledger) -> Losses:
    rows = zip(ledger.values(), map(rows_now.get, ledger), strict=True)
    doubtful = [row for row, current in rows if current is not row and (current is None or not keeps(current, row))]
    doubtful.sort(key=attrgetter("address"))
    lost = tuple(row for row in doubtful if not _is_kept(row, rows_now))
    ids: list[tuple[LedgerRow, str]] = []
    reworded = {(row.source, row.first) for row in lost if row.kind == "frozen" and row.address in rows_now}
    for row in doubtful:
        if current := rows_now.get(row.address):
            current_ids = dict(current.fragments)
            ids += [(row, id) for id, _ in row.fragments if id not in current_ids]
            words_now = words_by_release(current.wordings) if row.wordings else {}
            reworded |= {at for at, words in words_by_release(row.wordings).items() if words_now.get(at) != words}
    return Losses(rows=lost, ids=tuple(ids), wordings=frozenset(reworded))


def _is_kept(row: LedgerRow, rows: Ledger) -> bool:
    current = rows.get(row.address)
    return current is not None and stands_for_the_same(current, row)


def _is_accepted(correction: Corrected, history: History) -> bool:
    """True if a correction accepts the current words of its release."""
    edition = history.by_release.get((correction.source, correction.release))
    return edition is not None and words_of(edition) == correction.words


def _corrections_of_edited(history: History, losses: Losses) -> Iterator[Corrected]:
    """Yields a correction for each release whose text may be edited and was edited."""
    for source in history.sources:
        moving = {release.name for release in source.releases if release.moves}
        for edition in history.editions[source.id] if moving else ():
            if edition.release in moving and (source.id, edition.release) in losses.wordings:
                words = words_of(edition)
                yield Corrected(source=source.id, release=edition.release, words=words, reason=EDITED)


def _retired_by_edits(history: History, losses: Losses) -> Iterator[Retired]:
    """Yields a table for each lost term that only releases had whose text may be edited."""
    moving = {(source.id, one.name) for source in history.sources for one in source.releases if one.moves}
    for row in losses.rows:
        if row.kind == "term" and row.releases and all((row.source, one) in moving for one in row.releases):
            yield Retired(addresses=(row.address,), reason=EDITED)


def _reworded_pages(
    rows: Iterable[LedgerRow], accepted: tuple[Corrected, ...], rows_now: Ledger
) -> Iterator[KeptAddress]:
    """Yields the frozen pages that show corrected words or are missing, with the reason."""
    reasons = {(one.source, one.release): one.reason for one in accepted}
    for row in rows:
        if row.kind == "frozen" and (row.source, row.first) in reasons:
            yield KeptAddress(row=row, reason=reasons[row.source, row.first], has_page=row.address in rows_now)


def _kept_ids(ids: Iterable[tuple[LedgerRow, str]], kept: Iterable[KeptAddress]) -> tuple[IdsByAddress, IdsByAddress]:
    """Returns the ids that pages keep, and those by which the list A–Z linked to retired terms, by address."""
    retired = {one.row.address for one in kept if one.row.kind == "term" and not one.has_page}
    on_pages: dict[str, tuple[str, ...]] = defaultdict(tuple)
    of_terms: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for row, id in ids:
        term = f"/{urls.term(dict(row.fragments)[id])}" if row.address == f"/{urls.A_TO_Z}" else ""
        if term in retired:
            of_terms[term] += (id,)
        else:
            on_pages[row.address] += (id,)
    return dict(on_pages), dict(of_terms)


class _Coverage:
    """Determines which losses a `[[retired]]` table covers."""

    def __init__(
        self, history: History, ledger: Ledger, rows_now: Ledger, corrected: AbstractSet[SourceRelease]
    ) -> None:
        self._ledger = ledger
        self._rows_now = rows_now
        self._corrected = corrected
        self._read = {(source.id, release.name) for source in history.sources for release in source.releases}
        self._has_address = any(row.kind == "site" for row in rows_now.values())

    def kept(self, rows: Iterable[LedgerRow], tables: tuple[Retired, ...]) -> Iterator[KeptAddress]:
        """Yields each of the lost rows that is covered, with the reason of the first table that covers it."""
        first = {key: number for number, table in reversed([*enumerate(tables)]) for key in _keys(table)}
        for row in rows:
            if numbers := [first[key] for key in self.keys(row) if key in first]:
                yield KeptAddress(row=row, reason=tables[min(numbers)].reason, has_page=row.address in self._rows_now)

    def keys(self, row: LedgerRow) -> Iterator[CoverageKey]:
        """Yields what a table can name to cover a lost row: its address, its page, or where its content came from."""
        if row.address.endswith(urls.feed("/")) and not self._has_address:
            yield NO_ADDRESS  # without an address, a site has no feeds
            return
        page = page_of(row.address)
        of_page = self._ledger.get(page)
        if page != row.address and not (of_page and not _is_kept(of_page, self._rows_now)):
            if row.kind == "frozen":
                yield from self._gone(row.source, row.first)
            else:
                yield row.address
            return
        row = of_page if of_page and row.kind in ("data", "page") else row
        yield from (row.address, page)
        # The words of a release that is read stay, unless other words were accepted for it.
        if row.kind != "term" or not any(
            self.is_read(row.source, release) and (row.source, release) not in self._corrected
            for release in promised_releases(row)
        ):
            for release in row.releases:
                yield from self._gone(row.source, release)

    def keys_of_id(self, row: LedgerRow, id: str) -> Iterator[CoverageKey]:
        """Yields what a table can name to cover an id that is missing from a page."""
        return self._gone(*_release_of_id(row, id))

    def is_marked(self, row: LedgerRow, id: str) -> bool:
        """True for an id that only marks a place, or whose release its source still has, in a separate term."""
        return row.kind in LISTS or self.is_read(*_release_of_id(row, id))

    def is_read(self, source: str, release: str) -> bool:
        return (source, release) in self._read

    def _gone(self, source: str, release: str) -> Iterator[CoverageKey]:
        """Yields what a table can name if a release is no longer read."""
        if source and not self.is_read(source, release):
            yield from ((source, release), (source, ""), ("", release))


def _keys(table: Retired) -> Iterator[CoverageKey]:
    """Yields what a table covers: addresses, and (source id, release), where one of both can be empty for all."""
    yield from table.addresses
    if urls.is_web("".join(table.addresses[:1])):
        yield NO_ADDRESS
    if table.source or table.releases:
        yield from ((table.source, release) for release in table.releases or ("",))


def _release_of_id(row: LedgerRow, id: str) -> tuple[str, str]:
    source, _, release = dict(row.fragments)[id].partition(" ")
    return source, release


def _moved_terms(losses: Losses, coverage: _Coverage, history: History) -> Mapping[str, tuple[str, ...]]:
    """Returns pages of terms that a source no longer shares, to the keys of that source's terms with the name."""
    sources: dict[str, set[str]] = defaultdict(set)
    names: dict[str, str] = {}
    for row, id in losses.ids:
        source, release = _release_of_id(row, id)
        if row.kind == "term" and coverage.is_read(source, release):
            sources[row.address].add(source)
            names[row.address] = row.name
    moved: dict[str, tuple[str, ...]] = {}
    for address, source_ids in sources.items():
        name = fold(names[address])
        keys = (
            life.key
            for life in history.lives
            for lane in life.term.lanes
            for span in lane.spans
            if lane.source.id in source_ids and span.entry and fold(span.entry.name) == name
        )
        moved[address] = tuple(dict.fromkeys(keys))
    return moved


def _unused_tables(declared: Declared, losses: Losses, coverage: _Coverage) -> Iterator[Problem]:
    lost = {key for row in losses.rows for key in coverage.keys(row)}
    lost |= {key for missing_id in losses.ids for key in coverage.keys_of_id(*missing_id)}
    for table in declared.retired:
        if lost.isdisjoint(_keys(table)):
            names = ", ".join(filter(None, (*table.addresses, table.source, *table.releases)))
            yield Problem(
                kind=ProblemKind.SETTINGS,
                path=declared.path,
                line=table.line,
                found=f"[[retired]] {names} names nothing that was published and is missing",
                wanted="remove the table, or correct what it names",
            )


def _unused_corrections(declared: Declared, accepted: tuple[Corrected, ...], losses: Losses) -> Iterator[Problem]:
    frozen = {(row.source, row.first) for row in losses.rows if row.kind == "frozen"}
    for correction in declared.corrected:
        release = (correction.source, correction.release)
        if correction not in accepted or release not in losses.wordings | frozen:
            yield Problem(
                kind=ProblemKind.SETTINGS,
                path=declared.path,
                line=correction.line,
                found=f"[[corrected]] {' '.join(release)} is not about the words that are there now",
                wanted="remove the table; where words changed again, the build prints a new one",
            )
