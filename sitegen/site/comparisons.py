"""Computes the differences between any two releases of a source, and which pairs of releases have a page.

Only the two ends of a range of releases are compared: terms that were added and removed in between are left out, and
so are wordings that were reverted. Each release has a page of its comparison with the next release, and one with the
latest, so the number of pages grows linearly with the number of releases. A browser compares other pairs, with the
data that `files` writes.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.ledger import of_kind
from sitegen.history import relations
from sitegen.model import Entry, File, Source
from sitegen.model.terms import Change, ChangeKind, Identity, Lane, Life, Step
from sitegen.site.site import Site
from sitegen.text import compact_json
from sitegen.text.names import fold
from sitegen.text.words import same_words

ABSENT, UNREAD, MERGED, MOVED = -1, -2, -3, -4
"""Values for the number of a wording if there is no wording."""
DEPRECATED, SPLIT = 1, 2
"""Bit flags of a run."""
FrozenAddresses = Mapping[tuple[str, str, str], str]
"""(term key, source id, release) to the address of the frozen wording."""


def files(site: Site) -> Iterator[File]:
    """Yields the script of each source that has releases."""
    frozen = {
        (one.key, one.entry.citation.source, one.entry.citation.release): one.address[1:] for one in site.frozen
    }
    for course in courses(site):
        unread = {edition.release for edition in site.editions[course.source.id] if not edition.entries}
        content = compact_json.text(_course(course, unread, site, frozen))
        script = f"(self.glossarySources ||= []).push({content});\n"
        yield File(path=urls.comparison_data(course.source.id), content=script.encode(errors="replace"))


def _course(course: SourceCourse, unread: set[str], site: Site, frozen: FrozenAddresses) -> dict[str, Any]:
    """Returns a source's id, title, releases, unreadable releases, and the terms that ever changed."""
    source = course.source
    rows = (_row(life, lane, unread, site.slugs[life.key], frozen) for life, lane in course.lanes)
    return {
        "id": source.id,
        "title": source.title,
        "releases": [release.name for release in source.releases],
        "unread": [number for number, release in enumerate(source.releases) if release.name in unread],
        "terms": [row for row in rows if row],
    }


def _row(life: Life, lane: Lane, unread: set[str], slug: str, frozen: FrozenAddresses) -> list[Any]:
    """Returns a term as `[name, slug, addresses of its wordings, runs, other names]`, or [] if it never changed.

    A run is `[number of its first release, number of the wording, of the name, flags]`, without trailing zeros.
    """
    source = lane.source.id
    unknown = (lane.releases[first:past] for step, first, past in lane.runs() if step.state == "unread")
    gap = not unread.issuperset(chain.from_iterable(unknown))
    if not gap and not any(change.kind in COMPARED and change.source == source for change in life.changes):
        return []
    track = _Track(life, lane)
    runs = track.runs()
    addresses = [frozen.get((life.key, source, revision.first), "") for revision in track.revisions]
    return [life.name, slug, addresses, runs, list(track.names.values())[1:]]


class _Track:
    """The states of a term in the releases of one source, as runs of equal states."""

    def __init__(self, life: Life, lane: Lane) -> None:
        self.lane = lane
        self.revisions = [revision for revision in life.revisions if revision.source == lane.source.id]
        self.names = {fold(life.name): life.name}
        """Every name that the term had in this source, by folded name."""
        self.kinds: dict[str, set[str]] = defaultdict(set)
        """Release to the kinds of change in it, for the releases with changes."""
        for change in life.changes:
            if change.source == lane.source.id:
                self.kinds[change.release].add(change.kind)

    def runs(self) -> list[list[int]]:
        runs: list[list[int]] = []
        before = ""
        for step, number, _ in self.lane.runs():
            if number == 0 or step.release in self.kinds or step.state != before:
                state = self._state(step, number)
                if not runs or runs[-1][1:] != state:
                    runs.append([number, *state])
            before = step.state
        return [_without_zeros(run) for run in runs]

    def _state(self, step: Step, number: int) -> list[int]:
        """Returns the number of the wording, the number of the name, and the flags."""
        if step.entry is None:
            return [UNREAD if step.state == "unread" else self._absence(number), 0, 0]
        self.names.setdefault(fold(step.entry.name), step.entry.name)
        flags = DEPRECATED * bool(relations.deprecation(step.entry)) + SPLIT * ("split" in self.kinds[step.release])
        return [self._wording(step.entry), [*self.names].index(fold(step.entry.name)), flags]

    def _wording(self, entry: Entry) -> int:
        """Returns the number of the first wording with the same words."""
        said = (
            number for number, one in enumerate(self.revisions) if same_words(one.entry.definition, entry.definition)
        )
        return next(said)

    def _absence(self, number: int) -> int:
        """Returns MERGED, MOVED or ABSENT, by the last change up to a release."""
        before = (self.kinds.get(release, set()) for release in reversed(self.lane.releases[: number + 1]))
        last = next((kinds for kinds in before if kinds), set())
        return MERGED if "merged" in last else MOVED if "moved" in last else ABSENT


def _without_zeros(run: list[int]) -> list[int]:
    """Returns a run without trailing zeros. Most runs have the first name and no flags."""
    while len(run) > 2 and run[-1] == 0:
        run = run[:-1]
    return run


COMPARED: tuple[ChangeKind, ...] = (
    "added",
    "reworded",
    "renamed",
    "deprecated",
    "removed",
    "restored",
    "merged",
    "split",
)
"""The kinds of change that a comparison lists, in this order. The other kinds are minor."""


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A change of a term. Compared and hashed by identity, so that caches can use it as a key."""

    key: str
    """The key of the term."""
    change: Change


class Pair(NamedTuple):
    """Two releases whose comparison has a page."""

    older: str
    newer: str = ""
    """Empty for the latest release."""

    def is_in(self, source: Source) -> bool:
        """True if a source has both releases."""
        return {self.older, self.newer or self.older} <= {release.name for release in source.releases}

    def ends(self, source: Source) -> tuple[str, str]:
        """Returns the two releases in the source's order, the older one first."""
        two = (self.older, self.newer or latest(source))
        numbers = {release.name: number for number, release in enumerate(source.releases)}
        return two if numbers[two[0]] <= numbers[two[1]] else two[::-1]

    def is_settled(self, source: Source) -> bool:
        """True if a source has both releases and both are published."""
        return self.is_in(source) and not {self.older, self.newer} & source.unreleased


def pairs(site: Site) -> tuple[Pair, ...]:
    """Returns the pairs that have pages: those of the current order of releases, and previously published pairs of
    which a source still has both releases, even if other releases are between them now.
    """
    dated = [source for source in site.sources if not source.undated]
    since = (Pair(older=name) for name in site.release_names())
    names = ([release.name for release in source.releases] for source in dated)
    neighbours = (Pair(older=older, newer=newer) for source in names for older, newer in pairwise(source))
    published = (Pair(older=row.first, newer=row.last) for row in of_kind(site.ledger, "compare"))
    there = (pair for pair in published if any(pair.is_in(source) for source in dated))
    return tuple(dict.fromkeys((*since, *neighbours, *there)))


def latest(source: Source) -> str:
    """Returns the last published release of a source, or its last unreleased one if none is published."""
    released = [release.name for release in source.releases if not release.unreleased]
    return (released or [release.name for release in source.releases])[-1]


@dataclass(frozen=True)
class SourceCourse:
    """The releases of a source, and the terms that changed in each."""

    source: Source
    lanes: tuple[tuple[Life, Lane], ...]
    """Every term that the source ever defined, by name."""

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Release to its position."""
        return {release.name: number for number, release in enumerate(self.source.releases)}

    @cached_property
    def _changed(self) -> tuple[tuple[int, ...], ...]:
        """For each release, the numbers of the lanes that changed in it."""
        changed: list[dict[int, None]] = [{} for _ in self.source.releases]
        for number, (life, _) in enumerate(self.lanes):
            for change in life.changes:
                if change.source == self.source.id:
                    changed[self.numbers[change.release]][number] = None
        return tuple(tuple(numbers) for numbers in changed)

    def changes(self, older: str, newer: str) -> tuple[Event, ...]:
        """Returns the differences of the newer release from the older one, by term name.

        The older entry is cited from the release in which it began to apply. All older releases in which it applies
        give the same `Event` objects.
        """
        first, last = self.numbers[older], self.numbers[newer]
        changed = {*chain.from_iterable(self._changed[first + 1 : last + 1])}
        return tuple(chain.from_iterable(self._between(number, first, last) for number in sorted(changed)))

    def _between(self, number: int, first: int, last: int) -> tuple[Event, ...]:
        """Returns the changes of a term from one release to another."""
        turns = self.lanes[number][1].turns
        ends = number, turns[bisect(turns, first) - 1], last
        if ends not in self._cached_changes:
            span = self._release_range(*ends)
            self._cached_changes[ends] = tuple(Event(span.life.key, change) for change in span.changes())
        return self._cached_changes[ends]

    @cached_property
    def _cached_changes(self) -> dict[tuple[int, int, int], tuple[Event, ...]]:
        """Cache of `_between`, by the number of the lane and the two ends. It is never invalid."""
        return {}

    def _release_range(self, number: int, first: int, last: int) -> _ReleaseRange:
        life, lane = self.lanes[number]
        changes_between = (
            change
            for change in life.changes
            if change.source == self.source.id and first < self.numbers[change.release] <= last
        )
        return _ReleaseRange(life, lane, first, last, tuple(changes_between))

    @cached_property
    def _unread(self) -> tuple[frozenset[int], ...]:
        """For each release, the numbers of the lanes whose state in it is unknown."""
        unread: list[set[int]] = [set() for _ in self.source.releases]
        for index, (_, lane) in enumerate(self.lanes):
            for step, first, past in lane.runs():
                if step.state == "unread":
                    for number in range(first, past):
                        unread[number].add(index)
        return tuple(map(frozenset, unread))

    def unknown(self, one: str, two: str) -> int:
        """Returns the number of terms whose state in at least one of two releases is unknown."""
        return len(self._unread[self.numbers[one]] | self._unread[self.numbers[two]])


def courses(site: Site) -> Iterator[SourceCourse]:
    """Yields the course of every source that has releases."""
    lanes: dict[str, list[tuple[Life, Lane]]] = {source.id: [] for source in site.sources}
    for life in site.lives:
        for lane in life.term.lanes:
            lanes[lane.source.id].append((life, lane))
    return (SourceCourse(source, tuple(lanes[source.id])) for source in site.sources if not source.undated)


@dataclass(frozen=True, slots=True)
class _ReleaseRange:
    """A term in one source from one release to another. Only the two ends are compared."""

    life: Life
    lane: Lane
    first: int
    last: int
    changes_between: tuple[Change, ...]

    def changes(self) -> Iterator[Change]:
        older, newer = self.lane.entries[self.first], self.lane.entries[self.last]
        if "unread" in (self._state(self.first), self._state(self.last)):
            return
        if older and newer:
            yield from self._changed(older, newer)
        elif newer:
            yield self._added_or_restored(newer)
        elif older:
            yield from (one for one in self._of_kind("removed", "merged", "moved")[-1:] if one.kind != "moved")

    def _state(self, number: int) -> str:
        return self.lane.turned[bisect(self.lane.turns, number) - 1].state

    def _of_kind(self, *kinds: str) -> list[Change]:
        return [change for change in self.changes_between if change.kind in kinds]

    def _added_or_restored(self, entry: Entry) -> Change:
        was = next((entry for entry in reversed(self.lane.entries[: self.first]) if entry), None)
        if was is None:
            return replace(self._of_kind("added", "split")[0], after=entry)
        return replace(self._of_kind("restored")[-1], before=was, after=entry, same_as=None)

    def _changed(self, before: Entry, after: Entry) -> Iterator[Change]:
        # Without a change on the way both ends are equal, so only kinds that occurred are compared.
        kinds = {change.kind for change in self.changes_between}
        is_restored = "restored" in kinds
        if (is_restored or "renamed" in kinds) and fold(before.name) != fold(after.name):
            renamed = self._of_kind("renamed")
            yield self._change("renamed", before, after, identity=renamed[0].identity if len(renamed) == 1 else None)
        if (is_restored or "reworded" in kinds) and not same_words(before.definition, after.definition):
            yield self._change("reworded", before, after)
        if (
            (is_restored or "deprecated" in kinds)
            and relations.deprecation(after)
            and not relations.deprecation(before)
        ):
            yield from self._of_kind("deprecated")[-1:] or [self._change("deprecated", before, after)]

    def _change(self, kind: ChangeKind, before: Entry, after: Entry, *, identity: Identity | None = None) -> Change:
        source, release, previous = after.citation.source, after.citation.release, before.citation.release
        return Change(
            kind=kind,
            source=source,
            release=release,
            previous=previous,
            before=before,
            after=after,
            identity=identity,
        )
