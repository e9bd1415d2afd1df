"""Measures how alike entries are, by the words of their definitions.

By likeness, `matching` tells terms of one name apart, and `pipeline.suggestions` suggests that a
term was renamed. No rename is decided by likeness.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rapidfuzz import fuzz

from sitegen.history import relations
from sitegen.model import Entry
from sitegen.text.words import words_of

DISTINCTIVE = 5
"""The minimum number of words by which a definition can identify a term."""
COMPARED_WORDS = 1_000
"""The number of words of a definition that are compared; the time grows with its square."""

IndexPair = tuple[int, int]
"""The indexes of a removed and an added entry."""


def closest(entries: Sequence[Entry], other_entries: Sequence[Entry]) -> list[IndexPair]:
    """Pairs each entry with one of the other entries, and returns their indexes. The two most
    similar are paired first, then the two most similar of the rest, until one side has none."""
    if len(entries) == len(other_entries) == 1:  # nearly always
        return [(0, 0)]

    # How similar is each entry to each other one?
    words = enumerate(map(compared_words, entries))
    other_words = enumerate(map(compared_words, other_entries))
    scores: dict[IndexPair, float] = {}
    for (index, one), (other_index, other) in product(words, other_words):
        scores[index, other_index] = fuzz.ratio(one, other)

    # Take the best pair of which neither side is taken.
    other_of: dict[int, int] = {}
    taken: set[int] = set()
    for index, other_index in sorted(scores, key=scores.__getitem__, reverse=True):
        if index not in other_of and other_index not in taken:
            other_of[index] = other_index
            taken.add(other_index)
    return list(other_of.items())


def compared_words(entry: Entry) -> Sequence[str]:
    """Returns the words of a definition by which it is compared; none for "See X", which does not
    describe its own term."""
    if relations.synonym_of(entry.definition) is not None:
        return ()
    return words_of(entry.definition).keys[:COMPARED_WORDS]
