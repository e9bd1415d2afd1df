"""Finds the promises of the ledger that a site would break, and the causes of each.

Every address and id of the ledger must still be there, have the same meaning, and show the promised
words. If a cause is named in site.toml, `keeping` keeps the address in another form; else
`remedies` says what to name there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sitegen.addresses import urls
from sitegen.model import Source
from sitegen.permanence.ledger import (
    KINDS,
    Ledger,
    LedgerRow,
    SourceRelease,
    name_mark,
    needed,
    published_releases,
)

Cause = str | SourceRelease
"""A release that is gone, by which its source retires what it had; or an address that can be
retired by itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Breach:
    """A promise that a site would break."""

    row: LedgerRow
    """The row of the ledger."""
    found: str
    id: str = ""
    """The id on the page; empty for the page itself."""
    at: SourceRelease | None = None
    """The release that had the id or the words."""
    wording: str = ""
    """The promised wording, if it is not shown."""
    shown: str = ""
    """The wording that is there instead; empty if there is none."""
    is_fault: bool = False
    """True for an error in sitegen, which no change of the sources explains."""
    causes: tuple[Cause, ...] = ()
    """What a `[[retired]]` table can name to answer for it."""

    @property
    def address(self) -> str:
        return f"{self.row.address}#{self.id}" if self.id else self.row.address

    @property
    def is_about_page(self) -> bool:
        """True if the page is missing or has another meaning, False for an id or the words of a
        release on it."""
        return not self.id and (self.at is None or self.row.kind == "frozen") and not self.is_fault

    def sort_key(self) -> tuple[int, str]:
        """Terms come first, then what is made of them."""
        return KINDS.index(self.row.kind), self.address


def breaches(ledger: Ledger, rows: Ledger, sources: Iterable[Source] = ()) -> tuple[Breach, ...]:
    """Returns every promise of `ledger` that publishing a site of these rows and sources would
    break."""
    found = [
        breach
        for address, promised in sorted(ledger.items())
        if (row := rows.get(address)) is not promised
        for breach in (_missing(promised) if row is None else _differences(promised, row, rows))
    ]
    causes = _Causes(found, ledger, rows, sources) if found else None
    return (
        tuple(replace(breach, causes=tuple(causes.of(breach))) for breach in found)
        if causes
        else ()
    )


def _missing(promised: LedgerRow) -> Iterator[Breach]:
    is_site = promised.kind == "site"
    lost = (
        "abandoned, with all addresses below it"
        if is_site
        else f"missing; {_former_meaning(promised)}"
    )
    yield _page_breach(promised, f"would be {lost}")


def _page_breach(promised: LedgerRow, found: str, shown: str = "") -> Breach:
    if promised.kind != "frozen":
        return Breach(row=promised, found=found)
    at, wording = (promised.source, promised.first), promised.words + name_mark(promised.name)
    return Breach(row=promised, found=found, at=at, wording=wording, shown=shown)


def _differences(promised: LedgerRow, row: LedgerRow, rows: Ledger) -> Iterator[Breach]:
    """Yields the promises that an existing page does not keep."""
    if promised.meaning != row.meaning:
        is_wording = promised.kind == row.kind == "frozen"
        change = "show other words" if is_wording else f"mean {_meaning_of(row)}"
        shown = row.words + name_mark(row.name) if is_wording else ""
        yield _page_breach(promised, f"would {change}; {_former_meaning(promised)}", shown)
    ids = dict(row.fragments)
    for id, meaning in promised.fragments:
        source, _, release = meaning.partition(" ")
        if id not in ids:
            found = f"would be missing; it means {meaning}" if meaning else "would be missing"
            yield Breach(
                row=promised, id=id, found=found, at=(source, release) if release else None
            )
        elif ids[id] != meaning:
            yield Breach(
                row=promised,
                id=id,
                found=f"would mean {ids[id]}; it means {meaning}",
                is_fault=True,
            )
    yield from _other_words(promised, row) if promised.wordings != row.wordings else ()
    if row.successor:
        target = rows.get(row.successor)
        if target is None or target.successor:
            fault = f"leads on to {target.successor}" if target else "is missing"
            yield Breach(
                row=promised, found=f"would lead to {row.successor}, which {fault}", is_fault=True
            )


def _other_words(promised: LedgerRow, row: LedgerRow) -> Iterator[Breach]:
    """Yields the releases whose promised words an existing page does not show."""
    id_of = {meaning: id for id, meaning in promised.fragments}
    for at, wording in promised.wordings.items():
        if (now := row.wordings.get(at, "")) != wording:
            what = "name" if now[:12] == wording[:12] else "words"
            found = f"would not show the {what} that {' '.join(at)} had when it was published"
            id = id_of.get(" ".join(at), "")
            yield Breach(row=promised, id=id, found=found, at=at, wording=wording, shown=now)


def _former_meaning(row: LedgerRow) -> str:
    is_named = row.kind in ("term", "frozen", "release", "compare")
    return f"it means {_meaning_of(row)}" if is_named else "it was published"


def _meaning_of(row: LedgerRow) -> str:
    match row.kind:
        case "term":
            span = " to ".join(filter(None, dict.fromkeys((row.first, row.last))))
            return f"“{row.name}” of {row.source} {span}".rstrip()
        case "frozen":
            return f"the words of “{row.name}” in {row.source} {row.first}"
        case "release":
            return f"the release {row.name}"
        case "compare":
            return f"what changed from {row.first} to {row.last or 'the latest release'}"
        case kind:
            return f"a {kind}"


def page_of(address: str) -> str:
    """Returns the page of a term or a release to which an address belongs; of any other, itself."""
    parts = address.split("/", 3)
    return (
        f"/{parts[1]}/{parts[2]}/"
        if len(parts) > 3 and parts[1] in ("term", "release")
        else address
    )


class _Causes:
    """Finds the causes of breaches: what is gone from the sources."""

    def __init__(
        self, found: Iterable[Breach], ledger: Ledger, rows: Ledger, sources: Iterable[Source]
    ) -> None:
        self._ledger = ledger
        self._releases = {
            source.id: {release.name for release in source.releases} for source in sources
        }
        self._lost = {breach.row.address for breach in found if breach.is_about_page}
        sites = [row.address for row in ledger.values() if row.kind == "site"]
        self._former_sites = sites if not any(row.kind == "site" for row in rows.values()) else []

    def of(self, breach: Breach) -> Iterator[Cause]:
        """Yields the causes of a breach; nothing if no table can answer for it."""
        row, page = breach.row, page_of(breach.row.address)
        if breach.is_fault:
            return
        if not breach.is_about_page:
            yield from self.gone(breach.at)
        elif row.address.endswith(urls.feed("/")) and self._former_sites:
            yield from self._former_sites  # without an address, a site has no feeds
        elif page != row.address and page not in self._lost:
            if row.kind == "frozen":
                yield from self.gone(breach.at)
            else:  # the page of a release shows that of every source
                name = self._ledger[page].name
                yield from self.gone(
                    *sorted(at for at in published_releases(self._ledger) if at[1] == name)
                )
                yield row.address
        else:
            row = (
                self._ledger[page] if row.kind in ("data", "page") and page in self._ledger else row
            )
            gone = tuple(self.gone(*needed(row)))
            # The words of a release that is read stay.
            yield from gone if row.kind != "term" or len(gone) == len(needed(row)) else ()
            yield from dict.fromkeys((row.address, page))

    def gone(self, *needs: SourceRelease | None) -> Iterator[SourceRelease]:
        """Yields those of some releases that are not read any more."""
        for source, release in filter(None, needs):
            releases = self._releases.get(source)
            if releases is None or (release and release not in releases):
                yield source, release
