"""Finds outdated names and links in documents: of deprecated, renamed and removed terms, and of
earlier wordings.

A comment `sitegen: ignore` hides what is on its line, or in the paragraph below if it has a line
for itself. A name that is only quoted, as in “we replace *master*”, is a note, not a warning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from operator import attrgetter
from typing import Literal
from urllib.parse import unquote

from sitegen.integrations.annotations import annotation
from sitegen.integrations.documents import TextRange, term_references, words
from sitegen.integrations.mentions import Mentions, NameMention
from sitegen.integrations.published_terms import PublishedTerm, PublishedTerms, PublishedWording
from sitegen.text.names import exact, fold

OutdatedRule = Literal["deprecated", "avoided", "renamed", "removed", "merged", "stale-link"]
Level = Literal["warning", "note"]

RULES: Sequence[OutdatedRule] = ("deprecated", "avoided", "removed", "merged", "renamed")
"""The rules for names. A name that breaks several is reported for the first."""
WORDS_IN_USE: Sequence[OutdatedRule] = ("avoided", "merged", "renamed")
"""The rules by which a name is not outdated as long as the glossary itself uses it."""

_TERM_LINK = re.compile(
    r"""https?://[^\s<>"'`)\]]*/term/(?P<slug>[^\s<>"'`)\]/?#]+)/(?:(?P<release>[^\s<>"'`)\]/?#]+)/)?"""
)
_IGNORE = re.compile(r"^(?P<before>.*?)\bsitegen:[ \t]*ignore\b(?P<after>.*)$", re.M)
_COMMENT_MARKS = re.compile(r"[\s<!>\-#%./*{}]*")
_PARAGRAPH_BELOW = re.compile(r"\s*\n(?:[ \t]*\S.*(?:\n|\Z))+")
_QUOTES = re.compile(r"[\"'“”‘’«»„*_`]+")
_BEFORE_A_QUOTED_NAME = re.compile(
    r"(?:\b(?:renam|replac|deprecat|remov)\w*|\binstead of|\brather than|\bno "
    r"longer|\bformerly|\bpreviously|\bformer"
    r"|\bcalled|\bknown as|\bold)(?:\s+(?:the|an?|term|name|word|old|from))*\s+[\"'“‘«*_]*$",
    re.I,
)
_AFTER_A_QUOTED_NAME = re.compile(
    r"[\"'”’»*_]*\s+(?:(?:is|was|were|are|has been|have been|being|got)\s+(?:now\s+)?"
    r"(?:renamed|replaced|deprecated|removed)|became\b|→|->)",
    re.I,
)


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

    start: int
    length: int
    """The range in the text."""
    rule: OutdatedRule
    found: str
    wanted: str
    path: str = ""
    line: int = 0
    column: int = 0
    """Line and column are counted from 1; columns are characters."""
    level: Level = "warning"
    name: OutdatedName | None = None

    @property
    def message(self) -> str:
        return f"{self.found}; {self.wanted}" if self.wanted else self.found

    @property
    def subject(self) -> str:
        """What findings are counted by: the outdated name, or what is wrong with a link."""
        return self.name.name if self.name else self.found

    def data(self) -> dict[str, str | int]:
        """Returns the use as plain data."""
        name, instead = "", ""
        if self.name:
            name, instead = self.name.name, self.name.instead
        return {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "length": self.length,
            "rule": self.rule,
            "level": self.level,
            "name": name,
            "instead": instead,
            "message": self.message,
        }

    def annotation(self) -> str:
        """Returns a workflow command of GitHub, which shows the use beside its line."""
        level = "warning" if self.level == "warning" else "notice"
        place = self.path, self.line, self.column
        return annotation(*place, title=self.rule, message=self.message, level=level)

    def __str__(self) -> str:
        note = "note: " if self.level == "note" else ""
        return f"{self.path}:{self.line}:{self.column}: {note}{self.message}"


# Names.


def outdated(glossary: PublishedTerms, *, unreplaced: bool = False) -> tuple[OutdatedName, ...]:
    """Returns the outdated names, sorted. A name that is the current name of any term is not
    outdated.

    The names of removed terms without a replacement count only if `unreplaced`: most of them are
    ordinary words that left the glossary, not the project. For the same reason, a name whose change
    was inferred does not count if a current name or definition still uses it, nor a name to avoid
    that other definitions use.
    """
    names: list[OutdatedName] = []
    for term in glossary.terms:
        names += _outdated_names(term, unreplaced=unreplaced)
    names.sort(key=lambda name: RULES.index(name.rule))
    users = _users(glossary, names)
    declared = _declared(glossary)
    good = {fold(name) for name in _good_names(glossary)}
    by_folded_name: dict[str, OutdatedName] = {}
    for name in names:
        key = fold(name.name)
        if key in good or key in by_folded_name:
            continue
        others = users[name.name]
        if name.rule == "avoided":
            others.discard(name.instead)
        if not others or key in declared:
            by_folded_name[key] = name
    return tuple(by_folded_name[name] for name in sorted(by_folded_name))


def _outdated_names(term: PublishedTerm, *, unreplaced: bool) -> Iterator[OutdatedName]:
    """Yields the names of a term that break a rule; `outdated` leaves out those that are still in
    use."""
    instead = term.instead.name if term.instead else ""
    names = [name.text for name in term.names]
    match term.status:
        case "deprecated":
            why = f"is {term.with_release('deprecated since', 'deprecated')}"
            yield from _of_rule("deprecated", names, why=why, instead=instead)
        case "removed":
            was_deprecated = any(change.kind == "deprecated" for change in term.history)
            if instead or was_deprecated or unreplaced:
                why = f"was {term.with_release('removed in', 'removed')}"
                yield from _of_rule("removed", names, why=why, instead=instead)
        case "merged":
            names += [name.text for name in term.former_names]
            why = f"became {term.with_release(f'part of “{instead}” in', 'merged')}"
            yield from _of_rule("merged", names, why=why, instead=instead)
    if term.status != "deprecated":
        avoided = [name.text for name in term.names if name.status == "deprecated"]
        yield from _of_rule("avoided", avoided, why="is to be avoided", instead=term.name)
    if term.is_defined:
        for former in term.former_names:
            why = f"is called “{term.name}” since {former.until}"
            yield from _of_rule("renamed", [former.text], why=why, instead=instead or term.name)


def _of_rule(
    rule: OutdatedRule, names: Iterable[str], *, why: str, instead: str
) -> Iterator[OutdatedName]:
    for name in names:
        yield OutdatedName(name=name, rule=rule, why=why, instead=instead)


def _users(glossary: PublishedTerms, names: Iterable[OutdatedName]) -> dict[str, set[str]]:
    """Returns the current terms that use each name in their names or definition."""
    mentions = Mentions(name.name for name in names if name.rule in WORDS_IN_USE)
    users: dict[str, set[str]] = defaultdict(set)
    for term in _current(glossary):
        for text in (term.own_definition.text, *_good_names_of(term)):
            for mention in mentions.find(text):
                users[mention.name].add(term.name)
    return users


def _declared(glossary: PublishedTerms) -> set[str]:
    """Returns the former names that a person declared as renamed, folded."""
    found = set()
    for term in glossary.terms:
        for change in term.history:
            if change.before and change.identity and change.identity.rule == "declared":
                found.add(fold(change.before.name))
    return found


def _current(glossary: PublishedTerms) -> Iterable[PublishedTerm]:
    return [term for term in glossary.terms if term.status in ("current", "unread")]


def _good_names_of(term: PublishedTerm) -> Iterable[str]:
    """Returns the names of a current term, without those to avoid."""
    return [name.text for name in term.names if name.status != "deprecated"]


def _good_names(glossary: PublishedTerms) -> Iterable[str]:
    """Returns the names that may be used."""
    return chain.from_iterable(map(_good_names_of, _current(glossary)))


# Uses in documents.


def findings(
    glossary: PublishedTerms, names: Iterable[OutdatedName], texts: Mapping[str, str]
) -> Iterator[OutdatedUse]:
    """Yields the uses of outdated names and links in documents, in order. `texts` maps paths to
    texts.

    An outdated name inside a longer current name does not count.
    """
    bad = {name.name: name for name in names}
    mentions = Mentions([*bad, *_good_names(glossary)])
    for path, text in texts.items():
        starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        ignored = [*_ignored(text)]
        uses = [*_name_uses(bad, mentions, text, path=path), *_stale_links(glossary, text)]
        for use in sorted(uses, key=attrgetter("start")):
            if any(start <= use.start < end for start, end in ignored):
                continue
            line = bisect_right(starts, use.start)
            yield replace(use, path=path, line=line, column=use.start - starts[line - 1] + 1)


def _ignored(text: str) -> Iterator[TextRange]:
    """Yields the ranges that comments hide."""
    for match in _IGNORE.finditer(text):
        is_alone = all(_COMMENT_MARKS.fullmatch(part) for part in match.group("before", "after"))
        below = _PARAGRAPH_BELOW.match(text, match.end()) if is_alone else None
        yield below.span() if below else match.span()


def _name_uses(
    bad: Mapping[str, OutdatedName], mentions: Mentions, text: str, *, path: str
) -> Iterator[OutdatedUse]:
    """Yields the outdated names among the words of a document, and in its references to terms."""
    for start, end in words(text, path=path):
        for mention in mentions.find(text, start, end):
            if name := bad.get(mention.name):
                is_quoted = _is_quoted(text, mention.start, mention.end)
                yield _name_use(name, mention, text, "note" if is_quoted else "warning")
    for start, end in term_references(text, path=path):
        for mention in mentions.find(text, start, end):
            if name := bad.get(mention.name):
                yield _name_use(name, mention, text, "warning")


def _name_use(name: OutdatedName, mention: NameMention, text: str, level: Level) -> OutdatedUse:
    return OutdatedUse(
        start=mention.start,
        length=mention.end - mention.start,
        rule=name.rule,
        found=f"“{exact(text[mention.start : mention.end])}” {name.why}",
        wanted=f"use “{name.instead}”" if name.instead else "",
        level=level,
        name=name,
    )


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Returns whether a text speaks of a name, not of what it means, as in “we replace
    *master*”."""
    before, after = text[max(0, start - 40) : start], text[end : end + 40]
    if _QUOTES.match(after) and before[-1:] in set("\"'“‘«„*_"):
        return True
    return bool(_BEFORE_A_QUOTED_NAME.search(before) or _AFTER_A_QUOTED_NAME.match(after))


def _stale_links(glossary: PublishedTerms, text: str) -> Iterator[OutdatedUse]:
    """Yields the links to pages of this site that do not show a current wording; of any site
    without a base_url."""
    site = glossary.base_url.partition("://")[2]
    for match in _TERM_LINK.finditer(text):
        if not match[0].partition("://")[2].startswith(site):
            continue
        found, wanted = _fault(glossary, unquote(match["slug"]), match["release"] or "")
        if found:
            start, end = match.span()
            yield OutdatedUse(
                start=start, length=end - start, rule="stale-link", found=found, wanted=wanted
            )


def _fault(glossary: PublishedTerms, slug: str, release: str) -> tuple[str, str]:
    """Returns the fault of a link and its remedy, which are empty if there is none.

    `release` is that of the address of a frozen page.
    """
    term = glossary.by_slug(slug)
    if term is None:
        address = f"/term/{slug}/{release}/" if release else f"/term/{slug}/"
        return f"{address} is not a page of the glossary", "link to one of its terms"
    if term.status == "removed":
        found = f"the link leads to “{term.name}”, which was removed"
        return found, f"link to “{term.instead.name}”" if term.instead else ""
    if not release:
        return "", ""
    for shown in term.wordings:
        if shown.url.endswith(f"/{slug}/{release}/"):
            return _fault_of_wording(term, shown)
    return "", ""


def _fault_of_wording(term: PublishedTerm, shown: PublishedWording) -> tuple[str, str]:
    """Returns the fault of a link to a wording, and its remedy: the source has a newer one."""
    newest = [one for one in term.wordings if one.source == shown.source][-1]
    if newest.since == shown.since:
        return "", ""
    found = f"the link shows “{term.name}” as it was in {shown.since}; it was reworded since"
    return found, f"if today's words are meant, link to {term.url}"
