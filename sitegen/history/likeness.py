"""Measures how alike entries are, by the words of their definitions.

`matching` tells terms of one name apart by it. That a term was renamed is only suggested by it
(`pipeline.suggestions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rapidfuzz import fuzz, process

from sitegen.history import relations
from sitegen.model import Entry
from sitegen.text.words import words_of

DISTINCTIVE = 5
"""The minimum number of words by which a definition can identify a term."""
COMPARED_WORDS = 1_000
"""The number of words of a definition that are compared."""
FIRST_LETTER = 0xE000
"""The character after those that Unicode reserves (surrogates)."""
NUMBER_OF_LETTERS = 1_000_000
"""The number of different characters that stand for words; Unicode has no more after the first."""

IndexPair = tuple[int, int]
"""The indexes of a removed and an added entry."""


def closest(entries: Sequence[Entry], other_entries: Sequence[Entry]) -> list[IndexPair]:
    """Returns pairs of an entry and another one, by their indexes. The most similar two are the
    first pair; then both are taken, and the most similar two of the rest are the next."""
    if len(entries) == len(other_entries) == 1:
        return [(0, 0)]
    alphabet: dict[str, int] = {}
    old = [as_letters(entry, alphabet) for entry in entries]
    new = [as_letters(entry, alphabet) for entry in other_entries]
    scores: dict[IndexPair, float] = {}
    for before, after in product(range(len(old)), range(len(new))):
        scores[before, after] = fuzz.ratio(old[before], new[after])
    chosen: dict[int, int] = {}
    used: set[int] = set()
    for before, after in sorted(scores, key=scores.__getitem__, reverse=True):
        if before not in chosen and after not in used:
            chosen[before] = after
            used.add(after)
    return list(chosen.items())


def as_letters(entry: Entry, alphabet: dict[str, int]) -> str:
    """Returns a definition with one character for each word, because strings are compared fastest.

    "See X" gives an empty string, as it does not describe its own term.
    """
    if relations.synonym_of(entry.definition) is not None:
        return ""
    letters = []
    for word in words_of(entry.definition).keys[:COMPARED_WORDS]:
        number = alphabet.setdefault(word, len(alphabet))
        letters.append(chr(FIRST_LETTER + number % NUMBER_OF_LETTERS))
    return "".join(letters)


def pairs(old: Sequence[str], new: Sequence[str], *, at_least: int) -> dict[IndexPair, int]:
    """Returns the similarity, of 100, of the pairs of non-empty texts that reach `at_least`, by
    their indexes: of `["ab", "xy"]` and `["abc"]` for 70, `{(0, 0): 80}`."""
    found = {}
    for before, text in enumerate(old):
        if not text:
            continue
        scored = process.extract(text, new, scorer=fuzz.ratio, score_cutoff=at_least, limit=None)
        for _, score, after in scored:
            found[before, after] = int(score)
    return found
