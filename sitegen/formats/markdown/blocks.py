"""Parses Markdown into blocks: headings with their anchors, and texts with the names and
definitions in them.

Navigation, and everything that a published page would not show, is left out here. This module loads
the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markdown_it.token import Token

from sitegen.formats.common.entries import text_of_html
from sitegen.formats.common.fences import Fence
from sitegen.formats.common.headings import Heading
from sitegen.formats.common.structure import Block, MarkupProblem, heading, moved
from sitegen.formats.markdown import inline_html
from sitegen.formats.markdown.candidates import text_block
from sitegen.formats.markdown.commonmark import (
    LinkDefinitions,
    defined_links,
    elements,
    first_line,
    has_only_links,
    inside,
    plain,
    references,
    tokens,
)
from sitegen.formats.markdown.inline_html import Address
from sitegen.formats.markdown.markdown_html import render
from sitegen.text.memo import memo
from sitegen.text.names import heading_ids

FOOTNOTE = "footnote_reference_open"
RAW_HEADING = r"(?is)\s*<h(?P<level>[1-6])\b[^<>]*>(?P<text>.{1,400}?)</h(?P=level)>\s*"
RAW_LIST = re.compile(r"\s*<dl\b", re.I)
RAW_TABLE = re.compile(r"\s*<table\b", re.I)
LIST_TAG = re.compile(r"</?dl\b", re.I)
HEADING_ATTRIBUTES = re.compile(
    r"\s*(?:\{:?\s*|(?P<round>(?<=\s)\((?=#[a-z])))(?:#(?P<anchor>[^\s{}]{1,100}))?(?(round)\)|[^{}]{0,100}\})$"
)
"""The attributes of a heading, with its anchor: `{#jig .tool}`, `{: #jig}`, `(#jig)`."""
PLACEHOLDER = re.compile(
    r"\[\[_?toc_?\]\]|\[_?toc_?\]|\{\{? ?_?toc_? ?\}?\}|(?:(?:toc|contents) )?\{:[^{}]*\}", re.I
)
"""A placeholder for a table of contents, or attributes of the block above: `[[TOC]]`, `{:toc}`."""
BACK = (
    r"(?i)\W*(?:(?:back |return |go )?(?:up )?to (?:the )?(?:top|contents|table of "
    r"contents|index)|top)?\W*"
)
"""The words of a link to the top, or signs alone: "Back to top", "↑"."""
MIN_LINKS_OF_CONTENTS = 3
"""The minimum number of links in a table of contents."""
MAY_STAY_OPEN = re.compile(r"```|~~~|:::|\$\$|<")
"""Signs of the constructs that may contain `# x`: code, containers, formulas and HTML."""
PROBE = "# .\n\n$$\n"
"""A heading, and the end of a formula that may be open above it. Below a text that leaves a
construct open, the heading is not parsed as one."""


class ParsedText(NamedTuple):
    blocks: tuple[Block, ...]
    links: LinkDefinitions
    """The links that the text may use, and those that it defines."""
    is_open: bool = False
    """True if a text below would be inside a construct of this one."""
    unclosed: tuple[MarkupProblem, ...] = ()

    @property
    def headings(self) -> list[Heading]:
        headings = [block for block in self.blocks if block.level]
        return [Heading(block.level, block.name, block.line) for block in headings]


@memo
def parse_text(text: str, links: LinkDefinitions, address: Address) -> ParsedText:
    """Returns the blocks of a text. If the text leaves a construct open, such as a code block
    without its closing line, the blocks are right only at the end of a document.

    `links` are defined elsewhere in the document, and `address` maps each link to its address.
    """
    if not text.endswith("\n"):
        text += "\n"
    env = {"references": references(links)}  # the parser adds the links that it finds
    if not MAY_STAY_OPEN.search(text):
        return ParsedText(tuple(_blocks(tokens(text, env), address)), defined_links(env))
    # Below the text, a heading is added. If the parser finds none there, something is open.
    parsed = _above_heading(tokens(text + PROBE, env), text.count("\n"))
    if parsed is not None and not _open_lists_after(parsed):
        return ParsedText(tuple(_blocks(parsed, address)), defined_links(env))
    # Something is open, so the text is parsed again, without the heading.
    env = {"references": references(links)}
    parsed = tokens(text, env)
    blocks = tuple(_blocks(parsed, address))
    return ParsedText(blocks, defined_links(env), is_open=True, unclosed=tuple(_unclosed(parsed)))


def parse_outside(lines: Sequence[str], fences: Iterable[Fence]) -> ParsedText:
    """Returns the blocks outside of some fences. Their links keep their addresses as written."""
    outside = [*lines]
    for fence in fences:
        outside[fence.first : fence.past] = [""] * (fence.past - fence.first)
    return parse_text("\n".join(outside), (), str)


def _above_heading(parsed: Sequence[Token], line: int) -> Sequence[Token] | None:
    """Returns the tokens above the heading on a line; None if no heading is there."""
    for index, token in enumerate(parsed):
        is_heading = token.type == "heading_open" and token.level == 0
        if is_heading and token.map and token.map[0] == line:
            return parsed[:index]
    return None


def _unclosed(parsed: Sequence[Token]) -> Iterator[MarkupProblem]:
    """Yields a problem if a code block or a comment is never closed. Such a block is the last
    token, as the rest of the document is inside it."""
    if not parsed:
        return
    last = parsed[-1]
    if last.map is None:
        return
    start, end = last.map  # lines, counted from 0
    if last.type == "fence":
        content_lines = last.content.count("\n")
        closing_lines = end - start - 1 - content_lines
        if closing_lines <= 0:
            found = "this code block is never closed"
            yield MarkupProblem(start + 1, found, f"close it with {last.markup}")
    if last.type == "html_block":
        _, _, after_comments = last.content.rpartition("-->")
        if "<!--" in after_comments:
            found = "this comment is never closed and hides what follows"
            yield MarkupProblem(start + 1, found, "close it with -->")


def _footnotes(parsed: Sequence[Token], address: Address) -> Mapping[str, str]:
    """Returns the HTML of the footnotes of a text by their labels: `{"1": "<p>[1] Old.</p>"}` for
    `[^1]: Old.`. Footnotes inside other blocks, such as lists, are left out."""
    footnotes: dict[str, str] = {}
    for element in elements(parsed):
        opening = element[0]
        if opening.type == FOOTNOTE:
            footnotes[opening.meta["label"]] = render(inside(element), address)
    return footnotes


def _blocks(parsed: Sequence[Token], address: Address) -> Iterator[Block]:
    """Yields the headings and texts of a parsed text."""
    texts = _TextRenderer(address, _footnotes(parsed, address))
    for outer in _with_joined_html_lists(elements(parsed)):
        for element in _without_heading_bullets(outer):
            blocks_of_html = _blocks_of_html(element, texts)
            if blocks_of_html is None:
                yield _block(element, texts)
            else:
                yield from blocks_of_html


def _block(element: Sequence[Token], texts: _TextRenderer) -> Block:
    """Returns the block of an element that is no raw HTML."""
    opening = element[0]
    if opening.type == "heading_open":
        return _heading_block(element)
    if opening.type == "myst_target":
        return Block(line=first_line(opening), html="", anchors=(opening.content,))
    if opening.type == "hr":
        return Block(line=first_line(opening), html="", form="rule")
    if _is_navigation(element):
        return Block(line=first_line(opening), html="")
    return _text_block(element, texts)


def _with_joined_html_lists(top_level: Iterable[list[Token]]) -> Iterator[list[Token]]:
    """Yields the elements of a text, with the parts of each definition list in HTML joined to one.

    The parts are, for example, a block `<dl><dt>Jig</dt><dd>`, a paragraph, and a block
    `</dd></dl>`.
    """
    joined: list[Token] = []
    open_lists = 0
    for element in top_level:
        joined += element
        open_lists = _open_lists_after(element, open_lists)
        if open_lists == 0:
            yield joined
            joined = []
    # The parts of a list that is never closed stay separate.
    yield from elements(joined)


def _without_heading_bullets(element: list[Token]) -> Iterator[list[Token]]:
    """Yields the element itself, or the elements in the items of a list that all begin with
    headings (`* ### Name`)."""
    if element[0].type != "bullet_list_open":
        yield element
        return
    items = [inside(item) for item in elements(inside(element))]
    if not all(item and item[0].type == "heading_open" for item in items):
        yield element
        return
    for item in items:
        yield from elements(item)


def _open_lists_after(sequence: Iterable[Token], open_lists: int = 0) -> int:
    """Returns how many definition lists in HTML are open after some tokens, if `open_lists` are
    open before them."""
    for token in sequence:
        is_outermost = token.level == 0
        if token.type != "html_block" or not is_outermost:
            continue
        begins_with_list = RAW_LIST.match(token.content)
        if open_lists == 0 and not begins_with_list:
            continue  # a `<dl>` inside another element is part of its text
        for tag in LIST_TAG.findall(token.content):
            if tag.startswith("</"):
                open_lists -= 1
            else:
                open_lists += 1
        open_lists = max(0, open_lists)
    return open_lists


def _raw_html(element: Sequence[Token]) -> str | None:
    """Returns the HTML of an element that is only raw HTML: a block, or a paragraph of tags such as
    `<a id="jig"></a>`. Returns None for other elements."""
    if element[0].type == "html_block":
        return element[0].content
    if element[0].type != "paragraph_open":
        return None
    _opening, inline, _closing = element
    raw = ""
    for child in inline.children or ():
        if child.type not in {"html_inline", "softbreak"}:
            return None
        raw += child.content
    return raw


def _blocks_of_html(element: Sequence[Token], texts: _TextRenderer) -> Sequence[Block] | None:
    """Returns the blocks of raw HTML: a heading (`<h2>Jig</h2>`), a definition list, a table of
    terms, or anchors (`<a id="jig"></a>`). Returns None for other elements."""
    raw = _raw_html(element)
    if raw is None:
        return None
    line = first_line(element[0])
    anchors = inline_html.identifiers(raw)
    raw_heading = re.fullmatch(RAW_HEADING, raw)
    if raw_heading:
        name, level = text_of_html(raw_heading["text"]), int(raw_heading["level"])
        return [heading(name, level=level, line=line, anchors=anchors)]
    is_list = RAW_LIST.match(raw) is not None
    if is_list or RAW_TABLE.match(raw):
        blocks = [*_blocks_of_list_or_table(element, texts)]
        has_terms = any(block.candidates or block.guesses for block in blocks)
        if is_list or has_terms:
            return blocks
        # A table without terms is a text like any other.
    if inline_html.shows_nothing(raw):
        return [Block(line=line, html="", anchors=anchors)]
    return None


def _blocks_of_list_or_table(element: Sequence[Token], texts: _TextRenderer) -> Iterator[Block]:
    """Yields the blocks of a list or table in HTML, and of the text after it in the same
    element."""
    from sitegen.formats.html import clean, html_blocks

    start = first_line(element[0])
    html = ""
    line_at_end = start  # the line of the document at which `html` ends
    for inner in elements(element):
        # Line ends are added until the next part is on its line of the document.
        missing_line_ends = "\n" * (first_line(inner[0]) - line_at_end)
        added = missing_line_ends + texts.with_footnotes(inner)
        line_at_end += added.count("\n")
        html += added
    page = clean.parsed(html)
    content = clean.content(page)
    clean.tidy(content, own_name="")
    for block in html_blocks.blocks(content):
        yield moved(block, start - 1)


@dataclass(frozen=True)
class _TextRenderer:
    """Renders elements of a document, each followed by the footnotes it refers to."""

    address: Address
    footnotes: Mapping[str, str]

    def with_footnotes(self, element: Sequence[Token]) -> str:
        html = render(element, self.address)
        for token in element:
            for child in token.children or ():
                if child.type == "footnote_ref":
                    html += self.footnotes.get(child.meta["label"], "")
        return html


def _is_navigation(element: Sequence[Token]) -> bool:
    """Returns whether an element is navigation, such as `[[TOC]]` or `[Back to top](#top)`, or a
    footnote, which is shown elsewhere: below the text that refers to it."""
    if element[0].type == FOOTNOTE:
        return True
    texts = [token.children for token in element if token.children]
    if len(texts) != 1:
        return False  # a list or a table
    [children] = texts
    text = plain(children)
    if PLACEHOLDER.fullmatch(text):
        return True
    reads_as_link_to_top = re.fullmatch(BACK, text) is not None
    return reads_as_link_to_top and _count_own_links(children) == 1


def _count_own_links(children: Sequence[Token]) -> int:
    """Returns the number of links in a text that has nothing but links to this document. The number
    is 0 for any other text."""
    if not has_only_links(children):
        return 0
    addresses = [str(child.attrs.get("href")) for child in children if child.type == "link_open"]
    if all(address.startswith("#") for address in addresses):
        return len(addresses)
    return 0


def _heading_block(element: Sequence[Token]) -> Block:
    """Returns the block of a heading: `## ![](saw.svg) Saw {#cut}` is "Saw", with the anchors `cut`
    and `saw`."""
    opening, inline, _closing = element
    children = inline.children or []
    beside_images = [child for child in children if child.type != "image"]
    # The text of an image is the name only if the heading has no other words.
    name = plain(beside_images) or plain(children)

    anchors = inline_html.anchors_in(children)
    attributes = HEADING_ATTRIBUTES.search(name)
    if attributes:
        name = name[: attributes.start()]
        if attributes["anchor"]:
            anchors = (attributes["anchor"], *anchors)

    anchor, *other_anchors = heading_ids(name)
    anchors = (*anchors, *other_anchors)
    line = first_line(opening)
    level = int(opening.tag.removeprefix("h"))
    return heading(name, level=level, line=line, anchors=anchors, repeatable_anchor=anchor)


def _text_block(element: Sequence[Token], texts: _TextRenderer) -> Block:
    """Returns the block of a text, with the terms in it. A paragraph or a list of links to this
    document is a table of contents."""
    link_counts = [_count_own_links(token.children) for token in element if token.children]
    has_only_own_links = 0 not in link_counts
    is_contents = has_only_own_links and sum(link_counts) >= MIN_LINKS_OF_CONTENTS
    return text_block(element, texts.with_footnotes)._replace(is_contents=is_contents)
