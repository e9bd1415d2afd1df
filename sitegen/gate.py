"""The gate: no published address dies, and none comes to mean something else.

What a build is about to publish is held against the ledger. Every address and fragment in it must still be there,
stand for what it stood for, and lead nowhere by way of a page that leads elsewhere. Each breach comes with the way
out: a line for site.toml that keeps a page at the address, or the source that has to be put back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape

from sitegen.ledger import Ledger, Row
from sitegen.model import SitegenError


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A promise that a build would break."""

    address: str
    found: str
    way_out: str


class GateError(SitegenError):
    """A build would break promises. The text lists each of them with the way out."""

    def __init__(self, ledger: str, breaches: Iterable[Breach]) -> None:
        self.breaches = tuple(breaches)
        addresses = "address" if len(self.breaches) == 1 else "addresses"
        head = f"{ledger}: this build would break {len(self.breaches)} published {addresses}"
        super().__init__("\n".join([head, *_by_way_out(self.breaches)]))


def _by_way_out(breaches: Iterable[Breach]) -> Iterator[str]:
    """One way out often mends many promises: it stands once, after all of them."""
    gathered: dict[str, list[Breach]] = {}
    for breach in breaches:
        gathered.setdefault(breach.way_out, []).append(breach)
    for way_out, together in gathered.items():
        yield from (f"  {breach.address}: {breach.found}" for breach in together)
        yield f"    {way_out}"


def check(ledger: Ledger, there: Ledger, *, place: str) -> None:
    """Raises `GateError` when publishing what is `there` would break a promise. `place` is the ledger's file."""
    if found := tuple(breaches(ledger, there)):
        raise GateError(place, found)


class Seen:
    """The pages that were really made, and their ids: a template may have lost what was promised."""

    def __init__(self) -> None:
        self._ids: dict[str, frozenset[str]] = {}

    def add(self, address: str, content: bytes) -> None:
        """Takes a file as it is about to be published."""
        is_page = address.endswith(("/", ".html"))
        found = _ID.findall(content) if is_page else ()
        self._ids[address] = frozenset(unescape(id.decode()) for id in found)

    def check(self, ledger: Ledger, *, place: str) -> None:
        """Raises `GateError` when an address or id of the ledger was not among what was made."""
        found = []
        for address, row in ledger.items():
            lost = [f"#{id}" for id, _ in row.fragments if id not in self._ids.get(address, ())]
            missing = [""] if address not in self._ids else lost
            found += [
                Breach(address=address + id, found="was not made", way_out="mend the template that leaves it out")
                for id in missing
            ]
        if found:
            raise GateError(place, found)


_ID = re.compile(rb'\sid="([^"]+)"')


def breaches(ledger: Ledger, there: Ledger) -> Iterator[Breach]:
    """Yields every promise of `ledger` that publishing what is `there` would break."""
    for address in sorted(ledger):
        promised, given = ledger[address], there.get(address)
        if given is None:
            yield Breach(address=address, found=f"would be missing; {_meaning(promised)}", way_out=_keep(promised))
        else:
            yield from _kept(promised, given, there)


def _kept(promised: Row, given: Row, there: Mapping[str, Row]) -> Iterator[Breach]:
    if given.kind != "retired" and (promised.kind, promised.meaning) != (given.kind, given.meaning):
        yield Breach(
            address=promised.address,
            found=f"would come to stand for something else ({given.meaning}); {_meaning(promised)}",
            way_out=_keep(promised),
        )
    yield from _fragments(promised, given)
    if given.successor:
        target = there.get(given.successor)
        if target is None or target.successor:
            yield Breach(
                address=promised.address,
                found=f"would lead to {given.successor}, which "
                + ("is missing" if target is None else f"leads on to {target.successor}"),
                way_out="name the last of them as replacement",
            )


def _fragments(promised: Row, given: Row) -> Iterator[Breach]:
    """Ids that would be gone, or stand at something else."""
    there = dict(given.fragments)
    for id, meaning in promised.fragments:
        if there.get(id) == meaning:
            continue
        found = "would be missing" if id not in there else f"would stand at something else ({there[id]})"
        yield Breach(
            address=f"{promised.address}#{id}",
            found=f"{found}; it stands at {meaning}" if meaning else found,
            way_out=_gone(meaning),
        )


def _meaning(row: Row) -> str:
    span = row.first if row.last in ("", row.first) else f"{row.first} to {row.last}"
    match row.kind:
        case "term":
            return f"it stands for “{row.name}”, {row.source} {span}".rstrip()
        case "frozen":
            return f"it shows “{row.name}” as it was worded in {row.source} {row.first}"
        case "release":
            return f"it lists what changed in {row.name}"
        case _:
            return "it was published"


def _keep(row: Row) -> str:
    if row.kind in ("frozen", "release"):
        return _gone(f"{row.source} {row.first}")
    back = f"put {row.source} {row.first} back, or keep" if row.kind == "term" else "keep"
    return f"{back} a page there:{_retired('address', row.address)}"


def _gone(meaning: str) -> str:
    """The way out for what spoke of one release of a source: `pytorch 1.8.2`."""
    source, _, release = meaning.partition(" ")
    return f"put {meaning} back, or say that it is gone:{_retired('source', source, release=release)}"


def _retired(key: str, value: str, *, release: str = "") -> str:
    """The lines to paste into site.toml."""
    keys = {key: value, "release": release, "reason": "…"}
    return "".join(f"\n      {line}" for line in ("[[retired]]", *(f'{k} = "{v}"' for k, v in keys.items() if v)))
