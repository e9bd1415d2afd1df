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
"""The number of words of a definition that are compared; the time grows with its square."""
FIRST_LETTER = 0xE000
"""The character after those that Unicode reserves (surrogates)."""
NUMBER_OF_LETTERS = 1_000_000
"""The number of different characters that stand for words; Unicode has no more after the first."""

IndexPair = tuple[int, int]
"""The indexes of a removed and an added entry."""


def closest(entries: Sequence[Entry], other_entries: Sequence[Entry]) -> list[IndexPair]:
    """Pairs each entry with one of the other entries, and returns their indexes. The two most
    similar are paired first, then the two most similar of the rest, until one side has none."""
    if len(entries) == len(other_entries) == 1:  # nearly always
        return [(0, 0)]

    # How similar is each entry to each other one?
    alphabet: dict[str, int] = {}
    letters = [as_letters(entry, alphabet) for entry in entries]
    other_letters = [as_letters(entry, alphabet) for entry in other_entries]
    scores: dict[IndexPair, float] = {}
    for index, other_index in product(range(len(letters)), range(len(other_letters))):
        scores[index, other_index] = fuzz.ratio(letters[index], other_letters[other_index])

    # Take the best pair of which neither side is taken.
    other_of: dict[int, int] = {}
    taken: set[int] = set()
    for index, other_index in sorted(scores, key=scores.__getitem__, reverse=True):
        if index not in other_of and other_index not in taken:
            other_of[index] = other_index
            taken.add(other_index)
    return list(other_of.items())


def as_letters(entry: Entry, alphabet: dict[str, int]) -> str:
    """Returns a definition with one character for each word, because strings are compared fastest.

    `alphabet` has the number of each word, and new words are added to it. "See X" gives an empty
    string, as it does not describe its own term.
    """
    if relations.synonym_of(entry.definition) is not None:
        return ""
    letters = []
    for word in words_of(entry.definition).keys[:COMPARED_WORDS]:
        number = alphabet.setdefault(word, len(alphabet))
        # After a million words, two words share a letter, which hardly matters.
        letters.append(chr(FIRST_LETTER + number % NUMBER_OF_LETTERS))
    return "".join(letters)


def similar_pairs(old: Sequence[str], new: Sequence[str], *, at_least: int) -> dict[IndexPair, int]:
    """Returns the similarity, from 0 to 100, of each old and new text that are similar enough.

    `similar_pairs(["ab", "xy"], ["abc"], at_least=70)` gives `{(0, 0): 80}`.
    """
    similarities = {}
    for old_index, text in enumerate(old):
        if not text:  # as `as_letters` gives it for "See X"
            continue
        similar = process.extract(text, new, scorer=fuzz.ratio, score_cutoff=at_least, limit=None)
        for _, score, new_index in similar:
            similarities[old_index, new_index] = int(score)
    return similarities
