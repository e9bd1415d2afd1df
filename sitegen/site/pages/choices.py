"""The releases of a term that its page lets a reader compare: those in which it was defined."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from sitegen.model import Source
from sitegen.site.pages.spans import DEFINED, Course, Courses

Runs = tuple[tuple[int, int], ...]
"""The number of each release from which on a term was defined, and of the one that follows the last."""


class Choice(NamedTuple):
    id: str
    """Stands on the page for the release, where its wording is found."""
    name: str
    """The release's, after that of its source where there are several."""
    is_newest: bool
    """Of the source that comes first: what the others are first compared with."""


def choices(courses: Courses, ids: Iterable[str]) -> tuple[Choice, ...]:
    """Returns the releases in which a term of these courses was defined, by source, oldest first.

    `ids` are those of all releases, course by course.
    """
    rest = iter(ids)
    sources = [course.source for course in courses]
    own = [tuple(islice(rest, len(source.releases))) for source in sources]
    return _choices(tuple(zip(sources, map(_defined, courses), own, strict=True)))


def _defined(course: Course) -> Runs:
    ends = pairwise((*course.states, (len(course.source.releases), "")))
    return tuple([(first, past) for (first, state), (past, _) in ends if state in DEFINED])


# Many terms were defined in the same releases, whatever else happened to them then.
@lru_cache(maxsize=4096)
def _choices(defined: tuple[tuple[Source, Runs, tuple[str, ...]], ...]) -> tuple[Choice, ...]:
    _, (*_, (_, past)), ids = defined[0]
    newest = ids[past - 1]
    return tuple(
        Choice(
            id=id,
            name=f"{source.title} {release.name}" if len(defined) > 1 else release.name,
            is_newest=id == newest,
        )
        for source, runs, ids in defined
        for run in runs
        for release, id in zip(source.releases[slice(*run)], ids[slice(*run)], strict=True)
    )
