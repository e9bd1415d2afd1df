"""Computes the `Life` of each term: its revisions and changes in all sources, its names and its current status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, Protocol

from sitegen.history import merging, relations
from sitegen.history.references import Resolver
from sitegen.model import Designation, Edition, Entry, Status
from sitegen.model.terms import (
    Change,
    ChangeKind,
    Ending,
    Identity,
    Lane,
    Life,
    Revision,
    Step,
    Term,
    TermStatus,
    Tie,
)
from sitegen.text.names import fold
from sitegen.text.words import compare, same_words


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
    entry, definition = lanes.main.entry, lanes.main.entry.definition
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
    speaking = [
        lanes.main,
        *(lane for lane in lanes.all if lane.defined and lane is not lanes.main),
    ]
    for lane in speaking:
        for place, designation in enumerate(lane.entry.designations):
            first = lane is lanes.main and place == 0
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
        self.all = [LaneHistory(lane, term, others) for lane in term.lanes]
        defined = [lane for lane in self.all if lane.defined]
        self.defined = bool(defined)
        last = [lane for lane in self.all if lane.revisions[-1].ended != "moved"]
        self.main = (defined or last or self.all)[0]
        """The lane of the first source that still defines the term; for a removed term, the first that removed it."""

    @property
    def merged_into(self) -> str | None:
        if self.defined:
            return None
        ends = [lane.merged_into for lane in self.all]
        return next((end for end in ends if end), None)


@dataclass(frozen=True, slots=True)
class Layout:
    """The documents of an edition, and the folded names of its sections."""

    documents: frozenset[str]
    sections: frozenset[str]


def layout(edition: Edition) -> Layout:
    """Returns the documents and section names of an edition."""
    sections = {entry.section for entry in edition.entries}
    return Layout(frozenset(edition.documents), frozenset(map(fold, sections)))


class Layouts(Protocol):
    """Gives access to the layout of each edition. `layout` returns None if the source has no such release."""

    def layout(self, source: str, release: str | None) -> Layout | None: ...


class StepRun(NamedTuple):
    """Consecutive steps that differ only by release, path and line."""

    first: Step
    last: Step
    past: int
    """The number of the step after the last one."""


def _stretches(lane: Lane) -> Iterator[StepRun]:
    for first, (number, past) in zip(lane.turned, pairwise((*lane.turns, len(lane.entries))), strict=True):
        is_long = past > number + 1
        last = Step(lane.releases[past - 1], first.state, lane.entries[past - 1]) if is_long else first
        yield StepRun(first, last, past)


class LaneHistory:
    """The revisions and changes of one term in one source."""

    def __init__(self, lane: Lane, term: Term, layouts: Layouts) -> None:
        self.lane = lane
        self.ties = term.ties
        self.beside = [one for one in term.lanes if one is not lane and merging.is_beside(one.source, lane.source)]
        """The lanes of the term in other sources of the repository."""
        self.layouts = layouts
        self.known = [stretch for stretch in _stretches(lane) if stretch.first.state != "unread"]
        """The stretches of releases that could be read."""
        self.entry = next(stretch.last.entry for stretch in reversed(self.known) if stretch.last.entry)
        self.revisions = self._revisions()
        self.changes = () if lane.source.undated else self._changes()

    @property
    def defined(self) -> bool:
        """True if the last release that could be read defines the term."""
        return self.known[-1].last.state == "defined"

    @property
    def merged_into(self) -> str | None:
        """The key of the term that this one was merged into; None unless the merge is its last change."""
        last = self._tie("merged", self.changes[-1].release) if self.changes else None
        return last.other if last and self.changes[-1].kind == "merged" else None

    def _tie(self, kind: str, release: str) -> Tie | None:
        for tie in self.ties:
            if (tie.kind, tie.source, tie.release) == (kind, self.lane.source.id, release):
                return tie
        return None

    def neighbours(self) -> Iterator[tuple[Entry, Entry, str]]:
        """Yields each pair of consecutive entries that differ, with the release of the newer one."""
        defined = (stretch for stretch in self.known if stretch.first.entry)
        for before, after in pairwise(defined):
            if before.last.entry and after.first.entry:
                yield before.last.entry, after.first.entry, after.first.release

    def _revisions(self) -> tuple[Revision, ...]:
        runs: list[list[StepRun]] = []
        fresh = True
        for stretch in self.known:
            if stretch.first.entry is None:
                fresh = True
            elif fresh or not _same(runs[-1][-1].last, stretch.first):
                runs.append([stretch])
                fresh = False
            else:
                runs[-1].append(stretch)
        return tuple(self._revision(run[0].first, run[-1]) for run in runs)

    def _revision(self, first: Step, end: StepRun) -> Revision:
        assert first.entry and end.last.entry
        return Revision(
            source=self.lane.source.id,
            first=first.release,
            last=end.last.release,
            entry=first.entry,
            latest=end.last.entry,
            ended=self._ending(end),
        )

    def _ending(self, end: StepRun) -> Ending:
        """Returns why a revision ended with this stretch."""
        if end.past == len(self.lane.entries):
            return "current"
        after = [step for number, step in zip(self.lane.turns, self.lane.turned, strict=True) if number >= end.past]
        next_known = next((step for step in after if step.state != "unread"), None)
        if next_known is None:
            return "unread"
        if next_known.state == "defined":
            return "reworded"
        return "moved" if self._entry_beside(end.last.release, next_known.release) else "removed"

    def _changes(self) -> tuple[Change, ...]:
        changes: list[Change] = []
        before: Step | None = None
        last_entry: Entry | None = None
        for stretch in self.known:
            changes += self._between(before, stretch.first, last_entry)
            before, last_entry = stretch.last, stretch.last.entry or last_entry
        return tuple(changes)

    def _between(self, before: Step | None, after: Step, last_entry: Entry | None) -> Iterator[Change]:
        previous = before.release if before else None
        if after.entry is None:
            if last_entry and ((before and before.entry) or self._tie("merged", after.release)):
                yield self._gone(last_entry, after, previous)
        elif last_entry is None:
            yield self._arrived(after, previous)
        elif before and before.entry is None:
            yield self._returned(last_entry, after, previous)
        else:
            yield from self._changed(last_entry, after, previous)

    def _change(
        self,
        kind: ChangeKind,
        after: Step,
        previous: str | None,
        *,
        before: Entry | None,
        **facts: str | Identity | None,
    ) -> Change:
        return Change(
            kind=kind,
            source=self.lane.source.id,
            release=after.release,
            previous=previous,
            before=before,
            after=after.entry,
            **facts,  # type: ignore[arg-type]
        )

    def _gone(self, entry: Entry, after: Step, previous: str | None) -> Change:
        if tie := self._tie("merged", after.release):
            return self._change("merged", after, previous, before=entry, other=tie.other, identity=tie.identity)
        if beside := self._entry_beside(entry.place.release, after.release):
            return replace(self._change("moved", after, previous, before=entry), after=beside)
        return self._change("removed", after, previous, before=entry)

    def _entry_beside(self, last: str, absent: str) -> Entry | None:
        """Returns the entry of another source of the repository that begins to define the term after the release
        `last` of this one, and not after its release `absent`.
        """
        for lane in self.beside:
            known = [step for step in lane.turned if step.state != "unread"]
            for before, step in pairwise((None, *known)):
                assert step
                is_first = step.entry is not None and (before is None or before.entry is None)
                if is_first and merging.is_between(step.release, last, absent, lane.source, self.lane.source):
                    return step.entry
        return None

    def _arrived(self, after: Step, previous: str | None) -> Change:
        if tie := self._tie("split", after.release):
            return self._change("split", after, previous, before=None, other=tie.other)
        is_beginning = self.lane.source.complete and after.release == self.lane.releases[0]
        if previous is None and not is_beginning:
            return self._change("first-read", after, None, before=None)
        return self._change("added", after, previous, before=None)

    def _returned(self, last: Entry, after: Step, previous: str | None) -> Change:
        return self._change("restored", after, previous, before=last, same_as=self._said_before(after))

    def _changed(self, before: Entry, after: Step, previous: str | None) -> Iterator[Change]:
        entry = after.entry
        assert entry
        renamed = fold(before.name) != fold(entry.name)
        if renamed:
            yield self._change("renamed", after, previous, before=before, identity=after.identity)
        if _other_names(before, renamed=renamed, by=entry) != _other_names(entry, renamed=renamed, by=before):
            yield self._change("names-changed", after, previous, before=before)
        wording = compare(before.definition, entry.definition)
        if wording == "reworded":
            same_as = self._said_before(after)
            yield self._change("reworded", after, previous, before=before, same_as=same_as)
        elif wording == "reformatted" or (not renamed and before.name != entry.name):
            yield self._change("reformatted", after, previous, before=before)
        if self._moved(before, entry, previous):
            yield self._change("moved", after, previous, before=before)
        if relations.deprecation(entry) and not relations.deprecation(before):
            yield self._change("deprecated", after, previous, before=before)

    def _said_before(self, after: Step) -> str | None:
        """Returns the last release before this step whose definition had the same words, or None."""
        assert after.entry
        said = None
        for stretch in self.known:
            if stretch.first is after:
                return said
            if stretch.last.entry and same_words(stretch.last.entry.definition, after.entry.definition):
                said = stretch.last.release
        return said

    def _moved(self, before: Entry, after: Entry, previous: str | None) -> bool:
        """Returns True if the term moved to another section or file. A renamed section or file is not a move."""
        here, there = fold(before.section), fold(after.section)
        is_elsewhere = bool(here and there and here != there)
        home, house = before.citation.name, after.citation.name
        if home == house and not is_elsewhere:
            return False
        source = self.lane.source.id
        old, new = self.layouts.layout(source, previous), self.layouts.layout(source, after.citation.release)
        if old is None or new is None:
            return False
        if is_elsewhere:
            return here in new.sections or there in old.sections
        return home in new.documents or house in old.documents


def _same(one: Step, two: Step) -> bool:
    assert one.entry and two.entry
    return same_words(one.entry.definition, two.entry.definition)


def _other_names(entry: Entry, *, renamed: bool, by: Entry) -> set[str]:
    """Returns an entry's folded names except the preferred one.

    If the term was renamed, the preferred name of the other entry (`by`) is left out: the rename reports it already.
    """
    others = {fold(designation.text) for designation in entry.designations[1:]}
    return others - {fold(by.name)} if renamed else others
