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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import NamedTuple

from sitegen.formats.common.entries import Metadata, no_section, with_section
from sitegen.formats.common.fences import indentation
from sitegen.formats.common.headings import Heading, title_of
from sitegen.model import Document, Entry, Problem, ProblemKind, Reading, Trouble, and_more
from sitegen.model.glossary_sources import SORT_KEY
from sitegen.text.words import folded_words

COMMENT = re.compile(r"\.\.(?: |$)|\([^()]+\)=$")
"""The beginning of a comment, `.. words`, or a label of MyST, `(jig)=`, which is ignored too."""
OPTION = ":sorted:"
"""The option of the directive. docutils takes it for a line of the body if another line is indented
less."""
CLASSIFIER = re.compile(r" +: +")
"""Separates a name from its classifier: `Säge : S`."""


class GlossaryLine(NamedTuple):
    text: str
    number: int


@dataclass
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
        """The first classifier, as the key by which lists sort the entry: `(("sort_key", ("S",)),)`
        for `Säge : S`. The metadata are empty without a classifier."""
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
    layout = _layout([*_without_comments(lines)])
    for entry in layout.entries:
        # The empty lines below the last paragraph are no part of the definition.
        while entry.body and not entry.body[-1].text:
            entry.body.pop()
    return layout.entries, [*_problems(layout, path)]


@dataclass
class _Layout:
    """The entries of a glossary, and the lines in it that are indented by mistake."""

    entries: list[GlossaryEntry] = field(default_factory=list)
    stray_names: list[GlossaryLine] = field(default_factory=list)
    """Names that are indented further than others."""
    stray_texts: list[GlossaryLine] = field(default_factory=list)
    """Lines of definitions that are indented less than the first one."""


def _layout(lines: Sequence[GlossaryLine]) -> _Layout:
    """Returns which lines are names, and which are definitions.

    A line that is indented less than the definition above it, but above a line that is indented
    further, is a name too.
    """
    layout = _Layout()
    entries = layout.entries
    definition_indent = 0  # 0 below a name that has no definition so far
    for line, line_below in pairwise([*lines, GlossaryLine("", 0)]):
        text = line.text.strip()
        indent = indentation(line.text)
        if not text:
            if entries:
                entries[-1].body.append(GlossaryLine("", line.number))
            continue
        if text == OPTION and not entries:
            continue

        # 1. A name.
        is_indented_less = 0 < indent < definition_indent
        is_stray_name = is_indented_less and indentation(line_below.text) > indent
        if is_stray_name:
            layout.stray_names.append(line)
        if indent == 0 or is_stray_name or not entries:
            # A name right below another name belongs to the same entry. Above an empty line, a name
            # is an entry without a text: Sphinx joins the two there as well, and warns.
            if not entries or entries[-1].body:
                entries.append(GlossaryEntry())
            entries[-1].names.append(GlossaryLine(text, line.number))
            definition_indent = 0
            continue

        # 2. A line of a definition. The first one gives the indentation that is removed from all.
        definition_indent = definition_indent or indent
        if is_indented_less:
            layout.stray_texts.append(line)
        unindented = line.text[min(indent, definition_indent) :]
        entries[-1].body.append(GlossaryLine(unindented, line.number))
    return layout


def _problems(layout: _Layout, path: str) -> Iterator[Problem]:
    """Yields the problems of a layout. Several stray names are one problem."""
    for line in layout.stray_texts:
        found = "a line indented less than the first line of its definition"
        yield _problem(path, line, found, wanted="indent both alike")
    if layout.stray_names:
        first, *others = layout.stray_names
        found = f"the name '{first.text.strip()}' is indented further than the other names"
        wanted = "start every name in the same column"
        yield _problem(path, first, found + and_more(others), wanted=wanted)
    for entry in layout.entries:
        if not entry.body:
            name = entry.names[0]
            found = f"'{name.text}' has no definition"
            yield _problem(path, name, found, wanted="indent its definition below it")


def _problem(path: str, line: GlossaryLine, found: str, *, wanted: str) -> Problem:
    return Trouble(ProblemKind.ENTRY, found, wanted).at(path, line=line.number)


def _without_comments(lines: Iterable[GlossaryLine]) -> Iterator[GlossaryLine]:
    """Yields the lines that are blank or in no comment. A comment continues through the indented
    lines below it."""
    is_in_comment = False
    for line in lines:
        is_blank = not line.text.strip()
        if not is_blank and indentation(line.text) == 0:
            is_in_comment = COMMENT.match(line.text) is not None
        if is_blank or not is_in_comment:
            yield line


PlacedEntry = tuple[Entry, tuple[str, ...]]
"""An entry, and the headings above it, outermost first."""


@dataclass(frozen=True, kw_only=True)
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
    """Returns the headings of a document with the headings above each. `headings` are in the order
    of the document."""
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
    entries: Iterable[Entry], headings: tuple[str, ...], *, is_sorted: bool
) -> list[PlacedEntry]:
    """Returns the entries of a glossary, each with the headings above the glossary. If `is_sorted`,
    they are in the order of Sphinx."""
    if is_sorted:
        entries = sorted(entries, key=_sort_key)
    return [(entry, headings) for entry in entries]


def _sort_key(entry: Entry) -> str:
    """Returns the key by which Sphinx sorts an entry."""
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
