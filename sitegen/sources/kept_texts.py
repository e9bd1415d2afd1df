"""Finds entries that a document no longer has as entries, but still has: they are unknown at that release.

In Markdown, only its look tells a term from a remark, so another look of a document can turn one into the other. In
every format, a name may be left without a definition that can be read. Such an entry was not removed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
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
    last: dict[str, tuple[bytes, list[tuple[str, str]]]] = {}
    not_read: dict[tuple[str, bytes], set[str]] = defaultdict(set)
    for release, read in readings.items():
        kept: list[tuple[str, str]] = []
        for document, reading in read:
            # The reading of a text that an earlier release shares has no problems.
            names = not_read[document.name, document.digest]
            names.update(fold(term) for problem in reading.problems for term in problem.terms)
            if not reading.entries:
                continue
            if document.name not in last or last[document.name][0] != document.digest:
                now = {fold(entry.name): entry for entry in reading.entries}
                still = _still(document, now, known.get(document.name, {}), names)
                known[document.name] = now | still
                last[document.name] = document.digest, [(document.name, entry.name) for entry in still.values()]
            kept += last[document.name][1]
        found[release] = frozenset(kept)
    return found


def _still(
    document: Document, now: Mapping[str, Entry], before: Mapping[str, Entry], not_read: Container[str]
) -> dict[str, Entry]:
    """Returns the entries that a document had before and still has, but not as entries now."""
    gone = {name: entry for name, entry in before.items() if name not in now}
    is_markdown = PurePosixPath(document.name).suffix.lower() in SUFFIXES and len(now) >= MIN_ENTRIES
    text = f" {fold(MARKUP.sub(' ', document.text))} " if gone and is_markdown else ""
    return {name: entry for name, entry in gone.items() if name in not_read or _is_in(entry, text)}


def _is_in(entry: Entry, text: str) -> bool:
    """True if the words of a document have the name of an entry directly before its definition."""
    words = fold(entry.definition.text).split()
    return len(words) >= MIN_WORDS and f" {fold(entry.name)} {' '.join(words[:COMPARED])} " in text
