"""Splits a Markdown document into chunks. Each is parsed once, also if the text around it changes.

A chunk begins with a heading, or with a bold name, below an empty line. It is parsed alone, with a heading added
below it: if that is parsed as a heading, the chunk leaves no construct open, and means the same in any document.
Otherwise the chunk is parsed together with those that follow. Links and footnotes that are defined anywhere in the
document are passed only to the chunks that may use them, so that a new link does not change the arguments of all.

Chunks that need the parser are also stored between builds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, islice, pairwise
from operator import attrgetter
from typing import Any

from sitegen.formats.common.entries import CHARACTERS_OF_AN_ENTRY, candidate_of, check_length, too_many
from sitegen.formats.common.passages import Block, Footnotes, LocatedPassage, MarkupProblem, Passage, passages
from sitegen.formats.markdown import plain_markdown
from sitegen.formats.markdown.inline_html import Address
from sitegen.model import Document, digest_of
from sitegen.text import compact_json
from sitegen.text.memo import Codec, memo

BETWEEN = "\n\n"
"""The text between two chunks, which belongs to neither."""
DEFINITION = r" {0,3}[:~][ \t]"
A_DEFINITION = re.compile(rf"\n{DEFINITION}")
SPLIT = re.compile(r"\n\n(?=#{1,6}[ \t]|\*\*\w)")
SPLIT_AROUND_DEFINITIONS = re.compile(rf"\n\n(?=#{{1,6}}[ \t])(?![^\n]*\n\n?{DEFINITION})")
"""A definition list continues through bold names, and through headings that a definition follows."""
CHARACTERS_OF_A_CHUNK = 20
"""The number of characters that the parser reads in the time that it takes to begin a chunk."""
MAX_STORED_BYTES = 20_000
"""Longer chunks are not stored: they change at most releases, and would take too much space."""
RST = re.compile(r"(?<![\w:]):[a-z][\w:+.-]*:(?=<code>)|(?:(?<=<p>)|(?<=\n))\.\. \w[\w:+.-]*::")
"""A role or a directive of reStructuredText, in the HTML that Markdown makes of it."""
NOTHING = b"null"

LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]", re.S)
FOOTNOTE = re.compile(r"\[\^([^\] \n]+)\]")
QUOTED = re.compile(r"\n(?:[ \t]*>)+")
"""A line break inside a label, in a quotation."""
UNRELIABLE = re.compile(r"\\\||\0")
"""In a text with these, markdown-it may find labels that are not in the text: in a table's cell, `\\|` is one
character."""

NAMES = tuple(field.name for field in fields(Block))
VALUES = attrgetter(*NAMES)
"""Returns the values of the fields of a block, in the order of `NAMES`."""

LinkDefinition = tuple[str, str, str]
"""Label, address and title of a link."""
LinkDefinitions = tuple[LinkDefinition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownChunk:
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]
    """The blocks grouped into passages."""
    lines: int
    """The number of lines from its beginning to that of the next chunk."""
    has_rule: bool
    rst: tuple[int, str] | None
    """The line and the beginning of the first reStructuredText that is shown as text."""
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
        """Returns the blocks without the closing text. Their lines are counted in their chunks."""
        blocks = [block for _, chunk in self.chunks for block in chunk.blocks]
        return blocks[: _closing_text(blocks)]

    def passages(self) -> list[LocatedPassage]:
        """Returns the blocks grouped into passages, without the closing text."""
        if not any(chunk.has_rule for _, chunk in self.chunks):
            return [(lines, passage) for lines, chunk in self.chunks for passage in chunk.passages]
        blocks = iter(self.blocks())
        return [
            (lines, passage)
            for lines, chunk in self.chunks
            for passage in passages(islice(blocks, len(chunk.blocks)))
        ]

    def problems(self) -> Iterator[MarkupProblem]:
        """Yields the markup that is never closed, and the first reStructuredText that is shown as text."""
        lines, last = self.chunks[-1]  # only the last chunk can have unclosed markup
        yield from ((lines + line, found, wanted) for line, found, wanted in last.unclosed)
        for lines, chunk in self.chunks:
            if chunk.rst:
                line, sign = chunk.rst
                found = f"'{sign}' is reStructuredText, and this reads as Markdown"
                yield lines + line, found, "indent definitions below their names, or write a glossary directive"
                return


def parse(text: str, address: Address, document: Document) -> Markdown:
    """Returns a document, parsed chunk by chunk; `address` maps each link to the address that it gets.

    `document` has the limits. Raises TooMuchWorkError above them.
    """
    has_definitions = (":" in text or "~" in text) and A_DEFINITION.search(text)
    texts = (SPLIT_AROUND_DEFINITIONS if has_definitions else SPLIT).split(text)
    if len(text) > document.max_entries:
        _check(texts, address, document)
    chunks = _parse_chunks(texts, Definitions(), address)
    links = _links(chunks)
    if footnotes := _footnotes(chunks):  # which may use links, and refer to each other
        footnotes = _footnotes(_parse_chunks(texts, Definitions(links, footnotes), address))
    defined = Definitions(links, footnotes)
    return Markdown(chunks=_parse_chunks(texts, defined, address) if links or footnotes else chunks)


def _check(texts: Sequence[str], address: Address, document: Document) -> None:
    if len(texts) > document.max_entries + 1:
        raise too_many(document, "headings and bold names")
    if sum(map(len, texts)) + CHARACTERS_OF_A_CHUNK * len(texts) > document.max_entries * CHARACTERS_OF_AN_ENTRY:
        parsed = [len(text) for text in texts if plain_markdown.blocks(text, address) is None]
        check_length(document, sum(parsed) + CHARACTERS_OF_A_CHUNK * len(parsed), "Markdown with rich markup")


def parse_whole(text: str, address: Address) -> Markdown:
    """Returns a document, parsed in one chunk."""
    return Markdown(chunks=((0, _last_chunk(text, (), (), address)),))


def _parse_chunks(
    texts: Sequence[str], defined: Definitions, address: Address
) -> tuple[tuple[int, MarkdownChunk], ...]:
    """Returns the chunk of each text, with the number of lines before it.

    A text that leaves a construct open is parsed together with more and more of what follows.
    """
    chunks: list[tuple[int, MarkdownChunk]] = []
    lines = enough = 0
    open_texts: list[str] = []
    for alone in texts[:-1]:
        text = alone
        if open_texts:
            open_texts.append(alone)
            if len(open_texts) < enough:
                continue
            text = BETWEEN.join(open_texts)
        chunk = _closed_chunk(text, *defined.used_in(text), address)
        if chunk is not None:
            chunks.append((lines, chunk))
            lines += chunk.lines
            open_texts.clear()
        else:
            open_texts = open_texts or [alone]
            enough = 2 * len(open_texts)  # doubling keeps the work proportional to the length of the text
    last = BETWEEN.join((*open_texts, texts[-1]))
    return (*chunks, (lines, _last_chunk(last, *defined.used_in(last), address)))


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


class Definitions:
    """The links and footnotes that a document defines, to select those that a part of it may use."""

    def __init__(self, links: LinkDefinitions = (), footnotes: Footnotes = ()) -> None:
        self._links, self._footnotes = links, footnotes
        self._by_label: dict[str, list[LinkDefinition]] = defaultdict(list)
        for link in links:
            self._by_label[_folded(link[0])].append(link)
        self._by_mark = dict(footnotes)

    def used_in(self, text: str) -> tuple[LinkDefinitions, Footnotes]:
        """Returns the links and footnotes that a text may use, or defines: at least those that markdown-it finds."""
        if not (self._links or self._footnotes) or "[" not in text:
            return (), ()
        if UNRELIABLE.search(text):
            return self._links, self._footnotes
        labels, marks = dict.fromkeys(_labels(text)), dict.fromkeys(FOOTNOTE.findall(text))
        links = chain.from_iterable(self._by_label[label] for label in labels if label in self._by_label)
        return tuple(links), tuple([(mark, self._by_mark[mark]) for mark in marks if mark in self._by_mark])


def _labels(text: str) -> Iterator[str]:
    for label in LABEL.findall(text):
        yield _folded(label)
        if "\n" in label:
            yield _folded(QUOTED.sub("\n", label))


def _folded(label: str) -> str:
    """Returns a label as markdown-it compares labels, except for rare kinds of white space."""
    return " ".join(label.split()).lower().upper()


@memo()
def _closed_chunk(text: str, links: LinkDefinitions, footnotes: Footnotes, address: Address) -> MarkdownChunk | None:
    """Returns the chunk of a text; None if it leaves a construct open."""
    return _plain_chunk(text, address) or _parsed_chunk(text, links, footnotes, address)


@memo()
def _last_chunk(text: str, links: LinkDefinitions, footnotes: Footnotes, address: Address) -> MarkdownChunk:
    """Returns the chunk of the rest of a document."""
    plain = _plain_chunk(text, address)
    if plain:
        return plain
    from sitegen.formats.markdown import blocks  # the parser: not loaded for documents that do not need it

    return _chunk(_line_count(text), *blocks.parse_whole(text, links, footnotes, address))


def _plain_chunk(text: str, address: Address) -> MarkdownChunk | None:
    """Returns the chunk of a text that needs no parser; None for others."""
    blocks = plain_markdown.blocks(text, address)
    return _chunk(_line_count(text), blocks) if blocks else None


def _line_count(text: str) -> int:
    return text.count("\n") + len(BETWEEN)


def _key(text: str, links: LinkDefinitions, footnotes: Footnotes, address: Address) -> bytes:
    return digest_of((text, links, footnotes, address.__name__))


def _dump(chunk: MarkdownChunk | None) -> bytes:
    blocks = chunk and [VALUES(block) for block in chunk.blocks]
    data = compact_json.dump(chunk and (chunk.lines, blocks, chunk.links, chunk.footnotes))
    return data if len(data) <= MAX_STORED_BYTES else NOTHING


def _load(data: bytes) -> MarkdownChunk | None:
    if not (plain := compact_json.load(data)):
        return None
    lines, blocks, *defined = plain
    links, footnotes = (tuple(map(tuple, pairs)) for pairs in defined)
    return _chunk(lines, tuple(map(_block, blocks)), links, footnotes)


def _block(values: Iterable[Any]) -> Block:
    fields = dict(zip(NAMES, values, strict=True))
    candidates = {name: tuple(map(candidate_of, fields[name])) for name in ("candidates", "guesses")}
    return Block(**fields | candidates | {"anchors": tuple(fields["anchors"])})


CODEC: Codec[MarkdownChunk | None] = Codec(table="markdown", key=_key, dump=_dump, load=_load)


@memo(CODEC)
def _parsed_chunk(text: str, links: LinkDefinitions, footnotes: Footnotes, address: Address) -> MarkdownChunk | None:
    """Returns the chunk of a text that needs the parser; None if it leaves a construct open."""
    from sitegen.formats.markdown import blocks

    parsed = blocks.parse_closed(text, links, footnotes, address)
    return parsed and _chunk(_line_count(text), *parsed)


def _chunk(
    lines: int,
    blocks: tuple[Block, ...],
    links: LinkDefinitions = (),
    footnotes: Footnotes = (),
    unclosed: tuple[MarkupProblem, ...] = (),
) -> MarkdownChunk:
    return MarkdownChunk(
        blocks=blocks,
        passages=passages(blocks),
        lines=lines,
        has_rule=any(block.form == "rule" for block in blocks),
        rst=_first_rst(blocks),
        links=links,
        footnotes=footnotes,
        unclosed=unclosed,
    )


def _first_rst(blocks: Sequence[Block]) -> tuple[int, str] | None:
    for block in blocks:
        may_have_rst = ":<code>" in block.html or ".. " in block.html  # the pattern alone takes ten times as long
        if may_have_rst and (sign := RST.search(block.html)):
            return block.line, sign[0]
    return None


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
