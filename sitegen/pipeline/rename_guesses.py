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

from sitegen.history.likeness import DISTINCTIVE, IndexPair, as_letters, pairs
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
    names: int = 0
    """The similarity of the names, of 100; 0 if they are less alike than `NAMES_THAT_DECIDE`."""
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
    """Yields the best guesses about the removed entries, by the indexes of these and of the added
    ones, at most one for each entry."""
    if not changes.removed or not changes.added:
        return
    found = [*_by_words(changes.removed, changes.added), *_by_place(changes, references)]
    guessed_removed, guessed_added = set[int](), set[int]()
    for guess in sorted(found, key=lambda guess: (-guess.score, -guess.names, guess.pair)):
        removed, added = guess.pair
        if removed not in guessed_removed and added not in guessed_added:
            guessed_removed.add(removed)
            guessed_added.add(added)
            yield guess


# By definitions and names.


def _by_words(removed: Sequence[EntryOfTerm], added: Sequence[EntryOfTerm]) -> Iterator[Guess]:
    """Yields the pairs with similar definitions, then those with very similar names."""
    old = [one.entry for one in removed]
    new = [one.entry for one in added]
    alike = _alike_names(old, new)
    yield from _by_definition(old, new, alike)
    for pair, score in alike.items():
        if score >= SIMILAR_NAMES:
            reason = "the names are very similar"
            yield Guess(score=score, names=score, pair=pair, reason=reason)


def _alike_names(removed: Sequence[Entry], added: Sequence[Entry]) -> Mapping[IndexPair, int]:
    """Returns the similarity of the names, of 100, for pairs from `NAMES_THAT_DECIDE` on; names
    with one stem have 100."""
    old = [names.fold(one.name) for one in removed]
    new = [names.fold(one.name) for one in added]
    alike = pairs(old, new, at_least=NAMES_THAT_DECIDE)
    old_stems = [name_stem(one.name) for one in removed]
    new_stems = [name_stem(one.name) for one in added]
    for pair in pairs(old_stems, new_stems, at_least=100):
        alike[pair] = 100
    return alike


def name_stem(name: str) -> str:
    """Returns a name without spaces, hyphens and its ending.

    >>> name_stem("Data centers"), name_stem("data-center")
    ('datacent', 'datacent')
    """
    return stems(folded_words(name).replace(" ", ""))


def _by_definition(
    removed: Sequence[Entry], added: Sequence[Entry], alike: Mapping[IndexPair, int]
) -> Iterator[Guess]:
    """Yields the pairs whose definitions share most of their words, in order.

    Equal definitions are a guess if a build does not treat them as a rename: if they have few
    words, or if other entries have the same words.
    """
    alphabet: dict[str, int] = {}
    old = [as_letters(entry, alphabet) for entry in removed]
    new = [as_letters(entry, alphabet) for entry in added]
    same: dict[tuple[str, ...], list[IndexPair]] = defaultdict(list)
    for pair, score in pairs(old, new, at_least=SIMILAR_WORDS).items():
        before, after = pair
        words = words_of(removed[before].definition).keys
        words_after = words_of(added[after].definition).keys
        if words == words_after:
            same[words].append(pair)
        elif min(len(words), len(words_after)) >= DISTINCTIVE:
            reason = f"{score}% of the words of their definitions are the same"
            yield Guess(score=score, names=alike.get(pair, 0), pair=pair, reason=reason)
    for words, group in same.items():
        reason = "their definitions have the same words, and other entries have them too"
        if len(words) < DISTINCTIVE:
            reason = "their definitions have the same words, but few"
        for pair in group:
            # Of several entries with the same words, the names tell which are one term.
            if len(group) == 1 or pair in alike:
                yield Guess(score=100, names=alike.get(pair, 0), pair=pair, reason=reason)


# By the place in the file, and by the terms that refer to an entry.


def _by_place(changes: ReleaseChanges, references: References) -> Iterator[Guess]:
    """Yields the pairs that have the same neighbors in their files, or to which the same terms
    refer.

    The place alone is no evidence where terms are in alphabetical order: Batch is removed and Bias
    added between Axis and Cell without any relation of the two.
    """
    old_order = [names.fold(entry.name) for entry in changes.older.entries]
    new_order = [names.fold(entry.name) for entry in changes.newer.entries]
    is_alphabetical = new_order == sorted(new_order)
    kept = {*old_order} & {*new_order}
    old_neighbors = _kept_neighbors(changes.older, old_order, kept)
    new_neighbors = _kept_neighbors(changes.newer, new_order, kept)
    old_users = _users(changes.older, references)
    new_users = _users(changes.newer, references)
    indexed = product(enumerate(changes.removed), enumerate(changes.added))
    for (number_removed, removed), (number_added, added) in indexed:
        if _says_nothing(removed.entry) or _says_nothing(added.entry):
            continue
        pair = number_removed, number_added
        neighbors = old_neighbors.get(removed.entry)
        has_same_place = neighbors is not None and neighbors == new_neighbors.get(added.entry)
        users = old_users.get(removed.key, set())
        users_after = new_users.get(added.key, set())
        share_users = not users.isdisjoint(users_after)
        # Of the terms that refer to the old name and are kept, all refer to the new one.
        share_kept_users = share_users and users_after.issuperset(users & kept)
        if has_same_place and share_users:
            reason = "they are in the same place, and the same terms refer to them"
            yield Guess(score=MOST_BY_PLACE, pair=pair, reason=reason)
        elif has_same_place and not is_alphabetical:
            yield Guess(score=ONE_SIGN, pair=pair, reason="they are in the same place")
        elif share_kept_users:
            yield Guess(score=ONE_SIGN, pair=pair, reason="the same terms refer to them")


def _says_nothing(entry: Entry) -> bool:
    """True for an entry without words, or with "See X" alone: no sign that two terms are one."""
    return as_letters(entry, {}) == ""


def _kept_neighbors(
    release: Release, order: Sequence[str], kept: Collection[str]
) -> Mapping[Entry, Neighbors]:
    """Returns the neighbors of each entry whose neighbors are kept. `order` has the folded names of
    the entries.

    Of Axis, Batch and Cell, the neighbors of Batch are `axis` and `cell`.
    """
    allowed = {*kept, EDGE}
    neighbors = {}
    names_before = [EDGE, *order][:-1]
    names_after = [*order, EDGE][1:]
    for entry, before, after in zip(release.entries, names_before, names_after, strict=True):
        is_only_one = before == after == EDGE
        if before in allowed and after in allowed and not is_only_one:
            neighbors[entry] = Neighbors(before, after)
    return neighbors


def _users(release: Release, references: References) -> Mapping[str, set[str]]:
    """Returns the folded names of the terms that refer to a term, by the key of that term."""
    users: dict[str, set[str]] = defaultdict(set)
    for entry in release.entries:
        for reference in entry.definition.references:
            key = references.get((entry.place.source, reference.target), "")
            users[key].add(names.fold(entry.name))
    return users
