"""What a part of the site was made from: each look-up is noted while it is made.

Pages look everything up in a `Site`, and in what was looked up once for all of them, and in nothing else. Here both
are given again, with every mapping and sequence in them noting what it is asked for. As long as the same questions
have the same answers, the part is the same; whoever made it need not say, and cannot forget, what it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, TypeVar, overload

from sitegen.build.fingerprints import Fingerprints
from sitegen.model.digests import digest_of

Key = str | tuple[str, ...] | None
"""What was asked for; None: all that there is."""
Notes = dict[str, list[Key]]
"""Which mappings and sequences were asked, each by its name, and for what."""
Answer = str | bytes | None
"""A text, as it is; what tells anything else; None where there is nothing."""

T = TypeVar("T")


def notes_of(data: Mapping[str, Iterable[Any]]) -> Notes:
    """Returns notes from what they became as JSON."""
    return {name: [tuple(key) if isinstance(key, list) else key for key in keys] for name, keys in data.items()}


class Trace:
    """The notes on values that belong together, which are given as `traced`."""

    def __init__(self) -> None:
        self._notes: dict[str, dict[Key, None]] = {}
        self._answers: dict[str, _Answers] = {}
        self._settled: list[object] = []
        self._fingerprints = Fingerprints()

    def traced(self, value: T, *settled: str, **others: object) -> T:
        """Returns a dataclass whose mappings and sequences note what they are asked for.

        What it derives from itself is derived beforehand. What is `settled` every part depends on, whether it asks
        or not. `others` are fields that are traced already.
        """
        own = [field.name for field in fields(value) if field.name not in others]  # type: ignore[arg-type]
        copy: T = replace(value, **{name: self._attribute(value, name, settled) for name in own}, **others)  # type: ignore[type-var]
        vars(copy).update({name: self._attribute(value, name, settled) for name in _derived(type(value))})
        return copy

    def noting(self, mapping: Mapping[str, T], name: str) -> Mapping[str, T]:
        """Returns a mapping that notes what it is asked for, under a name of its own; of an empty one, only that."""
        notes = self._notes_on(mapping, name)
        return _NotingMapping(mapping, notes) if mapping else _NotingEmpty(mapping, notes)

    def taken(self) -> Notes:
        """Returns what was noted since this was last asked, each question once."""
        notes = {name: list(keys) for name, keys in self._notes.items() if keys}
        for name in notes:
            self._notes[name].clear()
        return notes

    def told(self, notes: Notes) -> str:
        """Returns what tells the answers to questions, and all that nobody has to ask for, from any others."""
        answers: list[Answer] = [self._told_always]
        for name, keys in notes.items():
            answers += map(self._answers[name].__getitem__, keys)
        return digest_of(answers).hex()

    @cached_property
    def _told_always(self) -> bytes:
        """What tells apart all that is neither a mapping nor a sequence: every part depends on it."""
        return self._fingerprints.of(self._settled)

    def _attribute(self, owner: object, attribute: str, settled: Sequence[str]) -> object:
        value, name = getattr(owner, attribute), f"{type(owner).__name__}.{attribute}"
        if attribute not in settled and isinstance(value, Mapping):
            return self.noting(value, name)
        if attribute not in settled and isinstance(value, tuple):
            return _NotingSequence(value, self._notes_on(value, name))
        self._settled.append(value)
        return value

    def _notes_on(self, asked: object, name: str) -> dict[Key, None]:
        self._answers[name] = _Answers(asked, self._fingerprints)
        return self._notes.setdefault(name, {})


class _Answers(dict[Key, Answer]):
    """What tells the answers of a mapping or a sequence, by what it was asked for."""

    def __init__(self, asked: Any, fingerprints: Fingerprints) -> None:
        super().__init__()
        self._asked = asked
        self._fingerprints = fingerprints

    def __missing__(self, key: Key) -> Answer:
        self[key] = answer = self._answer(key)
        return answer

    def _answer(self, key: Key) -> Answer:
        found = self._asked if key is None else self._asked.get(key)
        if type(found) is str:
            return found
        is_there = key is None or found is not None or key in self._asked
        return self._fingerprints.of(found) if is_there else None


def _derived(kind: type) -> Iterator[str]:
    """The attributes that a value works out once, from its fields."""
    return (name for name, attribute in vars(kind).items() if isinstance(attribute, cached_property))


class _NotingMapping(Mapping[Any, Any]):
    __slots__ = ("_mapping", "_notes")

    def __init__(self, mapping: Mapping[Any, Any], notes: dict[Key, None]) -> None:
        self._mapping = mapping
        self._notes = notes

    def __getitem__(self, key: Any) -> Any:
        self._notes[key] = None
        return self._mapping[key]

    def get(self, key: Any, default: Any = None) -> Any:
        self._notes[key] = None
        return self._mapping.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._notes[key] = None  # type: ignore[index]
        return key in self._mapping

    def __iter__(self) -> Iterator[Any]:
        self._notes[None] = None
        return iter(self._mapping)

    def __len__(self) -> int:
        self._notes[None] = None
        return len(self._mapping)


class _NotingEmpty(_NotingMapping):
    """Whatever is asked for, the answer is that there is nothing."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        self._notes[None] = None
        raise KeyError(key)

    def get(self, key: Any, default: Any = None) -> Any:
        self._notes[None] = None
        return default

    def __contains__(self, key: object) -> bool:
        self._notes[None] = None
        return False


class _NotingSequence(Sequence[Any]):
    __slots__ = ("_notes", "_sequence")

    def __init__(self, sequence: Sequence[Any], notes: dict[Key, None]) -> None:
        self._sequence = sequence
        self._notes = notes

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        self._notes[None] = None
        return self._sequence[place]

    def __len__(self) -> int:
        self._notes[None] = None
        return len(self._sequence)
