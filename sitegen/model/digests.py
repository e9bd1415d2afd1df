"""Digests: short hashes that identify contents."""

from __future__ import annotations

import hashlib
import marshal
from typing import Any

SIZE = 16
"""The length of a digest in bytes."""
FORM = 2
"""The version of the marshal format: from version 3 on, the bytes of equal values can depend on object identity."""


def digest(*parts: bytes) -> bytes:
    """Returns a digest of these parts in this order."""
    hashed = hashlib.sha256()  # Many processors have instructions for SHA-256.
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()[:SIZE]


def digest_of(plain: Any) -> bytes:
    """Returns a digest of plain values: strings, numbers, and tuples and lists of them."""
    return hashlib.sha256(marshal.dumps(plain, FORM)).digest()[:SIZE]
