"""Splits a Markdown document into chunks. Each is parsed once, also if the text around it changes.

A chunk begins with a heading, or with a bold name, below an empty line. It is parsed alone, with a heading added
below it: if that is parsed as a heading, the chunk leaves no construct open, and means the same in any document.
Otherwise the whole document is one chunk. Links and footnotes that are defined anywhere in the document are passed
to all chunks that may use them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sitegen.formats.common.entries import too_many
from sitegen.formats.common.structure import Block, Footnotes, MarkupProblem, moved
from sitegen.formats.markdown.blocks import ParsedText, parse_closed, parse_whole
from sitegen.formats.markdown.commonmark import LinkDefinitions
from sitegen.formats.markdown.inline_html import Address
from sitegen.model import Document

BETWEEN = "\n\n"
"""The text between two chunks, which belongs to neither."""
DEFINITION = r" {0,3}[:~][ \t]"
A_DEFINITION = re.compile(rf"\n{DEFINITION}")
SPLIT = re.compile(r"\n\n(?=#{1,6}[ \t]|\*\*\w)")
SPLIT_AROUND_DEFINITIONS = re.compile(rf"\n\n(?=#{{1,6}}[ \t])(?![^\n]*\n\n?{DEFINITION})")
"""A definition list continues through bold names, and through headings that a definition follows."""
RST = re.compile(r"(?<![\w:]):[a-z][\w:+.-]*:(?=<code>)|(?:(?<=<p>)|(?<=\n))\.\. \w[\w:+.-]*::")
"""A role or a directive of reStructuredText, in the HTML that Markdown makes of it."""


LocatedText = tuple[int, ParsedText]
"""The number of lines above a chunk, and the parsed chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """A parsed document."""

    blocks: Sequence[Block]
    """Without the closing text."""
    problems: Sequence[MarkupProblem]
    """The markup that is never closed, and the first reStructuredText that is shown as text."""


def parse(text: str, address: Address, document: Document) -> Markdown:
    """Returns a document, parsed chunk by chunk; `address` maps each link to the address that it gets.

    `document` has the limits. Raises TooMuchWorkError above them.
    """
    has_definitions = (":" in text or "~" in text) and A_DEFINITION.search(text)
    texts = (SPLIT_AROUND_DEFINITIONS if has_definitions else SPLIT).split(text)
    if len(texts) > document.max_entries + 1:
        raise too_many(document, "headings and bold names")
    chunks = _parse_chunks(texts, (), (), address)
    links = _links(chunks)
    if footnotes := _footnotes(chunks):  # which may use links, and refer to each other
        footnotes = _footnotes(_parse_chunks(texts, links, footnotes, address))
    if links or footnotes:
        chunks = _parse_chunks(texts, links, footnotes, address)
    blocks = [moved(block, lines) for lines, chunk in chunks for block in chunk.blocks]
    unclosed = [(lines + line, found, wanted) for lines, chunk in chunks for line, found, wanted in chunk.unclosed]
    return Markdown(blocks=blocks[: _closing_text(blocks)], problems=(*unclosed, *_rst_in(blocks)))


def _parse_chunks(
    texts: Sequence[str], links: LinkDefinitions, footnotes: Footnotes, address: Address
) -> list[LocatedText]:
    """Returns the chunk of each text. If a text leaves a construct open, the whole document is one chunk."""
    chunks: list[LocatedText] = []
    lines = 0
    for text in texts[:-1]:
        chunk = parse_closed(text, *((links, footnotes) if "[" in text else ((), ())), address)
        if chunk is None:
            return [(0, parse_whole(BETWEEN.join(texts), links, footnotes, address))]
        chunks.append((lines, chunk))
        lines += text.count("\n") + len(BETWEEN)
    return [*chunks, (lines, parse_whole(texts[-1], links, footnotes, address))]


def _rst_in(blocks: Iterable[Block]) -> Iterator[MarkupProblem]:
    """Yields a problem for the first reStructuredText that is shown as text."""
    for block in blocks:
        may_have_rst = ":<code>" in block.html or ".. " in block.html  # the pattern alone takes ten times as long
        if may_have_rst and (sign := RST.search(block.html)):
            found = f"'{sign[0]}' is reStructuredText, and this reads as Markdown"
            yield block.line, found, "indent definitions below their names, or write a glossary directive"
            return


def _links(chunks: Iterable[LocatedText]) -> LinkDefinitions:
    """Returns all links of a document. The first one with a label counts."""
    defining = [chunk for _, chunk in chunks if chunk.links]
    return tuple({link[0]: link for chunk in reversed(defining) for link in reversed(chunk.links)}.values())


def _footnotes(chunks: Iterable[LocatedText]) -> Footnotes:
    """Returns all footnotes of a document. The last one with a label and a text counts."""
    footnotes: dict[str, str | None] = {}
    for chunk in [chunk for _, chunk in chunks if chunk.footnotes]:
        footnotes |= {label: html for label, html in chunk.footnotes if html is not None or label not in footnotes}
    return tuple(footnotes.items())


def _closing_text(blocks: Sequence[Block]) -> int:
    """Returns the index of the document's closing text, which belongs to no term: it follows a rule below the last
    heading.
    """
    below_rules = [
        number
        for number, (block, following) in enumerate(pairwise(blocks))
        if block.form == "rule" and following.form != "rule" and not following.level
    ]
    headings = [number for number, block in enumerate(blocks) if block.level]
    has_closing_text = len(headings) > 2 and below_rules and below_rules[0] > headings[-1]
    return below_rules[0] if has_closing_text else len(blocks)
