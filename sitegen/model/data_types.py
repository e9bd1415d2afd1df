"""Helpers for the data of all packages: they group values, digest bytes, and write numbers and
lists of names for messages."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

GroupKey = TypeVar("GroupKey")
Value = TypeVar("Value")

DIGEST_SIZE = 16
"""The length of a digest in bytes."""


def grouped(pairs: Iterable[tuple[GroupKey, Value]]) -> dict[GroupKey, tuple[Value, ...]]:
    """Returns the values of each key. Keys and values stay in the order of the pairs."""
    values: dict[GroupKey, list[Value]] = defaultdict(list)
    for key, value in pairs:
        values[key].append(value)
    return {key: tuple(several) for key, several in values.items()}


def digest(*parts: bytes) -> bytes:
    """Returns a short hash of these parts, in this order. Equal digests mean equal contents."""
    hashed = hashlib.sha256()  # Many processors have instructions for SHA-256.
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()[:DIGEST_SIZE]


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun, for messages: `1 address`, `2,000 addresses`."""
    if number != 1:
        noun += "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}"


def first_of(names: Sequence[str], limit: int = 3) -> str:
    """Returns the first names, for messages, and the number of the others: `a, b and 3 more`."""
    first = ", ".join(names[:limit])
    if len(names) <= limit:
        return first
    return f"{first} and {len(names) - limit:,} more"


def and_more(others: Sequence[object]) -> str:
    """Returns the end of a message about the first of several things: " (and 2 more like it)". It
    is empty if there are no others."""
    return f" (and {len(others)} more like it)" if others else ""
