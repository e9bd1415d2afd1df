"""Reads MyST: the `{glossary}` directive, in both fence styles and inside other directives.

Names and definitions are separated as in Sphinx (`formats.common.glossary_directives`), or as in a
definition list of Markdown. Each entry is rendered separately, by a Markdown parser with roles and
directives, and the result is memoized; `formats.markdown.markdown_html` determines how each
directive is shown.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import chain
from operator import attrgetter
from pathlib import PurePosixPath
from typing import NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import check_length, entry_text, limited, text_of_html
from sitegen.formats.common.fences import Fence, fences, options, without_front_matter
from sitegen.formats.common.glossary_directives import (
    GlossaryEntry,
    GlossaryLine,
    PlacedEntry,
    glossary_entries,
    nested,
    placed_entries,
    reading_in_sections,
)
from sitegen.formats.common.structure import MarkupProblem
from sitegen.formats.markdown import commonmark
from sitegen.formats.markdown.blocks import parse_outside
from sitegen.formats.markdown.commonmark import LinkDefinitions, tokens
from sitegen.formats.markdown.inline_html import references_in
from sitegen.formats.markdown.markdown_html import RENDERERS, Context
from sitegen.model import Document, Entry, EntryText, Problem, ProblemKind, Reading, Trouble
from sitegen.text.memo import memo

NOT_SEARCHED = frozenset({*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT, "math"})
"""Directives that show code, or nothing: a glossary inside them is an example."""
MAX_FENCES = 20
"""The maximum number of fences around a glossary."""


class MystEntry(NamedTuple):
    """An entry's text, and the problems in its definition, with their lines in the definition."""

    text: EntryText
    problems: tuple[MarkupProblem, ...]


def looks_like(document: Document) -> bool:
    """Returns whether the document has a fence `{glossary}` that is not itself shown as code."""
    lines = without_front_matter(document.text.split("\n"))
    return any(_glossaries(fences(lines)))


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document."""
    lines = without_front_matter(document.text.split("\n"))
    outer = [*fences(lines)]
    glossaries = [*_glossaries(outer), *_glossary_lists(lines)]
    glossaries.sort(key=attrgetter("line"))
    characters = 0
    for glossary in glossaries:
        characters += sum(map(len, glossary.fence.body))
    check_length(document, characters, "MyST glossaries")

    outside = parse_outside(lines, outer)
    headings = nested(outside.headings)
    reader = _GlossaryReader(document, outside.links)
    placed: list[PlacedEntry] = []
    is_partial = False
    for glossary in glossaries:
        entries = reader.entries(glossary)
        headings_above = headings.above(glossary.line)
        placed += placed_entries(entries, headings_above, is_sorted=glossary.is_sorted)
        if early_end := glossary.early_end():
            reader.problems.append(early_end.at(document.path))
            is_partial = True
    reading = reading_in_sections(placed, reader.problems, document=document, title=headings.title)
    return replace(reading, is_partial=is_partial)


class MystGlossary(NamedTuple):
    line: int
    """The line of its fence."""
    fence: Fence

    @property
    def is_sorted(self) -> bool:
        values, _ = options(self.fence.body)
        return "sorted" in values

    def lines(self) -> Iterator[GlossaryLine]:
        """Yields the lines below the options. A definition list gets the shape of Sphinx."""
        _, option_lines = options(self.fence.body)
        text = textwrap.dedent("\n".join(self.fence.body[option_lines:]))
        for number, line in enumerate(text.split("\n"), start=self.line + 1 + option_lines):
            # `: Holds.` becomes an empty line and an indented `Holds.`
            if line.startswith((": ", ":\t")):
                yield GlossaryLine("", number)
                line = line.replace(":", " ", 1)
            yield GlossaryLine(line, number)

    def early_end(self) -> MarkupProblem | None:
        """Returns the problem of a glossary that ends at the mark of a fence inside it; None for
        other glossaries."""
        if not self.fence.is_closed:
            return None
        # The end of a `{note}` of three backquotes ends a `{glossary}` of three backquotes too.
        for inner in fences(self.fence.body):
            has_lost_end = not inner.is_closed and inner.mark.startswith(self.fence.mark)
            if has_lost_end:
                found = (
                    "the end of this fence ends the glossary around it: the lines below are not "
                    "read"
                )
                wanted = f"fence the glossary with {inner.mark}{inner.mark[0]}"
                return MarkupProblem(self.line + 1 + inner.first, found, wanted)
        return None


def _glossaries(
    outer: Iterable[Fence], *, lines_above: int = 0, depth: int = 0
) -> Iterator[MystGlossary]:
    """Yields the glossaries among fences and in them; `lines_above` is the number of lines above
    the fences."""
    for fence in outer:
        line = lines_above + fence.first + 1
        if fence.directive == "glossary":
            yield MystGlossary(line, fence)
        elif not fence.is_code and fence.directive not in NOT_SEARCHED and depth < MAX_FENCES:
            yield from _glossaries(fences(fence.body), lines_above=line, depth=depth + 1)


def _glossary_lists(lines: Sequence[str]) -> Iterator[MystGlossary]:
    """Yields the definition lists outside of fences that their attributes make glossaries."""
    if not any(map(_marks_glossary, lines)):
        return
    for token in tokens("\n".join(lines), {}):
        if token.type != "dl_open" or token.level > 0 or token.map is None:
            continue
        first, past = token.map  # lines, counted from 0
        if _marks_glossary(lines[first - 1]):
            body = tuple(lines[first:past])
            fence = Fence(
                first=first - 1, past=past, mark="", is_closed=True, directive="glossary", body=body
            )
            yield MystGlossary(first, fence)


def _marks_glossary(line: str) -> bool:
    """Returns whether a line is the attributes of a glossary: `{.glossary}`."""
    return line.startswith("{") and line.endswith("}") and ".glossary" in line[1:-1].split()


class _GlossaryReader:
    """Reads the glossaries of one document, and collects their problems."""

    def __init__(self, document: Document, links: LinkDefinitions) -> None:
        self.document = document
        self.links = links
        """The links that the document defines outside of fences."""
        self.problems: list[Problem] = []

    def entries(self, glossary: MystGlossary) -> list[Entry]:
        """Returns the entries of a glossary."""
        items, problems = glossary_entries([*glossary.lines()], path=self.document.path)
        self.problems += problems
        troubles: list[Trouble] = []
        if not glossary.fence.is_closed:
            found = "a glossary whose fence is never closed"
            troubles.append(Trouble(ProblemKind.MARKUP, found, "end it with the same fence"))
        if not items:
            wanted = "put names and definitions inside its fence"
            troubles.append(Trouble(ProblemKind.NO_TERMS, "a glossary without entries", wanted))
        for trouble in troubles:
            self.problems.append(trouble.at(self.document.path, line=glossary.line))
        names = chain.from_iterable([item.names for item in items])
        limited(self.document, names, of="names")
        return [self._entry(item) for item in items]

    def _entry(self, item: GlossaryEntry) -> Entry:
        """Returns an entry of a glossary."""
        file_name = PurePosixPath(self.document.name).name
        # A text without links is memoized once for all releases, whatever links these define.
        links = self.links if "[" in "".join((item.text, *item.shown_names)) else ()
        rendered = _rendered_entry(item.shown_names, item.text, links, file_name)
        for problem in rendered.problems:
            # The parser may count more lines than the definition has.
            line = item.body[min(problem.line, len(item.body)) - 1]
            self.problems.append(problem._replace(line=line.number).at(self.document.path))
        text = replace(rendered.text, metadata=item.metadata)
        return Entry(text, self.document.place, item.names[0].number)


@memo
def _rendered_entry(
    names: tuple[str, ...], body: str, links: LinkDefinitions, file_name: str
) -> MystEntry:
    """Renders the names and the body of an entry, with the links and the name of its document.

    The result does not depend on the line, so it is the same in all releases that have the entry.
    """
    context = Context(address=references_in(file_name), parser=PARSER, links=links)
    # Rendering adds to `context.problems`.
    html = _html(body, context)
    plain_names: list[str] = []
    for name in names:
        plain_names.append(text_of_html(context.inline(name)) or name)
    directives = {fence.directive for fence in fences(body.split("\n"))}
    is_deprecated = "deprecated" in directives
    text = entry_text(tuple(plain_names), (), html, deprecated=is_deprecated)
    return MystEntry(text, tuple(context.problems))


def _html(text: str, context: Context) -> str:
    """Returns a definition as HTML. One that cannot be parsed is shown unchanged, and reported."""
    try:
        return context.html(text)
    except Exception:  # a fault of the parser, which costs only this definition
        context.report(1, "text that cannot be parsed", "it is shown as it was written")
        return f"<p>{escape(text, quote=False)}</p>"


def _parser() -> MarkdownIt:
    """Returns the parser of ordinary Markdown with the syntax of MyST."""
    parser = commonmark.parser().use(colon_fence_plugin).use(myst_block_plugin)
    parser.disable("container_note")  # `colon_fence` reads containers instead
    # The footnotes of a definition may be below its glossary.
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    parser.renderer.rules |= RENDERERS  # type: ignore[attr-defined]
    return parser


PARSER = _parser()
