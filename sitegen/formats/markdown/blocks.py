"""A Markdown document as blocks: its headings with their anchors, and its texts with the names that stand in them.

What a reader of the published document does not see, or sees only as a way to get around, is left out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from html import escape, unescape
from itertools import chain
from typing import Literal

from markdown_it.token import Token

from sitegen.formats.common.heading_anchors import heading_anchor
from sitegen.formats.common.passages import Block, Footnotes, heading
from sitegen.formats.markdown import inline_html
from sitegen.formats.markdown.commonmark import pieces, plain, render
from sitegen.formats.markdown.inline_html import Address, to_reference
from sitegen.formats.markdown.items import items

FORMS: dict[str, Literal["paragraph", "table"]] = {
    "paragraph_open": "paragraph",
    "dl_open": "table",
    "table_open": "table",
}
FOOTNOTE = "footnote_reference_open"
RAW_HEADING = re.compile(r"\s*<h(?P<level>[1-6])\b[^<>]*>(?P<text>.{1,400}?)</h(?P=level)>\s*", re.S | re.I)
RAW_LIST = re.compile(r"\s*<dl\b", re.I)
LIST_TAG = re.compile(r"</?dl\b", re.I)
ATTRIBUTES = re.compile(r"\s*\{:?\s*(?:#(?P<anchor>[^\s{}]{1,100}))?[^{}]{0,100}\}$")
MARKER = re.compile(r"\[\[_?toc_?\]\]|\[_?toc_?\]|\{\{? ?_?toc_? ?\}?\}|(?:(?:toc|contents) )?\{:[^{}]*\}", re.I)
"""Text that stands for a table of contents, or says how to style what is above."""
BACK = re.compile(
    r"\W*(?:(?:back |return |go )?(?:up )?to (?:the )?(?:top|contents|table of contents|index)|top)?\W*", re.I
)


def blocks(parsed: Sequence[Token], address: Address = to_reference, footnotes: Footnotes = ()) -> Iterator[Block]:
    """Returns the headings and texts of a document or a piece of one, and what stands between them.

    A text is followed by the `footnotes` that it refers to.
    """
    texts = _Texts(address, {label: html or "" for label, html in footnotes})
    for part in _with_lists(pieces(parsed)):
        raw = _raw_html(part)
        raw_heading = RAW_HEADING.fullmatch(raw) if raw else None
        if raw_heading:
            yield _raw_heading(raw_heading, part)
        elif raw and RAW_LIST.match(raw):
            yield from _raw_list(part, texts)
        elif raw is not None and inline_html.shows_nothing(raw):
            yield Block(line=_line(part), html="", anchors=inline_html.identifiers(raw))
        elif _is_furniture(part):
            yield Block(line=_line(part), html="", form="rule" if part[0].type == "hr" else "")
        else:
            yield _heading(part) if part[0].type == "heading_open" else _text(part, texts)


def _with_lists(parts: Iterable[list[Token]]) -> Iterator[list[Token]]:
    """Parts of a document, where a definition list that is written as HTML is one, whatever stands in it."""
    within: list[list[Token]] = []
    depth = 0
    for part in parts:
        within.append(part)
        depth = _depth(part[0], depth)
        if depth == 0:
            yield list(chain.from_iterable(within)) if len(within) > 1 else part
            within = []
    yield from within


def leaves_list_open(parsed: Sequence[Token]) -> bool:
    """True where a definition list that is written as HTML goes on below."""
    return reduce(lambda depth, token: _depth(token, depth), parsed, 0) > 0


def _depth(token: Token, depth: int) -> int:
    """How many definition lists are open below a token, where so many are above it."""
    if token.type != "html_block" or token.level or not (depth or RAW_LIST.match(token.content)):
        return depth
    return max(0, depth + sum(-1 if tag.startswith("</") else 1 for tag in LIST_TAG.findall(token.content)))


def _raw_list(part: Sequence[Token], texts: _Texts) -> Iterator[Block]:
    """A definition list that is written as HTML, and what follows it there; its lines stay where they are."""
    from sitegen.formats.html import blocks as _html_blocks
    from sitegen.formats.html import clean

    above = line = _line(part) - 1
    html = []
    for piece in pieces(part):
        html.append("\n" * (_line(piece) - 1 - line) + texts.render(piece))
        line += html[-1].count("\n")
    page = clean.parsed("".join(html))
    content = clean.content(page)
    clean.tidy(content, own_name="")
    for block in _html_blocks.blocks(content):
        items = tuple([item._replace(line=item.line + above) for item in block.items])
        yield replace(block, line=block.line + above, items=items)


def _raw_heading(raw: re.Match[str], part: Sequence[Token]) -> Block:
    """A heading that is written as HTML."""
    name = " ".join(unescape(re.sub("<[^<>]*>", "", raw["text"])).split())
    return heading(name, level=int(raw["level"]), line=_line(part), anchors=inline_html.identifiers(raw[0]))


def footnotes_in(parsed: Sequence[Token], address: Address) -> Footnotes:
    """Returns the footnotes that a document, or a piece of one, defines."""
    labels = dict.fromkeys([token.meta["label"] for token in parsed if token.type == FOOTNOTE])
    own = {part[0].meta["label"]: part[1:-1] for part in pieces(parsed) if part[0].type == FOOTNOTE} if labels else {}
    return tuple([(label, render(own[label], address) if label in own else None) for label in labels])


@dataclass(frozen=True, slots=True)
class _Texts:
    """Renders parts of a document, each followed by the footnotes it refers to."""

    address: Address
    footnotes: Mapping[str, str]

    def render(self, part: Sequence[Token]) -> str:
        html = render(part, self.address)
        for child in (child for token in part for child in token.children or ()) if self.footnotes else ():
            if child.type == "footnote_ref":
                label = child.meta["label"]
                html += self.footnotes.get(label, "").replace("<p>", f"<p>[{escape(label)}] ", 1)
        return html


def _raw_html(part: Sequence[Token]) -> str | None:
    """The raw HTML that a part consists of, where it consists of nothing else."""
    if part[0].type == "html_block":
        return part[0].content
    children = part[1].children if part[0].type == "paragraph_open" else None
    if children and all(child.type in {"html_inline", "softbreak"} for child in children):
        return "".join(child.content for child in children)
    return None


def _is_furniture(part: Sequence[Token]) -> bool:
    """True for rules, footnotes (they go with the text that refers to them), markers, and links back to the top."""
    if part[0].type in {"hr", FOOTNOTE}:
        return True
    texts = _texts(part)
    if len(texts) != 1 or part[0].type == "heading_open":
        return False
    text = plain(texts[0])
    return MARKER.fullmatch(text) is not None or (_only_links(texts[0]) == 1 and BACK.fullmatch(text) is not None)


def _texts(part: Sequence[Token]) -> list[list[Token]]:
    return [token.children for token in part if token.children]


def only_links(part: Sequence[Token]) -> tuple[int, ...]:
    """Returns for each text how many links to this document it consists of; 0 where it has words outside of them."""
    return tuple([_only_links(text) for text in _texts(part)])


def _only_links(children: Sequence[Token]) -> int:
    count = depth = 0
    for token in children:
        if token.type == "link_open":
            count += 1
            if not str(token.attrs.get("href")).startswith("#"):
                return 0
        depth += (token.type == "link_open") - (token.type == "link_close")
        if depth == 0 and re.search(r"\w", token.content) and token.type != "html_inline":
            return 0
    return count


def _heading(part: Sequence[Token]) -> Block:
    children = part[1].children or []
    text = plain(children)
    attributes = ATTRIBUTES.search(text)
    name = text[: attributes.start()] if attributes else text
    own = (attributes["anchor"],) if attributes and attributes["anchor"] else ()
    inside = tuple(anchor for child in children for anchor in inline_html.identifiers(child.content))
    level = int(part[0].tag[1])
    return heading(name, level=level, line=_line(part), anchors=own + inside, anchor=heading_anchor(name))


def _text(part: Sequence[Token], texts: _Texts) -> Block:
    links = only_links(part)
    found = items(part, texts.render)
    return Block(
        line=_line(part),
        html=texts.render(part),
        items=found,
        form=FORMS.get(part[0].type, "list") if found else "",
        is_contents=all(links) and sum(links) > 2,
    )


def _line(part: Sequence[Token]) -> int:
    return part[0].map[0] + 1 if part[0].map else 0
