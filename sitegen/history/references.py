"""Resolves references to terms by current and former names, by anchors, and by plurals.

`NameIndex` looks a target up in any case, then by the stems of its words if these match only one
term. Terms of the same source have priority. A reference that cannot be resolved is
reported once, if a present definition has it, and is shown as plain text on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from sitegen.model import Entry, Problem, ProblemKind, Trouble
from sitegen.model.terms import Course, Life, Term
from sitegen.text.file_names import ASCIIDOC_SUFFIXES
from sitegen.text.names import NameIndex, exact, fold


class ReferenceTarget(NamedTuple):
    """The target of a reference in a source."""

    source: str
    """The id of the source."""
    name: str
    """A name, or an anchor after a "#"."""


MODULE_OBJECT = re.compile(r"[a-z_]\w*(?:\.\w+)+")
"""Matches `torch.nn.Module`, which mkdocstrings links to as others link to a term."""


@dataclass(frozen=True, kw_only=True)
class Resolved:
    targets: Mapping[tuple[str, str], str]
    """`ReferenceTarget` to the key of its term. References that cannot be resolved are missing."""
    originals: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """`ReferenceTarget` to the slug of its term among the originals, for references of a
    translation to terms that only the originals define."""
    problems: tuple[Problem, ...]


def resolve_all(
    lives: Sequence[Life], resolver: Resolver, originals: Originals | None = None
) -> Resolved:
    """Resolves every reference of every entry. A problem is a reference in a present entry that
    means no term, or a removed one. `originals` is given if the entries are translations."""
    removing_releases = {
        life.key: _removing_release(life) for life in lives if life.status == "removed"
    }
    targets: dict[tuple[str, str], str] = {}
    slugs_of_originals: dict[tuple[str, str], str] = {}
    problems: list[Problem] = []
    for target, present_entry in _uses(lives).items():
        # Does it mean a term?
        key = resolver.resolve(target.name, source=target.source)
        if key:
            targets[target] = key
            if present_entry and key in removing_releases:
                fault = "was removed"
                if removing_releases[key]:
                    fault += f" (not defined since {removing_releases[key]})"
                wanted = "write the name of a term that is still defined"
                problems.append(_problem(target, present_entry, fault, wanted))
            continue

        # Or one that only the originals define?
        slug = originals.slug(target) if originals else None
        if slug:
            slugs_of_originals[target] = slug
            continue

        # Or something else? The text of an earlier entry cannot be mended.
        if present_entry and not _may_lead_elsewhere(target, present_entry, resolver):
            wanted = "write the name of a term as it is defined"
            problems.append(_problem(target, present_entry, "no source defines", wanted))
    return Resolved(targets=targets, originals=slugs_of_originals, problems=tuple(sorted(problems)))


def _removing_release(life: Life) -> str:
    """Returns the last release that removed a term; empty if none did."""
    for change in reversed(life.changes):
        if change.kind == "removed":
            return change.release
    return ""


def _uses(terms: Iterable[Term]) -> dict[ReferenceTarget, Entry | None]:
    """Returns each reference with a present entry that has it; None if only earlier entries have
    it."""
    uses: dict[ReferenceTarget, Entry | None] = {}
    courses: list[Course] = []
    for term in terms:
        courses += term.courses
    for course in courses:
        present_entry = course.current
        for span in course.spans:
            last_entry = course.entries[span.past - 1]
            if last_entry is None:
                continue
            for reference in last_entry.definition.references:
                target = ReferenceTarget(course.source.id, reference.target)
                uses.setdefault(target, None)
                if last_entry is present_entry:
                    uses[target] = last_entry
    return uses


def _may_lead_elsewhere(target: ReferenceTarget, entry: Entry, resolver: Resolver) -> bool:
    """True for a reference that means no term, and may be meant for another tool."""
    # mkdocstrings resolves `torch.nn`, if no term has a name like that.
    is_module_object = MODULE_OBJECT.fullmatch(target.name) is not None
    if is_module_object and not resolver.has_module_objects:
        return True
    # In AsciiDoc, `<<usage>>` leads to any section of a book.
    is_anchor = target.name.startswith("#")
    return is_anchor and entry.place.path.lower().endswith(ASCIIDOC_SUFFIXES)


def _problem(target: ReferenceTarget, entry: Entry, fault: str, wanted: str) -> Problem:
    """Returns the problem of a reference in an entry."""
    found = f"refers to “{target.name.removeprefix('#')}”, which {fault}"
    return Trouble(ProblemKind.REFERENCE, found, wanted).at(entry.place.path, line=entry.line)


# The ranks of the names of a term: a name of a smaller rank is preferred to one of a larger rank.
PREFERRED_NAME = 0
OTHER_NAME = 1
FORMER_NAME = 2


class TermName(NamedTuple):
    """A name that a term has or had in a source."""

    name: str
    rank: int
    """`PREFERRED_NAME` or `OTHER_NAME` for a current name, else `FORMER_NAME`."""
    key: str
    source: str


class Resolver:
    """Finds the term that a reference means, by name or anchor."""

    def __init__(self, terms: Iterable[Term], *, language: str = "en") -> None:
        """`language` is that of the names. Plurals in this language and in English find their
        terms."""
        names: list[TermName] = []
        keyed_courses = [(term.key, course) for term in terms for course in term.courses]
        for key, course in keyed_courses:
            names += dict.fromkeys(_names_of(key, course))
        self._names = NameIndex(names, language=language)
        self.has_module_objects = any(MODULE_OBJECT.fullmatch(fold(one.name)) for one in names)
        """True if a term has a name such as `torch.func`. If no term has, links to names of this
        form are meant for mkdocstrings."""
        self._anchors: dict[tuple[str, str], str] = {}
        """Maps (source id, folded anchor) to the key of the first term that has it now, else of the
        first that had it."""
        for key, course in keyed_courses:
            if course.current:
                self._add_anchors(key, course.current)
        for key, course in keyed_courses:
            for entry in course.span_entries:
                self._add_anchors(key, entry)

    def _add_anchors(self, key: str, entry: Entry) -> None:
        """Adds the anchors of an entry that no term before has."""
        for anchor in entry.anchors:
            self._anchors.setdefault((entry.place.source, fold(anchor)), key)

    def resolve(self, target: str, *, source: str = "") -> str | None:
        """Returns the key of the term that a reference in `source` means, or None if it means no
        term. `tensors` and `#tensor` can mean the term "Tensor"."""
        if target.startswith("#"):
            return self._term_at_id(target.removeprefix("#"), source)

        name = self._names.find(target, goes_first=lambda one: one.source == source)
        return name.key if name else self._term_with_anchor(target, source)

    def _term_with_anchor(self, anchor: str, source: str) -> str | None:
        """Returns the key of the term that has or had an anchor in a source."""
        return self._anchors.get((source, fold(anchor)))

    def _term_at_id(self, id: str, source: str) -> str | None:
        """Returns the key of the term that has an id as its anchor, or else a name like the id.

        A bold name has no anchor of its own, but is linked to as if it were a heading:
        `#data-frame` leads to "Data frame" or "Data-frame".
        """
        key = self._term_with_anchor(id, source)
        if key:
            return key
        same_names = [*self._names.folded(id.replace("-", " ")), *self._names.folded(id)]
        names_in_source = [one for one in same_names if one.source == source]
        if not names_in_source:
            return None
        return min(names_in_source, key=attrgetter("rank")).key


def _names_of(key: str, course: Course) -> Iterator[TermName]:
    """Yields the names that a term has or had in a source."""
    *_, newest_entry = course.span_entries
    for entry in course.span_entries:
        for place, designation in enumerate(entry.designations):
            rank = FORMER_NAME
            if entry is newest_entry:
                rank = PREFERRED_NAME if place == 0 else OTHER_NAME
            yield TermName(exact(designation.text), rank, key, course.source.id)


@dataclass(frozen=True, kw_only=True)
class Originals:
    """Finds the term of the originals that a reference of a translation means."""

    resolver: Resolver
    slugs: Mapping[str, str]
    """Key of a term of the originals to its slug."""
    sources: Mapping[str, str]
    """The id of a translated source to that of its original."""

    def slug(self, target: ReferenceTarget) -> str | None:
        """Returns the slug of the term that a reference means, or None."""
        key = self.resolver.resolve(target.name, source=self.sources[target.source])
        return self.slugs[key] if key else None
