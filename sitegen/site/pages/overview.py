"""Shared data of the pages about the whole glossary: terms by letter, and differences between releases.

Each page reads only the parts that it shows (a letter, two releases), so it can be reused if only other parts change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from markupsafe import Markup

from sitegen.model.terms import Life
from sitegen.site import comparisons
from sitegen.site.comparisons import Event, SourceCourse
from sitegen.site.pages.letters import by_letter, letter_of
from sitegen.site.pages.page import Page, PageData

Ends = tuple[str, str, str]
"""A source's id, and two of its releases, the older one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup:
    """Pages that are built together."""

    name: str = ""
    """The name for reuse in the next build: a term's key, or the address of one page, which never equals a key."""
    key: str = ""
    """The key of the term, if the pages are those of one term."""
    make: Callable[[], Iterable[Page]]


class ReleaseDifference(NamedTuple):
    """The differences of one release from another."""

    events: tuple[Event, ...]
    unknown: int
    """The number of terms for which the difference is unknown."""


NOTHING = ReleaseDifference(events=(), unknown=0)


class Differences(Mapping[Ends, ReleaseDifference]):
    """The differences between any two releases, computed on first access."""

    def __init__(self, courses: Iterable[SourceCourse]) -> None:
        self._courses = {course.source.id: course for course in courses}
        self._found: dict[Ends, ReleaseDifference] = {}

    def __getitem__(self, ends: Ends) -> ReleaseDifference:
        if ends not in self._found:
            source, older, newer = ends
            course = self._courses[source]
            events, unknown = course.changes(older, newer), course.unknown(older, newer)
            self._found[ends] = ReleaseDifference(events=events, unknown=unknown)
        return self._found[ends]

    def __iter__(self) -> Iterator[Ends]:
        for source, course in self._courses.items():
            yield from ((source, older, newer) for older, newer in product(course.numbers, repeat=2))

    def __len__(self) -> int:
        return sum(len(course.numbers) ** 2 for course in self._courses.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePart:
    """The terms of one source on a page of a release."""

    source: str
    """Title of the source, if the site has several."""
    count: int
    terms: Markup


@dataclass(frozen=True, kw_only=True)
class Whole:
    """All terms, indexed for lists and comparisons."""

    data: PageData
    letters: tuple[str, ...]
    """The letters that have their own pages in A–Z."""
    changed_letters: tuple[str, ...]
    """The letters that have their own pages in the matrix."""
    is_brief: bool
    """True if the pages of releases leave out definitions."""
    terms: Mapping[str, Mapping[str, tuple[ReleasePart, ...]]]
    """Release to its terms (`release_terms.ReleaseTerms`)."""

    @cached_property
    def current(self) -> Mapping[str, tuple[Life, ...]]:
        """Letter to its terms in force, in order."""
        return by_letter(self.data.current, self.data.site.language)

    @cached_property
    def removed(self) -> Mapping[str, tuple[Life, ...]]:
        """Letter to its removed terms, in order."""
        return by_letter(self.data.removed, self.data.site.language)

    @cached_property
    def ever(self) -> Mapping[tuple[str, str], tuple[Life, ...]]:
        """(source id, letter) to the terms that the source ever defined."""
        gathered: dict[tuple[str, str], list[Life]] = {}
        for life in self.data.site.lives:
            label = letter_of(life, self.data.site.language)
            for lane in life.term.lanes:
                gathered.setdefault((lane.source.id, label), []).append(life)
        return {place: tuple(lives) for place, lives in gathered.items()}

    @cached_property
    def differences(self) -> Mapping[Ends, ReleaseDifference]:
        return Differences(comparisons.courses(self.data.site))
