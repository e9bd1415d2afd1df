"""The ledger: every promised address, its meaning, and which words were shown there. It only grows.

The file is JSON with one address per line, sorted. Each line has a checksum, and the last line has
the number of lines and a checksum of them all, so that an edited line and a lost line are both
found. Git may merge two versions line by line (`merge=union`); the merged file has two such last
lines until the next build. A damaged file is refused with the line, and never repaired.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal, get_args

from sitegen.model import ProblemKind, SitegenError, Trouble
from sitegen.text.decoding import is_plain
from sitegen.text.memo import memo
from sitegen.text.names import fold

HEAD = '{"format": "sitegen ledger 1",'
TAIL = re.compile(r'"end": \{"addresses": ([0-9]+), "sum": "([0-9a-f]{8})"\}\}')

CONFLICT = ("<" * 7, "=" * 7, ">" * 7, "|" * 7)

TAKE_BACK = "take it back from git"
UPGRADE = "it was written by a newer sitegen; upgrade this one"

SHAPES = {
    "site": re.compile("https?://.+", re.DOTALL),
    "term": re.compile("(/[a-z0-9-]+)?/term/[^/]+/"),
    "frozen": re.compile("(/[a-z0-9-]+)?/term/[^/]+/[^/]+/"),
}
"""The forms of addresses that pages link to, or that contain slugs."""

LEFT = re.compile(
    r"(?:/[a-z0-9-]+)?/(?:glossary\.(?:tbx|jsonld)|defined-terms\.jsonld|renames\.json)"
)
"""The data files that earlier versions promised and this one does not write. Their rows are not
read."""

AddressKind = Literal["term", "frozen", "site", "section", "page", "release", "compare", "data"]
KINDS = get_args(AddressKind)
"""In the order in which messages name them."""

Fragments = tuple[tuple[str, str], ...]
"""Ids on a page that may be linked to, each with what is there: `("r1.8.2", "pytorch 1.8.2")`."""
SourceRelease = tuple[str, str]
"""(source id, release)."""
Wordings = Mapping[SourceRelease, str]
"""The wording that the page of a term shows for each release."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerRow:
    """One published address and its meaning."""

    address: str
    """From the site's root, with a leading slash: `/term/aten/`. Of the site itself, all of it:
    `https://…/`."""
    kind: AddressKind
    name: str = ""
    """For a term or a frozen page: the preferred name it was published under."""
    source: str = ""
    first: str = ""
    """The first release of `source` with the content of this address."""
    last: str = ""
    """The last release known when the site was built, in which that was still so; of a comparison,
    the newer one."""
    words: str = ""
    """A digest of the words: those of a frozen page, or the first ones of a term."""
    successor: str = ""
    """The address with the current content, if it is another one."""
    fragments: Fragments = ()
    wordings: Wordings = field(default_factory=dict, hash=False)

    @property
    def meaning(self) -> tuple[str, ...]:
        """Returns the facts about an address that may never change."""
        match self.kind:
            case "term":
                return (self.kind, self.name, self.source, self.first)
            case "frozen":
                return (self.kind, self.source, self.first, self.words)
            case "compare":
                return (self.kind, self.first, self.last)
            case _:
                return (self.kind,)


FACTS = tuple(field.name for field in fields(LedgerRow) if field.name != "address")
PAIRS = ("fragments", "wordings")
TEXTS = frozenset(FACTS) - {*PAIRS}


class LedgerError(SitegenError):
    """The ledger cannot be trusted."""


class DamagedLedgerError(LedgerError):
    """A ledger's text is damaged or cut short."""

    def __init__(self, path: str, line: int, found: str) -> None:
        self.problem = Trouble(ProblemKind.ADDRESS, found).at(path, line=line)
        super().__init__(str(self.problem))


Ledger = Mapping[str, LedgerRow]
"""Rows by address."""


class Rows(dict[str, LedgerRow]):
    """A ledger that is not changed any more. Its text is computed once."""

    @cached_property
    def text(self) -> str:
        lines = [_dumped_row(self[address]) for address in sorted(self)]
        return "\n".join([HEAD, *lines, _tail(lines)]) + "\n"


def of_kind(ledger: Ledger, kind: AddressKind) -> tuple[LedgerRow, ...]:
    """Returns a ledger's rows of a kind, in its order."""
    return tuple(row for row in ledger.values() if row.kind == kind)


@memo  # a save in the preview reads it again: 12 % of the work at 1,000 terms and 10 releases
def parse(text: str, path: str, *, cure: str = TAKE_BACK) -> Ledger:
    """Returns the ledger in a file's text. Raises `DamagedLedgerError`.

    `path` is the file as messages name it, `cure` what they say to do.
    """
    lines = _lines(text)
    if lines[0] != HEAD:
        newer = re.match(r'\{"format": "sitegen ledger [0-9]+"', lines[0])
        raise DamagedLedgerError(
            path, 1, UPGRADE if newer else f"no ledger begins like this; {cure}"
        )
    if not TAIL.fullmatch(lines[-1]) and not any(line.startswith(CONFLICT) for line in lines):
        raise DamagedLedgerError(path, len(lines), f"the ledger is cut short here; {cure}")
    ledger = Rows()
    tails: list[re.Match[str]] = []
    rows: list[str] = []
    for number, line in enumerate(lines[1:], start=2):
        if tail := TAIL.fullmatch(line):
            tails.append(tail)
            continue
        rows.append(line)
        try:
            row = _parse_line(line, cure=cure)
            if has_left(row):
                continue
            previous = ledger.get(row.address)
            ledger[row.address] = _merged(previous, row) if previous else row
        except ValueError as error:
            raise DamagedLedgerError(path, number, str(error)) from error
    if damage := _damage(rows, tails):
        raise DamagedLedgerError(path, 0, f"{damage}; {cure}")
    return ledger


def has_left(row: LedgerRow) -> bool:
    """Returns whether a row is of a data file that is no longer promised."""
    return row.kind == "data" and LEFT.fullmatch(row.address) is not None


def _damage(rows: list[str], tails: list[re.Match[str]]) -> str:
    """Returns what is wrong with the lines of a ledger together; empty if all are there, and of one
    version.

    A file that git merged has the lines of each version, and the last line of each.
    """
    written = max(int(tail[1]) for tail in tails)
    if len(rows) != written and (len(tails) == 1 or len(rows) < written):
        return f"the ledger has {len(rows)} addresses, and {written} were written"
    is_older = len(tails) == 1 and tails[0][0] != _tail(rows)
    return "some lines of the ledger are older than others" if is_older else ""


def readable(text: str) -> Ledger:
    """Returns the rows of all lines that are not damaged, however damaged the file is."""
    ledger = Rows()
    for line in _lines(text):
        with suppress(ValueError):
            row = _parse_line(line)
            if not has_left(row):
                ledger.setdefault(row.address, row)
    return ledger


def _lines(text: str) -> list[str]:
    # Not splitlines(): a name may hold what Python takes for the end of a line, and git does not.
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _tail(rows: list[str]) -> str:
    checksum = hashlib.sha256("".join([row[-12:-4] for row in rows]).encode()).hexdigest()[:8]
    return f'"end": {{"addresses": {len(rows)}, "sum": "{checksum}"}}}}'


def _parse_line(line: str, *, cure: str = "") -> LedgerRow:
    """Returns the row in a line. Raises `ValueError` with what is wrong."""
    if line.startswith(CONFLICT):
        raise ValueError(
            "a merge conflict is unresolved; keep the lines of both sides, drop the marks"
        )
    try:
        facts: dict[str, Any]
        [(address, facts)] = json.loads(f"{{{line.removesuffix(',')}}}").items()
        checksum = facts.pop("sum")
        pairs = {name: facts.pop(name, {}) for name in PAIRS}
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(f"no ledger line could be read here; {cure}") from error
    if line != sealed(line.removesuffix(f', "sum": "{checksum}"}},')):
        raise ValueError(f"the line for {address} was changed (its checksum is wrong); {cure}")
    if not is_plain(address):
        raise ValueError(
            f"the address {_ASCII(address)} has characters that are not visible; {cure}"
        )
    if not _is_understood(address, facts, pairs):
        raise ValueError(f"the line for {address} is not understood: {UPGRADE}")
    fragments, wordings = tuple(pairs["fragments"].items()), _parsed_runs(pairs["wordings"])
    return LedgerRow(address=address, fragments=fragments, wordings=wordings, **facts)


def _is_understood(address: str, facts: dict[str, Any], pairs: dict[str, Any]) -> bool:
    """True for facts that this version can have written."""
    return (
        all(
            isinstance(found, dict) and {*map(type, found.values())} <= {str}
            for found in pairs.values()
        )
        and {*map(type, facts.values())} == {str}
        and facts.keys() <= TEXTS
        and facts.get("kind") in KINDS
        and (facts["kind"] not in SHAPES or SHAPES[facts["kind"]].fullmatch(address) is not None)
    )


def _merged(first: LedgerRow, second: LedgerRow) -> LedgerRow:
    """Merges two rows for one address, as a merge of branches leaves them: the first, with the
    promises of both.

    Git puts the line of the branch that takes in another one first: it was published. The next
    build computes `last` and `successor` anew. Raises `ValueError` if the rows do not agree.
    """
    if not agree(first, second):
        address = second.address
        raise ValueError(
            f"two lines give {address} different meanings; keep the one that was published first"
        )
    wordings = {**second.wordings, **first.wordings}
    return replace(first, fragments=_all_fragments(first, second), wordings=wordings)


def agree(first: LedgerRow, second: LedgerRow) -> bool:
    """Returns True if two rows for one address can both be right.

    Branches that both add a new term may have it from different releases; the words of a newest
    folder are open.
    """

    def facts(row: LedgerRow) -> tuple[str, ...]:
        is_term = row.kind == "term"
        return (row.kind, fold(row.name), row.source) if is_term else row.meaning[:3]

    return facts(first) == facts(second)


def name_mark(name: str) -> str:
    """Returns the end of every wording under a name."""
    return f" {hashlib.sha256(fold(name).encode(errors='surrogatepass')).hexdigest()[:6]}"


def own_words(row: LedgerRow) -> Mapping[str, str]:
    """Returns the wording that a term's page shows for each release of the row's source."""
    return {
        release: wording
        for (source, release), wording in row.wordings.items()
        if source == row.source
    }


def needed(row: LedgerRow) -> tuple[SourceRelease, ...]:
    """Returns the releases without which an address has nothing to show: of a term, all that have
    its name."""
    words, mark = own_words(row), name_mark(row.name)
    named = tuple(release for release in words if words[release].endswith(mark))
    ends = (row.first, row.last) if row.kind == "compare" and row.last else (row.first,)
    return tuple((row.source, release) for release in named or ends) if row.source else ()


def published_releases(ledger: Ledger) -> set[SourceRelease]:
    """Returns each (source id, release) of which a term was published."""
    meanings = {meaning for row in of_kind(ledger, "term") for _, meaning in row.fragments}
    return {
        (source, release) for source, _, release in (meaning.partition(" ") for meaning in meanings)
    }


def _present_wordings(row: LedgerRow, now: LedgerRow, promised: LedgerRow) -> Wordings:
    """Returns the wordings that a page shows now; those whose names were corrected, under the
    published names."""
    present = dict(now.wordings)
    for at, wording in promised.wordings.items():
        if at in row.wordings and present.get(at, "").endswith(wording[12:]):
            present[at] = present[at][:12] + row.wordings[at][12:]
    return present


def _all_fragments(first: LedgerRow, second: LedgerRow) -> Fragments:
    """Returns the fragments of both rows; those of the first where an id is in both."""
    return tuple(sorted({**dict(second.fragments), **dict(first.fragments)}.items()))


_ASCII = json.JSONEncoder().encode
_QUOTED = json.JSONEncoder(ensure_ascii=False).encode
_FACTS_OF = attrgetter(*FACTS)


def _dumped_row(row: LedgerRow) -> str:
    facts = [
        f'"{name}": {_json(value)}'
        for name, value in zip(FACTS, _FACTS_OF(row), strict=True)
        if value
    ]
    return sealed(f"{_ASCII(row.address)}: {{{', '.join(facts)}")


def _json(value: str | Fragments | Wordings) -> str:
    if isinstance(value, str):
        return _QUOTED(value)
    pairs = value if isinstance(value, tuple) else _runs(value)
    return f"{{{', '.join([f'{_QUOTED(key)}: {_QUOTED(text)}' for key, text in pairs])}}}"


def _runs(wordings: Wordings) -> Iterator[tuple[str, str]]:
    """Yields each wording after a source and the releases that have it: `("pytorch\\t1.8.2\\t1.9",
    "3a5c…")`."""
    runs: dict[tuple[str, str], list[str]] = {}
    for (source, release), wording in wordings.items():
        runs.setdefault((source, wording), [source]).append(release)
    for (_, wording), run in runs.items():
        yield "\t".join(run), wording


def _parsed_runs(runs: Mapping[str, str]) -> Wordings:
    wordings = {}
    for run, wording in runs.items():
        source, *releases = run.split("\t")
        wordings.update({(source, release): wording for release in releases})
    return wordings


def sealed(line: str) -> str:
    """Returns a line with the checksum of what precedes it."""
    checksum = hashlib.sha256(line.encode(errors="surrogatepass")).hexdigest()[:8]
    return f'{line}, "sum": "{checksum}"}},'


def dump(ledger: Ledger) -> str:
    """Returns the file's text. It does not depend on the order of the rows."""
    return (ledger if isinstance(ledger, Rows) else Rows(ledger)).text


_GROWING = attrgetter("successor", "fragments", "wordings", "words")


def grown(ledger: Ledger, rows: Iterable[LedgerRow], promised: Ledger | None = None) -> Ledger:
    """Returns the ledger with the rows of a site that breaks none of its promises.

    No address and no id is dropped, and names and first releases stay. The words are those of the
    site. `promised` is the ledger with the present names.
    """
    promised = promised or ledger
    result = Rows(ledger)
    for row in rows:
        old = result.get(row.address)
        if old is None:
            result[row.address] = row
        elif row.last not in ("", old.last) or _GROWING(row) != _GROWING(old):
            result[row.address] = replace(
                old,
                last=row.last or old.last,
                words=row.words,
                successor=row.successor,
                fragments=_all_fragments(old, row),
                wordings=_present_wordings(old, row, promised.get(row.address, old)),
            )
    return result


def united(first: Ledger, second: Ledger, *, places: tuple[object, object]) -> Ledger:
    """Returns all rows of two ledgers with the promises of both. Where words differ, the first one
    is right.

    Raises `LedgerError`, with the `places` of the ledgers, if they give an address different
    meanings.
    """
    result = Rows(first)
    for address in sorted(second):
        old, row = result.get(address, second[address]), second[address]
        if not agree(old, row):
            found = (
                f"{address} has a different meaning in {places[1]}; {TAKE_BACK}, with its "
                f"published meaning"
            )
            raise LedgerError(f"{places[0]}: {found}")
        result[address] = row if old == row else _merged(old, row)
    return result


def lost(ledger: Ledger, published: Ledger) -> Iterator[str]:
    """Yields what `published` has and `ledger` lacks: addresses, and fragments as
    `address#fragment`.

    An address with another meaning in `ledger` is yielded too.
    """
    for address in sorted(published):
        row = ledger.get(address)
        if row is None or not agree(row, published[address]):
            yield address
        elif row.fragments != published[address].fragments:
            ids = dict(row.fragments)
            yield from (
                f"{address}#{id}"
                for id, meaning in published[address].fragments
                if ids.get(id) != meaning
            )
