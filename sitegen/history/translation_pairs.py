"""Pairs the entries of a translation with those of its original."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from sitegen.history.word_changes import TranslatedKey
from sitegen.model import Entry
from sitegen.text.names import fold

Entries = Mapping[TranslatedKey, Entry]
"""The entries of one language."""

MOST_UNPAIRED = 2
"""The number of unpaired originals up to which an unpaired translation may be that of one of them.
If there are more for each translation, the originals are "missing", not "unpaired"."""
OPENING_LENGTH = 40
"""The number of characters of a definition in which the original's name is looked for. Names
further on are those of other terms."""

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
    """The pairs of a translation and its original."""

    originals: Mapping[TranslatedKey, TranslatedKey]
    """The key of each paired translation, to the key of its original."""
    unused: tuple[tuple[str, str], ...]
    """The declared pairs that have no effect: no entry has one of the names, or an earlier pair has
    the entry already."""


def pair(
    originals: Entries,
    translations: Entries,
    declared: Iterable[tuple[str, str]] = (),
) -> Pairing:
    """Pairs translated entries with original ones. `declared` are the pairs in site.toml: (name of
    the original, name of the translation)."""
    unpaired_originals = dict(originals)
    unpaired_translations = dict(translations)
    pairs: dict[TranslatedKey, TranslatedKey] = {}

    # The pairs that site.toml declares come first.
    unused = []
    for name, translated_name in declared:
        original = _key_of(name, unpaired_originals)
        key = _key_of(translated_name, unpaired_translations)
        if original and key:
            pairs[key] = original
            del unpaired_originals[original], unpaired_translations[key]
        else:
            unused.append((name, translated_name))

    # Two entries with the same mark are a pair, if no third one has the mark.
    for marks_of_original, marks_of_translation in PAIRING_RULES:
        marked_originals = _unique_marks(unpaired_originals, marks_of_original)
        marked_translations = _unique_marks(unpaired_translations, marks_of_translation)
        for mark, original in marked_originals.items():
            key = marked_translations.get(mark)
            # An entry with two marks may have been paired by the other one.
            if key and original in unpaired_originals and key in unpaired_translations:
                pairs[key] = original
                del unpaired_originals[original], unpaired_translations[key]
    return Pairing(pairs, tuple(unused))


def _key_of(name: str, entries: Entries) -> TranslatedKey | None:
    """Returns the key of the first entry with this name; None if no entry has it."""
    for key, entry in entries.items():
        if fold(entry.name) == fold(name):
            return key
    return None


Marks = Callable[[TranslatedKey, Entry], Iterable[str]]
"""Returns texts by which an entry is found in the other language, such as its names."""


def _unique_marks(entries: Entries, marks: Marks) -> Mapping[str, TranslatedKey]:
    """Returns the marks that only one entry has, each with the key of the entry. "cache" is one of
    them if one entry has the name "Cache", but not if two entries have the name."""
    keys_of_mark: dict[str, set[TranslatedKey]] = defaultdict(set)
    for key, entry in entries.items():
        for mark in marks(key, entry):
            keys_of_mark[mark].add(key)
    unique = {}
    for mark, keys in keys_of_mark.items():
        if mark and len(keys) == 1:
            unique[mark] = keys.pop()
    return unique


def _file_of_one(key: TranslatedKey, entry: Entry) -> list[str]:
    """Returns the file of an entry, if the file has no other entry."""
    has_several_entries = key.name != ""
    return [] if has_several_entries else [key.file]


def _name_in_file(key: TranslatedKey, entry: Entry) -> list[str]:
    """Returns the file of an entry and its name, as one text."""
    return ["\n".join(key)]


def _anchors(key: TranslatedKey, entry: Entry) -> Iterable[str]:
    return entry.anchors


def _names(key: TranslatedKey, entry: Entry) -> list[str]:
    return [fold(one.text) for one in entry.designations]


def _declared_ids(entry: Entry) -> list[str]:
    """Returns what the front matter says is the original, folded: "cache" for `original: Cache`."""
    ids: list[str] = []
    for name, values in entry.text.metadata:
        if name.lower() in ID_KEYS:
            ids += map(fold, values)
    return ids


def _ids_and_anchors(key: TranslatedKey, entry: Entry) -> list[str]:
    return [*_declared_ids(entry), *map(fold, entry.anchors)]


def _names_and_ids(key: TranslatedKey, entry: Entry) -> list[str]:
    _, _, file_name = key.file.rpartition("/")
    return [*_names(key, entry), *_declared_ids(entry), *entry.anchors, file_name]


def _mentioned(key: TranslatedKey, entry: Entry) -> list[str]:
    """Returns the parts of an entry that may be the original's name: "cache" in the name "Mémoire
    cache (cache)", or in a definition that begins with "(engl.: cache)"."""
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


def possible_pairs(
    pairing: Pairing, *, originals: Entries, own: Entries, lone: Entries
) -> Iterator[tuple[TranslatedKey, tuple[str, ...]]]:
    """Yields each original without a translation, with the names of the entries that may translate
    it, the likeliest first. These are entries of the same file. If the translation lacks that file,
    they are all entries.

    `own` are all entries of the translation, `lone` those without an original.
    """
    paired = {*pairing.originals.values()}
    unpaired = [key for key in originals if key not in paired]
    if len(lone) * MOST_UNPAIRED < len(unpaired):
        lone = {}  # each of these few entries would be offered for nearly all originals
    translated_files = {key.file for key in own}
    number_in_file: Counter[str] = Counter()
    for original in unpaired:
        names = []
        for key, entry in lone.items():
            may_be_there = key.file == original.file or original.file not in translated_files
            if may_be_there:
                names.append(entry.name)

        # The second original of a file is likely to be the second of these entries.
        likely_number = number_in_file[original.file]
        number_in_file[original.file] += 1
        numbers = sorted(range(len(names)), key=lambda number: abs(number - likely_number))
        yield original, tuple([names[number] for number in numbers])
