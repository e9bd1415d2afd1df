"""Finds the line of each key of a TOML document, which `tomllib` does not report.

It only supports documents that `tomllib` has accepted, and does not validate the tokens again.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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
    walk = _Walk(tuple(tokens(text)))
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


class _Walk:
    """One pass over the tokens. Each method continues at the current token."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.tokens = tokens
        self.place = 0
        self.lines: dict[KeyPath, int] = {}
        self.tables: dict[KeyPath, int] = {}
        """The number of tables so far in each array of tables."""

    def document(self) -> None:
        table: KeyPath = ()
        while self.place < len(self.tokens):
            if self._take("\n"):
                continue
            if self._take("["):
                table = self._header(double=self._take("["))
            else:
                self._pair(table)

    def _take(self, mark: str) -> bool:
        """Skips the current token and returns True if it is this mark. Strings never match: they have quotes."""
        taken = self.tokens[self.place].text == mark
        self.place += taken
        return taken

    def _header(self, *, double: bool) -> KeyPath:
        line = self.tokens[self.place].line
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
            token = self.tokens[self.place]
            if token.kind != "mark":
                keys.append(tomllib.loads(f"key = {token.text}")["key"] if token.kind == "string" else token.text)
            self.place += 1
        return keys

    def _pair(self, table: KeyPath) -> None:
        line = self.tokens[self.place].line
        path = table
        for key in self._keys(until="="):
            path = (*path, key)
            self.lines.setdefault(path, line)
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        if self._take("["):
            self._items(path)
        elif self._take("{"):
            while not self._take("}"):
                if not (self._take(",") or self._take("\n")):
                    self._pair(path)
        else:
            while self.tokens[self.place].text not in {",", "]", "}", "\n"}:
                self.place += 1

    def _items(self, path: KeyPath) -> None:
        item = 0
        while not self._take("]"):
            if not (self._take(",") or self._take("\n")):
                self.lines[(*path, item)] = self.tokens[self.place].line
                self._value((*path, item))
                item += 1
