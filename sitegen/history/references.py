"""Resolves references to terms by current and former names, by anchors, and by plurals.

A target is looked up exactly, then case-insensitively, then by the stems of its words if these
match only one term. Terms of the same source have priority. A reference that cannot be resolved is
reported once, at its last citation, and is shown as plain text on the page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from sitegen.model import Entry, Problem, ProblemKind, Trouble
from sitegen.model.terms import Lane, Life, Term
from sitegen.text.names import exact, fold, stems

ReferenceTarget = tuple[str, str]
"""(source id, target)."""
CODE = re.compile(
    r"[a-z_]\w*(?:\.\w+)+"
)  # an object of a module, which mkdocstrings links to as others link to a term


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    targets: Mapping[ReferenceTarget, str]
    """Maps each reference to the key of its term. References that cannot be resolved are
    missing."""
    problems: tuple[Problem, ...]


def resolve_all(lives: Iterable[Life], resolver: Resolver) -> Resolved:
    """Resolves every reference of every entry, and returns a problem for each that cannot be
    resolved."""
    lives = tuple(lives)
    uses = _last_uses(life.term for life in lives)
    keys = {(source, target): resolver.resolve(target, source=source) for source, target in uses}
    if not any(map(CODE.fullmatch, resolver.names)):
        uses = {
            mention: use
            for mention, use in uses.items()
            if keys[mention] or not CODE.fullmatch(mention[1])
        }
    removed = {
        life.key: [change.release for change in life.changes if change.kind == "removed"]
        for life in lives
        if life.status == "removed"
    }
    return Resolved(
        targets={mention: key for mention, key in keys.items() if key is not None},
        problems=tuple(sorted(_problems(uses, keys, removed))),
    )


def _last_uses(terms: Iterable[Term]) -> Mapping[ReferenceTarget, tuple[Entry, bool]]:
    """Returns the last entry with each reference, and True if its wording is current."""
    uses: dict[ReferenceTarget, tuple[Entry, bool]] = {}
    for lane in [lane for term in terms for lane in term.lanes]:
        for span in lane.spans:
            if entry := lane.entries[span.past - 1]:
                for reference in entry.definition.references:
                    uses[lane.source.id, reference.target] = entry, span.past == len(lane.entries)
    return uses


def _problems(
    uses: Mapping[ReferenceTarget, tuple[Entry, bool]],
    keys: Mapping[ReferenceTarget, str | None],
    removed: Mapping[str, Sequence[str]],
) -> Iterator[Problem]:
    """Yields a problem for each unresolved reference, and for each current reference to a removed
    term.

    The problem has the place where the reference was last used. `removed` has the releases that
    removed a term.
    """
    for mention, (entry, current) in uses.items():
        name, key = mention[1].removeprefix("#"), keys[mention]
        if key is None:
            found = f"refers to “{name}”, which no source defines"
            wanted = "write the name of a term as it is defined"
        elif current and key in removed:
            since = f" (not defined since {removed[key][-1]})" if removed[key] else ""
            found = f"refers to “{name}”, which was removed{since}"
            wanted = "write the name of a term that is still defined"
        else:
            continue
        yield Trouble(ProblemKind.REFERENCE, found, wanted).at(entry.place.path, line=entry.line)


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
        self.names: dict[str, list[Holder]] = defaultdict(list)
        """By the exact and by the folded form of each name."""
        self._anchors: dict[tuple[str, str], str] = {}
        """Maps (source id, folded anchor) to the key of the first term that had it."""
        self._languages = tuple(dict.fromkeys([language.partition("-")[0].lower(), "en"]))
        self._stems: dict[str, Mapping[str, set[tuple[str, str]]]] = {}
        for term in terms:
            for lane in term.lanes:
                self._add(term.key, lane)

    def _add(self, key: str, lane: Lane) -> None:
        """Adds the names and anchors that a term has or had in a source."""
        source = lane.source.id
        newer: Entry | None = None
        for entry in [span.entry for span in reversed(lane.spans) if span.entry]:
            if (
                newer
                and entry.designations == newer.designations
                and entry.anchors == newer.anchors
            ):
                continue
            for place, designation in enumerate(entry.designations):
                holder = Holder(2 if newer else min(place, 1), key, source)
                for form in {exact(designation.text), fold(designation.text)}:
                    self.names[form].append(holder)
            for anchor in entry.anchors:
                self._anchors.setdefault((source, fold(anchor)), key)
            newer = entry

    def resolve(self, target: str, *, source: str = "") -> str | None:
        """Returns the key of the term that `target` means when it is read in `source`, or None."""
        if target.startswith("#"):
            # A bold name has no anchor of its own, but is linked to as if it were a heading.
            named = [
                one
                for one in self.names.get(fold(target[1:].replace("-", " ")), ())
                if one.source == source
            ]
            key = min(named, key=attrgetter("rank")).key if named else None
            return self._anchors.get((source, fold(target[1:])), key)
        for form in (exact(target), fold(target)):
            if found := self.names.get(form):
                in_source = [holder for holder in found if holder.source == source]
                return min(in_source or found, key=attrgetter("rank")).key
        for language in self._languages:
            alike = self._of_stems(language).get(stems(target, language), set())
            for keys in ({key for one, key in alike if one == source}, {key for _, key in alike}):
                if len(keys) == 1:
                    return keys.pop()
        return self._anchors.get((source, fold(target)))

    def _of_stems(self, language: str) -> Mapping[str, set[tuple[str, str]]]:
        """Maps the stems of names to (source id, key) of their terms. Computed lazily, as few
        references need it."""
        if language not in self._stems:
            holders_by_stem: dict[str, set[tuple[str, str]]] = defaultdict(set)
            for name, holders in self.names.items():
                holders_by_stem[stems(name, language)].update(
                    (holder.source, holder.key) for holder in holders
                )
            self._stems[language] = holders_by_stem
        return self._stems[language]
