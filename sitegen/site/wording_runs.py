"""The runs of releases in which a source says the same of a term, markup included.

Data, inventories and the lists of a release have an item for each run. A `Revision` may have
several runs: its releases have the same words, but may have other markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sitegen.model import Entry
from sitegen.model.terms import Course, Life, Span
from sitegen.site.site import Site


class WordingRun(NamedTuple):
    """A run of releases in which a source says the same of a term."""

    life: Life
    course: Course
    span: Span
    """The releases of the run by their numbers, and the state of the term there."""
    entry: Entry
    since: str
    """The first release of its words, which may have had other markup then."""
    frozen: str
    """The address of the frozen page of the wording; empty if it has none."""

    @property
    def releases(self) -> Sequence[str]:
        """The names of the releases."""
        return self.course.names_in(self.span)


def runs_of(life: Life, site: Site) -> Iterator[WordingRun]:
    """Yields the runs of a term, source by source."""
    for course in life.courses:
        for span in course.spans:
            if span.entry:
                revision = course.revision_at(course.releases[span.first])
                assert revision, "an entry is of a wording"
                frozen = site.frozen_address(life.key, revision)
                yield WordingRun(life, course, span, span.entry, revision.first, frozen)


def dated_runs(site: Site) -> Iterator[WordingRun]:
    """Yields the runs of all terms in sources with releases."""
    for life in site.lives:
        for run in runs_of(life, site):
            if not run.course.source.undated:
                yield run
