"""Compares the promises of the ledger with what a site would publish.

Every address and id must still be there, stand for what it stood for, and show the promised words. `gate` says what
to do where that is not so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sitegen.addresses.ledger import Ledger, LedgerRow, keeps, stands_for_the_same, words_by_release


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A promise that a build would break."""

    address: str
    found: str
    row: LedgerRow | None = None
    """The row of the ledger; None for an error in sitegen."""
    needs: tuple[tuple[str, str], ...] = ()
    """(source, release) without which the promise cannot be kept."""
    reworded: bool = False
    """True if the release that it needs has other words than promised."""


def breaches(ledger: Ledger, there: Ledger) -> Iterator[Breach]:
    """Yields every promise of `ledger` that publishing what is `there` would break."""
    for address in sorted(ledger):
        promised, given = ledger[address], there.get(address)
        if given is promised:
            continue
        if given is None:
            found = f"would be {_missing(promised)}"
            yield Breach(address=address, found=found, row=promised, needs=needed(promised))
        elif not keeps(given, promised) or given.successor:
            yield from _differences(promised, given, there)


def _differences(promised: LedgerRow, given: LedgerRow, there: Ledger) -> Iterator[Breach]:
    """Yields the promises that an existing page does not keep."""
    if not stands_for_the_same(promised, given):
        is_wording = promised.kind == given.kind == "frozen"
        stands = "show other words" if is_wording else f"stand for {_what(given)}"
        found = f"would {stands}; {_stood_for(promised)}"
        yield Breach(address=promised.address, found=found, row=promised, needs=needed(promised), reworded=is_wording)
    ids = dict(given.fragments)
    for id, meaning in promised.fragments:
        address = f"{promised.address}#{id}"
        source, _, release = meaning.partition(" ")
        if id not in ids:
            found = f"would be missing; it stands for {meaning}" if meaning else "would be missing"
            yield Breach(address=address, found=found, row=promised, needs=((source, release),) if release else ())
        elif ids[id] != meaning:
            yield Breach(address=address, found=f"would stand for {ids[id]}; it stands for {meaning}")
    yield from _other_words(promised, given)
    if given.successor:
        target = there.get(given.successor)
        if target is None or target.successor:
            where = f"leads on to {target.successor}" if target else "is missing"
            yield Breach(address=given.address, found=f"would lead to {given.successor}, which {where}")


def _other_words(promised: LedgerRow, given: LedgerRow) -> Iterator[Breach]:
    if promised.wordings == given.wordings:
        return
    shown, ids = words_by_release(given.wordings), {meaning: id for id, meaning in promised.fragments}
    for (source, release), words in words_by_release(promised.wordings).items():
        if shown.get((source, release)) != words:
            id = ids.get(f"{source} {release}", "")
            yield Breach(
                address=f"{promised.address}#{id}" if id else promised.address,
                found=f"would not show the words that {source} {release} had when it was published",
                row=promised,
                needs=((source, release),),
                reworded=True,
            )


def needed(row: LedgerRow) -> tuple[tuple[str, str], ...]:
    """Returns the (source id, release) without which a row has nothing to show."""
    return tuple((row.source, release) for release in row.releases) if row.source else ()


def _missing(row: LedgerRow) -> str:
    return "left, and all addresses below it" if row.kind == "site" else f"missing; {_stood_for(row)}"


def _stood_for(row: LedgerRow) -> str:
    match row.kind:
        case "term" | "frozen" | "release" | "compare":
            return f"it stands for {_what(row)}"
        case _:
            return "it was published"


def _what(row: LedgerRow) -> str:
    span = " to ".join(filter(None, dict.fromkeys((row.first, row.last))))
    match row.kind:
        case "term":
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
