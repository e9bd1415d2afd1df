"""Directives for docutils: `GlossaryDirective`, and those that definitions use.

No directive reads a file, runs a program or affects another document. The text of an unknown directive is shown, with
a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import unescape
from typing import Any, ClassVar

import docutils
from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.parsers.rst.directives import body, misc, tables
from docutils.parsers.rst.states import SubstitutionDef

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.glossary_directives import (
    GlossaryEntry,
    GlossaryLine,
    glossary_entries,
    without_classifier,
)
from sitegen.formats.rst.limits import Lines

EMPTY = "a glossary without entries"
NAMES_ARE_IMPLICIT = docutils.__version_info__ >= (0, 22)
"""True if docutils registers the name of a link with an embedded address as an implicit target, which another target
of the same name replaces without a message."""
TAG = re.compile("<[^>]*>")
BREAK = re.compile(r"<br\s*/?>", re.I)


class GlossaryList(nodes.definition_list):
    """A glossary. Its attributes are its `first` and `last` line, and whether it is `sorted`."""


class GlossaryItem(nodes.definition_list_item):
    """An entry: terms and a definition, or the attribute `parsed` (an `RstEntry`).

    The attribute `first` is the line of its first name, `anchors` are the labels that point to it.
    """


class LabelledNote(nodes.Element):
    """A note with a `label` for its kind, or with the author's title as its first child."""


class LineBreak(nodes.Inline, nodes.Element):
    """A line break. In reStructuredText it can only be written as a substitution for raw HTML."""


class VersionRemark(nodes.Element):
    """A remark on a version: `kind` is the name of the directive, `version` is its argument."""


class _AnyOption(dict[str, Callable[[Any], Any]]):
    """Accepts every option as text. (docutils drops a directive that has an unknown option.)"""

    def __bool__(self) -> bool:
        return True

    def __missing__(self, name: str) -> Callable[[Any], Any]:
        return lambda value: value


class _Block(Directive):
    """A directive that shows its content as text."""

    has_content = True
    final_argument_whitespace = True
    option_spec: ClassVar = _AnyOption()

    def run(self) -> list[nodes.Node]:
        return self.inside()

    def inside(self) -> list[nodes.Node]:
        holder = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, holder)
        return holder.children

    def words(self) -> list[nodes.Node]:
        """Returns the argument, as text with markup."""
        return self.marked(self.arguments[0]) if self.arguments else []

    def marked(self, text: str) -> list[nodes.Node]:
        inline, messages = self.state.inline_text(text, self.lineno)
        return [*inline, *messages]

    def warn(self, found: str, wanted: str) -> None:
        self.state.document.reporter.warning(found, line=self.lineno, wanted=wanted)


class _Labelled(_Block):
    """A directive whose argument is not shown. Its content may have sections, each with a glossary."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        holder, memo = nodes.container(), self.state.memo
        saved = memo.title_styles, memo.section_level
        memo.title_styles, memo.section_level = [], 0
        try:
            self.state.nested_parse(self.content, self.content_offset, holder, match_titles=True)
        finally:
            memo.title_styles, memo.section_level = saved
        return holder.children


class _Unknown(_Block):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.warn(f"the directive '{self.name}' is not known here", sphinx_markup.AS_TEXT)
        words = self.words()
        return [*([nodes.paragraph("", "", *words)] if words else []), *self.inside()]


class _Note(_Block):
    def run(self) -> list[nodes.Node]:
        return [LabelledNote("", *self.inside(), label=sphinx_markup.NOTES[self.name.lower()])]


class _Titled(_Block):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [LabelledNote("", nodes.title("", "", *self.words()), *self.inside())]


class _Change(_Block):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        version, *rest = (self.arguments or [""])[0].split(None, 1) or [""]
        self.arguments = rest
        words = self.words()
        said = [nodes.paragraph("", "", *words)] if words else []
        return [VersionRemark("", *said, *self.inside(), kind=self.name.lower(), version=version)]


class _Rubric(_Block):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [nodes.rubric("", "", *self.words()), *self.inside()]


class _Code(_Block):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        language = (self.arguments or [""])[0] or sphinx_markup.CODE[self.name.lower()]
        text, caption = "\n".join(self.content), self.options.get("caption")
        above = [nodes.paragraph("", "", *self.marked(caption))] if caption else []
        return [*above, nodes.literal_block(text, text, language=language)]


class _Math(_Block):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        text = "\n\n".join(filter(None, [*self.arguments, "\n".join(self.content)]))
        return [nodes.math_block(text, text)]


class _Image(_Block):
    """An image or a figure; the content of a figure is its caption and legend. The file is not opened."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        source = "".join((self.arguments or [""])[0].split())
        image = nodes.image(uri=source, alt=" ".join((self.options.get("alt") or "").split()))
        return [image, *self.inside()]


class _Silent(_Block):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        return []


class _Inert(_Silent):
    def run(self) -> list[nodes.Node]:
        name = self.name.lower()
        if name == "raw" and isinstance(self.state, SubstitutionDef):
            return [self._substitute()]
        self.warn(f"the directive '{name}' does nothing: {sphinx_markup.INERT[name]}", sphinx_markup.UNREAD)
        # If a substitution has no replacement, docutils shows its source.
        return [nodes.inline("", name)] if isinstance(self.state, SubstitutionDef) else []

    def _substitute(self) -> nodes.Node:
        """Returns the replacement for a substitution of raw HTML: a line break, or its text without tags."""
        content = " ".join(self.content).strip() if "html" in "".join(self.arguments).split() else ""
        return LineBreak() if BREAK.fullmatch(content) else nodes.inline("", unescape(TAG.sub("", content)))


class _Include(_Inert):
    """Inserts a file that was loaded with the document. Other files are not read."""

    def run(self) -> list[nodes.Node]:
        text = self.state.document.settings.includes.get((self.arguments or [""])[0].strip())
        if text is None or isinstance(self.state, SubstitutionDef):
            return super().run()
        text = text.partition(self.options["start-after"])[2] if self.options.get("start-after") else text
        text = text.partition(self.options["end-before"])[0] if self.options.get("end-before") else text
        if {"literal", "code"} & self.options.keys():
            return [nodes.literal_block(text, text, language=self.options.get("code") or "")]
        lines = text.expandtabs(8).split("\n")
        source = self.content.source(0) if self.content else ""
        block = Lines(lines, items=[(source, self.lineno - 1)] * len(lines))
        holder = nodes.container()
        self.state.nested_parse(block, self.lineno - 1, holder)
        return holder.children


class _CsvTable(tables.CSVTable):
    def run(self) -> Sequence[nodes.Node]:  # type: ignore[override]
        if "file" in self.options or "url" in self.options:
            found = f"the directive 'csv-table' does nothing: {sphinx_markup.INERT['include']}"
            self.state.document.reporter.warning(found, line=self.lineno, wanted=sphinx_markup.UNREAD)
            return []
        return super().run()


class GlossaryDirective(_Block):
    """A glossary; `sitegen.formats.common.glossary_lines` splits it into names and definitions."""

    def run(self) -> list[nodes.Node]:
        numbers = [offset + 1 for _, offset in self.content.items]
        lines = [GlossaryLine(text, number) for text, number in zip(self.content, numbers, strict=True)]
        items, problems = glossary_entries(lines, path="")
        for problem in problems:
            self.state.document.reporter.warning(problem.found, line=problem.line, wanted=problem.wanted)
        if not items:
            self.warn(EMPTY, "indent names and definitions below it")
        glossary = GlossaryList(first=self.lineno, last=max([self.lineno, *numbers]), sorted="sorted" in self.options)
        glossary += [self._item(item) for item in items]
        return [glossary]

    def _item(self, item: GlossaryEntry) -> GlossaryItem:
        settings = self.state.document.settings
        node = GlossaryItem(first=item.names[0].number, anchors=item.anchors)
        parse_entry, settings.parse_entry = settings.parse_entry, None  # a glossary inside is parsed with it
        try:
            if not (parse_entry and self._is_parsed_alone(item, node, parse_entry)):
                node += map(self._term, item.names)
                node += self._definition(item.body)
        finally:
            settings.parse_entry = parse_entry
        return node

    def _is_parsed_alone(self, item: GlossaryEntry, node: GlossaryItem, parse_entry: Any) -> bool:
        """Parses an entry separately, and adds the result to its node; False if it depends on its document."""
        names = tuple([without_classifier(name.text) for name in item.names])
        parsed = parse_entry(names, "\n".join([line.text for line in item.body]))
        Lines.steps.take(parsed.steps)
        document = self.state.document
        if parsed.is_dependent or any(name in document.nameids for name, _ in parsed.links):
            return False
        for name, address in parsed.links:
            node += (target := nodes.target(names=[name], refuri=address))
            (document.note_implicit_target if NAMES_ARE_IMPLICIT else document.note_explicit_target)(target)
        node["parsed"] = parsed
        return True

    def _term(self, name: GlossaryLine) -> nodes.term:
        text = without_classifier(name.text)
        inline, _ = self.state.inline_text(text, name.number)
        term = nodes.term(text, "", *inline)
        term.line = name.number
        return term

    def _definition(self, lines: list[GlossaryLine]) -> nodes.definition:
        definition = nodes.definition()
        if not lines:
            return definition
        source = self.content.items[0][0]
        block = Lines([line.text for line in lines], items=[(source, line.number - 1) for line in lines])
        try:
            self.state.nested_parse(block, lines[0].number - 1, definition)
        except Exception:
            # Nested too deeply, or a docutils bug: show the text without its markup.
            found, wanted = "this definition cannot be parsed", "it is shown as plain text"
            self.state.document.reporter.warning(found, line=lines[0].number, wanted=wanted)
            text = "\n".join(line.text.strip() for line in lines)
            return nodes.definition("", nodes.paragraph("", text))
        return definition


DIRECTIVES: dict[str, type[Directive]] = {
    **dict.fromkeys(sphinx_markup.NOTES, _Note),
    **dict.fromkeys(sphinx_markup.CHANGES, _Change),
    **dict.fromkeys(sphinx_markup.TITLED, _Titled),
    **dict.fromkeys(sphinx_markup.QUOTES, body.Epigraph),
    **dict.fromkeys(sphinx_markup.PLAIN, _Block),
    **dict.fromkeys(sphinx_markup.LABELLED, _Labelled),
    **dict.fromkeys(sphinx_markup.CODE, _Code),
    **dict.fromkeys(sphinx_markup.SILENT, _Silent),
    **dict.fromkeys(sphinx_markup.INERT, _Inert),
    "csv-table": _CsvTable,
    "figure": _Image,
    "glossary": GlossaryDirective,
    "image": _Image,
    "include": _Include,
    "list-table": tables.ListTable,
    "math": _Math,
    "parsed-literal": body.ParsedLiteral,
    "replace": misc.Replace,
    "rubric": _Rubric,
    "table": tables.RSTTable,
    "unicode": misc.Unicode,
}


def directive_class(name: str) -> type[Directive]:
    """Returns the class for a directive's name."""
    return DIRECTIVES.get(name.lower(), _Unknown)
