"""Markdown: a glossary as headings, bold words, list items, definition lists or tables, or one term to a file.

The work is done in the rooms beside this one: `_commonmark` parses, `_markdown_blocks` and `_items` see headings and
the names inside a text, `_outline` decides which of them are terms, `_term_file` reads files that hold one term.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from markdown_it.token import Token

from sitegen.formats import _front_matter, _outline, _term_file
from sitegen.formats._commonmark import tokens
from sitegen.formats._front_matter import FrontMatter
from sitegen.formats._markdown_blocks import blocks
from sitegen.formats._outline import Outline
from sitegen.model import Document, Problem, Reading


def looks_like(document: Document) -> bool:
    """True when reading the document as Markdown finds what is convincingly a glossary."""
    return _read(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of a Markdown document, or of the section of it that the document names."""
    reading = _read(document).reading
    if reading.entries or reading.problems or _read(document).is_convincing:
        return reading
    wanted = "a glossary as headings, **bold** names, a definition list or a table, or a title in front matter"
    return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=f"wanted {wanted}"),))


@lru_cache(maxsize=8)
def _read(document: Document) -> Outline:
    text = document.text.replace("\r\n", "\n").replace("\r", "\n")
    matter, body = _front_matter.split(text)
    parsed = tokens(body)
    if _term_file.is_furniture(document, matter, parsed):
        return Outline(Reading(is_furniture=True), is_convincing=True)
    if not document.section and _term_file.is_term_file(matter, parsed):
        outline = Outline(_term_file.read(document, matter, parsed), is_convincing=True)
    else:
        outline = _outline.read(document, blocks(parsed), title=matter.first("title"))
    odd = (*_damaged(document, matter), *_unclosed(document, parsed), *outline.reading.problems)
    return replace(outline, reading=replace(outline.reading, problems=odd))


def _damaged(document: Document, matter: FrontMatter) -> Iterator[Problem]:
    if matter.damaged_at:
        found, wanted = "the front matter is not YAML from here on", "quote values that contain a colon"
        yield Problem(path=document.path, line=matter.damaged_at, found=found, wanted=wanted)


def _unclosed(document: Document, parsed: Sequence[Token]) -> Iterator[Problem]:
    """What was opened and never closed, and so swallows the rest of the document."""
    last = parsed[-1] if parsed else None
    if last is None or last.map is None:
        return
    opened, end = last.map
    is_open_fence = last.type == "fence" and end - opened - 1 <= last.content.count("\n")
    if is_open_fence:
        found, wanted = "this code block is never closed", f"close it with {last.markup}"
        yield Problem(path=document.path, line=opened + 1, found=found, wanted=wanted)
    if last.type == "html_block" and "<!--" in last.content.rpartition("-->")[2]:
        found, wanted = "this comment is never closed and hides what follows", "close it with -->"
        yield Problem(path=document.path, line=opened + 1, found=found, wanted=wanted)
