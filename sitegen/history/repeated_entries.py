"""Finds the entries of a release that define a name again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sitegen.model import Entry, Problem, ProblemKind, Trouble
from sitegen.text.names import Keys
from sitegen.text.words import same_words, words_of


def without_repetition(entries: Iterable[Entry], keys: Keys) -> tuple[list[Entry], list[Problem]]:
    """Returns the entries without duplicates: entries with the name and the words of an earlier
    one.

    Every entry that defines a name again is reported as a problem, also if its words differ.
    """
    first_of_name: dict[str, Entry] = {}
    # Thousands of entries can have one name, so they are looked up by their words too. Those that
    # have both in common can differ in code.
    alike: dict[tuple[str, tuple[str, ...]], list[Entry]] = defaultdict(list)
    kept, problems = [], []
    for entry in entries:
        name = keys.preferred(entry)
        others = alike[name, words_of(entry.definition).keys]
        same = _with_same_words(others, entry)
        if same:
            problems.append(_defined_again(entry, same, "in the same words", "define it once"))
            continue
        if name in first_of_name:
            found = "in other words: both are kept, as two terms of one name"
            wanted = "give one of them a name of its own"
            problems.append(_defined_again(entry, first_of_name[name], found, wanted))
        first_of_name.setdefault(name, entry)
        others.append(entry)
        kept.append(entry)
    return kept, problems


def _with_same_words(entries: Iterable[Entry], one: Entry) -> Entry | None:
    """Returns the first entry with the words of another one, or None."""
    for entry in entries:
        if same_words(entry.definition, one.definition):
            return entry
    return None


def _defined_again(entry: Entry, earlier: Entry, found: str, wanted: str) -> Problem:
    trouble = Trouble(
        ProblemKind.ENTRY,
        f"“{entry.name}” is defined again, {found}",
        f"{wanted}; the first is at {earlier.place.path}:{earlier.line}",
    )
    return trouble.at(entry.place.path, line=entry.line)
