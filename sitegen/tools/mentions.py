"""Finds the names that a text mentions: whole words, the longest name first, singular or plural.

Names are stored in a tree of words and signs, so the time does not grow with their number. Case is ignored, unless
two names differ only in case, or a name is in capitals (`10 th` does not mention `TH`) or a single letter. If most
names are in small letters, a word with a capital is a proper name: `environment variable` does not mention the class
`Variable`. Stop words (`in`, `while`) and names without letters (`<`, `-1`) are never mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.text.names import exact, fold, spelled_out

T = TypeVar("T")

_PIECE = re.compile(r"\w+|[^\w\s]")
_JOINT = re.compile(r"[-.:/\\@#$+]")
"""Signs that join two words into one: `torch.nn` does not mention `torch`."""
_PART = frozenset("#+")
"""Signs that belong to the word before them: `C#` does not mention `C`."""
_BOUND = re.compile(rf"\w|{_JOINT.pattern}")


@dataclass(frozen=True, slots=True)
class NameMention(Generic[T]):
    """A range of a text that is a name, and the value of the name."""

    start: int
    end: int
    value: T


@dataclass(slots=True)
class _Node(Generic[T]):
    following: dict[str, _Node[T]] = field(default_factory=dict)
    names: dict[str, T] = field(default_factory=dict)
    """The names that end at this node, as they are spelled."""


class Mentions(Generic[T]):
    """Finds names in texts."""

    def __init__(self, names: Iterable[tuple[str, T]]) -> None:
        """Takes names and their values; of equal names, the first counts. `Long Form (LF)` gives two more names."""
        self._root: _Node[T] = _Node()
        names = tuple(names)
        names += tuple((form, value) for name, value in names for form in spelled_out(name))
        words = [name for name, _ in names if name.isalpha()]
        self._capitals_count = sum(map(str.islower, words)) > sum(map(str.istitle, words))
        for name, value in names:
            pieces = _PIECE.findall(fold(name))
            if name in STOP_WORDS or not any(map(str.isalpha, name)):
                continue
            node = self._root
            for piece in pieces:
                node = node.following.setdefault(piece, _Node())
            node.names.setdefault(exact(name), value)

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[NameMention[T]]:
        """Yields the mentions in a range of a text, from left to right, without overlaps."""
        pieces = [match.span() for match in _PIECE.finditer(text, start, len(text) if end is None else end)]
        number = 0
        while number < len(pieces):
            found = self._longest(text, pieces, number)
            if found is None:
                number += 1
                continue
            last, value = found
            yield NameMention(pieces[number][0], pieces[last][1], value)
            number = last + 1

    def _longest(self, text: str, pieces: list[tuple[int, int]], first: int) -> tuple[int, T] | None:
        found: tuple[int, T] | None = None
        node: _Node[T] = self._root
        for number in range(first, len(pieces)):
            piece = fold(text[slice(*pieces[number])])
            singular = node.following.get(piece.removesuffix("s")) if piece.endswith("s") else None
            for ending in filter(None, (singular, node.following.get(piece))):
                place = (pieces[first][0], pieces[number][1])
                value = self._value_of(ending.names, text[slice(*place)])
                if value is not None and _stands_alone(text, *place):
                    found = number, value
            if piece not in node.following:
                break
            node = node.following[piece]
        return found

    def _value_of(self, names: dict[str, T], written: str) -> T | None:
        """Returns the value of a name as it is written, or None if that is ambiguous or an ordinary word."""
        written = exact(written)
        for form in (written, written.removesuffix("s")):
            if form in names:
                return names[form]
        only = next(iter(names), "")
        is_own_word = only.isupper() or (self._capitals_count and only.isalpha() and only.istitle())
        to_the_letter = len(names) != 1 or len(only) == 1 or is_own_word or fold(only) in STOP_WORDS
        return None if to_the_letter else names[only]


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Returns False if the range is part of a longer word, a path or a number: `torch.nn`, `e-mail`, `#tag`."""
    before, after, next_one = text[start - 1 : start], text[end : end + 1], text[end + 1 : end + 2]
    return not (_BOUND.match(before) or after in _PART or (_JOINT.match(after) and _BOUND.match(next_one)))
