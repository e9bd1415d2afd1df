"""Computes the `Life` of each term: its courses with their revisions and changes, its names, its
current status, and the terms that its definition names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from sitegen.history import relations
from sitegen.history.references import Resolver
from sitegen.model import Designation, Entry, Release, Status
from sitegen.model.terms import (
    Change,
    ChangeKind,
    Course,
    Ending,
    Life,
    Revision,
    Span,
    Term,
    TermStatus,
)
from sitegen.text.names import fold
from sitegen.text.words import compare, same_words


def lives(terms: Iterable[Term], *, resolver: Resolver) -> tuple[Life, ...]:
    """Returns every term with its revisions and changes, sorted by name."""
    found = [_life(term, resolver) for term in terms]
    found.sort(key=lambda life: (fold(life.name), life.name, life.key))
    return tuple(found)


def _life(term: Term, resolver: Resolver) -> Life:
    """Returns the life of a term: the courses with their changes, the status, the names, and the
    terms to which the definition leads."""
    courses = tuple([completed(course) for course in term.courses])
    defined = [course for course in courses if course.current]
    status, merged_into = _status(courses, defined)
    shown = defined or courses[:1]  # a removed term is shown as its first source had it
    latest = [course.revisions[-1].latest for course in shown]
    entry = latest[0]
    names = _current_names(latest)
    synonym = relations.synonym_of(entry.definition)
    synonyms = _other_terms([synonym] if synonym else [], entry, term, resolver)
    replacements = _other_terms(relations.deprecation(entry) or (), entry, term, resolver)
    alike = _other_terms(relations.also_known_as(entry.definition), entry, term, resolver)
    return Life(
        term=replace(term, courses=courses),
        status=status,
        entry=entry,
        names=names,
        former_names=_former_names(courses, current=names),
        synonym_of=merged_into or next(iter(synonyms), None),
        merged_into=merged_into,
        replaced_by=next(iter(replacements), None),
        also_known_as=alike,
    )


def _status(courses: Iterable[Course], defined: Sequence[Course]) -> tuple[TermStatus, str | None]:
    """Returns the status of a term, and the key of the term into which it was merged, if it was.
    `defined` are the courses in the sources that still define the term."""
    if defined and defined[0].last_known.state == "deprecated":
        return "deprecated", None
    if defined:
        return "current", None
    for course in courses:
        if course.merge:
            return "merged", course.merge.other
    return "removed", None


def _other_terms(
    names: Iterable[str], entry: Entry, term: Term, resolver: Resolver
) -> tuple[str, ...]:
    """Returns the keys of the terms that some names in an entry mean, in the order of the names,
    without the term of the entry."""
    keys = []
    for name in names:
        key = resolver.resolve(name, source=entry.place.source)
        if key and key != term.key:
            keys.append(key)
    return tuple(dict.fromkeys(keys))


def _current_names(entries: Iterable[Entry]) -> tuple[Designation, ...]:
    """Returns the current names, preferred first: the names in the main entry, then further names
    in other sources."""
    names: dict[str, Designation] = {}
    for entry in entries:
        for designation in entry.designations:
            status: Status = "admitted"
            is_first = not names
            if is_first:
                status = "preferred"
            elif designation.status == "deprecated":
                status = "deprecated"
            name = Designation(text=designation.text, status=status)
            names.setdefault(fold(name.text), name)
    return tuple(names.values())


def _former_names(
    courses: Iterable[Course], *, current: tuple[Designation, ...]
) -> tuple[tuple[str, str], ...]:
    """Returns each name that the term had and lost, with the release that dropped it: `("Array",
    "2.0")`. A name that was to be avoided is none."""
    former: dict[str, tuple[str, str]] = {}
    still_used = {fold(designation.text) for designation in current}
    for course in courses:
        defining = [span for span in course.spans if span.entry]
        for earlier, later in pairwise(defining):
            assert earlier.entry and later.entry
            kept = still_used | {fold(designation.text) for designation in later.entry.designations}
            for designation in earlier.entry.designations:
                key = fold(designation.text)
                if designation.status != "deprecated" and key not in kept:
                    former[key] = designation.text, course.releases[later.first]
    return tuple(former.values())


# The revisions and changes of a term in one source.


def completed(course: Course) -> Course:
    """Returns a course with its revisions and changes."""
    history = _CourseHistory(course)
    revisions = [history.revision(spans) for spans in history.same_wordings()]
    changes = () if course.source.undated else history.changes()
    return replace(course, revisions=tuple(revisions), changes=tuple(changes))


class _CourseHistory:
    """Computes the revisions and changes of one term in one source."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.known = [span for span in course.spans if span.state != "unread"]
        """The spans of releases that could be read."""

    def _release(self, span: Span) -> str:
        """Returns the first release of a span."""
        return self.course.releases[span.first]

    def _last_entry(self, span: Span) -> Entry:
        """Returns the entry at the last release of a span that defines the term."""
        entry = self.course.entries[span.past - 1]
        assert entry
        return entry

    def same_wordings(self) -> list[list[Span]]:
        """Returns the spans that define the term, in groups: consecutive spans with the same words
        are one."""
        groups: list[list[Span]] = []
        previous: Entry | None = None
        for span in self.known:
            if span.entry and previous and same_words(previous.definition, span.entry.definition):
                groups[-1].append(span)
            elif span.entry:
                groups.append([span])
            previous = span.entry
        return groups

    def revision(self, spans: list[Span]) -> Revision:
        """Returns the revision of the releases in these spans."""
        first, last = spans[0], spans[-1]
        assert first.entry
        return Revision(
            source=self.course.source.id,
            first=self._release(first),
            last=self.course.releases[last.past - 1],
            entry=first.entry,
            latest=self._last_entry(last),
            ended=self._ending(last),
        )

    def _ending(self, end: Span) -> Ending:
        """Returns why the wording that is in force in this span ended after it: "reworded",
        "removed", "unread", or "current" if it did not end."""
        if end.past == len(self.course.entries):
            return "current"
        following = next((span for span in self.known if span.past > end.past), None)
        if following is None:
            return "unread"
        return "reworded" if following.entry else "removed"

    def changes(self) -> Iterator[Change]:
        """Yields the changes, oldest first."""
        before: Span | None = None
        last_entry: Entry | None = None
        for span in self.known:
            for kind in self._kinds(before, span, last_entry):
                yield self._change(kind, before, span, last_entry)
            before = span
            if span.entry:
                last_entry = self._last_entry(span)

    def _change(
        self, kind: ChangeKind, before: Span | None, after: Span, last_entry: Entry | None
    ) -> Change:
        """Returns a change of some kind from one span to the next."""
        previous = same_as = identity = None
        if before:
            previous = self.course.releases[before.past - 1]
        if kind in ("reworded", "restored"):
            same_as = self._same_before(after)
        if kind in ("renamed", "merged"):
            identity = after.identity
        return Change(
            kind=kind,
            source=self.course.source.id,
            release=self._release(after),
            previous=previous,
            before=last_entry,
            after=after.entry,
            same_as=same_as,
            other=after.other,
            identity=identity,
        )

    def _kinds(
        self, before: Span | None, after: Span, last_entry: Entry | None
    ) -> Iterator[ChangeKind]:
        """Yields the kinds of the changes from one span to the next; `last_entry` is that of
        `before`, or of an earlier span if the term is absent there."""
        is_defined_before = before is not None and before.entry is not None
        if after.entry is None:
            if last_entry and after.other:
                yield "merged"
            elif is_defined_before:
                yield "removed"
        elif last_entry is None:
            yield self._beginning(before, after)
        elif not is_defined_before:
            yield "restored"
        else:
            yield from self._kinds_of_entry(last_entry, after.entry)
            if after.state == "deprecated" and before and before.state != "deprecated":
                yield "deprecated"

    def _beginning(self, before: Span | None, after: Span) -> ChangeKind:
        """Returns how a term begins with a span; `before` is the one before it, if any."""
        if after.other:
            return "split"
        if before or (self.course.source.complete and after.first == 0):
            return "added"
        return "first-read"  # whether it was there before is not known

    def _kinds_of_entry(self, before: Entry, after: Entry) -> Iterator[ChangeKind]:
        """Yields the kinds of the changes from one entry of a term to the next."""
        renamed = fold(before.name) != fold(after.name)
        if renamed:
            yield "renamed"
        old_names = _other_names(before, renamed=renamed, by=after)
        new_names = _other_names(after, renamed=renamed, by=before)
        if old_names != new_names:
            yield "names-changed"
        wording = compare(before.definition, after.definition)
        is_name_reformatted = before.name != after.name and not renamed  # "tensor" to "Tensor"
        if wording == "reworded":
            yield "reworded"
        elif wording == "reformatted" or is_name_reformatted:
            yield "reformatted"
        if self._is_moved(before, after):
            yield "moved"

    def _same_before(self, after: Span) -> str | None:
        """Returns the last release before this span whose definition had the same words, or
        None."""
        assert after.entry
        release = None
        for span in self.known[: self.known.index(after)]:
            if span.entry and same_words(span.entry.definition, after.entry.definition):
                release = self.course.releases[span.past - 1]
        return release

    def _is_moved(self, before: Entry, after: Entry) -> bool:
        """True if the term moved to another section or file. A section or file that only has a new
        name is no move: then the new release lacks the old name, and the old release lacks the new
        name."""
        old, new = self._release_of(before), self._release_of(after)
        old_section, new_section = fold(before.section), fold(after.section)
        if old_section and new_section and old_section != new_section:
            return old_section in _sections(new) or new_section in _sections(old)
        old_file, new_file = before.place.name, after.place.name
        if old_file == new_file:
            return False
        return old_file in new.names_read or new_file in old.names_read

    def _release_of(self, entry: Entry) -> Release:
        """Returns the release of an entry."""
        source = self.course.source
        return source.releases[source.numbers[entry.place.release]]


def _other_names(entry: Entry, *, renamed: bool, by: Entry) -> set[str]:
    """Returns an entry's folded names except the preferred one; if the term was renamed, also
    without that of the other entry, `by`: "Array" that becomes "Tensor, also Array" is only a
    rename."""
    names = {fold(designation.text) for designation in entry.designations[1:]}
    if renamed:
        names.discard(fold(by.name))
    return names


def _sections(release: Release) -> set[str]:
    """Returns the folded names of the sections of a release."""
    return {fold(section) for section in release.sections}
