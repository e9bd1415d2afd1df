"""Reads reStructuredText whose terms are section titles or bold leads, when it has no glossary directive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from docutils import nodes, utils

from sitegen.formats.common import listed_terms
from sitegen.formats.common import outline as common_outline
from sitegen.formats.common.entries import Candidate, check_length
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.passages import Block, heading, passages
from sitegen.formats.rst.html_writer import Renderer
from sitegen.formats.rst.parser import line_of, list_items, parse, parsed_item
from sitegen.model import Document


def read_sections(document: Document) -> Outline:
    """Returns the outline of a document whose terms are section headings, bold leads or items of lists."""
    check_length(document, len(document.text), "reStructuredText")
    tree = parse(document.text, path=document.path, includes=document.includes, has_glossaries=False)
    renderer = Renderer(tree.document)
    blocks = [*_blocks(tree.document, renderer, level=0)]
    outline = common_outline.read(document, [(0, one) for one in passages(blocks)])
    problems = sorted({*tree.problems, *renderer.problems, *outline.reading.problems})
    return replace(outline, reading=replace(outline.reading, problems=tuple(problems)))


def _blocks(parent: nodes.Element, renderer: Renderer, *, level: int) -> Iterator[Block]:
    """Yields the blocks of a document or a section, with the headings of the sections inside it."""
    for index, node in enumerate(parent.children):
        if isinstance(node, nodes.section):
            title = node.children[0]
            line = (title.line or 1) - 1  # docutils counts the underline
            yield heading(renderer.words(title), level=min(level + 1, 6), line=line, anchors=tuple(node["ids"]))
            yield from _blocks(node, renderer, level=level + 1)
        elif isinstance(node, nodes.target):
            yield Block(line=node.line or 0, html="", anchors=tuple(node["ids"]))
        elif isinstance(node, nodes.Element) and not isinstance(node, nodes.title | nodes.transition):
            yield from _text(node, renderer, is_below_lead=index > 0 and _is_bare_lead(parent.children[index - 1]))


def _text(node: nodes.Element, renderer: Renderer, *, is_below_lead: bool) -> Iterator[Block]:
    line = utils.get_source_line(node)[1] or 0
    is_definition = isinstance(node, nodes.block_quote) and is_below_lead
    html = renderer.inside(node) if is_definition else renderer.html(node)
    form: Literal["", "paragraph", "list", "table"] = ""
    candidates: tuple[Candidate, ...] = ()
    if isinstance(node, nodes.paragraph):
        lead = _lead(node, html)
        form, candidates = ("paragraph", (lead,)) if lead else ("", ())
    elif isinstance(node, nodes.bullet_list):
        leads = [_item_lead(item, renderer) for item in list_items(node)]
        if sum(bool(lead.names) for lead in leads) * 2 > len(leads):
            form, candidates = "list", tuple(leads)
    elif isinstance(node, nodes.definition_list):
        parsed = [(parsed_item(item, renderer), line_of(item)) for item in list_items(node)]
        form = "table"
        candidates = tuple([Candidate(names=one.names, html=one.html, line=line) for one, line in parsed])
    tabled = _tabled(node, renderer) if isinstance(node, nodes.table) else listed_terms.Tabled()
    if html:
        yield Block(
            line=line,
            html=html,
            candidates=candidates or tabled.candidates,
            guesses=tabled.guesses,
            form="table" if tabled.candidates else form,
        )


def _tabled(table: nodes.Element, renderer: Renderer) -> listed_terms.Tabled:
    rows = []
    for row in table.findall(nodes.row):
        cells = [renderer.inside(cell).strip() for cell in row.children if isinstance(cell, nodes.Element)]
        line = next((found for node in row.findall() if (found := node.line)), 0)
        rows.append((line, [cell[3:-4] if cell.count("<p>") == 1 and cell[:3] == "<p>" else cell for cell in cells]))
    return listed_terms.table_terms(rows)


def _lead(node: nodes.Node, html: str) -> Candidate | None:
    return listed_terms.bold_name(html, node.line or 0) if isinstance(node, nodes.paragraph) else None


def _item_lead(item: nodes.Element, renderer: Renderer) -> Candidate:
    """Returns the bold name that a list item begins with, and the rest of the item."""
    first, *rest = item.children or [nodes.paragraph()]
    lead = _lead(first, renderer.html(first))
    if lead is None:
        return Candidate(names=(), html=renderer.inside(item), line=item.line or 0)
    return lead._replace(html=lead.html + "".join(map(renderer.html, rest)))


def _is_bare_lead(node: nodes.Node) -> bool:
    """Returns whether a node is a paragraph that consists of a bold name."""
    is_strong = len(node.children) == 1 and isinstance(node.children[0], nodes.strong)
    return isinstance(node, nodes.paragraph) and is_strong
