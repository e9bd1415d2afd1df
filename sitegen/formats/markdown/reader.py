"""Reads Markdown: a glossary as headings, bold words, lists or tables, or a file for each term.

`chunks` cuts a document into chunks and parses each once; `blocks` and `candidates` find headings and names with
definitions in what the parser (`commonmark`) returns; `formats.common.outline` decides which of them are terms;
`term_file` reads files that hold one term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sitegen.formats.common import outline as outlines
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.passages import Block
from sitegen.formats.markdown import chunks, front_matter, term_file
from sitegen.formats.markdown.chunks import Markdown
from sitegen.formats.markdown.front_matter import FrontMatter
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.model import Document, Problem, Reading
from sitegen.text.memo import memo

CODE = re.compile(r"<code\b[^<]*(?:<(?!/?code\b)[^<]*)*</code>")
SHORTCODE = re.compile(r"\{\{(?:&lt;|%)\s*/?(\w[\w./-]*)")
"""A shortcode of Hugo, as HTML shows it."""
RST = re.compile(r"(?<![\w:]):[a-z][\w:+.-]*:(?=<code>)|(?:(?<=<p>)|(?<=\n))\.\. \w[\w:+.-]*::")
"""A role or a directive, as HTML shows it."""


def looks_like(document: Document) -> bool:
    """Returns whether the document, read as Markdown, is convincingly a glossary."""
    return _outlined(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of a Markdown document, or of the section of it that the document names."""
    outline = _outlined(document)
    if outline.reading.entries or outline.reading.problems or outline.is_convincing:
        return outline.reading
    wanted = "a glossary as headings, **bold** names, a definition list or a table, or a title in front matter"
    return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=f"wanted {wanted}"),))


@memo()
def _outlined(document: Document) -> Outline:
    text = document.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    matter, body = front_matter.split(text)
    if term_file.is_furniture(document, matter, body):
        return Outline(Reading(is_furniture=True), is_convincing=True)
    markdown = _term_file_of(document, matter, body)
    if markdown:
        outline = Outline(term_file.read(document, matter, _blocks(markdown)), is_convincing=True)
    else:
        markdown = chunks.parse(body, to_reference)
        outline = outlines.read(document, markdown.passages(), title=matter.first("title"))
    unread = (*_shortcodes(document, body, markdown), *_rst(document, markdown)) if markdown.has_markup else ()
    odd = (*_damaged(document, matter), *_unclosed(document, markdown), *unread, *outline.reading.problems)
    return replace(outline, reading=replace(outline.reading, problems=odd))


def _term_file_of(document: Document, matter: FrontMatter, body: str) -> Markdown | None:
    """Returns the text of a file that holds one term; None for others."""
    if document.section or not term_file.is_titled(matter):
        return None
    markdown = chunks.parse(body, term_file.address)
    return markdown if term_file.is_term_file(_blocks(markdown)) else None


def _blocks(markdown: Markdown) -> list[Block]:
    return [block for _, block in markdown.blocks()]


def _damaged(document: Document, matter: FrontMatter) -> Iterator[Problem]:
    if matter.damaged_at:
        found, wanted = "the front matter is not YAML from here on", "quote values that contain a colon"
        yield Problem(path=document.path, line=matter.damaged_at, found=found, wanted=wanted)


def _unclosed(document: Document, markdown: Markdown) -> Iterator[Problem]:
    for line, found, wanted in markdown.unclosed():
        yield Problem(path=document.path, line=line, found=found, wanted=wanted)


def _shortcodes(document: Document, body: str, markdown: Markdown) -> Iterator[Problem]:
    """Yields a problem for each shortcode that is shown as text, at its first place."""
    lines = body.split("\n")
    first: dict[str, int] = {}
    for above, block in markdown.blocks():
        for name in SHORTCODE.findall(CODE.sub("", block.html)):
            first.setdefault(name, above + block.line)
    for name, start in first.items():
        line = next((number for number, text in enumerate(lines[start - 1 :], start) if name in text), start)
        found, wanted = f"the shortcode '{name}' is shown as it is written", "write what readers of its site see"
        yield Problem(path=document.path, line=line, found=found, wanted=wanted)


def _rst(document: Document, markdown: Markdown) -> Iterator[Problem]:
    """Yields a problem for the first role or directive that is shown as text."""
    for above, block in markdown.blocks():
        if sign := RST.search(block.html):
            found = f"'{sign[0]}' is reStructuredText, and this reads as Markdown"
            wanted = "indent definitions below their names, or write a glossary directive"
            yield Problem(path=document.path, line=above + block.line, found=found, wanted=wanted)
            return
