"""Writes JSON without white space, and without escapes of other characters than necessary."""

from __future__ import annotations

import json

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def text(data: object) -> str:
    """Returns data as JSON text."""
    return _ENCODER.encode(data)
