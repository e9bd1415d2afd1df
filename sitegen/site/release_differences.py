"""Computes the differences of the latest release of a source from an earlier one.

Only the two ends are compared: terms that were added and removed in between are left out, and so
are wordings that were reverted. What a release itself changed is on its own page, so the number of
pages grows as that of the releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitegen.model import Entry, Source
from sitegen.model.terms import CHANGES, Change, ChangeKind, Course
from sitegen.site.site import Site
from sitegen.text.names import fold
from sitegen.text.words import same_words


def ends(source: Source, release: str) -> tuple[str, str]:
    """Returns a release of a source and the latest one, the older one first: an unreleased state
    is newer than the latest release."""
    if source.numbers[release] > source.numbers[source.latest]:
        return source.latest, release
    return release, source.latest


def differences(site: Site, source: Source, older: str, newer: str) -> list[Change]:
    """Returns the differences of the newer release of a source from the older one, by term name."""
    numbers = source.numbers
    first = numbers[older]
    last = numbers[newer]
    found: list[Change] = []
    for _, course in site.courses_of.get(source.id, ()):
        changes = [one for one in course.changes if first < numbers[one.release] <= last]
        if changes:
            found += _of_course(course, first, last, changes)
    return found


def number_of_unknown(site: Site, source: Source, older: str, newer: str) -> int:
    """Returns the number of terms that could not be read in one of two releases of a source."""
    first = source.numbers[older]
    last = source.numbers[newer]
    unknown = 0
    for _, course in site.courses_of.get(source.id, ()):
        if "unread" in (course.span_at(first).state, course.span_at(last).state):
            unknown += 1
    return unknown


def _of_course(
    course: Course, first: int, last: int, changes: Sequence[Change]
) -> Iterator[Change]:
    """Yields the differences of a term in one source between two releases, given by their numbers.
    `changes` are the term's changes in between."""
    older_state = course.span_at(first).state
    newer_state = course.span_at(last).state
    if "unread" in (older_state, newer_state):
        return  # the differences are unknown

    older = course.entries[first]
    newer = course.entries[last]
    if older and newer:
        is_deprecated = newer_state == "deprecated" and older_state != "deprecated"
        yield from _entry_differences(older, newer, changes, is_deprecated=is_deprecated)
    elif newer:
        yield _appearance(course, first, newer, changes)
    elif older:
        yield _of_kind(changes, "removed", "merged")[-1]  # it may have been restored in between


def _appearance(course: Course, first: int, newer: Entry, changes: Sequence[Change]) -> Change:
    """Returns the change by which a term came into the newer release: its last restoration, or its
    beginning if no earlier release has the term."""
    # A term begins once in a source; a later return is a restoration.
    earlier_entries = [entry for entry in course.entries[:first] if entry]
    if earlier_entries:
        restoration = _of_kind(changes, "restored")[-1]
        # Only pages of single releases say which earlier release had the same words.
        return replace(restoration, before=earlier_entries[-1], after=newer, same_as=None)
    [beginning] = [change for change in changes if CHANGES[change.kind].begins]
    return replace(beginning, after=newer)


def _of_kind(changes: Iterable[Change], *kinds: ChangeKind) -> list[Change]:
    """Returns the changes of these kinds."""
    return [change for change in changes if change.kind in kinds]


def _entry_differences(
    before: Entry, after: Entry, changes: Sequence[Change], *, is_deprecated: bool
) -> Iterator[Change]:
    """Yields the differences between two entries. `is_deprecated` is true if only the newer one is
    deprecated."""
    # The other differences are copies of this one, of another kind.
    reworded = Change(
        term=changes[0].term,
        kind="reworded",
        source=after.place.source,
        release=after.place.release,
        previous=before.place.release,
        before=before,
        after=after,
    )
    if fold(before.name) != fold(after.name):
        # After several renames, no single reason leads from the old name to the new one.
        renames = _of_kind(changes, "renamed")
        identity = renames[0].identity if len(renames) == 1 else None
        yield replace(reworded, kind="renamed", identity=identity)
    if not same_words(before.definition, after.definition):
        yield reworded
    if is_deprecated:
        deprecations = _of_kind(changes, "deprecated")
        if deprecations:
            yield deprecations[-1]
        else:
            # A restored term may be deprecated without a change that says so.
            yield replace(reworded, kind="deprecated")
