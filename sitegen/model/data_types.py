"""What the data types of all packages have in common: how they are made, digested, counted and grouped."""

from __future__ import annotations

import hashlib
import marshal
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
Key = TypeVar("Key")
Value = TypeVar("Value")

DIGEST_SIZE = 16
"""The length of a digest in bytes."""
MARSHAL_VERSION = 2
"""From version 3 on, the bytes of equal values can depend on object identity."""


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, tuple[Value, ...]]:
    """Returns the values of each key, both in their order."""
    values: dict[Key, list[Value]] = defaultdict(list)
    for key, value in pairs:
        values[key].append(value)
    return {key: tuple(several) for key, several in values.items()}


def digest(*parts: bytes) -> bytes:
    """Returns a digest of these parts in this order: a short hash that identifies contents."""
    hashed = hashlib.sha256()  # Many processors have instructions for SHA-256.
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()[:DIGEST_SIZE]


def digest_of(plain: Any) -> bytes:
    """Returns a digest of plain values: strings, numbers, and tuples and lists of them."""
    return hashlib.sha256(marshal.dumps(plain, MARSHAL_VERSION)).digest()[:DIGEST_SIZE]


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun, for messages: `1 address`, `2,000 addresses`."""
    ending = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{ending}"


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def immutable(cls: type[T]) -> type[T]:
    """Makes a class a dataclass whose fields are given by name and do not change. Equal values have the same hash.

    The type checker refuses a change; at run time nothing does. A small build defines a hundred classes, and methods
    that are made for each of them take longer than the rest. Values have slots if no property is cached.
    """
    own = vars(cls)
    slots = not any(isinstance(one, cached_property) for one in own.values())
    made = dataclass(slots=slots, kw_only=True, repr=False, eq=False)(cls)
    compared = [one for one in fields(made) if one.compare]  # type: ignore[arg-type]
    values = attrgetter("__class__", *(one.name for one in compared))
    hashed = attrgetter("__class__", *(one.name for one in compared if one.hash is not False))

    def is_equal(one: object, other: object) -> bool:
        return values(one) == values(other) if type(one) is type(other) else NotImplemented

    made.__repr__ = own.get("__repr__", _repr)  # type: ignore[method-assign]
    made.__hash__ = own.get("__hash__", lambda one: hash(hashed(one)))  # type: ignore[method-assign]
    made.__eq__ = own.get("__eq__", is_equal)  # type: ignore[method-assign]
    return made


def _repr(value: Any) -> str:
    shown = (f"{one.name}={getattr(value, one.name)!r}" for one in fields(value) if one.repr)
    return f"{type(value).__qualname__}({', '.join(shown)})"
