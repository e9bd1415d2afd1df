"""Finds entries that a document has no longer as terms, but still as text: they are unknown at that release.

In Markdown, only its look tells a term from a remark, so another look of a document can turn one into the other. Such
an entry was not removed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from sitegen.model import Document, Entry, Reading
from sitegen.text.words import fold

DocumentReading = tuple[Document, Reading]

SUFFIXES = frozenset({".md", ".mdx", ".markdown", ".qmd", ".rmd"})
MIN_ENTRIES = 3
"""The minimum number of terms of a document by which the look of its terms is clear."""
MIN_WORDS = 5
"""The minimum number of words by which a definition is recognised."""
COMPARED = 8
"""The number of words of a definition that are compared."""

MARKUP = re.compile(r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|<!--.*?-->|</?[a-z][^>\n]*>|\{[^}\n]*\}", re.S | re.I)
"""Markup that contains words, and comments."""


def kept_as_text(readings: Mapping[str, Sequence[DocumentReading]]) -> Mapping[str, frozenset[tuple[str, str]]]:
    """Returns the (document, name) of such entries at each release. `readings` has the releases, oldest first."""
    found: dict[str, frozenset[tuple[str, str]]] = {}
    known: dict[str, dict[str, Entry]] = {}
    for release, read in readings.items():
        kept: list[tuple[str, str]] = []
        for document, reading in read:
            if PurePosixPath(document.name).suffix.lower() not in SUFFIXES or not reading.entries:
                continue
            now = {fold(entry.name): entry for entry in reading.entries}
            gone = {name: entry for name, entry in known.get(document.name, {}).items() if name not in now}
            text = f" {fold(MARKUP.sub(' ', document.text))} " if gone and len(now) >= MIN_ENTRIES else ""
            still = {name: entry for name, entry in gone.items() if _is_in(entry, text)}
            kept += [(document.name, entry.name) for entry in still.values()]
            known[document.name] = now | still
        found[release] = frozenset(kept)
    return found


def _is_in(entry: Entry, text: str) -> bool:
    """True if the words of a document have the name of an entry directly before its definition."""
    words = fold(entry.definition.text).split()
    return len(words) >= MIN_WORDS and f" {fold(entry.name)} {' '.join(words[:COMPARED])} " in text
