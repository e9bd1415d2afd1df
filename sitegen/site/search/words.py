"""Splits a text into the words that the search compares. `search-words.js` splits a query in the same way.

Case, diacritics, apostrophes and punctuation are removed. Chinese and Japanese are written without spaces, so a run
of their characters is split into all pairs of neighbours: a query of two characters finds any word that contains
them, and a single character finds the pairs that begin with it.
"""

from __future__ import annotations

import re
import unicodedata

from lunr.stemmer import porter_stemmer
from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.site.search.endings import rules, without_ending

UNSPACED = re.compile("([\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)")
"""A run of Han characters, hiragana or katakana."""


def words(text: str) -> list[str]:
    """Returns the words of a text: lower case, without diacritics, apostrophes or punctuation."""
    found = _fold(text).translate(_LETTERS).split()
    if text.isascii() or not UNSPACED.search(text):
        return found
    return [part for word in found for run in UNSPACED.split(word) for part in _pairs(run)]


def is_english(language: str) -> bool:
    """True if a site's language is English of any country."""
    return language.partition("-")[0].lower() == "en"


def last_letters(text: str) -> list[str]:
    """Returns the last character of each run that is split into pairs, because no pair begins with it."""
    return [] if text.isascii() else [run[-1] for run in UNSPACED.findall(_fold(text)) if len(run) > 1]


def index_word(word: str, *, language: str) -> str:
    """Returns the form of a word in the index.

    In English it is lunr's stem, or "" for one of lunr's stop words; in other languages the word without its ending.
    """
    if not is_english(language):
        return without_ending(word, rules(language))
    return "" if word in STOP_WORDS else str(porter_stemmer.stem(word))


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not "\u0300" <= letter <= "\u036f")
    # Converting to upper case first turns ß into ss. NFC composes Korean syllables and voiced kana again.
    return unicodedata.normalize("NFC", bare.upper().lower())


def _pairs(run: str) -> list[str]:
    if len(run) < 2 or not UNSPACED.fullmatch(run):
        return [run] if run else []
    return [run[start : start + 2] for start in range(len(run) - 1)]


class _Letters(dict[int, str]):
    """Maps letters, marks and digits to themselves and all else to a space; computed on first lookup."""

    def __missing__(self, code: int) -> str:
        self[code] = chr(code) if unicodedata.category(chr(code))[0] in "LMN" else " "
        return self[code]


_LETTERS = _Letters({ord("'"): "", ord("’"): ""})
