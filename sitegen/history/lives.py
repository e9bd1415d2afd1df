"""Computes the `Life` of each term: its course in each source with its revisions and changes, its
names, its current status, and the terms that its definition names."""

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
    lives_of_terms = [_life(term, resolver) for term in terms]
    lives_of_terms.sort(key=lambda life: (fold(life.name), life.name, life.key))
    return tuple(lives_of_terms)


def _life(term: Term, resolver: Resolver) -> Life:
    """Returns the life of a term: the courses with their changes, the status, the names, and the
    terms to which the definition leads."""
    courses = tuple([_with_changes(term, course) for course in term.courses])

    # Is it still defined, and where?
    defining_courses = [course for course in courses if course.current]
    status, merged_into = _status(courses, defining_courses)
    shown_courses: Sequence[Course] = defining_courses
    if not defining_courses:
        shown_courses = courses[:1]  # a removed term is shown as its first source had it
    latest_entries = [course.revisions[-1].latest for course in shown_courses]
    entry = latest_entries[0]
    names = _current_names(latest_entries)

    # Which other terms does its definition name?
    synonym = relations.synonym_of(entry.definition)
    synonyms = _other_terms([synonym] if synonym else [], entry, term, resolver)
    replacements = _other_terms(relations.replacements(entry), entry, term, resolver)
    also_known_as = _other_terms(relations.also_known_as(entry), entry, term, resolver)
    return Life(
        key=term.key,
        courses=courses,
        status=status,
        entry=entry,
        names=names,
        former_names=_former_names(courses, current=names),
        synonym_of=merged_into or next(iter(synonyms), None),  # the merge is surer than the text
        merged_into=merged_into,
        replaced_by=next(iter(replacements), None),
        also_known_as=also_known_as,
    )


def _status(
    courses: Iterable[Course], defining_courses: Sequence[Course]
) -> tuple[TermStatus, str | None]:
    """Returns the status of a term, and the key of the term into which it was merged, or None.
    `defining_courses` are those in the sources that still define the term."""
    if defining_courses:
        # The term is shown as the first source has it.
        if defining_courses[0].last_known.state == "deprecated":
            return "deprecated", None
        return "current", None
    for course in courses:
        if course.last_merge:
            return "merged", course.last_merge.other
    return "removed", None


def _other_terms(
    names: Iterable[str], entry: Entry, term: Term, resolver: Resolver
) -> tuple[str, ...]:
    """Returns the keys of the terms that these names mean in an entry, in the order of the names.
    The term of the entry itself, and names of no term, are left out."""
    keys = []
    for name in names:
        key = resolver.resolve(name, source=entry.place.source)
        if key and key != term.key:
            keys.append(key)
    return tuple(dict.fromkeys(keys))


def _current_names(entries: Iterable[Entry]) -> tuple[Designation, ...]:
    """Returns the current names, preferred first: the names in the main entry, then further names
    in other sources. `entries` are the latest ones of the sources, the main entry first."""
    names: dict[str, Designation] = {}
    for entry in entries:
        for designation in entry.designations:
            # The name of the term is preferred even if the entry says that it is to be avoided.
            status: Status = "admitted" if names else "preferred"
            if names and designation.status == "deprecated":
                status = "deprecated"
            name = Designation(text=designation.text, status=status)
            names.setdefault(fold(name.text), name)
    return tuple(names.values())


def _former_names(
    courses: Iterable[Course], *, current: tuple[Designation, ...]
) -> tuple[tuple[str, str], ...]:
    """Returns (name, the release that dropped it) for each name that the term does not have any
    more: `("Array", "2.0")`. Names to be avoided are left out."""
    former_names: dict[str, tuple[str, str]] = {}
    current_names = {fold(designation.text) for designation in current}
    for course in courses:
        defining_spans = [span for span in course.spans if span.entry]
        for earlier, later in pairwise(defining_spans):
            assert earlier.entry and later.entry
            later_names = {fold(designation.text) for designation in later.entry.designations}
            kept_names = current_names | later_names
            for designation in earlier.entry.designations:
                key = fold(designation.text)
                if designation.status != "deprecated" and key not in kept_names:
                    former_names[key] = designation.text, course.releases[later.first]
    return tuple(former_names.values())


# The revisions and changes of a term in one source.


def _with_changes(term: Term, course: Course) -> Course:
    """Returns a course with its revisions and changes."""
    history = _CourseHistory(term, course)
    revisions = [history.revision(spans) for spans in history.same_wordings()]
    # That the terms of a single document are "added" says nothing.
    changes = () if course.source.undated else history.changes()
    return replace(course, revisions=tuple(revisions), changes=tuple(changes))


class _CourseHistory:
    """Computes the revisions and changes of one term in one source."""

    def __init__(self, term: Term, course: Course) -> None:
        self.term = term
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
        are one group."""
        groups: list[list[Span]] = []
        previous: Entry | None = None  # also None after a span in which the term is absent
        for span in self.known:
            entry = span.entry
            if entry and previous and same_words(previous.definition, entry.definition):
                groups[-1].append(span)
            elif entry:
                groups.append([span])
            previous = entry
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
        """Returns why a wording ended after its last span: "reworded", "removed" or "unread". If it
        did not end, it is "current"."""
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
        if kind in ("renamed", "merged"):  # changes of which a rule is the reason
            identity = after.identity
        return Change(
            term=self.term.key,
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
        """Yields the kinds of the changes from one span to the next. `last_entry` is the entry of
        `before`; if the term is absent there, that of an earlier span."""
        is_defined_before = before is not None and before.entry is not None
        if after.entry is None:
            if after.other:
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
        """Returns how a term begins with a span. `before` is the span before it, in which the term
        was absent; None if nothing was read before."""
        if after.other:  # the term that this one was split from
            return "split"
        is_in_first_release = after.first == 0
        has_no_earlier_release = self.course.source.complete and is_in_first_release
        if before or has_no_earlier_release:
            return "added"
        return "first-read"  # whether it was there before is not known

    def _kinds_of_entry(self, before: Entry, after: Entry) -> Iterator[ChangeKind]:
        """Yields the kinds of the changes from one entry of a term to the next."""
        renamed = fold(before.name) != fold(after.name)
        if renamed:
            yield "renamed"
        old_names = _other_names(before, renamed=renamed, compared_with=after)
        new_names = _other_names(after, renamed=renamed, compared_with=before)
        if old_names != new_names:
            yield "names-changed"
        # A rewording hides that something was reformatted.
        wording = compare(before.definition, after.definition)
        is_name_reformatted = before.name != after.name and not renamed  # "tensor" to "Tensor"
        if wording == "reworded":
            yield "reworded"
        elif wording == "reformatted" or is_name_reformatted:
            yield "reformatted"
        if self._is_moved(before, after):
            yield "moved"

    def _same_before(self, after: Span) -> str | None:
        """Returns the last release before this span in which the definition had the same words, or
        None."""
        assert after.entry
        spans_before = self.known[: self.known.index(after)]
        for span in reversed(spans_before):
            if span.entry and same_words(span.entry.definition, after.entry.definition):
                return self.course.releases[span.past - 1]
        return None

    def _is_moved(self, before: Entry, after: Entry) -> bool:
        """True if the term moved to another section or file. It is no move if the section or the
        file was renamed."""
        old_release, new_release = self._release_of(before), self._release_of(after)
        old_section, new_section = fold(before.section), fold(after.section)
        if old_section and new_section and old_section != new_section:
            # A renamed section is in one of the releases only, and so is a renamed file.
            return old_section in _sections(new_release) or new_section in _sections(old_release)
        old_file, new_file = before.place.name, after.place.name
        if old_file == new_file:
            return False
        return old_file in new_release.names_read or new_file in old_release.names_read

    def _release_of(self, entry: Entry) -> Release:
        """Returns the release of an entry."""
        source = self.course.source
        return source.releases[source.numbers[entry.place.release]]


def _other_names(entry: Entry, *, renamed: bool, compared_with: Entry) -> set[str]:
    """Returns the folded names of an entry except the preferred one.

    If the term was renamed, the preferred name of the other entry is left out too: if "Array"
    becomes "Tensor, also Array", only the preferred name changed.
    """
    _preferred, *others = entry.designations
    names = {fold(designation.text) for designation in others}
    if renamed:
        names.discard(fold(compared_with.name))
    return names


def _sections(release: Release) -> set[str]:
    """Returns the folded names of the sections of a release."""
    return {fold(section) for section in release.sections}
