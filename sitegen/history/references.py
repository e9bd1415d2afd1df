"""Resolves references to terms by current and former names, by anchors, and by plurals.

A target is looked up exactly, then case-insensitively, then by the stems of its words if these match only one term.
Terms of the same source have priority. A reference that cannot be resolved is reported once, at its last citation,
and is shown as plain text on the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from sitegen.model import Citation, Entry, Problem
from sitegen.model.terms import Lane, Life, Term
from sitegen.text.names import exact, fold, stems

ReferenceTarget = tuple[str, str]
"""(source id, target)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    targets: Mapping[ReferenceTarget, str]
    """Maps each reference to the key of its term. References that cannot be resolved are missing."""
    problems: tuple[Problem, ...]


def resolve_all(lives: Iterable[Life], resolver: Resolver) -> Resolved:
    """Resolves every reference of every entry, and returns a problem for each that cannot be resolved."""
    mentions = [(life, _mentions(life.term)) for life in lives]
    means = _meanings((mentioned for _, mentioned in mentions), resolver)
    targets = {mention: key for mention, key in means.items() if key is not None}
    problems = _problems(mentions, means)
    return Resolved(targets=targets, problems=tuple(sorted(problems)))


def _meanings(
    mentions: Iterable[Iterable[ReferenceTarget]], resolver: Resolver
) -> Mapping[ReferenceTarget, str | None]:
    every = dict.fromkeys(chain.from_iterable(mentions))
    return {(source, target): resolver.resolve(target, source=source) for source, target in every}


def _mentions(term: Term) -> tuple[ReferenceTarget, ...]:
    said = [(lane.source.id, step.entry.definition) for lane in term.lanes for step in lane.turned if step.entry]
    return tuple(dict.fromkeys([(source, one.target) for source, prose in said for one in prose.references]))


def _references(life: Life) -> Iterator[tuple[ReferenceTarget, tuple[Citation, bool]]]:
    """Yields each reference in each wording of a term, with its citation, and True if the wording is current."""
    for lane in life.term.lanes:
        for entry, current in _wordings(lane):
            for reference in entry.definition.references:
                yield (lane.source.id, reference.target), (entry.citation, current)


def _problems(
    mentions: Collection[tuple[Life, Collection[ReferenceTarget]]], means: Mapping[ReferenceTarget, str | None]
) -> Iterator[Problem]:
    """Yields a problem for each unresolved reference, and for each current reference to a removed term.

    The problem has the place where the reference was last used.
    """
    removed = {life.key: _removed_in(life) for life, _ in mentions if life.status == "removed"}
    suspects = {mention for mention, key in means.items() if key is None or key in removed}
    suspicious = [life for life, mentioned in mentions if not suspects.isdisjoint(mentioned)]
    last = dict(reference for life in suspicious for reference in _references(life))
    for mention in suspects:
        citation, current = last[mention]
        key = means[mention]
        if key is None or current:
            yield _problem(mention[1], citation, removed[key] if key else None)


def _removed_in(life: Life) -> str:
    gone = [change.release for change in life.changes if change.kind == "removed"]
    return gone[-1] if gone else ""


def _wordings(lane: Lane) -> Iterator[tuple[Entry, bool]]:
    """Yields the last entry of each wording of a source, oldest first, and True if the wording is current."""
    for past in (*lane.turns[1:], len(lane.entries)):
        if entry := lane.entries[past - 1]:
            yield entry, past == len(lane.entries)


def _problem(target: str, citation: Citation, removed_in: str | None) -> Problem:
    name = target.removeprefix("#")
    if removed_in is None:
        found, wanted = f"refers to “{name}”, which no source defines", "write the name of a term as it is defined"
    else:
        found = f"refers to “{name}”, which was removed" + (f" in {removed_in}" if removed_in else "")
        wanted = "the name of a term that is still defined"
    return Problem(path=citation.path, line=citation.line, found=found, wanted=wanted)


class Holder(NamedTuple):
    """A term that has or had a certain name in a source."""

    rank: int
    """0 for a current preferred name, 1 for another current name, 2 for a former name."""
    key: str
    source: str


class Resolver:
    """Finds the term that a reference means, by name or anchor."""

    def __init__(self, terms: Iterable[Term], *, language: str = "en") -> None:
        """`language` is that of the names; plurals of it and of English find their terms."""
        self._called = _ReferenceIndex(map(_called, terms))
        self._languages = tuple(dict.fromkeys([language.partition("-")[0].lower(), "en"]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resolver) and self._called is other._called

    def __hash__(self) -> int:
        return id(self._called)

    def resolve(self, target: str, *, source: str = "") -> str | None:
        """Returns the key of the term that `target` means when it is read in `source`, or None."""
        if target.startswith("#"):
            return self._called.anchors.get((source, fold(target[1:])))
        for form in (exact(target), fold(target)):
            if found := self._called.names.get(form):
                if len(found) == 1:
                    return found[0].key
                own = [holder for holder in found if holder.source == source]
                return min(own or found, key=attrgetter("rank")).key
        for language in self._languages:
            alike = self._called.stems(language).get(stems(target, language), set())
            for keys in ({key for one, key in alike if one == source}, {key for _, key in alike}):
                if len(keys) == 1:
                    return keys.pop()
        return self._called.anchors.get((source, fold(target)))


class ReferenceNames(NamedTuple):
    """The names and anchors by which references can address one term."""

    names: tuple[tuple[str, Holder], ...]
    """(form, holder) for the exact and the folded form of each name."""
    anchors: tuple[tuple[tuple[str, str], str], ...]
    """((source id, folded anchor), key of the term)."""


class _ReferenceIndex:
    """An index of all terms of a site by name and anchor."""

    def __init__(self, called: Iterable[ReferenceNames]) -> None:
        self.names: dict[str, list[Holder]] = defaultdict(list)
        """By the exact and by the folded form of each name."""
        self.anchors: dict[tuple[str, str], str] = {}
        self._stems: dict[str, Mapping[str, set[tuple[str, str]]]] = {}
        for one in called:
            for form, holder in one.names:
                self.names[form].append(holder)
            for anchor, key in one.anchors:
                self.anchors.setdefault(anchor, key)

    def stems(self, language: str) -> Mapping[str, set[tuple[str, str]]]:
        """Maps the stems of names to (source id, key) of their terms. Computed lazily, as few references need it."""
        if language not in self._stems:
            found: dict[str, set[tuple[str, str]]] = defaultdict(set)
            for name, holders in self.names.items():
                found[stems(name, language)].update((holder.source, holder.key) for holder in holders)
            self._stems[language] = found
        return self._stems[language]


def _called(term: Term) -> ReferenceNames:
    names: list[tuple[str, Holder]] = []
    anchors: list[tuple[tuple[str, str], str]] = []
    for lane in term.lanes:
        source = lane.source.id
        newer: Entry | None = None
        for entry in [step.entry for step in reversed(lane.turned) if step.entry]:
            if newer and entry.designations == newer.designations and entry.anchors == newer.anchors:
                continue
            for place, designation in enumerate(entry.designations):
                holder = Holder(2 if newer else min(place, 1), term.key, source)
                names += [(form, holder) for form in {exact(designation.text), fold(designation.text)}]
            anchors += [((source, fold(anchor)), term.key) for anchor in entry.anchors]
            newer = entry
    return ReferenceNames(tuple(names), tuple(anchors))
