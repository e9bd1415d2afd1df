"""What a part of the site was made from: each look-up is noted while it is made.

Pages look everything up in a `Site`, and in what was looked up once for all of them, and in nothing else. Here both
are given again, with every mapping and sequence in them noting what it is asked for. As long as the same questions
have the same answers, the part is the same; whoever made it need not say, and cannot forget, what it depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, TypeVar, overload

from sitegen.fingerprints import Fingerprints

Key = str | tuple[str, ...] | None
"""What was asked for; None: all that there is."""
Note = tuple[str, Key]
"""Which mapping or sequence was asked, and for what."""

NOTHING = ""
"""The answer to what is not there."""

T = TypeVar("T")


def notes_of(data: Iterable[Sequence[Any]]) -> list[Note]:
    """Returns notes from what they became as JSON."""
    return [(name, tuple(key) if isinstance(key, list) else key) for name, key in data]


class Trace:
    """The notes on values that belong together, which are given as `traced`."""

    def __init__(self) -> None:
        self._notes: dict[Note, None] = {}
        self._asked: dict[str, Any] = {}
        self._answers: dict[Note, str] = {}
        self._settled: list[object] = []
        self._fingerprints = Fingerprints()

    def traced(self, value: T, **others: object) -> T:
        """Returns a dataclass whose mappings and sequences note what they are asked for.

        What it derives from itself is derived beforehand. `others` are fields that are traced already.
        """
        own = [field.name for field in fields(value) if field.name not in others]  # type: ignore[arg-type]
        copy: T = replace(value, **{name: self._attribute(value, name) for name in own}, **others)  # type: ignore[type-var]
        vars(copy).update({name: self._attribute(value, name) for name in _derived(type(value))})
        return copy

    def noting(self, mapping: Mapping[str, T], name: str) -> Mapping[str, T]:
        """Returns a mapping that notes what it is asked for, under a name of its own; of an empty one, only that."""
        self._asked[name] = mapping
        note = self._note_in(name)
        return _NotingMapping(mapping, note if mapping else lambda key: note(None))

    def taken(self) -> list[Note]:
        """Returns what was noted since this was last asked, each question once."""
        notes = list(self._notes)
        self._notes.clear()
        return notes

    def answer(self, note: Note) -> str:
        """Returns what tells the answer to a question from any other."""
        if note not in self._answers:
            name, key = note
            asked = self._asked[name]
            found = asked if key is None else asked.get(key)
            is_there = key is None or found is not None or key in asked
            self._answers[note] = self._fingerprints.of(found) if is_there else NOTHING
        return self._answers[note]

    @cached_property
    def settled(self) -> str:
        """What tells apart all that is neither a mapping nor a sequence: every part depends on it."""
        return self._fingerprints.of(self._settled)

    def _attribute(self, owner: object, attribute: str) -> object:
        value, name = getattr(owner, attribute), f"{type(owner).__name__}.{attribute}"
        if isinstance(value, Mapping):
            return self.noting(value, name)
        if isinstance(value, tuple):
            self._asked[name] = value
            return _NotingSequence(value, self._note_in(name))
        self._settled.append(value)
        return value

    def _note_in(self, name: str) -> Callable[[Key], object]:
        return lambda key: self._notes.setdefault((name, key))


def _derived(kind: type) -> Iterator[str]:
    """The attributes that a value works out once, from its fields."""
    return (name for name, attribute in vars(kind).items() if isinstance(attribute, cached_property))


class _NotingMapping(Mapping[Any, Any]):
    __slots__ = ("_mapping", "_note")

    def __init__(self, mapping: Mapping[Any, Any], note: Callable[[Key], object]) -> None:
        self._mapping = mapping
        self._note = note

    def __getitem__(self, key: Any) -> Any:
        self._note(key)
        return self._mapping[key]

    def get(self, key: Any, default: Any = None) -> Any:
        self._note(key)
        return self._mapping.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._note(key)  # type: ignore[arg-type]
        return key in self._mapping

    def __iter__(self) -> Iterator[Any]:
        self._note(None)
        return iter(self._mapping)

    def __len__(self) -> int:
        self._note(None)
        return len(self._mapping)


class _NotingSequence(Sequence[Any]):
    __slots__ = ("_note", "_sequence")

    def __init__(self, sequence: Sequence[Any], note: Callable[[Key], object]) -> None:
        self._sequence = sequence
        self._note = note

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        self._note(None)
        return self._sequence[place]

    def __len__(self) -> int:
        self._note(None)
        return len(self._sequence)
