"""English words cut down to their stems: `snapshots`, `snapshotting` and `snapshot` are one word to a searcher.

The rules are Porter's of 1980, in lunr.js's reading of them; `search-index.js` applies the same ones to what a reader
types. lunr.py's own stemmer reads them differently (it leaves `try` alone, lunr.js makes it `tri`), and an index made
with it would hide those words from the browser.
"""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Returns the stem of a lower-case word. Words of one or two letters are their own."""
    if len(word) < 3:
        return word
    word = _past_and_present(_plural(word))
    if len(word) > 2 and word[-1] == "y" and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    word = _replace(word, DOUBLE)
    word = _replace(word, SINGLE)
    return _last_letter(_drop(word))


class _Endings:
    """Endings and what takes their place, such as `ational:ate`."""

    def __init__(self, text: str) -> None:
        pairs = (pair.partition(":") for pair in text.split())
        self.instead = dict(sorted(((old, new) for old, _, new in pairs), key=lambda pair: -len(pair[0])))
        """The longest ending first."""
        self.all = tuple(self.instead)


DOUBLE = _Endings(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize"
    " ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log"
)
SINGLE = _Endings("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:")
DROPPED = _Endings("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize")
PAST_AND_PRESENT = _Endings("ing: ed:")


class _Shapes(dict[int, str]):
    """A letter's shape: v(owel) or c(onsonant)."""

    def __missing__(self, code: int) -> str:
        self[code] = "v" if chr(code) in "aeiou" else "c"
        return self[code]


_SHAPES = _Shapes()


def _shape(word: str) -> str:
    """The word as consonants and vowels, `ccvc`. A y is a vowel after a consonant."""
    if "y" not in word:
        return word.translate(_SHAPES)
    shape = ""
    for letter in word:
        shape += "v" if letter in "aeiou" or (letter == "y" and shape.endswith("c")) else "c"
    return shape


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant: what Porter calls m."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """The word is one syllable that ends like `hop` and unlike `how`: it may have lost an e."""
    return re.fullmatch("c+vc", _shape(word)) is not None and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if len(word) > 4 and word.endswith("sses"):
        return word[:-2]
    if len(word) > 3 and word.endswith("ies"):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _past_and_present(word: str) -> str:
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _measure(word[:-3]) else word
    base, ending = _split(word, PAST_AND_PRESENT)
    return _mend(base) if ending and "v" in _shape(base) else word


def _mend(base: str) -> str:
    """Gives back the e of `hop(e)ing`, or takes the second p of `hopping`."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base[-1:] == base[-2:-1] and base[-1] not in "aeiouylsz":
        return base[:-1]
    return base + "e" if _is_short(base) else base


def _split(word: str, endings: _Endings) -> tuple[str, str]:
    """The word without the longest of these endings, and that ending. Some letter always stays."""
    if word.endswith(endings.all):  # few words do
        for ending in endings.all:
            if word.endswith(ending) and len(word) > len(ending):
                return word[: -len(ending)], ending
    return word, ""


def _replace(word: str, endings: _Endings) -> str:
    base, ending = _split(word, endings)
    return base + endings.instead[ending] if ending and _measure(base) > 0 else word


def _drop(word: str) -> str:
    base, ending = _split(word, DROPPED)
    if ending == "ion" and base[-1] not in "st":
        return word
    return base if ending and _measure(base) > 1 else word


def _last_letter(word: str) -> str:
    base = word[:-1]
    if base and word[-1] == "e" and (_measure(base) > 1 or (_measure(base) == 1 and not _is_short(base))):
        word = base
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
