"""Signs of a format: what stands at the beginning of a line of a text, be it the first."""

from __future__ import annotations

import re


def has_sign(text: str, sign: re.Pattern[str]) -> bool:
    """Returns whether a text has a sign, which is given with the end of the line above it."""
    end = text.find("\n")
    first = text if end < 0 else text[:end]
    # A line end put before all of a long text would copy it, which takes longer than to search it.
    return sign.match(f"\n{first}") is not None or sign.search(text) is not None
