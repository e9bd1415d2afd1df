"""Guesses which entry that a release removes became which entry that it adds: by the words, the
names, the place in the file, and the terms that refer to both.

`suggestions` makes tables for site.toml of the guesses. They do not change any page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from sitegen.history.likeness import DISTINCTIVE, IndexPair, as_letters, similar_pairs
from sitegen.model import Entry, Release
from sitegen.text import names
from sitegen.text.names import stems
from sitegen.text.words import folded_words, words_of

SIMILAR_WORDS = 60
"""The minimum similarity of definitions, of 100, for a suggestion."""
SIMILAR_NAMES = 85
"""The minimum similarity of names, of 100, for a suggestion."""
NAMES_THAT_DECIDE = 70
"""The minimum similarity of names, of 100, for entries whose definitions have the same few
words."""
MOST_BY_PLACE = 70
"""The highest score of entries whose words say nothing."""
ONE_SIGN = 50
"""The score of such entries with the same place, or the same terms that refer to them, alone."""
EDGE = ""
"""Stands for the missing neighbor of the first entry and of the last one."""

References = Mapping[tuple[str, str], str]
"""(source id, target of a reference) to the key of the term, as in `Site.references`."""


class EntryOfTerm(NamedTuple):
    """An entry, with the key of its term."""

    key: str
    """The key of the term."""
    entry: Entry


@dataclass(frozen=True, kw_only=True, slots=True)
class Guess:
    """A possible rename."""

    score: int
    """The similarity of the two entries, of 100."""
    name_similarity: int = 0
    """In percent; 0 if it is below `NAMES_THAT_DECIDE`."""
    pair: IndexPair
    """The indexes of the two entries in their lists."""
    reason: str


class Neighbors(NamedTuple):
    """The folded names of the entries beside an entry, or `EDGE`."""

    before: str
    after: str


class ReleaseChanges(NamedTuple):
    """What a release of a source changed."""

    older: Release
    """The release before."""
    newer: Release
    removed: Sequence[EntryOfTerm]
    added: Sequence[EntryOfTerm]


def guesses(changes: ReleaseChanges, references: References) -> Iterator[Guess]:
    """Yields the removed and added entries that are probably one term, the best guess first. An
    entry is in at most one guess."""
    if not changes.removed or not changes.added:
        return
    candidates = [*_by_words(changes.removed, changes.added), *_by_place(changes, references)]
    candidates.sort(key=lambda guess: (-guess.score, -guess.name_similarity, guess.pair))
    guessed_removed: set[int] = set()
    guessed_added: set[int] = set()
    for guess in candidates:
        removed, added = guess.pair
        if removed not in guessed_removed and added not in guessed_added:
            guessed_removed.add(removed)
            guessed_added.add(added)
            yield guess


# By definitions and names.


def _by_words(removed: Sequence[EntryOfTerm], added: Sequence[EntryOfTerm]) -> Iterator[Guess]:
    """Yields the pairs with similar definitions, then those with very similar names."""
    old_entries = [one.entry for one in removed]
    new_entries = [one.entry for one in added]
    similarities = _name_similarities(old_entries, new_entries)
    yield from _by_definition(old_entries, new_entries, similarities)
    for pair, score in similarities.items():
        if score >= SIMILAR_NAMES:
            reason = "the names are very similar"
            yield Guess(score=score, name_similarity=score, pair=pair, reason=reason)


def _name_similarities(removed: Sequence[Entry], added: Sequence[Entry]) -> Mapping[IndexPair, int]:
    """Returns the pairs of entries with similar names, each with the similarity in percent, from
    `NAMES_THAT_DECIDE` up. Names with the same stem have 100."""
    old_names = [names.fold(one.name) for one in removed]
    new_names = [names.fold(one.name) for one in added]
    similarities = similar_pairs(old_names, new_names, at_least=NAMES_THAT_DECIDE)
    old_stems = [name_stem(one.name) for one in removed]
    new_stems = [name_stem(one.name) for one in added]
    for pair in similar_pairs(old_stems, new_stems, at_least=100):
        similarities[pair] = 100
    return similarities


def name_stem(name: str) -> str:
    """Returns a name without spaces, hyphens and its ending.

    >>> name_stem("Data centers"), name_stem("data-center")
    ('datacent', 'datacent')
    """
    return stems(folded_words(name).replace(" ", ""))


def _by_definition(
    removed: Sequence[Entry], added: Sequence[Entry], similar_names: Mapping[IndexPair, int]
) -> Iterator[Guess]:
    """Yields the pairs with definitions that share most of their words, then those with equal
    definitions. `similar_names` has the pairs with similar names."""
    # Each word becomes a letter, so that `pairs` compares definitions word by word.
    alphabet: dict[str, int] = {}
    old_letters = [as_letters(entry, alphabet) for entry in removed]
    new_letters = [as_letters(entry, alphabet) for entry in added]
    pairs_with_words: dict[tuple[str, ...], list[IndexPair]] = defaultdict(list)
    for pair, score in similar_pairs(old_letters, new_letters, at_least=SIMILAR_WORDS).items():
        number_removed, number_added = pair
        old_words = words_of(removed[number_removed].definition).keys
        new_words = words_of(added[number_added].definition).keys
        if old_words == new_words:
            pairs_with_words[old_words].append(pair)
        elif min(len(old_words), len(new_words)) >= DISTINCTIVE:
            reason = f"{score}% of the words of their definitions are the same"
            similarity = similar_names.get(pair, 0)
            yield Guess(score=score, name_similarity=similarity, pair=pair, reason=reason)

    # A build treats most equal definitions as a rename. Only the others get here: those with few
    # words, or with words that other entries have too.
    for words, equal_pairs in pairs_with_words.items():
        reason = "their definitions have the same words, and other entries have them too"
        if len(words) < DISTINCTIVE:
            reason = "their definitions have the same words, but few"
        for pair in equal_pairs:
            similarity = similar_names.get(pair, 0)
            # Of several pairs with the same words, only those with similar names are likely.
            if len(equal_pairs) == 1 or similarity:
                yield Guess(score=100, name_similarity=similarity, pair=pair, reason=reason)


# By the place in the file, and by the terms that refer to an entry.


def _by_place(changes: ReleaseChanges, references: References) -> Iterator[Guess]:
    """Yields the pairs that have the same neighbors in their files, or to which the same terms
    refer. Both signs together score `MOST_BY_PLACE`, and one alone scores `ONE_SIGN`."""
    old_names = [names.fold(entry.name) for entry in changes.older.entries]
    new_names = [names.fold(entry.name) for entry in changes.newer.entries]
    kept_names = {*old_names} & {*new_names}
    old_neighbors = _kept_neighbors(changes.older, old_names, kept_names)
    new_neighbors = _kept_neighbors(changes.newer, new_names, kept_names)
    old_referring = _referring_terms(changes.older, references)
    new_referring = _referring_terms(changes.newer, references)
    is_alphabetical = new_names == sorted(new_names)
    indexed = product(enumerate(changes.removed), enumerate(changes.added))
    for (number_removed, removed), (number_added, added) in indexed:
        if _has_no_words(removed.entry) or _has_no_words(added.entry):
            continue  # without words, the place is too little
        pair = number_removed, number_added

        neighbors = old_neighbors.get(removed.entry)
        has_same_place = neighbors is not None and neighbors == new_neighbors.get(added.entry)
        referring_to_old = old_referring.get(removed.key, set())
        referring_to_new = new_referring.get(added.key, set())
        referring_to_both = referring_to_old & referring_to_new
        kept_referring_to_old = referring_to_old & kept_names

        if has_same_place and referring_to_both:
            reason = "they are in the same place, and the same terms refer to them"
            yield Guess(score=MOST_BY_PLACE, pair=pair, reason=reason)
        # In alphabetical order, the place alone says nothing: between Axis and Cell, Batch is
        # removed and Bias is added, although the two have nothing in common.
        elif has_same_place and not is_alphabetical:
            yield Guess(score=ONE_SIGN, pair=pair, reason="they are in the same place")
        # If a term that both releases have referred to the old one, and not to the new one, the two
        # may be different.
        elif referring_to_both and kept_referring_to_old <= referring_to_new:
            yield Guess(score=ONE_SIGN, pair=pair, reason="the same terms refer to them")


def _has_no_words(entry: Entry) -> bool:
    """True for an entry without words of its own, such as "See X"."""
    return as_letters(entry, {}) == ""


def _kept_neighbors(
    release: Release, folded_names: Sequence[str], kept_names: Collection[str]
) -> Mapping[Entry, Neighbors]:
    """Returns the neighbors of each entry, if the other release has both of them too: of Axis,
    Batch and Cell, the neighbors of Batch are `axis` and `cell`.

    `folded_names` are those of the entries in their order, `kept_names` those in both releases.
    """
    allowed = {*kept_names, EDGE}
    neighbors = {}
    names_before = [EDGE, *folded_names][:-1]
    names_after = [*folded_names, EDGE][1:]
    for entry, before, after in zip(release.entries, names_before, names_after, strict=True):
        is_only_entry = before == after == EDGE  # without neighbors that would be a sign
        if before in allowed and after in allowed and not is_only_entry:
            neighbors[entry] = Neighbors(before, after)
    return neighbors


def _referring_terms(release: Release, references: References) -> Mapping[str, set[str]]:
    """Returns the key of each term that is referred to, with the folded names of the terms that
    refer to it."""
    referring: dict[str, set[str]] = defaultdict(set)
    for entry in release.entries:
        for reference in entry.definition.references:
            key = references.get((entry.place.source, reference.target))
            if key:
                referring[key].add(names.fold(entry.name))
    return referring
