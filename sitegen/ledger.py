"""The ledger: every address ever published, what it stands for, and since when. It only grows.

The file is JSON with one address per line, sorted, each line with a checksum of its own, so that git merges it line
by line (with the attribute `merge=union`) and damage is found where it is. Reading one never repairs it: a ledger
that was edited, cut short or rolled back is refused with the line or the addresses that show it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from sitegen.model import SitegenError

HEAD = '{"format": "sitegen ledger 1",'
TAIL = '"end": true}'

Kind = Literal["page", "section", "release", "term", "frozen", "data", "retired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One published address and what it stands for."""

    address: str
    """From the site's root, with a leading slash: `/term/aten/`."""
    kind: Kind
    name: str = ""
    """For a term or a frozen page: the preferred name it was published under."""
    source: str = ""
    first: str = ""
    """The first release of `source` that this address speaks of."""
    last: str = ""
    """The last release known when the site was built, in which that was still so."""
    words: str = ""
    """A digest of the words: those of a frozen page, or the first ones of a term."""
    successor: str = ""
    """The address that speaks for it today, where that is another one."""
    fragments: tuple[tuple[str, str], ...] = ()
    """Ids on the page that may be linked to, each with what stands there: `("r1.8.2", "pytorch 1.8.2")`."""

    @property
    def meaning(self) -> tuple[str, ...]:
        """What may never change about an address."""
        match self.kind:
            case "term":
                return (self.name, self.source, self.first)
            case "frozen":
                return (self.source, self.first, self.words)
            case _:
                return ()


class LedgerError(SitegenError):
    """The ledger cannot be trusted."""


Ledger = Mapping[str, Row]
"""Rows by address."""


def parse(text: str, path: str) -> Ledger:
    """Returns the ledger in a file's text. Raises `LedgerError`, with the line, when it is damaged or cut short."""
    # Not splitlines(): a name may hold what Python takes for the end of a line, and git does not.
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    if not lines or lines[0] != HEAD:
        raise LedgerError(f"{path}:1: this is no ledger; it begins with {HEAD} — take it back from git")
    if lines[-1] != TAIL:
        raise LedgerError(
            f"{path}:{len(lines)}: the ledger is cut short here; its last line is {TAIL} — take it back"
        )
    ledger: dict[str, Row] = {}
    for number, line in enumerate(lines[1:-1], start=2):
        row = _parse_line(line, f"{path}:{number}")
        before = ledger.get(row.address)
        ledger[row.address] = _joined(before, row, f"{path}:{number}") if before else row
    return ledger


def _parse_line(line: str, place: str) -> Row:
    conflict = re.match(r"(<{7}|={7}|>{7})", line)
    if conflict:
        raise LedgerError(f"{place}: a merge conflict is unresolved; keep the lines of both sides, drop the marks")
    try:
        facts: dict[str, Any]
        [(address, facts)] = json.loads("{" + line.rstrip().removesuffix(",") + "}").items()
        checksum = facts.pop("sum")
        row = Row(address=address, **{**facts, "fragments": tuple(facts.get("fragments", {}).items())})
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise LedgerError(f"{place}: no ledger line could be read here; take it back from git") from error
    if checksum != _checksum(row):
        raise LedgerError(
            f"{place}: the line for {address} was changed (its checksum is wrong); take it back from git"
        )
    return row


def _joined(one: Row, two: Row, place: str) -> Row:
    """Two lines for one address, as a merge of branches leaves them: the later one, with the fragments of both."""
    if (one.kind, one.name, one.source, one.words) != (two.kind, two.name, two.source, two.words):
        raise LedgerError(
            f"{place}: two lines give {two.address} different meanings; keep the one that was published first"
        )
    return replace(two, first=one.first, fragments=_united(one, two))


def _united(one: Row, two: Row) -> tuple[tuple[str, str], ...]:
    """The fragments of both rows; what stands at one was decided by the first."""
    return tuple(sorted({**dict(two.fragments), **dict(one.fragments)}.items()))


def dump(ledger: Ledger) -> str:
    """Returns the file's text: the same for the same rows, whatever order they came in."""
    lines = [_line(ledger[address]) for address in sorted(ledger)]
    return "\n".join([HEAD, *lines, TAIL]) + "\n"


def _line(row: Row) -> str:
    facts = {**_facts(row), "sum": _checksum(row)}
    return f"{json.dumps(row.address)}: {json.dumps(facts, ensure_ascii=False)},"


def _facts(row: Row) -> dict[str, object]:
    """What is worth writing: every field that says something."""
    values = ((field.name, getattr(row, field.name)) for field in fields(row) if field.name != "address")
    return {name: dict(value) if isinstance(value, tuple) else value for name, value in values if value}


def _checksum(row: Row) -> str:
    text = json.dumps([row.address, _facts(row)], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def grown(ledger: Ledger, rows: Iterable[Row]) -> Ledger:
    """Returns the ledger with what this build publishes: nothing is ever dropped, first releases and words stay."""
    result = dict(ledger)
    for row in rows:
        old = result.get(row.address)
        if old is None:
            result[row.address] = row
        else:
            result[row.address] = replace(
                old, last=row.last or old.last, successor=row.successor, fragments=_united(old, row)
            )
    return result


def missing(ledger: Ledger, published: Ledger) -> Iterator[str]:
    """Yields what `published` has and `ledger` lacks: addresses, and fragments as `address#fragment`."""
    for address in sorted(published):
        mine = ledger.get(address)
        if mine is None:
            yield address
        else:
            lost = dict(published[address].fragments).keys() - dict(mine.fragments).keys()
            yield from (f"{address}#{id}" for id in sorted(lost))
