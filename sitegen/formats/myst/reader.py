"""Reads MyST: the `{glossary}` directive, in both fence styles and inside other directives.

Names and definitions are separated as in Sphinx (`formats.common.glossary_lines`), or as in a Markdown definition
list. Each entry is rendered separately (`html_writer`), and the result is memoized.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import check_length, entry_text, marked
from sitegen.formats.common.glossary_directives import (
    GlossaryLine,
    PlacedEntry,
    check_names,
    glossary_entries,
    markdown_headings,
    reading_in_sections,
    sorting_key,
    without_classifier,
)
from sitegen.formats.common.raw_text import Fence, fences, options, without_front_matter
from sitegen.formats.myst.html_writer import LinkDefinitions, Oddity, link_definitions, render, text_of
from sitegen.model import Document, Entry, EntryText, Problem, Reading
from sitegen.text import compact_json
from sitegen.text.memo import Codec, memo

SHOWN = frozenset({*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT, "math"})
"""Directives that show code: a glossary inside them is an example."""
MAX_DEPTH = 20
"""The maximum number of fences around a glossary."""


class MystEntry(NamedTuple):
    """An entry's text, and the oddities in its definition, with their lines counted from its start."""

    text: EntryText
    odd: tuple[Oddity, ...]


def looks_like(document: Document) -> bool:
    """Returns whether the document has a fence `{glossary}` that is not itself shown as code."""
    return "{glossary}" in document.text.lower() and any(_glossaries(_outer(document.text)[1]))


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document."""
    lines, outer = _outer(document.text)
    glossaries = [*_glossaries(outer)]
    check_length(document, sum(len(line) for _, fence, _ in glossaries for line in fence.body), "MyST glossaries")
    around = _without(outer, lines)
    headings, links = markdown_headings(around), link_definitions(around)
    placed: list[PlacedEntry] = []
    problems: list[Problem] = []
    early_ends: list[Problem] = []
    for line, fence, below in glossaries:
        entries, odd = _read(fence, links, document, line=line)
        placed += [PlacedEntry(entry=entry, headings=headings.above(entry.line)) for entry in entries]
        problems += odd
        if end := fence.early_end(below):
            early_ends.append(_early_end(document, line + 1 + end[0], end[1]))
    read = reading_in_sections(placed, (*problems, *early_ends), document=document, title=headings.title)
    return replace(read, is_partial=bool(early_ends))


def _outer(text: str) -> tuple[list[str], list[Fence]]:
    """Returns the lines of a text, and the outermost fences."""
    lines = without_front_matter(text.split("\n"))
    return lines, [*fences(lines)]


def _without(outer: Iterable[Fence], lines: Sequence[str]) -> str:
    """Returns the text with every fence blanked."""
    around = list(lines)
    for fence in outer:
        around[fence.first : fence.past] = [""] * (fence.past - fence.first)
    return "\n".join(around)


def _glossaries(
    outer: Iterable[Fence], *, before: int = 0, depth: int = 0
) -> Iterator[tuple[int, Fence, Fence | None]]:
    """Yields the glossaries among fences and in them, each with its line and the fence below it.

    `before` is the number of lines above the fences.
    """
    outer = [*outer]
    for fence, below in zip_longest(outer, outer[1:]):
        if fence.directive == "glossary":
            yield before + fence.first + 1, fence, below
        elif not fence.is_code and fence.directive not in SHOWN and depth < MAX_DEPTH:
            yield from _glossaries(fences(fence.body), before=before + fence.first + 1, depth=depth + 1)


def _read(
    glossary: Fence, links: LinkDefinitions, document: Document, *, line: int
) -> tuple[list[Entry], list[Problem]]:
    """Returns the entries of a glossary that begins at a line, and its problems."""
    given, taken = options(glossary.body)
    text = "\n".join(_dedented(glossary.body[taken:]))
    check_names(document, [text])
    items, layout_problems = glossary_entries([*_lines(text, line + taken + 1)], path=document.path)
    problems = [*_damage(glossary, text, document, line), *layout_problems]
    entries: list[Entry] = []
    for item in items:
        names = tuple([without_classifier(name.text) for name in item.names])
        body = "\n".join([line.text for line in item.body])
        parsed = _entry(names, tuple(item.anchors), body, links if "[" in body else ())
        entries.append(Entry(parsed.text, document.place, item.names[0].number))
        for above, found, wanted in parsed.odd:
            number = item.body[: above + 1][-1].number
            problems.append(Problem(path=document.path, line=number, found=found, wanted=wanted))
    if "sorted" in given:
        entries.sort(key=lambda entry: sorting_key(entry.name))
    return entries, problems


def _lines(text: str, first: int) -> Iterator[GlossaryLine]:
    """Yields the lines of a text. `: words` begins a definition, as in a definition list."""
    for number, line in enumerate(text.split("\n"), start=first):
        is_definition = line.startswith((": ", ":\t"))
        if is_definition:
            yield GlossaryLine("", number)
        yield GlossaryLine(f" {line[1:]}" if is_definition else line, number)


def _dedented(lines: Sequence[str]) -> list[str]:
    """Returns the lines without their common indentation; blank lines are empty."""
    if any(line and line[0] not in " \t" for line in lines):  # as in most glossaries
        return [line if line.strip(" \t") else "" for line in lines]
    return textwrap.dedent("\n".join(lines)).split("\n")


def _damage(glossary: Fence, text: str, document: Document, line: int) -> Iterator[Problem]:
    if not glossary.is_closed:
        found, wanted = "a glossary whose fence is never closed", "end it with the same fence"
        yield Problem(path=document.path, line=line, found=found, wanted=wanted)
    if not text or text.isspace():
        found, wanted = "a glossary without entries", "put names and definitions inside its fence"
        yield Problem(path=document.path, line=line, found=found, wanted=wanted)


def _early_end(document: Document, line: int, mark: str) -> Problem:
    return Problem(
        path=document.path,
        line=line,
        found="the end of this fence ends the glossary around it: the lines below are not read",
        wanted=f"fence the glossary with {mark}{mark[0]}",
    )


def _dump(entry: MystEntry) -> bytes:
    return compact_json.dump((entry.text.key.hex(), entry.text.deprecated, entry.odd))


def _load(data: bytes) -> MystEntry | None:
    key, deprecated, odd = compact_json.load(data)
    text = entry_text.at(bytes.fromhex(key))
    if text is None:
        return None
    oddities = tuple([(line, found, wanted) for line, found, wanted in odd])
    return MystEntry(marked(text, section="", deprecated=deprecated), oddities)


@memo(Codec(table="myst_entries", dump=_dump, load=_load))
def _entry(names: tuple[str, ...], anchors: tuple[str, ...], body: str, links: LinkDefinitions) -> MystEntry:
    """Renders an entry; `links` are the links that its document defines outside of fences."""
    rendered = render(body, links)
    text = entry_text(tuple([text_of(name) or name for name in names]), anchors, rendered.html)
    return MystEntry(marked(text, section="", deprecated=rendered.is_deprecated), rendered.odd)
