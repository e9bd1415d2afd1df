"""What the data types of all packages have in common: how they are made, digested, counted and
grouped."""

from __future__ import annotations

import hashlib
import marshal
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, TypeVar

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
