"""Splits the body of a glossary directive into names and definitions.

Sphinx and MyST share this layout: names start in the first column, one per line, and the indented lines below them
are their definition. Both formats use this module, and parse names and definitions in their own markup.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sitegen.formats.common.entries import too_many
from sitegen.model import Document, Problem

MAX_STRAY = 2
"""The maximum indentation of a line that is still read as a name."""
LABEL = re.compile(r"\.\. _(?P<rst>[^:`]+|`[^`]+`):|\((?P<myst>[^()]+)\)=")
COMMENT = re.compile(r"\.\.(?: |$)")
NAME = re.compile(r"^(?!\.\.(?: |$)|\()[^\s:]", re.M)
"""The beginning of a line that may be a name."""
CLASSIFIER = re.compile(r" +: +")


@dataclass(frozen=True, slots=True)
class GlossaryLine:
    text: str
    number: int


@dataclass(slots=True)
class Item:
    """Names that share a definition, the definition's lines without their indentation, and labels that point here."""

    names: list[GlossaryLine] = field(default_factory=list)
    body: list[GlossaryLine] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)


def check_names(document: Document, bodies: Iterable[str]) -> None:
    """Raises TooMuchWorkError if the bodies of a document's glossaries have too many names, before they are split."""
    if sum(len(NAME.findall(body)) for body in bodies) > document.max_entries:
        raise too_many(document, "names")


def split(lines: Sequence[GlossaryLine], *, path: str) -> tuple[list[Item], list[Problem]]:
    """Returns the entries of a glossary in order, and the problems of its layout."""
    splitter = _Splitter(lines, path)
    for index, line in enumerate(lines):
        if line.text.strip():
            splitter.read(index)
        else:
            splitter.read_blank(line)
    splitter.close()
    return splitter.items, splitter.problems


def without_classifier(name: str) -> str:
    """Returns a name without a classifier after ` : `, which Sphinx uses for its index and does not show."""
    return CLASSIFIER.split(name)[0]


def sorting_key(name: str) -> str:
    """Returns the sort key of a name for `:sorted:`."""
    return unicodedata.normalize("NFD", name.lower())


class _Splitter:
    """Reads a glossary line by line."""

    def __init__(self, lines: Sequence[GlossaryLine], path: str) -> None:
        self.lines = lines
        self.path = path
        self.items: list[Item] = []
        self.problems: list[Problem] = []
        self.anchors: list[str] = []
        self.depth = 0  # of the definition being read; 0 between names and definition
        self.after_blank = True
        self.in_comment = False
        self.strays: set[int] = set()  # the columns of names that are indented

    def read(self, index: int) -> None:
        line = self.lines[index]
        indent = _indent(line.text)
        if indent == 0:
            self._read_margin(line)
        elif self._is_stray_name(index, indent):
            found = f"the name '{line.text.strip()}' is indented further than the other names"
            self._report(line, found, wanted="start every name in the same column")
            self.strays.add(indent)
            self._read_name(GlossaryLine(line.text.strip(), line.number))
        elif not self.in_comment:
            self._read_body(line, indent)

    def read_blank(self, line: GlossaryLine) -> None:
        if self.depth:
            self.items[-1].body.append(GlossaryLine("", line.number))
        self.after_blank = True

    def close(self) -> None:
        for item in self.items:
            while item.body and not item.body[-1].text:
                item.body.pop()
            if not item.body:
                found = f"'{item.names[0].text}' has no definition"
                self._report(item.names[0], found, wanted="indent its definition below it")

    def _read_margin(self, line: GlossaryLine) -> None:
        """Reads a line in the first column: a name, a label or a comment, which continues through indented lines."""
        label = LABEL.match(line.text)
        if label:
            self.anchors.append((label["rst"] or label["myst"]).strip("`"))
        self.in_comment = label is None and COMMENT.match(line.text) is not None
        if label is None and not self.in_comment:
            self._read_name(line)

    def _read_name(self, line: GlossaryLine) -> None:
        if self.depth or not self.items:
            if not self.after_blank:
                self._report(line, f"no blank line before the name '{line.text}'", wanted="put one there")
            self.items.append(Item())
        elif self.after_blank:
            first = self.items[-1].names[0].text
            wanted = f"remove it, or give '{first}' its own definition"
            self._report(line, f"a blank line between the names '{first}' and '{line.text}'", wanted=wanted)
        self.after_blank = False
        self.items[-1].names.append(line)
        self.items[-1].anchors += self.anchors
        self.anchors = []
        self.depth = 0

    def _read_body(self, line: GlossaryLine, indent: int) -> None:
        self.after_blank = False
        self.depth = self.depth or indent
        if indent < self.depth:
            found = "a line indented less than the first line of its definition"
            self._report(line, found, wanted="indent both alike")
        self.items[-1].body.append(GlossaryLine(line.text[min(indent, self.depth) :], line.number))

    def _is_stray_name(self, index: int, indent: int) -> bool:
        """True if an indented line is a name. Sphinx would read it as the end of the definition above."""
        if not self.items:
            return not self.in_comment
        below = self.lines[index + 1].text if index + 1 < len(self.lines) else ""
        opens_definition = _indent(below) > indent
        may_be_name = indent in self.strays or (self.after_blank and indent <= MAX_STRAY)
        return may_be_name and indent < self.depth and opens_definition

    def _report(self, line: GlossaryLine, found: str, *, wanted: str) -> None:
        self.problems.append(Problem(path=self.path, line=line.number, found=found, wanted=wanted))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
