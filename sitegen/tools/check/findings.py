"""The findings of `sitegen check`: mistakes in a site and in its sources that do not stop a build.

Each function yields the findings of one kind, each with its path and line.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from sitegen.addresses import urls
from sitegen.addresses.gate import Remedy
from sitegen.addresses.ledger import Ledger, LedgerRow, lost
from sitegen.config.parsing import Config
from sitegen.history.references import Resolver, resolve_all
from sitegen.model import Citation, Problem, Verdict
from sitegen.site.site import Site
from sitegen.text.names import exact, fold
from sitegen.tools.check.built_site import BuiltSite
from sitegen.tools.suggestions import SuggestedEntry, Suggestion, suggestions

# Letters of other alphabets that look like a Latin letter in common typefaces.
_LOOKALIKES = {
    **dict(zip("аеорсухѕіјһԁԛԝѵӏү", "aeopcyxsijhdqwvly", strict=True)),
    **dict(zip("АВЕЗКМНОРСТУХЅІЈԌԚԜѴӀҮ", "ABE3KMHOPCTYXSIJGQWVIY", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ", strict=True)),
    **dict(zip("ονιρϲϳ", "ovipcj", strict=True)),
    **dict(zip("ɡıɑ", "gia", strict=True)),
}
_QUOTES = {**dict.fromkeys("‘’‚‛′ʹʼ`´", "'"), **dict.fromkeys("“”„‟″«»", '"')}
# Decompositions of full-width, half-width and mathematical letters and of ligatures.
_VARIANTS = ("<wide>", "<narrow>", "<font>", "<compat>", "<noBreak>")
# Invisible characters that are not in the category Cf.
_BLANKS = frozenset("\u034f\u115f\u1160\u3164\uffa0\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """A name of a term, and its last citation."""

    key: str
    name: str
    citation: Citation


def lookalikes(
    site: Site, *, verdicts: Iterable[Verdict] = (), shown: Callable[[str], str] = str
) -> tuple[Problem, ...]:
    """Returns a problem for each name that looks like another term's, unless a verdict says they are distinct.

    `shown` turns a path into the path to show.
    """
    verdicts = tuple(verdicts)
    by_shape: dict[str, dict[str, _Use]] = defaultdict(dict)
    for use in _uses(site):
        by_shape[shape(use.name)][fold(use.name)] = use
    return tuple(
        sorted(
            problem
            for uses in by_shape.values()
            if len(uses) > 1
            for problem in _problems(sorted(uses.values(), key=_by_oddity), verdicts, shown=shown)
        )
    )


def _uses(site: Site) -> Iterator[_Use]:
    """Yields every name of every term; current terms come last, so that their citation is kept."""
    for life in sorted(site.lives, key=lambda life: life.is_defined):
        for lane in life.term.lanes:
            for entry in lane.entries:
                if entry:
                    for designation in entry.designations:
                        yield _Use(key=life.key, name=exact(designation.text), citation=entry.citation)


def _by_oddity(use: _Use) -> tuple[int, str]:
    return (len(_odd(use.name)), use.name)


def _problems(uses: list[_Use], verdicts: tuple[Verdict, ...], *, shown: Callable[[str], str]) -> Iterator[Problem]:
    """Yields a problem for each of the names but the one with the fewest unusual characters."""
    plain, *others = uses
    for use in others:
        if use.key != plain.key and not _are_distinct(use.name, plain.name, verdicts):
            place = f"{shown(plain.citation.path)}:{plain.citation.line}"
            yield Problem(
                path=shown(use.citation.path),
                line=use.citation.line,
                found=f"“{use.name}” looks like “{plain.name}” ({place}) and is not: it has {_described(use.name)}",
                wanted="write both with the same characters, or say in site.toml that they are [[distinct]]",
            )


def _are_distinct(one: str, two: str, verdicts: tuple[Verdict, ...]) -> bool:
    said = (set(map(fold, verdict.names)) for verdict in verdicts if verdict.kind == "distinct")
    return any({fold(one), fold(two)} <= names for names in said)


def _described(name: str) -> str:
    """Returns the Unicode names of a name's unusual characters."""
    called = (f"U+{ord(char):04X} {unicodedata.name(char, 'a character without a name')}" for char in _odd(name))
    return ", ".join(called)


def _odd(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(char for char in name if _seen(char) != char))


@lru_cache(maxsize=50_000)
def shape(name: str) -> str:
    """Returns a key that is equal for names that look the same, ignoring case."""
    return fold("".join(map(_seen, exact(name))))


@lru_cache(maxsize=10_000)
def _seen(char: str) -> str:
    """Returns the plain characters that a character looks like; none for an invisible one."""
    category = unicodedata.category(char)
    if category == "Cf" or char in _BLANKS:
        return ""
    if category == "Pd":
        return "-"
    if lookalike := _LOOKALIKES.get(char) or _QUOTES.get(char):
        return lookalike
    if unicodedata.decomposition(char).startswith(_VARIANTS):
        return "".join(map(_seen, unicodedata.normalize("NFKC", char)))
    return char


FindingKind = Literal["link", "address", "host", "source", "reference", "look-alike", "suggestion"]

TITLES: Mapping[FindingKind, str] = {
    "link": "Links that lead nowhere",
    "address": "Published addresses that are not kept",
    "host": "What GitHub Pages will not take",
    "source": "What is odd in the sources",
    "reference": "References to what is not defined",
    "look-alike": "Names that only look the same",
    "suggestion": "Perhaps one term",
}
"""The headings of the kinds of findings, in the order in which they are printed."""

Shown = Callable[[str], str]
"""Converts the path of an input to the path to show, which is relative to the current folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    kind: FindingKind
    problem: Problem
    more: tuple[str, ...] = ()
    """Further lines: evidence, and lines to paste."""


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yields the lines that print findings, grouped by kind."""
    findings = tuple(findings)
    for kind, title in TITLES.items():
        of_kind = [finding for finding in findings if finding.kind == kind]
        if of_kind:
            yield f"{title} ({len(of_kind):,})"
        for finding in of_kind:
            yield f"  {finding.problem}"
            yield from (f"      {line}" for line in finding.more)


# The site.


def dead_links(site: BuiltSite, *, shown: Shown) -> Iterator[Finding]:
    """Yields the links within the site that lead to no page or to no id; each once for each page."""
    for path, page in sorted(site.pages.items()):
        reported: set[str] = set()
        for link in page.links:
            fault = _fault(site, path, link.url) if link.url not in reported else ""
            if fault:
                reported.add(link.url)
                found = f"links to {link.url}, {fault}"
                yield Finding(kind="link", problem=Problem(path=shown(path), line=link.line, found=found))


def _fault(site: BuiltSite, path: str, url: str) -> str:
    target = site.leads_to(path, url)
    if target is None:
        return ""
    file, id = target
    if not file:
        return "where nothing is"
    known = file not in site.pages or id in ("", "top") or id in site.pages[file].ids
    return "" if known else f"and nothing there has the id “{id}”"


def lost_addresses(ledger: Ledger, site: BuiltSite, *, ledger_file: LedgerFile) -> Iterator[Finding]:
    """Yields the published addresses and ids that the site lacks, or that do not lead to their successor."""
    pages = (row for row in ledger.values() if row.kind != "site")
    for row in sorted(pages, key=lambda row: row.address):
        for fault in _broken(row, ledger, site):
            yield ledger_file.finding(row.address, fault, wanted="sitegen build adds it, or says why it cannot")


def _broken(row: LedgerRow, ledger: Ledger, site: BuiltSite) -> Iterator[str]:
    file = site.file(row.address)
    if not file:
        yield f"{row.address} was published, and is missing"
        return
    page = site.pages.get(file)
    ids = page.ids if page else frozenset[str]()
    yield from (f"{row.address}#{id} was published, and is missing" for id, _ in row.fragments if id not in ids)
    if row.successor and site.file(row.successor) and not _leads_on(row, ledger, site, file):
        yield f"{row.address} was replaced by {row.successor}, and its page does not lead there"


def _leads_on(row: LedgerRow, ledger: Ledger, site: BuiltSite, file: str) -> bool:
    """Returns True if the page's status links to the successor, or to a page with the same successor."""
    for url in site.pages[file].status_links if file in site.pages else ():
        target = site.leads_to(file, url)
        address = f"/{urls.address(target[0])}" if target else ""
        if address == row.successor or (address in ledger and ledger[address].successor == row.successor):
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerFile:
    """The path of a ledger, and the line of each address in it."""

    path: str
    lines: Mapping[str, int]

    def finding(self, address: str, found: str, *, wanted: str, more: tuple[str, ...] = ()) -> Finding:
        problem = Problem(path=self.path, line=self.lines.get(address, 0), found=found, wanted=wanted)
        return Finding(kind="address", problem=problem, more=more)


def ledger_lines(text: str) -> Mapping[str, int]:
    """Returns the first line of each address in a ledger's text. Damaged lines are skipped."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if match := re.match(r'"(?:[^"\\]|\\.)*"(?=: \{)', line):
            with suppress(ValueError):
                key = json.loads(match[0])
                if key.startswith("/"):
                    lines.setdefault(key, number)
    return lines


def damage_finding(error: str, *, path: str) -> Finding:
    """Returns the error message of a damaged ledger as a finding at its line."""
    line, found = re.fullmatch(r":?(\d*):? ?(.*)", error.removeprefix(path), re.S).groups()  # type: ignore[union-attr]
    problem = Problem(path=path, line=int(line or 0), found=found)
    return Finding(kind="address", problem=problem)


def breach_findings(remedies: Iterable[Remedy], *, ledger_file: LedgerFile) -> Iterator[Finding]:
    """Yields the breaches for which a build would fail, each with its remedy."""
    for remedy in remedies:
        wanted, *more = str(remedy).splitlines()
        for breach in remedy.breaches:
            found = f"{breach.address}: {breach.found}"
            lines = tuple(line.removeprefix("  ") for line in more)
            yield ledger_file.finding(breach.address.partition("#")[0], found, wanted=wanted, more=lines)


def ledger_differences(
    kept: Ledger, published: Ledger, *, kept_file: LedgerFile, published_file: LedgerFile
) -> Iterator[Finding]:
    """Yields the addresses that only one of two ledgers has: the one beside the sources, and the published one."""
    for address in lost(kept, published):
        found = f"lacks {address}, which was published"
        yield kept_file.finding("", found, wanted="restore the ledger from git")
    for address in lost(published, kept):
        found = f"lacks {address}, which {kept_file.path} has"
        yield published_file.finding("", found, wanted="build the site again")


# The sources.


def source_findings(site: Site, config: Config, *, shown: Shown) -> Iterator[Finding]:
    """Yields problems of reading, dangling references, look-alikes and suggestions."""
    dangling = set(
        resolve_all(site.lives, Resolver((life.term for life in site.lives), language=site.language)).problems
    )
    for problem in site.problems:
        kind: FindingKind = "reference" if problem in dangling else "source"
        yield Finding(kind=kind, problem=replace(problem, path=shown(problem.path)))
    for problem in lookalikes(site, verdicts=config.verdicts, shown=shown):
        yield Finding(kind="look-alike", problem=problem)
    for suggestion in suggestions(site, renames=config.renames, verdicts=config.verdicts):
        yield _suggestion_finding(suggestion, shown)


def _suggestion_finding(suggestion: Suggestion, shown: Shown) -> Finding:
    before, after = suggestion.before, suggestion.after
    place = after.citation
    found = f"“{before.name}” and “{after.name}” may be one term: {suggestion.reason}"
    return Finding(
        kind="suggestion",
        problem=Problem(path=shown(place.path), line=place.line, found=found),
        more=(
            f"score: {suggestion.score} of 100",
            *(_evidence(side, shown) for side in (before, after)),
            "if they are one, paste into site.toml:",
            *(f"    {line}" for line in suggestion.same.splitlines()),
            "and if they are two:",
            *(f"    {line}" for line in suggestion.distinct.splitlines()),
        ),
    )


def _evidence(side: SuggestedEntry, shown: Shown) -> str:
    return f"{shown(side.citation.path)}:{side.citation.line}: “{side.name}”: {side.words}"
