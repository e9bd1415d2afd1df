"""TOML beyond `tomllib`: limits before a document is parsed, the line of each key, and writing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from sitegen.model import TooMuchWorkError

MAX_TOML_SIZE = 1_000_000
"""The maximum number of bytes of a file, or of characters of a text."""
MAX_DEPTH = 32
"""The maximum nesting of arrays and inline tables."""
MAX_PARTS = 16
"""The maximum number of parts of a dotted key. Memory use grows with the square of this number."""
MAX_DIGITS = 60
"""The maximum length of a number. Python rejects integers of more than a few thousand digits."""


KeyPath = tuple[str | int, ...]
"""Keys and numbers of tables, counted from 0: `("source", 1, "format")`."""

NESTING = {"[": 1, "{": 1, "]": -1, "}": -1}
"""How a bracket changes the depth of nesting."""
NUMBER_SIGNS = frozenset("+-0123456789")

KEY = re.compile(r""" "(?:\\.|[^"\\\n])*+"? | '[^'\n]*+'? | [\w+-]++ """, re.VERBOSE)
"""A word, or a text on one line."""
PART = re.compile(
    rf"""
    # A text in three quotes, and a remark.
    \"{{3}} (?: \\[\s\S] | (?!\"{{3}})[\s\S] )*+ (?: \"{{3,5}} )?
  | '{{3}} (?: (?!'{{3}})[\s\S] )*+ (?: '{{3,5}} )?
  | \#[^\n]*
    # A header `[[a.b]]`, a key `a.b =`, or another word.
  | (?P<start> ^[ \t]*+ (?P<brackets> \[{{0,2}}+ ) [ \t]*+ )?
    (?!\"{{3}}|'{{3}}) (?P<keys> (?:{KEY.pattern}) (?: [ \t]*+ \. [ \t]*+ (?:{KEY.pattern}) )*+ )
    (?P<end> [ \t]*+ (?: = | \]{{1,2}} ) )?
    # Another bracket.
  | (?P<bracket> [\[\]{{}}] )
    """,
    re.VERBOSE | re.MULTILINE,
)
"""A part of a document. Only a header and a key have both `start` and `end`."""


class HeaderOrKey(NamedTuple):
    """A header such as `[[source]]`, or a key before a "="."""

    line: int
    brackets: str
    """`[` or `[[` of a header; empty for a key."""
    names: Sequence[str]
    """Its parts: `site` and `title` of `site.title`."""


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """Returns the 1-based lines of the tables and keys of a TOML document. Keys in inline tables
    have no line. Raises TooMuchWorkError.

    >>> key_lines('[[source]]\\nid = "a"')
    {('source',): 1, ('source', 0): 1, ('source', 0, 'id'): 2}
    """
    if len(text) > MAX_TOML_SIZE:
        raise _too_much(f"the file has more than {MAX_TOML_SIZE:,} characters")
    lines: dict[KeyPath, int] = {}
    last_numbers: dict[KeyPath, int] = {}  # of the last table in each array of tables
    table: KeyPath = ()  # the table in which a key is
    for line, brackets, names in _headers_and_keys(text):
        path = () if brackets else table
        for name in names:
            if path in last_numbers:  # `[source.files]` belongs to the last [[source]]
                path = (*path, last_numbers[path])
            path = (*path, name)
            lines.setdefault(path, line)  # a table has the line at which it first occurs
        if brackets == "[[":
            last_numbers[path] = last_numbers.get(path, -1) + 1
            path = (*path, last_numbers[path])
        if brackets:
            table = path
            lines[path] = line  # or that of its own header
    return lines


def _headers_and_keys(text: str) -> Iterator[HeaderOrKey]:
    """Yields the headers and keys of a document that are outside of arrays and inline tables.
    Raises TooMuchWorkError."""
    line, position, depth = 1, 0, 0
    for part in PART.finditer(text):
        line += text.count("\n", position, part.start())
        position = part.start()
        word = part["keys"] or ""
        if word[:1] in NUMBER_SIGNS and len(word) > MAX_DIGITS:
            raise _too_much(f"a number of more than {MAX_DIGITS} digits", line)
        names = KEY.findall(word)
        if len(names) > MAX_PARTS:
            raise _too_much(f"a key of more than {MAX_PARTS} parts", line)

        is_outside = depth == 0  # else it is a line of an array
        brackets, end = part["brackets"] or "", (part["end"] or "").strip()
        other_bracket = part["bracket"] or ""
        # A header has its closing brackets in `end`, so it changes no depth.
        for sign in brackets + end + other_bracket:
            depth = max(depth + NESTING.get(sign, 0), 0)
            if depth > MAX_DEPTH:
                raise _too_much(f"lists or tables nested more than {MAX_DEPTH} deep", line)
        begins_line = part["start"] is not None
        if is_outside and begins_line and end:
            yield HeaderOrKey(line, brackets, [*map(_unquoted, names)])


def _too_much(found: str, line: int = 0) -> TooMuchWorkError:
    """Returns the error for a document with which `tomllib` would take very long, or fail."""
    return TooMuchWorkError(found, "contributing/limits.md has the limits", line=line)


def _unquoted(key: str) -> str:
    """Returns a key without its quotes. One that is no TOML stays as it is: the parser names its
    line."""
    if key[0] in "\"'":
        with suppress(tomllib.TOMLDecodeError):
            key = tomllib.loads(f"key = {key}")["key"]
    return key


def line_of(path: KeyPath, lines: Mapping[KeyPath, int]) -> int:
    """Returns the line of a key, or of the nearest enclosing table in the document; 0 if there is
    none."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


TomlValue = str | int | date | tuple[str, ...] | Mapping[str, str]

MAX_LIST_LINE = 100
"""Longer lists are written with one item per line."""


def table_text(header: str, values: Mapping[str, TomlValue | None]) -> str:
    """Returns the text of a table with its header, `[site]` or `[[source]]`, without empty values.

    >>> print(table_text("[[source]]", {"id": "words", "tags": ("v*",), "head": ""}))
    [[source]]
    id = "words"
    tags = ["v*"]
    <BLANKLINE>
    """
    text = f"{header}\n"
    for key, value in values.items():
        if value:
            text += key_value(key, value)
    return text


def key_value(key: str, value: TomlValue) -> str:
    """Returns a line of a table; several lines for a long list."""
    return f"{_key(key)} = {_value(value)}\n"


def _key(key: str) -> str:
    if re.fullmatch("[A-Za-z0-9_-]+", key):
        return key
    return _value(key)


def _value(value: TomlValue) -> str:
    """Returns a value as it is written in TOML."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        items = [_value(item) for item in value]
        line = f"[{', '.join(items)}]"
        if len(line) <= MAX_LIST_LINE:
            return line
        lines = "".join(f"    {item},\n" for item in items)
        return f"[\n{lines}]"
    if isinstance(value, Mapping):  # An inline table must be on one line.
        pairs = ", ".join(f"{_key(key)} = {_value(text)}" for key, text in value.items())
        return f"{{ {pairs} }}"
    # TOML accepts all JSON escapes; DEL is the only character that must be escaped in TOML but not
    # in JSON.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
