"""TOML beyond `tomllib`: limits before a document is parsed, the line of each key, and writing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

MAX_TOML_SIZE = 1_000_000
"""Bytes of a file, or characters of a text."""
MAX_DEPTH = 32
"""The maximum nesting of arrays and inline tables."""
MAX_PARTS = 16
"""The maximum number of parts of a dotted key. Memory use grows with the square of this number."""
MAX_DIGITS = 60
"""The maximum length of a number. Python rejects integers of more than a few thousand digits."""


def excess(text: str) -> tuple[int, str] | None:
    """Returns the line at which a text first exceeds a limit, and a description; else None. Beyond
    the limits, `tomllib` takes very long, or fails."""
    if len(text) > MAX_TOML_SIZE:
        return 0, f"the file has more than {MAX_TOML_SIZE:,} characters"
    depth = dots_in_key = 0
    for token in tokens(text):
        depth += NESTING.get(token.text, 0)
        if token.kind == "newline":
            depth = max(depth, 0)  # a stray bracket closes nothing below it
        if token.text == ".":
            dots_in_key += 1
        elif token.kind in ("mark", "newline"):
            dots_in_key = 0
        is_number = token.kind == "bare" and token.text[0] in "+-0123456789"

        if dots_in_key >= MAX_PARTS:
            return token.line, f"a key of more than {MAX_PARTS} parts"
        if depth > MAX_DEPTH:
            return token.line, f"lists or tables nested more than {MAX_DEPTH} deep"
        if is_number and len(token.text) > MAX_DIGITS:
            return token.line, f"a number of more than {MAX_DIGITS} digits"
    return None


NESTING = {"[": 1, "{": 1, "]": -1, "}": -1}
"""How a bracket changes the depth of nesting."""

KeyPath = tuple[str | int, ...]
"""Keys and numbers of tables, counted from 0: `("source", 1, "format")`."""

TOKEN = re.compile(
    r"""
    (?P<blank> [ \t\r]+ | \#[^\n]* )
  | (?P<newline> \n )
  | (?P<string> \"{3} (?: \\[\s\S] | (?!\"{3})[\s\S] )*+ (?: \"{3,5} )?
              | '{3} (?: (?!'{3})[\s\S] )*+ (?: '{3,5} )?
              | " (?: \\. | [^"\\\n] )*+ "?
              | ' [^'\n]*+ '? )
  | (?P<mark> [\[\]{}=,.] )
  | (?P<bare> [^\s\[\]{}=,.\#"']+ )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a document that is not white space."""

    kind: str
    """The name of a group of `TOKEN`."""
    text: str
    line: int


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """Returns the 1-based lines of the tables and keys of a valid TOML document. Keys in inline
    tables have no line.

    >>> key_lines('[[source]]\\nid = "a"')
    {('source',): 1, ('source', 0): 1, ('source', 0, 'id'): 2}
    """
    lines: dict[KeyPath, int] = {}
    last_numbers: dict[KeyPath, int] = {}  # of the last table in each array of tables
    table: KeyPath = ()  # the table in which a key is
    for statement in _statements(text):
        is_header = statement.brackets > 0
        path = () if is_header else table
        for key in statement.keys:
            if path in last_numbers:  # `[source.files]` belongs to the last [[source]]
                path = (*path, last_numbers[path])
            path = (*path, key)
            lines.setdefault(path, statement.line)  # a table has the line at which it first occurs

        starts_table_in_array = statement.brackets == 2
        if starts_table_in_array:
            number = 0
            if path in last_numbers:
                number = last_numbers[path] + 1
            last_numbers[path] = number
            path = (*path, number)
        if is_header:
            table = path
            lines[path] = statement.line  # or that of its own header
    return lines


class TomlStatement(NamedTuple):
    """The header of a table, or a key with its value."""

    line: int
    brackets: int
    """1 for `[site]`, 2 for `[[source]]`, 0 for a key."""
    keys: Sequence[str]
    """Those of a dotted key in their order: `theme` and `logo` of `theme.logo`."""


def _statements(text: str) -> Iterator[TomlStatement]:
    """Yields the headers and keys of a document."""
    statement: list[Token] = []
    depth = 0
    for token in tokens(text):
        depth += NESTING.get(token.text, 0)
        if token.kind != "newline":
            statement.append(token)
        elif depth == 0 and statement:
            yield _statement(statement)
            statement = []


def _statement(parts: Sequence[Token]) -> TomlStatement:
    """Returns the header or the key that these tokens form."""
    first, second, *_ = parts
    brackets = 0
    if first.text == "[":
        brackets = 1
        if second.text == "[":
            brackets = 2
    keys = []
    for token in parts[brackets:]:
        is_end_of_keys = token.text in {"]", "="}
        if is_end_of_keys:
            break
        if token.kind == "string":
            keys.append(tomllib.loads(f"key = {token.text}")["key"])
        elif token.kind == "bare":
            keys.append(token.text)
    return TomlStatement(first.line, brackets, keys)


def line_of(path: KeyPath, lines: Mapping[KeyPath, int]) -> int:
    """Returns the line of a key, or of the nearest enclosing table in the document; 0 if there is
    none."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def tokens(text: str) -> Iterator[Token]:
    """Yields the tokens of a document without whitespace and comments. Skips what is not a
    token."""
    line = 1
    for match in TOKEN.finditer(text):
        if match.lastgroup != "blank":
            yield Token(match.lastgroup or "", match[0], line)
        line += match[0].count("\n")
    yield Token("newline", "\n", line)  # the last line may have none


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
