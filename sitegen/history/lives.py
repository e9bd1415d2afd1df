"""What happened to each term, in all sources together, and what it is called and worth today.

What happened in one source is for `lane_history` to say. Most lives depend on nothing but the term: those are `known`
as long as the term stays what it is, and told where its entries stand by now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import NoReturn

from sitegen.history import relations
from sitegen.history.changes import LaneHistory, Layout, layout
from sitegen.history.references import Resolver
from sitegen.model import Designation, Edition, Entry, Status
from sitegen.model.terms import GIST, GIST_OF_LIFE, Change, Life, Revision, Term, TermStatus
from sitegen.text.known import Known
from sitegen.text.names import fold


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
    given = {term.key: (term, life or _life(term, others)) for term, life in zip(terms, own, strict=True)}
    told = [*known.by(_placed, given).values()]
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
        self._layouts: dict[tuple[str, str | None], Layout | None] = {}
        self.key = resolver.resolve

    def layout(self, source: str, release: str | None) -> Layout | None:
        if (source, release) not in self._layouts:
            edition = next((edition for edition in self._editions[source] if edition.release == release), None)
            self._layouts[source, release] = layout(edition) if edition else None
        return self._layouts[source, release]


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
        self.all = [LaneHistory(lane, term.ties, others) for lane in term.lanes]
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
