"""Rejects TOML documents that would take `tomllib` too much time or memory, before it parses them."""

from __future__ import annotations

from sitegen.config.toml_lines import tokens

MAX_BYTES = 1_000_000
MAX_DEPTH = 32
"""The maximum nesting of arrays and inline tables."""
MAX_PARTS = 16
"""The maximum number of parts of a dotted key. Memory use grows with the square of this number."""
MAX_DIGITS = 60
"""The maximum length of a number. Python rejects integers of more than a few thousand digits."""
MAX_KEYS = 100_000
MAX_BRACKETS = 50_000
"""Opening brackets: a list has one, and a table such as [[source]] has two."""


def excess(text: str) -> tuple[int, str] | None:
    """Returns the line and description of the first exceeded limit, or None."""
    if len(text) > MAX_BYTES:
        return 0, f"the file has more than {MAX_BYTES:,} characters"
    depth = keys = parts = brackets = 0
    for token in tokens(text):
        parts = parts + 1 if token.text == "." else 0 if token.kind in {"mark", "newline"} else parts
        depth = 0 if token.kind == "newline" and depth < 0 else depth + OPENING.get(token.text, 0)
        keys += token.text == "="
        if parts >= MAX_PARTS:
            return token.line, f"a key of more than {MAX_PARTS} parts"
        if depth > MAX_DEPTH:
            return token.line, f"lists or tables nested more than {MAX_DEPTH} deep"
        if token.kind == "bare" and len(token.text) > MAX_DIGITS and token.text[0] in "+-0123456789":
            return token.line, f"a number of more than {MAX_DIGITS} digits"
        if keys > MAX_KEYS:
            return token.line, f"more than {MAX_KEYS:,} keys"
        brackets += token.text == "["
        if brackets > MAX_BRACKETS:
            return token.line, f"more than {MAX_BRACKETS:,} brackets of tables and lists"
    return None


OPENING = {"[": 1, "{": 1, "]": -1, "}": -1}
