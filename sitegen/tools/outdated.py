"""Finds outdated names and links in documents: of deprecated, renamed and removed terms, and of earlier wordings.

The findings are written as SARIF 2.1.0 and as GitHub's annotations, the names as a style for Vale.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

from sitegen import __version__
from sitegen.addresses import urls
from sitegen.model import Entry, File
from sitegen.model.terms import Life
from sitegen.site.site import Site
from sitegen.text.names import exact, fold
from sitegen.tools.documents import Mentions, words

OutdatedRule = Literal["deprecated", "renamed", "removed", "merged", "stale-link"]

RULES: dict[OutdatedRule, str] = {
    "deprecated": "A name whose term, or which itself, is deprecated",
    "renamed": "A name that its term no longer has",
    "removed": "The name of a term that was removed",
    "merged": "The name of a term that became part of another",
    "stale-link": "A link to a wording that is no longer in force",
}
"""The rules, each with a description of the uses that break it."""

PRECEDENCE: tuple[OutdatedRule, ...] = ("deprecated", "removed", "merged", "renamed")
"""A name that breaks several rules is reported for the first of these."""

_TERM_LINK = re.compile(
    r"""https?://[^\s<>"'`)\]]*/term/(?P<slug>[^\s<>"'`)\]/?#]+)/(?:(?P<release>[^\s<>"'`)\]/?#]+)/)?"""
)

Json = dict[str, Any]

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

STYLE = "Glossary"
MESSAGES: Mapping[OutdatedRule, str] = {
    "deprecated": "'%s' is deprecated.",
    "renamed": "'%s' is the former name of a term.",
    "removed": "'%s' was removed from the glossary.",
    "merged": "'%s' became part of another term.",
}
VALE_FILES = tuple(f"{STYLE}/{rule.title()}{ending}.yml" for rule in MESSAGES for ending in ("", "Alone"))
"""The paths of all files that a Vale style may have."""

MAX_KEY = 1000
"""YAML limits keys to 1,024 characters; guards that would exceed that are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedName:
    """A name that should not be used any more."""

    name: str
    rule: OutdatedRule
    why: str
    instead: str = ""
    """The name to use, or an empty string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedUse:
    """An outdated name or link in a document."""

    path: str
    line: int
    column: int
    """Line and column are counted from 1; columns are characters."""
    length: int
    rule: OutdatedRule
    found: str
    wanted: str

    @property
    def message(self) -> str:
        return self.found + (f"; {self.wanted}" if self.wanted else "")

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


# Names.


def outdated(site: Site, *, unreplaced: bool = False) -> tuple[OutdatedName, ...]:
    """Returns the outdated names, sorted. A name that is the current name of any term is not outdated.

    The names of removed terms without a replacement count only if `unreplaced`: most of them are ordinary words that
    left the glossary, not the project. For the same reason, a name whose change was inferred does not count if a
    current name or definition still uses it.
    """
    names = [name for life in site.lives for name in _outdated_names(site, life, unreplaced=unreplaced)]
    names.sort(key=lambda name: PRECEDENCE.index(name.rule))
    mentions = Mentions(name.name for name in names if name.rule in ("merged", "renamed"))
    current = [life for life in site.lives if life.status == "current" and life.is_defined]
    texts = [text for life in current for text in (life.entry.definition.text, *(name.text for name in life.names))]
    used = {mention.name for text in texts for mention in mentions.find(text)}
    declared = {
        fold(change.before.name)
        for life in site.lives
        for change in life.changes
        if change.before and change.identity and change.identity.rule == "declared"
    }
    good = set(map(fold, good_names(site)))
    by_folded_name: dict[str, OutdatedName] = {}
    for name in names:
        is_used = name.rule in ("merged", "renamed") and name.name in used and fold(name.name) not in declared
        if not is_used and fold(name.name) not in good:
            by_folded_name.setdefault(fold(name.name), name)
    return tuple(by_folded_name[name] for name in sorted(by_folded_name))


def _outdated_names(site: Site, life: Life, *, unreplaced: bool) -> Iterator[OutdatedName]:
    """Yields the names of a term that break a rule; `outdated` leaves out those that are still in use."""
    release = {change.kind: change.release for change in life.changes}
    instead = site.by_key[life.replaced_by].name if life.replaced_by else ""
    names = [name.text for name in life.names]
    for name in life.names:
        if life.status == "deprecated" or name.status == "deprecated":
            why = "is deprecated" + (f" since {release['deprecated']}" if release.get("deprecated") else "")
            use = instead if life.status == "deprecated" else life.name
            yield OutdatedName(name=name.text, rule="deprecated", why=why, instead=use)
    if life.status == "removed" and (life.replaced_by or "deprecated" in release or unreplaced):
        why = "was removed" + (f" in {release['removed']}" if release.get("removed") else "")
        yield from (OutdatedName(name=name, rule="removed", why=why, instead=instead) for name in names)
    if life.merged_into:
        present = site.defining_term(life.key).name
        why = f"became part of “{present}”" + (f" in {release['merged']}" if release.get("merged") else "")
        names += [name for name, _ in life.former_names]
        yield from (OutdatedName(name=name, rule="merged", why=why, instead=present) for name in names)
    if life.status == "current":
        for former, start in life.former_names:
            why = f"is called “{life.name}” since {start}"
            yield OutdatedName(name=former, rule="renamed", why=why, instead=life.name)


def good_names(site: Site) -> Iterator[str]:
    """Yields the current names."""
    for life in site.lives:
        if life.status == "current" and life.is_defined:
            yield from (name.text for name in life.names if name.status != "deprecated")


# Uses in documents.


def findings(site: Site, names: Iterable[OutdatedName], texts: Mapping[str, str]) -> Iterator[OutdatedUse]:
    """Yields the uses of outdated names and links in documents, in order. `texts` maps paths to texts.

    An outdated name inside a longer current name does not count.
    """
    bad = {name.name: name for name in names}
    mentions = Mentions([*bad, *good_names(site)])
    for path, text in texts.items():
        starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        uses = [*_name_uses(bad, mentions, text, path=path), *_stale_links(site, text)]
        for start, end, rule, found, wanted in sorted(uses, key=itemgetter(0)):
            line = bisect_right(starts, start)
            yield OutdatedUse(
                path=path,
                line=line,
                column=start - starts[line - 1] + 1,
                length=end - start,
                rule=rule,
                found=found,
                wanted=wanted,
            )


_Use = tuple[int, int, OutdatedRule, str, str]
"""The range of an outdated name or link in a text, its rule, what was found and what is wanted instead."""


def _name_uses(bad: Mapping[str, OutdatedName], mentions: Mentions, text: str, *, path: str) -> Iterator[_Use]:
    for start, end in words(text, path=path):
        for mention in mentions.find(text, start, end):
            if name := bad.get(mention.name):
                found = f"“{text[mention.start : mention.end]}” {name.why}"
                yield mention.start, mention.end, name.rule, found, f"use “{name.instead}”" if name.instead else ""


def _stale_links(site: Site, text: str) -> Iterator[_Use]:
    """Yields the links to pages of this site that do not show a current wording; of any site without a base_url."""
    base = urlsplit(site.base_url)
    frozen = {page.address: page.entry for page in site.permanence.frozen}
    for match in _TERM_LINK.finditer(text):
        link = urlsplit(match[0])
        if site.base_url and not (base.netloc == link.netloc and link.path.startswith(base.path)):
            continue
        slug = unquote(match["slug"])
        address = "/" + urls.term(slug) + (f"{match['release']}/" if match["release"] else "")
        found, wanted = _fault(site, slug, address, frozen.get(address))
        if found:
            yield *match.span(), "stale-link", found, wanted


def _fault(site: Site, slug: str, address: str, frozen: Entry | None) -> tuple[str, str]:
    """Returns the fault of a link and its remedy, which are empty if there is none.

    `frozen` is the entry that the page shows if it is that of an earlier wording.
    """
    key = site.owners.get(slug)
    if key is None:
        return f"{address} is not a page of the glossary", "link to one of its terms"
    life = site.by_key[key]
    if life.status == "removed":
        instead = f"link to “{site.by_key[life.replaced_by].name}”" if life.replaced_by else ""
        return f"the link leads to “{life.name}”, which was removed", instead
    if frozen:
        origin = (frozen.citation.source, frozen.citation.release)
        ended = next((one.ended for one in life.revisions if (one.source, one.first) == origin), "current")
        if ended == "reworded":
            found = f"the link shows “{life.name}” as it was in {frozen.citation.release}; it was reworded since"
            return (
                found,
                f"if today's words are meant, link to {site.base_url}{urls.term(site.slugs[key])}",
            )
    return "", ""


# Forms for other tools.


def sarif(findings: Iterable[OutdatedUse]) -> Json:
    """Returns findings as a SARIF log: the Static Analysis Results Interchange Format of OASIS, version 2.1.0."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "sitegen", "version": __version__, "rules": rules}
    order = list(RULES)
    results = [_result(finding, order.index(finding.rule)) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: OutdatedUse, rule: int) -> Json:
    region = {"startLine": finding.line, "startColumn": finding.column, "endColumn": finding.column + finding.length}
    location = {"artifactLocation": {"uri": quote(finding.path)}, "region": region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "warning",
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": location}],
    }


def github(findings: Iterable[OutdatedUse]) -> Iterable[str]:
    """Yields findings as workflow commands, which GitHub shows beside the lines of a pull request."""
    for finding in findings:
        place = f"file={_property(finding.path)},line={finding.line},col={finding.column}"
        yield f"::warning {place},title={_property(finding.rule)}::{_escaped(finding.message)}"


def _escaped(text: str) -> str:
    """Returns a text escaped for the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Returns a text escaped for a property of a workflow command, such as its file."""
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def vale_style(site: Site, names: Iterable[OutdatedName]) -> Iterator[File]:
    """Yields the files of a Vale style: for each rule a substitution, and an existence check for names without one.

    The format is documented at https://vale.sh/docs/checks/substitution and /existence. The YAML is written as JSON,
    which is a subset of it, so that every name is a string.
    """
    names = tuple(names)
    all_names = {fold(name): exact(name) for name in (*good_names(site), *(one.name for one in names))}.values()
    for rule, message in MESSAGES.items():
        of_rule = [one for one in names if one.rule == rule]
        swap = {_pattern(exact(one.name), all_names): one.instead for one in of_rule if one.instead}
        tokens = [_pattern(exact(one.name), all_names) for one in of_rule if not one.instead]
        head = {"level": "warning", "ignorecase": True}
        if swap:
            data = {"extends": "substitution", "message": f"Use '%s': {message}", **head}
            yield _file(f"{rule.title()}.yml", {**data, "swap": swap})
        if tokens:
            data = {"extends": "existence", "message": message, **head}
            yield _file(f"{rule.title()}Alone.yml", {**data, "tokens": tokens})


def _pattern(name: str, all_names: Collection[str]) -> str:
    """Returns the pattern by which Vale finds a name that is not part of a longer known name."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
    longer = [one for one in all_names if len(one) > len(name) and fold(name) in fold(one)]
    pattern = _literal(name)
    for guard in (_unless_in(one, match.start()) for one in longer for match in word.finditer(one)):
        if len(json.dumps(guard + pattern)) <= MAX_KEY:
            pattern = guard + pattern
    return pattern


def _unless_in(name: str, offset: int) -> str:
    """Returns a condition that fails where the text is at this offset of a name."""
    preceding = rf"(?<=(?<!\w){_literal(name[:offset])})" if offset else ""
    return rf"(?!{preceding}{_literal(name[offset:])}s?(?!\w))"


def _literal(text: str) -> str:
    """Returns a text escaped for Vale's regular expressions."""
    return re.sub(r"[.^$*+?()\[\]{}|\\]", r"\\\g<0>", text)


def _file(name: str, data: Mapping[str, object]) -> File:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return File(path=f"{STYLE}/{name}", content=f"{text}\n".encode())
