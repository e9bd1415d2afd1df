"""The entries of one language of a glossary with the commits that changed their words.

A change of markup, headings, front matter or place changes no words. `translation_states` compares
two languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sitegen.model import Entry, Prose
from sitegen.model.term_translations import CommitOrder, WordChange
from sitegen.text.names import fold
from sitegen.text.prose import without_headings
from sitegen.text.words import same_words

RENAMED_LIKENESS = 60
"""The minimum likeness, of 100, of two definitions by which a commit renamed a term."""


class TranslatedKey(NamedTuple):
    """Identifies an entry of one language across commits."""

    file: str
    """The path of its file without the parts that name the language, and without its suffix."""
    name: str = ""
    """The folded name of the term; empty in a file of one term."""


class LanguageCommit(NamedTuple):
    """A commit that changed files of the original or of translations."""

    id: str
    day: date
    """In the committer's time zone."""
    order: CommitOrder


class CommitEntries(NamedTuple):
    """The entries of one language in the files that a commit changed."""

    commit: LanguageCommit
    before: Mapping[TranslatedKey, Sequence[Entry]]
    """The entries in each of its parents."""
    after: Mapping[TranslatedKey, Entry]


@dataclass(frozen=True, kw_only=True)
class Track:
    """One entry with the commits that changed its words, oldest first. The last one gave it its
    present words."""

    entry: Entry
    changes: tuple[WordChange, ...]
    removed: WordChange | None = None
    renamed_to: TranslatedKey | None = None
    """The key that a removed entry got, if it was removed by a rename."""

    @property
    def last(self) -> WordChange | None:
        """The last change; None if no commit has given the present words."""
        return self.changes[-1] if self.changes else None

    def at(self, order: CommitOrder) -> WordChange | None:
        """Returns the change that gave the words in force at a commit; None before the first
        one."""
        return next((one for one in reversed(self.changes) if one.order <= order), None)

    def after(self, order: CommitOrder) -> WordChange | None:
        """Returns the first change after a commit; None if there is none."""
        return next((one for one in self.changes if one.order > order), None)


class LanguageHistory(NamedTuple):
    """The entries of the original or of one translation, with their changes."""

    tracks: Mapping[TranslatedKey, Track]
    """The tracks of all entries that the language has or had."""
    commits: Mapping[str, CommitOrder]
    """The commits that changed its files, oldest first."""
    is_complete: bool
    """False for a shallow clone, whose first commit seems to have added everything."""

    @property
    def current(self) -> Mapping[TranslatedKey, Entry]:
        """The present entries."""
        return {key: one.entry for key, one in self.tracks.items() if not one.removed}

    @property
    def removed(self) -> Mapping[TranslatedKey, Entry]:
        """The last entries of the terms that were removed."""
        return {key: one.entry for key, one in self.tracks.items() if one.removed}

    def present_key(self, key: TranslatedKey) -> TranslatedKey | None:
        """Returns the key that an entry has after its renames; None if it is gone."""
        present: TranslatedKey | None = key
        while present:
            track = self.tracks.get(present)
            # A branch had renamed an entry to this key, and a merge dropped that.
            if track is None:
                return None
            if not track.removed:
                return present
            present = track.renamed_to
        return None


def tracks(
    commits: Iterable[CommitEntries], current: Mapping[TranslatedKey, Entry]
) -> Mapping[TranslatedKey, Track]:
    """Returns the track of each entry that one language has or had. `commits` are in order, oldest
    first, and `current` are the present entries.

    The changes of a present entry end with the one that gave it its words: later changes were made
    on a branch, and a merge dropped them. If no change gave the entry its words, it has no changes.
    """
    recorded = _RecordedChanges()
    for changed in commits:
        recorded.add(changed)
    tracks_of_language = {}
    for key, removal in recorded.removed.items():
        changes = recorded.of_key[key]
        tracks_of_language[key] = Track(
            entry=removal.entry,
            changes=tuple(changes),
            removed=removal,
            renamed_to=recorded.renamed.get(key),
        )
    for key, entry in current.items():
        changes = _up_to_words_of(entry, recorded.of_key.get(key, ()))
        tracks_of_language[key] = Track(entry=entry, changes=tuple(changes))
    return tracks_of_language


class _RecordedChanges:
    """The changes of the entries of one language, commit by commit."""

    def __init__(self) -> None:
        self.of_key: dict[TranslatedKey, list[WordChange]] = {}
        """The changes of each entry, oldest first. The keys of an entry before and after a rename
        share a list: a branch that is merged later may still change the entry under its old key."""
        self.removed: dict[TranslatedKey, WordChange] = {}
        """The removals of the entries that are gone."""
        self.renamed: dict[TranslatedKey, TranslatedKey] = {}
        """The keys of the removed entries that were renamed, and the keys that they got."""

    def add(self, changed: CommitEntries) -> None:
        """Adds the next commit. An entry gets a change if its words are new: no parent of the
        commit has them, and they are not those of the last change of the entry."""
        removed_now = self._record_removals(changed)
        for key, entry in changed.after.items():
            # The words that the commit found: in its parents, or of an entry that was removed.
            known_words = [found.definition for found in changed.before.get(key, ())]
            removal = self.removed.pop(key, None)
            if removal:  # the entry is back
                self.renamed.pop(key, None)
                known_words.append(removal.words)

            if key not in self.of_key:
                self.of_key[key] = []
                is_added = key not in changed.before
                former_key = _key_before_rename(entry, removed_now) if is_added else None
                # The commit renamed that entry to this one, which takes over its changes.
                if former_key:
                    self.renamed[former_key] = key
                    self.of_key[key] = removed_now.pop(former_key)
            changes = self.of_key[key]
            known_words += [change.words for change in changes[-1:]]
            if not any(same_sentences(words, entry.definition) for words in known_words):
                changes.append(WordChange(*changed.commit, entry))

    def _record_removals(self, changed: CommitEntries) -> dict[TranslatedKey, list[WordChange]]:
        """Adds the removals of a commit. Returns the removed entries by their keys, each with its
        changes."""
        removed_now = {}
        for key, entries in changed.before.items():  # an entry for each parent of a merge
            # An entry without changes has its words from an earlier commit, which was not read.
            has_changes = bool(self.of_key.get(key))
            if key not in changed.after and has_changes:
                removed_now[key] = self.of_key[key]
                self.removed[key] = WordChange(*changed.commit, entries[-1])
        return removed_now


def same_sentences(one: Prose, other: Prose) -> bool:
    """True if two wordings have the same words, apart from headings: a heading that was dropped
    leaves nothing to translate."""
    return same_words(without_headings(one), without_headings(other))


def _key_before_rename(
    entry: Entry, removed: Mapping[TranslatedKey, list[WordChange]]
) -> TranslatedKey | None:
    """Returns the key of the removed entry that is most like an added one; None if none is like it
    enough. `removed` has the changes of the removed entries."""
    best_key = None
    best_likeness = 0.0
    for key, changes in removed.items():
        likeness = _likeness(changes[-1].entry, entry)
        if likeness >= RENAMED_LIKENESS and likeness > best_likeness:
            best_key = key
            best_likeness = likeness
    return best_key


def _likeness(before: Entry, after: Entry) -> float:
    """Returns how alike two entries are: 200 if they have the same words, 100 if they have the same
    name, else the likeness of their texts in percent."""
    if same_words(before.definition, after.definition):
        return 200
    if fold(before.name) == fold(after.name):
        return 100
    from rapidfuzz import fuzz  # few builds need it, and it is slow to import

    return fuzz.ratio(before.definition.text, after.definition.text)


def _up_to_words_of(entry: Entry, changes: Sequence[WordChange]) -> list[WordChange]:
    """Returns the changes up to the last one that gave the words of an entry. Of the changes to A,
    B and C, an entry with the words B gives those to A and B."""
    kept = list(changes)
    while kept and not same_sentences(entry.definition, kept[-1].words):
        kept.pop()
    return kept
