"""Fingerprints: what tells a value of ours from any other, in this run of the program or a later one.

A value is taken apart into lists of plain things, however deep, and these become bytes in one go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter
from types import FunctionType
from typing import Any

from sitegen.model import Entry, Said, Source
from sitegen.model.digests import digest_of
from sitegen.model.terms import Identity, Ids, Lane, Life, Step

PLAIN = frozenset({str, bytes, int, float, bool, type(None)})
"""Kinds that are as they are."""
SHARED = frozenset({Entry, Ids, Life, Said, Source})
"""Kinds of which one value is held by many others: its fingerprint stands for it there."""

Apart = Callable[[Any], Any]
"""Takes a value of a certain kind apart."""


class Fingerprints:
    """The fingerprints of values that nobody changes as long as this is in use."""

    def __init__(self) -> None:
        self._ways = _Ways()

    def of(self, value: object) -> bytes:
        return digest_of(self._ways[type(value)](value))


class _Ways(dict[type, Apart]):
    """How to take values apart, by their kind."""

    def __missing__(self, kind: type) -> Apart:
        self[kind] = self._once(self._found(kind)) if kind in SHARED else self._found(kind)
        return self[kind]

    def _found(self, kind: type) -> Apart:
        if kind in PLAIN:
            return lambda value: value
        if kind is Life:
            return self._life
        if kind is Lane:
            return self._lane
        if kind is Said:
            return _said
        if is_dataclass(kind):
            return self._fields(kind)
        if issubclass(kind, Mapping):
            return lambda mapping: self._each(mapping.items())
        if issubclass(kind, frozenset):
            return lambda several: sorted(map(digest_of, self._each(several)))
        if issubclass(kind, (tuple, list)):
            return self._each
        return _called if issubclass(kind, FunctionType) else repr

    def _fields(self, kind: type) -> Apart:
        values = attrgetter("__class__.__name__", *(field.name for field in fields(kind)))
        # This and `_each` are the same; said twice, because it is done for every entry of every release.
        return lambda value: [one if type(one) in PLAIN else self[type(one)](one) for one in values(value)]

    def _life(self, life: Life) -> list[Any]:
        """What a life is told from: its term, and what that alone does not decide of it (see `history`)."""
        term = life.term
        return [
            term.key,
            [self._lane(lane) for lane in term.lanes],
            [*self._each(term.ties), *term.homonyms],
            [(change.kind, change.source, change.release) for change in life.changes],
            [life.synonym_of, life.replaced_by, *life.also_known_as],
        ]

    def _lane(self, lane: Lane) -> list[Any]:
        """What differs at turns, and where the entries stand at each release."""
        turns = [(number, *self._turn(step)) for number, step in zip(lane.turns, lane.turned, strict=True)]
        places = [(entry.place.path, entry.line) if entry else None for entry in lane.entries]
        return [self[Source](lane.source), turns, places]

    def _turn(self, step: Step) -> tuple[Any, ...]:
        said, name = (_said(step.entry.said), step.entry.place.name) if step.entry else (None, None)
        return step.state, said, name, step.identity and self[Identity](step.identity)

    def _each(self, several: Iterable[object]) -> list[Any]:
        return [one if type(one) in PLAIN else self[type(one)](one) for one in several]

    def _once(self, apart: Apart) -> Apart:
        known: dict[int, tuple[bytes, object]] = {}  # with the value: while that stays, no other one has its id

        def fingerprint(value: object) -> bytes:
            if id(value) not in known:
                known[id(value)] = digest_of(apart(value)), value
            return known[id(value)][0]

        return fingerprint


def _said(said: Said) -> list[Any]:
    made = said.definition
    return [
        [(name.text, name.status) for name in said.designations],
        [made.html, made.text, made.code],
        [(reference.target, reference.text) for reference in made.references],
        [said.section, said.anchors, said.deprecated],
    ]


def _called(function: FunctionType) -> str:
    return function.__qualname__
