"""Reads front matter, the YAML above a text.

Of nested values only names are read. If the YAML is damaged, the lines `key: value` are still read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sitegen.formats.common.record_values import (
    Record,
    RecordField,
    RecordList,
    RecordText,
    RecordValue,
    value_of,
)
from sitegen.formats.common.structure import MarkupProblem
from sitegen.model import Document, UnreadableError

FENCED = re.compile(r"\A\s*^---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
PLAIN_LINE = r"""(?m)^(?P<key>\w[\w-]*)[ \t]*:[ \t]+["']?(?P<value>.*?)["']?[ \t]*$"""
MAX_LENGTH = 8_000
"""The maximum number of characters in front matter."""
DAMAGED = (
    "the front matter cannot be read as YAML from here on",
    "quote values that contain a colon, and write out what `<<` merges",
)


class FrontMatter(NamedTuple):
    values: Mapping[str, Sequence[RecordText]] = {}
    """By key in lower case: one text, or the texts of a list, with their lines in the document. Of
    `Tags: [a, b]` it has the texts "a" and "b" by the key `tags`."""
    record: Record = Record(0, [])
    """All of it, with nested values."""
    damage: tuple[MarkupProblem, ...] = ()
    """The problem of the first line that is not YAML."""

    def first(self, *keys: str) -> str:
        """Returns the first value of the keys that is not blank."""
        for value in self.all(*keys):
            return value
        return ""

    def all(self, *keys: str) -> tuple[str, ...]:
        """Returns the values of the keys that are not blank."""
        values: list[str] = []
        for key in keys:
            values += [" ".join(value.text.split()) for value in self.values.get(key, ())]
        return tuple(filter(None, values))


def split_front_matter(document: Document) -> tuple[FrontMatter, str]:
    """Returns the front matter, and the document with blank lines in its place, which keeps the
    line numbers. YAML without a single text is no front matter: `---`, `Words`, `---` are lines of
    the document."""
    text = document.text
    fenced = FENCED.match(text[:MAX_LENGTH])
    if fenced is None:
        return FrontMatter(), text
    lines_above = "\n" * text.count("\n", 0, fenced.start("yaml"))
    # Front matter may have any number of entries, as its length is limited.
    yaml = replace(document, text=lines_above + fenced["yaml"], max_entries=MAX_LENGTH)
    matter = _front_matter(yaml)
    if not matter.values:
        return FrontMatter(), text
    return matter, "\n" * text.count("\n", 0, fenced.end()) + text[fenced.end() :]


def _front_matter(yaml: Document) -> FrontMatter:
    """Returns the front matter in a YAML text."""
    damage: tuple[MarkupProblem, ...] = ()
    try:
        value = value_of(yaml)
    except UnreadableError as error:
        value = _plain_record(yaml.text)
        damage = (MarkupProblem(error.line, *DAMAGED),)

    record = value if isinstance(value, Record) else Record(0, [])
    values: dict[str, list[RecordText]] = {}
    for entry in record.fields:
        texts = _texts_of(entry.value)
        if texts:
            values.setdefault(entry.key.lower(), []).extend(texts)
    return FrontMatter(values, record, damage)


def _texts_of(value: RecordValue) -> list[RecordText]:
    """Returns a text, or the texts of a list."""
    if isinstance(value, RecordText):
        return [value]
    if isinstance(value, RecordList):
        return [item for item in value.items if isinstance(item, RecordText)]
    return []


def _plain_record(text: str) -> Record:
    """Returns the lines `key: value` of front matter that is not YAML, such as
    `title: Saws: a guide`."""
    fields: list[RecordField] = []
    for match in re.finditer(PLAIN_LINE, text):
        line = text.count("\n", 0, match.start()) + 1
        fields.append(RecordField(line, match["key"], RecordText(line, match["value"])))
    return Record(1, fields)
