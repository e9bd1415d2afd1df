"""Finds the revisions and changes of a term in one source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import NamedTuple

from sitegen.model import Entry, Release, Source
from sitegen.model.terms import (
    Change,
    Course,
    Ending,
    Revision,
    Span,
    Term,
    TermStatus,
)
from sitegen.text.names import fold
from sitegen.text.words import compare, same_words


class Layout(NamedTuple):
    """The documents of a release, and the folded names of its sections."""

    documents: frozenset[str]
    sections: frozenset[str]


Layouts = Mapping[tuple[str, str], Layout]
"""(source id, release) to the layout of the release."""


def layouts_of(sources: Iterable[Source]) -> Layouts:
    """Returns the layouts of all releases."""
    layouts = {}
    for source in sources:
        for release in source.releases:
            layouts[source.id, release.name] = _layout(release)
    return layouts


def _layout(release: Release) -> Layout:
    """Returns the documents and section names of a release."""
    sections = {entry.section for entry in release.entries}
    return Layout(frozenset(release.names_read), frozenset(map(fold, sections)))


class CourseHistory:
    """The revisions and changes of one term in one source."""

    def __init__(self, course: Course, term: Term, layouts: Layouts) -> None:
        self.course = course
        others = [other for other in term.courses if other is not course]
        self.neighbors = [one for one in others if _share_repository(one.source, course.source)]
        """The courses of the term in other sources of the repository."""
        self.layouts = layouts
        self.known = [span for span in course.spans if span.state != "unread"]
        """The spans of releases that could be read."""
        self.defining = [span for span in self.known if span.entry]
        """Those that define the term."""
        self.entry = self._last_entry(self.defining[-1])
        self.revisions = tuple([self._revision(spans) for spans in self._same_wordings()])
        self.changes = () if course.source.undated else tuple(self._changes())

    def complete(self) -> Course:
        """Returns the course with its revisions and changes."""
        return replace(self.course, revisions=self.revisions, changes=self.changes)

    def release(self, span: Span) -> str:
        """Returns the first release of a span."""
        return self.course.releases[span.first]

    def _last_entry(self, span: Span) -> Entry:
        """Returns the entry at the last release of a span that defines the term."""
        entry = self.course.entries[span.past - 1]
        assert entry
        return entry

    @property
    def is_defined(self) -> bool:
        """True if the last release that could be read defines the term."""
        return self.known[-1].entry is not None

    @property
    def status(self) -> TermStatus:
        """The status of a term that the source still defines."""
        return "deprecated" if self.defining[-1].state == "deprecated" else "current"

    @property
    def merged_into(self) -> str | None:
        """The key of the term that this one was merged into; None unless the merge is its last
        change."""
        last = self.changes[-1] if self.changes else None
        return last.other if last and last.kind == "merged" else None

    def _same_wordings(self) -> list[list[Span]]:
        """Groups the consecutive spans that define the term with the same words."""
        groups: list[list[Span]] = []
        previous: Entry | None = None
        for span in self.known:
            if span.entry and previous and same_words(previous.definition, span.entry.definition):
                groups[-1].append(span)
            elif span.entry:
                groups.append([span])
            previous = span.entry
        return groups

    def _revision(self, spans: list[Span]) -> Revision:
        first, last = spans[0], spans[-1]
        assert first.entry
        return Revision(
            source=self.course.source.id,
            first=self.release(first),
            last=self.course.releases[last.past - 1],
            entry=first.entry,
            latest=self._last_entry(last),
            ended=self._ending(last),
        )

    def _ending(self, end: Span) -> Ending:
        """Returns why a revision ended with this span."""
        if end.past == len(self.course.entries):
            return "current"
        following = next((span for span in self.known if span.past > end.past), None)
        if following is None:
            return "unread"
        if following.entry:
            return "reworded"
        last, absent = self.course.releases[end.past - 1], self.release(following)
        return "moved" if self._entry_in_neighbor(last, absent) else "removed"

    def _changes(self) -> Iterator[Change]:
        before: Span | None = None
        last_entry: Entry | None = None
        for span in self.known:
            yield from self._changes_between(before, span, last_entry)
            before = span
            if span.entry:
                last_entry = self._last_entry(span)

    def _changes_between(
        self, before: Span | None, after: Span, last_entry: Entry | None
    ) -> Iterator[Change]:
        """Yields the changes from one span to the next; `last_entry` is the last one, also of a
        removed term."""
        source, release = self.course.source, self.release(after)
        previous = self.course.releases[before.past - 1] if before else None
        change = partial(
            Change,
            source=source.id,
            release=release,
            previous=previous,
            before=last_entry,
            after=after.entry,
        )
        if after.entry is None and last_entry is None:
            return
        if after.entry is None:
            assert last_entry
            if after.other:
                yield change(kind="merged", other=after.other, identity=after.identity)
            elif before and before.entry:
                moved_to = self._entry_in_neighbor(last_entry.place.release, release)
                yield change(kind="moved", after=moved_to) if moved_to else change(kind="removed")
        elif last_entry is None:
            if after.other:
                yield change(kind="split", other=after.other)
            elif before or (source.complete and after.first == 0):
                yield change(kind="added")
            else:
                yield change(kind="first-read")
        elif before and before.entry is None:
            yield change(kind="restored", same_as=self._same_before(after))
        elif before:
            yield from self._changes_of_entry(last_entry, after, change)
            if after.state == "deprecated" and before.state != "deprecated":
                yield change(kind="deprecated")

    def _changes_of_entry(
        self, before: Entry, after: Span, change: Callable[..., Change]
    ) -> Iterator[Change]:
        entry = after.entry
        assert entry
        renamed = fold(before.name) != fold(entry.name)
        if renamed:
            yield change(kind="renamed", identity=after.identity)
        old_names = _other_names(before, renamed=renamed, by=entry)
        new_names = _other_names(entry, renamed=renamed, by=before)
        if old_names != new_names:
            yield change(kind="names-changed")
        wording = compare(before.definition, entry.definition)
        if wording == "reworded":
            yield change(kind="reworded", same_as=self._same_before(after))
        elif wording == "reformatted" or (not renamed and before.name != entry.name):
            yield change(kind="reformatted")
        if self._is_moved(before, entry):
            yield change(kind="moved")

    def _entry_in_neighbor(self, last: str, absent: str) -> Entry | None:
        """Returns the entry of another source of the repository that begins to define the term
        after the release `last` of this one, and not after its release `absent`.
        """
        for course in self.neighbors:
            source, previous = course.source, None
            for span in course.spans:
                if span.state == "unread":
                    continue
                if span.entry and previous is None:
                    release = course.releases[span.first]
                    other = self.course.source
                    if _is_between(release, last, absent, source=source, other=other):
                        return span.entry
                previous = span.entry
        return None

    def _same_before(self, after: Span) -> str | None:
        """Returns the last release before this span whose definition had the same words, or
        None."""
        assert after.entry
        release = None
        for span in self.defining[: self.defining.index(after)]:
            if same_words(self._last_entry(span).definition, after.entry.definition):
                release = self.course.releases[span.past - 1]
        return release

    def _is_moved(self, before: Entry, after: Entry) -> bool:
        """Returns True if the term moved to another section or file. A renamed section or file is
        not a move."""
        old_section, new_section = fold(before.section), fold(after.section)
        is_elsewhere = bool(old_section and new_section and old_section != new_section)
        old_file, new_file = before.place.name, after.place.name
        if old_file == new_file and not is_elsewhere:
            return False
        source = self.course.source.id
        old = self.layouts[source, before.place.release]
        new = self.layouts[source, after.place.release]
        if is_elsewhere:
            return old_section in new.sections or new_section in old.sections
        return old_file in new.documents or new_file in old.documents


def _other_names(entry: Entry, *, renamed: bool, by: Entry) -> set[str]:
    """Returns an entry's folded names except the preferred one.

    If the term was renamed, the preferred name of the other entry (`by`) is left out: the rename
    reports it already.
    """
    names = {fold(designation.text) for designation in entry.designations[1:]}
    if renamed:
        names.discard(fold(by.name))
    return names


def _share_repository(first: Source, second: Source) -> bool:
    """True if two sources are kept in the same repository, so that a term can move from one to the
    other."""
    if first.undated or second.undated:
        return False
    return bool(first.repository) and first.repository == second.repository


def _is_between(release: str, last: str, absent: str, *, source: Source, other: Source) -> bool:
    """True if a release of `source` is later than `last` and not later than `absent`, two releases
    of `other`.

    Names decide if `other` has a release of this name too, else dates.
    """
    names = [one.name for one in other.releases]
    if release in names:
        return names.index(last) < names.index(release) <= names.index(absent)
    day, first, end = _day(release, source), _day(last, other), _day(absent, other)
    return bool(day and first and end and first <= day <= end)


def _day(release: str, source: Source) -> date | None:
    """Returns the date of a release of a source."""
    return next(one.date for one in source.releases if one.name == release)
