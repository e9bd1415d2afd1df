"""Writes the data from which a browser compares any two releases: a script for each source.

It is a script because a page opened from disk may load scripts but no other data. It has every term that ever
changed, with the runs of releases in which the term was the same, so its size grows with the number of changes and
not with the number of pairs of releases. `templates/assets/js/compare.js` reads it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from sitegen.addresses import urls
from sitegen.history import relations
from sitegen.model import Entry, File
from sitegen.model.terms import Lane, Life, Step
from sitegen.site.comparisons import COMPARED, Course, courses
from sitegen.site.site import Site
from sitegen.text import compact_json
from sitegen.text.names import fold
from sitegen.text.words import same_words

ABSENT, UNREAD, MERGED = -1, -2, -3
"""Values for the number of a wording if there is no wording."""
DEPRECATED, SPLIT = 1, 2
"""Bit flags of a run."""
Frozen = Mapping[tuple[str, str, str], str]
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


def _course(course: Course, unread: set[str], site: Site, frozen: Frozen) -> dict[str, Any]:
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


def _row(life: Life, lane: Lane, unread: set[str], slug: str, frozen: Frozen) -> list[Any]:
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
            return [UNREAD if step.state == "unread" else self._gone(number), 0, 0]
        self.names.setdefault(fold(step.entry.name), step.entry.name)
        marks = DEPRECATED * bool(relations.deprecation(step.entry)) + SPLIT * ("split" in self.kinds[step.release])
        return [self._wording(step.entry), [*self.names].index(fold(step.entry.name)), marks]

    def _wording(self, entry: Entry) -> int:
        """Returns the number of the first wording with the same words."""
        said = (
            number for number, one in enumerate(self.revisions) if same_words(one.entry.definition, entry.definition)
        )
        return next(said)

    def _gone(self, number: int) -> int:
        """Returns MERGED or ABSENT, by the last change up to a release."""
        before = (self.kinds.get(release, set()) for release in reversed(self.lane.releases[: number + 1]))
        last = next((kinds for kinds in before if kinds), set())
        return MERGED if "merged" in last else ABSENT


def _without_zeros(run: list[int]) -> list[int]:
    """Returns a run without trailing zeros. Most runs have the first name and no flags."""
    while len(run) > 2 and run[-1] == 0:
        run = run[:-1]
    return run
