"""Finds outdated names in documents: those of deprecated, merged and removed terms, former names,
and names to avoid.

A name is mentioned by whole words, the longest name first, singular or plural. One that is only
quoted, as in “we replace *master*”, is not outdated there. A comment `sitegen: ignore` hides what
is on its line, or in the paragraph below if it has a line for itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from sitegen.integrations.documents import TextRange, worded_ranges
from sitegen.integrations.mentions import Mentions, NameMention
from sitegen.integrations.published_terms import PublishedTerm, PublishedTerms
from sitegen.text.names import avoided, exact, fold, usable, without_former_names

OutdatedRule = Literal["deprecated", "avoided", "renamed", "removed", "merged"]

RULES: Sequence[OutdatedRule] = ("deprecated", "avoided", "removed", "merged", "renamed")
"""A name that breaks several rules is reported for the first."""
AROUND = 40
"""The number of characters before and after a name that tell whether it is quoted."""
UNLESS_USED: Sequence[OutdatedRule] = ("avoided", "merged", "renamed")
"""The rules by which a name is not outdated as long as the glossary itself uses it."""


@dataclass(frozen=True, kw_only=True)
class OutdatedName:
    """A name that should not be used any more."""

    name: str
    rule: OutdatedRule
    why: str
    instead: str
    """The name to use, or an empty string."""


@dataclass(frozen=True, kw_only=True)
class OutdatedUse:
    """An outdated name in a document."""

    path: str
    line: int
    column: int
    """Line and column are counted from 1; columns are characters."""
    text: str
    """The name as the document has it."""
    name: OutdatedName

    @property
    def message(self) -> str:
        """The name in the document, the reason, and the name to use: `“master” is a former name
        since 2.0; use “primary”`."""
        found = f"“{exact(self.text)}” {self.name.why}"
        return f"{found}; use “{self.name.instead}”" if self.name.instead else found

    def data(self) -> dict[str, str | int]:
        """Returns the use as plain data."""
        return {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "length": len(self.text),
            "rule": self.name.rule,
            "name": self.name.name,
            "instead": self.name.instead,
            "message": self.message,
        }

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


# Names.


def outdated(glossary: PublishedTerms) -> tuple[OutdatedName, ...]:
    """Returns the outdated names, sorted. A name of a current term is never outdated. A name that a
    current term mentions is not outdated by the rules in `UNLESS_USED`."""
    names: list[OutdatedName] = []
    for term in glossary.terms:
        names += _outdated_names(term)
    names.sort(key=lambda name: RULES.index(name.rule))  # the most important rule first

    current_names = {fold(name) for name in _current_names(glossary)}
    declared_names = _names_declared_as_renamed(glossary)
    users = _terms_that_use(names, glossary)

    outdated_by_key: dict[str, OutdatedName] = {}
    for name in names:
        key = fold(name.name)
        if key in current_names:
            continue
        # The name breaks an earlier rule as well, and is reported for that one.
        if key in outdated_by_key:
            continue
        users_of_name = users.get(name.name, set())
        if name.rule == "avoided":
            # The term that says to avoid the name mentions it only to say so.
            users_of_name = users_of_name - {name.instead}
        if users_of_name and key not in declared_names:  # a declared rename counts all the same
            continue
        outdated_by_key[key] = name
    return tuple(outdated_by_key[key] for key in sorted(outdated_by_key))


def _outdated_names(term: PublishedTerm) -> Iterator[OutdatedName]:
    """Yields the names of a term that break a rule, also those that are still in use: `outdated`
    leaves these out."""
    instead = term.instead.name if term.instead else ""
    names = [name.text for name in term.names]
    former_names = [former.text for former in term.former_names]
    if term.status == "deprecated":  # with its names to avoid
        why = f"is {term.with_release('deprecated since', 'deprecated')}"
        yield from _of_rule("deprecated", names, why=why, instead=instead)
    else:
        names_to_avoid = avoided(term.names)
        yield from _of_rule("avoided", names_to_avoid, why="is to be avoided", instead=term.name)

    if term.status == "removed":
        was_deprecated = any(wording.status == "deprecated" for wording in term.wordings)
        # Other removed names are mostly ordinary words, which the project still uses.
        if instead or was_deprecated:
            why = f"was {term.with_release('removed in', 'removed')}"
            yield from _of_rule("removed", names, why=why, instead=instead)
    elif term.status == "merged":
        why = f"was {term.with_release('merged in', 'merged')}"
        yield from _of_rule("merged", [*names, *former_names], why=why, instead=instead)
    else:
        for former in term.former_names:
            why = f"is a former name since {former.until}"
            yield from _of_rule("renamed", [former.text], why=why, instead=instead or term.name)


def _of_rule(
    rule: OutdatedRule, names: Iterable[str], *, why: str, instead: str
) -> Iterator[OutdatedName]:
    """Yields an `OutdatedName` for each of some names that break a rule for the same reason."""
    for name in names:
        yield OutdatedName(name=name, rule=rule, why=why, instead=instead)


def _terms_that_use(names: Iterable[OutdatedName], glossary: PublishedTerms) -> dict[str, set[str]]:
    """Returns the names that break a rule in `UNLESS_USED`, each with the current terms that
    mention it in their names or their definition."""
    mentions = Mentions(name.name for name in names if name.rule in UNLESS_USED)
    users: dict[str, set[str]] = defaultdict(set)
    for term in _current_terms(glossary):
        names_in_use = map(without_former_names, usable(term.names))
        for text in (term.own_definition.text, *names_in_use):
            for mention in mentions.find(text):
                users[mention.name].add(term.name)
    return users


def _names_declared_as_renamed(glossary: PublishedTerms) -> set[str]:
    """Returns the former names of all terms that site.toml declares as renamed, folded."""
    declared_names = set()
    for term in glossary.terms:
        for change in term.history:
            is_declared = change.identity is not None and change.identity.rule == "declared"
            if change.before and is_declared:
                declared_names.add(fold(change.before.name))
    return declared_names


def _current_terms(glossary: PublishedTerms) -> Iterable[PublishedTerm]:
    """Returns the terms that are in use: all but deprecated, removed and merged ones."""
    return [term for term in glossary.terms if term.status in ("current", "unread")]


def _current_names(glossary: PublishedTerms) -> Iterator[str]:
    """Yields the names of all current terms, without those to avoid."""
    for term in _current_terms(glossary):
        yield from usable(term.names)


# Uses in documents.

_IGNORE = re.compile(r"^(?P<before>.*?)\bsitegen:[ \t]*ignore\b(?P<after>.*)$", re.M)
_COMMENT_MARKS = re.compile(r"[\s<!>\-#%./*{}]*")
_PARAGRAPH_BELOW = re.compile(r"\s*\n(?:[ \t]*\S.*(?:\n|\Z))+")
_QUOTES = re.compile(r"[\"'“”‘’«»„*_`]+")
_OPENING_QUOTES = tuple("\"'“‘«„*_")
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


def findings(
    glossary: PublishedTerms, names: Iterable[OutdatedName], texts: Mapping[str, str]
) -> Iterator[OutdatedUse]:
    """Yields the uses of outdated names in documents, in order. `texts` maps paths to texts.

    An outdated name inside a longer current name does not count.
    """
    outdated_names = {name.name: name for name in names}
    # Current names are looked for as well, so that the longer name is found instead.
    searched_names = Mentions([*outdated_names, *_current_names(glossary)])
    for path, text in texts.items():
        mentions: list[NameMention] = []
        for start, end in worded_ranges(text, path=path):
            mentions += searched_names.find(text, start, end)

        line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        ignored_ranges = [*_ignored_ranges(text)]
        for mention in sorted(mentions):
            name = outdated_names.get(mention.name)
            if name is None:  # a current name
                continue
            if _is_quoted(text, mention.start, mention.end):
                continue
            if any(start <= mention.start < end for start, end in ignored_ranges):
                continue
            line, column = _line_and_column(mention.start, line_starts)
            used_text = text[mention.start : mention.end]
            yield OutdatedUse(path=path, line=line, column=column, text=used_text, name=name)


def _line_and_column(offset: int, line_starts: Sequence[int]) -> tuple[int, int]:
    """Returns the line and the column at an offset of a text, both counted from 1."""
    line = bisect_right(line_starts, offset)
    return line, offset - line_starts[line - 1] + 1


def _ignored_ranges(text: str) -> Iterator[TextRange]:
    """Yields the range that each comment `sitegen: ignore` hides: the line of the comment, or the
    paragraph below if the line has nothing else."""
    end_of_last_paragraph = 0
    for match in _IGNORE.finditer(text):
        # In a hidden paragraph, only a comment in the last line may hide one below it.
        if match.end() + 1 < end_of_last_paragraph:
            continue
        rest_of_line = match["before"] + match["after"]
        is_alone = _COMMENT_MARKS.fullmatch(rest_of_line) is not None
        paragraph = _PARAGRAPH_BELOW.match(text, match.end()) if is_alone else None
        if paragraph:
            yield paragraph.span()
            end_of_last_paragraph = paragraph.end()
        else:
            yield match.span()  # the whole line


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Returns whether a text only speaks about the name in this range, and does not use the name:
    the name is in quotation marks, or next to words such as “replaced” and “formerly”, as in “we
    replace *master*”.
    """
    text_before = text[max(0, start - AROUND) : start]
    text_after = text[end : end + AROUND]
    if text_before.endswith(_OPENING_QUOTES) and _QUOTES.match(text_after):
        return True
    if _BEFORE_A_QUOTED_NAME.search(text_before):
        return True
    return _AFTER_A_QUOTED_NAME.match(text_after) is not None


# Documents that may use outdated names.

_HISTORY = re.compile(
    r"(^|[/._-])(change-?logs?|changes|history|release-?notes?|releases|news|news-?fragments"
    r"|what-?(i?s-?)?new)([/._-]|$)"
)
"""Matches the path of a document that says what was true at a release, such as a changelog."""


def may_use_former_names(place: str, own_files: Iterable[str]) -> bool:
    """Returns whether a document may use former names: a changelog, a page such as
    `docs/What's new.md`, or a file of the glossary itself. `place` is its path below the current
    folder."""
    with_hyphens = re.sub(r"[ _'’]", "-", place.lower())
    if _HISTORY.search(with_hyphens):
        return True
    # The files of the glossary are named from another folder, such as the root of a repository.
    return any(place == own or place.endswith(f"/{own}") for own in own_files)


def own_files(glossary: PublishedTerms) -> frozenset[str]:
    """Returns the paths of the files of a glossary in their repository."""
    paths = set()
    for term in glossary.terms:
        for change in term.history:
            _release, _, path = change.path.rpartition(":")  # "v1.0:docs/terms.md"
            paths.add(path)
    return frozenset(paths)
