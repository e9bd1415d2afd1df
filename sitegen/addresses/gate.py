"""The gate: no published address dies, and none comes to mean something else.

What a build is about to publish is held against the ledger. Every address and fragment in it must still be there,
stand for what it stood for, and lead nowhere by way of a page that leads elsewhere. Each breach comes with the way
out: a table for site.toml that keeps a page at the address, or what has to be put back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from textwrap import indent

from sitegen.addresses import urls
from sitegen.addresses.ledger import Ledger, Row, keeps, stands_for_the_same
from sitegen.config.toml_text import table
from sitegen.model import File, SitegenError

REASON = "…"
FAULT = "this is a fault of sitegen, not of yours: please report it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """What mends a breach: advice, and a table to paste into site.toml, where one will do."""

    advice: str
    header: str = ""
    addresses: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        if not self.header:
            return self.advice
        addresses = self.addresses if len(self.addresses) > 1 else "".join(self.addresses)
        reason = REASON if self.header == "[[retired]]" else ""
        pasted = table(self.header, {"address": addresses, **dict(self.values), "reason": reason})
        return f"{self.advice}:\n{indent(pasted.rstrip(), '  ')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A promise that a build would break."""

    address: str
    found: str
    cure: Cure

    @property
    def way_out(self) -> str:
        return str(self.cure)


class GateError(SitegenError):
    """A build would break promises. The text lists each of them with the way out."""

    def __init__(self, ledger: str, breaches: Iterable[Breach]) -> None:
        self.breaches = tuple(breaches)
        addresses = "address" if len(self.breaches) == 1 else "addresses"
        head = f"{ledger}: this build would break {len(self.breaches)} published {addresses}"
        super().__init__("\n".join([head, *_by_cure(self.breaches)]))


def _by_cure(breaches: Iterable[Breach]) -> Iterator[str]:
    """One cure often mends many promises: it stands once, after all of them."""
    gathered: dict[Cure, list[Breach]] = {}
    for breach in breaches:
        gathered.setdefault(replace(breach.cure, addresses=()), []).append(breach)
    for cure, together in gathered.items():
        yield from (f"  {breach.address}: {breach.found}" for breach in together)
        addresses = dict.fromkeys(address for breach in together for address in breach.cure.addresses)
        yield indent(str(replace(cure, addresses=tuple(addresses))), "    ")


def check(ledger: Ledger, there: Ledger, *, place: str) -> None:
    """Raises `GateError` when publishing what is `there` would break a promise. `place` is the ledger's file."""
    if found := tuple(breaches(ledger, there)):
        raise GateError(place, found)


def lacking(promised: Mapping[str, Collection[str]], file: File) -> tuple[str, ...]:
    """Returns the ids that a file should have and has not: a template may have lost what was `promised`.

    That is: address to ids. Each of those returned comes with its address.
    """
    address = f"/{urls.address(file.path)}"
    if not file.path.endswith(".html") or not (ids := promised.get(address)):
        return ()
    # A template has a space before each attribute; to look for any white space takes seven times as long.
    _, *after = file.content.split(b' id="')
    there = {unescape(text.partition(b'"')[0].decode()) for text in after}
    return tuple(f"{address}#{id}" for id in ids if id not in there)


def check_made(ledger: Ledger, paths: Collection[str], lacking: Iterable[str], *, place: str) -> None:
    """Raises `GateError` when a file that the ledger promises is not among those made, or one is `lacking` ids."""
    missing = [
        row.address for row in ledger.values() if row.kind != "site" and urls.path(row.address[1:]) not in paths
    ]
    if lost := sorted((*missing, *lacking)):
        cure = Cure(advice="mend the template that leaves it out")
        raise GateError(place, [Breach(address=one, found="was not made", cure=cure) for one in lost])


def breaches(ledger: Ledger, there: Ledger) -> Iterator[Breach]:
    """Yields every promise of `ledger` that publishing what is `there` would break."""
    cures = _Cures(ledger, there)
    for address in sorted(ledger):
        promised, given = ledger[address], there.get(address)
        if given is None:
            yield Breach(address=address, found=f"would be {_missing(promised)}", cure=cures.of(promised))
        else:
            if not keeps(given, promised):
                yield from _held_against(promised, given, cures)
            if given.successor:
                yield from _hops(given, there)


def _held_against(promised: Row, given: Row, cures: _Cures) -> Iterator[Breach]:
    """What the page that is there does not keep."""
    if not stands_for_the_same(promised, given):
        found = f"would show other words; {_stood_for(promised)}"
        if promised.kind != "frozen":
            found = f"would stand for {_what(given)}; {_stood_for(promised)}"
        yield Breach(address=promised.address, found=found, cure=cures.of(promised))
    ids = dict(given.fragments)
    for id, meaning in promised.fragments:
        place = f"{promised.address}#{id}"
        if id not in ids:
            found = f"would be missing; it stands for {meaning}" if meaning else "would be missing"
            yield Breach(address=place, found=found, cure=cures.of_id(promised, meaning))
        elif ids[id] != meaning:
            found = f"would stand for {ids[id]}; it stands for {meaning}"
            yield Breach(address=place, found=found, cure=Cure(advice=FAULT))


def _hops(given: Row, there: Ledger) -> Iterator[Breach]:
    target = there.get(given.successor)
    if given.successor and (target is None or target.successor):
        where = f"leads on to {target.successor}" if target else "is missing"
        found = f"would lead to {given.successor}, which {where}"
        yield Breach(address=given.address, found=found, cure=Cure(advice=FAULT))


def _missing(row: Row) -> str:
    return "left, and all addresses below it" if row.kind == "site" else f"missing; {_stood_for(row)}"


def _stood_for(row: Row) -> str:
    match row.kind:
        case "term" | "frozen" | "release" | "compare":
            return f"it stands for {_what(row)}"
        case _:
            return "it was published"


def _what(row: Row) -> str:
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


class _Cures:
    """Knows what is still there, and so what is likely to have gone."""

    def __init__(self, ledger: Ledger, there: Ledger) -> None:
        self._ledger = ledger
        self._there = there

    @cached_property
    def _terms(self) -> list[Row]:
        return [row for row in self._there.values() if row.kind == "term"]

    @cached_property
    def _releases(self) -> set[str]:
        return {meaning for row in self._terms for _, meaning in row.fragments}

    @cached_property
    def _sources(self) -> set[str]:
        return {meaning.partition(" ")[0] for meaning in self._releases} | {row.source for row in self._terms}

    @cached_property
    def _names(self) -> Mapping[tuple[str, str, str], list[str]]:
        """What is new under the sun, by source, first release and words."""
        names: dict[tuple[str, str, str], list[str]] = {}
        for row in self._terms:
            if row.address not in self._ledger:
                names.setdefault((row.source, row.first, row.words), []).append(row.name)
        return names

    def of(self, row: Row) -> Cure:
        """Returns what brings back what an address stood for, or keeps a page there."""
        term = self._ledger.get(term_address(row.address), row)
        if row is not term and term.address not in self._there:
            return self.of(term)
        if row.kind == "site":
            return _site(row.address)
        if gone := next(filter(None, (self._gone(row.source, release) for release in row.releases)), None):
            return gone
        match row.kind:
            case "frozen":
                advice = f"put the words of {row.source} {row.first} back, or say why they were corrected"
                return _retired(advice, source=row.source, release=row.first)
            case "term" if len(names := self._names.get((row.source, row.first, row.words), [])) == 1:
                return _renamed(row, names[0])
            case _:
                return _kept(row)

    def of_id(self, row: Row, meaning: str) -> Cure:
        """Returns what brings back what an id on a page stood for, or keeps the id there."""
        source, _, release = meaning.partition(" ")
        return self._gone(source, release) or (_kept(row) if meaning else Cure(advice=FAULT))

    def _gone(self, source: str, release: str) -> Cure | None:
        """What to do where a whole source or a whole release is gone."""
        if not source:
            return None
        if source not in self._sources:
            moved = f'if another one took its place, write formerly = "{source}" there'
            return _retired(f"put the source {source} back; {moved}; or say that it is gone", source=source)
        if release and f"{source} {release}" not in self._releases:
            return _retired(f"put {source} {release} back, or say that it is gone", source=source, release=release)
        return None


def term_address(address: str) -> str:
    """Returns the address of the term's page to which an address belongs; of any other, itself."""
    page = re.match("/term/[^/]+/", address)
    return page[0] if page else address


def _retired(advice: str, **values: str) -> Cure:
    return Cure(advice=advice, header="[[retired]]", values=tuple(values.items()))


def _kept(row: Row) -> Cure:
    return Cure(advice="put it back, or keep a page there", header="[[retired]]", addresses=(row.address,))


def _renamed(row: Row, name: str) -> Cure:
    advice = f"call it “{row.name}” again, or say what it is called now"
    values = (("source", row.source), ("from", row.name), ("to", name))
    return Cure(advice=advice, header="[[rename]]", values=values)


def _site(address: str) -> Cure:
    advice = f'put base_url = "{address}" back, or publish the same site there too, and say so'
    return Cure(advice=advice, header="[[retired]]", addresses=(address,))
