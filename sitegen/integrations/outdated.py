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
from typing import Literal, NamedTuple

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.integrations.documents import TextRange, worded_ranges
from sitegen.integrations.published_terms import PublishedTerm, PublishedTerms
from sitegen.text.names import avoided, exact, fold, plural, spelled_out, usable

OutdatedRule = Literal["deprecated", "avoided", "renamed", "removed", "merged"]

RULES: Sequence[OutdatedRule] = ("deprecated", "avoided", "removed", "merged", "renamed")
"""A name that breaks several rules is reported for the first."""
AROUND = 40
"""The number of characters before and after a name that tell whether it is quoted."""
UNLESS_USED: Sequence[OutdatedRule] = ("avoided", "merged", "renamed")
"""The rules by which a name is not outdated as long as the glossary itself uses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedName:
    """A name that should not be used any more."""

    name: str
    rule: OutdatedRule
    why: str
    instead: str
    """The name to use, or an empty string."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """Returns the outdated names, sorted.

    These names are not outdated:

    - the current name of any term,
    - the name of a removed term without a replacement: in most cases an ordinary word, which left
      the glossary and not the project,
    - a name that a current definition, or another current name, still uses, unless site.toml
      declares the rename.
    """
    names: list[OutdatedName] = []
    for term in glossary.terms:
        names += _outdated_names(term)
    names.sort(key=lambda name: RULES.index(name.rule))
    users = _users(glossary, names)
    declared = _declared(glossary)
    current = {fold(name) for name in _current_names(glossary)}
    found: dict[str, OutdatedName] = {}
    for name in names:
        key = fold(name.name)
        if key in current or key in found:
            continue
        used_by = users[name.name]
        if name.rule == "avoided":
            used_by = used_by - {name.instead}  # the definition that says to avoid it
        if not used_by or key in declared:
            found[key] = name
    return tuple(found[key] for key in sorted(found))


def _outdated_names(term: PublishedTerm) -> Iterator[OutdatedName]:
    """Yields the names of a term that break a rule, also if they are still in use."""
    instead = term.instead.name if term.instead else ""
    names = [name.text for name in term.names]
    former_names = [former.text for former in term.former_names]
    match term.status:
        case "deprecated":
            why = f"is {term.with_release('deprecated since', 'deprecated')}"
            yield from _of_rule("deprecated", names, why=why, instead=instead)
        case "removed":
            was_deprecated = any(one.status == "deprecated" for one in term.wordings)
            if instead or was_deprecated:
                why = f"was {term.with_release('removed in', 'removed')}"
                yield from _of_rule("removed", names, why=why, instead=instead)
        case "merged":
            why = f"was {term.with_release('merged in', 'merged')}"
            yield from _of_rule("merged", [*names, *former_names], why=why, instead=instead)
    if term.status != "deprecated":
        names_to_avoid = avoided(term.names)
        yield from _of_rule("avoided", names_to_avoid, why="is to be avoided", instead=term.name)
    if term.is_defined:
        for former in term.former_names:
            why = f"is a former name since {former.until}"
            yield from _of_rule("renamed", [former.text], why=why, instead=instead or term.name)


def _of_rule(
    rule: OutdatedRule, names: Iterable[str], *, why: str, instead: str
) -> Iterator[OutdatedName]:
    """Yields names that break a rule for one reason."""
    for name in names:
        yield OutdatedName(name=name, rule=rule, why=why, instead=instead)


def _users(glossary: PublishedTerms, names: Iterable[OutdatedName]) -> dict[str, set[str]]:
    """Returns the current terms that use each name in their names or definition."""
    mentions = Mentions(name.name for name in names if name.rule in UNLESS_USED)
    users: dict[str, set[str]] = defaultdict(set)
    for term in _current(glossary):
        for text in (term.own_definition.text, *usable(term.names)):
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
    """Returns the terms in force."""
    return [term for term in glossary.terms if term.status in ("current", "unread")]


def _current_names(glossary: PublishedTerms) -> Iterator[str]:
    """Yields the names of all current terms, without those to avoid."""
    for term in _current(glossary):
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
    mentions = Mentions([*outdated_names, *_current_names(glossary)])
    for path, text in texts.items():
        found: list[NameMention] = []
        for start, end in worded_ranges(text, path=path):
            found += mentions.find(text, start, end)
        starts_of_lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        ignored = [*_ignored(text)]
        for mention in sorted(found):
            name = outdated_names.get(mention.name)
            if name is None or _is_quoted(text, mention.start, mention.end):
                continue
            if any(start <= mention.start < end for start, end in ignored):
                continue
            line = bisect_right(starts_of_lines, mention.start)
            start_of_line = starts_of_lines[line - 1]
            yield OutdatedUse(
                path=path,
                line=line,
                column=mention.start - start_of_line + 1,
                text=text[mention.start : mention.end],
                name=name,
            )


def _ignored(text: str) -> Iterator[TextRange]:
    """Yields the ranges that comments hide."""
    for match in _IGNORE.finditer(text):
        hidden = match
        if _COMMENT_MARKS.fullmatch(match["before"] + match["after"]):
            hidden = _PARAGRAPH_BELOW.match(text, match.end()) or match
        yield hidden.span()


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Returns whether a text is about the name in this range, and not about what it means, as in
    “we replace *master*”."""
    before = text[max(0, start - AROUND) : start]
    after = text[end : end + AROUND]
    if before.endswith(_OPENING_QUOTES) and _QUOTES.match(after):
        return True
    if _BEFORE_A_QUOTED_NAME.search(before):
        return True
    return _AFTER_A_QUOTED_NAME.match(after) is not None


# Mentions of names.

_PIECE = re.compile(r"\w+|[^\w\s]")
_JOINT = re.compile(r"[-.:/\\@#$+]")
"""Signs that join two words into one: `torch.nn` does not mention `torch`."""
_PART = frozenset("#+")
"""Signs that belong to the word before them: `C#` does not mention `C`."""
_BOUND = re.compile(rf"\w|{_JOINT.pattern}")


class NameMention(NamedTuple):
    """A range of a text that mentions a name."""

    start: int
    end: int
    name: str
    """The name as it was given to `Mentions`."""


class Mentions:
    """Finds the names that a text mentions: whole words, the longest name first, singular or
    plural.

    Case is ignored, unless two names differ only in case, or a name is in capitals (`10 th` does
    not mention `TH`) or a single letter. If most names are in small letters, a word with a capital
    is a proper name: `environment variable` does not mention the class `Variable`. Stop words
    (`in`, `while`) and names without letters (`<`, `-1`) are never mentions.
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Takes names; of equal names, the first counts. `Long Form (LF)` is also found as `Long
        Form` and `LF`."""
        forms = [*_forms(tuple(names))]
        words = [form for form, _ in forms if form.isalpha()]
        in_small_letters = [word for word in words if word.islower()]
        in_title_case = [word for word in words if word.istitle()]
        self._has_proper_names = len(in_small_letters) > len(in_title_case)
        self._names: dict[tuple[str, ...], dict[str, str]] = {}
        """The words and signs of each name in small letters, to the names by their spellings:
        `("c", "#")` to `{"C#": "C#"}`, `("lf",)` to `{"LF": "Long Form (LF)"}`."""
        self._lengths: dict[str, set[int]] = defaultdict(set)
        """The numbers of words and signs of the names that begin with a word."""
        for form, name in forms:
            if form in STOP_WORDS or not any(map(str.isalpha, form)):
                continue
            pieces = tuple(_PIECE.findall(fold(form)))
            by_spelling = self._names.setdefault(pieces, {})
            by_spelling.setdefault(exact(form), name)
        for pieces, by_spelling in [*self._names.items()]:
            *others, last = pieces
            self._names.setdefault((*others, f"{last}s"), by_spelling)
        for pieces in self._names:
            self._lengths[pieces[0]].add(len(pieces))

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[NameMention]:
        """Yields the mentions in a range of a text, from left to right, without overlaps."""
        pieces = [*_PIECE.finditer(text, start, len(text) if end is None else end)]
        folded = [fold(piece[0]) for piece in pieces]
        past = start  # where the last mention ends
        for number, piece in enumerate(pieces):
            begin = piece.start()
            if begin < past:
                continue
            for length in sorted(self._lengths.get(folded[number], ()), reverse=True):
                of_name = slice(number, number + length)
                by_spelling = self._names.get(tuple(folded[of_name]))
                if by_spelling is None:
                    continue
                stop = pieces[of_name][-1].end()
                name = self._name_for(by_spelling, exact(text[begin:stop]))
                if name and _is_whole(text, begin, stop):
                    yield NameMention(begin, stop, name)
                    past = stop
                    break

    def _name_for(self, by_spelling: dict[str, str], written: str) -> str | None:
        """Returns the name that is meant by written words. `by_spelling` has the names that differ
        from them in case and a plural's s alone.

        It is the one that is spelled so, else the only one; None if there are several, or the
        words are ordinary ones in this case.
        """
        for spelling in (written, written.removesuffix("s")):
            if spelling in by_spelling:
                return by_spelling[spelling]
        if len(by_spelling) > 1:
            return None
        [(spelling, name)] = by_spelling.items()
        if self._needs_exact_spelling(spelling):
            return None
        return name

    def _needs_exact_spelling(self, name: str) -> bool:
        """True if a name in another case is an ordinary word."""
        if name.isupper() or len(name) == 1:
            return True
        if fold(name) in STOP_WORDS:
            return True
        return self._has_proper_names and name.isalpha() and name.istitle()


def _forms(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields the forms of names, each with its name: first the names, then `Long Form` and `LF` for
    `Long Form (LF)`, last plurals such as `queries` for `query`."""
    forms = [*zip(names, names, strict=True)]
    for name in names:
        forms += [(form, name) for form in spelled_out(name)]
    yield from forms
    # A plural in s is found by its singular; queries and boxes are names of their own.
    for form, name in forms:
        several = plural(form)
        if several not in ("", f"{form}s"):
            yield several, name


def _is_whole(text: str, start: int, end: int) -> bool:
    """Returns False if the range is part of a longer word, a path or a number: `torch.nn`,
    `e-mail`, `#tag`."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if _BOUND.match(before) or after in _PART:
        return False
    is_joined = _JOINT.match(after) and _BOUND.match(text, end + 1)
    return not is_joined
