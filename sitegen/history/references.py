"""Resolves references to terms by current and former names, by anchors, and by plurals.

`NameIndex` looks a target up in any case, then by the stems of its words if these match only one
term. Terms of the same source have priority. A reference that cannot be resolved is
reported once, at its last citation, and is shown as plain text on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from sitegen.model import Entry, Problem, ProblemKind, Trouble
from sitegen.model.terms import Course, Life, Term
from sitegen.text.file_names import ASCIIDOC_SUFFIXES
from sitegen.text.names import NameIndex, exact, fold


class ReferenceTarget(NamedTuple):
    """What a reference in a source refers to."""

    source: str
    """The id of the source."""
    name: str
    """A name, or an anchor after a "#"."""


MODULE_OBJECT = re.compile(r"[a-z_]\w*(?:\.\w+)+")
"""Matches `torch.nn.Module`, which mkdocstrings links to as others link to a term."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    targets: Mapping[tuple[str, str], str]
    """`ReferenceTarget` to the key of its term. References that cannot be resolved are missing."""
    originals: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """`ReferenceTarget` to the slug of its term among the originals, for references of a
    translation that only these define."""
    problems: tuple[Problem, ...]


def resolve_all(
    lives: Iterable[Life], resolver: Resolver, originals: Originals | None = None
) -> Resolved:
    """Resolves every reference of every entry, and returns a problem for each that cannot be
    resolved. `originals` are those of a translation."""
    lives = tuple(lives)
    removed = {life.key: _last_removal(life) for life in lives if life.status == "removed"}
    targets: dict[tuple[str, str], str] = {}
    of_originals: dict[tuple[str, str], str] = {}
    problems: list[Problem | None] = []
    for target, (entry, is_current) in _last_uses(life.term for life in lives).items():
        key = resolver.resolve(target.name, source=target.source)
        if key:
            targets[target] = key
            if is_current and key in removed:
                problems.append(_removed(target, entry, removed[key]))
            continue
        slug = originals.slug(target) if originals else None
        is_module_object = MODULE_OBJECT.fullmatch(target.name) is not None
        if slug:
            of_originals[target] = slug
        elif resolver.has_module_objects or not is_module_object:
            problems.append(_unresolved(target, entry))  # others are meant for mkdocstrings
    return Resolved(
        targets=targets, originals=of_originals, problems=tuple(sorted(filter(None, problems)))
    )


def _last_removal(life: Life) -> str:
    """Returns the last release that removed a term; empty if none did."""
    for change in reversed(life.changes):
        if change.kind == "removed":
            return change.release
    return ""


class LastUse(NamedTuple):
    """The last entry with a reference."""

    entry: Entry
    is_current: bool
    """True if the words of the entry are current."""


def _last_uses(terms: Iterable[Term]) -> dict[ReferenceTarget, LastUse]:
    """Returns the last entry with each reference: for a definition that referred to `saw` in 1.0
    alone, the entry of 1.0, which is not current."""
    uses: dict[ReferenceTarget, LastUse] = {}
    courses: list[Course] = []
    for term in terms:
        courses += term.courses
    for course in courses:
        for span in course.spans:
            entry = course.entries[span.past - 1]
            if entry is None:
                continue
            is_current = span.past == len(course.entries)
            for reference in entry.definition.references:
                target = ReferenceTarget(course.source.id, reference.target)
                uses[target] = LastUse(entry, is_current)
    return uses


def _unresolved(target: ReferenceTarget, entry: Entry) -> Problem | None:
    """Returns the problem of a reference that means no term; None if it may lead elsewhere."""
    path = entry.place.path
    # In AsciiDoc, `<<usage>>` leads to any section of a book, not only to terms.
    if target.name.startswith("#") and path.lower().endswith(ASCIIDOC_SUFFIXES):
        return None
    found = f"refers to “{target.name.removeprefix('#')}”, which no source defines"
    trouble = Trouble(ProblemKind.REFERENCE, found, "write the name of a term as it is defined")
    return trouble.at(path, line=entry.line)


def _removed(target: ReferenceTarget, entry: Entry, release: str) -> Problem:
    """Returns the problem of a reference to a term that a release removed; `release` is empty if it
    is not known."""
    found = f"refers to “{target.name.removeprefix('#')}”, which was removed"
    if release:
        found += f" (not defined since {release})"
    trouble = Trouble(
        ProblemKind.REFERENCE, found, "write the name of a term that is still defined"
    )
    return trouble.at(entry.place.path, line=entry.line)


class TermName(NamedTuple):
    """A name that a term has or had in a source."""

    name: str
    rank: int
    """0 for a current preferred name, 1 for another current name, 2 for a former name."""
    key: str
    source: str


class Resolver:
    """Finds the term that a reference means, by name or anchor."""

    def __init__(self, terms: Iterable[Term], *, language: str = "en") -> None:
        """`language` is that of the names; plurals of it and of English find their terms."""
        main_language, _, _ = language.lower().partition("-")
        self._languages = tuple(dict.fromkeys([main_language, "en"]))
        self._anchors: dict[tuple[str, str], str] = {}
        """Maps (source id, folded anchor) to the key of the first term that has it now."""
        self._all_anchors: dict[tuple[str, str], str] = {}
        """The same for all anchors that terms have or had."""
        names: list[TermName] = []
        for term in terms:
            for course in term.courses:
                names += dict.fromkeys(_names_of(term.key, course))
                self._add_anchors(term.key, course)
        self._names = NameIndex(names)
        self.has_module_objects = any(MODULE_OBJECT.fullmatch(fold(one.name)) for one in names)
        """True if a term has a name such as `torch.func`. Else links to such names are meant for
        mkdocstrings."""

    def _add_anchors(self, key: str, course: Course) -> None:
        """Adds the anchors that a term has or had in a source."""
        source = course.source.id
        for entry in course.span_entries:
            for anchor in entry.anchors:
                self._all_anchors.setdefault((source, fold(anchor)), key)
        if course.current:
            for anchor in course.current.anchors:
                self._anchors.setdefault((source, fold(anchor)), key)

    def resolve(self, target: str, *, source: str = "") -> str | None:
        """Returns the key of the term that `target` means when it is read in `source`, or None.

        `tensors` and `#tensor` can mean the term "Tensor".
        """
        if target.startswith("#"):
            return self._at_id(target.removeprefix("#"), source)

        def is_in_source(one: TermName) -> bool:
            return one.source == source

        found = self._names.find(target, self._languages, goes_first=is_in_source)
        return found.key if found else self._with_anchor(target, source)

    def _with_anchor(self, anchor: str, source: str) -> str | None:
        """Returns the key of the term that has an anchor in a source now, else of the term that had
        the anchor before."""
        place = (source, fold(anchor))
        return self._anchors.get(place) or self._all_anchors.get(place)

    def _at_id(self, id: str, source: str) -> str | None:
        """Returns the key of the term that has an anchor in a source, or a name like it.

        A bold name has no anchor of its own, but is linked to as if it were a heading:
        `#data-frame` leads to "Data frame".
        """
        if key := self._with_anchor(id, source):
            return key
        named = self._names.folded(id.replace("-", " "))
        in_source = [one for one in named if one.source == source]
        if not in_source:
            return None
        return min(in_source, key=attrgetter("rank")).key


def _names_of(key: str, course: Course) -> Iterator[TermName]:
    """Yields the names that a term has or had in a source."""
    *_, newest = course.span_entries
    for entry in course.span_entries:
        for place, designation in enumerate(entry.designations):
            rank = min(place, 1) if entry is newest else 2
            yield TermName(exact(designation.text), rank, key, course.source.id)


@dataclass(frozen=True, kw_only=True, slots=True)
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
