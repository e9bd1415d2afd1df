"""Computes the differences between two releases of a source, and which pairs have a page.

Only the two ends of a range of releases are compared: terms that were added and removed in between
are left out, and so are wordings that were reverted. Each release has a page of its comparison with
the next release, and one with the latest, so the number of pages grows linearly with the number of
releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Entry, Source
from sitegen.model.terms import CHANGES, Change, ChangeKind, Course, Life
from sitegen.site.site import Site
from sitegen.text.names import fold
from sitegen.text.words import same_words


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A change of a term. Compared and hashed by identity, so that caches can use it as a key."""

    key: str
    """The key of the term."""
    change: Change


class ReleasePair(NamedTuple):
    """Two releases whose comparison has a page."""

    older: str
    newer: str = ""
    """Empty for the latest release."""

    def is_in(self, source: Source) -> bool:
        """True if a source has both releases."""
        return {self.older, self.newer or self.older} <= {
            release.name for release in source.releases
        }

    def ends(self, source: Source) -> tuple[str, str]:
        """Returns the two releases in the source's order, the older one first."""
        two = (self.older, self.newer or latest(source))
        numbers = {release.name: number for number, release in enumerate(source.releases)}
        return two if numbers[two[0]] <= numbers[two[1]] else two[::-1]

    def is_settled(self, source: Source) -> bool:
        """True if a source has both releases and both are published."""
        return self.is_in(source) and not {self.older, self.newer} & source.unreleased


def pairs(site: Site) -> tuple[ReleasePair, ...]:
    """Returns the pairs that have pages: those of the current order of releases, and previously
    published pairs of which a source still has both releases, even if other releases are between
    them now.
    """
    dated = [source for source in site.sources if not source.undated]
    with_latest = map(ReleasePair, site.release_names())
    neighbors = (
        ReleasePair(one.name, two.name)
        for source in dated
        for one, two in pairwise(source.releases)
    )
    names = {urls.release_slug(name): name for name in site.release_names()}
    published = []
    for address in site.permanence.archive.by_address:
        slugs = address.removeprefix(f"/{urls.COMPARE}").removesuffix("/").split("/")
        if address.startswith(f"/{urls.COMPARE}") and all(slug in names for slug in slugs):
            published.append(ReleasePair(*(names[slug] for slug in slugs)))
    still_valid = (pair for pair in published if any(map(pair.is_in, dated)))
    return tuple(dict.fromkeys((*with_latest, *neighbors, *still_valid)))


def latest(source: Source) -> str:
    """Returns the last published release of a source, or its last unreleased one if none is
    published."""
    released = [release.name for release in source.releases if not release.unreleased]
    return (released or [release.name for release in source.releases])[-1]


class SourceComparisons:
    """The differences between two releases of a source."""

    def __init__(self, source: Source, courses: Sequence[tuple[Life, Course]]) -> None:
        """`courses` are those of every term that the source ever defined, by name."""
        self.source = source
        self.courses = courses
        self.numbers = {release.name: number for number, release in enumerate(source.releases)}
        self._changed: list[set[int]] = [set() for _ in source.releases]
        """For each release, the numbers of the courses that changed in it."""
        for number, (_, course) in enumerate(courses):
            for change in course.changes:
                self._changed[self.numbers[change.release]].add(number)
        self._gaps = [
            course for _, course in courses if any(span.state == "unread" for span in course.spans)
        ]
        self._cached_events = cache(self._events)

    def changes(self, older: str, newer: str) -> tuple[Event, ...]:
        """Returns the differences of the newer release from the older one, by term name.

        The older entry is cited from the release in which it began to apply. All older releases in
        which it applies give the same `Event` objects.
        """
        first, last = self.numbers[older], self.numbers[newer]
        changed: set[int] = set().union(*self._changed[first + 1 : last + 1])
        events: list[Event] = []
        for number in sorted(changed):
            _, course = self.courses[number]
            events += self._cached_events(number, course.span_at(first).first, last)
        return tuple(events)

    def _events(self, number: int, first: int, last: int) -> list[Event]:
        """Returns the changes of a term from one release, in which a span begins, to another."""
        life, course = self.courses[number]
        changes = [
            change for change in course.changes if first < self.numbers[change.release] <= last
        ]
        return [Event(life.key, change) for change in _differences(course, first, last, changes)]

    def unknown(self, older: str, newer: str) -> int:
        """Returns the number of terms whose state in at least one of two releases is unknown."""
        ends = self.numbers[older], self.numbers[newer]
        return sum(
            any(course.span_at(number).state == "unread" for number in ends)
            for course in self._gaps
        )


def by_source(site: Site) -> Iterator[SourceComparisons]:
    """Yields the comparisons of every source that has releases."""
    courses: dict[str, list[tuple[Life, Course]]] = {source.id: [] for source in site.sources}
    for life in site.lives:
        for course in life.term.courses:
            courses[course.source.id].append((life, course))
    return (
        SourceComparisons(source, courses[source.id])
        for source in site.sources
        if not source.undated
    )


def _differences(
    course: Course, first: int, last: int, changes: Sequence[Change]
) -> Iterator[Change]:
    """Yields the differences of a term in one source between two releases. `changes` are its
    changes in between."""
    older_state, newer_state = course.span_at(first).state, course.span_at(last).state
    if "unread" in (older_state, newer_state):
        return
    older, newer = course.entries[first], course.entries[last]
    if older and newer:
        is_deprecated = newer_state == "deprecated" != older_state
        yield from _entry_differences(older, newer, changes, is_deprecated=is_deprecated)
    elif newer:
        last_entry = next((entry for entry in reversed(course.entries[:first]) if entry), None)
        if last_entry is None:
            yield replace(next(one for one in changes if CHANGES[one.kind].begins), after=newer)
        else:
            yield replace(
                _of_kind(changes, "restored")[-1], before=last_entry, after=newer, same_as=None
            )
    elif older:
        yield from (
            one
            for one in _of_kind(changes, "removed", "merged", "moved")[-1:]
            if one.kind != "moved"
        )


def _of_kind(changes: Iterable[Change], *kinds: ChangeKind) -> list[Change]:
    return [change for change in changes if change.kind in kinds]


def _entry_differences(
    before: Entry, after: Entry, changes: Sequence[Change], *, is_deprecated: bool
) -> Iterator[Change]:
    """Yields the differences between two entries. `is_deprecated` is true if only the newer one is
    deprecated.

    Without a change in between, both are equal, so only kinds that occurred are compared.
    """
    kinds = {change.kind for change in changes}
    source, release, previous = after.place.source, after.place.release, before.place.release
    change = Change(
        kind="reworded",
        source=source,
        release=release,
        previous=previous,
        before=before,
        after=after,
    )
    is_restored = "restored" in kinds
    if (is_restored or "renamed" in kinds) and fold(before.name) != fold(after.name):
        renamed = _of_kind(changes, "renamed")
        yield replace(
            change, kind="renamed", identity=renamed[0].identity if len(renamed) == 1 else None
        )
    if (is_restored or "reworded" in kinds) and not same_words(before.definition, after.definition):
        yield change
    if (is_restored or "deprecated" in kinds) and is_deprecated:
        yield from _of_kind(changes, "deprecated")[-1:] or [replace(change, kind="deprecated")]
