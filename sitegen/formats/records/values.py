"""Parses YAML and JSON into values with line numbers.

Neither parser runs code or expands anything: an alias in YAML becomes the same object as its value, not a copy.
Values nested deeper than `MAX_DEPTH` are refused, so that code which reads them may use recursion.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import yaml

from sitegen.formats.common.entries import too_many
from sitegen.model import Document

MAX_DEPTH = 60
MAX_ALIASES = 10_000
VALUES_OF_AN_ENTRY = 10
"""The number of values for each entry of the document's limit."""


class RecordText(NamedTuple):
    line: int
    text: str


class Sequence(NamedTuple):
    line: int
    items: list[RecordValue]


class RecordField(NamedTuple):
    line: int
    key: str
    value: RecordValue


class Mapping(NamedTuple):
    line: int
    fields: list[RecordField]


RecordValue = RecordText | Sequence | Mapping


class DamagedError(Exception):
    """The text cannot be parsed from a line on."""

    def __init__(self, line: int, found: str) -> None:
        super().__init__(found)
        self.line = line
        self.found = found


class _Builder:
    """Builds values from the events of a parser."""

    def __init__(self, document: Document) -> None:
        self.roots: list[RecordValue] = []
        self._document = document
        self._left = document.max_entries * VALUES_OF_AN_ENTRY
        self._open: list[Sequence | Mapping] = []
        self._keys: list[RecordText | None] = []
        """For each open mapping, the key whose value follows; None where a key is expected."""

    def add(self, value: RecordValue) -> None:
        self._left -= 1
        if self._left < 0:
            raise too_many(self._document, "values", VALUES_OF_AN_ENTRY)
        if not self._open:
            self.roots.append(value)
        elif isinstance(around := self._open[-1], Sequence):
            around.items.append(value)
        elif (key := self._keys[-1]) is None:
            self._keys[-1] = value if isinstance(value, RecordText) else RecordText(value.line, "")
        else:
            around.fields.append(RecordField(key.line, key.text, value))
            self._keys[-1] = None

    def open(self, value: Sequence | Mapping) -> None:
        if len(self._open) == MAX_DEPTH:
            raise DamagedError(value.line, f"values are nested more than {MAX_DEPTH} deep")
        self.add(value)
        self._open.append(value)
        self._keys.append(None)

    def close(self, line: int) -> RecordValue:
        if not self._open:
            raise DamagedError(line, "a bracket that nothing opens")
        self._keys.pop()
        return self._open.pop()

    def root(self) -> RecordValue:
        """Returns the document; if the file has several, a sequence of them."""
        return self.roots[0] if len(self.roots) == 1 else Sequence(1, self.roots)


def parse_yaml(document: Document) -> RecordValue:
    """Returns the value of a YAML text. Raises `DamagedError`, and TooMuchWorkError for too many values."""
    builder = _Builder(document)
    anchors: dict[str, RecordValue] = {}
    aliases = 0
    try:
        for event in yaml.parse(document.text, Loader=yaml.CBaseLoader):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.CollectionEndEvent):
                builder.close(line)
                continue
            if isinstance(event, yaml.AliasEvent):
                aliases += 1
                if aliases > MAX_ALIASES:
                    raise DamagedError(line, f"more than {MAX_ALIASES:,} aliases")
                builder.add(anchors.get(str(event.anchor), RecordText(line, "")))
                continue
            value: RecordValue
            if isinstance(event, yaml.ScalarEvent):
                value = RecordText(
                    line, "" if event.implicit[0] and event.value in ("null", "~", "Null") else event.value
                )
                builder.add(value)
            elif isinstance(event, yaml.SequenceStartEvent):
                builder.open(value := Sequence(line, []))
            elif isinstance(event, yaml.MappingStartEvent):
                builder.open(value := Mapping(line, []))
            else:
                continue
            if event.anchor:
                anchors[event.anchor] = value
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DamagedError(line, f"this is no YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise DamagedError(1, f"this is no YAML: {str(error).splitlines()[0]}") from None
    return builder.root()


TOKEN = re.compile(r'[ \t\r\n]*(?:([\[\]{}])|([:,])|("(?:[^"\\\n]++|\\.)*+")|([^\s\[\]{}:,"]+))')


def parse_json(document: Document) -> RecordValue:
    """Returns the value of a JSON text. Raises `DamagedError`, and TooMuchWorkError for too many values.

    Commas and colons are not checked, because files written by hand often have one too many, or lack a value.
    """
    builder, text = _Builder(document), document.text
    closing = []
    line, past, end = 1, 0, len(text.rstrip())
    while past < end:
        token = TOKEN.match(text, past)
        if token is None:
            raise DamagedError(line + text.count("\n", past, _next(text, past)), "this is no JSON from here on")
        start = token.start(token.lastindex or 0)
        line += text.count("\n", past, start)
        past = token.end()
        bracket, _, quoted, word = token.groups()
        if bracket in ("{", "["):
            builder.open(Mapping(line, []) if bracket == "{" else Sequence(line, []))
            closing.append("}" if bracket == "{" else "]")
        elif bracket:
            if not closing or closing.pop() != bracket:
                raise DamagedError(line, f"'{bracket}' closes nothing here")
            builder.close(line)
        elif quoted:
            builder.add(RecordText(line, _unquoted(quoted, line)))
        elif word:
            builder.add(RecordText(line, "" if word == "null" else word))
    if closing or not builder.roots:
        raise DamagedError(line, f"the file ends, and '{closing[-1] if closing else '{'}' is missing")
    return builder.root()


def _next(text: str, past: int) -> int:
    return past + len(text[past:]) - len(text[past:].lstrip())


def _unquoted(quoted: str, line: int) -> str:
    if "\\" not in quoted:
        return quoted[1:-1]
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        raise DamagedError(line, "an escape that JSON does not have") from None
