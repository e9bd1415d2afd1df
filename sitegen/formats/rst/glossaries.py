"""Reads the glossaries of a reStructuredText document, or else its sections, lists and tables, from
the tree of docutils.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeGuard

from docutils import nodes, utils

from sitegen.formats.common import entries as common_entries
from sitegen.formats.common import listed_terms, outline
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.glossary_directives import (
    Headings,
    PlacedEntry,
    placed_entries,
    reading_in_sections,
)
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.structure import Block, TextForm, heading
from sitegen.formats.rst import parser
from sitegen.formats.rst.directives import DirectiveNode, GlossaryItem, GlossaryList
from sitegen.formats.rst.html_writer import NodeRenderer
from sitegen.model import Document, Entry, Reading

WITHOUT_TEXT = (nodes.title, nodes.transition)


def read(text: str, document: Document, *, headings: Headings | None) -> Outline:
    """Returns the outline of the glossaries in a document, or else of its sections, bold leads and
    lists.

    `headings` are those of the Markdown around the text; None if there is no Markdown. In Markdown,
    only glossaries are read.
    """
    common_entries.check_length(document, len(text), "reStructuredText")
    is_in_markdown = headings is not None
    renderer = parser.parse(
        text,
        path=document.path,
        backquotes_are_code=is_in_markdown,
        includes=document.includes,
    )
    glossaries = list(renderer.document.findall(GlossaryList))
    items = common_entries.limited(document, chain.from_iterable(map(_items_of, glossaries)))
    # No other format reads a document that docutils cannot parse: its problem says why.
    is_unparsed = parser.NOT_PARSED.at(document.path) in renderer.problems
    is_convincing = bool(glossaries) or is_unparsed
    if items or is_unparsed or is_in_markdown:
        reading = _in_glossaries(glossaries, renderer, document, headings)
    else:
        blocks = [*_blocks(renderer.document, renderer)]
        if glossaries:
            # Names that are not indented below an empty glossary are a list. Headings are no terms.
            first = glossaries[0]["first"]
            blocks = [block for block in blocks if block.candidates and block.line > first]
        outlined = outline.read(document, blocks).with_problems(renderer.problems)
        reading = outlined.reading
        is_convincing = is_convincing or outlined.is_convincing
    is_partial = bool(renderer.document.settings.unread_includes)
    return Outline(replace(reading, is_partial=is_partial), is_convincing=is_convincing)


def _in_glossaries(
    glossaries: Iterable[nodes.Element],
    renderer: NodeRenderer,
    document: Document,
    headings: Headings | None,
) -> Reading:
    """Returns the entries of all glossaries in a document. `headings` are those of the Markdown
    around them."""
    # 1. The entries, with the headings above them.
    placed: list[PlacedEntry] = []
    for glossary in glossaries:
        entries: list[Entry] = []
        for item in _items_of(glossary):
            candidate = _candidate_of(item, renderer)
            entry = common_entries.entry(document, candidate, metadata=item["metadata"])
            entries.append(entry)
        if headings:
            headings_above = headings.above(glossary["first"])  # its first line
        else:
            headings_above = _titles(glossary, renderer)
        placed += placed_entries(entries, headings_above, is_sorted=glossary["sorted"])

    # 2. The problems in glossaries. Those in other texts do not matter here.
    tree = renderer.document
    # Problems of the whole document are on line 0.
    lines_to_report = {0, *tree.settings.unread_includes}
    for glossary in glossaries:
        lines_to_report.update(range(glossary["first"], glossary["last"] + 1))
    problems = [problem for problem in renderer.problems if problem.line in lines_to_report]

    # 3. The reading.
    title = headings.title if headings else _document_title(renderer)
    return reading_in_sections(placed, problems, document=document, title=title)


def _titles(list_node: nodes.Node, renderer: NodeRenderer) -> tuple[str, ...]:
    """Returns the titles of the sections around a list, outermost first: "Words", "Tools"."""
    titles: list[str] = []
    node: nodes.Node | None = list_node
    while node is not None:
        if isinstance(node, nodes.section):
            title = node.children[0]
            titles.insert(0, renderer.words(title))
        node = node.parent
    return tuple(titles)


def _document_title(renderer: NodeRenderer) -> str:
    """Returns the title of a document: that of its only section at the top level. The title is
    empty if there are several sections, or none."""
    children = renderer.document.children
    sections = [child for child in children if isinstance(child, nodes.section)]
    if len(sections) == 1:
        title = sections[0].children[0]
        return renderer.words(title)
    return ""


def _items_of(node: nodes.Element) -> list[nodes.Element]:
    """Returns the children of a node that are no text."""
    return [item for item in node.children if isinstance(item, nodes.Element)]


def _line_of(item: nodes.Element) -> int:
    """Returns the line of the first name of an entry."""
    if isinstance(item, GlossaryItem):
        return int(item["first"])
    return item.line or 0


def _candidate_of(item: nodes.Element, renderer: NodeRenderer) -> Candidate:
    """Returns the term of an item of a glossary or a definition list. The term is deprecated if its
    definition has a `.. deprecated::`."""
    names: list[str] = []
    html = ""
    is_deprecated = False
    for child in item.children:
        if isinstance(child, nodes.term):
            names.append(renderer.words(child) or child.rawsource)
        elif isinstance(child, nodes.definition):
            html = renderer.inner_html(child)
            is_deprecated = any(map(_is_deprecation, child.children))
    return Candidate(tuple(names), html, _line_of(item), deprecated=is_deprecated)


def _is_deprecation(node: nodes.Node) -> bool:
    return isinstance(node, DirectiveNode) and node["directive"] == "deprecated"


def _blocks(parent: nodes.Element, renderer: NodeRenderer, *, level: int = 0) -> Iterator[Block]:
    """Yields the headings and texts of a document, or of a section, in order."""
    follows_name = False
    for node in parent.children:
        if isinstance(node, nodes.section):
            yield _heading(node, renderer, level=min(level + 1, 6))  # HTML has six levels
            yield from _blocks(node, renderer, level=level + 1)
        elif isinstance(node, nodes.target):
            yield Block(line=node.line or 0, html="", anchors=tuple(node["ids"]))
        elif isinstance(node, nodes.block_quote) and follows_name:
            # The quotation is the definition of the name.
            yield from _text_block(node, renderer.inner_html(node), renderer)
        elif _is_indented_list(node):
            yield from _blocks(node, renderer, level=level)
        elif isinstance(node, nodes.Element) and not isinstance(node, WITHOUT_TEXT):
            yield from _text_block(node, renderer.html(node), renderer)
        follows_name = _is_bold_name(node)


def _is_indented_list(node: nodes.Node) -> TypeGuard[nodes.block_quote]:
    """Returns whether a node is an indented text that begins with a definition list."""
    if not isinstance(node, nodes.block_quote):
        return False
    return node.first_child_matching_class(nodes.definition_list) == 0


def _is_bold_name(node: nodes.Node) -> bool:
    """Returns whether a node is a paragraph of bold words alone."""
    is_paragraph = isinstance(node, nodes.paragraph) and len(node.children) == 1
    return is_paragraph and isinstance(node.children[0], nodes.strong)


def _heading(section: nodes.section, renderer: NodeRenderer, *, level: int) -> Block:
    title = section.children[0]
    line = (title.line or 1) - 1  # docutils counts the underline
    anchors = tuple(section["ids"])
    return heading(renderer.words(title), level=level, line=line, anchors=anchors)


def _text_block(node: nodes.Element, html: str, renderer: NodeRenderer) -> Iterator[Block]:
    """Yields the block of a text, with the terms in it; nothing for a node without text."""
    if not html:
        return
    _, own_line = utils.get_source_line(node)
    line = own_line or _first_line(node)
    if isinstance(node, nodes.paragraph):
        yield listed_terms.paragraph_block(html, line)
        return
    if isinstance(node, nodes.table):
        yield listed_terms.table_block(html, line, _rows(node, renderer))
        return
    form: TextForm = "table"  # as a definition list is; other texts have no terms
    if isinstance(node, nodes.bullet_list):
        form = "list"
    yield Block(line=line, html=html, candidates=_listed_terms(node, renderer), form=form)


def _listed_terms(node: nodes.Element, renderer: NodeRenderer) -> tuple[Candidate, ...]:
    """Returns the terms in a list; none for other nodes."""
    items = _definition_items(node)
    if items:
        return tuple([_candidate_of(item, renderer) for item in items])
    if isinstance(node, nodes.bullet_list):
        return _terms_of_bold_items(node, renderer)
    return ()


def _definition_items(node: nodes.Element) -> list[nodes.Element]:
    """Returns the items of a definition list, or of a bullet list of definition lists, such as
    `* Jig` above an indented "Holds."; none for other nodes."""
    if isinstance(node, nodes.definition_list):
        return _items_of(node)
    if not isinstance(node, nodes.bullet_list | nodes.list_item):
        return []
    items: list[nodes.Element] = []
    for child in _items_of(node):
        items_of_child = _definition_items(child)
        if not items_of_child:  # the bullet has another text
            return []
        items += items_of_child
    return items


def _terms_of_bold_items(bullets: nodes.Element, renderer: NodeRenderer) -> tuple[Candidate, ...]:
    """Returns the items of a list as candidates, if most of them begin with a bold name and a
    separator; otherwise none. The other items have no names, and are reported."""
    candidates = []
    with_name = 0
    for item in _items_of(bullets):
        candidate = _item_candidate(item, renderer)
        candidates.append(candidate)
        if candidate.names:
            with_name += 1
    if 2 * with_name > len(candidates):
        return tuple(candidates)
    return ()


def _rows(table: nodes.Element, renderer: NodeRenderer) -> list[listed_terms.TableRow]:
    """Returns the rows of a table."""
    rows: list[listed_terms.TableRow] = []
    for row in table.findall(nodes.row):
        cells = [renderer.compact(cell).strip() for cell in _items_of(row)]
        rows.append((_first_line(row), cells))
    return rows


def _first_line(element: nodes.Element) -> int:
    """Returns the first known line of the nodes in an element; 0 if there is none."""
    for node in element.findall():
        if node.line:
            return node.line
    return 0


def _item_candidate(item: nodes.Element, renderer: NodeRenderer) -> Candidate:
    """Returns the term of a list item, whose first paragraph begins with its bold name. If it does
    not, the candidate has no names, and the whole item as its definition."""
    if item.children and isinstance(item.children[0], nodes.paragraph):
        paragraph, *below = item.children
        term = listed_terms.bold_name(renderer.html(paragraph), paragraph.line or 0)
        if term:
            html_below = "".join(map(renderer.html, below))
            return term._replace(html=term.html + html_below)
    return Candidate(names=(), html=renderer.inner_html(item), line=item.line or 0)
