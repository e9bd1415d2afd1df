"""Finds the entries and blocks in the tree of docutils: glossaries, headings, texts, and the names
with definitions in these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from docutils import nodes, utils

from sitegen.formats.common import listed_terms
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.listed_terms import ListedTerms
from sitegen.formats.common.structure import Block, heading
from sitegen.formats.rst.directives import DirectiveNode
from sitegen.formats.rst.html_writer import NodeRenderer

NO_TEXT = (nodes.title, nodes.transition)


def items_of(node: nodes.Element) -> list[nodes.Element]:
    """Returns the children of a node that are no text."""
    return [item for item in node.children if isinstance(item, nodes.Element)]


def line_of(item: nodes.Element) -> int:
    """Returns the line of the first name of an entry."""
    if "first" in item:
        return int(item["first"])
    term = item.next_node(nodes.term)
    return (term and term.line) or 0


def candidate_of(item: nodes.Element, renderer: NodeRenderer) -> Candidate:
    """Returns an item of a glossary or a definition list as a candidate."""
    names: list[str] = []
    html = ""
    is_deprecated = False
    for child in item.children:
        if isinstance(child, nodes.term):
            names.append(renderer.words(child) or child.rawsource)
        elif isinstance(child, nodes.definition):
            html = renderer.inner_html(child)
            is_deprecated = any(map(_is_deprecation, child.children))
    return Candidate(tuple(names), html, line_of(item), deprecated=is_deprecated)


def _is_deprecation(node: nodes.Node) -> bool:
    return isinstance(node, DirectiveNode) and node["directive"] == "deprecated"


def blocks(parent: nodes.Element, renderer: NodeRenderer, *, level: int = 0) -> Iterator[Block]:
    """Yields the blocks of a document or a section, with the headings of the sections inside it."""
    is_below_name = False
    for node in parent.children:
        if isinstance(node, nodes.section):
            yield _heading(node, renderer, level=min(level + 1, 6))
            yield from blocks(node, renderer, level=level + 1)
        elif isinstance(node, nodes.target):
            yield Block(line=node.line or 0, html="", anchors=tuple(node["ids"]))
        elif isinstance(node, nodes.Element) and not isinstance(node, NO_TEXT):
            html = renderer.html(node)
            if is_below_name and isinstance(node, nodes.block_quote):
                html = renderer.inner_html(node)
            if html:
                yield _text_block(node, html, renderer)
        is_below_name = _is_bold_name(node)


def _is_bold_name(node: nodes.Node) -> bool:
    """Returns whether a node is a paragraph of bold words alone."""
    is_paragraph = isinstance(node, nodes.paragraph) and len(node.children) == 1
    return is_paragraph and isinstance(node.children[0], nodes.strong)


def _heading(section: nodes.section, renderer: NodeRenderer, *, level: int) -> Block:
    title = section.children[0]
    line = (title.line or 1) - 1  # docutils counts the underline
    anchors = tuple(section["ids"])
    return heading(renderer.words(title), level=level, line=line, anchors=anchors)


def _text_block(node: nodes.Element, html: str, renderer: NodeRenderer) -> Block:
    """Returns the block of a text, with the terms in it."""
    form: Literal["paragraph", "list", "table"] = "table"
    listed = ListedTerms()
    if isinstance(node, nodes.paragraph):
        form = "paragraph"
        lead = listed_terms.bold_name(html, node.line or 0)
        if lead:
            listed = ListedTerms((lead,))
    elif isinstance(node, nodes.bullet_list):
        form = "list"
        listed = ListedTerms(_leads(node, renderer))
    elif isinstance(node, nodes.definition_list):
        items = [candidate_of(item, renderer) for item in items_of(node)]
        listed = ListedTerms(tuple(items))
    elif isinstance(node, nodes.table):
        listed = _table_terms(node, renderer)
    return listed_terms.text_block(html, utils.get_source_line(node)[1] or 0, form, listed)


def _leads(bullets: nodes.Element, renderer: NodeRenderer) -> tuple[Candidate, ...]:
    """Returns the items of a list, if most of them begin with a bold name."""
    leads = [_item_lead(item, renderer) for item in items_of(bullets)]
    named = [lead for lead in leads if lead.names]
    if 2 * len(named) > len(leads):
        return tuple(leads)
    return ()


def _table_terms(table: nodes.Element, renderer: NodeRenderer) -> ListedTerms:
    rows: list[listed_terms.TableRow] = []
    for row in table.findall(nodes.row):
        cells = [_cell_html(cell, renderer) for cell in items_of(row)]
        rows.append((_first_line(row), cells))
    return listed_terms.table_terms(rows)


def _cell_html(cell: nodes.Element, renderer: NodeRenderer) -> str:
    """Returns the HTML in a cell, without `<p>` around a single paragraph."""
    html = renderer.inner_html(cell).strip()
    if html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1:
        return html.removeprefix("<p>").removesuffix("</p>")
    return html


def _first_line(row: nodes.Element) -> int:
    for node in row.findall():
        if node.line:
            return node.line
    return 0


def _item_lead(item: nodes.Element, renderer: NodeRenderer) -> Candidate:
    """Returns the bold name that a list item begins with, and the rest of the item."""
    lead = None
    if item.children and isinstance(item.children[0], nodes.paragraph):
        first, *rest = item.children
        lead = listed_terms.bold_name(renderer.html(first), first.line or 0)
    if lead is None:
        return Candidate(names=(), html=renderer.inner_html(item), line=item.line or 0)
    return lead._replace(html=lead.html + "".join(map(renderer.html, rest)))
