"""Data types for the history of terms: terms and their courses, changes, revisions, and lives as
shown on pages.

They are composed of the types of `sitegen.model`, and hold no logic beyond hashes and simple
lookups.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, NamedTuple

from sitegen.model import Designation, Entry, Source

Mark = Literal[
    "added", "first-read", "reworded", "renamed", "names", "deprecated", "removed", "unchanged"
]
"""A shape with a color: the paths are in `shapes.html`, the colors in `chip.css` and
`tokens.css`."""

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


class ChangeTraits(NamedTuple):
    """The use that pages, data and reviews make of a kind of change."""

    mark: Mark
    rank: int
    """Of several changes of a term in one release, the one with the lowest rank represents all."""
    heading: str
    """The heading in a review of two states. Empty for the kinds that no review has: a term cannot
    be restored there, or read for the first time."""
    is_compared: bool = False
    """True if comparisons of two releases list it."""
    is_minor: bool = False
    """True if it leaves the words the same. A review only counts it."""
    begins: bool = False
    """True if the term did not exist before."""


CHANGES: Mapping[ChangeKind, ChangeTraits] = {
    "deprecated": ChangeTraits("deprecated", 4, "Deprecated", is_compared=True),
    "removed": ChangeTraits("removed", 1, "Removed", is_compared=True),
    "merged": ChangeTraits("renamed", 2, "Merged into another term", is_compared=True),
    "renamed": ChangeTraits("renamed", 5, "Renamed", is_compared=True),
    "split": ChangeTraits("renamed", 3, "Split from another term", is_compared=True, begins=True),
    "reworded": ChangeTraits("reworded", 7, "Reworded", is_compared=True),
    "restored": ChangeTraits("added", 6, "", is_compared=True),
    "added": ChangeTraits("added", 8, "Added", is_compared=True, begins=True),
    "names-changed": ChangeTraits("names", 10, "Other names changed"),
    "moved": ChangeTraits("unchanged", 11, "moved", is_minor=True),
    "reformatted": ChangeTraits(
        "unchanged", 12, "formatted otherwise, with the same words", is_minor=True
    ),
    "first-read": ChangeTraits("first-read", 9, ""),
}
"""In the order in which pages list them: first those after which a reader has to act, then what is
new, which is often a long list. In the first release that is read, every term is "first-read"."""
COMPARED = tuple(kind for kind, traits in CHANGES.items() if traits.is_compared)
MINOR = frozenset(kind for kind, traits in CHANGES.items() if traits.is_minor)


def main_kind(kinds: Iterable[ChangeKind]) -> ChangeKind:
    """Returns the kind that represents all changes of a term in one release."""
    return min(kinds, key=lambda kind: CHANGES[kind].rank)


TermStatus = Literal["current", "deprecated", "removed", "merged"]
DataStatus = Literal[TermStatus, "unread"]
"""The status of a term in data. `unread`: the newest release of no source that defines it could be
read."""


class StatusTraits(NamedTuple):
    """The use that pages and data make of a status."""

    mark: Mark
    sign: str
    """The character before the name of a term of this status, in the data of the search
    (`search-names.js`)."""
    is_defined: bool = False
    """True if some source defines the term."""


STATUSES: Mapping[TermStatus, StatusTraits] = {
    "current": StatusTraits("unchanged", "=", is_defined=True),
    "deprecated": StatusTraits("deprecated", "!", is_defined=True),
    "removed": StatusTraits("removed", "~"),
    "merged": StatusTraits("renamed", "~"),
}
MARKS: Mapping[str, Mark] = {
    **{kind: traits.mark for kind, traits in CHANGES.items()},
    **{status: traits.mark for status, traits in STATUSES.items() if status != "current"},
    "new": "added",
    "unreleased": "unchanged",
    "up-to-date": "added",
    "behind": "deprecated",
    "unread": "unchanged",
}
"""The marks of all chips: of kinds of change, of statuses, and of the states of translations."""

CourseState = Literal["defined", "deprecated", "absent", "unread"]
"""The state of a term at a release. A deprecated term is defined, and its entry says that it must
not be used."""
Ending = Literal["reworded", "removed", "renamed", "current", "unread"]
"""Why a revision ended. Pages also divide a revision where the term was renamed; each part but the
last one has ended as "renamed"."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """The rule by which two entries with different preferred names were matched as the same
    term."""

    rule: Literal["declared", "other name", "same file", "same words"]
    reason: str = ""


class Span(NamedTuple):
    """Consecutive releases of a source in which a term is the same, except for release, path and
    line of its entry.

    A tuple for speed: there are a few for every term.
    """

    first: int
    """The number of the first of these releases."""
    past: int
    """The number of the release after the last one."""
    state: CourseState
    entry: Entry | None = None
    """The entry at the first release. `Course.entries` has that of each release."""
    identity: Identity | None = None
    """Set if this entry continues the term under another preferred name, or the term was merged
    into another one."""
    other: str | None = None
    """The key of another term. If the state is "absent", this term was merged into that one; else
    it was split from that one."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change of a term in one source. `before` and `after` give file, line and release of both
    sides."""

    term: str
    """The key of the term."""
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


@dataclass(frozen=True, kw_only=True)
class Revision:
    """A run of consecutive releases of one source in which the words of the definition are the
    same."""

    source: str
    first: str
    last: str
    entry: Entry
    """The entry at the first release of the run."""
    latest: Entry
    """The entry at the last release of the run: the same words, possibly with other markup."""
    ended: Ending
    """Why the run ended; "current" if it did not."""

    @property
    def is_in_force(self) -> bool:
        """True if nothing has ended the wording in the releases that could be read."""
        return self.ended in ("current", "unread")


@dataclass(frozen=True, kw_only=True)
class Course:
    """One term in one source, release by release: its state, its entry, and what changed.

    A term that is added in the second of four releases and reworded in the fourth has three spans
    (absent, defined, defined), which begin at the releases 0, 1 and 3, and the entries (None, A, A,
    B).
    """

    source: Source
    releases: tuple[str, ...]
    """Names of the releases, the same for all courses of a source."""
    spans: tuple[Span, ...]
    """The spans of all releases, oldest first. A release in which the term was merged begins a
    span, also if the term was absent before."""
    entries: tuple[Entry | None, ...]
    """The entry of the term at each release."""
    revisions: tuple[Revision, ...] = ()
    """Oldest first, as `history.lives` finds them; empty before."""
    changes: tuple[Change, ...] = ()
    """Oldest first, as `revisions`. A release without changes has none."""

    def at(self, release: str) -> Entry | None:
        """Returns the entry of the term at a release; None if there is no such release or entry."""
        number = self.source.numbers.get(release)
        return None if number is None else self.entries[number]

    @property
    def last_known(self) -> Span:
        """The last span of releases that could be read."""
        return next(span for span in reversed(self.spans) if span.state != "unread")

    @property
    def current(self) -> Entry | None:
        """The entry in the last release that could be read."""
        return self.entries[self.last_known.past - 1]

    @property
    def span_entries(self) -> list[Entry]:
        """The first entry of each span that defines the term."""
        return [span.entry for span in self.spans if span.entry]

    @property
    def words_since(self) -> str:
        """The first release with the newest words."""
        return self.revisions[-1].first

    @property
    def last_merge(self) -> Change | None:
        """The merge of the term into another one, if that is its last change."""
        if self.changes and self.changes[-1].kind == "merged":
            return self.changes[-1]
        return None

    def changes_at(self, release: str) -> tuple[Change, ...]:
        """Returns what changed in a release."""
        return tuple([change for change in self.changes if change.release == release])

    def restoration(self, release: str) -> Change | None:
        """Returns the first change that restored the term after a release; None if none did."""
        numbers = self.source.numbers
        for change in self.changes:
            if change.kind == "restored" and numbers[change.release] > numbers[release]:
                return change
        return None

    def revision_at(self, release: str) -> Revision | None:
        """Returns the revision in force at a release; None if there was none."""
        numbers = self.source.numbers
        number = numbers.get(release, -1)
        for revision in self.revisions:
            if numbers[revision.first] <= number <= numbers[revision.last]:
                return revision
        return None

    def releases_of(self, revision: Revision) -> tuple[str, ...]:
        """Returns the names of the releases from the first to the last of a revision."""
        numbers = self.source.numbers
        return self.releases[numbers[revision.first] : numbers[revision.last] + 1]

    def last_released(self, revision: Revision) -> str:
        """Returns the last published release of a revision; empty if there is none."""
        for name in reversed(self.releases_of(revision)):
            if name not in self.source.unreleased:
                return name
        return ""

    def span_at(self, number: int) -> Span:
        """Returns the span that has the release with this number."""
        return self.spans[bisect(self.spans, number, key=attrgetter("first")) - 1]

    def names_in(self, span: Span) -> tuple[str, ...]:
        """Returns the names of the releases in a span."""
        return self.releases[span.first : span.past]


@dataclass(frozen=True, kw_only=True)
class Term:
    """A term with its entries in all sources. It stays the same when its wording or names
    change."""

    key: str
    """Unique and reproducible from the input; never shown."""
    courses: tuple[Course, ...]

    @property
    def dated_courses(self) -> tuple[Course, ...]:
        """The courses in sources that have releases."""
        return tuple([course for course in self.courses if not course.source.undated])

    def course(self, source: str) -> Course:
        """Returns the course of the source with this id."""
        return next(course for course in self.courses if course.source.id == source)


@dataclass(frozen=True, kw_only=True)
class Life(Term):
    """A term with its history and current state, as shown on its pages."""

    status: TermStatus
    entry: Entry
    """The main entry: the newest one of the first source that still defines the term."""
    names: tuple[Designation, ...]
    """Current names, preferred first."""
    former_names: tuple[tuple[str, str], ...] = ()
    """(name, the release that dropped it) for each name that the term no longer has."""
    synonym_of: str | None = None
    """The key of the term whose definition this term shows: X of "Same as X" and "See X", or the
    term into which it was merged."""
    merged_into: str | None = None
    """The key of the term that this one was merged into; None while a source still defines it."""
    replaced_by: str | None = None
    """The key of the term that the text of a deprecated or removed term says to use instead."""
    also_known_as: tuple[str, ...] = ()
    """Keys of the terms that the definition names with "also known as"."""

    @property
    def name(self) -> str:
        return self.names[0].text

    @property
    def all_names(self) -> tuple[str, ...]:
        """The present names, then the former ones."""
        present_names = [name.text for name in self.names]
        return (*present_names, *[name for name, _ in self.former_names])

    @property
    def is_defined(self) -> bool:
        """True if the last release of some source that could be read still defines the term."""
        return STATUSES[self.status].is_defined

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """The revisions in all sources, by source in configured order, then oldest first."""
        return tuple([one for course in self.courses for one in course.revisions])

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes in all sources, in the same order."""
        return tuple([one for course in self.courses for one in course.changes])

    @property
    def main_course(self) -> Course:
        """The course in the source of the main entry."""
        return self.course(self.entry.place.source)


Ids = Mapping[tuple[str, str], str]
"""(source id, release) to an HTML id on a term's page, for the releases of the term's dated
sources."""
