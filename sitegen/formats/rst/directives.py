"""Directives for docutils: `GlossaryDirective`, and those that definitions use.

No directive reads a file, runs a program or affects another document. The text of an unknown
directive is shown, with a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import unescape
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.parsers.rst.directives import body
from docutils.parsers.rst.states import SubstitutionDef
from docutils.statemachine import StringList

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.glossary_directives import (
    GlossaryEntry,
    GlossaryLine,
    glossary_entries,
)
from sitegen.model import ProblemKind, TooMuchWorkError
from sitegen.text.words import without_tags

STEPS_FOR_AN_ENTRY = 15
"""The steps of the parser for an entry, in addition to those for its lines."""
STEPS_FOR_A_FAILURE = 10_000
"""The steps for a definition that is nested too deeply: docutils takes long until it fails."""


class GlossaryList(nodes.definition_list):
    """A glossary. Its attributes are its `first` and `last` line, and whether it is `sorted`."""


class GlossaryItem(nodes.definition_list_item):
    """An entry: terms and a definition. The attribute `first` is the line of its first name, and
    `metadata` that of its `Entry`."""


class DirectiveNode(nodes.Element):
    """A `directive` that `sphinx_markup.directive` renders, with its `version`. The first child may
    be its title."""


class _AnyOption(dict[str, Callable[[Any], Any]]):
    """Accepts every option as text. (docutils drops a directive that has an unknown option.)"""

    def __bool__(self) -> bool:
        return True  # docutils accepts no options if this is false, as an empty dict is

    def __missing__(self, name: str) -> Callable[[Any], Any]:
        return lambda value: value


class _Block(Directive):
    """A directive with a function in `DIRECTIVES`. Its content begins on the line with its name."""

    has_content = True
    final_argument_whitespace = True
    option_spec: ClassVar = _AnyOption()

    def run(self) -> list[nodes.Node]:
        return DIRECTIVES.get(self.name.lower(), _unknown)(self)

    @property
    def argument(self) -> str:
        return "".join(self.arguments)

    @property
    def input_lines(self) -> Any:
        """The lines of the block around the directive (`machines.Lines`)."""
        return self.state_machine.input_lines

    def parsed_content(self) -> list[nodes.Node]:
        """Returns the nodes of the content."""
        return self.parsed(self.content, self.content_offset)

    def parsed(self, lines: StringList, offset: int, **options: Any) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(lines, offset, container, **options)
        return container.children

    def lines(self, texts: Sequence[str], numbers: Iterable[int]) -> StringList:
        """Returns texts as lines for the parser. `numbers` are their line numbers in the
        document."""
        source = self.content.source(0) if self.content else ""
        items = [(source, number - 1) for number in numbers]  # docutils counts lines from 0
        around = self.input_lines
        parser_lines = type(around)  # not imported: `machines` imports this module
        lines: StringList = parser_lines(list(texts), items=items, steps=around.steps)
        return lines

    def parsed_with_sections(self, lines: StringList, offset: int) -> list[nodes.Node]:
        """Returns the nodes of lines that may have sections. The sections are below the heading
        around the directive."""
        memo = self.state.memo
        outer = memo.title_styles, memo.section_level
        # docutils has to forget the headings around: the same underline may be used inside.
        memo.title_styles, memo.section_level = [], 0
        try:
            return self.parsed(lines, offset, match_titles=True)
        finally:
            memo.title_styles, memo.section_level = outer

    def marked(self, text: str) -> list[nodes.Node]:
        """Returns a text on one line, with its markup."""
        inline, messages = self.state.inline_text(text, self.lineno)
        return [*inline, *messages]

    def paragraph(self, text: str) -> list[nodes.Node]:
        if text:
            return [nodes.paragraph("", "", *self.marked(text))]
        return []

    def warn(
        self, found: str, wanted: str, *, kind: ProblemKind = ProblemKind.MARKUP, line: int = 0
    ) -> None:
        self.state.document.reporter.warning(
            found, line=line or self.lineno, wanted=wanted, kind=kind
        )


class _BlockWithArgument(_Block):
    """A directive whose first line is an argument."""

    optional_arguments = 1


def _unknown(block: _Block) -> list[nodes.Node]:
    block.warn(f"the directive '{block.name}' is not known here", sphinx_markup.AS_TEXT)
    return [*block.paragraph(block.argument), *block.parsed_content()]


def _labeled(block: _Block) -> list[nodes.Node]:
    """Returns the content without the argument. The content may have sections, each with a
    glossary."""
    return block.parsed_with_sections(block.content, block.content_offset)


def _titled(block: _Block) -> list[nodes.Node]:
    """Returns a note, whose title is the argument: `.. admonition:: Saws`."""
    node = DirectiveNode("", directive=block.name.lower(), version="")
    if block.argument:
        node += nodes.title("", "", *block.marked(block.argument))
    node += block.parsed_content()
    return [node]


def _change(block: _Block) -> list[nodes.Node]:
    """Returns a remark on a version. The argument has the version and the remark: `.. deprecated::
    2.0 Use a jig.`"""
    version, *_ = block.argument.split() or [""]
    remark = block.argument.removeprefix(version).lstrip()
    node = DirectiveNode("", directive=block.name.lower(), version=version)
    node += block.paragraph(remark)
    node += block.parsed_content()
    return [node]


def _code(block: _Block) -> list[nodes.Node]:
    text = "\n".join(block.content)
    language = block.argument or sphinx_markup.CODE[block.name.lower()]
    caption = block.paragraph(block.options.get("caption") or "")
    return [*caption, nodes.literal_block(text, text, language=language)]


def _math(block: _Block) -> list[nodes.Node]:
    content = "\n".join(block.content)
    text = "\n\n".join(filter(None, [block.argument, content]))
    return [nodes.math_block(text, text)]


def _image(block: _Block) -> list[nodes.Node]:
    """Returns an image. For a figure, its caption and legend follow. The file is not opened."""
    words = block.options.get("alt") or ""
    address = "".join(block.argument.split())  # an address may be on several lines
    image = nodes.image(uri=address, alt=" ".join(words.split()))
    return [image, *block.parsed_content()]


def _inert(block: _Block) -> list[nodes.Node]:
    """Warns that a directive does nothing, and returns an empty node. Raw HTML that defines a
    substitution, `.. |good| raw:: html`, is shown as its text."""
    name = block.name.lower()
    is_html_in_substitution = isinstance(block.state, SubstitutionDef) and block.argument == "html"
    if is_html_in_substitution and block.content:
        text = unescape(without_tags(" ".join(block.content)))
        return [nodes.inline("", text)]
    found = f"the directive '{name}' does nothing: {sphinx_markup.INERT[name]}"
    block.warn(found, sphinx_markup.WRITE_IT_HERE)
    return [nodes.inline()]  # without a node, docutils shows the source of a substitution


def _include(block: _Block) -> list[nodes.Node]:
    """Returns the content of a file that was loaded with the document. Other files, and parts of
    files, are not read."""
    target = block.argument.strip()
    settings = block.state.document.settings
    includes = settings.includes
    text = includes.get(target)  # None if it was not loaded
    options_of_part = block.options.keys() - {"encoding", "tab-width"}
    if text is None or options_of_part:
        is_of_docutils = target.startswith("<")  # such as `<isonum.txt>`
        if not is_of_docutils:  # another file may have terms
            settings.unread_includes.append(block.lineno)
        return _inert(block)
    texts = text.expandtabs(8).split("\n")
    lines = block.lines(texts, [block.lineno] * len(texts))
    # The text already has the files that it includes. If it could include more, a file that
    # includes itself would have no end.
    settings.includes = {}
    try:
        if isinstance(block.state.parent, nodes.document | nodes.section):
            return block.parsed_with_sections(lines, block.lineno - 1)
        return block.parsed(lines, block.lineno - 1)
    finally:
        settings.includes = includes


class GlossaryDirective(_Block):
    """A glossary; `sitegen.formats.common.glossary_directives` splits it into names and
    definitions."""

    def run(self) -> list[nodes.Node]:
        """Returns the node of the glossary, and warns of problems in its layout."""
        numbers = [offset + 1 for _, offset in self.content.items]
        lines = [*map(GlossaryLine, self.content, numbers)]
        items, problems = glossary_entries(lines, path="")
        for problem in problems:
            self.warn(problem.found, problem.wanted, kind=problem.kind, line=problem.line)
        if not items:
            wanted = "indent names and definitions below it"
            self.warn("a glossary without entries", wanted, kind=ProblemKind.NO_TERMS)
        last = max([self.lineno, *numbers])
        glossary = GlossaryList(first=self.lineno, last=last, sorted="sorted" in self.options)
        glossary += [self._item(item) for item in items]
        return [glossary]

    def _item(self, item: GlossaryEntry) -> GlossaryItem:
        """Returns the node of an entry: its terms and its definition."""
        self.state.document.settings.steps.take(STEPS_FOR_AN_ENTRY)
        node = GlossaryItem(first=item.names[0].number, metadata=item.metadata)
        node += [*map(self._term, item.shown_names, item.names)]
        node += self._definition(item.body)
        return node

    def _term(self, name: str, line: GlossaryLine) -> nodes.term:
        # The messages are left out: docutils has reported them.
        inline, _ = self.state.inline_text(name, line.number)
        term = nodes.term(name, "", *inline)
        term.line = line.number
        return term

    def _definition(self, lines: list[GlossaryLine]) -> nodes.definition:
        """Returns the node of a definition. If it cannot be parsed, warns, and returns its plain
        text."""
        definition = nodes.definition()
        if not lines:
            return definition
        numbers = [line.number for line in lines]
        texts = self.lines([line.text for line in lines], numbers)
        try:
            definition += self.parsed(texts, numbers[0] - 1)
        except TooMuchWorkError:
            raise
        except Exception:
            # Nested too deeply, or a docutils bug: show the text without its markup.
            self.state.document.settings.steps.take(STEPS_FOR_A_FAILURE)
            found = "this definition cannot be parsed"
            self.warn(found, "it is shown as plain text", line=lines[0].number)
            text = "\n".join([line.text.strip() for line in lines])
            return nodes.definition("", nodes.paragraph("", text))
        return definition


CLASSES: dict[str, type[Directive]] = {
    **dict.fromkeys(sphinx_markup.NOTES, _Block),
    **dict.fromkeys(sphinx_markup.UNFRAMED, _Block),
    "glossary": GlossaryDirective,
    "parsed-literal": body.ParsedLiteral,
}
"""The classes of directives, other than `_BlockWithArgument` and those in `IMPORTED_LATE`."""
IMPORTED_LATE = ("csv-table", "list-table", "replace", "table", "unicode")
"""Directives whose modules import an HTTP client, which is never used. They are imported for the
first document that has one of these."""
DIRECTIVES: dict[str, Callable[[_Block], list[nodes.Node]]] = {
    **dict.fromkeys((*sphinx_markup.NOTES, *sphinx_markup.TITLED), _titled),
    **dict.fromkeys(sphinx_markup.VERSION_NOTES, _change),
    **dict.fromkeys(sphinx_markup.UNFRAMED, _Block.parsed_content),
    **dict.fromkeys(sphinx_markup.LABELED, _labeled),
    **dict.fromkeys(sphinx_markup.CODE, _code),
    **dict.fromkeys(sphinx_markup.SILENT, lambda _block: []),
    **dict.fromkeys(sphinx_markup.INERT, _inert),
    "figure": _image,
    "image": _image,
    "include": _include,
    "math": _math,
}
"""The functions that return the nodes of a directive, by its name."""


def directive_class(name: str) -> type[Directive]:
    """Returns the class for a directive's name."""
    name = name.lower()
    if name in IMPORTED_LATE:
        return _late_classes()[name]
    return CLASSES.get(name, _BlockWithArgument)


@cache
def _late_classes() -> dict[str, type[Directive]]:
    """Returns the classes of the directives in `IMPORTED_LATE`."""
    from docutils.parsers.rst.directives import misc, tables

    class CsvTable(tables.CSVTable):
        def extend_short_rows_with_empty_cells(self, columns: int, parts: Any) -> None:
            # All rows of the head and the body get as many cells as the longest row. A cell is one
            # of the steps that a document may take.
            self.state.document.settings.steps.take(columns * sum(map(len, parts)))
            super().extend_short_rows_with_empty_cells(columns, parts)

    return {
        "csv-table": CsvTable,
        "list-table": tables.ListTable,
        "replace": misc.Replace,
        "table": tables.RSTTable,
        "unicode": misc.Unicode,
    }
