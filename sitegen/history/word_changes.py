"""The entries of one language of a glossary with the commits that changed their words.

A change of markup, front matter or place changes no words. `translation_states` compares two
languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from rapidfuzz import fuzz

from sitegen.model import Entry, Prose
from sitegen.text.names import fold
from sitegen.text.words import same_words

CONTINUED = 60
"""The minimum likeness, of 100, of two definitions by which a commit renamed a term."""


class TranslatedKey(NamedTuple):
    """Identifies an entry of one language across commits."""

    file: str
    """The path of its file without the parts that name the language, and without its suffix."""
    name: str = ""
    """The folded name of the term; empty in a file of one term."""


CommitOrder = tuple[int, int]
"""The position of a commit among those of all languages: its time, and its number in the log of its
repository."""


class LanguageCommit(NamedTuple):
    """A commit that changed files of the original or of translations."""

    id: str
    day: date
    """In the committer's time zone."""
    order: CommitOrder


CommitEntries = tuple[
    LanguageCommit, Mapping[TranslatedKey, Sequence[Entry]], Mapping[TranslatedKey, Entry]
]
"""A commit with the entries of one language in the files that it changed: in each of its parents,
and after it."""


class WordChange(NamedTuple):
    """A commit that added or removed an entry, or changed its words."""

    commit: str
    day: date
    order: CommitOrder
    entry: Entry
    before: tuple[Entry, ...] = ()
    """The entries that the commit found."""

    @property
    def words(self) -> Prose:
        return self.entry.definition


@dataclass(frozen=True, kw_only=True, slots=True)
class Track:
    """The changes of words of one entry, oldest first; the last one has its present words."""

    entry: Entry
    changes: tuple[WordChange, ...]
    line: tuple[WordChange, ...] = ()
    """Those that led to the present words, without those that were made on a branch and dropped by
    a merge."""
    removed: WordChange | None = None

    @property
    def last(self) -> WordChange | None:
        """The last change; None if no commit has given the present words."""
        return self.changes[-1] if self.changes else None

    def at(self, order: CommitOrder) -> WordChange | None:
        """Returns the change that gave the words in force at a commit; None before the first
        one."""
        return next((one for one in reversed(self.line) if one.order <= order), None)

    def after(self, order: CommitOrder) -> WordChange | None:
        return next((one for one in self.changes if one.order > order), None)


class LanguageHistory(NamedTuple):
    """The entries of the original or of one translation, with their changes."""

    tracks: Mapping[TranslatedKey, Track]
    """Of all entries that the language has or had."""
    commits: Mapping[str, CommitOrder]
    """The commits that changed its files, oldest first."""
    is_complete: bool
    """False for a shallow clone, whose first commit seems to have added everything."""

    @property
    def current(self) -> Mapping[TranslatedKey, Entry]:
        return {key: one.entry for key, one in self.tracks.items() if not one.removed}

    @property
    def removed(self) -> Mapping[TranslatedKey, Entry]:
        return {key: one.entry for key, one in self.tracks.items() if one.removed}


def tracks(
    commits: Iterable[CommitEntries], current: Mapping[TranslatedKey, Entry]
) -> Mapping[TranslatedKey, Track]:
    """Returns the track of each entry that one language has or had. `commits` are in order, oldest
    first.

    Changes after the last one that gave the present words were made on a branch and dropped by a
    merge. An entry has no changes if no commit has given its present words.
    """
    found: dict[TranslatedKey, list[WordChange]] = {}
    removed: dict[TranslatedKey, WordChange] = {}
    for commit, before, after in commits:
        gone = {}
        for key, entries in before.items():
            if key not in after and found.get(key):
                gone[key] = found[key]
                removed[key] = WordChange(*commit, entries[-1])
        for key, entry in after.items():
            back = removed.pop(key, None)
            if key not in found:
                old = _continued(entry, gone) if key not in before else None
                # The list is shared: a branch that is merged later may still change the entry under
                # its old key.
                found[key] = gone.pop(old) if old else []
            known = [*before.get(key, ())]
            if back:
                known.append(back.entry)
            last = [one.entry for one in found[key][-1:]]
            if not _has_words([*known, *last], entry):
                found[key].append(WordChange(*commit, entry, tuple(known)))
    result = {}
    for key, one in removed.items():
        result[key] = Track(entry=one.entry, changes=tuple(found[key]), removed=one)
    for key, entry in current.items():
        changes = _up_to_words_of([entry], found.get(key, []))
        result[key] = Track(entry=entry, changes=tuple(changes), line=tuple(_line(changes))[::-1])
    return result


def _up_to_words_of(
    entries: Sequence[Entry], changes: Sequence[WordChange]
) -> Sequence[WordChange]:
    """Returns the changes up to the last one that gave the words of one of these entries; none if
    none did."""
    changes = list(changes)
    while changes and not _has_words(entries, changes[-1].entry):
        changes.pop()
    return changes


def _line(changes: Sequence[WordChange]) -> Iterator[WordChange]:
    """Yields the changes that led to the last one, newest first: each found the words of the one
    before it."""
    while changes:
        last, earlier = changes[-1], changes[:-1]
        yield last
        changes = _up_to_words_of(last.before, earlier) or earlier


def _has_words(entries: Iterable[Entry], one: Entry) -> bool:
    for entry in entries:
        if same_words(entry.definition, one.definition):
            return True
    return False


def _continued(
    entry: Entry, gone: Mapping[TranslatedKey, list[WordChange]]
) -> TranslatedKey | None:
    """Returns the key of the entry that a commit removed where it added this one: a rename or a
    move."""

    def likeness(key: TranslatedKey) -> float:
        """Returns 200 for the same words, and at most 100 for others."""
        before = gone[key][-1].entry
        if same_words(before.definition, entry.definition):
            return 200
        if fold(before.name) == fold(entry.name):
            return 100
        return fuzz.ratio(before.definition.text, entry.definition.text)

    if not gone:
        return None
    best = max(gone, key=likeness)
    return best if likeness(best) >= CONTINUED else None
