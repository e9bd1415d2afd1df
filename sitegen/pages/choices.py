"""The releases of a term that its page lets a reader compare: those in which it was defined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sitegen.pages.spans import DEFINED, Course, Courses, spans


class Choice(NamedTuple):
    id: str
    """Stands on the page for the release, where its wording is found."""
    name: str
    """The release's, after that of its source where there are several."""
    is_newest: bool
    """Of the source that comes first: what the others are first compared with."""


def choices(courses: Courses, anchors: Mapping[tuple[str, str], str]) -> tuple[Choice, ...]:
    """Returns the releases in which a term of these courses was defined, by source, oldest first."""
    defined = [(course.source, release) for course in courses for release in _defined(course)]
    newest = [place for place in defined if place[0] is courses[0].source][-1]
    return tuple(
        Choice(
            id=anchors[source.id, release],
            name=f"{source.title} {release}" if len(courses) > 1 else release,
            is_newest=(source, release) == newest,
        )
        for source, release in defined
    )


def _defined(course: Course) -> Iterator[str]:
    return (release for span in spans(course) if span.state in DEFINED for release in span.releases)
