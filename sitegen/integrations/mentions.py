"""Finds the names of terms in a text: whole words, the longest name first, singular or plural."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.text.names import exact, fold, plural, spelled_out

_PIECE = re.compile(r"\w+|[^\w\s]")
_JOINT = re.compile(r"[-.:/\\@#$+]")
"""Signs that join two words into one: `torch.nn` does not mention `torch`."""
_PART = frozenset("#+")
"""Signs that belong to the word before them: `C#` does not mention `C`."""
_BOUND = re.compile(rf"\w|{_JOINT.pattern}")


@dataclass(frozen=True, slots=True)
class NameMention:
    """A range of a text that mentions a name."""

    start: int
    end: int
    name: str
    """The name as it was given to `Mentions`."""


@dataclass(slots=True)
class _Node:
    following: dict[str, _Node] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """The names that end at this node: maps their spellings to the names as they were given."""


class Mentions:
    """Finds the names that a text mentions: whole words, the longest name first, singular or
    plural.

    Names are stored in a tree of words and signs, so the time does not grow with their number. Case
    is ignored, unless two names differ only in case, or a name is in capitals (`10 th` does not
    mention `TH`) or a single letter. If most names are in small letters, a word with a capital is a
    proper name: `environment variable` does not mention the class `Variable`. Stop words (`in`,
    `while`) and names without letters (`<`, `-1`) are never mentions.
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Takes names; of equal names, the first counts. `Long Form (LF)` is also found as `Long
        Form` and `LF`."""
        self._root = _Node()
        spellings = [*_spellings(tuple(names))]
        words = [form for form, _ in spellings if form.isalpha()]
        self._capitals_count = sum(map(str.islower, words)) > sum(map(str.istitle, words))
        for form, name in spellings:
            if form not in STOP_WORDS and any(map(str.isalpha, form)):
                node = self._root
                for piece in _PIECE.findall(fold(form)):
                    node = node.following.setdefault(piece, _Node())
                node.names.setdefault(exact(form), name)

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[NameMention]:
        """Yields the mentions in a range of a text, from left to right, without overlaps."""
        past = len(text) if end is None else end
        pieces = [match.span() for match in _PIECE.finditer(text, start, past)]
        number = 0
        while number < len(pieces):
            found = self._longest(text, pieces, number)
            if found is None:
                number += 1
                continue
            last, name = found
            yield NameMention(pieces[number][0], pieces[last][1], name)
            number = last + 1

    def _longest(
        self, text: str, pieces: list[tuple[int, int]], first: int
    ) -> tuple[int, str] | None:
        """Returns the last piece of the longest name that begins at a piece, and the name."""
        found: tuple[int, str] | None = None
        node = self._root
        start = pieces[first][0]
        for number in range(first, len(pieces)):
            begin, end = pieces[number]
            piece = fold(text[begin:end])
            forms = [piece.removesuffix("s"), piece] if piece.endswith("s") else [piece]
            for form in forms:
                ending = node.following.get(form)
                if ending is None:
                    continue
                name = self._name_for(ending.names, text[start:end])
                if name is not None and _stands_alone(text, start, end):
                    found = number, name
            if piece not in node.following:
                break
            node = node.following[piece]
        return found

    def _name_for(self, names: dict[str, str], spelling: str) -> str | None:
        """Returns the name that is meant by what is written, or None if that is ambiguous or an
        ordinary word."""
        spelling = exact(spelling)
        for form in (spelling, spelling.removesuffix("s")):
            if form in names:
                return names[form]
        if len(names) != 1:
            return None
        [(only, name)] = names.items()
        is_proper_name = self._capitals_count and only.isalpha() and only.istitle()
        if is_proper_name or only.isupper() or len(only) == 1 or fold(only) in STOP_WORDS:
            return None
        return name


def _spellings(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields the forms of names, each with its name: first the names, last their plurals."""
    forms = [(name, name) for name in names]
    for name in names:
        forms += [(form, name) for form in spelled_out(name)]
    yield from forms
    # A plural in s is found by its singular; queries and boxes are names of their own.
    for form, name in forms:
        several = plural(form)
        if several not in ("", f"{form}s"):
            yield several, name


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Returns False if the range is part of a longer word, a path or a number: `torch.nn`,
    `e-mail`, `#tag`."""
    before, after, next_one = text[start - 1 : start], text[end : end + 1], text[end + 1 : end + 2]
    if _BOUND.match(before) or after in _PART:
        return False
    return not (_JOINT.match(after) and _BOUND.match(next_one))
