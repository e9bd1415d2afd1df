"""Measures how alike entries are, by the words of their definitions.

By likeness, `matching` tells terms of one name apart, and `pipeline.suggestions` suggests that a
term was renamed. No rename is decided by likeness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

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
    if not entries or not other_entries:
        return []
    from rapidfuzz import fuzz  # few builds need it, and it is slow to import

    # How similar is each entry to each other one?
    words = enumerate(map(compared_words, entries))
    other_words = enumerate(map(compared_words, other_entries))
    scores: dict[IndexPair, float] = {}
    for (index, one), (other_index, other) in product(words, other_words):
        scores[index, other_index] = fuzz.ratio(one, other)

    return [*disjoint_pairs(sorted(scores, key=scores.__getitem__, reverse=True))]


def disjoint_pairs(pairs: Iterable[IndexPair]) -> Iterator[IndexPair]:
    """Yields the pairs of which neither side is in a pair before. `pairs` are in order, the best
    first."""
    taken: set[int] = set()
    other_taken: set[int] = set()
    for pair in pairs:
        index, other_index = pair
        if index not in taken and other_index not in other_taken:
            taken.add(index)
            other_taken.add(other_index)
            yield pair


def compared_words(entry: Entry) -> Sequence[str]:
    """Returns the words of a definition by which it is compared; none for "See X", which does not
    describe its own term."""
    if relations.synonym_of(entry.definition) is not None:
        return ()
    return words_of(entry.definition).keys[:COMPARED_WORDS]
