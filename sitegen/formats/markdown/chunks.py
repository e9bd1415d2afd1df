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
from sitegen.formats.common.passages import Block, Footnotes, MarkupProblem, moved
from sitegen.formats.markdown import blocks
from sitegen.formats.markdown.blocks import LinkDefinitions
from sitegen.formats.markdown.inline_html import Address
from sitegen.model import Document
from sitegen.text.memo import memo

BETWEEN = "\n\n"
"""The text between two chunks, which belongs to neither."""
DEFINITION = r" {0,3}[:~][ \t]"
A_DEFINITION = re.compile(rf"\n{DEFINITION}")
SPLIT = re.compile(r"\n\n(?=#{1,6}[ \t]|\*\*\w)")
SPLIT_AROUND_DEFINITIONS = re.compile(rf"\n\n(?=#{{1,6}}[ \t])(?![^\n]*\n\n?{DEFINITION})")
"""A definition list continues through bold names, and through headings that a definition follows."""
RST = re.compile(r"(?<![\w:]):[a-z][\w:+.-]*:(?=<code>)|(?:(?<=<p>)|(?<=\n))\.\. \w[\w:+.-]*::")
"""A role or a directive of reStructuredText, in the HTML that Markdown makes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownChunk:
    blocks: tuple[Block, ...]
    lines: int
    """The number of lines from its beginning to that of the next chunk."""
    links: LinkDefinitions
    """The links that the chunk defines, without those that were passed to it."""
    footnotes: Footnotes = ()
    """The footnotes that the chunk defines."""
    unclosed: tuple[MarkupProblem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """A parsed document."""

    chunks: tuple[tuple[int, MarkdownChunk], ...]
    """Each with the number of lines before it."""

    def blocks(self) -> list[Block]:
        """Returns the blocks without the closing text."""
        all_blocks = [moved(block, lines) for lines, chunk in self.chunks for block in chunk.blocks]
        return all_blocks[: _closing_text(all_blocks)]

    def problems(self) -> Iterator[MarkupProblem]:
        """Yields the markup that is never closed, and the first reStructuredText that is shown as text."""
        lines, last = self.chunks[-1]  # only the last chunk can have unclosed markup
        yield from ((lines + line, found, wanted) for line, found, wanted in last.unclosed)
        for lines, block in ((lines, block) for lines, chunk in self.chunks for block in chunk.blocks):
            may_have_rst = ":<code>" in block.html or ".. " in block.html  # the pattern alone takes ten times as long
            if may_have_rst and (sign := RST.search(block.html)):
                found = f"'{sign[0]}' is reStructuredText, and this reads as Markdown"
                wanted = "indent definitions below their names, or write a glossary directive"
                yield lines + block.line, found, wanted
                return


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
    return Markdown(chunks=_parse_chunks(texts, links, footnotes, address) if links or footnotes else chunks)


def _parse_chunks(
    texts: Sequence[str], links: LinkDefinitions, footnotes: Footnotes, address: Address
) -> tuple[tuple[int, MarkdownChunk], ...]:
    """Returns the chunk of each text, with the number of lines before it.

    If a text leaves a construct open, the whole document is one chunk.
    """
    chunks: list[tuple[int, MarkdownChunk]] = []
    lines = 0
    for text in texts[:-1]:
        chunk = _closed_chunk(text, *((links, footnotes) if "[" in text else ((), ())), address)
        if chunk is None:
            return ((0, _last_chunk(BETWEEN.join(texts), links, footnotes, address)),)
        chunks.append((lines, chunk))
        lines += chunk.lines
    return (*chunks, (lines, _last_chunk(texts[-1], links, footnotes, address)))


def _links(chunks: Iterable[tuple[int, MarkdownChunk]]) -> LinkDefinitions:
    """Returns all links of a document. The first one with a label counts."""
    defining = [chunk for _, chunk in chunks if chunk.links]
    return tuple({link[0]: link for chunk in reversed(defining) for link in reversed(chunk.links)}.values())


def _footnotes(chunks: Iterable[tuple[int, MarkdownChunk]]) -> Footnotes:
    """Returns all footnotes of a document. The last one with a label and a text counts."""
    footnotes: dict[str, str | None] = {}
    for chunk in [chunk for _, chunk in chunks if chunk.footnotes]:
        footnotes |= {label: html for label, html in chunk.footnotes if html is not None or label not in footnotes}
    return tuple(footnotes.items())


@memo()
def _closed_chunk(text: str, links: LinkDefinitions, footnotes: Footnotes, address: Address) -> MarkdownChunk | None:
    """Returns the chunk of a text; None if it leaves a construct open."""
    parsed = blocks.parse_closed(text, links, footnotes, address)
    return parsed and _chunk(text, *parsed)


@memo()
def _last_chunk(text: str, links: LinkDefinitions, footnotes: Footnotes, address: Address) -> MarkdownChunk:
    """Returns the chunk of the rest of a document."""
    return _chunk(text, *blocks.parse_whole(text, links, footnotes, address))


def _chunk(
    text: str,
    parts: tuple[Block, ...],
    links: LinkDefinitions = (),
    footnotes: Footnotes = (),
    unclosed: tuple[MarkupProblem, ...] = (),
) -> MarkdownChunk:
    return MarkdownChunk(
        blocks=parts,
        lines=text.count("\n") + len(BETWEEN),
        links=links,
        footnotes=footnotes,
        unclosed=unclosed,
    )


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
