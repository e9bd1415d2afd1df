"""Pairs the entries of a translation with those of its original."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from sitegen.history.word_changes import TranslatedKey
from sitegen.model import Entry, grouped
from sitegen.text.names import fold

Entries = Mapping[TranslatedKey, Entry]
"""The entries of one language."""

MIN_ORDERED = 3
"""The minimum number of pairs in a file that show that both languages have one order."""
MOST_UNPAIRED = 2
"""If there are more than so many times as many originals without a translation as translations
without an original, an original is missing, not unpaired."""
OPENING_LENGTH = 40
"""The number of characters of a definition in which the original's name is looked for: further on,
others are."""

ID_KEYS = frozenset(
    "id slug key uid translationkey translation_key "
    "term_id termid original english en msgid".split()
)
"""Keys of front matter that may name the original."""
NAME_SEPARATOR = re.compile(r"[()（）\[\]【】/|,，、;；:：–—]|\s-\s")
"""Separates "Mémoire cache (cache)", "cache / antémémoire" and "cache - antémémoire"."""
IN_PARENTHESES = re.compile(r"[(（]\s*(?:[^\W\d_]{2,8}\.?\s*[:：]\s*)?([^()（）]{2,80}?)\s*[)）]")
"""Matches "(cache)" and "(engl.: cache)", and the name in it."""


class Pairing(NamedTuple):
    """The pairs of a translation and its original, and what tells of further ones."""

    originals: Mapping[TranslatedKey, TranslatedKey]
    """The originals of translated entries, by the keys of these."""
    unused: tuple[tuple[str, str], ...]
    """Declared pairs of names that no two entries have, or that contradict each other."""
    likely: tuple[tuple[str, str], ...]
    """Names of entries without a pair, if a file has as many in both languages, in their order."""


def pair(
    originals: Entries,
    translations: Entries,
    declared: Iterable[tuple[str, str]] = (),
) -> Pairing:
    """Pairs translated entries with original ones; `declared` has the names of pairs, the
    original's first."""
    left, right = dict(originals), dict(translations)
    pairs: dict[TranslatedKey, TranslatedKey] = {}
    unused = []
    for name, translated_name in declared:
        original, key = _key_of(name, left), _key_of(translated_name, right)
        if original and key:
            pairs[key] = original
            del left[original], right[key]
        else:
            unused.append((name, translated_name))
    for marks_of_original, marks_of_translation in PAIRING_RULES:
        marked = _unique(right, marks_of_translation)
        for mark, original in _unique(left, marks_of_original).items():
            key = marked.get(mark)
            if key and original in left and key in right:
                pairs[key] = original
                del left[original], right[key]
    return Pairing(pairs, tuple(unused), tuple(_at_same_places(left, right)))


def _key_of(name: str, entries: Entries) -> TranslatedKey | None:
    """Returns the key of the first entry with this name; None if no entry has it."""
    for key, entry in entries.items():
        if fold(entry.name) == fold(name):
            return key
    return None


def _at_same_places(left: Entries, right: Entries) -> Iterator[tuple[str, str]]:
    """Yields the names of entries without a pair, if a file has as many in both languages, in their
    order."""
    originals, translations = _names_by_file(left), _names_by_file(right)
    for file, names in originals.items():
        if len(names) == len(translations.get(file, ())):
            yield from zip(names, translations[file], strict=True)


def _names_by_file(entries: Entries) -> Mapping[str, Sequence[str]]:
    """Returns the names of the entries of each file, in the order of their lines."""
    in_order = sorted(entries.items(), key=lambda item: item[1].line)
    return grouped((key.file, entry.name) for key, entry in in_order)


Marks = Callable[[TranslatedKey, Entry], Iterable[str]]
"""Returns texts by which an entry is found in the other language, such as its names."""


def _unique(entries: Entries, marks: Marks) -> Mapping[str, TranslatedKey]:
    """Returns the marks that only one entry has, each with the key of the entry: "cache", if one
    entry has the name "Cache", but not if two entries have the name."""
    keys: dict[str, set[TranslatedKey]] = defaultdict(set)
    for key, entry in entries.items():
        for mark in marks(key, entry):
            keys[mark].add(key)
    unique = {}
    for mark, several in keys.items():
        if mark and len(several) == 1:
            unique[mark] = several.pop()
    return unique


def _file_of_one(key: TranslatedKey, entry: Entry) -> list[str]:
    """Returns the file of an entry that has it for itself."""
    return [] if key.name else [key.file]


def _name_in_file(key: TranslatedKey, entry: Entry) -> list[str]:
    """Returns the file of an entry and its name."""
    return ["\n".join(key)]


def _anchors(key: TranslatedKey, entry: Entry) -> Iterable[str]:
    return entry.anchors


def _names(key: TranslatedKey, entry: Entry) -> list[str]:
    return [fold(one.text) for one in entry.designations]


def _ids(key: TranslatedKey, entry: Entry) -> list[str]:
    """Returns what front matter says the original is: "cache" of `original: Cache`."""
    ids: list[str] = []
    for name, values in entry.text.metadata:
        if name.lower() in ID_KEYS:
            ids += map(fold, values)
    return ids


def _ids_and_anchors(key: TranslatedKey, entry: Entry) -> list[str]:
    return [*_ids(key, entry), *map(fold, entry.anchors)]


def _names_and_ids(key: TranslatedKey, entry: Entry) -> list[str]:
    return [*_names(key, entry), *_ids(key, entry), *entry.anchors, key.file.rpartition("/")[2]]


def _mentioned(key: TranslatedKey, entry: Entry) -> list[str]:
    """Returns what may be the original's name: "cache" of the name "Mémoire cache (cache)", and of
    a definition that begins with "(engl.: cache)"."""
    parts: list[str] = []
    for designation in entry.designations:
        parts += NAME_SEPARATOR.split(designation.text)
    parts += IN_PARENTHESES.findall(entry.definition.text[:OPENING_LENGTH])
    return [fold(part) for part in parts if part.strip()]


PAIRING_RULES: tuple[tuple[Marks, Marks], ...] = (
    (_file_of_one, _file_of_one),  # en/cache.md, fr/cache.md
    (_name_in_file, _name_in_file),  # RAM and RAM in en/words.md and fr/words.md
    (_anchors, _anchors),  # Cache {#cache}, Mémoire cache {#cache}
    (_names_and_ids, _ids_and_anchors),  # Cache, `original: Cache`
    (_names, _names),  # RAM, RAM in another file
    (_names, _mentioned),  # Cache, Mémoire cache (cache)
    (_mentioned, _mentioned),  # Random-access memory (RAM), Mémoire vive (RAM)
)
"""The marks of an original and of a translation that are equal. A stronger rule comes before a
weaker one."""


class LoneTranslations:
    """The translated entries without an original, of which one may translate a given original."""

    def __init__(
        self, alone: Entries, pairing: Pairing, *, originals: Entries, own: Entries
    ) -> None:
        self.in_order = sorted(alone.items(), key=lambda item: item[1].line)
        self.originals = originals
        self.lines = _paired_lines(pairing, originals, own)
        paired = {*pairing.originals.values()}
        self.unpaired = [key for key in originals if key not in paired]
        self.are_few = len(alone) * MOST_UNPAIRED < len(self.unpaired)

    def candidates(self, original: TranslatedKey) -> tuple[str, ...]:
        """Returns the names of the entries that may translate an original, the likeliest first.

        If a file has its terms in one order in both languages, only entries between the same
        neighbors may; else all may, unless there are few."""
        names = [entry.name for entry in self._at_place_of(original)]
        line = self.originals[original].line
        # The second original without a translation is likely to be the second entry.
        place = 0
        for key in self.unpaired:
            if key.file == original.file and self.originals[key].line < line:
                place += 1
        numbers = sorted(range(len(names)), key=lambda number: abs(number - place))
        return tuple([names[number] for number in numbers])

    def _at_place_of(self, original: TranslatedKey) -> list[Entry]:
        """Returns the entries that may be at the place of an original: for one between "Cache" and
        "CPU", the entries between the translations of "Cache" and "CPU"."""
        lines = self.lines.get(original.file, [])
        own_lines = [own for _, own in lines]
        has_one_order = len(lines) >= MIN_ORDERED and own_lines == sorted(own_lines)
        # A file without names has one term.
        if not original.name or not has_one_order:
            return [] if self.are_few else [entry for _, entry in self.in_order]
        line = self.originals[original].line
        # The lines of the neighbors in the translation.
        before = max([own for of_original, own in lines if of_original < line], default=-inf)
        after = min([own for of_original, own in lines if of_original > line], default=inf)
        between = []
        for key, entry in self.in_order:
            if key.file == original.file and before < entry.line < after:
                between.append(entry)
        return between


def _paired_lines(
    pairing: Pairing, originals: Entries, own: Entries
) -> Mapping[str, list[tuple[int, int]]]:
    """Returns the line of each paired original and that of its translation, in order, by the file
    of the original."""
    lines: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for key, original in pairing.originals.items():
        lines[original.file].append((originals[original].line, own[key].line))
    for several in lines.values():
        several.sort()
    return lines
