"""Formats TOML tables as text that people can read and edit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date

Value = str | int | date | tuple[str, ...] | Mapping[str, str]

WIDTH = 100
"""Longer lists are written with one item per line."""


def table(header: str, values: Mapping[str, Value | None]) -> str:
    """Returns a table with its header, `[site]` or `[[source]]`; empty values are left out."""
    lines = (f"{_key(key)} = {_value(value)}\n" for key, value in values.items() if value)
    return f"{header}\n{''.join(lines)}"


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _text(key)


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, tuple):
        return _list(value)
    # An inline table must be on one line.
    return "{ " + ", ".join(f"{_key(key)} = {_text(text)}" for key, text in value.items()) + " }"


def _list(items: Iterable[str]) -> str:
    texts = [_text(item) for item in items]
    line = f"[{', '.join(texts)}]"
    return line if len(line) <= WIDTH else "[\n" + "".join(f"    {text},\n" for text in texts) + "]"


def _text(text: str) -> str:
    # TOML accepts all JSON escapes; DEL is the only character that must be escaped in TOML but not in JSON.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
