"""Converts a part of an HTML page to blocks: headings, texts, and definition lists with their
names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from lxml import etree

from sitegen.formats.common import listed_terms
from sitegen.formats.common.elements import Element, text_of
from sitegen.formats.common.entries import Candidate, distinct, pairs
from sitegen.formats.common.structure import Block, heading
from sitegen.formats.html.clean import anchors

NOTE = re.compile(
    r"(?<![^\s_-])(?:admonition|callout|alert|note|tip|warning|caution|important)(?![^\s_-])", re.I
)
NAME_CLASS = re.compile(r"(?<!\S)(?:[\w-]+-)?term(?:-name|-title)?(?!\S)", re.I)
DEFINITION_CLASS = re.compile(
    r"(?<!\S)(?:[\w-]+-)?(?:def|definition|description|meaning)(?!\S)", re.I
)
"""Classes of the two parts of a card, as in `<div class="glossary-term">Jig</div>`."""
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
TAGS = re.compile(r"<(?!img\b)[^>]*>")
CELL_TAGS = re.compile(r"\A<t[dh]\b[^<>]*>|</t[dh]>\s*\Z")
ITEM_TAGS = re.compile(r"\A<li\b[^<>]*>|</li>\s*\Z")
WORDS = re.compile(r"\w|<img\b")
BLOCK_CONTAINERS = frozenset(
    "article aside body center div font form header html main section".split()
)
BLOCKS = BLOCK_CONTAINERS | frozenset(
    """
    address blockquote dd details dl dt fieldset figure h1 h2 h3 h4 h5 h6 hr li ol p pre table ul
    """.split()
)


def blocks(content: Element) -> Iterator[Block]:
    """Yields the headings and texts of a part of a page, in order, at any depth of containers. Text
    between them that is in no block element becomes paragraphs."""
    loose = _LooseText()
    loose.add_text(content.text)
    for child in content:
        is_inline = child.tag not in BLOCKS and next(child.iterdescendants(*BLOCKS), None) is None
        if is_inline:
            loose.add(child)
        else:
            yield from loose.take()
            yield from _element_blocks(child)
        loose.add_text(child.tail)
    yield from loose.take()


@dataclass
class _LooseText:
    """Collects text between blocks that is not in a block element."""

    parts: list[str] = field(default_factory=list)
    line: int = 0
    anchors: list[str] = field(default_factory=list)

    def add_text(self, text: str | None) -> None:
        self.parts.append(escape(text or "", quote=False))

    def add(self, element: Element) -> None:
        """Adds an element that shows something. Of another, only the anchors are added."""
        has_break_or_image = next(element.iter("br", "img"), None) is not None
        if _has_text(element) or has_break_or_image:
            self.parts.append(_html(element))
            self.line = self.line or element.sourceline or 0
        else:
            self.anchors += anchors(element)

    def take(self) -> Iterator[Block]:
        """Yields a paragraph of the collected text, and the anchors for the block below it. Forgets
        both."""
        html = "".join(self.parts)
        if WORDS.search(TAGS.sub("", html)):
            yield _with_bold_name(Block(line=self.line, html=f"<p>{html}</p>"))
        if self.anchors:
            yield Block(line=self.line, html="", anchors=tuple(self.anchors))
        self.parts, self.line, self.anchors = [], 0, []


def _element_blocks(element: Element) -> Iterator[Block]:
    """Yields the blocks of one element. A container, such as `<div>`, yields the blocks in it."""
    tag, line = element.tag, element.sourceline or 0
    if tag in HEADINGS:
        yield _heading(element)
    elif tag == "dl":  # it counts as a table (`TextForm`), and so does a card
        candidates = tuple(_definition_list(element))
        yield Block(line=line, html=_html(element), candidates=candidates, form="table")
    elif tag == "table" and not _contains_terms(element):
        yield listed_terms.table_block(_html(element), line, _rows(element))
    elif card := _card(element):
        yield Block(line=line, html=_html(element), candidates=(card,), form="table")
    elif _is_note(element):
        yield Block(line=line, html=f'<div class="note">{_inner_html(element)}</div>')
    elif tag in BLOCK_CONTAINERS or tag not in BLOCKS or _contains_terms(element):
        # Also an inline element around blocks, and a table that is there for the layout.
        yield from blocks(element)
    elif _has_text(element) or element.find(".//img") is not None:
        yield _text_block(element, line)


def _text_block(element: Element, line: int) -> Block:
    """Returns the block of a paragraph or a list, which may begin with bold names, or of another
    text."""
    block = Block(line=line, html=_html(element))
    if element.tag == "p":
        return _with_bold_name(block)
    if element.tag in ("ol", "ul"):
        items = []
        for item in element.iterchildren("li"):
            html = re.sub(ITEM_TAGS, "", _with_plain_tags(_html(item)))
            items.append((_line_of(item), html.strip()))
        return block._replace(candidates=listed_terms.list_terms(items), form="list")
    return block


def _with_bold_name(block: Block) -> Block:
    """Returns a paragraph with the term whose bold name it begins with, if it does."""
    term = listed_terms.paragraph_block(_with_plain_tags(block.html), block.line)
    return block._replace(candidates=term.candidates, form=term.form)


def _with_plain_tags(html: str) -> str:
    """Returns HTML in which all bold text is in `<strong>`, and paragraphs have no attributes."""
    html = re.sub(r"<(/?)(?:b|strong)\b[^<>]*>", r"<\1strong>", html)
    return re.sub(r"<p\b[^<>]*>", "<p>", html)


def _card(element: Element) -> Candidate | None:
    """Returns the term of a card: a container whose parts have the classes of a name and of a
    definition. Returns None for other elements."""
    if element.tag not in BLOCK_CONTAINERS or _contains_terms(element):
        return None
    names = []
    html = ""
    for part in element:
        classes = part.get("class", "")
        if NAME_CLASS.search(classes):
            names.append(part)
        elif DEFINITION_CLASS.search(classes):
            html += _inner_html(part)
    if len(names) != 1 or not html:
        return None
    [name] = names
    # A span beside the words of a name is a badge: "Jig <span>new</span>".
    words = "".join(name.xpath("text()|*[not(self::span)]//text()")).split()
    text = " ".join(words) or text_of(name)
    return Candidate((text,), html, _line_of(name), anchors=anchors(element))


def _is_note(element: Element) -> bool:
    if element.tag not in BLOCK_CONTAINERS or _contains_terms(element):
        return False
    return NOTE.search(element.get("class", "")) is not None


def _rows(table: Element) -> list[listed_terms.TableRow]:
    """Returns the rows of a table with their lines and the HTML in their cells."""
    rows: list[listed_terms.TableRow] = []
    for row in table.iter("tr"):
        cells = [re.sub(CELL_TAGS, "", _html(cell)).strip() for cell in row]
        if cells:
            rows.append((_line_of(row), cells))
    return rows


def _has_text(element: Element) -> bool:
    return any(text.strip() for text in element.itertext())


def _contains_terms(element: Element) -> bool:
    return next(element.iter("dt", "h1", "h2", "h3", "h4"), None) is not None


def _heading(element: Element) -> Block:
    """Returns the block of a heading. The id of a container that begins with the heading is its
    anchor too: `jig` of `<section id="jig"><h2>Jig</h2>`."""
    ids_of_containers = []
    inner, container = element, element.getparent()
    while container is not None and container[0] is inner:
        ids_of_containers.append(container.get("id"))
        inner, container = container, container.getparent()
    return heading(
        text_of(element),
        level=int(element.tag[1]),
        line=_line_of(element),
        anchors=(*anchors(element), *filter(None, ids_of_containers)),
    )


def _definition_list(element: Element) -> Iterator[Candidate]:
    """Yields the terms of a definition list. Names above one definition are one term:
    `<dt>Jig<dt>Template<dd>Holds.` is a term with two names."""
    parts = _names_and_definitions(element)
    for names, definitions in pairs(parts, lambda part: part.tag == "dt"):
        html = ""
        for definition in definitions:
            html += _inner_html(definition)
        found_anchors: list[str] = []
        for name in names:
            found_anchors += anchors(name)
        yield Candidate(
            names=distinct([text_of(name).rstrip(":： ") for name in names]),
            html=html,
            line=_line_of((names or definitions)[0]),
            anchors=tuple(found_anchors),
        )


def _inner_html(element: Element) -> str:
    """Returns the HTML of the blocks in an element."""
    return "".join([block.html for block in blocks(element)])


def _names_and_definitions(element: Element) -> Iterator[Element]:
    """Yields the names of a list, and its definitions or other texts, also those inside `<div>`."""
    for child in element:
        if child.tag == "div":
            yield from _names_and_definitions(child)
        else:
            yield child


def _html(element: Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html", with_tail=False)


def _line_of(element: Element) -> int:
    """Returns the line of an element's first word, which may be below its tag."""
    line = element.sourceline or 0
    for text in element.itertext():
        words = text.lstrip()
        line += text.count("\n", 0, len(text) - len(words))
        if words:
            break
    return line
