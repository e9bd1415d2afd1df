"""Parses Markdown into blocks: headings with their anchors, and texts with the names and
definitions in them.

Navigation, and everything that a published page would not show, is left out here. This module loads
the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from markdown_it.token import Token

from sitegen.formats.common.entries import text_of_html
from sitegen.formats.common.listed_terms import text_block
from sitegen.formats.common.structure import Block, MarkupProblem, TextForm, heading, moved
from sitegen.formats.markdown import inline_html
from sitegen.formats.markdown.candidates import first_line, listed_terms
from sitegen.formats.markdown.commonmark import (
    LinkDefinitions,
    defined_links,
    elements,
    has_only_links,
    heading_level,
    inside,
    plain,
    references,
    tokens,
)
from sitegen.formats.markdown.inline_html import Address
from sitegen.formats.markdown.markdown_html import render
from sitegen.formats.markdown.parsing_limits import steps_taken
from sitegen.text.memo import memo
from sitegen.text.names import heading_id

FORM_OF_TOKEN: dict[str, TextForm] = {
    "paragraph_open": "paragraph",
    "dl_open": "table",
    "table_open": "table",
}
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
MAY_STAY_OPEN = re.compile(r"```|~~~|:::|\$\$|<")
"""Signs of the constructs that may contain `# x`: code, containers, formulas and HTML."""
PROBE = "# .\n\n$$\n"
"""A heading, followed by the end of a formula that may be open above it. The heading is parsed as
one only if the text above leaves no construct open."""


class ParsedText(NamedTuple):
    blocks: tuple[Block, ...]
    links: LinkDefinitions
    """The links that the text defines."""
    steps: int
    """The number of steps that it took to parse."""
    unclosed: tuple[MarkupProblem, ...] = ()


@memo
def parse_closed(text: str, links: LinkDefinitions, address: Address) -> ParsedText | None:
    """Returns the blocks of lines that a heading or a paragraph follows; None if they leave a
    construct open, such as a code block that no line of backquotes ends.

    The text may use `links` that are defined elsewhere; `address` maps each link to its address.
    """
    env = _env(links)
    if not MAY_STAY_OPEN.search(text):
        return _parsed(text, tokens(text, env), env, links, address)
    probed = text + PROBE
    above = _above_heading(tokens(probed, env), text.count("\n"))
    if above is None or _open_lists(above):
        return None
    return _parsed(probed, above, env, links, address)


def _above_heading(parsed: Sequence[Token], line: int) -> Sequence[Token] | None:
    """Returns the tokens above the heading on a line; None if no heading is there."""
    for index, token in enumerate(parsed):
        is_heading = token.type == "heading_open" and token.level == 0
        if is_heading and token.map and token.map[0] == line:
            return parsed[:index]
    return None


@memo
def parse_whole(text: str, links: LinkDefinitions, address: Address) -> ParsedText:
    """Returns the blocks of a text that nothing follows, and the markup that is never closed in
    it."""
    env = _env(links)
    parsed = tokens(text, env)
    whole = _parsed(text, parsed, env, links, address)
    return whole._replace(unclosed=tuple(_unclosed(parsed)))


def _env(links: LinkDefinitions) -> dict[str, Any]:
    """Returns the environment of markdown-it. The parser adds the links that it finds to those
    under "references"."""
    return {"references": references(links)}


def _parsed(
    text: str,
    parsed: Sequence[Token],
    env: dict[str, Any],
    links: LinkDefinitions,
    address: Address,
) -> ParsedText:
    """Returns the blocks of the tokens of a text. `env` has the passed `links`, and those that the
    text defines."""
    return ParsedText(
        blocks=tuple(_blocks(parsed, address)),
        links=defined_links(env)[len(links) :],
        steps=steps_taken(env, len(text)),
    )


def _unclosed(parsed: Sequence[Token]) -> Iterator[MarkupProblem]:
    """Yields the code block or comment that is never closed: the rest of the document is inside it,
    so that it is the last token."""
    if not parsed:
        return
    last = parsed[-1]
    if last.map is None:
        return
    opened, end = last.map
    lines_of_fence = end - opened - 1  # without the first one; a closed fence has one more
    if last.type == "fence" and lines_of_fence <= last.content.count("\n"):
        found = "this code block is never closed"
        yield MarkupProblem(opened + 1, found, f"close it with {last.markup}")
    if last.type == "html_block" and "<!--" in last.content.rpartition("-->")[2]:
        found = "this comment is never closed and hides what follows"
        yield MarkupProblem(opened + 1, found, "close it with -->")


def _footnotes(parsed: Sequence[Token], address: Address) -> Mapping[str, str]:
    """Returns the HTML of the footnotes of a text by their labels: `{"1": "<p>[1] Old.</p>"}` for
    `[^1]: Old.`. A footnote inside a list or the like is not among them."""
    footnotes: dict[str, str] = {}
    for element in elements(parsed):
        opening = element[0]
        if opening.type == FOOTNOTE:
            footnotes[opening.meta["label"]] = render(inside(element), address)
    return footnotes


def _blocks(parsed: Sequence[Token], address: Address) -> Iterator[Block]:
    """Yields the headings and texts of a chunk. Each text is followed by the footnotes that it
    refers to."""
    texts = _TextRenderer(address, _footnotes(parsed, address))
    for outer in _with_lists(elements(parsed)):
        for element in _without_heading_bullets(outer):
            blocks = _raw_blocks(element, texts)
            if blocks is None:
                yield _block(element, texts)
            else:
                yield from blocks


def _block(element: Sequence[Token], texts: _TextRenderer) -> Block:
    """Returns the block of an element that is no raw HTML."""
    opening = element[0]
    if opening.type == "heading_open":
        return _heading_block(element)
    if opening.type == "hr":
        return Block(line=first_line(opening), html="", form="rule")
    if _is_navigation(element):
        return Block(line=first_line(opening), html="")
    return _text_block(element, texts)


def _with_lists(top_level: Iterable[list[Token]]) -> Iterator[list[Token]]:
    """Yields the elements of a chunk. A definition list that is written as HTML becomes one, with
    its content: a block `<dl><dt>Jig</dt><dd>`, a paragraph, and a block `</dd></dl>`."""
    joined: list[Token] = []
    depth = 0
    for element in top_level:
        joined += element
        depth = _depth(element[0], depth)
        if depth == 0:
            yield joined
            joined = []
    yield from elements(joined)  # below a list that is not closed


def _without_heading_bullets(element: list[Token]) -> Iterator[list[Token]]:
    """Yields the element; for a list whose items all begin with headings (`* ### Name`), the
    elements in the items."""
    if element[0].type != "bullet_list_open":
        yield element
        return
    items = [inside(item) for item in elements(inside(element))]
    if not all(item and item[0].type == "heading_open" for item in items):
        yield element
        return
    for item in items:
        yield from elements(item)


def _open_lists(sequence: Iterable[Token]) -> int:
    """Returns how many definition lists that are written as HTML are open after some tokens."""
    depth = 0
    for token in sequence:
        depth = _depth(token, depth)
    return depth


def _depth(token: Token, depth: int) -> int:
    """Returns how many definition lists are open after a token; `depth` is how many are open before
    it. A first list has to begin a block of HTML: a `<dl>` inside another element is text of it."""
    if token.type != "html_block" or token.level:
        return depth
    if depth == 0 and not RAW_LIST.match(token.content):
        return 0
    for tag in LIST_TAG.findall(token.content):
        if tag.startswith("</"):
            depth -= 1
        else:
            depth += 1
    return max(0, depth)


def _raw_html(element: Sequence[Token]) -> str | None:
    """Returns the raw HTML of an element that consists only of it: a block, or a paragraph of tags
    such as `<a id="jig"></a>`; None for others."""
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


def _raw_blocks(element: Sequence[Token], texts: _TextRenderer) -> Sequence[Block] | None:
    """Returns the blocks of raw HTML: a heading (`<h2>Jig</h2>`), a definition list, a table of
    terms, or anchors (`<a id="jig"></a>`); None for others."""
    raw = _raw_html(element)
    if raw is None:
        return None
    line = first_line(element[0])
    anchors = inline_html.identifiers(raw)
    if match := re.fullmatch(RAW_HEADING, raw):
        name, level = text_of_html(match["text"]), int(match["level"])
        return [heading(name, level=level, line=line, anchors=anchors)]
    if RAW_LIST.match(raw):
        return [*_raw_list(element, texts)]
    if RAW_TABLE.match(raw):
        blocks = [*_raw_list(element, texts)]
        if any(block.candidates or block.guesses for block in blocks):
            return blocks
    if inline_html.shows_nothing(raw):
        return [Block(line=line, html="", anchors=anchors)]
    return None


def _raw_list(element: Sequence[Token], texts: _TextRenderer) -> Iterator[Block]:
    """Yields the blocks of a list or table that is written as HTML, and of the text after it in the
    same element."""
    from sitegen.formats.html import clean, html_blocks

    start = first_line(element[0])
    line = start  # at the end of `html`
    html = ""
    for inner in elements(element):
        # Line ends put each element on its line, so that the parser counts as the document does.
        missing = first_line(inner[0]) - line
        added = "\n" * missing + texts.with_footnotes(inner)
        line += added.count("\n")
        html += added
    page = clean.parsed(html)
    content = clean.content(page)
    clean.tidy(content, own_name="")
    for block in html_blocks.blocks(content):
        yield moved(block, start - 1)


@dataclass(frozen=True, slots=True)
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
    """Returns whether an element is a footnote (shown with the text that refers to it) or
    navigation: `[[TOC]]`, `[Back to top](#top)`."""
    if element[0].type == FOOTNOTE:
        return True
    texts = [token.children for token in element if token.children]
    if len(texts) != 1:
        return False
    children = texts[0]
    text = plain(children)
    if PLACEHOLDER.fullmatch(text):
        return True
    return re.fullmatch(BACK, text) is not None and _number_of_own_links(children) == 1


def _number_of_own_links(children: Sequence[Token]) -> int:
    """Returns the number of links to this document in a text that has nothing else; 0 for other
    texts."""
    if not has_only_links(children):
        return 0
    addresses = [str(one.attrs.get("href")) for one in children if one.type == "link_open"]
    if all(address.startswith("#") for address in addresses):
        return len(addresses)
    return 0


def _heading_block(element: Sequence[Token]) -> Block:
    """Returns a heading with its level and its anchors. An icon in it is not part of its name:
    `## ![](saw.svg) Saw {#cut}` is "Saw", with the anchors `cut` and `saw-`."""
    opening, inline, _closing = element
    children = inline.children or []
    words = [child for child in children if child.type != "image"]
    has_icon = len(words) < len(children) and plain(words) != ""
    name = plain(words if has_icon else children)
    anchors = inline_html.anchors_in(children)
    if attributes := HEADING_ATTRIBUTES.search(name):
        name = name[: attributes.start()]
        if attributes["anchor"]:
            anchors = (attributes["anchor"], *anchors)
    # The space beside an icon is part of the anchor.
    anchor = heading_id(f"{name} " if has_icon else name)
    line = first_line(opening)
    level = heading_level(opening)
    return heading(name, level=level, line=line, anchors=anchors, repeatable_anchor=anchor)


def _text_block(element: Sequence[Token], texts: _TextRenderer) -> Block:
    """Returns a text with the terms in it. A paragraph or a list that has only links to this
    document, and more than two, is a table of contents."""
    links = [_number_of_own_links(token.children) for token in element if token.children]
    has_only_own_links = all(links)
    block = text_block(
        texts.with_footnotes(element),
        first_line(element[0]),
        FORM_OF_TOKEN.get(element[0].type, "list"),
        listed_terms(element, texts.with_footnotes),
    )
    return block._replace(is_contents=has_only_own_links and sum(links) > 2)
