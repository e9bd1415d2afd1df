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
from itertools import chain
from operator import attrgetter

from sitegen.addresses import urls
from sitegen.config.tables import Corrected, Retired
from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.permanence.breaches import page_of
from sitegen.permanence.corrections import words_of
from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    as_wordings,
    keeps,
    name_mark,
    of_kind,
    promised_releases,
    stands_for_the_same,
    words_by_release,
)
from sitegen.permanence.permalinks import Permalinks, published_names
from sitegen.permanence.promises import History, KeptAddress, Permanence, promises
from sitegen.permanence.shown_words import SourceRelease, wording_of

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
        open_releases=history.open_releases,
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
    allowed = (
        *(one for one in declared.corrected if _is_accepted(one, history)),
        *declared.withheld,
        *_edited_releases(history),
    )
    ledger, corrected = _with_corrections(ledger, rows, allowed)
    losses = _losses(ledger, rows)
    coverage = _Coverage(history, ledger, rows)
    tables = (*declared.retired, *_retired_by_edits(history, losses))
    kept = {
        one.row.address: one for one in (*_corrected_pages(losses.rows, allowed), *coverage.kept(losses.rows, tables))
    }
    named = {key for table in declared.retired for key in _keys(table)}
    ids = [
        (row, id)
        for row, id in losses.ids
        if coverage.is_marked(row, id) or not named.isdisjoint(coverage.keys_of_id(row, id))
    ]
    kept_fragments, retired_ids = _kept_ids(ids, kept.values())
    permanence = replace(
        permanence,
        ledger=ledger,
        rows=_with_kept(rows, ledger, kept.values(), kept_fragments, retired_ids),
        corrected=corrected,
        kept=tuple(_with_term(kept[address], permanence) for address in sorted(kept)),
        kept_fragments=kept_fragments,
        retired_ids=retired_ids,
    )
    used = {*chain.from_iterable(corrected.values())}
    return permanence, (
        *_unused_tables(declared, losses, coverage),
        *_unused_corrections(declared, used),
        *_added_terms(ledger, rows, history),
    )


def _with_term(kept: KeptAddress, permanence: Permanence) -> KeptAddress:
    """Returns a kept address of a term or a wording with the term that its page leads to."""
    row = kept.row
    if row.kind not in ("term", "frozen"):
        return kept
    of_page = permanence.ledger.get(page_of(row.address), row)
    key = permanence.owners.get(urls.slug_in(row.address), "") if row.kind == "frozen" else ""
    return kept._replace(term=key or permanence.wordings.last_with(row.words or of_page.words, row.source))


Corrections = Mapping[str, tuple[Corrected, ...]]
"""Address to the corrections of the words that its page shows."""


def _with_corrections(ledger: Ledger, rows: Ledger, allowed: Iterable[Corrected]) -> tuple[Ledger, Corrections]:
    """Returns the ledger with the present words where a correction names them, and the corrections by address."""
    by_release: dict[SourceRelease, list[tuple[Corrected, AbstractSet[str]]]] = defaultdict(list)
    for one in allowed:
        by_release[one.source, one.release].append((one, {*map(name_mark, one.terms)}))
    if not by_release:
        return ledger, {}

    def correction(at: SourceRelease, *marks: str) -> Corrected | None:
        return next((one for one, named in by_release.get(at, ()) if not named or named & {*marks}), None)

    changed: dict[str, LedgerRow] = {}
    corrected: dict[str, tuple[Corrected, ...]] = {}
    for address, row in ledger.items():
        now = rows.get(address)
        if now is None or now is row:
            continue
        if row.kind == "frozen" and row.words and not stands_for_the_same(row, now):
            if found := correction((row.source, row.first), name_mark(row.name), name_mark(now.name)):
                changed[address] = replace(row, words=now.words)
                corrected[address] = (found,) if found.words or found.reason else ()
        elif row.kind == "term" and row.wordings != now.wordings:
            shown, wordings = words_by_release(now.wordings), dict(words_by_release(row.wordings))
            used: dict[Corrected, None] = {}
            for at, wording in words_by_release(row.wordings).items():
                present = shown.get(at, "")
                if present != wording and (found := correction(at, wording[12:], present[12:])):
                    used[found] = None
                    if present:
                        wordings[at] = present
                    else:
                        del wordings[at]
            if used:
                changed[address] = replace(row, wordings=as_wordings(wordings))
                corrected[address] = tuple(one for one in used if one.words)
    return {**ledger, **changed} if changed else ledger, corrected


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
    ids = (
        (row, id)
        for row in doubtful
        if row.address in rows_now
        for id, _ in row.fragments
        if id not in dict(rows_now[row.address].fragments)
    )
    return Losses(rows=lost, ids=tuple(ids))


def _is_kept(row: LedgerRow, rows: Ledger) -> bool:
    current = rows.get(row.address)
    return current is not None and stands_for_the_same(current, row)


def _is_accepted(correction: Corrected, history: History) -> bool:
    """True if a correction accepts the present words of its terms."""
    edition = history.by_release.get((correction.source, correction.release))
    return words_of(edition, correction.terms) == correction.words


def _edited_releases(history: History) -> Iterator[Corrected]:
    """Yields a correction for each release whose text may be edited; without a reason for the newest folder."""
    for source in history.sources:
        for release in source.releases:
            if release.moves or release.open:
                reason = EDITED if release.moves else ""
                yield Corrected(source=source.id, release=release.name, terms=(), words="", reason=reason)


def _retired_by_edits(history: History, losses: Losses) -> Iterator[Retired]:
    """Yields a table for each lost term that only releases had whose text may be edited."""
    moving = {(source.id, one.name) for source in history.sources for one in source.releases if one.moves}
    for row in losses.rows:
        if row.kind == "term" and row.releases and all((row.source, one) in moving for one in row.releases):
            yield Retired(addresses=(row.address,), reason=EDITED)


def _corrected_pages(rows: Iterable[LedgerRow], allowed: Iterable[Corrected]) -> Iterator[KeptAddress]:
    """Yields the frozen pages that are missing because their words were corrected away, with the reason."""
    allowed = tuple(one for one in allowed if one.words or one.reason)
    for row in rows:
        for one in allowed if row.kind == "frozen" else ():
            if (one.source, one.release) == (row.source, row.first) and (not one.terms or row.name in one.terms):
                yield KeptAddress(row=row, reason=one.reason)
                break


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

    def __init__(self, history: History, ledger: Ledger, rows_now: Ledger) -> None:
        self._ledger = ledger
        self._rows_now = rows_now
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
        # The words of a release that is read stay.
        if row.kind != "term" or not any(self.is_read(row.source, release) for release in promised_releases(row)):
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


def _added_terms(ledger: Ledger, rows: Ledger, history: History) -> Iterator[Problem]:
    """Yields a problem for each published release that has terms which it did not have when it was published."""
    meanings = {row.fragments for row in of_kind(ledger, "term")}
    published = {tuple(meaning.split(" ", 1)) for fragments in meanings for _, meaning in fragments}
    editable = {(one.source, one.release) for one in _edited_releases(history)}
    added: dict[SourceRelease, set[str]] = defaultdict(set)
    for address, row in rows.items():
        before = ledger.get(address)
        if row.kind == "term" and row is not before:
            promised = words_by_release(before.wordings) if before else {}
            for at, wording in words_by_release(row.wordings).items():
                if at not in promised and at in published and at not in editable:
                    added[at].add(wording)
    if not added:
        return
    known = {pair for row in of_kind(ledger, "term") for pair in words_by_release(row.wordings).items()}
    for at, wordings in added.items():
        new = {wording for wording in wordings if (at, wording) not in known}
        entries = [entry for entry in history.by_release[at].entries if wording_of(entry) in new]
        if entries:
            terms = "a term" if len(entries) == 1 else f"{len(entries)} terms"
            found = (
                f"{' '.join(at)} has {terms} that it did not have when it was published, such as “{entries[0].name}”"
            )
            yield Problem(kind=ProblemKind.ADDED, path=entries[0].place.path, line=entries[0].line, found=found)


def _unused_tables(declared: Declared, losses: Losses, coverage: _Coverage) -> Iterator[Problem]:
    lost = {key for row in losses.rows for key in coverage.keys(row)}
    lost |= {key for missing_id in losses.ids for key in coverage.keys_of_id(*missing_id)}
    for table in declared.retired:
        if lost.isdisjoint(_keys(table)):
            names = ", ".join(filter(None, (*table.addresses, table.source, *table.releases)))
            yield Trouble(
                ProblemKind.SETTINGS,
                f"[[retired]] {names} names nothing that was published and is missing",
                "remove the table, or correct what it names",
            ).at(declared.path, line=table.line)


def _unused_corrections(declared: Declared, used: AbstractSet[Corrected]) -> Iterator[Problem]:
    for correction in declared.corrected:
        if correction not in used:
            about = (correction.source, correction.release, *correction.terms)
            yield Trouble(
                ProblemKind.SETTINGS,
                f"[[corrected]] {' '.join(about)} is not about the words that are there now",
                "remove the table; where words changed again, the build prints a new one",
            ).at(declared.path, line=correction.line)
