"""Whose the rows of the ledger are: the term that a page stands for, and what a frozen page shows.

A row says which name a source had for a term, when, and in which words. That is looked up in what was read; who has
a row that several terms may have is for `permalinks` to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sitegen.addresses.ledger import Row
from sitegen.model import Entry
from sitegen.model.terms import Lane, Life
from sitegen.text.names import fold
from sitegen.text.words import digest

KeysByName = Mapping[str, tuple[str, ...]]
"""The keys of the terms that ever had a name, by its folded form."""


class Candidate(NamedTuple):
    """A term for which a row may stand."""

    key: str
    has_words: bool
    """The row's; asked only where there are several."""
    is_spelled_so: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Who may have the addresses of terms."""

    rows: tuple[Row, ...]
    candidates: Mapping[str, tuple[Candidate, ...]]
    """By address, the terms for which its row may stand: one, or none, or several of one name."""
    heirs: Mapping[str, tuple[str, ...]]
    """By the address of a row that stands for nobody, the keys of the terms one of which may inherit it."""


Called = tuple[str, Entry]
"""The key of a term, with something that a source said of it."""


class Owners:
    """Finds whose rows are."""

    def __init__(self, lives: Mapping[str, Life], keys: KeysByName) -> None:
        """Takes lives by key."""
        self._lives = lives
        self._keys = keys

    def claims(self, rows: tuple[Row, ...]) -> Claims:
        """Returns who may have the rows of terms."""
        candidates = {row.address: _candidates(row, self._of_name(row.name)) for row in rows}
        lost = (row for row in rows if not candidates[row.address])
        return Claims(rows=rows, candidates=candidates, heirs={row.address: self._heirs(row) for row in lost})

    def wordings(self, rows: tuple[Row, ...], owners: Mapping[str, str]) -> Mapping[str, Called]:
        """Returns what frozen pages show, by address: the same words, whosever they are by now, or else what their
        terms say there. `owners` are the keys of the terms that have the slugs.
        """
        found = {}
        for row in rows:
            key = owners.get(slug_of(row.address), "")
            life = self._lives.get(key)
            entry = _entry(life.term.lanes, row.source, row.first) if life else None
            if entry and digest(entry.definition) == row.words:
                found[row.address] = key, entry
            elif shown := _with_words(row, self._of_name(row.name)) or (entry and (key, entry)):
                found[row.address] = shown
        return found

    def _of_name(self, name: str) -> tuple[Life, ...]:
        return tuple([self._lives[key] for key in self._keys.get(fold(name), ())])

    def _heirs(self, row: Row) -> tuple[str, ...]:
        """The terms of a row's name, where its source has nothing left to tell by."""
        releases = {(row.source, release) for release in (row.first, row.last) if release}
        if releases & self._releases or (not releases and row.source in {source for source, _ in self._releases}):
            return ()
        return self._keys.get(fold(row.name), ())

    @cached_property
    def _releases(self) -> AbstractSet[tuple[str, str]]:
        """(source id, release) of all releases."""
        sources = {lane.source for life in self._lives.values() for lane in life.term.lanes}
        return {(source.id, release.name) for source in sources for release in source.releases}


def keys_by_name(named: Iterable[tuple[str, str]]) -> KeysByName:
    """Takes names, folded, with the keys of the terms that had them."""
    gathered: dict[str, list[str]] = defaultdict(list)
    for name, key in named:
        gathered[name].append(key)
    return {name: tuple(keys) for name, keys in gathered.items()}


def slug_of(address: str) -> str:
    """Returns the slug in an address that begins `/term/`."""
    return address.split("/")[2]


def _candidates(row: Row, lives: Iterable[Life]) -> tuple[Candidate, ...]:
    """The term that its source called so at the row's first release; of homonyms, the one with its words.

    Where that release is gone, the same words under the same name show that a term is still the same, and if they
    are gone as well, what it was called in the row's last release. A term that was published before its first
    release has no such words to be held to.
    """
    lanes = {life.key: life.term.lanes for life in lives}
    for called in (
        _called(row, row.first, lanes),
        (one for one in _ever_called(row, lanes) if digest(one[1].definition) == row.words),
        _called(row, row.last, lanes),
        _ever_called(row, lanes) if not row.first else (),
    ):
        if found := list(called):
            return tuple([_candidate(key, entry, row, is_alone=len(found) == 1) for key, entry in found])
    return ()


def _candidate(key: str, entry: Entry, row: Row, *, is_alone: bool) -> Candidate:
    return Candidate(key, is_alone or digest(entry.definition) == row.words, is_alone or entry.name == row.name)


def _called(row: Row, release: str, lanes: Mapping[str, Iterable[Lane]]) -> Iterator[Called]:
    """What a row's source called so at a release."""
    called = fold(row.name)
    for key, of_term in lanes.items():
        entry = _entry(of_term, row.source, release)
        if entry and fold(entry.name) == called:
            yield key, entry


def _ever_called(row: Row, lanes: Mapping[str, Iterable[Lane]]) -> Iterator[Called]:
    """The same, at any release."""
    called = fold(row.name)
    for key, of_term in lanes.items():
        steps = (step for lane in of_term if lane.source.id == row.source for step in lane.turned)
        for step in steps:
            if step.entry and fold(step.entry.name) == called:
                yield key, step.entry


def _with_words(row: Row, lives: Iterable[Life]) -> Called | None:
    """What a term of the row's name said then, in the same words."""
    named = _called(row, row.first, {life.key: life.term.lanes for life in lives})
    return next((one for one in named if digest(one[1].definition) == row.words), None)


def _entry(lanes: Iterable[Lane], source: str, release: str) -> Entry | None:
    """What a term says in a release of a source."""
    for lane in lanes:
        if lane.source.id == source:
            return lane.at(release)
    return None
