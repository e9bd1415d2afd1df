"""gettext catalogs (`.po`) of a document: the terms of the document with the translated messages in
their places.

The document is the only include. Sphinx, mdBook and others make a message of each paragraph,
heading and line with names. Fuzzy messages are read: their words are those of an earlier wording,
which the history of both files shows. A term without any translated message is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from io import StringIO
from typing import TYPE_CHECKING

from sitegen.formats import read
from sitegen.formats.common import entries
from sitegen.model import Document, Reading, entries_at

if TYPE_CHECKING:
    from babel.messages import Message

MARK = re.compile(r"[ \t]*(?:(?:[-*+•:]|\d+[.)]|#\.|#{1,6}|\.\. [\w:-]+::)[ \t]+)*")
"""Matches the indentation of a line, and the marks of list items, headings and directives."""
UNDERLINE = re.compile(r"([=\-~^\"'*+#`:.])\1{2,}\s*")
MAX_CATALOGS = 500
"""The number of parsed catalogs that are kept: each is compared with several states of its
document."""
WIDTH = 2
"""The columns that a character of a heading may take."""


def parse(document: Document) -> Reading:
    """Returns the translated terms of the document that a catalog belongs to."""
    if not document.includes:
        raise entries.no_terms("wanted the document that the catalog translates")
    (name, text), *_ = document.includes
    original = replace(document, name=name, text=text, format="", includes=())
    translated, places = _translated(text, document.text)
    names = {one.line: one.name for one in read(original).entries}
    found = read(replace(original, text=translated))
    kept = []
    ends = [*(entry.line for entry in found.entries[1:]), len(text)]
    for entry, end in zip(found.entries, ends, strict=False):
        own = [message for line, message in places.items() if entry.line <= line < end]
        if own:
            metadata = [("msgid", (names[entry.line],))] if entry.line in names else []
            metadata += [("fuzzy", ("true",))] if any(message.fuzzy for message in own) else []
            content = replace(entry.text, metadata=(*entry.text.metadata, *metadata))
            kept.append((content, own[0].lineno or 0))
    return replace(
        found,
        entries=entries_at(document.place, [text for text, _ in kept], [line for _, line in kept]),
    )


@lru_cache(maxsize=MAX_CATALOGS)
def _messages(catalog: str) -> Mapping[str, Message]:
    """Returns the translated messages by their originals with single spaces."""
    from babel.messages.pofile import read_po  # only sites with catalogs need it

    try:
        messages = read_po(StringIO(catalog), ignore_obsolete=True)
    except (ValueError, AssertionError):  # a damaged catalog translates nothing
        return {}
    return {
        _spaced(one.id): one
        for one in messages
        if isinstance(one.id, str) and isinstance(one.string, str) and one.id and one.string.strip()
    }


def number_of_messages(text: str, catalog: str) -> int:
    """Returns how many messages of a catalog a document has."""
    return len(_messages(catalog).keys() & {message for _, _, message in _chunks(text.split("\n"))})


def _translated(text: str, catalog: str) -> tuple[str, Mapping[int, Message]]:
    """Returns a document with translated messages, on the same lines; and these messages by their
    lines."""
    found, lines = _messages(catalog), text.split("\n")
    places: dict[int, Message] = {}
    past = 0
    for first, end, original in [*_chunks(lines)]:
        if original in found and first >= past:
            places[first + 1] = found[original]
            message = _spaced(str(found[original].string))
            mark, colon = (
                MARK.match(lines[first]),
                ":" if lines[end - 1].rstrip().endswith("::") else "",
            )
            assert mark, "it matches any line"
            lines[first:end] = [mark[0] + message + colon, *[""] * (end - first - 1)]
            if end < len(lines) and (underline := UNDERLINE.fullmatch(lines[end])):
                lines[end] = underline[1] * max(len(underline[0].strip()), WIDTH * len(message))
            past = end
    return "\n".join(lines), places


def _chunks(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yields the paragraphs of a document, then each of their lines, which may be a name: (first,
    past, text)."""
    marks = [mark.end() for line in lines if (mark := MARK.match(line))]
    first = 0
    while first < len(lines):
        past = first + 1
        if lines[first].strip():
            while past < len(lines) and _continues(lines[past], marks[first], marks[past]):
                past += 1
            yield (
                first,
                past,
                _spaced(" ".join([lines[first][marks[first] :], *lines[first + 1 : past]])),
            )
            for number in range(first, past):
                yield number, number + 1, _spaced(lines[number][marks[number] :])
        first = past


def _continues(line: str, start: int, mark: int) -> bool:
    """True for a further line of a paragraph, whose text starts in the same column without a
    mark."""
    return (
        bool(line.strip())
        and len(line) - len(line.lstrip()) == start == mark
        and not UNDERLINE.fullmatch(line)
    )


def _spaced(text: str) -> str:
    """Returns a text with single spaces, and with the single colon of its message where Sphinx has
    two."""
    return re.sub("::$", ":", " ".join(text.split()))
