"""The ledger: every address ever published, what it stands for, and since when. It only grows.

The file is JSON with one address per line, sorted, each line with a checksum of its own, so that git merges it line
by line (with the attribute `merge=union`) and damage is found where it is. Reading one never repairs it: a ledger
that was edited, cut short or rolled back is refused with the line or the addresses that show it, and so is one that
says what this version does not understand.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, Literal, get_args

from sitegen.model import SitegenError
from sitegen.sources.releases import ordered
from sitegen.text import compact_json
from sitegen.text.names import fold

HEAD = '{"format": "sitegen ledger 1",'
TAIL = '"end": true}'

CONFLICT = ("<" * 7, "=" * 7, ">" * 7, "|" * 7)

TAKE_BACK = "take it back from git"
UPGRADE = "it was written by a newer sitegen; upgrade this one"

_SHAPES = {
    "site": re.compile("https?://.+", re.DOTALL),
    "term": re.compile("/term/[a-z0-9-]+/"),
    "frozen": re.compile("/term/[a-z0-9-]+/[^/]+/"),
}
"""How addresses look that we link to, or out of which we read slugs."""

Kind = Literal["site", "page", "section", "release", "compare", "term", "frozen", "data"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One published address and what it stands for."""

    address: str
    """From the site's root, with a leading slash: `/term/aten/`. Of the site itself, all of it: `https://…/`."""
    kind: Kind
    name: str = ""
    """For a term or a frozen page: the preferred name it was published under."""
    source: str = ""
    first: str = ""
    """The first release of `source` that this address speaks of."""
    last: str = ""
    """The last release known when the site was built, in which that was still so; of a comparison, the newer one."""
    words: str = ""
    """A digest of the words: those of a frozen page, or the first ones of a term."""
    successor: str = ""
    """The address that speaks for it today, where that is another one."""
    fragments: tuple[tuple[str, str], ...] = ()
    """Ids on the page that may be linked to, each with what stands there: `("r1.8.2", "pytorch 1.8.2")`."""

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases without which there is nothing to show here."""
        return (self.first, self.last) if self.kind == "compare" and self.last else (self.first,)

    @property
    def meaning(self) -> tuple[str, ...]:
        """What may never change about an address."""
        match self.kind:
            case "term":
                return (self.name, self.source, self.first)
            case "frozen":
                return (self.source, self.first, self.words)
            case "compare":
                return (self.first, self.last)
            case _:
                return ()


FACTS = tuple(field.name for field in fields(Row) if field.name != "address")
TEXTS = frozenset(FACTS) - {"fragments"}
KINDS = get_args(Kind)


class LedgerError(SitegenError):
    """The ledger cannot be trusted."""


Ledger = Mapping[str, Row]
"""Rows by address."""


class Rows(dict[str, Row]):
    """A ledger to which nothing is added any more: its text is written once, however often it is asked for."""

    @cached_property
    def text(self) -> str:
        return _text(self)

    @cached_property
    def by_kind(self) -> Mapping[Kind, tuple[Row, ...]]:
        gathered: dict[Kind, list[Row]] = {}
        for row in self.values():
            gathered.setdefault(row.kind, []).append(row)
        return {kind: tuple(rows) for kind, rows in gathered.items()}


def of_kind(ledger: Ledger, kind: Kind) -> tuple[Row, ...]:
    """Returns a ledger's rows of a kind, in its order."""
    return (ledger if isinstance(ledger, Rows) else Rows(ledger)).by_kind.get(kind, ())


def parse(text: str, path: str, *, cure: str = TAKE_BACK) -> Ledger:
    """Returns the ledger in a file's text. Raises `LedgerError`, with the line, when it is damaged or cut short.

    `path` is the file as messages name it, `cure` what they say to do.
    """
    # Not splitlines(): a name may hold what Python takes for the end of a line, and git does not.
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    if lines[0] != HEAD:
        newer = re.match(r'\{"format": "sitegen ledger [0-9]+"', lines[0])
        raise LedgerError(f"{path}:1: {UPGRADE}" if newer else f"{path}:1: no ledger begins like this; {cure}")
    if lines[-1] != TAIL:
        raise LedgerError(f"{path}:{len(lines)}: the ledger is cut short here, its last line is {TAIL}; {cure}")
    ledger = Rows()
    for number, line in enumerate(lines[1:-1], start=2):
        row = _parse_line(line, f"{path}:{number}", cure=cure)
        before = ledger.get(row.address)
        ledger[row.address] = _joined(before, row, f"{path}:{number}") if before else row
    return ledger


def _parse_line(line: str, place: str, *, cure: str) -> Row:
    if line.startswith(CONFLICT):
        raise LedgerError(f"{place}: a merge conflict is unresolved; keep the lines of both sides, drop the marks")
    try:
        facts: dict[str, Any]
        [(address, facts)] = compact_json.load(f"{{{line.removesuffix(',')}}}").items()
        checksum = facts.pop("sum")
        fragments = facts.pop("fragments", {})
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise LedgerError(f"{place}: no ledger line could be read here; {cure}") from error
    if line != sealed(line.removesuffix(f', "sum": "{checksum}"}},')):
        raise LedgerError(f"{place}: the line for {address} was changed (its checksum is wrong); {cure}")
    if not _is_understood(address, facts, fragments):
        raise LedgerError(f"{place}: the line for {address} is not understood: {UPGRADE}")
    return Row(address=address, fragments=tuple(fragments.items()), **facts)


def _is_understood(address: str, facts: dict[str, Any], fragments: object) -> bool:
    """True for facts that this version can have written."""
    return (
        isinstance(fragments, dict)
        and {*map(type, facts.values()), *map(type, fragments.values())} == {str}
        and facts.keys() <= TEXTS
        and facts.get("kind") in KINDS
        and _has_shape(address, facts["kind"])
    )


def _has_shape(address: str, kind: Kind) -> bool:
    return kind not in _SHAPES or _SHAPES[kind].fullmatch(address) is not None


def _joined(one: Row, two: Row, place: str) -> Row:
    """Two lines for one address, as a merge of branches leaves them: the earlier one, with the fragments of both.

    What may move on (`last`, `successor`) the next build knows better.
    """
    if not agree(one, two):
        raise LedgerError(
            f"{place}: two lines give {two.address} different meanings; keep the one that was published first"
        )
    return replace(_earlier(one, two), fragments=_united(one, two))


def _earlier(one: Row, two: Row) -> Row:
    releases = ordered(filter(None, (one.first, two.first)))
    return two if releases and one.first != releases[0] else one


def agree(one: Row, two: Row) -> bool:
    """True when two rows for one address can both be right: they stand for the same.

    Branches that both bring a new term know it from different releases.
    """
    if one.kind == two.kind == "term":
        return (fold(one.name), one.source) == (fold(two.name), two.source)
    return stands_for_the_same(one, two)


def stands_for_the_same(one: Row, two: Row) -> bool:
    """True where nothing differs that may never change about an address."""
    return one.kind == two.kind and one.meaning == two.meaning


def keeps(given: Row, promised: Row) -> bool:
    """True where a page keeps what was promised of it in just the same way, as nearly all do."""
    return stands_for_the_same(promised, given) and promised.fragments == given.fragments


def _united(one: Row, two: Row) -> tuple[tuple[str, str], ...]:
    """The fragments of both rows; what stands at one was decided by the first."""
    return tuple(sorted({**dict(two.fragments), **dict(one.fragments)}.items()))


def dump(ledger: Ledger) -> str:
    """Returns the file's text: the same for the same rows, whatever order they came in."""
    return ledger.text if isinstance(ledger, Rows) else _text(ledger)


def _text(ledger: Ledger) -> str:
    lines = [_line(ledger[address]) for address in sorted(ledger)]
    return "\n".join([HEAD, *lines, TAIL]) + "\n"


def _line(row: Row) -> str:
    facts = [f'"{name}": {_json(value)}' for name, value in zip(FACTS, _FACTS_OF(row), strict=True) if value]
    return sealed(f"{_ASCII(row.address)}: {{{', '.join(facts)}")


def _json(value: str | tuple[tuple[str, str], ...]) -> str:
    return _QUOTED(value) if isinstance(value, str) else _fragments(value)


@lru_cache  # most terms have the same
def _fragments(fragments: tuple[tuple[str, str], ...]) -> str:
    return f"{{{', '.join([f'{_QUOTED(id)}: {_QUOTED(meaning)}' for id, meaning in fragments])}}}"


_ASCII = json.JSONEncoder().encode
_QUOTED = json.JSONEncoder(ensure_ascii=False).encode
_FACTS_OF = attrgetter(*FACTS)


def sealed(line: str) -> str:
    """Returns a line with its checksum, from all that comes before that."""
    checksum = hashlib.sha256(line.encode(errors="surrogatepass")).hexdigest()[:8]
    return f'{line}, "sum": "{checksum}"}},'


def grown(ledger: Ledger, rows: Iterable[Row]) -> Ledger:
    """Returns the ledger with what this build publishes: nothing is ever dropped, first releases and words stay."""
    result = Rows(ledger)
    for row in rows:
        old = result.get(row.address)
        if old is None:
            result[row.address] = row
        elif _moves_on(old, row):
            result[row.address] = replace(
                old, last=row.last or old.last, successor=row.successor, fragments=_united(old, row)
            )
    return result


def _moves_on(old: Row, row: Row) -> bool:
    """True where a row has something to add to what stands in the ledger."""
    return row.last not in ("", old.last) or row.successor != old.successor or row.fragments != old.fragments


def lost(ledger: Ledger, published: Ledger) -> Iterator[str]:
    """Yields what `published` has and `ledger` lacks: addresses, and fragments as `address#fragment`.

    An address that `ledger` takes for something else is lost too.
    """
    for address in sorted(published):
        mine = ledger.get(address)
        if mine is None or not agree(mine, published[address]):
            yield address
        else:
            if mine.fragments == published[address].fragments:
                continue
            there = dict(mine.fragments)
            yield from (f"{address}#{id}" for id, meaning in published[address].fragments if there.get(id) != meaning)
