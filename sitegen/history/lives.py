"""Computes the `Life` of each term: its courses with their revisions and changes, its names, its
current status, and the terms that its definition names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from sitegen.history import relations
from sitegen.history.changes import CourseHistory, Layouts, layouts_of
from sitegen.history.references import Resolver
from sitegen.model import Designation, Entry, Source, Status
from sitegen.model.terms import Life, Term, TermStatus
from sitegen.text.names import fold


def lives(
    terms: Iterable[Term], *, sources: Iterable[Source], resolver: Resolver
) -> tuple[Life, ...]:
    """Returns every term of some sources with its revisions and changes, sorted by name."""
    layouts = layouts_of(sources)
    found = [_life(term, resolver, layouts) for term in terms]
    return tuple(sorted(found, key=lambda life: (fold(life.name), life.name, life.key)))


def _life(term: Term, resolver: Resolver, layouts: Layouts) -> Life:
    courses = [CourseHistory(course, term, layouts) for course in term.courses]
    defined = [course for course in courses if course.is_defined]
    main = _main_course(courses)
    entry = main.entry
    merged_into = None if defined else _merged_into(courses)
    status: TermStatus = "merged" if merged_into else "removed"
    if defined:
        status = main.status
    other_entries = [course.entry for course in defined if course is not main]
    names = _current_names([entry, *other_entries])

    def other_terms(names: Iterable[str | None]) -> list[str]:
        """Returns the keys of the other terms that have these names."""
        keys = []
        for name in names:
            key = resolver.resolve(name, source=entry.place.source) if name else None
            if key and key != term.key:
                keys.append(key)
        return keys

    synonyms = other_terms([relations.synonym_of(entry.definition)])
    replacements = other_terms(relations.deprecation(entry) or ())
    also_known_as = other_terms(relations.also_known_as(entry.definition))
    return Life(
        term=replace(term, courses=tuple([course.complete() for course in courses])),
        status=status,
        entry=entry,
        names=names,
        former_names=_former_names(courses, current=names),
        synonym_of=merged_into or next(iter(synonyms), None),
        merged_into=merged_into,
        replaced_by=next(iter(replacements), None),
        also_known_as=tuple(dict.fromkeys(also_known_as)),
    )


def _main_course(courses: Sequence[CourseHistory]) -> CourseHistory:
    """Returns the course of the first source that still defines the term; of a removed term, that
    of the first source that removed it."""
    for course in courses:
        if course.is_defined:
            return course
    for course in courses:
        if course.revisions[-1].ended != "moved":
            return course
    return courses[0]


def _merged_into(courses: Iterable[CourseHistory]) -> str | None:
    """Returns the key of the first term that a term was merged into, if there is one."""
    for course in courses:
        if course.merged_into:
            return course.merged_into
    return None


def _current_names(entries: Iterable[Entry]) -> tuple[Designation, ...]:
    """Returns the current names, preferred first: those of the term's main entry, then those in
    other sources."""
    names: dict[str, Designation] = {}
    for entry in entries:
        for designation in entry.designations:
            status: Status = "admitted"
            if not names:
                status = "preferred"
            elif designation.status == "deprecated":
                status = "deprecated"
            name = Designation(text=designation.text, status=status)
            names.setdefault(fold(name.text), name)
    return tuple(names.values())


def _former_names(
    courses: Iterable[CourseHistory], *, current: tuple[Designation, ...]
) -> tuple[tuple[str, str], ...]:
    """Returns each name that the term had and lost, with the release that dropped it; none that was
    to be avoided."""
    former: dict[str, tuple[str, str]] = {}
    still_used = {fold(designation.text) for designation in current}
    for history in courses:
        for earlier, later in pairwise(history.defining):
            assert earlier.entry and later.entry
            old, new = earlier.entry.designations, later.entry.designations
            if old == new:
                continue
            kept = still_used | {fold(designation.text) for designation in new}
            for designation in old:
                name = designation.text
                if designation.status != "deprecated" and fold(name) not in kept:
                    former[fold(name)] = name, history.release(later)
    return tuple(former.values())
