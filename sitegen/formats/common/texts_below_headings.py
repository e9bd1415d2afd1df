"""Yields the terms that the lists, tables and paragraphs below headings have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sitegen.formats.common.entries import Candidate, text_of_html
from sitegen.formats.common.headings import LETTER
from sitegen.formats.common.structure import Block, HeadingNode


def candidates_below(node: HeadingNode, section: str = "") -> Iterator[Candidate]:
    """Yields the candidates in the text of a heading, and in the texts of the headings below it.
    Their section is the nearest heading above them that is no letter."""
    yield from candidates_in(node, section)
    for child in node.children:
        if child.heading.kind == "auxiliary":
            continue
        section_of_child = section if child.is_letter() else child.name
        yield from candidates_below(child, section_of_child)


def candidates_in(node: HeadingNode, section: str) -> Iterator[Candidate]:
    """Yields the candidates in the text of one heading.

    A name without a definition is the section of the names below it: the paragraphs `**Tools**`,
    `**Jig**: Holds.`, `**Saw**: Cuts.` are two terms in the section "Tools".
    """
    texts = _with_continuations(node.body)
    for number, (block, below) in enumerate(texts, start=1):
        if not block.candidates:
            continue
        *candidates_before, last = block.candidates
        for candidate in candidates_before:
            yield candidate._replace(section=candidate.section or section)

        html = last.html + "".join(below)
        is_lone_name = html == "" and block.form == "paragraph"
        is_above_texts = number < len(texts)
        if is_lone_name and is_above_texts:
            section = last.names[0]
        else:
            yield last._replace(html=html, section=last.section or section)


def texts_left_out(top: HeadingNode) -> Iterator[Block]:
    """Yields the texts that are between two names but part of no definition."""
    for node in (top, *top.walk()):
        # The text below a title is read, whatever the title is.
        if node is not top and node.heading.kind == "auxiliary":
            continue
        is_below_name = False
        texts_since_name: list[Block] = []  # left out only if another name follows
        for block, _ in _with_continuations(node.body):
            if block.candidates:
                yield from texts_since_name
                texts_since_name = []
                is_below_name = True
            elif is_below_name and _is_plain_text(block):
                texts_since_name.append(block)


def _is_plain_text(block: Block) -> bool:
    """Returns whether a text is not empty, and neither a letter nor a menu."""
    if block.is_contents or _is_letter(block):
        return False
    return text_of_html(block.html) != ""


class ContinuedText(NamedTuple):
    """A text below a heading, and the texts that continue its last definition."""

    block: Block
    below: list[str]
    """The HTML of the texts that continue the definition."""


def _with_continuations(body: Iterable[Block]) -> list[ContinuedText]:
    """Returns the texts below a heading. A text that continues a definition is put with it: of
    `**Jig**: Holds.`, a list, and `**Saw**: Cuts.`, the list is put with "Jig"."""
    texts: list[ContinuedText] = []
    for block in body:
        if texts and _continues(block, texts[-1]):
            texts[-1].below.append(block.html)
        else:
            texts.append(ContinuedText(block, below=[]))
    return texts


def _continues(block: Block, above: ContinuedText) -> bool:
    """Returns whether a text continues the definition in the paragraph above it. A text without
    names does, and a list of names once the definition has begun."""
    if above.block.form != "paragraph":
        return False
    if _is_letter(block):
        return False  # it belongs to the names below it
    if not block.candidates:
        return True
    last_name = above.block.candidates[-1]
    has_definition_begun = last_name.html != "" or len(above.below) > 0
    return block.form == "list" and has_definition_begun


def _is_letter(block: Block) -> bool:
    """Returns whether a text is a letter of the alphabet, as above the names in an index."""
    return block.html.startswith("<p>") and LETTER.fullmatch(text_of_html(block.html)) is not None
