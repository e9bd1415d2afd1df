"""Reads the glossaries of a reStructuredText document, or else its sections, from the tree of
docutils.

Most entries of a glossary have the same text at every release, so each is parsed alone, once
(`_entry`), if it does not depend on its document.
"""

from __future__ import annotations

import textwrap
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from docutils import nodes

from sitegen.formats.common import entries as common_entries
from sitegen.formats.common import outline
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.glossary_directives import (
    Headings,
    PlacedEntry,
    placed_entries,
    reading_in_sections,
)
from sitegen.formats.common.outline import Outline
from sitegen.formats.rst import parser
from sitegen.formats.rst.directives import GlossaryList
from sitegen.formats.rst.html_writer import NodeRenderer
from sitegen.formats.rst.node_blocks import blocks, candidate_of, items_of, line_of
from sitegen.model import Document, Entry
from sitegen.text.memo import memo

SELF_CONTAINED = frozenset(
    """
    DirectiveNode Text attribution block_quote bullet_list caption classifier colspec comment
    definition definition_list definition_list_item description doctest_block emphasis entry
    enumerated_list field field_body field_list field_name image inline line line_block list_item
    literal literal_block math_block option option_argument option_group option_list
    option_list_item option_string paragraph row strong table tbody term tgroup thead title
    """.split()
)
"""Types of nodes that have the same meaning in every document."""
STEPS_FOR_AN_ENTRY = 15
"""The steps for an entry, in addition to those for its lines."""


def read(text: str, document: Document, *, headings: Headings | None) -> Outline:
    """Returns the entries of all glossaries in a document.

    `headings` are those of the Markdown around the text; None if there is no Markdown.
    """
    common_entries.check_length(document, len(text), "reStructuredText")
    is_in_markdown = headings is not None
    numbers = count(1)

    def parse_entry(names: tuple[str, ...], body: str) -> EntryParsedAlone:
        if next(numbers) > document.max_entries:
            raise common_entries.too_many(document, "entries")
        return _entry(names, body, is_in_markdown)

    renderer, _ = parser.parse(
        text,
        path=document.path,
        backquotes_are_code=is_in_markdown,
        parse_entry=parse_entry,
        includes=document.includes,
    )
    tree = renderer.document
    glossaries = list(tree.findall(GlossaryList))
    placed: list[PlacedEntry] = []
    lines: set[int] = {0}
    for glossary in glossaries:
        entries = [_entry_of_item(item, renderer, document) for item in items_of(glossary)]
        above = headings or _titles(glossary, renderer)
        placed += placed_entries(entries, above, is_sorted=bool(glossary.get("sorted")))
        lines.update(range(glossary["first"], glossary["last"] + 1))
    problems = [one for one in renderer.problems if one.line in lines]
    title = headings.title if headings else _section_title(tree)
    reading = reading_in_sections(placed, problems, document=document, title=title)
    is_unparsed = not tree.children  # its problem says why; it is not read in another way
    return Outline(reading, is_convincing=bool(glossaries) or is_unparsed)


def read_sections(document: Document) -> Outline:
    """Returns the outline of a document whose terms are section headings, bold leads or items of
    lists."""
    common_entries.check_length(document, len(document.text), "reStructuredText")
    renderer, _ = parser.parse(document.text, path=document.path, includes=document.includes)
    result = outline.read(document, [*blocks(renderer.document, renderer)])
    problems = sorted({*renderer.problems, *result.reading.problems})
    return replace(result, reading=replace(result.reading, problems=tuple(problems)))


class EntryParsedAlone(NamedTuple):
    candidate: Candidate | None
    """None for an entry that refers to other parts of its document, or has errors: it is parsed
    with its document."""
    links: tuple[tuple[str, str], ...]
    """The names and addresses of link targets, which other texts of the document may refer to."""
    steps: int
    """The steps of docutils that parsing took."""


@memo
def _entry(names: tuple[str, ...], body: str, backquotes_are_code: bool) -> EntryParsedAlone:
    """Parses an entry that does not depend on its document; for other entries, the result has no
    candidate."""
    lines = [".. glossary::", ""]
    lines += [f"   {name}" for name in names]
    text = "\n".join(lines) + textwrap.indent(f"\n{body}", "     ")
    renderer, steps = parser.parse(text, path="", backquotes_are_code=backquotes_are_code)
    dependent = EntryParsedAlone(None, (), steps + STEPS_FOR_AN_ENTRY)
    lists = [*renderer.document.findall(GlossaryList)]
    items = items_of(lists[0]) if len(lists) == 1 else []
    if renderer.problems or len(items) != 1:
        return dependent
    candidate = candidate_of(items[0], renderer)
    # Rendering reports links without a target.
    if renderer.problems or len(candidate.names) != len(names):
        return dependent
    if not all(map(_is_self_contained, items[0].findall(include_self=False))):
        return dependent
    targets = items[0].findall(nodes.target)
    links = tuple([(target["names"][0], target["refuri"]) for target in targets])
    return EntryParsedAlone(candidate, links, dependent.steps)


def _entry_of_item(item: nodes.Element, renderer: NodeRenderer, document: Document) -> Entry:
    candidate: Candidate = item.get("parsed") or candidate_of(item, renderer)
    anchors = tuple(map(nodes.make_id, item.get("anchors", ())))
    candidate = candidate._replace(line=line_of(item), anchors=anchors)
    return common_entries.entry(document, candidate, metadata=item["metadata"])


def _is_self_contained(node: nodes.Node) -> bool:
    """Returns whether a node does not refer to other nodes of its document, or only to links with
    an address."""
    if isinstance(node, nodes.reference):
        return "refuri" in node and not node.get("anonymous")
    if isinstance(node, nodes.target):
        is_with_link = isinstance(node.parent, nodes.TextElement) and "refuri" in node
        return is_with_link and len(node["names"]) == 1 and not node["dupnames"]
    return type(node).__name__ in SELF_CONTAINED


def _titles(list_node: nodes.Node, renderer: NodeRenderer) -> tuple[str, ...]:
    """Returns the titles of the sections around a list, outermost first."""
    titles: list[str] = []
    node: nodes.Node | None = list_node
    while node is not None:
        if isinstance(node, nodes.section):
            titles.insert(0, renderer.words(node.children[0]))
        node = node.parent
    return tuple(titles)


def _section_title(tree: nodes.document) -> str:
    """Returns the document's own title: its only section at the top level."""
    sections = [child for child in tree.children if isinstance(child, nodes.section)]
    if len(sections) == 1:
        return " ".join(sections[0].children[0].astext().split())
    return ""
