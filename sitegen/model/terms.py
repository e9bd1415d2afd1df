"""Data types for the history of terms: terms and their lanes, changes, revisions, and lives as shown on pages.

They are composed of the types of `sitegen.model`, and hold no logic beyond hashes and simple lookups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from sitegen.model import Citation, Designation, Entry, Source

TermStatus = Literal["current", "deprecated", "removed", "merged"]
Ending = Literal["reworded", "removed", "moved", "current", "unread"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The rule by which two entries with different preferred names were matched as the same term."""

    rule: Literal["declared", "other name", "same file", "same words"]
    reason: str = ""


class Step(NamedTuple):
    """One term at one release of one source. A tuple for speed: there is one for every term at every release."""

    release: str
    state: Literal["defined", "absent", "unread"]
    entry: Entry | None = None
    identity: Identity | None = None
    """Set if this entry continues the term under another preferred name."""


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One term in one source: a step for every release of that source, oldest first.

    A term that is added in the second of four releases and reworded in the fourth has turns 0 (absent), 1 and 3, and
    the entries (None, A, A, B).
    """

    source: Source
    releases: tuple[str, ...]
    """Names of the releases, the same for all lanes of a source."""
    turns: tuple[int, ...]
    """Numbers of the steps that differ from the previous one by more than release, path and line.

    Step 0 is always a turn, and so is each step in which the term was merged into another one.
    """
    turned: tuple[Step, ...]
    """The steps at turns. Most lanes have few turns, and few callers need the steps between them."""
    entries: tuple[Entry | None, ...]
    """The entry of the term at each release."""

    def at(self, release: str) -> Entry | None:
        """Returns the entry of the term at a release; None if there is no such release or entry."""
        return self.entries[self.releases.index(release)] if release in self.releases else None

    def runs(self) -> Iterator[tuple[Step, int, int]]:
        """Yields (step, first, past) for each turn: the range of steps from it up to the next turn or the end."""
        for step, (first, past) in zip(self.turned, pairwise((*self.turns, len(self.releases))), strict=True):
            yield step, first, past

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        steps: list[Step] = []
        for step, first, past in self.runs():
            between = zip(self.releases[first + 1 : past], self.entries[first + 1 : past], strict=True)
            steps += (step, *[Step(release, step.state, entry) for release, entry in between])
        return tuple(steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A merge of two terms into one, or a split of one into two, at a release of a source."""

    kind: Literal["merged", "split"]
    source: str
    release: str
    other: str
    """The key of the term that this one was merged into, or split from."""
    identity: Identity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term with its entries in all sources. It stays the same when its wording or names change."""

    key: str
    """Unique and reproducible from the input; never shown."""
    lanes: tuple[Lane, ...]
    ties: tuple[Tie, ...] = ()
    homonyms: tuple[str, ...] = ()
    """Keys of other terms that a source defined under the same name at the same release."""


ChangeKind = Literal[
    "first-read",
    "added",
    "reworded",
    "reformatted",
    "renamed",
    "names-changed",
    "moved",
    "deprecated",
    "removed",
    "restored",
    "merged",
    "split",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a term in one source. `before` and `after` give file, line and release of both sides."""

    kind: ChangeKind
    source: str
    release: str
    previous: str | None
    """The previous release of that source that could be read, with which this one was compared."""
    before: Entry | None = None
    after: Entry | None = None
    same_as: str | None = None
    """For reworded and restored: an earlier release that already had these words."""
    other: str | None = None
    """For merged and split: the key of the other term."""
    identity: Identity | None = None

    @property
    def entry(self) -> Entry:
        """The newer entry; for a removal, the last one."""
        entry = self.after or self.before
        assert entry is not None, "a change has at least one side"
        return entry

    @property
    def citation(self) -> Citation:
        return self.entry.citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A run of consecutive releases of one source in which the words of the definition are the same."""

    source: str
    first: str
    last: str
    entry: Entry
    """The entry at the first release of the run."""
    latest: Entry
    """The entry at the last release of the run: the same words, possibly with other markup."""
    ended: Ending
    """Why the run ended; "current" if it did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """A term with its history and current state, as shown on its pages."""

    term: Term
    status: TermStatus
    entry: Entry
    """The main entry: the newest one of the first source that still defines the term."""
    revisions: tuple[Revision, ...]
    """By source in configured order, then oldest first."""
    changes: tuple[Change, ...]
    """In the same order. A release without changes has none."""
    names: tuple[Designation, ...]
    """Current names, preferred first."""
    former_names: tuple[tuple[str, str], ...] = ()
    """(name, the release that dropped it) for each name that the term no longer has."""
    synonym_of: str | None = None
    """The key of the term whose definition this one shows ("Same as X", "See X", or merged into X)."""
    merged_into: str | None = None
    """The key of the term that this one was merged into; None while a source still defines it."""
    replaced_by: str | None = None
    """The key of the term that the text of a deprecated or removed term says to use instead."""
    also_known_as: tuple[str, ...] = ()
    """Keys of the terms that the definition names with "also known as"."""

    @property
    def key(self) -> str:
        return self.term.key

    @property
    def name(self) -> str:
        return self.names[0].text

    @property
    def is_defined(self) -> bool:
        """True if the last release of some source that could be read still defines the term."""
        return self.status in ("current", "deprecated")


class Ids(dict[tuple[str, str], str]):
    """Maps (source id, release) to an HTML id on a term's page, for the releases of the term's dated sources.

    Most terms of the same sources have the same ids and share the object.
    """
