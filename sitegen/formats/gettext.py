"""gettext catalogs (`.po`) of a document: the terms of the document with the translated messages in
their places.

The document is the only include of its catalog. Sphinx, mdBook and others make a message of each
paragraph, heading and line with names. Fuzzy messages are read: their words are those of an earlier
wording, which the history of both files shows. A term without any translated message is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from sitegen.formats import read
from sitegen.formats.common import entries
from sitegen.formats.common.fences import indentation
from sitegen.model import Document, Entry, EntryText, Reading

if TYPE_CHECKING:
    from babel.messages import Message

LINE_MARKS = re.compile(r"[ \t]*(?:(?:[-*+•:]|\d+[.)]|#\.|#{1,6}|\.\. [\w:-]+::)[ \t]+)*")
"""Matches the indentation of a line, and the marks of list items, headings and directives: all of
`  * ` in `  * Jig`."""
UNDERLINE = re.compile(r"(?P<sign>[=\-~^\"'*+#`:.])(?P=sign){2,}\s*")
MAX_CATALOGS = 500
"""The number of parsed catalogs that are kept: each is compared with several states of its
document."""
COLUMNS_OF_CHARACTER = 2
"""The columns that a character of a heading may take, such as a Chinese one."""


def parse(document: Document) -> Reading:
    """Returns the terms of the document that a catalog belongs to, if they have translated
    messages. The line of a term is that of its first message in the catalog."""
    if not document.includes:
        raise entries.no_terms("wanted the document that the catalog translates")
    # The original has a format of its own.
    name, text = document.includes[0]
    original = replace(document, name=name, text=text, format="", includes=())
    original_names = {entry.line: entry.name for entry in read(original).entries}

    # The translated text has the same lines, so an entry is on the line of its original.
    translated_text, message_at_line = _translated(text, document.text)
    translated = read(replace(original, text=translated_text))

    # A message belongs to the last entry that begins above it.
    lines_of_entries = sorted(entry.line for entry in translated.entries)
    messages_of_entry: dict[int, list[Message]] = defaultdict(list)
    for line, message in message_at_line.items():
        entries_above = bisect_right(lines_of_entries, line)
        if entries_above:
            messages_of_entry[lines_of_entries[entries_above - 1]].append(message)

    translated_entries: list[Entry] = []
    for entry in translated.entries:
        messages = messages_of_entry[entry.line]
        if not messages:
            continue  # nothing of it is translated
        text_of_entry = _with_origin(entry.text, original_names.get(entry.line), messages)
        line_in_catalog = messages[0].lineno or 0
        translated_entries.append(Entry(text_of_entry, document.place, line_in_catalog))
    return replace(translated, entries=tuple(translated_entries))


def _with_origin(text: EntryText, name: str | None, messages: Iterable[Message]) -> EntryText:
    """Returns the text of a translated entry with two more metadata: the name of its original if
    that is known, and `fuzzy` if a message is fuzzy: `(("msgid", ("Jig",)), ("fuzzy",
    ("true",)))`."""
    metadata = [*text.metadata]
    if name is not None:
        metadata.append(("msgid", (name,)))
    if any(message.fuzzy for message in messages):
        metadata.append(("fuzzy", ("true",)))
    return replace(text, metadata=tuple(metadata))


@lru_cache(maxsize=MAX_CATALOGS)
def _messages(catalog: str) -> Mapping[str, Message]:
    """Returns the translated messages of a catalog, by their originals with single spaces. A
    damaged catalog has none."""
    from babel.messages.pofile import read_po  # only sites with catalogs need it

    try:
        messages = read_po(StringIO(catalog), ignore_obsolete=True)
    except (ValueError, AssertionError):
        return {}
    translated = {}
    for message in messages:
        # A message with forms for numbers is no text of a document.
        if not isinstance(message.id, str) or not isinstance(message.string, str):
            continue
        if message.id and message.string.strip():
            translated[_spaced(message.id)] = message
    return translated


def number_of_messages(text: str, catalog: str) -> int:
    """Returns how many messages of a catalog a document has."""
    texts = {chunk.text for chunk in _chunks(text.split("\n"))}
    return len(_messages(catalog).keys() & texts)


class Chunk(NamedTuple):
    """A paragraph of a document, or one of its lines. Lines are counted from 0; `past` is the line
    after it."""

    first: int
    past: int
    text: str


def _translated(text: str, catalog: str) -> tuple[str, Mapping[int, Message]]:
    """Returns a translated document with the same lines, and the message that was used at each
    line."""
    messages = _messages(catalog)
    lines = text.split("\n")
    message_at_line: dict[int, Message] = {}
    line_below_translated = 0
    chunks = list(_chunks(lines))  # before `lines` changes
    for chunk in chunks:
        # A line of a translated paragraph is not translated again.
        is_in_translated = chunk.first < line_below_translated
        if chunk.text in messages and not is_in_translated:
            message = messages[chunk.text]
            _translate(lines, chunk, _spaced(str(message.string)))
            message_at_line[chunk.first + 1] = message
            line_below_translated = chunk.past
    return "\n".join(lines), message_at_line


def _translate(lines: list[str], chunk: Chunk, words: str) -> None:
    """Changes `lines`: the words of a message replace those of a chunk. `  * Jig` becomes
    `  * Lehre`."""
    # The document has `::` where its message has one colon.
    if lines[chunk.past - 1].rstrip().endswith("::"):
        words += ":"

    # The words are on the first line of the chunk. Its other lines become blank.
    mark = lines[chunk.first][: _start(lines[chunk.first])]
    blank_lines = [""] * (chunk.past - chunk.first - 1)
    lines[chunk.first : chunk.past] = [mark + words, *blank_lines]

    line_below = lines[chunk.past] if chunk.past < len(lines) else ""
    underline = UNDERLINE.fullmatch(line_below)
    if underline:
        # In reStructuredText, the line has to be as wide as the heading.
        width = max(len(line_below.strip()), COLUMNS_OF_CHARACTER * len(words))
        lines[chunk.past] = underline["sign"] * width


def _chunks(lines: Sequence[str]) -> Iterator[Chunk]:
    """Yields each paragraph of a document, then each of its lines: a message may be either. Of the
    lines `Jig` and `Template` they are "Jig Template", "Jig", and "Template"."""
    first = 0
    while first < len(lines):
        past = first + 1
        if lines[first].strip():
            start = _start(lines[first])
            while past < len(lines) and _continues(lines[past], start):
                past += 1
            paragraph = [lines[first][start:], *lines[first + 1 : past]]
            yield Chunk(first, past, _spaced(" ".join(paragraph)))
            for number in range(first, past):
                line = lines[number]
                yield Chunk(number, number + 1, _spaced(line[_start(line) :]))
        first = past


def _start(line: str) -> int:
    """Returns the column at which the text of a line starts, after its marks."""
    marks = LINE_MARKS.match(line)
    return marks.end() if marks else 0


def _continues(line: str, start: int) -> bool:
    """Returns whether a line continues a paragraph with text from the column `start` on."""
    if not line.strip() or UNDERLINE.fullmatch(line):
        return False
    has_mark = _start(line) != indentation(line)
    return indentation(line) == start and not has_mark


def _spaced(text: str) -> str:
    """Returns a text with single spaces, and with the single colon of its message where Sphinx has
    two."""
    return re.sub("::$", ":", " ".join(text.split()))
