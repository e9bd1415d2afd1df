"""Splits the body of a glossary directive into names and definitions, and adds the headings above
its entries.

Sphinx and MyST share this layout: names start in the first column, one per line, and the indented
lines below them are their definition. Both formats use this module, and parse names and definitions
in their own markup.

Headings are kept as sections only if a document has several with terms. The title of the document
is not a section.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from sitegen.formats.common.entries import Metadata, and_more, no_section, with_section
from sitegen.formats.common.fences import indentation
from sitegen.formats.common.headings import Heading, title_of
from sitegen.model import Document, Entry, Problem, ProblemKind, Reading, Trouble
from sitegen.model.glossary_sources import SORT_KEY
from sitegen.text.words import folded_words

MAX_STRAY = 2
"""The maximum indentation of a line that is still read as a name."""
MAX_NAMES = 20
"""The maximum number of lines up to the definition of a name that is indented."""
COMMENT = re.compile(r"\.\.(?: |$)|\([^()]+\)=$")
"""A comment, or a label of MyST, which names nothing here."""
OPTION = ":sorted:"
"""The option of the directive. It is among the lines if another line is indented less."""
CLASSIFIER = re.compile(r" +: +")
"""Separates a name from its classifier: `Säge : S`."""


class GlossaryLine(NamedTuple):
    text: str
    number: int


@dataclass(slots=True)
class GlossaryEntry:
    """Names that share a definition, and the definition's lines without their indentation."""

    names: list[GlossaryLine] = field(default_factory=list)
    body: list[GlossaryLine] = field(default_factory=list)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names without their classifiers. A classifier is after ` : `, and Sphinx does not
        show it."""
        return tuple([CLASSIFIER.split(name.text)[0] for name in self.names])

    @property
    def text(self) -> str:
        """The definition."""
        return "\n".join([line.text for line in self.body])

    @property
    def metadata(self) -> Metadata:
        """The first classifier, as the key by which lists sort the entry: `(("sort_key",
        ("S",)),)` for `Säge : S`. It is empty if there is none."""
        for name in self.names:
            _, *keys = CLASSIFIER.split(name.text)
            if keys:
                return ((SORT_KEY, (keys[0],)),)
        return ()


def glossary_entries(
    lines: Sequence[GlossaryLine], *, path: str
) -> tuple[list[GlossaryEntry], list[Problem]]:
    """Returns the entries of a glossary in order, and the problems of its layout.

    The lines `Jig`, `Template`, `  Holds.` are one entry with two names.
    """
    splitter = _Splitter(lines, path)
    for index in range(len(lines)):
        splitter.read(index)
    splitter.report_strays()

    for entry in splitter.entries:
        # The empty lines below the last paragraph are no part of the definition.
        while entry.body and not entry.body[-1].text:
            entry.body.pop()
        if not entry.body:
            found = f"'{entry.names[0].text}' has no definition"
            splitter.report(entry.names[0], found, wanted="indent its definition below it")
    return splitter.entries, splitter.problems


class _Splitter:
    """Reads a glossary line by line."""

    def __init__(self, lines: Sequence[GlossaryLine], path: str) -> None:
        self.lines = lines
        self.path = path
        self.entries: list[GlossaryEntry] = []
        self.problems: list[Problem] = []
        self.definition_indent = 0
        """The indentation of the definition that is read; 0 below a name without one so far."""
        self.first_column = 0
        """The indentation of the first name."""
        self.column = 0
        """The indentation of the last name."""
        self.after_blank = True
        self.in_comment = False
        self.stray_columns: set[int] = set()
        self.strays: list[GlossaryLine] = []  # the names that are indented

    def read(self, index: int) -> None:
        """Reads a line: a blank line, a comment, a name, or a line of a definition."""
        line = self.lines[index]
        text = line.text.strip()
        indent = line.text.index(text)
        if not text:
            if self.definition_indent:
                self.entries[-1].body.append(GlossaryLine("", line.number))
            self.after_blank = True
            return
        if text == OPTION and not self.entries:
            return
        if indent == 0:  # a comment continues through the indented lines below it
            self.in_comment = COMMENT.match(line.text) is not None
        if self.in_comment:
            return
        if indent > 0 and self.entries and not self._is_stray_name(index, indent):
            self._read_body(line, indent)
            return
        name = GlossaryLine(text, line.number)
        if indent > 0:
            self.stray_columns.add(indent)
            self.strays.append(name)
        if not self.entries:
            self.first_column = indent
        self.column = indent
        self._read_name(name)

    def _read_name(self, line: GlossaryLine) -> None:
        """Adds a name to the entry above. If the entry above has a definition already, a new one
        begins."""
        is_below_definition = self.definition_indent > 0
        if is_below_definition or not self.entries:
            self.entries.append(GlossaryEntry())
        self.after_blank = False
        self.entries[-1].names.append(line)
        self.definition_indent = 0

    def _read_body(self, line: GlossaryLine, indent: int) -> None:
        """Adds a line to the definition of the last entry. The first line of a definition gives the
        indentation that is removed from all its lines."""
        self.after_blank = False
        is_first_line = self.definition_indent == 0
        if is_first_line:
            self.definition_indent = indent
        if indent < self.definition_indent:
            found = "a line indented less than the first line of its definition"
            self.report(line, found, wanted="indent both alike")
        text = line.text[min(indent, self.definition_indent) :]
        self.entries[-1].body.append(GlossaryLine(text, line.number))

    def _is_stray_name(self, index: int, indent: int) -> bool:
        """Returns whether an indented line is a name, and not part of the definition above it."""
        # 1. If the last name has no definition so far, a line in its column is another name.
        if self.definition_indent == 0:
            return indent == self.column

        # 2. The line is indented less than the definition above it. The column of the first name is
        #    enough: if only that name is indented, the definitions below begin in its column. It is
        #    also in the column of an earlier indented name, or below a blank line.
        is_within_definition = indent >= self.definition_indent
        if is_within_definition and indent != self.first_column:
            return False
        is_in_known_column = indent in self.stray_columns
        is_below_blank = self.after_blank and indent <= MAX_STRAY
        if not (is_in_known_column or is_below_blank):
            return False

        # 3. It has a definition, which is indented further and may be below other names.
        for line_below in self.lines[index + 1 : index + MAX_NAMES]:
            is_other_name = line_below.text and indentation(line_below.text) == indent
            if not is_other_name:
                return indentation(line_below.text) > indent
        return False

    def report_strays(self) -> None:
        """Reports the names that are indented as one problem, at the first such name."""
        if self.strays:
            first, *others = self.strays
            found = f"the name '{first.text}' is indented further than the other names"
            wanted = "start every name in the same column"
            self.report(first, found + and_more(others), wanted=wanted)

    def report(self, line: GlossaryLine, found: str, *, wanted: str) -> None:
        trouble = Trouble(ProblemKind.ENTRY, found, wanted)
        self.problems.append(trouble.at(self.path, line=line.number))


PlacedEntry = tuple[Entry, tuple[str, ...]]
"""An entry, and the headings above it, outermost first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Headings:
    """The headings of a Markdown document."""

    lines: tuple[int, ...]
    paths: tuple[tuple[str, ...], ...]
    """The headings above the first heading, above the second one, and so on, and last those above
    the end. Of `# Words`, `## Tools` they are `()`, `("Words",)` and `("Words", "Tools")`."""
    title: str
    """The title of the document: its first heading, if no other is on its level."""

    def above(self, line: int) -> tuple[str, ...]:
        """Returns the headings above a line."""
        return self.paths[bisect_left(self.lines, line)]


def nested(headings: Sequence[Heading]) -> Headings:
    """Returns the headings of a document with the headings above each. They are given in order."""
    path: list[Heading] = []  # the headings around the next line, outermost first
    paths: list[tuple[str, ...]] = [()]
    for heading in headings:
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        paths.append(tuple([outer.name for outer in path]))
    lines = tuple([heading.line for heading in headings])
    return Headings(lines=lines, paths=tuple(paths), title=title_of(headings))


def placed_entries(
    entries: Iterable[Entry], headings: Headings | tuple[str, ...], *, is_sorted: bool
) -> list[PlacedEntry]:
    """Returns the entries of a glossary, each with the headings above it.

    `headings` are those of the Markdown document around the glossary, or the ones that are above
    all its entries.
    """
    if is_sorted:
        entries = sorted(entries, key=_sort_key)
    if isinstance(headings, Headings):
        return [(entry, headings.above(entry.line)) for entry in entries]
    return [(entry, headings) for entry in entries]


def _sort_key(entry: Entry) -> str:
    return unicodedata.normalize("NFD", entry.name.lower())


def reading_in_sections(
    placed: Sequence[PlacedEntry], problems: Iterable[Problem], *, document: Document, title: str
) -> Reading:
    """Returns the entries with their sections. If the document is set to read one section, only its
    entries are returned."""
    all_problems = set(problems)
    if document.section:
        in_section = _below_section(placed, document.section)
        if not in_section:
            names = chain.from_iterable([headings for _, headings in placed])
            all_problems.add(no_section(document.section, names).problem(document.path))
        placed = in_section

    entries = [entry for entry, _ in placed]
    sections = [_section(headings, title) for _, headings in placed]
    # One section of all entries says nothing about any of them.
    has_several_sections = len(set(sections)) > 1
    if has_several_sections:
        entries = [*map(_in_section, entries, sections)]
    return Reading(entries=tuple(entries), problems=tuple(sorted(all_problems)))


def _below_section(placed: Iterable[PlacedEntry], section: str) -> list[PlacedEntry]:
    """Returns the entries that are below a heading with the name `section`."""
    wanted = folded_words(section)
    below = []
    for entry, headings in placed:
        if wanted in map(folded_words, headings):
            below.append((entry, headings))
    return below


def _in_section(entry: Entry, section: str) -> Entry:
    return entry._replace(text=with_section(entry.text, section))


def _section(headings: tuple[str, ...], title: str) -> str:
    """Returns the innermost of the headings above an entry: "Tools" of `("Words", "Tools")`.

    The title alone is no section, so `("Words",)` gives an empty text. But a section may have the
    same name as the title.
    """
    if not headings or headings == (title,):
        return ""
    return headings[-1]
