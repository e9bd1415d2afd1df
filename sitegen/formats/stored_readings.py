"""Stores readings of documents between builds, in the store that a build has opened (`store_open`).

The key of a reading is a digest of its document. An entry text is stored once, by a digest of its
content, as most texts are the same in every release; a reading lists these digests. Each version of
the program, its libraries and Python has its own store, so nothing in it becomes invalid.

Measured gain: a build after one edit of 300 terms at 20 releases takes 1.6 s of CPU instead of 1.8
s if they are Markdown, and 1.9 s instead of 2.6 s if they are reStructuredText.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from pydantic_core import SchemaValidator

from sitegen.model import Document, EntryText, Problem, Reading, digest, entries_at
from sitegen.text import compact_json, memo
from sitegen.text.schema import validator


class StoreTable(Protocol):
    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


Store = Callable[[str], StoreTable]
"""Returns the table with a given name."""
READINGS, TEXTS = "readings", "entry_texts"
"""The names of the tables."""

open_stores: list[Store] = []
"""The last one is read and written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredReading:
    """A reading with the keys of its entry texts, in hexadecimal digits."""

    texts: tuple[str, ...]
    lines: tuple[int, ...]
    problems: tuple[Problem, ...]
    is_partial: bool
    is_auxiliary: bool


@contextmanager
def store_open(store: Store) -> Iterator[None]:
    """Reads readings from a store, and writes them to it, until the end of the block.

    Clears the results in memory at the start and at the end, so that the store sees which readings
    a build uses.
    """
    memo.clear()
    open_stores.append(store)
    try:
        yield
    finally:
        open_stores.pop()
        memo.clear()


def stored(document: Document) -> Reading | None:
    """Returns the reading of a document from the open store; None if it, or a text of it, is not
    there."""
    data = open_stores[-1](READINGS).get(_key(document))
    if data is None:
        return None
    found = _validator(StoredReading).validate_json(data)
    texts = [text for key in found.texts if (text := _stored_text(bytes.fromhex(key)))]
    if len(texts) < len(found.texts):
        return None
    return Reading(
        entries=entries_at(document.place, texts, found.lines),
        problems=found.problems,
        is_partial=found.is_partial,
        is_auxiliary=found.is_auxiliary,
    )


def put(document: Document, reading: Reading) -> None:
    """Writes the reading of a document to the open store."""
    with suppress(
        TypeError
    ):  # a path that is no Unicode text; the document is read again at the next build
        record = StoredReading(
            texts=tuple([_put_text(text).hex() for text, _, _ in reading.entries]),
            lines=tuple([line for _, _, line in reading.entries]),
            problems=reading.problems,
            is_partial=reading.is_partial,
            is_auxiliary=reading.is_auxiliary,
        )
        open_stores[-1](READINGS).put(_key(document), compact_json.dump(record))


def _key(document: Document) -> bytes:
    about = (
        document.source,
        document.release,
        document.path,
        document.name,
        document.format,
        document.section,
    )
    return digest(repr(about).encode(), document.digest)


@memo.memo
def _put_text(text: EntryText) -> bytes:
    """Writes an entry text to the open store, and returns its key."""
    data = compact_json.dump(text)
    key = digest(data)
    open_stores[-1](TEXTS).put(key, data)
    return key


@memo.memo
def _stored_text(key: bytes) -> EntryText | None:
    """Returns a text from the open store; None if it is missing, or its HTML does not come from the
    sanitizer."""
    from sitegen.text.prose import (
        is_sanitized,
    )  # not loaded for code that only needs the names of formats

    data = open_stores[-1](TEXTS).get(key)
    text = None if data is None else _validator(EntryText).validate_json(data)
    return text if text and is_sanitized(text.definition.html) else None


@cache
def _validator(kind: type) -> SchemaValidator:
    return validator(kind)
