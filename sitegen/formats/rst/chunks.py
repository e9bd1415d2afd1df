"""A document in reStructuredText, cut into its glossaries and what stands around them: each is read once.

What stands around is read with glossaries that are empty; what stands inside is told entry by entry. Neither takes
docutils where it was met before, or is plain. Where an entry depends on its document, or anything is out of the
ordinary, the document is read as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable

from sitegen.formats.common import entries as _entries
from sitegen.formats.common.glossary_lines import sorting_key
from sitegen.formats.common.sections import Placed, reading
from sitegen.formats.rst import definition_lists
from sitegen.formats.rst.cutting import Located, cut, located
from sitegen.formats.rst.entries import told
from sitegen.formats.rst.rst_in_markdown import unwrap
from sitegen.formats.rst.surroundings import AROUND, Around, Given
from sitegen.model import Document, Entry, Problem, Reading
from sitegen.text.known import Known


def read(document: Document, known: Known) -> Reading:
    """Returns the entries of all glossaries in a document; of its definition lists when it has no glossary."""
    read = _read(document, known)
    if read is None:
        from sitegen.formats.rst import glossaries

        read = glossaries.read(document, known)
    return read


def _read(document: Document, known: Known) -> Reading | None:
    """The same where nothing has to be parsed but what stands around the glossaries, or lists."""
    unwrapped = unwrap(document.text)
    pieces = cut(unwrapped.text)
    if not pieces:
        return None
    if not pieces.glossaries:
        return None if unwrapped.headings else definition_lists.read(pieces.around, document, known)
    backquotes_are_code = unwrapped.headings is not None
    around = known.of(_around, AROUND)[pieces.around, backquotes_are_code]
    if [glossary.first for glossary in around.glossaries] != [inside.first for inside in pieces.glossaries]:
        return None
    placed: list[Placed] = []
    problems: list[Problem] = []
    names = set(around.names)
    for inside, glossary in zip(pieces.glossaries, around.glossaries, strict=True):
        found = located(inside, known, path=document.path, backquotes_are_code=backquotes_are_code)
        entries = found and _told(found[0], names, document, known)
        if not found or not entries:
            return None
        if glossary.is_sorted:
            entries.sort(key=lambda entry: sorting_key(entry.name))
        for entry in entries:
            headings = unwrapped.headings.above(entry.line) if unwrapped.headings else glossary.titles
            placed.append(Placed(entry=entry, headings=headings))
        problems += found[1]
    title = unwrapped.headings.title if unwrapped.headings else around.title
    return reading(placed, problems, known, document=document, title=title)


def _told(entries: Iterable[Located], names: set[str], document: Document, known: Known) -> list[Entry]:
    """The entries of a glossary; none where one has to be parsed. What links are called is added to the `names`."""
    made = []
    for given, line in entries:
        read = told(given, known)
        if read is None or any(name in names for name, _ in read.links):
            return []
        names.update([name for name, _ in read.links])
        item = _entries.Item(names=read.names, html=read.html, line=line)
        made.append(_entries.entry(document, item, known, deprecated=read.deprecated))
    return made


def _around(given: Given, known: Known) -> Around:
    from sitegen.formats.rst import glossaries

    text, backquotes_are_code = given
    return glossaries.around(text, known, backquotes_are_code=backquotes_are_code)
