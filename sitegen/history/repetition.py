"""Finds names that a document defines several times."""

from __future__ import annotations

from collections import Counter, defaultdict

from sitegen.model import Entry, Problem
from sitegen.text.words import same_words, words_of

Named = tuple[Entry, str]
"""An entry with the key of its preferred name."""


def without_repetition(named: list[Named]) -> tuple[list[Named], list[Problem]]:
    """Returns the entries without duplicates: entries with the name and the words of an earlier one.

    Every entry that defines a name again is reported as a problem, also if its words differ.
    """
    times = Counter(name for _, name in named)
    first: dict[str, Entry] = {}
    alike: dict[tuple[str, tuple[str, ...]], list[Entry]] = defaultdict(list)
    kept, problems = [], []
    for entry, name in named:
        twins = alike[name, words_of(entry.definition).keys] if times[name] > 1 else []
        twin = next((twin for twin in twins if same_words(twin.definition, entry.definition)), None)
        if name in first:
            problems.append(_again(entry, twin or first[name], same=twin is not None))
        if twin is None:
            first.setdefault(name, entry)
            twins.append(entry)
            kept.append((entry, name))
    return kept, problems


def _again(entry: Entry, first: Entry, *, same: bool) -> Problem:
    place = f"{first.citation.path}:{first.citation.line}"
    return Problem(
        path=entry.citation.path,
        line=entry.citation.line,
        found=f"“{entry.name}” is defined again, "
        + ("in the same words" if same else "in other words: both are kept, as two terms of one name"),
        wanted=f"{'define it once' if same else 'give one of them a name of its own'}; the first is at {place}",
    )
