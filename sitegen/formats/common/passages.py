"""What a document in Markdown or HTML is made of: blocks, the passages below its headings, and their tree.

A passage is the same wherever its text stands. Only the tree knows lines of the document, and numbers headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Literal, NamedTuple
from urllib.parse import unquote

from sitegen.formats.common.entries import Item
from sitegen.formats.common.entry_text import Given
from sitegen.formats.common.heading_anchors import HeadingAnchors, numbered
from sitegen.formats.common.signposts import Signpost, signpost

HERE = 'href="term:%23'
LINK_HERE = re.compile(rf'<a [^>]*{HERE}([^"]*)"[^>]*>(.*?)</a>', re.S)

Footnotes = tuple[tuple[str, str | None], ...]
"""Those of a document: label and HTML, which is None for one that is within other text and shown there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One piece of a document at its top level: a heading, or text, or what is neither and has no HTML."""

    line: int
    html: str
    level: int = 0
    """1 to 6 for a heading, 0 for text."""
    name: str = ""
    """A heading's plain text."""
    signpost: Signpost = ""
    """What a heading tells that is no term."""
    anchors: tuple[str, ...] = ()
    """Links lead here by these; in a block without HTML, to what follows it."""
    anchor: str | None = None
    """One more, which is numbered where several headings of the document have it."""
    items: tuple[Item, ...] = ()
    """Names with definitions that stand inside this text."""
    form: Literal["", "paragraph", "list", "table", "rule"] = ""
    """Where the items stand. The text below a paragraph with a name goes on with its definition."""
    is_contents: bool = False
    """A table of contents or a menu: links that lead around and say nothing."""


def heading(name: str, *, level: int, line: int, anchors: tuple[str, ...] = (), anchor: str | None = None) -> Block:
    """Returns the block of a heading that says `name`."""
    shown = name.rstrip(":： ")
    return Block(
        line=line,
        html=f"<h{level}>{escape(name, quote=False)}</h{level}>",
        level=level,
        name=shown,
        signpost=signpost(shown),
        anchors=anchors,
        anchor=anchor,
    )


class Term(NamedTuple):
    """A heading that is a term wherever no heading stands below it, and none of its name above."""

    given: Given
    level: int
    line: int
    anchor: str | None
    links: frozenset[str]
    """The places in the same document that it links to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A heading, and the text below it up to the next; or text without a heading above it."""

    heading: Block | None
    body: tuple[Block, ...]
    html: str
    """That of the whole body."""
    above: tuple[str, ...]
    """Anchors that stand by themselves above it: the heading, or the first name, answers to them."""
    below: tuple[str, ...]
    """Anchors that stand by themselves at the end, for what follows."""
    has_items: bool
    """There are names with definitions in the text."""
    has_text: bool
    """There is more in it than a table of contents."""
    term: Term | None
    """What it says about a term, if that is all that it is."""


def passages(blocks: Iterable[Block]) -> tuple[Passage, ...]:
    """Returns the passages that blocks make."""
    made: list[Passage] = []
    heading: Block | None = None
    body: list[Block] = []
    above: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    for block in blocks:
        if not block.html:
            loose += block.anchors
            continue
        if block.level:
            made += _passage(heading, body, above)
            heading, body, above = block, [], loose
        elif heading or body:
            body.append(answering(block, loose))
        else:
            body, above = [block], loose
        loose = ()
    return (*made, *_passage(heading, body, above, below=loose))


def _passage(
    heading: Block | None, body: Sequence[Block], above: tuple[str, ...], *, below: tuple[str, ...] = ()
) -> tuple[Passage, ...]:
    """The passage that was begun; none where nothing was."""
    if not (heading or body or below):
        return ()
    html = "".join([block.html for block in body])
    has_items = any(block.items for block in body)
    has_text = any(not block.is_contents for block in body)
    is_plain = (has_text or not body) and not (has_items or above or below)
    passage = Passage(
        heading=heading,
        body=tuple(body),
        html=html,
        above=above,
        below=below,
        has_items=has_items,
        has_text=has_text,
        term=_term(heading, html) if heading and is_plain else None,
    )
    return (passage,)


def _term(heading: Block, html: str) -> Term | None:
    if heading.signpost or not heading.name:
        return None
    own = numbered(heading.anchor) if heading.anchor is not None else ()
    given = (heading.name,), heading.anchors + own, html
    return Term(given, heading.level, heading.line, heading.anchor, linked(html))


def linked(html: str) -> frozenset[str]:
    """Returns the places in the same document that HTML links to."""
    return frozenset(unquote(place) for place, _ in LINK_HERE.findall(html)) if HERE in html else frozenset()


def answering(block: Block, anchors: tuple[str, ...]) -> Block:
    """Returns a text whose first name answers to more anchors."""
    if not block.items or not anchors:
        return block
    first, *others = block.items
    return replace(block, items=(first._replace(anchors=(*first.anchors, *anchors)), *others))


def moved(block: Block, lines: int) -> Block:
    """Returns a text so many lines further down."""
    items = tuple([item._replace(line=lines + item.line) for item in block.items])
    return replace(block, line=lines + block.line, items=items) if lines else block


Located = tuple[int, Passage]
"""A passage, and how many lines of the document stand before what its own lines are counted in."""


@dataclass(slots=True)
class Node:
    """A heading, the text below it, and the headings below it."""

    heading: Block
    line: int = 0
    anchors: tuple[str, ...] = ()
    body: list[Block] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    """That of the text, passage by passage."""
    items: list[Item] = field(default_factory=list)
    """The names with definitions in the text."""
    has_text: bool = False
    children: list[Node] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.heading.name

    def add(self, passage: Passage, *, anchors: tuple[str, ...] = (), lines: int = 0) -> None:
        """Takes the text of a passage; the first name in it answers to `anchors`."""
        body = passage.body
        if passage.has_items or not passage.heading:
            body = tuple([moved(block, lines) for block in body])
        if passage.has_items:
            body = (answering(body[0], anchors), *body[1:])
            self.items += (item for block in body for item in block.items if item.names)
        self.body += body
        self.html.append(passage.html)
        self.has_text = self.has_text or passage.has_text

    def walk(self) -> Iterator[Node]:
        """Every heading below this one, in order."""
        for child in self.children:
            yield child
            if child.children:
                yield from child.walk()

    def is_furniture(self) -> bool:
        """True for what is no term: "See also", or a heading with a menu below it."""
        only_links = bool(self.body) and not self.has_text and not self.children
        return only_links or self.heading.signpost in {"furniture", "doubtful"}

    def is_letter(self) -> bool:
        return self.heading.signpost == "letter"


def tree(passages: Iterable[Located]) -> Node:
    """Returns what stands above the first heading, with all headings below it."""
    root = Node(Block(line=0, html=""))
    path = [root]
    numbering = HeadingAnchors()
    loose: tuple[str, ...] = ()
    for lines, passage in passages:
        heading = passage.heading
        loose += passage.above
        if heading:
            while path[-1].heading.level >= heading.level:
                path.pop()
            numbered = numbering.of(heading.anchor) if heading.anchor is not None else ()
            node = Node(heading, lines + heading.line, heading.anchors + numbered + loose)
            path[-1].children.append(node)
            path.append(node)
            loose = ()
        path[-1].add(passage, anchors=loose, lines=lines)
        loose = passage.below if heading or passage.body else loose + passage.below
    return root
