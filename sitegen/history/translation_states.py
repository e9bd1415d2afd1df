"""Says how far each translation is behind its original.

A translation was made from the wording of the original that was in force when the translation's own
words were last changed by more than little (`word_changes`). If the commits do not show it (a
shallow clone, one commit that added both languages), the state is unknown. `translation_pairs`
decides which entries are translations of which.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rapidfuzz.distance import Indel

from sitegen.history.translation_pairs import Entries, Pairing, pair, possible_pairs
from sitegen.history.word_changes import (
    LanguageHistory,
    Track,
    TranslatedKey,
    same_sentences,
)
from sitegen.model import Prose
from sitegen.model.term_translations import Translation, WordChange
from sitegen.text.names import fold
from sitegen.text.prose import without_headings
from sitegen.text.words import folded_words

LITTLE_CHANGE = 4
"""A translation was changed by little if it has less than a fourth of the changes of the
original."""


def translations(
    original: LanguageHistory,
    own: LanguageHistory,
    *,
    language: str,
    declared: Iterable[tuple[str, str]] = (),
    made_from: Mapping[str, Prose],
) -> tuple[tuple[Translation, ...], Pairing]:
    """Returns the state of every term in one language, and the pairs. `made_from` maps the folded
    name of an original to the words that it was translated from, if site.toml says so."""
    present_pairing = pair(original.current, own.current, declared)
    pairing = _with_renamed(present_pairing, original, own)
    states = _States(original, own, language, pairing)
    return (*states.paired(made_from), *states.unpaired(), *states.orphaned()), pairing


def _with_renamed(pairing: Pairing, original: LanguageHistory, own: LanguageHistory) -> Pairing:
    """Adds the pairs of renamed originals. If en/caches.md was renamed to en/cache.md, the original
    en/cache.md is paired with fr/caches.md."""
    lone_entries = {key: one for key, one in own.current.items() if key not in pairing.originals}
    originals = dict(pairing.originals)
    paired_originals = {*originals.values()}
    for key, former_key in pair(original.removed, lone_entries).originals.items():
        present_key = original.present_key(former_key)
        if present_key and present_key not in paired_originals:
            originals[key] = present_key
            paired_originals.add(present_key)
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
        # The first commit of a log adds all at once, and does not say which words were translated.
        first_commits = [*self.original.commits][:1] + [*self.own.commits][:1]
        has_all_commits = self.original.is_complete and self.own.is_complete
        for key, key_of_original in self.pairing.originals.items():
            original, own = self.original.tracks[key_of_original], self.own.tracks[key]
            translation = self._in_unknown_state(original, own)
            declared_words = made_from.get(fold(original.entry.name))
            if declared_words:
                translation = _with_declared_state(translation, original, declared_words)
            elif has_all_commits:
                translation = _with_compared_state(translation, original, own, first_commits)
            yield _with_rewordings(translation, original)

    def unpaired(self) -> Iterator[Translation]:
        """Yields the state of each original without a translation."""
        lone = {key: one for key, one in self._alone.items() if key not in self._orphans}
        originals, own = self.original.current, self.own.current
        unpaired = possible_pairs(self.pairing, originals=originals, own=own, lone=lone)
        for key, candidates in unpaired:
            track = self.original.tracks[key]
            first_change = next(iter(track.changes), None)
            translation = replace(
                self._in_unknown_state(track),
                state="unpaired" if candidates else "missing",
                candidates=candidates,
                since=first_change,
            )
            yield _with_rewordings(translation, track)

    def orphaned(self) -> Iterator[Translation]:
        """Yields the state of each translation of a removed original."""
        for key, key_of_original in self._orphans.items():
            original, own = self.original.tracks[key_of_original], self.own.tracks[key]
            unknown = self._in_unknown_state(original, own)
            orphan = replace(unknown, state="orphaned", since=original.removed)
            yield _with_rewordings(orphan, original)

    @cached_property
    def _alone(self) -> Entries:
        """The translated entries without a present original."""
        paired = self.pairing.originals
        return {key: entry for key, entry in self.own.current.items() if key not in paired}

    @cached_property
    def _orphans(self) -> Mapping[TranslatedKey, TranslatedKey]:
        """The translated entries whose original was removed, each with the key of the original.

        A removed entry with the same words as the translation is no original: its file was in the
        language of the translation at that time.
        """
        removed = self.original.removed
        orphans = {}
        for key, key_of_original in pair(removed, self._alone).originals.items():
            entry, original = self._alone[key], removed[key_of_original]
            if not same_sentences(entry.definition, original.definition):
                orphans[key] = key_of_original
        return orphans

    def _in_unknown_state(self, original: Track, own: Track | None = None) -> Translation:
        """Returns the translation of an original in the state "unknown". `own` has the translated
        words, if there are any."""
        translation = Translation(
            language=self.language,
            state="unknown",
            original=original.entry,
            reworded=original.last,
        )
        if own is None:
            return translation
        return replace(translation, entry=own.entry, translated=own.last)


def _with_rewordings(translation: Translation, original: Track) -> Translation:
    """Adds how often the original was reworded since the translation fell behind."""
    since = translation.since
    if since is None:
        return translation
    later_changes = [change for change in original.changes if change.order >= since.order]
    return replace(translation, rewordings=len(later_changes))


def _with_compared_state(
    unknown: Translation, original: Track, own: Track, first_commits: Collection[str]
) -> Translation:
    """Sets the state of a translation, from the changes of the original and of the translation.
    Returns it as it is, in the state "unknown", if the changes do not say enough. `first_commits`
    has the ids of the commits that begin the logs of both languages."""
    if same_sentences(own.entry.definition, original.entry.definition):
        return replace(unknown, state="untranslated")
    if not original.changes or not own.changes:
        return unknown

    # From which wording of the original was the translation made?
    translating = _last_translating_change(original, own)
    made_from = original.at(translating.order)
    if made_from is None:
        return unknown
    with_source = replace(unknown, made_from=made_from.words, made_on=translating.day)
    if not same_sentences(made_from.words, original.entry.definition):
        return replace(with_source, state="behind", since=original.after(made_from.order))

    # A first commit adds both languages as they were then, translated from this wording or not.
    is_same_commit = translating.commit == made_from.commit
    if is_same_commit and translating.commit in first_commits:
        return unknown
    return replace(with_source, state="up-to-date")


def _last_translating_change(original: Track, own: Track) -> WordChange:
    """Returns the last change of a translation that was more than a touch (`_is_touch`)."""
    translating_change, *later_changes = own.changes
    for change in later_changes:
        if not _is_touch(translating_change, change, original):
            translating_change = change
    return translating_change


def _is_touch(translating_change: WordChange, change: WordChange, original: Track) -> bool:
    """True if a translation was changed much less than its original was reworded before. An example
    is a change of a tenth, if the original was reworded by half.

    If the original is reworded from A to B, and then a typo in the translation of A is corrected,
    the translation is still made from A.
    """
    made_from = original.at(translating_change.order)
    in_force = original.at(change.order)
    if made_from is None or in_force is None:
        return False
    return LITTLE_CHANGE * _distance(translating_change, change) < _distance(made_from, in_force)


def _distance(one: WordChange, other: WordChange) -> float:
    """Returns how much of the words differs, from 0 to 1. Headings do not count."""
    sentences = [folded_words(without_headings(change.words).text) for change in (one, other)]
    return Indel.normalized_distance(*sentences)


def _with_declared_state(unknown: Translation, original: Track, made_from: Prose) -> Translation:
    """Sets the state of a translation, if site.toml says from which words it was made."""
    if same_sentences(made_from, original.entry.definition):
        return replace(unknown, state="up-to-date", made_from=made_from)
    since = None
    for change in reversed(original.changes):
        if same_sentences(change.words, made_from):
            since = original.after(change.order)
            break
    return replace(unknown, state="behind", since=since, made_from=made_from)
