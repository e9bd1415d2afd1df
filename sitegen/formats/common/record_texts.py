"""Returns the texts and the names in the fields of a record, which may be front matter.

A field has one of several keys, which `columns` lists, and its value may be a text, a list or a
mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sitegen.formats.common.columns import NAME_KEYS
from sitegen.formats.common.record_values import Record, RecordList, RecordText, RecordValue

TEXTS = frozenset({"text", "content", "markdown", "html", "value"})
"""Keys with the text of a definition that is a mapping."""
MAX_WORDS = 2
"""The maximum number of words in a name that ends like a sentence."""
BETWEEN_NAMES = re.compile(r"\s*[;\n|]\s*")


def first_text(record: Record, titles: tuple[str, ...]) -> RecordText | None:
    """Returns the text of the first of the keys that has one."""
    values = {field.title: field.value for field in reversed(record.fields)}
    for title in titles:
        if title in values and (text := text_of(values[title])):
            return RecordText(values[title].line, text)
    return None


def text_at(record: Record, titles: tuple[str, ...]) -> str:
    """Returns the same without its line; empty if there is none."""
    found = first_text(record, titles)
    return found.text if found else ""


def text_of(value: RecordValue) -> str:
    """Returns the text of a value, which may be `{text: …}` or a list of paragraphs."""
    if isinstance(value, RecordText):
        return value.text.strip()
    if isinstance(value, RecordList):
        texts = [text_of(item) for item in value.items if not isinstance(item, RecordList)]
        return "\n\n".join(filter(None, texts))
    for field in value.fields:
        if field.key in TEXTS:
            is_text = isinstance(field.value, RecordText)
            return text_of(field.value) if is_text else ""
    return ""


def listed_names(record: Record, titles: tuple[str, ...]) -> Iterator[str]:
    """Yields the names in all fields with one of the keys: the items of a list, or a text split at
    separators."""
    for field in record.fields:
        if field.title not in titles:
            continue
        if isinstance(field.value, RecordText):
            yield from _names_in(field.value.text)
            continue
        for item in _items(field.value):
            if isinstance(item, RecordText):
                yield item.text.strip()
            elif isinstance(item, Record):
                yield text_at(item, NAME_KEYS)


def _items(value: RecordList | Record) -> Iterable[RecordValue]:
    """Returns the items of a list, which may be written as a mapping of numbers to items."""
    if isinstance(value, RecordList):
        return value.items
    return [field.value for field in value.fields if field.key.isdigit()]


def _names_in(text: str) -> list[str]:
    """Returns the names in a text, separated by line ends, semicolons, bars or commas; none if it
    is a sentence."""
    if is_sentence(text):
        return []
    names = BETWEEN_NAMES.split(text.strip())
    if len(names) == 1:
        names = text.split(",")
    return [*filter(None, map(str.strip, names))]


def is_sentence(text: str) -> bool:
    """Returns whether a text is a sentence, and no name."""
    return text.rstrip().endswith((".", "!", "?")) and len(text.split()) > MAX_WORDS
