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
from typing import NamedTuple

from sitegen.formats.common.entries import Metadata, marked
from sitegen.model import SORT_KEY, Document, Entry, Problem, ProblemKind, Reading, Trouble
from sitegen.text import words

MAX_STRAY = 2
"""The maximum indentation of a line that is still read as a name."""
LABEL = re.compile(r"\.\. _(?P<rst>[^:`]+|`[^`]+`):|\((?P<myst>[^()]+)\)=")
COMMENT = re.compile(r"\.\.(?: |$)")
CLASSIFIER = re.compile(r" +: +")


class GlossaryLine(NamedTuple):
    text: str
    number: int


@dataclass(slots=True)
class GlossaryEntry:
    """Names that share a definition, the definition's lines without their indentation, and labels
    that point here."""

    names: list[GlossaryLine] = field(default_factory=list)
    body: list[GlossaryLine] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)


def glossary_entries(
    lines: Sequence[GlossaryLine], *, path: str
) -> tuple[list[GlossaryEntry], list[Problem]]:
    """Returns the entries of a glossary in order, and the problems of its layout."""
    splitter = _Splitter(lines, path)
    for index in range(len(lines)):
        splitter.read(index)
    for entry in splitter.entries:
        while entry.body and not entry.body[-1].text:
            entry.body.pop()
        if not entry.body:
            name = entry.names[0]
            splitter.report(
                name, f"'{name.text}' has no definition", wanted="indent its definition below it"
            )
    return splitter.entries, splitter.problems


def without_classifier(name: str) -> str:
    """Returns a name without a classifier after ` : `, by which Sphinx groups its index, and which
    it does not show."""
    return CLASSIFIER.split(name)[0]


def sort_keys(names: Iterable[str]) -> Metadata:
    """Returns the keys after ` : ` by which lists sort names (kana, pinyin), as metadata."""
    keys = [key for name in names for key in CLASSIFIER.split(name)[1:2]]
    return ((SORT_KEY, tuple(keys[:1])),) if keys else ()


class _Splitter:
    """Reads a glossary line by line."""

    def __init__(self, lines: Sequence[GlossaryLine], path: str) -> None:
        self.lines = lines
        self.path = path
        self.entries: list[GlossaryEntry] = []
        self.problems: list[Problem] = []
        self.anchors: list[str] = []
        self.depth = 0  # of the definition being read; 0 between names and definition
        self.after_blank = True
        self.in_comment = False
        self.strays: set[int] = set()  # the columns of names that are indented

    def read(self, index: int) -> None:
        line = self.lines[index]
        text = line.text.strip()
        indent = line.text.index(text)
        if not text:
            if self.depth:
                self.entries[-1].body.append(GlossaryLine("", line.number))
            self.after_blank = True
        elif indent == 0:
            label = LABEL.match(line.text)
            # A comment continues through the indented lines below it.
            self.in_comment = label is None and COMMENT.match(line.text) is not None
            if label:
                self.anchors.append((label["rst"] or label["myst"]).strip("`"))
            elif not self.in_comment:
                self._read_name(line)
        elif (indent < self.depth or not self.entries) and self._is_stray_name(index, indent):
            found = f"the name '{text}' is indented further than the other names"
            self.report(line, found, wanted="start every name in the same column")
            self.strays.add(indent)
            self._read_name(GlossaryLine(text, line.number))
        elif not self.in_comment:
            self._read_body(line, indent)

    def _read_name(self, line: GlossaryLine) -> None:
        if self.depth or not self.entries:
            if not self.after_blank:
                self.report(
                    line, f"no blank line before the name '{line.text}'", wanted="put one there"
                )
            self.entries.append(GlossaryEntry())
        elif self.after_blank:
            first = self.entries[-1].names[0].text
            wanted = f"remove it, or give '{first}' its own definition"
            self.report(
                line, f"a blank line between the names '{first}' and '{line.text}'", wanted=wanted
            )
        self.after_blank = False
        self.entries[-1].names.append(line)
        self.entries[-1].anchors += self.anchors
        self.anchors = []
        self.depth = 0

    def _read_body(self, line: GlossaryLine, indent: int) -> None:
        self.after_blank = False
        self.depth = self.depth or indent
        if indent < self.depth:
            found = "a line indented less than the first line of its definition"
            self.report(line, found, wanted="indent both alike")
        self.entries[-1].body.append(
            GlossaryLine(line.text[min(indent, self.depth) :], line.number)
        )

    def _is_stray_name(self, index: int, indent: int) -> bool:
        """True if an indented line is a name. Sphinx would read it as the end of the definition
        above."""
        if not self.entries:
            return not self.in_comment
        below = self.lines[index + 1].text if index + 1 < len(self.lines) else ""
        may_be_name = indent in self.strays or (self.after_blank and indent <= MAX_STRAY)
        return may_be_name and len(below) - len(below.lstrip()) > indent

    def report(self, line: GlossaryLine, found: str, *, wanted: str) -> None:
        self.problems.append(
            Trouble(ProblemKind.ENTRY, found, wanted).at(self.path, line=line.number)
        )


PlacedEntry = tuple[Entry, tuple[str, ...]]
"""An entry, and the headings above it, outermost first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Headings:
    """The headings of a Markdown document."""

    lines: tuple[int, ...]
    paths: tuple[tuple[str, ...], ...]
    """The headings above the first heading, above the second, and so on; and above the end."""
    title: str
    """The title of the document: its first heading, if no other is on its level."""

    def above(self, line: int) -> tuple[str, ...]:
        """Returns the headings above a line."""
        return self.paths[bisect_left(self.lines, line)]


def nested(headings: Sequence[tuple[int, int, str]]) -> Headings:
    """Returns the headings of a document, given the line, level and text of each."""
    path: list[tuple[int, str]] = []
    paths: list[tuple[str, ...]] = [()]
    for _, level, name in headings:
        path = [*(outer for outer in path if outer[0] < level), (level, name)]
        paths.append(tuple([name for _, name in path]))
    is_titled = headings and all(level > headings[0][1] for _, level, _ in headings[1:])
    lines = tuple([line for line, _, _ in headings])
    return Headings(lines=lines, paths=tuple(paths), title=headings[0][2] if is_titled else "")


def placed_entries(
    entries: Iterable[Entry], headings: Headings | tuple[str, ...], *, is_sorted: bool
) -> list[PlacedEntry]:
    """Returns the entries of a glossary, below headings: those of the Markdown around it, or its
    own."""
    if is_sorted:
        entries = sorted(
            entries, key=lambda entry: unicodedata.normalize("NFD", entry.name.lower())
        )
    if isinstance(headings, Headings):
        return [(entry, headings.above(entry.line)) for entry in entries]
    return [(entry, headings) for entry in entries]


def reading_in_sections(
    placed: Sequence[PlacedEntry], problems: Iterable[Problem], *, document: Document, title: str
) -> Reading:
    """Returns the entries with their sections. If the document asks for a section, returns only the
    entries there."""
    problems = list(problems)
    if document.section:
        names = ", ".join(
            [*dict.fromkeys(name for _, headings in placed for name in headings)][:20]
        )
        wanted = words.fold(document.section)
        placed = [
            (entry, headings) for entry, headings in placed if wanted in map(words.fold, headings)
        ]
        if not placed:
            found = f"no terms in a section '{document.section}'"
            hint = f"terms are below: {names}" if names else "no term is below a heading"
            problems.append(Trouble(ProblemKind.NO_TERMS, found, hint).at(document.path))
    # The innermost heading below the title; a section may have the same name as the title.
    below = [headings[1:] if headings[:1] == (title,) else headings for _, headings in placed]
    sections = [headings[-1] if headings else "" for headings in below]
    entries = [entry for entry, _ in placed]
    if len(set(sections)) > 1:
        entries = [
            entry._replace(
                text=marked(
                    entry.text,
                    section=section,
                    deprecated=entry.deprecated,
                    metadata=entry.text.metadata,
                )
            )
            for entry, section in zip(entries, sections, strict=True)
        ]
    return Reading(entries=tuple(entries), problems=tuple(sorted(set(problems))))
