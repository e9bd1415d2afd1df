"""Pairs the entries of a translation with those of its original, and says how far each translation
is behind.

A translation was made from the wording of the original that was in force when the translation's own
words were last changed (`word_changes`). If the commits do not show it (a shallow clone, one commit
that added both languages), the state is unknown.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import chain, islice
from math import inf
from operator import attrgetter
from typing import Literal, NamedTuple, get_args

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from sitegen.history.word_changes import (
    CommitOrder,
    LanguageHistory,
    Track,
    TranslatedKey,
    WordChange,
)
from sitegen.model import Entry, Prose, grouped
from sitegen.text.names import fold
from sitegen.text.words import fold as folded_words
from sitegen.text.words import same_words

State = Literal[
    "up-to-date",
    "behind",
    "touched",
    "untranslated",
    "unpaired",
    "missing",
    "orphaned",
    "unknown",
]
STATES: tuple[State, ...] = get_args(State)
"""In the order in which pages and reports list them."""


NEARLY = 90
"""The minimum likeness, of 100, to the present wording of an earlier one of which a translation may
be a copy."""
LITTLE = 4
"""A translation was changed by little if it has less than a fourth of the changes of the
original."""
BULK = 10
"""A commit that adds more terms than this in both languages does not say which wording was
translated."""
MIN_ORDERED = 3
"""The minimum number of pairs in a file that show that both languages have one order."""
MIN_WORDS = 5
"""The minimum number of words of a paragraph by which it is recognized as the original's."""
UNTRANSLATED = 0.3
"""The share of the original's paragraphs from which on a translation counts as not translated."""
OPENING = 40
"""The number of characters of a definition in which the original's name is looked for: further on,
others are."""

ID_KEYS = frozenset(
    "id slug key uid translationkey translation_key "
    "term_id termid original english en msgid".split()
)
"""Keys of front matter that may name the original."""
MARKERS = ("default_lang_commit", "source_revision", "sourcecommit")
"""Keys of front matter with the commit of the original that a translation was made from."""
MIN_ID = 7
"""The minimum length of an abbreviated commit."""
CODE = re.compile(r"<pre\b[^>]*>(?:<code[^>]*>)?(.*?)</", re.DOTALL)
PARTS = re.compile(r"[()（）\[\]【】/|,，、;；:：–—]|\s-\s")
IN_PARENTHESES = re.compile(r"[(（]\s*(?:[^\W\d_]{2,8}\.?\s*[:：]\s*)?([^()（）]{2,80}?)\s*[)）]")


# Pairs.


class Pairing(NamedTuple):
    originals: Mapping[TranslatedKey, TranslatedKey]
    """The originals of translated entries, by the keys of these."""
    unused: tuple[tuple[str, str], ...]
    """Declared pairs of names that no two entries have, or that contradict each other."""
    likely: tuple[tuple[str, str], ...]
    """Names of entries without a pair, if a file has as many in both languages, in their order."""


def pair(
    originals: Mapping[TranslatedKey, Entry],
    translations: Mapping[TranslatedKey, Entry],
    declared: Iterable[tuple[str, str]] = (),
) -> Pairing:
    """Pairs translated entries with original ones; `declared` has the names of pairs, the
    original's first."""
    left, right = dict(originals), dict(translations)
    pairs: dict[TranslatedKey, TranslatedKey] = {}
    unused = []
    for names in declared:
        original, key = _key_of(names[0], left), _key_of(names[1], right)
        if original and key:
            pairs[key] = original
            del left[original], right[key]
        else:
            unused.append(names)
    for marks_of_original, marks_of_translation in RULES:
        marked = _unique(right, marks_of_translation)
        for mark, original in _unique(left, marks_of_original).items():
            key = marked.get(mark)
            if key and original in left and key in right:
                pairs[key] = original
                del left[original], right[key]
    return Pairing(pairs, tuple(unused), tuple(_at_same_places(left, right)))


def _key_of(name: str, entries: Mapping[TranslatedKey, Entry]) -> TranslatedKey | None:
    """Returns the key of the first entry with this name, or None."""
    for key, entry in entries.items():
        if fold(entry.name) == fold(name):
            return key
    return None


def _at_same_places(
    left: Mapping[TranslatedKey, Entry], right: Mapping[TranslatedKey, Entry]
) -> Iterator[tuple[str, str]]:
    """Yields the names of entries without a pair, if a file has as many in both languages, in their
    order."""
    originals, translations = _names_by_file(left), _names_by_file(right)
    for file, names in originals.items():
        if len(names) == len(translations.get(file, ())):
            yield from zip(names, translations[file], strict=True)


def _names_by_file(entries: Mapping[TranslatedKey, Entry]) -> Mapping[str, Sequence[str]]:
    """Returns the names of the entries of each file, in the order of their lines."""
    in_order = sorted(entries.items(), key=lambda item: item[1].line)
    return grouped((key.file, entry.name) for key, entry in in_order)


Marks = Callable[[TranslatedKey, Entry], Iterable[str]]


def _unique(entries: Mapping[TranslatedKey, Entry], marks: Marks) -> Mapping[str, TranslatedKey]:
    """Returns the marks that only one entry has, with its key."""
    keys: dict[str, set[TranslatedKey]] = defaultdict(set)
    for key, entry in entries.items():
        for mark in marks(key, entry):
            keys[mark].add(key)
    unique = {}
    for mark, several in keys.items():
        if mark and len(several) == 1:
            (unique[mark],) = several
    return unique


def _names(key: TranslatedKey, entry: Entry) -> list[str]:
    return [fold(one.text) for one in entry.designations]


def _ids(key: TranslatedKey, entry: Entry) -> list[str]:
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
    """Returns what may be the original's name: the parts of the names, and what the definition
    begins to say."""
    parts: list[str] = []
    for designation in entry.designations:
        parts += PARTS.split(designation.text)
    parts += IN_PARENTHESES.findall(entry.definition.text[:OPENING])
    return [fold(part) for part in parts if part.strip()]


RULES: tuple[tuple[Marks, Marks], ...] = (
    (lambda key, entry: () if key.name else (key.file,),) * 2,
    (lambda key, entry: ("\n".join(key),),) * 2,
    (lambda key, entry: entry.anchors,) * 2,
    (_names_and_ids, _ids_and_anchors),
    (_names, _names),
    (_names, _mentioned),
    (_mentioned, _mentioned),
)
"""The marks of an original and of a translation that are equal: the file, the name in a file, an
id, front matter, the name, and the original's name in the translation. A stronger rule comes before
a weaker one."""


# States.


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """A term in one language: how far its translation is behind, and the facts for that."""

    language: str
    state: State
    original: Entry
    """The present entry of the original; of an orphaned translation, its last one."""
    translation: Entry | None = None
    since: WordChange | None = None
    """The change of the original since which the translation is behind, missing or orphaned."""
    rewordings: int = 0
    """How often the original was reworded since."""
    made_from: Prose | None = None
    """The words of the original that the translation was made from, if known."""
    translated_before: Prose | None = None
    """Of a touched translation: its words before the original was reworded."""
    reworded: WordChange | None = None
    """The last change of the original's words."""
    translated: WordChange | None = None
    """The last change of the translation's words."""
    marker: str = ""
    """What the translation says of itself, as the end of a sentence, if the words say otherwise."""
    candidates: tuple[str, ...] = ()
    """Of an unpaired original: the names of the entries that may be its translation."""
    unreleased: Translation | None = None
    """The same at the newest commit, if no release has the translation yet: it is missing from the
    site."""


def translations(
    original: LanguageHistory,
    own: LanguageHistory,
    *,
    language: str,
    declared: Iterable[tuple[str, str]] = (),
    settled: Mapping[str, Prose],
) -> tuple[tuple[Translation, ...], Pairing]:
    """Returns the state of every term in one language, and the pairs.

    `settled` has the words from which a person says that a translation was made, by the folded name
    of the original.
    """
    pairing = pair(original.current, own.current, declared)
    bulk = _bulk_commits(original, own)
    is_known = original.is_complete and own.is_complete
    result = []
    for key, of_original in pairing.originals.items():
        left, right = original.tracks[of_original], own.tracks[key]
        found = _unknown(language, left, right)
        if words := settled.get(fold(left.entry.name)):
            found = _settled(found, left, words)
        elif is_known:
            found = _compared(found, left, right, bulk)
        says = _contradiction(found.state, left, right.entry, original.commits)
        result.append(replace(_counted(found, left), marker=says))
    alone = {key: entry for key, entry in own.current.items() if key not in pairing.originals}
    orphans = pair(original.removed, alone).originals
    strangers = {key: entry for key, entry in alone.items() if key not in orphans}
    paired = {*pairing.originals.values()}
    for key in original.current:
        if key not in paired:
            track = original.tracks[key]
            names = _candidates(key, original.current, own.current, pairing, strangers)
            found = replace(
                _unknown(language, track),
                state="unpaired" if names else "missing",
                since=next(iter(track.changes), None),
                candidates=names,
            )
            result.append(_counted(found, track))
    for key, of_removed in orphans.items():
        left, right = original.tracks[of_removed], own.tracks[key]
        found = _unknown(language, left, right)
        found = replace(found, state="orphaned", since=left.removed)
        result.append(_counted(found, left))
    return tuple(result), pairing


def _unknown(language: str, original: Track, own: Track | None = None) -> Translation:
    """Returns a translation of which the state is not determined yet."""
    return Translation(
        language=language,
        state="unknown",
        original=original.entry,
        translation=own.entry if own else None,
        reworded=original.changes[-1] if original.changes else None,
        translated=own.changes[-1] if own and own.changes else None,
    )


def _counted(translation: Translation, original: Track) -> Translation:
    """Returns a translation with the number of rewordings of its original since it was behind."""
    since = translation.since
    if since is None:
        return translation
    later = [change for change in original.changes if change.order >= since.order]
    return replace(translation, rewordings=len(later))


def _candidates(
    key: TranslatedKey,
    originals: Mapping[TranslatedKey, Entry],
    translations: Mapping[TranslatedKey, Entry],
    pairing: Pairing,
    strangers: Mapping[TranslatedKey, Entry],
) -> tuple[str, ...]:
    """Returns the names of the entries without an original that may translate one, those at its
    place first: in a file in which both languages have their terms in one order, those between the
    same neighbors; else all."""
    entries = sorted(strangers.values(), key=attrgetter("line"))
    if between := _neighbors(key, originals, translations, pairing):
        first, last = between
        entries = [entry for entry in entries if first < entry.line < last]
    paired = {*pairing.originals.values()}
    line, place = originals[key].line, 0
    for other, entry in originals.items():
        if other.file == key.file and other not in paired and entry.line < line:
            place += 1
    in_order = sorted(enumerate(entries), key=lambda numbered: abs(numbered[0] - place))
    return tuple(entry.name for _, entry in in_order)


def _neighbors(
    key: TranslatedKey,
    originals: Mapping[TranslatedKey, Entry],
    translations: Mapping[TranslatedKey, Entry],
    pairing: Pairing,
) -> tuple[float, float] | None:
    """Returns the lines of the translations before and after which that of an original would be;
    None if the order of the terms does not tell it."""
    if not key.name:
        return None  # a file has one term
    pairs = []
    for own, other in pairing.originals.items():
        if other.file == key.file:
            pairs.append((originals[other].line, translations[own].line))
    pairs.sort()
    lines = [own for _, own in pairs]
    if len(pairs) < MIN_ORDERED or lines != sorted(lines):
        return None
    line = originals[key].line
    before = [own for of_original, own in pairs if of_original < line]
    after = [own for of_original, own in pairs if of_original > line]
    return max(before, default=0), min(after, default=inf)


def _bulk_commits(original: LanguageHistory, own: LanguageHistory) -> frozenset[str]:
    """Returns the commits that do not say in which order words were changed: the first, and those
    that add much."""
    left, right = _numbers_of_terms(original), _numbers_of_terms(own)
    commits = {id for id in left.keys() & right.keys() if min(left[id], right[id]) > BULK}
    for side in (original, own):
        commits.update(islice(side.commits, 1))
    return frozenset(commits)


def _numbers_of_terms(history: LanguageHistory) -> Counter[str]:
    """Returns how many terms each commit adds."""
    return Counter(one.changes[0].commit for one in history.tracks.values() if one.changes)


def _compared(found: Translation, original: Track, own: Track, bulk: frozenset[str]) -> Translation:
    """Returns a translation with its state by both histories, and what is known of its source."""
    if _is_untranslated(own.entry.definition, original):
        return replace(found, state="untranslated")
    if not original.changes or not own.changes:
        return found
    made_from = original.at(own.changes[0].order)
    words, pending = own.changes[0].words, None
    for change in own.changes[1:]:
        then = original.at(change.order)
        if made_from and then and not same_words(made_from.words, then.words):
            if _is_little((words, change.words), (made_from.words, then.words)):
                pending = pending or words
                continue
            pending = None
        made_from, words = then, change.words
    newest = own.changes[-1]
    last = original.at(newest.order)
    if last is None:
        return found
    if not same_words(last.words, original.entry.definition):
        since = original.after(newest.order)
        return replace(found, state="behind", since=since, made_from=last.words)
    if pending and made_from and not same_words(made_from.words, last.words):
        since = original.after(made_from.order)
        found = replace(found, state="touched", since=since, made_from=made_from.words)
        return replace(found, translated_before=pending)
    if newest.commit == last.commit and last.commit in bulk:
        return found
    return replace(found, state="up-to-date", made_from=last.words)


def _settled(found: Translation, original: Track, words: Prose) -> Translation:
    """Returns a translation that was made from these words, with its state."""
    if same_words(words, original.entry.definition):
        return replace(found, state="up-to-date", made_from=words)
    since = None
    for change in reversed(original.changes):
        if same_words(change.words, words):
            since = original.after(change.order)
            break
    return replace(found, state="behind", since=since, made_from=words)


def _is_little(own: tuple[Prose, Prose], original: tuple[Prose, Prose]) -> bool:
    """True if a translation was changed by little, or only in accents, against the change of its
    original."""
    before, after = (folded_words(one.text) for one in own)
    if _plain(before) == _plain(after):
        return True
    share = Indel.normalized_distance(*(folded_words(one.text) for one in original))
    return LITTLE * Indel.normalized_distance(before, after) < share


def _plain(text: str) -> str:
    return "".join(
        char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char)
    )


def _is_untranslated(words: Prose, original: Track) -> bool:
    """True if a large share of the paragraphs of a translation are paragraphs of the original.

    Earlier wordings count if they are nearly the present one: a file of both languages may have
    been read as one.
    """
    present = original.entry.definition
    wordings = [present]
    for change in original.changes:
        if fuzz.ratio(change.words.text, present.text) >= NEARLY:
            wordings.append(change.words)
    if any(same_words(words, one) for one in wordings):
        return True
    known: set[str] = set()
    for one in wordings:
        known.update(part for part in _paragraphs(one) if len(part.split()) >= MIN_WORDS)
    own = _paragraphs(words)
    length_of_known = sum(len(one) for one in own if one in known)
    return length_of_known > UNTRANSLATED * sum(map(len, own))


def _paragraphs(words: Prose) -> list[str]:
    """Returns the folded paragraphs of a definition without its code, which no language
    translates."""
    code = folded_words(" ".join(map(unescape, CODE.findall(words.html))))
    paragraphs = (folded_words(one) for one in words.text.split("\n\n"))
    return [one for one in paragraphs if one not in code]


def _contradiction(
    state: State, original: Track, entry: Entry, commits: Mapping[str, CommitOrder]
) -> str:
    """Returns what the translation says of itself if the words say otherwise; else an empty string.

    It may name the commit of the original that it was made from, or be marked as fuzzy in a
    catalog.
    """
    metadata = {name.lower().rpartition(".")[2]: values for name, values in entry.text.metadata}
    if "fuzzy" in metadata and state == "up-to-date":
        return "is marked as fuzzy"
    if state not in ("up-to-date", "behind", "touched"):
        return ""
    for mark in chain.from_iterable(metadata.get(name, ()) for name in MARKERS):
        if len(mark) < MIN_ID:
            continue
        for id, order in commits.items():
            source = original.at(order) if id.startswith(mark) else None
            if source is None:
                continue
            is_current = same_words(source.words, original.entry.definition)
            if is_current != (state == "up-to-date"):
                return f"names {mark} as its source"
    return ""
