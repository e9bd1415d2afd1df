"""What is wrong with a site and with what it is made from, as findings, each with its place.

A link that leads nowhere, a published address that is gone, a name that only looks like another: everything that a
build cannot or should not refuse, and that a keeper wants to know before readers do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from sitegen.addresses import urls
from sitegen.addresses.gate import breaches
from sitegen.addresses.ledger import Ledger, Row, lost
from sitegen.config.parsing import Config
from sitegen.history.references import Resolver, resolve_all
from sitegen.model import Problem
from sitegen.site.site import Site
from sitegen.tools.check.built_site import BuiltSite
from sitegen.tools.check.lookalikes import lookalikes
from sitegen.tools.suggestions import Side, Suggestion, suggestions

Kind = Literal["link", "address", "host", "source", "reference", "look-alike", "suggestion"]

TITLES: Mapping[Kind, str] = {
    "link": "Links that lead nowhere",
    "address": "Published addresses that are not kept",
    "host": "What GitHub Pages will not take",
    "source": "What is odd in the sources",
    "reference": "References to what is not defined",
    "look-alike": "Names that only look the same",
    "suggestion": "Perhaps one term",
}
"""In the order in which they are told."""

Shown = Callable[[str], str]
"""Says how a path of an input is shown: as seen from where the command was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    kind: Kind
    problem: Problem
    more: tuple[str, ...] = ()
    """Further lines: evidence, and what to paste."""


def told(findings: Iterable[Finding]) -> Iterator[str]:
    """Yields findings as lines to read, kind by kind."""
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
    """Yields every link from page to page, and to a place on a page, that leads nowhere; once for each page."""
    for path, page in sorted(site.pages.items()):
        said: set[str] = set()
        for link in page.links:
            fault = _fault(site, path, link.url) if link.url not in said else ""
            if fault:
                said.add(link.url)
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
    """Yields every address and id that was published and is not on the site, or does not lead to its successor."""
    pages = (row for row in ledger.values() if row.kind != "site")
    for row in sorted(pages, key=lambda row: row.address):
        for fault in _broken(row, ledger, site):
            yield ledger_file.finding(row.address, fault, wanted="sitegen build puts it right, or says why it cannot")


def _broken(row: Row, ledger: Ledger, site: BuiltSite) -> Iterator[str]:
    file = site.file(row.address)
    if not file:
        yield f"{row.address} was published, and is not there"
        return
    page = site.pages.get(file)
    ids = page.ids if page else frozenset[str]()
    yield from (f"{row.address}#{id} was published, and is not there" for id, _ in row.fragments if id not in ids)
    if row.successor and site.file(row.successor) and not _leads_on(row, ledger, site, file):
        yield f"{row.address} is spoken for by {row.successor} now, and its page does not lead there"


def _leads_on(row: Row, ledger: Ledger, site: BuiltSite, file: str) -> bool:
    """True when the page says where its term went: to its successor, or to what leads there like itself."""
    for url in site.pages[file].status_links if file in site.pages else ():
        target = site.leads_to(file, url)
        address = f"/{urls.address(target[0])}" if target else ""
        if address == row.successor or (address in ledger and ledger[address].successor == row.successor):
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerFile:
    """A ledger as a file: where it is, and on which line each address stands."""

    path: str
    lines: Mapping[str, int]

    def finding(self, address: str, found: str, *, wanted: str, more: tuple[str, ...] = ()) -> Finding:
        problem = Problem(path=self.path, line=self.lines.get(address, 0), found=found, wanted=wanted)
        return Finding(kind="address", problem=problem, more=more)


def ledger_lines(text: str) -> Mapping[str, int]:
    """Returns the line on which each address of a ledger's text stands first; a line that is damaged has none."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if match := re.match(r'"(?:[^"\\]|\\.)*"(?=: \{)', line):
            with suppress(ValueError):
                lines.setdefault(json.loads(match[0]), number)
    return lines


def damage(error: str, *, path: str) -> Finding:
    """Returns what a refused ledger's message says, as a finding at its line."""
    line, _, found = error.removeprefix(f"{path}:").partition(": ")
    problem = Problem(path=path, line=int(line) if line.isdecimal() else 0, found=found)
    return Finding(kind="address", problem=problem)


def broken_promises(ledger: Ledger, there: Ledger, *, ledger_file: LedgerFile) -> Iterator[Finding]:
    """Yields what the gate would stop a build for, each with the way out."""
    for breach in breaches(ledger, there):
        wanted, *more = breach.way_out.splitlines()
        address = breach.address.partition("#")[0]
        found = f"{breach.address}: {breach.found}"
        yield ledger_file.finding(address, found, wanted=wanted, more=tuple(line.removeprefix("  ") for line in more))


def unlike_ledgers(
    kept: Ledger, published: Ledger, *, kept_file: LedgerFile, published_file: LedgerFile
) -> Iterator[Finding]:
    """Yields what the ledger beside the sources and the one published with the site do not both have."""
    for address in lost(kept, published):
        found = f"lacks {address}, which was published"
        yield kept_file.finding("", found, wanted="take the ledger back from git")
    for address in lost(published, kept):
        found = f"lacks {address}, which {kept_file.path} has"
        yield published_file.finding("", found, wanted="build the site again")


# What it is made from.


def words(site: Site, config: Config, *, shown: Shown) -> Iterator[Finding]:
    """Yields what is odd in the sources: what could not be read, dangling references, look-alikes, suggestions."""
    dangling = set(resolve_all(site.lives, Resolver(life.term for life in site.lives)).problems)
    for problem in site.problems:
        kind: Kind = "reference" if problem in dangling else "source"
        yield Finding(kind=kind, problem=replace(problem, path=shown(problem.path)))
    for problem in lookalikes(site, verdicts=config.verdicts, shown=shown):
        yield Finding(kind="look-alike", problem=problem)
    for suggestion in suggestions(site, renames=config.renames, verdicts=config.verdicts):
        yield _suggested(suggestion, shown)


def _suggested(suggestion: Suggestion, shown: Shown) -> Finding:
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


def _evidence(side: Side, shown: Shown) -> str:
    return f"{shown(side.citation.path)}:{side.citation.line}: “{side.name}”: {side.words}"
