"""The history of terms, as values: terms and their lanes, changes, revisions, and lives as pages show them.

They consist of the values of `model.entries`, and compute nothing but their identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from sitegen.model import Citation, Designation, Entry, Source

TermStatus = Literal["current", "deprecated", "removed", "merged"]
Ending = Literal["reworded", "removed", "current", "unread"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """How we know that two entries are the same term, when it is not simply the same name."""

    rule: Literal["declared", "other name", "same words"]
    reason: str = ""


class Step(NamedTuple):
    """One term at one release of one source. There is one for every term at every release, so it is a tuple."""

    release: str
    state: Literal["defined", "absent", "unread"]
    entry: Entry | None = None
    identity: Identity | None = None
    """Set where this entry continues the term under another preferred name."""


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One term's life in one source: a step for every release of that source, in order."""

    source: Source
    releases: tuple[str, ...]
    """Their names: the same for all lanes of a source."""
    turns: tuple[int, ...]
    """Numbers of the steps that differ from the one before by more than release, path and line; the first is one, and
    so is each with which the term became part of another.
    """
    turned: tuple[Step, ...]
    """The steps at turns. Most lanes have few, and few callers need those between."""
    entries: tuple[Entry | None, ...]
    """What the source says of the term at each release."""

    def at(self, release: str) -> Entry | None:
        """Returns what the source says of the term at a release, if it has that release and says anything."""
        return self.entries[self.releases.index(release)] if release in self.releases else None

    def runs(self) -> Iterator[tuple[Step, int, int]]:
        """Yields each step that is a turn, with its number and that of the next turn, or of what follows the last."""
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
    """Two terms became one (merged) or one became two (split), at a release of a source."""

    kind: Literal["merged", "split"]
    source: str
    release: str
    other: str
    """Key of the term merged into, or split from."""
    identity: Identity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """The subject of a page: the identity that outlives wording and names."""

    key: str
    """Unique and reproducible from the input; never shown."""
    lanes: tuple[Lane, ...]
    ties: tuple[Tie, ...] = ()
    homonyms: tuple[str, ...] = ()
    """Keys of other terms that its source defined under the same name at the same release."""

    def __hash__(self) -> int:
        # Its key tells it from all other terms of a site.
        return hash(self.key)


Kind = Literal[
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
    """One event in a term's life. It can be traced to file, line and release on both sides."""

    kind: Kind
    source: str
    release: str
    previous: str | None
    """The release before in that source (the last one that could be read), with which this one was compared."""
    before: Entry | None = None
    after: Entry | None = None
    same_as: str | None = None
    """For reworded and restored: an earlier release that already had these words."""
    other: str | None = None
    """For merged and split: the key of the other term."""
    identity: Identity | None = None

    @property
    def citation(self) -> Citation:
        """The place on the newer side; for a removal, where the entry last stood."""
        entry = self.after or self.before
        assert entry is not None, "a change has at least one side"
        return entry.citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A run of consecutive releases of one source in which the words of the definition stayed the same."""

    source: str
    first: str
    last: str
    entry: Entry
    """As it stood at the first release of the run."""
    latest: Entry
    """As it stood at the last: same words, perhaps other markup."""
    ended: Ending
    """The state after the last release of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """A term with everything that happened to it: what the pages show."""

    term: Term
    status: TermStatus
    entry: Entry
    """The entry that speaks for the term: the newest of the first source that still defines it."""
    revisions: tuple[Revision, ...]
    """By source in configured order, oldest first."""
    changes: tuple[Change, ...]
    """In the same order. An unchanged release has none."""
    names: tuple[Designation, ...]
    """Current names, preferred first."""
    former_names: tuple[tuple[str, str], ...] = ()
    """(name, the release that dropped it), of names that were in force and are no longer."""
    synonym_of: str | None = None
    """Key of the term whose definition this one shows ("Same as X", "See X", or merged into X)."""
    merged_into: str | None = None
    """Key of the term that this one became part of; None while a source still defines it."""
    replaced_by: str | None = None
    """Key of the term that a deprecated or removed one says to use instead."""
    also_known_as: tuple[str, ...] = ()
    """Keys of terms tied by "Also known as"."""

    def __hash__(self) -> int:
        return hash(self.term)

    @property
    def key(self) -> str:
        return self.term.key

    @property
    def name(self) -> str:
        return self.names[0].text

    @property
    def is_defined(self) -> bool:
        """True if the last release of some source that could be read still defines the term."""
        states = ((step.state for step in reversed(lane.turned)) for lane in self.term.lanes)
        return any(next(state for state in newest_first if state != "unread") == "defined" for newest_first in states)


class Ids(dict[tuple[str, str], str]):
    """(source id, release) to the id of its place on a term's page, for the releases of the term's dated sources.

    Most terms of the same sources have the same, and share them.
    """
