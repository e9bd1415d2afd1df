"""Says how far each translation is behind its original.

A translation was made from the wording of the original that was in force when the translation's own
words were last changed by more than little (`word_changes`). If the commits do not show it (a
shallow clone, one commit that added both languages), the state is unknown. `translation_pairs`
decides which entries are translations of which.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from itertools import filterfalse, islice
from typing import Literal, get_args

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from sitegen.history.translation_pairs import Entries, LoneTranslations, Pairing, pair
from sitegen.history.word_changes import (
    LanguageHistory,
    Track,
    TranslatedKey,
    WordChange,
)
from sitegen.model import Entry, Prose
from sitegen.text.names import fold
from sitegen.text.words import folded_words, same_words

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


NEARLY_PRESENT = 90
"""The minimum likeness, of 100, to the present wording of an earlier one of which a translation may
be a copy."""
LITTLE_CHANGE = 4
"""A translation was changed by little if it has less than a fourth of the changes of the
original."""
BULK_TERMS = 10
"""A commit that adds more terms than this in both languages does not say which wording was
translated."""
MIN_WORDS = 5
"""The minimum number of words of a paragraph by which it is recognized as the original's."""
UNTRANSLATED = 0.3
"""The share of the original's paragraphs from which on a translation counts as not translated."""
CODE_BLOCK = re.compile(r"<pre\b[^>]*>(?:<code[^>]*>)?(.*?)</", re.DOTALL)
"""Matches the text of a block of code in HTML."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """A term in one language: how far the translation is behind its original, and the facts for
    that."""

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
    made_from: Mapping[str, Prose],
) -> tuple[tuple[Translation, ...], Pairing]:
    """Returns the state of every term in one language, and the pairs. `made_from` has the words
    from which translations were made as site.toml says, by the folded names of the originals."""
    pairing = _with_renamed(pair(original.current, own.current, declared), original, own)
    states = _States(original, own, language, pairing)
    return (*states.paired(made_from), *states.unpaired(), *states.orphaned()), pairing


def _with_renamed(pairing: Pairing, original: LanguageHistory, own: LanguageHistory) -> Pairing:
    """Returns the pairs, and those of a renamed original with a translation that has the former
    name or file: of en/cache.md, which was en/caches.md, and fr/caches.md."""
    alone = {key: one for key, one in own.current.items() if key not in pairing.originals}
    originals = dict(pairing.originals)
    paired = {*originals.values()}
    for key, former in pair(original.removed, alone).originals.items():
        present = original.present_key(former)
        if present and present not in paired:
            originals[key] = present
            paired.add(present)
    return pairing._replace(originals=originals)


@dataclass(frozen=True)
class _States:
    """The states of the translations into one language."""

    original: LanguageHistory
    own: LanguageHistory
    language: str
    pairing: Pairing

    def paired(self, made_from: Mapping[str, Prose]) -> Iterator[Translation]:
        """Yields the state of each translation that has an original."""
        bulk = _bulk_commits(self.original, self.own)
        is_known = self.original.is_complete and self.own.is_complete
        for key, key_of_original in self.pairing.originals.items():
            original, own = self.original.tracks[key_of_original], self.own.tracks[key]
            unknown = self._unknown(original, own)
            words = made_from.get(fold(original.entry.name))
            if words:
                found = _declared(unknown, original, words)
            elif is_known:
                found = _compared(unknown, original, own, bulk)
            else:
                found = unknown
            yield _counted(found, original)

    def unpaired(self) -> Iterator[Translation]:
        """Yields the state of each original without a translation."""
        alone = {key: one for key, one in self._alone.items() if key not in self._orphans}
        originals, own = self.original.current, self.own.current
        lone = LoneTranslations(alone, self.pairing, originals=originals, own=own)
        for key in lone.unpaired:
            track = self.original.tracks[key]
            names = lone.candidates(key)
            found = replace(
                self._unknown(track),
                state="unpaired" if names else "missing",
                candidates=names,
                since=next(iter(track.changes), None),
            )
            yield _counted(found, track)

    def orphaned(self) -> Iterator[Translation]:
        """Yields the state of each translation whose original was removed."""
        for key, key_of_original in self._orphans.items():
            original, own = self.original.tracks[key_of_original], self.own.tracks[key]
            unknown = self._unknown(original, own)
            found = replace(unknown, state="orphaned", since=original.removed)
            yield _counted(found, original)

    @cached_property
    def _alone(self) -> Entries:
        """The translated entries without a present original."""
        paired = self.pairing.originals
        return {key: entry for key, entry in self.own.current.items() if key not in paired}

    @cached_property
    def _orphans(self) -> Mapping[TranslatedKey, TranslatedKey]:
        """The translated entries whose original was removed, each with the key of the original."""
        return pair(self.original.removed, self._alone).originals

    def _unknown(self, original: Track, own: Track | None = None) -> Translation:
        """Returns a translation of which the state is not determined yet."""
        found = Translation(
            language=self.language,
            state="unknown",
            original=original.entry,
            reworded=original.last,
        )
        if own is None:
            return found
        return replace(found, translation=own.entry, translated=own.last)


def _counted(translation: Translation, original: Track) -> Translation:
    """Returns a translation with how often its original was reworded since it fell behind."""
    since = translation.since
    if since is None:
        return translation
    later = [change for change in original.changes if change.order >= since.order]
    return replace(translation, rewordings=len(later))


def _bulk_commits(original: LanguageHistory, own: LanguageHistory) -> frozenset[str]:
    """Returns the commits that do not say whether the original or the translation was changed
    first: the first commit of each log, and commits that add many terms to both."""
    number_added, number_translated = _numbers_of_terms(original), _numbers_of_terms(own)
    commits = set()
    for id, number in number_added.items():
        if number > BULK_TERMS and number_translated[id] > BULK_TERMS:
            commits.add(id)
    for side in (original, own):
        commits.update(islice(side.commits, 1))  # the first one, if there is any
    return frozenset(commits)


def _numbers_of_terms(history: LanguageHistory) -> Counter[str]:
    """Returns how many terms each commit adds."""
    return Counter([one.changes[0].commit for one in history.tracks.values() if one.changes])


def _compared(found: Translation, original: Track, own: Track, bulk: frozenset[str]) -> Translation:
    """Returns a translation with its state, from the changes of the original and of the
    translation. `found` has the state "unknown", and is returned if the changes say nothing."""
    if _is_untranslated(own.entry.definition, original):
        return replace(found, state="untranslated")
    if not original.changes or not own.changes:
        return found
    newest = own.changes[-1]
    translated = _last_translated(original, own)
    made_from = original.at(translated.order)
    in_force = original.at(newest.order)  # in the original when the translation last changed
    if made_from is None or in_force is None:
        return found
    with_source = replace(found, made_from=made_from.words)
    since = original.after(made_from.order)
    present = original.entry.definition
    is_of_present = same_words(made_from.words, present) or same_words(in_force.words, present)
    if not is_of_present:
        return replace(with_source, state="behind", since=since)
    if translated is not newest:
        before = translated.words
        return replace(with_source, state="touched", since=since, translated_before=before)
    if newest.commit == in_force.commit and newest.commit in bulk:
        return found  # the commit does not say which wording was translated
    return replace(with_source, state="up-to-date")


def _last_translated(original: Track, own: Track) -> WordChange:
    """Returns the last change that translated the original anew, not only touched the
    translation."""
    translated, *later = own.changes
    for change in later:
        if not _is_touch(translated, change, original):
            translated = change
    return translated


def _is_touch(translated: WordChange, change: WordChange, original: Track) -> bool:
    """True if a change of a translation is little, although the original was reworded since the
    translation was made: if the original is reworded from A to B, and then a typo in the
    translation of A is corrected, the translation is still made from A."""
    made_from, in_force = original.at(translated.order), original.at(change.order)
    if made_from is None or in_force is None or same_words(made_from.words, in_force.words):
        return False
    reworded = (made_from.words, in_force.words)
    return _is_little(translated.words, change.words, of=reworded)


def _declared(found: Translation, original: Track, words: Prose) -> Translation:
    """Returns a translation with its state, if site.toml says from which words it was made."""
    if same_words(words, original.entry.definition):
        return replace(found, state="up-to-date", made_from=words)
    since = None
    for change in reversed(original.changes):
        if same_words(change.words, words):
            since = original.after(change.order)
            break
    return replace(found, state="behind", since=since, made_from=words)


def _is_little(before: Prose, after: Prose, *, of: tuple[Prose, Prose]) -> bool:
    """True if a translation was changed by little, or only in accents, against the change of its
    original, whose words before and after are `of`: a tenth of it, where the original was changed
    by half."""
    own_before, own_after = folded_words(before.text), folded_words(after.text)
    if _without_accents(own_before) == _without_accents(own_after):
        return True
    own_change = Indel.normalized_distance(own_before, own_after)
    change = Indel.normalized_distance(*[folded_words(one.text) for one in of])
    return LITTLE_CHANGE * own_change < change


def _without_accents(text: str) -> str:
    """Returns a text without accents: "memoire" for "mémoire"."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(filterfalse(unicodedata.combining, decomposed))


def _is_untranslated(words: Prose, original: Track) -> bool:
    """True if more than `UNTRANSLATED` of a translation are paragraphs of the original.

    Earlier wordings of the original count too, if they are nearly the present one: a translation
    may be a copy of one of them.
    """
    present = original.entry.definition
    wordings = [present]
    for change in original.changes:
        if fuzz.ratio(change.words.text, present.text) >= NEARLY_PRESENT:
            wordings.append(change.words)
    paragraphs_of_original: set[str] = set()
    for wording in wordings:
        if same_words(words, wording):
            return True
        for paragraph in _paragraphs(wording):
            if len(paragraph.split()) >= MIN_WORDS:
                paragraphs_of_original.add(paragraph)
    length = length_of_same = 0
    for paragraph in _paragraphs(words):
        length += len(paragraph)
        if paragraph in paragraphs_of_original:
            length_of_same += len(paragraph)
    return length_of_same > UNTRANSLATED * length


def _paragraphs(words: Prose) -> list[str]:
    """Returns the folded paragraphs of a definition without its code, which no language
    translates."""
    code = folded_words(" ".join(map(unescape, CODE_BLOCK.findall(words.html))))
    paragraphs = map(folded_words, words.text.split("\n\n"))
    return [one for one in paragraphs if one not in code]
