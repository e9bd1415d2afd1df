"""What happened to each term: revisions, changes, and what it is called and worth today.

Wordings are compared from one release to the next that could be read, within one source. Nothing is said about the
time before the first release read, nor about releases that could not be read. Most lives depend on nothing but the
term: those are `known` as long as the term stays what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from operator import itemgetter
from typing import NamedTuple, NoReturn

from sitegen import relations
from sitegen.known import Known
from sitegen.lives import (
    GIST,
    GIST_OF_LIFE,
    Change,
    Ending,
    Identity,
    Kind,
    Lane,
    Life,
    Revision,
    Step,
    Term,
    TermStatus,
    Tie,
)
from sitegen.model import Designation, Edition, Entry, Status
from sitegen.names import fold
from sitegen.references import Resolver
from sitegen.words import compare, same_words


def lives(
    terms: Iterable[Term],
    *,
    editions: Mapping[str, tuple[Edition, ...]],
    resolver: Resolver,
    known: Known | None = None,
) -> tuple[Life, ...]:
    """Returns every term with its revisions and changes, sorted by name.

    `editions` gives each source's releases as read, oldest first, by source id.
    """
    terms, others, known = tuple(terms), _Others(editions, resolver), known or Known()
    own = known.each(_own, terms, by=GIST)
    lives = {term.key: (term, life or _life(term, others)) for term, life in zip(terms, own, strict=True)}
    told = [*known.by(_placed, lives).values()]
    names = known.each(_by_name, told, by=GIST_OF_LIFE)
    return tuple([life for _, life in sorted(zip(names, told, strict=True), key=itemgetter(0))])


def _placed(given: tuple[Term, Life], _known: Known) -> Life:
    """A life of the same gist, with its entries where they stand by now."""
    term, life = given
    if life.term is term:
        return life
    lanes = [(was, now) for was, now in zip(life.term.lanes, term.lanes, strict=True) if was is not now]
    both = chain.from_iterable([zip(was.entries, now.entries, strict=True) for was, now in lanes])
    moved = {id(was): now for was, now in both if was is not now and now}

    def found(entry: Entry) -> Entry:
        return moved.get(id(entry), entry)

    return replace(
        life,
        term=term,
        entry=found(life.entry),
        revisions=tuple([_revision_at(revision, found) for revision in life.revisions]),
        changes=tuple([_change_at(change, found) for change in life.changes]),
    )


def _revision_at(revision: Revision, found: Callable[[Entry], Entry]) -> Revision:
    entry, latest = found(revision.entry), found(revision.latest)
    if entry is revision.entry and latest is revision.latest:
        return revision
    return replace(revision, entry=entry, latest=latest)


def _change_at(change: Change, found: Callable[[Entry], Entry]) -> Change:
    before, after = change.before and found(change.before), change.after and found(change.after)
    if before is change.before and after is change.after:
        return change
    return replace(change, before=before, after=after)


def _by_name(life: Life, _known: Known) -> tuple[str, str, str]:
    name = life.name
    return (fold(name), name, life.term.key)


class _Others:
    """What a life may depend on beside its term: how whole editions are laid out, and what other terms are called."""

    def __init__(self, editions: Mapping[str, tuple[Edition, ...]], resolver: Resolver) -> None:
        self._editions = editions
        self.key = resolver.resolve

    def edition(self, source: str, release: str | None) -> Edition | None:
        return next((edition for edition in self._editions[source] if edition.release == release), None)


class _Alone(_Others):
    """Whoever asks this for anything does not depend on its term alone."""

    def __init__(self) -> None: ...

    def __getattribute__(self, name: str) -> NoReturn:
        raise _NotAloneError


class _NotAloneError(Exception):
    pass


_ALONE = _Alone()


def _own(term: Term, _known: Known) -> Life | None:
    """A term's life where nothing else has a say in it."""
    try:
        return _life(term, _ALONE)
    except _NotAloneError:
        return None


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
        replaced_by=_first(_resolved(deprecation.replacements if deprecation else (), entry, term, others)),
        also_known_as=tuple(dict.fromkeys(_resolved(relations.also_known_as(definition), entry, term, others))),
    )


def _status(lanes: _Lanes, *, deprecated: bool) -> TermStatus:
    if not lanes.defined and lanes.merged_into is None:
        return "removed"
    return "deprecated" if deprecated else "current"


def _resolved(names: Iterable[str | None], entry: Entry, term: Term, others: _Others) -> list[str]:
    """The keys of other terms of these names."""
    keys = [others.key(name, source=entry.citation.source) for name in names if name]
    return [key for key in keys if key and key != term.key]


def _first(keys: Sequence[str]) -> str | None:
    return keys[0] if keys else None


def _names(lanes: _Lanes) -> tuple[Designation, ...]:
    """The names in force, preferred first: of the source that speaks for the term, then of the others."""
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
    """Names that were in force once and are no longer, with the release that dropped them."""
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
    """A term's lanes as the history sees them."""

    def __init__(self, term: Term, others: _Others) -> None:
        self.all = [_LaneHistory(lane, term.ties, others) for lane in term.lanes]
        defined = [lane for lane in self.all if lane.defined]
        self.defined = bool(defined)
        self.speaker = defined[0] if defined else self.all[0]
        """The first source that still defines the term; of a removed one, the first that ever did."""

    @property
    def merged_into(self) -> str | None:
        if self.defined:
            return None
        ends = [lane.merged_into for lane in self.all]
        return next((end for end in ends if end), None)


class Stretch(NamedTuple):
    """Steps in a row that differ by nothing but release, path and line."""

    first: Step
    last: Step
    past: int
    """The number of the step that follows."""


def _stretches(lane: Lane) -> Iterator[Stretch]:
    for first, (number, past) in zip(lane.turned, pairwise((*lane.turns, len(lane.entries))), strict=True):
        is_long = past > number + 1
        last = Step(lane.releases[past - 1], first.state, lane.entries[past - 1]) if is_long else first
        yield Stretch(first, last, past)


class _LaneHistory:
    """One term in one source: its steps turned into revisions and changes."""

    def __init__(self, lane: Lane, ties: tuple[Tie, ...], others: _Others) -> None:
        self.lane = lane
        self.ties = ties
        self.others = others
        self.known = [stretch for stretch in _stretches(lane) if stretch.first.state != "unread"]
        """The stretches about which something is known."""
        self.entry = next(stretch.last.entry for stretch in reversed(self.known) if stretch.last.entry)
        self.revisions = self._revisions()
        self.changes = () if lane.source.undated else self._changes()

    @property
    def defined(self) -> bool:
        """True when the term was defined as far as is known: what could not be read since is no removal."""
        return self.known[-1].last.state == "defined"

    @property
    def merged_into(self) -> str | None:
        """The term that this one was merged into and still is part of in this source."""
        last = self._tie("merged", self.changes[-1].release) if self.changes else None
        return last.other if last and self.changes[-1].kind == "merged" else None

    def _tie(self, kind: str, release: str) -> Tie | None:
        for tie in self.ties:
            if (tie.kind, tie.source, tie.release) == (kind, self.lane.source.id, release):
                return tie
        return None

    def neighbours(self) -> Iterator[tuple[Entry, Entry, str]]:
        """Entries that follow each other and differ, with the release of the newer one."""
        defined = (stretch for stretch in self.known if stretch.first.entry)
        for before, after in pairwise(defined):
            if before.last.entry and after.first.entry:
                yield before.last.entry, after.first.entry, after.first.release

    def _revisions(self) -> tuple[Revision, ...]:
        runs: list[list[Stretch]] = []
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

    def _revision(self, first: Step, end: Stretch) -> Revision:
        assert first.entry and end.last.entry
        return Revision(
            source=self.lane.source.id,
            first=first.release,
            last=end.last.release,
            entry=first.entry,
            latest=end.last.entry,
            ended=self._ending(end),
        )

    def _ending(self, end: Stretch) -> Ending:
        """What came after a stretch."""
        if end.past == len(self.lane.entries):
            return "current"
        after = [step for number, step in zip(self.lane.turns, self.lane.turned, strict=True) if number >= end.past]
        next_known = next((step for step in after if step.state != "unread"), None)
        if next_known is None:
            return "unread"
        return "removed" if next_known.state == "absent" else "reworded"

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
            if before and before.entry:
                yield self._gone(before.entry, after, previous)
        elif last_entry is None:
            yield self._arrived(after, previous)
        elif before and before.entry is None:
            yield self._returned(last_entry, after, previous)
        else:
            yield from self._changed(last_entry, after, previous)

    def _change(
        self, kind: Kind, after: Step, previous: str | None, *, before: Entry | None, **facts: str | Identity | None
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
        return self._change("removed", after, previous, before=entry)

    def _arrived(self, after: Step, previous: str | None) -> Change:
        if tie := self._tie("split", after.release):
            return self._change("split", after, previous, before=None, other=tie.other)
        if previous is None and not self.lane.source.complete:
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
        """The last release before this one that had these words already."""
        assert after.entry
        said = None
        for stretch in self.known:
            if stretch.first is after:
                return said
            if stretch.last.entry and same_words(stretch.last.entry.definition, after.entry.definition):
                said = stretch.last.release
        return said

    def _moved(self, before: Entry, after: Entry, previous: str | None) -> bool:
        """True when the term went elsewhere, and not merely its section or its whole file under a new name."""
        here, there = fold(before.section), fold(after.section)
        is_elsewhere = bool(here and there and here != there)
        home, house = before.citation.name, after.citation.name
        if home == house and not is_elsewhere:
            return False
        source = self.lane.source.id
        old, new = self.others.edition(source, previous), self.others.edition(source, after.citation.release)
        if old is None or new is None:
            return False
        if is_elsewhere:
            return here in _sections(new) or there in _sections(old)
        return home in new.documents or house in old.documents


def _same(one: Step, two: Step) -> bool:
    assert one.entry and two.entry
    return same_words(one.entry.definition, two.entry.definition)


def _other_names(entry: Entry, *, renamed: bool, by: Entry) -> set[str]:
    """An entry's admitted names; in a renaming, the swapped preferred name is not news."""
    others = {fold(designation.text) for designation in entry.designations[1:]}
    return others - {fold(by.name)} if renamed else others


def _sections(edition: Edition) -> set[str]:
    return {fold(entry.section) for entry in edition.entries}
