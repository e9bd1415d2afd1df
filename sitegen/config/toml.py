"""TOML beyond `tomllib`: limits before a document is parsed, the line of each key, and writing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

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


KeyPath = tuple[str | int, ...]
"""Keys and array indexes, counted from 0: `("source", 1, "format")`."""

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
    kind: str
    text: str
    line: int


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """Returns the 1-based line of every key, table and array item of a valid TOML document."""
    walk = _KeyLines(tuple(tokens(text)))
    walk.document()
    return walk.lines


def line_of(path: KeyPath, lines: Mapping[KeyPath, int]) -> int:
    """Returns the line of a key, or of the nearest enclosing table in the document; 0 if there is none."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def tokens(text: str) -> Iterator[Token]:
    """Yields the tokens of a document without whitespace and comments. Skips what is not a token."""
    line = 1
    for match in TOKEN.finditer(text):
        if match.lastgroup != "blank":
            yield Token(match.lastgroup or "", match[0], line)
        line += match[0].count("\n")
    yield Token("newline", "\n", line)


class _KeyLines:
    """One pass over the tokens. Each method continues at the current token."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.tokens = tokens
        self.position = 0
        self.lines: dict[KeyPath, int] = {}
        self.tables: dict[KeyPath, int] = {}
        """The number of tables so far in each array of tables."""

    def document(self) -> None:
        table: KeyPath = ()
        while self.position < len(self.tokens):
            if self._take("\n"):
                continue
            if self._take("["):
                table = self._header(double=self._take("["))
            else:
                self._pair(table)

    def _take(self, mark: str) -> bool:
        """Skips the current token and returns True if it is this mark. Strings never match: they have quotes."""
        is_mark = self.tokens[self.position].text == mark
        self.position += is_mark
        return is_mark

    def _header(self, *, double: bool) -> KeyPath:
        line = self.tokens[self.position].line
        *outer, last = self._keys(until="]")
        path: KeyPath = ()
        for key in outer:
            path = self._newest((*path, key))
        path = (*path, last)
        if double:
            self.lines.setdefault(path, line)
            self.tables[path] = self.tables.get(path, 0) + 1
            path = self._newest(path)
            self._take("]")
        self.lines[path] = line
        return path

    def _newest(self, path: KeyPath) -> KeyPath:
        return (*path, self.tables[path] - 1) if path in self.tables else path

    def _keys(self, *, until: str) -> list[str]:
        keys = []
        while not self._take(until):
            token = self.tokens[self.position]
            if token.kind != "mark":
                keys.append(tomllib.loads(f"key = {token.text}")["key"] if token.kind == "string" else token.text)
            self.position += 1
        return keys

    def _pair(self, table: KeyPath) -> None:
        line = self.tokens[self.position].line
        path = table
        for key in self._keys(until="="):
            path = (*path, key)
            self.lines.setdefault(path, line)
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        if self._take("["):
            number = 0
            while not self._take("]"):
                if not (self._take(",") or self._take("\n")):
                    self.lines[(*path, number)] = self.tokens[self.position].line
                    self._value((*path, number))
                    number += 1
        elif self._take("{"):
            while not self._take("}"):
                if not (self._take(",") or self._take("\n")):
                    self._pair(path)
        else:
            while self.tokens[self.position].text not in {",", "]", "}", "\n"}:
                self.position += 1


TomlValue = str | int | date | tuple[str, ...] | Mapping[str, str]

WIDTH = 100
"""Longer lists are written with one item per line."""


def table(header: str, values: Mapping[str, TomlValue | None]) -> str:
    """Returns a table with its header, `[site]` or `[[source]]`; empty values are left out."""
    return f"{header}\n{''.join(key_value(key, value) for key, value in values.items() if value)}"


def key_value(key: str, value: TomlValue) -> str:
    """Returns a line of a table; several lines for a long list."""
    return f"{_key(key)} = {_value(value)}\n"


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: TomlValue) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        items = [_value(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= WIDTH else "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    if isinstance(value, Mapping):  # An inline table must be on one line.
        return "{ " + ", ".join(f"{_key(key)} = {_value(text)}" for key, text in value.items()) + " }"
    # TOML accepts all JSON escapes; DEL is the only character that must be escaped in TOML but not in JSON.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
