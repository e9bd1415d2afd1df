"""Reads front matter, the YAML above a text.

Of nested values only names are read. Damaged YAML is left out, and reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sitegen.formats.common.record_values import (
    Record,
    RecordList,
    RecordText,
    RecordValue,
    value_of,
)
from sitegen.formats.common.structure import MarkupProblem
from sitegen.model import Document, UnreadableError

FENCED = re.compile(r"\A\s*^---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
KEY = re.compile(r"^\w[\w-]*[ \t]*:[ \t]", re.M)
MAX_LENGTH = 8_000
"""The maximum number of characters in front matter."""
DAMAGED = (
    "the front matter cannot be read as YAML",
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
    if not matter.values and not matter.damage:
        return FrontMatter(), text
    return matter, "\n" * text.count("\n", 0, fenced.end()) + text[fenced.end() :]


def _front_matter(yaml: Document) -> FrontMatter:
    """Returns the front matter in a YAML text."""
    try:
        value = value_of(yaml)
    except UnreadableError as error:
        if not KEY.search(yaml.text):  # a text between two rules
            return FrontMatter()
        return FrontMatter(damage=(MarkupProblem(error.line, *DAMAGED),))
    record = value if isinstance(value, Record) else Record(0, [])
    values: dict[str, list[RecordText]] = {}
    for field in record.fields:
        texts = _texts_of(field.value)
        if texts:
            values.setdefault(field.key.lower(), []).extend(texts)
    return FrontMatter(values, record)


def _texts_of(value: RecordValue) -> list[RecordText]:
    """Returns a text, or the texts of a list."""
    if isinstance(value, RecordText):
        return [value]
    if isinstance(value, RecordList):
        return [item for item in value.items if isinstance(item, RecordText)]
    return []
