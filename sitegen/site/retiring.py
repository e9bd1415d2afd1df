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
from dataclasses import dataclass, replace
from operator import attrgetter

from sitegen.addresses import urls
from sitegen.addresses.gate import page_of
from sitegen.addresses.ledger import (
    Ledger,
    LedgerRow,
    keeps,
    of_kind,
    promised_releases,
    stands_for_the_same,
    words_by_release,
)
from sitegen.model import Corrected, Problem, Retired
from sitegen.site.promises import promises, words_of
from sitegen.site.site import Kept, Site
from sitegen.text.names import fold

EDITED = "edited since it was published"
"""The reason that is shown on a frozen page of a release whose text may be edited, if its words changed."""
LISTS = ("page", "release", "section")
"""The kinds of pages on which an id marks a position in a list."""

IdsByAddress = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Published addresses, ids and wordings that the sources no longer produce."""

    rows: tuple[LedgerRow, ...]
    """Addresses that are missing or have another meaning."""
    ids: tuple[tuple[LedgerRow, str], ...]
    """Ids that are missing from existing pages."""
    wordings: frozenset[tuple[str, str]]
    """(source id, release) for which a page shows other words than promised."""


def keep(
    site: Site,
    retired: Iterable[Retired],
    corrected: Iterable[Corrected] = (),
    *,
    withheld: Iterable[Corrected] = (),
    path: str,
) -> Site:
    """Returns the site with all published addresses and ids that it must keep.

    `retired` and `corrected` are the tables of site.toml, which is the file `path`. A table without effect is a
    problem. `withheld` are the corrections that result from withholding words.
    """
    if not site.ledger:
        return site
    there_now = {f"/{urls.section(section.heading)}" for section in site.sections.values()}
    sections = (row.name for row in of_kind(site.ledger, "section") if row.address not in there_now)
    site = replace(site, former_sections=tuple(sorted(sections)))
    tables, corrections = tuple(retired), tuple(corrected)
    lost = _losses(site.ledger, there := promises(site))
    accepted = (*(one for one in corrections if _is_accepted(one, site)), *withheld, *_edited(site, lost))
    if accepted and lost.wordings:
        site = replace(site, corrected=frozenset((one.source, one.release) for one in accepted))
        there = promises(site)
    covers = _Covers(site, there)
    # A page that a [[retired]] covers may have words of a release that was corrected too.
    every = (*_reworded(lost.rows, accepted, there), *covers.kept(lost.rows, (*tables, *_dropped(site, lost))))
    kept = {one.row.address: one for one in every}
    ids = [
        (row, id)
        for row, id in lost.ids
        if covers.is_marked(row, id) or any(covers.id(table, row, id) for table in tables)
    ]
    kept_fragments, retired_ids = _kept_ids(ids, kept.values())
    unused = (*_unused(tables, lost, covers, path=path), *_unused_corrections(corrections, accepted, lost, path=path))
    return replace(
        site,
        rows=there,
        kept=tuple(sorted(kept.values(), key=lambda one: one.row.address)),
        kept_fragments=kept_fragments,
        retired_ids=retired_ids,
        moved=_moved(lost, covers, site),
        problems=tuple(sorted({*site.problems, *unused})),
    )


def _losses(ledger: Ledger, there: Ledger) -> Losses:
    rows = zip(ledger.values(), map(there.get, ledger), strict=True)
    doubtful = [row for row, given in rows if given is not row and (given is None or not keeps(given, row))]
    doubtful.sort(key=attrgetter("address"))
    lost = tuple(row for row in doubtful if not _is_kept(row, there))
    ids: list[tuple[LedgerRow, str]] = []
    reworded = {(row.source, row.first) for row in lost if row.kind == "frozen" and row.address in there}
    for row in doubtful:
        if given := there.get(row.address):
            there_now = dict(given.fragments)
            ids += [(row, id) for id, _ in row.fragments if id not in there_now]
            words_now = words_by_release(given.wordings) if row.wordings else {}
            reworded |= {at for at, words in words_by_release(row.wordings).items() if words_now.get(at) != words}
    return Losses(rows=lost, ids=tuple(ids), wordings=frozenset(reworded))


def _is_kept(row: LedgerRow, there: Ledger) -> bool:
    given = there.get(row.address)
    return given is not None and stands_for_the_same(given, row)


def _is_accepted(correction: Corrected, site: Site) -> bool:
    """True if a correction accepts the current words of its release."""
    editions = site.editions.get(correction.source, ())
    return any(one.release == correction.release and words_of(one) == correction.words for one in editions)


def _edited(site: Site, lost: Losses) -> Iterator[Corrected]:
    """Yields a correction for each release whose text may be edited and was edited."""
    for source in site.sources:
        moving = {release.name for release in source.releases if release.moves}
        for edition in site.editions[source.id] if moving else ():
            if edition.release in moving and (source.id, edition.release) in lost.wordings:
                words = words_of(edition)
                yield Corrected(source=source.id, release=edition.release, words=words, reason=EDITED)


def _dropped(site: Site, lost: Losses) -> Iterator[Retired]:
    """Yields a table for each lost term that only releases had whose text may be edited."""
    moving = {(source.id, one.name) for source in site.sources for one in source.releases if one.moves}
    for row in lost.rows:
        if row.kind == "term" and row.releases and all((row.source, one) in moving for one in row.releases):
            yield Retired(addresses=(row.address,), reason=EDITED)


def _reworded(rows: Iterable[LedgerRow], accepted: tuple[Corrected, ...], there: Ledger) -> Iterator[Kept]:
    """Yields the frozen pages that show corrected words or are missing, with the reason."""
    reasons = {(one.source, one.release): one.reason for one in accepted}
    for row in rows:
        if row.kind == "frozen" and (row.source, row.first) in reasons:
            yield Kept(row=row, reason=reasons[row.source, row.first], has_page=row.address in there)


def _kept_ids(ids: Iterable[tuple[LedgerRow, str]], kept: Iterable[Kept]) -> tuple[IdsByAddress, IdsByAddress]:
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


class _Covers:
    """Decides which losses a `[[retired]]` covers."""

    def __init__(self, site: Site, there: Ledger) -> None:
        self._site = site
        self._there = there
        self._read = {(source.id, release.name) for source in site.sources for release in source.releases}

    def kept(self, rows: Iterable[LedgerRow], tables: tuple[Retired, ...]) -> Iterator[Kept]:
        """Yields each of the lost rows that is covered."""
        for row in rows:
            if table := next((table for table in tables if self.row(table, row)), None):
                yield Kept(row=row, reason=table.reason, has_page=row.address in self._there)

    def row(self, table: Retired, row: LedgerRow) -> bool:
        """True if a table names a lost address, its page, or the source and release that its content came from."""
        if row.address.endswith(urls.feed("/")) and not self._site.base_url:
            return urls.is_web("".join(table.addresses[:1]))  # without an address, a site has no feeds
        page = page_of(row.address)
        of_page = self._site.ledger.get(page)
        if page != row.address and not (of_page and not _is_kept(of_page, self._there)):
            if row.kind == "frozen":
                return self._is_gone(table, row.source, row.first)
            return row.address in table.addresses
        row = of_page if of_page and row.kind in ("data", "page") else row
        if {row.address, page} & {*table.addresses}:
            return True
        # The words of a release that is read stay, unless other words were accepted for it.
        if row.kind == "term" and any(
            self.is_read(row.source, release) and (row.source, release) not in self._site.corrected
            for release in promised_releases(row)
        ):
            return False
        return any(self._is_gone(table, row.source, release) for release in row.releases)

    def id(self, table: Retired, row: LedgerRow, id: str) -> bool:
        """True if a table covers an id that is missing from a page."""
        return self._is_gone(table, *_release_of_id(row, id))

    def is_marked(self, row: LedgerRow, id: str) -> bool:
        """True for an id that only marks a place, or whose release its source still has, in a separate term."""
        return row.kind in LISTS or self.is_read(*_release_of_id(row, id))

    def is_read(self, source: str, release: str) -> bool:
        return (source, release) in self._read

    def _is_gone(self, table: Retired, source: str, release: str) -> bool:
        """True if a table names a source or a release that is no longer read."""
        return (
            bool(source and (table.source or table.releases))
            and table.source in ("", source)
            and (not table.releases or release in table.releases)
            and not self.is_read(source, release)
        )


def _release_of_id(row: LedgerRow, id: str) -> tuple[str, str]:
    source, _, release = dict(row.fragments)[id].partition(" ")
    return source, release


def _moved(lost: Losses, covers: _Covers, site: Site) -> Mapping[str, tuple[str, ...]]:
    """Returns pages of terms that a source no longer shares, to the keys of that source's terms with the name."""
    sources: dict[str, set[str]] = defaultdict(set)
    for row, id in lost.ids:
        source, release = _release_of_id(row, id)
        if row.kind == "term" and covers.is_read(source, release):
            sources[row.address].add(source)
    moved: dict[str, tuple[str, ...]] = {}
    for address, gone in sources.items():
        name = fold(site.ledger[address].name)
        keys = (
            life.key
            for life in site.lives
            for lane in life.term.lanes
            for step in lane.turned
            if lane.source.id in gone and step.entry and fold(step.entry.name) == name
        )
        moved[address] = tuple(dict.fromkeys(keys))
    return moved


def _unused(tables: Iterable[Retired], lost: Losses, covers: _Covers, *, path: str) -> Iterator[Problem]:
    for table in tables:
        of_rows = (covers.row(table, row) for row in lost.rows)
        if not any(of_rows) and not any(covers.id(table, *one) for one in lost.ids):
            what = ", ".join(filter(None, (*table.addresses, table.source, *table.releases)))
            yield Problem(
                path=path,
                line=table.line,
                found=f"[[retired]] {what} names nothing that was published and is missing",
                wanted="remove the table, or correct what it names",
            )


def _unused_corrections(
    corrections: Iterable[Corrected], accepted: tuple[Corrected, ...], lost: Losses, *, path: str
) -> Iterator[Problem]:
    frozen = {(row.source, row.first) for row in lost.rows if row.kind == "frozen"}
    for one in corrections:
        if one not in accepted or (one.source, one.release) not in lost.wordings | frozen:
            yield Problem(
                path=path,
                line=one.line,
                found=f"[[corrected]] {one.source} {one.release} is not about the words that are there now",
                wanted="remove the table; where words changed again, the build prints a new one",
            )
