"""Guesses which entry that a release removes became which entry that it adds, by their words and
their names.

`suggestions` makes tables for site.toml of the guesses. They do not change any page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sitegen.history.likeness import DISTINCTIVE, IndexPair, as_letters, similar_pairs
from sitegen.model import Entry
from sitegen.text import names
from sitegen.text.names import stems
from sitegen.text.words import folded_words

SIMILAR_WORDS = 60
"""The minimum similarity of definitions, of 100, for a suggestion."""
SIMILAR_NAMES = 85
"""The minimum similarity of names, of 100, for a suggestion."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guess:
    """A possible rename."""

    score: int
    """The similarity of the two entries, of 100."""
    pair: IndexPair
    """The indexes of the two entries in their lists."""
    reason: str


def guesses(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[Guess]:
    """Yields the removed and added entries that are probably one term, the best guess first. An
    entry is in at most one guess."""
    candidates = sorted(_guesses(removed, added), key=lambda guess: (-guess.score, guess.pair))
    guessed_removed: set[int] = set()
    guessed_added: set[int] = set()
    for guess in candidates:
        number_removed, number_added = guess.pair
        if number_removed not in guessed_removed and number_added not in guessed_added:
            guessed_removed.add(number_removed)
            guessed_added.add(number_added)
            yield guess


def _guesses(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[Guess]:
    """Yields the pairs with similar definitions, then those with very similar names."""
    # Each word becomes a letter, so that `similar_pairs` compares definitions word by word.
    alphabet: dict[str, int] = {}
    old_letters = [as_letters(entry, alphabet) for entry in removed]
    new_letters = [as_letters(entry, alphabet) for entry in added]
    for pair, score in similar_pairs(old_letters, new_letters, at_least=SIMILAR_WORDS).items():
        old, new = old_letters[pair[0]], new_letters[pair[1]]
        # Of a few words, one that differs may change the meaning.
        if old == new or min(len(old), len(new)) >= DISTINCTIVE:
            reason = f"{score}% of the words of their definitions are the same"
            yield Guess(score=score, pair=pair, reason=reason)
    for pair, score in _name_similarities(removed, added).items():
        yield Guess(score=score, pair=pair, reason="the names are very similar")


def _name_similarities(removed: Sequence[Entry], added: Sequence[Entry]) -> Mapping[IndexPair, int]:
    """Returns the pairs of entries with very similar names, each with the similarity in percent.
    Names with the same stem have 100."""
    old_names = [names.fold(one.name) for one in removed]
    new_names = [names.fold(one.name) for one in added]
    similarities = similar_pairs(old_names, new_names, at_least=SIMILAR_NAMES)
    old_stems = [_stem(one.name) for one in removed]
    new_stems = [_stem(one.name) for one in added]
    for pair in similar_pairs(old_stems, new_stems, at_least=100):
        similarities[pair] = 100
    return similarities


def _stem(name: str) -> str:
    """Returns a name without spaces, hyphens and its ending.

    >>> _stem("Data centers"), _stem("data-center")
    ('datacent', 'datacent')
    """
    return stems(folded_words(name).replace(" ", ""))
