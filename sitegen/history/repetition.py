"""Finds entries of one release that define the same name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from sitegen.model import Entry, Problem, ProblemKind, Trouble
from sitegen.text.names import Keys
from sitegen.text.words import same_words, words_of


def without_repetition(entries: Iterable[Entry], keys: Keys) -> tuple[list[Entry], list[Problem]]:
    """Returns the entries without duplicates: entries with the name and the words of an earlier one.

    Every entry that defines a name again is reported as a problem, also if its words differ.
    """
    named = [(entry, keys.preferred(entry)) for entry in entries]
    times = Counter(name for _, name in named)
    first: dict[str, Entry] = {}
    alike: dict[tuple[str, tuple[str, ...]], list[Entry]] = defaultdict(list)
    kept, problems = [], []
    for entry, name in named:
        twins = alike[name, words_of(entry.definition).keys] if times[name] > 1 else []
        twin = next((twin for twin in twins if same_words(twin.definition, entry.definition)), None)
        if name in first:
            problems.append(_defined_again(entry, twin or first[name], same=twin is not None))
        if twin is None:
            first.setdefault(name, entry)
            twins.append(entry)
            kept.append(entry)
    return kept, problems


def _defined_again(entry: Entry, first: Entry, *, same: bool) -> Problem:
    found = "in the same words" if same else "in other words: both are kept, as two terms of one name"
    wanted = "define it once" if same else "give one of them a name of its own"
    return Trouble(
        ProblemKind.ENTRY,
        f"“{entry.name}” is defined again, {found}",
        f"{wanted}; the first is at {first.place.path}:{first.line}",
    ).at(entry.place.path, line=entry.line)
