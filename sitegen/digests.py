"""Digests: a few bytes that tell contents from any others."""

from __future__ import annotations

import hashlib

SIZE = 16
"""Bytes of a digest."""


def digest(*parts: bytes) -> bytes:
    """Returns what tells these parts, in this order, from any others."""
    hashed = hashlib.sha256()  # for which processors have instructions of their own
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()[:SIZE]
