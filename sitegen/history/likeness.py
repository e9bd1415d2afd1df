"""Measures how alike entries are, to find terms that continue under another name.

An entry that a release removes and one that it adds are one term if most words of their definitions are the same, and
no other entry comes near: where definitions follow a pattern, all are alike. Names that share nothing need more equal
words than related ones. Names alone decide if they differ in one letter. Weaker signs are suggestions (`tools`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from sitegen.history import relations
from sitegen.model import Entry
from sitegen.text.names import fold, loosely_folded
from sitegen.text.stems import stems
from sitegen.text.words import words_of

DISTINCTIVE = 5
"""The minimum number of words by which a definition can identify a term."""
RELATED = 55
"""The least similarity of definitions, of 100, by which terms with related names are one."""
UNRELATED = 80
"""The least similarity of definitions, of 100, by which terms with any names are one."""
MARGIN = 20
"""By how much every other definition must be less similar."""
MIN_LETTERS = 6
"""The minimum length of a word that may have been misspelled."""
COMPARED = 1_000
"""The number of words of a definition that are compared."""

Pair = tuple[int, int]
"""The indexes of a removed and an added entry."""


def renames(gone: Sequence[Entry], come: Sequence[Entry], others: Sequence[Entry]) -> Iterator[Pair]:
    """Yields the entries that are one term by their words. `others` has the entries of the release that remain."""
    alphabet: dict[str, int] = {}
    old, new = ([as_letters(entry, alphabet) for entry in entries] for entries in (gone, come))
    alike = pairs(old, new, at_least=RELATED - MARGIN)
    likely = []
    for (before, after), score in alike.items():
        is_related = are_related(gone[before].name, come[after].name)
        length = min(len(old[before]), len(new[after]))
        if score >= (RELATED if is_related else UNRELATED) and length >= DISTINCTIVE * (1 if is_related else 2):
            likely.append((before, after))
    # Most releases have no such pair, so the many other entries are not looked at.
    rest = [as_letters(entry, alphabet) for entry in others] if likely else []
    for before, after in likely:
        limit = alike[before, after] - MARGIN
        beside = (other for (one, two), other in alike.items() if (one == before) != (two == after))
        near = (process.extractOne(text, rest, scorer=fuzz.ratio) for text in (old[before], new[after]))
        if max(beside, default=0) <= limit and all(found is None or found[1] <= limit for found in near):
            yield before, after


def corrections(gone: Sequence[Entry], come: Sequence[Entry]) -> Iterator[Pair]:
    """Yields the entries whose names differ in one letter of one long word, as after a spelling error."""
    found = [
        (before, after)
        for before, old in enumerate(gone)
        for after, new in enumerate(come)
        if _is_correction(fold(old.name).split(), fold(new.name).split())
    ]
    for before, after in found:
        if sum(before == one or after == two for one, two in found) == 1:
            yield before, after


def closest(entries: Sequence[Entry], others: Sequence[Entry]) -> list[Pair]:
    """Returns each entry with another one, the most similar first; those that are left over, in order."""
    alphabet: dict[str, int] = {}
    old, new = ([as_letters(entry, alphabet) for entry in several] for several in (entries, others))
    scores = {(a, b): fuzz.ratio(one, two) for a, one in enumerate(old) for b, two in enumerate(new)}
    chosen: list[Pair] = []
    for a, b in sorted(scores, key=lambda pair: (-scores[pair], pair)):
        if all(a != one and b != two for one, two in chosen):
            chosen.append((a, b))
    return chosen


def as_letters(entry: Entry, alphabet: dict[str, int]) -> str:
    """Returns a definition with one character for each word, because strings are compared fastest.

    "See X" gives an empty string, as it does not describe its own term.
    """
    if relations.synonym_of(entry.definition) is not None:
        return ""
    words = words_of(entry.definition).keys[:COMPARED]
    return "".join([chr(0xE000 + alphabet.setdefault(word, len(alphabet)) % 1_000_000) for word in words])


def pairs(old: Sequence[str], new: Sequence[str], *, at_least: int) -> dict[Pair, int]:
    """Returns the similarity of the pairs of non-empty texts that reach `at_least`, by their indexes."""
    return {
        (before, after): int(score)
        for before, text in enumerate(old)
        if text
        for _, score, after in process.extract(text, new, scorer=fuzz.ratio, score_cutoff=at_least, limit=None)
    }


def are_related(one: str, two: str) -> bool:
    """True if one name has all words of the other, or most words of both are the same, or most letters."""
    words, others = ({*stems(name).split()} for name in (one, two))
    shared = 2 * len(words & others)
    if words <= others or others <= words or shared > max(len(words), len(others)):
        return True
    short, long = sorted((loosely_folded(name) for name in (one, two)), key=len)
    return (len(short) >= MIN_LETTERS - 1 and short in long) or fuzz.ratio(short, long) >= 75


def _is_correction(one: Sequence[str], two: Sequence[str]) -> bool:
    differing = [pair for pair in zip(one, two, strict=False) if pair[0] != pair[1]]
    if len(one) != len(two) or len(differing) != 1:
        return False
    ((old, new),) = differing
    is_word = old.isalpha() and new.isalpha() and min(len(old), len(new)) >= MIN_LETTERS
    return is_word and old[0] == new[0] and OSA.distance(old, new) == 1
