"""The values of a YAML or JSON text, with their lines: records of terms, or front matter.

JSON is YAML, but for tabs between values and for characters that are written as two halves. The
parser runs no code and expands nothing: an alias becomes the same object as its value, not a copy.
Values nested deeper than `MAX_DEPTH` are refused, so that code which reads them may use recursion.
"""

from __future__ import annotations

import json
import re
from itertools import count
from typing import NamedTuple

from sitegen.formats.common.columns import folded_title
from sitegen.formats.common.entries import too_many
from sitegen.model import Document, ProblemKind, UnreadableError

MAX_ALIASES = 10_000
JSON_OPENING = re.compile(r"\s*[{\[]")
HALVES = re.compile(r"(?<!\\)(?:\\u[dD][89a-fA-F][0-9a-fA-F]{2}){1,2}")
MAX_DEPTH = 60
VALUES_OF_AN_ENTRY = 10
"""The number of values for each entry of the document's limit."""


class RecordText(NamedTuple):
    line: int
    text: str


class RecordList(NamedTuple):
    line: int
    items: list[RecordValue]


class RecordField(NamedTuple):
    line: int
    key: str
    value: RecordValue

    @property
    def title(self) -> str:
        return folded_title(self.key)


class Record(NamedTuple):
    """A mapping of keys to values."""

    line: int
    fields: list[RecordField]

    def get(self, key: str) -> RecordValue | None:
        """Returns the first value of a key."""
        for field in self.fields:
            if field.key == key:
                return field.value
        return None


RecordValue = RecordText | RecordList | Record


class _Builder:
    """Builds values from the events of the parser. Raises UnreadableError for too many values, or
    too deep ones."""

    def __init__(self, document: Document) -> None:
        self._roots: list[RecordValue] = []
        self._document = document
        self._values_left = document.max_entries * VALUES_OF_AN_ENTRY
        self._open: list[RecordList | Record] = []
        self._keys: list[RecordText | None] = []
        """For each open value, the key whose value follows; None where a key is expected."""

    def add(self, value: RecordValue) -> None:
        self._values_left -= 1
        if self._values_left < 0:
            raise too_many(self._document, "values", VALUES_OF_AN_ENTRY)
        if not self._open:
            self._roots.append(value)
        elif isinstance(container := self._open[-1], RecordList):
            container.items.append(value)
        elif (key := self._keys[-1]) is None:
            if not isinstance(value, RecordText):
                value = RecordText(value.line, "")
            self._keys[-1] = value
        else:
            container.fields.append(RecordField(key.line, key.text, value))
            self._keys[-1] = None

    def open(self, value: RecordList | Record) -> None:
        if len(self._open) == MAX_DEPTH:
            found = f"values are nested more than {MAX_DEPTH} deep"
            raise UnreadableError(found, kind=ProblemKind.LIMIT, line=value.line)
        self.add(value)
        self._open.append(value)
        self._keys.append(None)

    def close(self) -> None:
        self._keys.pop()
        self._open.pop()

    def root(self) -> RecordValue | None:
        """Returns the value of the text; a list if there are several, None if there is none."""
        if len(self._roots) > 1:
            return RecordList(1, self._roots)
        return next(iter(self._roots), None)


def value_of(document: Document) -> RecordValue:
    """Returns the value of a YAML or JSON text. Raises UnreadableError."""
    import yaml  # few documents need it

    builder = _Builder(document)
    anchors: dict[str, RecordValue] = {}
    aliases = count(1)
    source = document.text
    if JSON_OPENING.match(source):
        source = HALVES.sub(_character, source.replace("\t", " "))
    try:
        for event in yaml.parse(source, Loader=yaml.CBaseLoader):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.CollectionEndEvent):
                builder.close()
            elif isinstance(event, yaml.AliasEvent):
                if next(aliases) > MAX_ALIASES:
                    found = f"more than {MAX_ALIASES:,} aliases"
                    raise UnreadableError(found, kind=ProblemKind.LIMIT, line=line)
                builder.add(anchors.get(str(event.anchor), RecordText(line, "")))
            elif isinstance(event, yaml.ScalarEvent):
                is_null = event.implicit[0] and event.value in ("null", "~", "Null")
                text = RecordText(line, "" if is_null else event.value)
                builder.add(text)
                anchors[event.anchor or ""] = text
            elif isinstance(event, yaml.SequenceStartEvent):
                several = RecordList(line, [])
                builder.open(several)
                anchors[event.anchor or ""] = several
            elif isinstance(event, yaml.MappingStartEvent):
                record = Record(line, [])
                builder.open(record)
                anchors[event.anchor or ""] = record
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", str(error).split("\n")[0])
        raise UnreadableError(f"this is no YAML or JSON: {problem}", line=line) from None
    return builder.root() or RecordList(1, [])


def _character(halves: re.Match[str]) -> str:
    """Returns the character that JSON writes as two halves; a half alone is replaced."""
    text = str(json.loads(f'"{halves[0]}"'))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
