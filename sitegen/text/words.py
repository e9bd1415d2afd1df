"""Compares the words of definitions: whether two wordings are the same. (`differing_words` returns
which words differ.)

Markup, case, white space, quotes, dashes and punctuation are ignored, except inside code, where
every character except indentation is compared. Symbols that have a meaning (`+`, `<`, `%`, the
minus of `-1`) count as words.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from sys import intern
from typing import Literal

from sitegen.model import Prose

WordingChange = Literal["unchanged", "reformatted", "reworded"]

MAX_DEFINITIONS = 1_000_000
"""Size of the cache of words, in definitions: more than a site has."""

_TAG = re.compile("<[^>]*>")
TextSpan = tuple[int, int]
CodeRun = tuple[int, int, str]
"""(first, past, exact text): a range of words that are code, such as `(1, 4, "x = 1")` in "If x =
1" if the words are counted from 0."""


def without_tags(html: str, *, instead: str = "") -> str:
    """Returns HTML without its tags, or with another text in their place.

    >>> without_tags("a <b>lad</b>der")
    'a ladder'
    """
    return _TAG.sub(instead, html)


@dataclass(frozen=True)
class Words:
    """The folded words of a definition, in order, and the runs of words that are code."""

    keys: tuple[str, ...]
    code: tuple[CodeRun, ...]


def compare(before: Prose, after: Prose) -> WordingChange:
    """Returns whether `after` has the same words as `before`, and if so, whether it also has the
    same markup."""
    if before.html == after.html:
        return "unchanged"
    if same_words(before, after):
        return "reformatted"
    return "reworded"


def same_words(before: Prose, after: Prose) -> bool:
    """True if two wordings have the same words in the same order. Words that are code in both must
    also have the same characters.

    "Run `x=1`" has the same words as "run x = 1", and others than "Run `x = 1`".
    """
    older, newer = words_of(before), words_of(after)
    return older.keys == newer.keys and _have_same_code(older, newer)


@lru_cache(maxsize=MAX_DEFINITIONS)
def words_of(prose: Prose) -> Words:
    """Returns the words of a definition."""
    spans = word_spans(prose.text)
    keys = [intern(folded_word(prose.text[start:end])) for start, end in spans]
    code = []
    for start, end in prose.code:
        first = bisect_right(spans, start, key=_end_of)  # the number of words that end before it
        past = bisect_left(spans, end, key=_start_of)
        code.append((first, past, prose.text[start:end]))
    return Words(tuple(keys), tuple(code))


_start_of, _end_of = itemgetter(0), itemgetter(1)


@lru_cache(maxsize=50_000)
def folded_words(text: str) -> str:
    """Returns the folded words of a text, joined by spaces: equal for texts with the same words.

    >>> folded_words("The “Table–Saw”: 50% off")
    'the table saw 50 % off'
    """
    return " ".join([folded_word(text[start:end]) for start, end in word_spans(text)])


_MEANINGFUL = "%#"
"""Signs that count as symbols, though Unicode has them as punctuation: `50%`, `C#`."""
_MEANINGLESS = "|~−"
"""Signs that do not count, though Unicode has them as symbols: `|` and `~` are often markup, and
only the minus before a number has a meaning (`_MINUS`)."""


class _Classes(dict[int, str]):
    """Maps code points to `w` (word), `s` (symbol) or a space."""

    def __missing__(self, code: int) -> str:
        """Returns the class of a code point, and keeps it."""
        sign = chr(code)
        category = unicodedata.category(sign)
        is_symbol = category in ("Sm", "Sc", "So") and sign not in _MEANINGLESS
        kind = " "
        if category.startswith(("L", "M", "N")):
            kind = "w"
        elif is_symbol or sign in _MEANINGFUL:
            kind = "s"
        self[code] = kind
        return kind


_CLASSES = _Classes()
_RUN = re.compile("w+|s+")
_UNSPACED = (
    r"[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\U00020000-\U0003ffff]"
)
UNSPACED = re.compile(f"({_UNSPACED})")
"""A Chinese or Japanese character."""
_WRAP = f" (?<={_UNSPACED} )(?={_UNSPACED})"
"""A space between Chinese or Japanese characters. These languages have no spaces, so it comes from
a line break."""
_MINUS = re.compile(r"(?<![\w)\]])[-−](?=\d)")
_INDENTATION = re.compile(r"\n[ \t]+")


def word_spans(text: str) -> list[TextSpan]:
    """Returns the ranges of a text that are words or symbols.

    >>> word_spans("x > -1")
    [(0, 1), (2, 3), (4, 5), (5, 6)]
    """
    if text.isalpha():  # a single word
        return [(0, len(text))]
    # Each replacement has as many characters, so that the ranges stay.
    plain = _MINUS.sub("+", text)  # a minus is a symbol
    if " " in text and UNSPACED.search(text):
        # A line break between Chinese characters is no boundary of words.
        plain = re.sub(_WRAP, "w", plain)
    return [match.span() for match in _RUN.finditer(plain.translate(_CLASSES))]


def letter_runs(text: str) -> list[TextSpan]:
    """Returns the ranges of a text that are letters, marks and digits.

    >>> letter_runs("C++ and a_b")
    [(0, 1), (4, 7), (8, 9), (10, 11)]
    """
    return [match.span() for match in re.finditer("w+", text.translate(_CLASSES))]


def folded_word(word: str) -> str:
    """Returns the form of a word by which it is compared."""
    word = word.replace(" ", "")  # of a line break in a Chinese word
    return case_folded(word).replace("−", "-")


def case_folded(text: str) -> str:
    """Returns a key that is equal for texts that differ only by case or Unicode normal form. Some
    file systems take names with one key for the same file."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFC", text).casefold()
    return unicodedata.normalize("NFC", folded)  # folding can undo it (Unicode 3.13, D145)


def is_unspaced(character: str) -> bool:
    """True for a character of Chinese or Japanese, which have no spaces between words."""
    return UNSPACED.match(character) is not None


def _have_same_code(older: Words, newer: Words) -> bool:
    """True if words that are code in both texts have the same characters."""
    older_code = _code_by_range(older.code)
    for words, texts in _code_by_range(newer.code).items():
        older_texts = older_code.get(words)
        if older_texts is not None and older_texts != texts:
            return False
    return True


def _code_by_range(code: Iterable[CodeRun]) -> dict[TextSpan, list[str]]:
    """Returns code without indentation, by the range of words that it covers; a range can have
    several texts."""
    texts: dict[TextSpan, list[str]] = {}
    for first, past, text in code:
        texts.setdefault((first, past), []).append(_INDENTATION.sub("\n", text))
    return texts
