"""Finds the promises of the ledger that a site would break.

Every address and id of the ledger must still be there, have the same meaning, and show the promised words. What
to do about a breach is said in `remedies`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    keeps,
    name_mark,
    stands_for_the_same,
    words_by_release,
)
from sitegen.permanence.shown_words import SourceRelease

FAULT = "this is an error in sitegen: please report it"


KINDS = ("term", "frozen", "site", "section", "page", "release", "compare", "data")
"""The kinds of rows, in the order in which messages name them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A promise that a build would break."""

    address: str
    found: str
    row: LedgerRow | None = None
    """The row of the ledger; None for an error in sitegen."""
    needs: tuple[SourceRelease, ...] = ()
    """The releases without which the promise cannot be kept."""
    wording: str = ""
    """The promised wording, if the release that it needs has another one."""
    shown: str = ""
    """The wording that is there instead; empty if there is none."""

    def sort_key(self) -> tuple[int, str]:
        """Terms come first, then what is made of them."""
        kind = self.row.kind if self.row else ""
        return (KINDS.index(kind) if kind in KINDS else len(KINDS)), self.address


def breaches(ledger: Ledger, built: Ledger) -> Iterator[Breach]:
    """Yields every promise of `ledger` that publishing what is `built` would break."""
    for address in sorted(ledger):
        promised, row = ledger[address], built.get(address)
        if row is promised:
            continue
        if row is None:
            lost = (
                "left, and all addresses below it"
                if promised.kind == "site"
                else f"missing; {_former_meaning(promised)}"
            )
            yield Breach(address=address, found=f"would be {lost}", row=promised, needs=needed(promised))
        elif not keeps(row, promised) or row.successor:
            yield from _differences(promised, row, built)


def _differences(promised: LedgerRow, row: LedgerRow, built: Ledger) -> Iterator[Breach]:
    """Yields the promises that an existing page does not keep."""
    address = promised.address
    if not stands_for_the_same(promised, row):
        is_wording = promised.kind == row.kind == "frozen"
        change = "show other words" if is_wording else f"mean {_meaning_of(row)}"
        found = f"would {change}; {_former_meaning(promised)}"
        yield Breach(
            address=address,
            found=found,
            row=promised,
            needs=needed(promised),
            wording=promised.words + name_mark(promised.name) if is_wording else "",
            shown=row.words + name_mark(row.name) if is_wording else "",
        )
    ids = dict(row.fragments)
    for id, meaning in promised.fragments:
        source, _, release = meaning.partition(" ")
        if id not in ids:
            found = f"would be missing; it means {meaning}" if meaning else "would be missing"
            needs = ((source, release),) if release else ()
            yield Breach(address=f"{address}#{id}", found=found, row=promised, needs=needs)
        elif ids[id] != meaning:
            yield Breach(address=f"{address}#{id}", found=f"would mean {ids[id]}; it means {meaning}")
    if promised.wordings != row.wordings:
        yield from _other_words(promised, row)
    if row.successor:
        target = built.get(row.successor)
        if target is None or target.successor:
            fault = f"leads on to {target.successor}" if target else "is missing"
            yield Breach(address=address, found=f"would lead to {row.successor}, which {fault}")


def _other_words(promised: LedgerRow, row: LedgerRow) -> Iterator[Breach]:
    """Yields the releases whose promised words an existing page does not show."""
    shown, id_of = words_by_release(row.wordings), {meaning: id for id, meaning in promised.fragments}
    for at, wording in words_by_release(promised.wordings).items():
        now = shown.get(at, "")
        if now != wording:
            what, id = "name" if now[:12] == wording[:12] else "words", id_of.get(" ".join(at), "")
            yield Breach(
                address=f"{promised.address}#{id}" if id else promised.address,
                found=f"would not show the {what} that {' '.join(at)} had when it was published",
                row=promised,
                needs=(at,),
                wording=wording,
                shown=now,
            )


def needed(row: LedgerRow) -> tuple[SourceRelease, ...]:
    """Returns the releases without which a row has nothing to show."""
    return tuple((row.source, release) for release in row.releases) if row.source else ()


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
    return f"/{parts[1]}/{parts[2]}/" if len(parts) > 3 and parts[1] in ("term", "release") else address
