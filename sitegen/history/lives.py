"""Computes the `Life` of each term: its revisions and changes in all sources, its names and its current status.

Changes within one source are computed in `changes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sitegen.history import relations
from sitegen.history.changes import LaneHistory, Layout, layout
from sitegen.history.references import Resolver
from sitegen.model import Designation, Edition, Entry, Status
from sitegen.model.terms import Life, Term, TermStatus
from sitegen.text.names import fold


def lives(
    terms: Iterable[Term],
    *,
    editions: Mapping[str, tuple[Edition, ...]],
    resolver: Resolver,
) -> tuple[Life, ...]:
    """Returns every term with its revisions and changes, sorted by name.

    `editions` gives each source's releases as read, oldest first, by source id.
    """
    others = _Others(editions, resolver)
    return tuple(sorted((_life(term, others) for term in terms), key=_by_name))


def _by_name(life: Life) -> tuple[str, str, str]:
    name = life.name
    return fold(name), name, life.term.key


class _Others:
    """The layouts of editions (cached), and a lookup of terms by name. A life is computed from them and its term."""

    def __init__(self, editions: Mapping[str, tuple[Edition, ...]], resolver: Resolver) -> None:
        self._editions = editions
        self._layouts: dict[tuple[str, str | None], Layout | None] = {}
        self.key = resolver.resolve

    def layout(self, source: str, release: str | None) -> Layout | None:
        if (source, release) not in self._layouts:
            edition = next((edition for edition in self._editions[source] if edition.release == release), None)
            self._layouts[source, release] = layout(edition) if edition else None
        return self._layouts[source, release]


def _life(term: Term, others: _Others) -> Life:
    lanes = _Lanes(term, others)
    entry, definition = lanes.speaker.entry, lanes.speaker.entry.definition
    deprecation = relations.deprecation(entry)
    merged, names = lanes.merged_into, _names(lanes)
    return Life(
        term=term,
        status=_status(lanes, deprecated=deprecation is not None),
        entry=entry,
        revisions=tuple([revision for lane in lanes.all for revision in lane.revisions]),
        changes=tuple([change for lane in lanes.all for change in lane.changes]),
        names=names,
        former_names=_former_names(lanes, now=names),
        synonym_of=merged or _first(_resolved((relations.synonym_of(definition),), entry, term, others)),
        merged_into=merged,
        replaced_by=_first(_resolved(deprecation.replacements if deprecation else (), entry, term, others)),
        also_known_as=tuple(dict.fromkeys(_resolved(relations.also_known_as(definition), entry, term, others))),
    )


def _status(lanes: _Lanes, *, deprecated: bool) -> TermStatus:
    if not lanes.defined:
        return "merged" if lanes.merged_into else "removed"
    return "deprecated" if deprecated else "current"


def _resolved(names: Iterable[str | None], entry: Entry, term: Term, others: _Others) -> list[str]:
    """Returns the keys of the other terms that have these names."""
    keys = [others.key(name, source=entry.citation.source) for name in names if name]
    return [key for key in keys if key and key != term.key]


def _first(keys: Sequence[str]) -> str | None:
    return keys[0] if keys else None


def _names(lanes: _Lanes) -> tuple[Designation, ...]:
    """Returns the current names, preferred first: those of the term's main source, then those of other sources."""
    seen: dict[str, Designation] = {}
    speaking = [lanes.speaker, *(lane for lane in lanes.all if lane.defined and lane is not lanes.speaker)]
    for lane in speaking:
        for place, designation in enumerate(lane.entry.designations):
            first = lane is lanes.speaker and place == 0
            other: Status = "deprecated" if designation.status == "deprecated" else "admitted"
            status: Status = "preferred" if first else other
            if designation.status != status:
                designation = Designation(text=designation.text, status=status)
            seen.setdefault(fold(designation.text), designation)
    return tuple(seen.values())


def _former_names(lanes: _Lanes, *, now: tuple[Designation, ...]) -> tuple[tuple[str, str], ...]:
    """Returns each name that the term had and lost, with the release that dropped it."""
    former: dict[str, tuple[str, str]] = {}
    for lane in lanes.all:
        for before, after, release in lane.neighbours():
            if before.designations == after.designations:
                continue
            kept = {fold(designation.text) for designation in (*after.designations, *now)}
            for designation in before.designations:
                if fold(designation.text) not in kept:
                    former[fold(designation.text)] = (designation.text, release)
    return tuple(former.values())


class _Lanes:
    """The histories of all lanes of a term."""

    def __init__(self, term: Term, others: _Others) -> None:
        self.all = [LaneHistory(lane, term.ties, others) for lane in term.lanes]
        defined = [lane for lane in self.all if lane.defined]
        self.defined = bool(defined)
        self.speaker = defined[0] if defined else self.all[0]
        """The lane of the first source that still defines the term; for a removed term, the first lane."""

    @property
    def merged_into(self) -> str | None:
        if self.defined:
            return None
        ends = [lane.merged_into for lane in self.all]
        return next((end for end in ends if end), None)
