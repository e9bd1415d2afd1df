"""MyST's `{glossary}`, in both fence styles and inside other directives.

Names and definitions are told apart as in Sphinx (`_glossary`), or stand as in a definition list; what they say is
read as MyST (`_myst_html`), once for each entry (`_myst_pieces`).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from sitegen.formats.common import directive_blocks
from sitegen.formats.common.fences import Fence, fences, options, without_front_matter
from sitegen.formats.common.glossary_lines import sorting_key
from sitegen.formats.common.sections import Placed, markdown_headings, reading
from sitegen.formats.myst import chunks
from sitegen.formats.myst.html_writer import Links, Odd, links
from sitegen.model import Document, Entry, Problem, Reading, Said, entries_at
from sitegen.text.known import Known

SHOWN = frozenset({*directive_blocks.CODE, *directive_blocks.SILENT, *directive_blocks.INERT, "math"})
"""Directives inside which a glossary is an example."""
MAX_DEPTH = 20
"""Fences around a glossary."""


def looks_like(document: Document, known: Known) -> bool:
    """True when the document has a fence `{glossary}` that is not itself shown as code."""
    if "{" not in document.text or "{glossary}" not in document.text.lower():
        return False
    _, outer = known.still(_outer, document.text)
    return any(_glossaries(outer))


def parse(document: Document, known: Known) -> Reading:
    """Returns the entries of all glossaries in the document."""
    lines, outer = known.still(_outer, document.text)
    around = "\n".join(_around(lines, outer))
    headings, defined = markdown_headings(around), links(around)
    placed: list[Placed] = []
    problems: list[Problem] = []
    cuts: list[Problem] = []
    for line, fence, below in _glossaries(outer):
        entries, odd = _read(fence, defined, document, known, line=line)
        placed += [Placed(entry=entry, headings=headings.above(entry.line)) for entry in entries]
        problems += odd
        if cut := fence.cut_by(below):
            cuts.append(_cut(document, line + 1 + cut[0], cut[1]))
    read = reading(placed, (*problems, *cuts), known, document=document, title=headings.title)
    return replace(read, is_partial=bool(cuts))


def _outer(text: str) -> tuple[list[str], list[Fence]]:
    """The lines of a text, and the fences that are in no other."""
    lines = without_front_matter(text.split("\n"))
    return lines, [*fences(lines)]


def _around(lines: Sequence[str], outer: Iterable[Fence]) -> list[str]:
    """The lines with every fence blanked."""
    around = list(lines)
    for fence in outer:
        around[fence.first : fence.past] = [""] * (fence.past - fence.first)
    return around


def _glossaries(
    outer: Iterable[Fence], *, before: int = 0, depth: int = 0
) -> Iterator[tuple[int, Fence, Fence | None]]:
    """The glossaries among fences and in them, each with its line and the fence below it.

    `before` lines precede those with the fences.
    """
    outer = [*outer]
    for fence, below in zip_longest(outer, outer[1:]):
        if fence.directive == "glossary":
            yield before + fence.first + 1, fence, below
        elif not fence.is_code and fence.directive not in SHOWN and depth < MAX_DEPTH:
            yield from _glossaries(fences(fence.body), before=before + fence.first + 1, depth=depth + 1)


def _read(
    glossary: Fence, defined: Links, document: Document, known: Known, *, line: int
) -> tuple[list[Entry], list[Problem]]:
    """The entries of a glossary that begins at a line, and what is odd in it."""
    given, taken = options(glossary.body)
    text = "\n".join(_dedented(glossary.body[taken:]))
    said: list[Said] = []
    lines: list[int] = []
    odd = [*_damage(glossary, text)]
    for above, piece in chunks.read(text, defined, known):
        before = taken + above
        for about, number in piece.said:
            said.append(about)
            lines.append(line + before + number)
        odd += [(before + number, found, wanted) for number, found, wanted in piece.odd]
    entries = [*entries_at(document.place, said, lines)]
    if "sorted" in given:
        entries.sort(key=lambda entry: sorting_key(entry.name))
    place = document.path
    return entries, [Problem(path=place, line=line + at, found=found, wanted=wanted) for at, found, wanted in odd]


def _cut(document: Document, line: int, mark: str) -> Problem:
    return Problem(
        path=document.path,
        line=line,
        found="the end of this fence ends the glossary around it: what stands below is not read",
        wanted=f"fence the glossary with {mark}{mark[0]}",
    )


def _dedented(lines: Sequence[str]) -> list[str]:
    """The lines without the margin that they share, and without any where nothing else is in them."""
    if any(line and line[0] not in " \t" for line in lines):  # as in most glossaries
        return [line if line.strip(" \t") else "" for line in lines]
    return textwrap.dedent("\n".join(lines)).split("\n")


def _damage(glossary: Fence, text: str) -> Iterator[Odd]:
    if not glossary.is_closed:
        yield 0, "a glossary whose fence is never closed", "end it with the same fence"
    if not text or text.isspace():
        yield 0, "a glossary without entries", "put names and definitions inside its fence"
