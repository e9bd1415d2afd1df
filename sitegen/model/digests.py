"""Digests: a few bytes that tell contents from any others."""

from __future__ import annotations

import hashlib
import marshal
from typing import Any

SIZE = 16
"""Bytes of a digest."""
FORM = 2
"""The last of marshal's forms in which equal values are equal bytes, whether or not they are the same object."""


def digest(*parts: bytes) -> bytes:
    """Returns what tells these parts, in this order, from any others."""
    hashed = hashlib.sha256()  # for which processors have instructions of their own
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()[:SIZE]


def digest_of(plain: Any) -> bytes:
    """Returns what tells plain values, such as texts, and tuples and lists of them, from any others."""
    return hashlib.sha256(marshal.dumps(plain, FORM)).digest()[:SIZE]
