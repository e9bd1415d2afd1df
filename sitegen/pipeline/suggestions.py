"""Suggests pairs of terms that may be one term, with the evidence and the tables for site.toml that
decide it.

The entries that a release of a source removes are compared with those that it adds: one with
similar words or a similar name may be the same term, renamed. Pairs that are decided in site.toml
are left out. Suggestions do not change any page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sitegen.config.parsing import Config
from sitegen.config.toml import table_text
from sitegen.history.likeness import DISTINCTIVE, IndexPair, compared_words, disjoint_pairs
from sitegen.model import Entry
from sitegen.site.site import Site
from sitegen.text.names import fold

SIMILAR_WORDS = 60
"""The minimum similarity of definitions, of 100, for a suggestion."""
SIMILAR_NAMES = 85
"""The minimum similarity of names, of 100, for a suggestion."""

DecidedNames = tuple[str, set[str]]
"""The source and the folded names of a table of site.toml. An empty source means any source."""


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """Two entries that may be one term."""

    score: int
    """The similarity of the two entries, of 100."""
    reason: str
    before: Entry
    """The entry that a release of the source removed."""
    after: Entry
    """The entry that the release added."""
    release: str
    """The name of the release; empty if it is not known which release renamed the term."""

    @property
    def same(self) -> str:
        """The table for site.toml if they are one term."""
        return rename_table(self.before, self.after, release=self.release)

    @property
    def distinct(self) -> str:
        """The table for site.toml if they are two."""
        names = (self.before.name, self.after.name)
        return table_text("[[distinct]]", {"names": names, "source": self.after.place.source})


def suggestions(site: Site, config: Config) -> tuple[Suggestion, ...]:
    """Returns the suggestions by source and release, the most similar first. Left out is what the
    tables of `config` decide."""
    decided: list[DecidedNames] = []
    for rename in config.renames:
        decided.append((rename.source, {fold(rename.old), fold(rename.new)}))
    for verdict in config.verdicts:
        decided.append((verdict.source, {*map(fold, verdict.names)}))
    return tuple(_renames(site, decided))


def _is_decided(before: Entry, after: Entry, decided: Iterable[DecidedNames]) -> bool:
    """True if a table about their source has the names of both entries."""
    pair = {fold(before.name), fold(after.name)}
    for source, decided_names in decided:
        if source in ("", before.place.source) and pair <= decided_names:
            return True
    return False


def _renames(site: Site, decided: Sequence[DecidedNames]) -> Iterator[Suggestion]:
    """Yields the possible renames of each release, without those that are decided."""
    changed_entries = _changed_entries(site)
    for source in site.sources:
        for release in source.releases:
            removed = changed_entries.get(("removed", source.id, release.name), ())
            added = changed_entries.get(("added", source.id, release.name), ())
            for guess in _guesses(removed, added):
                old_index, new_index = guess.pair
                before, after = removed[old_index], added[new_index]
                if _is_decided(before, after, decided):
                    continue
                yield Suggestion(
                    score=guess.score,
                    reason=guess.reason,
                    before=before,
                    after=after,
                    release=release.name,
                )


def _changed_entries(site: Site) -> Mapping[tuple[str, str, str], Sequence[Entry]]:
    """Returns the changed entries by (kind of change, source, release). A removed entry is the last
    one before the removal."""
    entries: dict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    for life in site.lives:
        for change in life.changes:
            entry = change.before if change.kind == "removed" else change.after
            if entry:
                entries[change.kind, change.source, change.release].append(entry)
    return entries


def rename_table(before: Entry, after: Entry, *, release: str) -> str:
    """Returns the table for site.toml that says that a release renamed an entry. `release` is empty
    if it is not known which release did."""
    values = {"source": after.place.source, "from": before.name, "to": after.name}
    return table_text("[[rename]]", {**values, "release": release})


# Which entries are similar.


class Guess(NamedTuple):
    """A possible rename."""

    score: int
    """The similarity of the two entries, of 100."""
    pair: IndexPair
    """The indexes of the two entries in their lists."""
    reason: str


def _guesses(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[Guess]:
    """Yields the removed and added entries that are probably one term, the best guess first. An
    entry is in at most one guess."""
    if not removed or not added:
        return
    guesses = [*_by_definition(removed, added), *_by_name(removed, added)]
    guesses.sort(key=lambda guess: (-guess.score, guess.pair))
    guess_of_pair: dict[IndexPair, Guess] = {}
    for guess in guesses:
        guess_of_pair.setdefault(guess.pair, guess)
    for pair in disjoint_pairs(guess_of_pair):
        yield guess_of_pair[pair]


def _by_definition(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[Guess]:
    """Yields the pairs with definitions that share most of their words.

    A build treats equal definitions as a rename, unless they have few words, or other entries have
    the same. Of those that are left here, the ones with few words are a guess. Definitions that
    differ are one if both have enough words.
    """
    words_before = [*map(compared_words, removed)]
    words_after = [*map(compared_words, added)]
    for score, pair in _similar_pairs(words_before, words_after, at_least=SIMILAR_WORDS):
        old_index, new_index = pair
        old, new = words_before[old_index], words_after[new_index]
        if old == new:
            is_likely = words_before.count(old) == 1 and words_after.count(new) == 1
            reason = "their definitions have the same words"
        else:
            is_likely = min(len(old), len(new)) >= DISTINCTIVE
            reason = f"{score}% of the words of their definitions are the same"
        if is_likely:
            yield Guess(score, pair, reason)


def _by_name(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[Guess]:
    """Yields the pairs with very similar names."""
    old_names = [fold(one.name) for one in removed]
    new_names = [fold(one.name) for one in added]
    for score, pair in _similar_pairs(old_names, new_names, at_least=SIMILAR_NAMES):
        yield Guess(score, pair, "the names are very similar")


def _similar_pairs(
    old: Sequence[Sequence[Hashable]], new: Sequence[Sequence[Hashable]], *, at_least: int
) -> Iterator[tuple[int, IndexPair]]:
    """Yields the similarity, from 0 to 100, of each old and new text that are similar enough, with
    their indexes. A text is a string, or the words of a definition.

    `_similar_pairs(["ab", "xy"], ["abc"], at_least=70)` yields `(80, (0, 0))`.
    """
    from rapidfuzz import fuzz, process  # slow to import

    for old_index, text in enumerate(old):
        if not text:  # as `compared_words` gives it for "See X"
            continue
        similar = process.extract(text, new, scorer=fuzz.ratio, score_cutoff=at_least, limit=None)
        for _, score, new_index in similar:
            yield int(score), (old_index, new_index)
