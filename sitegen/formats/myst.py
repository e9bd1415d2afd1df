"""Reads MyST: the `{glossary}` directive, in both fence styles and inside other directives.

Names and definitions are separated as in Sphinx (`formats.common.glossary_directives`), or as in a
definition list of Markdown. Each entry is rendered separately, by a Markdown parser with roles and
directives, and the result is memoized; `formats.markdown.markdown_html` determines how each
directive is shown.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import zip_longest
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import check_length, entry_text, limited, marked, words_of
from sitegen.formats.common.fences import Fence, fences, options, without_front_matter
from sitegen.formats.common.glossary_directives import (
    GlossaryLine,
    PlacedEntry,
    glossary_entries,
    nested,
    placed_entries,
    reading_in_sections,
    sort_keys,
    without_classifier,
)
from sitegen.formats.common.structure import MarkupProblem
from sitegen.formats.markdown import commonmark
from sitegen.formats.markdown.commonmark import LinkDefinitions
from sitegen.formats.markdown.inline_html import references_in
from sitegen.formats.markdown.markdown_html import RENDERERS, Context
from sitegen.model import Document, Entry, EntryText, Problem, ProblemKind, Reading, Trouble
from sitegen.text.memo import memo

SHOWN = frozenset({*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT, "math"})
"""Directives that show code: a glossary inside them is an example."""
GLOSSARY_LIST = re.compile(r"\{(?:[^{}]*\s)?\.glossary(?:\s[^{}]*)?\}")
"""The attributes above a definition list that is a glossary."""
DEFINITION = (": ", ":\t")
MAX_FENCES = 20
"""The maximum number of fences around a glossary."""


class MystEntry(NamedTuple):
    """An entry's text, and the oddities in its definition, with their lines counted from its
    start."""

    text: EntryText
    problems: tuple[MarkupProblem, ...]


def looks_like(document: Document) -> bool:
    """Returns whether the document has a fence `{glossary}` that is not itself shown as code."""
    return any(_glossaries(fences(without_front_matter(document.text.split("\n")))))


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document."""
    lines = without_front_matter(document.text.split("\n"))
    outer = [*fences(lines)]
    glossaries = [*_glossaries(outer), *_glossary_lists(lines, outer)]
    glossaries.sort(key=itemgetter(0))
    check_length(
        document,
        sum(len(line) for _, fence, _ in glossaries for line in fence.body),
        "MyST glossaries",
    )
    for fence in outer:
        lines[fence.first : fence.past] = [""] * (fence.past - fence.first)
    markdown = "\n".join(lines)
    env: dict[str, Any] = {}
    headings = nested(commonmark.headings(commonmark.tokens(markdown, env)))
    links = commonmark.defined_links(env)
    placed: list[PlacedEntry] = []
    problems: list[Problem] = []
    is_partial = False
    for line, fence, following in glossaries:
        entries, new_problems = _entries_and_problems(fence, links, document, line=line)
        placed += placed_entries(entries, headings, is_sorted="sorted" in options(fence.body)[0])
        problems += new_problems
        if fence.mark and (end := fence.early_end(following)):
            is_partial = True
            found = (
                "the end of this fence ends the glossary around it: the lines below are not read"
            )
            wanted = f"fence the glossary with {end[1]}{end[1][0]}"
            problems.append(
                Trouble(ProblemKind.MARKUP, found, wanted).at(document.path, line=line + 1 + end[0])
            )
    reading = reading_in_sections(placed, problems, document=document, title=headings.title)
    return replace(reading, is_partial=is_partial)


def _glossaries(
    outer: Iterable[Fence], *, lines_above: int = 0, depth: int = 0
) -> Iterator[tuple[int, Fence, Fence | None]]:
    """Yields the glossaries among fences and in them, each with its line and the fence below it.

    `lines_above` is the number of lines above the fences.
    """
    outer = [*outer]
    for fence, following in zip_longest(outer, outer[1:]):
        line = lines_above + fence.first + 1
        if fence.directive == "glossary":
            yield line, fence, following
        elif not fence.is_code and fence.directive not in SHOWN and depth < MAX_FENCES:
            yield from _glossaries(fences(fence.body), lines_above=line, depth=depth + 1)


def _glossary_lists(
    lines: Sequence[str], outer: Iterable[Fence]
) -> Iterator[tuple[int, Fence, None]]:
    """Yields the definition lists that a line of attributes marks as glossaries, each as a fence
    without marks."""
    plain_lines = [*lines]
    for fence in outer:
        if lines[fence.first].startswith(" "):  # inside of a definition
            plain_lines[fence.first : fence.past] = [" "] * (fence.past - fence.first)
    for first, line in enumerate(plain_lines):
        if GLOSSARY_LIST.fullmatch(line):
            past = _end_of_list(plain_lines, first + 1)
            body = tuple(lines[first + 1 : past])
            yield (
                first + 1,
                Fence(
                    first=first,
                    past=past,
                    mark="",
                    end=" ",
                    directive="glossary",
                    info="",
                    is_code=False,
                    body=body,
                ),
                None,
            )


def _end_of_list(lines: Sequence[str], start: int) -> int:
    """Returns the index of the line after a definition list: a heading, or a text that no
    definition follows."""
    index = start
    while index < len(lines):
        if not lines[index] or lines[index].startswith((" ", "\t", ":")):
            index += 1
            continue
        definition = _definition_below(lines, index)
        if definition is None:
            return index
        index = definition
    return index


def _definition_below(lines: Sequence[str], index: int) -> int | None:
    """Returns the index of the definition below the names that begin at a line; None without
    one."""
    if lines[index].startswith("#"):
        return None
    while index < len(lines) and lines[index] and not lines[index].startswith(":"):
        index += 1
    index += 1 if index < len(lines) and not lines[index] else 0
    has_definition = index < len(lines) and lines[index].startswith(DEFINITION)
    return index if has_definition else None


def _entries_and_problems(
    glossary: Fence, links: LinkDefinitions, document: Document, *, line: int
) -> tuple[list[Entry], list[Problem]]:
    """Returns the entries of a glossary that begins at a line, and its problems."""
    _, option_lines = options(glossary.body)
    text = textwrap.dedent("\n".join(glossary.body[option_lines:]))
    items, problems = glossary_entries(
        [*_glossary_lines(text, line + option_lines + 1)], path=document.path
    )
    limited(document, (name for item in items for name in item.names), of="names")

    def report(
        number: int, found: str, wanted: str, *, kind: ProblemKind = ProblemKind.MARKUP
    ) -> None:
        problems.append(Trouble(kind, found, wanted).at(document.path, line=number))

    if not glossary.is_closed:
        report(line, "a glossary whose fence is never closed", "end it with the same fence")
    if not text or text.isspace():
        wanted = "put names and definitions inside its fence"
        report(line, "a glossary without entries", wanted, kind=ProblemKind.NO_TERMS)
    entries: list[Entry] = []
    own_name = PurePosixPath(document.name).name if ".md#" in text else ""
    for item in items:
        names = tuple([without_classifier(name.text) for name in item.names])
        body = "\n".join([line.text for line in item.body])
        parsed = _rendered_entry(
            names, tuple(item.anchors), body, links if "[" in body else (), own_name
        )
        content = parsed.text
        if keys := sort_keys(name.text for name in item.names):
            content = replace(content, metadata=keys)
        entries.append(Entry(content, document.place, item.names[0].number))
        for index, found, wanted in parsed.problems:
            report(item.body[: index + 1][-1].number, found, wanted)
    return entries, problems


def _glossary_lines(text: str, first: int) -> Iterator[GlossaryLine]:
    """Yields the lines of a text. `: words` begins a definition, as in a definition list."""
    for number, line in enumerate(text.split("\n"), start=first):
        is_definition = line.startswith(DEFINITION)
        if is_definition:
            yield GlossaryLine("", number)
        yield GlossaryLine(f" {line[1:]}" if is_definition else line, number)


@memo
def _rendered_entry(
    names: tuple[str, ...],
    anchors: tuple[str, ...],
    body: str,
    links: LinkDefinitions,
    own_name: str,
) -> MystEntry:
    """Renders an entry; `links` are the links that its document, the file `own_name`, defines
    outside of fences."""
    context = Context(address=references_in(own_name), parser=PARSER, is_myst=True, links=links)
    html = _html(body, context)
    is_deprecated = any(fence.directive == "deprecated" for fence in fences(body.split("\n")))
    plain_names = tuple([words_of(context.inline(name)) or name for name in names])
    text = marked(entry_text(plain_names, anchors, html), section="", deprecated=is_deprecated)
    return MystEntry(text, tuple(context.problems))


def _html(text: str, context: Context) -> str:
    """Returns a definition as HTML. One that cannot be parsed is shown unchanged, and reported."""
    try:
        return context.html(text)
    except Exception:  # a limit, or the parser failed
        context.report(0, "text that cannot be parsed", "it is shown as it was written")
        return f"<p>{escape(text, quote=False)}</p>"


def _parser() -> MarkdownIt:
    parser = commonmark.parser().use(colon_fence_plugin).use(myst_block_plugin)
    parser.disable("container_note")  # `colon_fence` reads all of them
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    parser.renderer.rules |= RENDERERS  # type: ignore[attr-defined]
    return parser


PARSER = _parser()
