"""A document in reStructuredText, cut into its glossaries and what stands around them: each is read once.

What stands around is read with glossaries that are empty; what stands inside is told entry by entry. Neither takes
docutils where it was met before, or is plain. Where an entry depends on its document, or anything is out of the
ordinary, the document is read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.formats import _entries
from sitegen.formats._blocks import GLOSSARY
from sitegen.formats._fences import OPTION
from sitegen.formats._glossary import Item, Line, sorting_key, split
from sitegen.formats._hosts import unwrap
from sitegen.formats._rst_around import AROUND, Around, Given
from sitegen.formats._rst_entries import given, told
from sitegen.formats._sections import Placed, reading
from sitegen.known import Known
from sitegen.model import Document, Entry, Problem, Reading

MAX_LINE = 20_000
"""docutils refuses a document with a longer line."""
UNUSUAL = re.compile(r"[\r\x00\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""Characters that docutils takes for ends of lines, and an author's editor does not."""


@dataclass(frozen=True, slots=True)
class Cut:
    around: str
    glossaries: tuple[tuple[int, list[Line]], ...]
    """The line of each, in what stands around, and its lines."""


def read(document: Document, known: Known) -> Reading:
    """Returns the entries of all glossaries in a document; of its definition lists when it has no glossary."""
    read = _read(document, known)
    if read is None:
        from sitegen.formats import _rst_glossary  # and with it docutils

        read = _rst_glossary.read(document, known)
    return read


def _read(document: Document, known: Known) -> Reading | None:
    """The same where nothing has to be parsed but what stands around the glossaries."""
    unwrapped = unwrap(document.text)
    pieces = cut(unwrapped.text)
    if not pieces or not pieces.glossaries:
        return None
    backquotes_are_code = unwrapped.headings is not None
    around = known.of(_around, AROUND)[pieces.around, backquotes_are_code]
    if [glossary.first for glossary in around.glossaries] != [first for first, _ in pieces.glossaries]:
        return None
    placed: list[Placed] = []
    problems: list[Problem] = []
    names = set(around.names)
    for (_, lines), glossary in zip(pieces.glossaries, around.glossaries, strict=True):
        items, odd = split(lines, path=document.path)
        entries = _told(items, names, document, known, backquotes_are_code=backquotes_are_code)
        if not entries:
            return None
        if glossary.is_sorted:
            entries.sort(key=lambda entry: sorting_key(entry.name))
        for entry in entries:
            headings = unwrapped.headings.above(entry.line) if unwrapped.headings else glossary.titles
            placed.append(Placed(entry=entry, headings=headings))
        problems += odd
    title = unwrapped.headings.title if unwrapped.headings else around.title
    return reading(placed, problems, known, document=document, title=title)


def _told(
    items: Sequence[Item], names: set[str], document: Document, known: Known, *, backquotes_are_code: bool
) -> list[Entry]:
    """The entries of a glossary; none where one has to be parsed. What links are called is added to the `names`."""
    entries = []
    for item in items:
        read = told(given(item, backquotes_are_code=backquotes_are_code), known)
        if read is None or item.anchors or any(name in names for name, _ in read.links):
            return []
        names.update(name for name, _ in read.links)
        made = _entries.Item(names=read.names, html=read.html, line=item.names[0].number)
        entries.append(_entries.entry(document, made, known, deprecated=read.deprecated))
    return entries


def cut(text: str) -> Cut | None:
    """Returns a document's glossaries and what stands around them; None where that cannot be told by its lines."""
    if UNUSUAL.search(text := text.replace("\r\n", "\n")):
        return None
    lines = [line.rstrip() for line in text.expandtabs().split("\n")]
    if max(map(len, lines)) > MAX_LINE:
        return None
    around: list[str] = []
    glossaries: list[tuple[int, list[Line]]] = []
    index = 0
    for first in [number for number, line in enumerate(lines) if GLOSSARY.match(line)]:
        if first < index:  # inside the last one
            continue
        end = _end(lines, first)
        margin = min([_indent(line) for line in lines[first + 1 : end] if line], default=0)
        begin = first + 1
        while begin < end and OPTION.fullmatch(lines[begin][margin:]):
            begin += 1
        is_usual = begin == end or (not lines[begin] and (end == len(lines) or not lines[end - 1]))
        if not lines[first].endswith("::") or not is_usual:
            return None
        around += lines[index:begin]
        inside = [Line(lines[number][margin:], number + 1) for number in range(begin, end)]
        glossaries.append((len(around) - (begin - first - 1), inside))
        around.append("")
        index = end
    return Cut("\n".join([*around, *lines[index:]]), tuple(glossaries))


def _end(lines: Sequence[str], first: int) -> int:
    """Where the lines end that are indented below a line."""
    margin = _indent(lines[first])
    below = range(first + 1, len(lines))
    return next((number for number in below if lines[number] and _indent(lines[number]) <= margin), len(lines))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _around(given: Given, known: Known) -> Around:
    from sitegen.formats import _rst_glossary

    text, backquotes_are_code = given
    return _rst_glossary.around(text, known, backquotes_are_code=backquotes_are_code)
