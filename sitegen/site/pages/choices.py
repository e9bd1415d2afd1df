"""The options of a term's comparison: the releases in which the term was defined."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice, pairwise

from markupsafe import Markup, escape

from sitegen.model import Source
from sitegen.site.pages.spans import DEFINED, Course, Courses

Runs = tuple[tuple[int, int], ...]
"""Ranges of release numbers in which a term was defined: the first, and the one after the last."""


def choices(courses: Courses, ids: Iterable[str]) -> Markup:
    """Returns the options of a list of the releases in which a term was defined, by source, oldest first.

    `ids` are the HTML ids of all releases on the page, by course. They are the values of the options. The newest
    release of the first source is selected.
    """
    rest = iter(ids)
    sources = [course.source for course in courses]
    own = [tuple(islice(rest, len(source.releases))) for source in sources]
    return _choices(tuple(zip(sources, map(_defined, courses), own, strict=True)))


def _defined(course: Course) -> Runs:
    ends = pairwise((*course.states, (len(course.source.releases), "")))
    return tuple([(first, past) for (first, state), (past, _) in ends if state in DEFINED])


# Cached because most terms are defined in the same releases as many others. With 100 releases, a template is slow.
@lru_cache(maxsize=4096)
def _choices(defined: tuple[tuple[Source, Runs, tuple[str, ...]], ...]) -> Markup:
    _, (*_, (_, past)), ids = defined[0]
    newest = ids[past - 1]
    options = [
        f'<option value="{escape(id)}"{" selected" if id == newest else ""}>'
        f"{escape(f'{source.title} {release.name}' if len(defined) > 1 else release.name)}</option>"
        for source, runs, ids in defined
        for run in runs
        for release, id in zip(source.releases[slice(*run)], ids[slice(*run)], strict=True)
    ]
    return Markup("".join(options))  # noqa: S704
