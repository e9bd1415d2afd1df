"""Finds names with their definitions inside one Markdown text: a paragraph, a list, a definition
list, a table.

A paragraph or an item of a list begins with a lead (`leads`): `**Name**: …`, `**Name** (aside) —
…`, in a list also `name - …`.

Each text is read separately. `formats.common.outline` decides whether its names are terms of the
document, or a list inside one definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

from markdown_it.token import Token

from sitegen.formats.common.entries import Candidate, pairs
from sitegen.formats.common.listed_terms import TableRow, table_block
from sitegen.formats.common.structure import Block
from sitegen.formats.markdown.commonmark import (
    BREAKS,
    elements,
    first_line,
    has_only_links,
    inside,
    plain,
)
from sitegen.formats.markdown.leads import (
    AFTER_UNMARKED,
    Lead,
    checked_lead,
    linked_lead,
    marked_lead,
    marked_names,
    read_name_line,
    short_lead,
    subject_lead,
    unmarked_lead,
)

Render = Callable[[Sequence[Token]], str]
"""Returns the HTML of some tokens of a document."""

BLOCK_TAGS = ("<p>", "<ul", "<ol", "<pre", "<div", "<dl", "<table", "<blockquote")
LEADING = frozenset({"strong_open", "link_open", "html_inline"})
"""The types of tokens that a line with a marked name begins with."""


class ListItem(NamedTuple):
    """An item of a list, and its lead."""

    line: int
    content: Sequence[Token]
    text: Sequence[Token]
    """The inline tokens of the paragraph that it begins with; none if it begins otherwise."""
    below: Sequence[Token]
    """The content below that paragraph."""
    lead: Lead | None


def text_block(element: Sequence[Token], render: Render) -> Block:
    """Returns the block of one element of a document, with the names and definitions in it.

    Some names are only guesses: the rows of a table with unknown titles, a list of one or two plain
    names, and a paragraph whose first words may be a name.
    """
    html, line = render(element), first_line(element[0])
    match element[0].type:
        case "paragraph_open":
            _opening, inline, _closing = element
            terms = _terms_of_paragraph(inline, render)
            guesses = () if terms else _guesses_of_paragraph(inline, render)
            return Block(line, html, candidates=terms, guesses=guesses, form="paragraph")
        case "bullet_list_open" | "ordered_list_open":
            items = _items(element)
            terms = _terms_of_list(items, render)
            guesses = () if terms else _guesses_of_list(items, render)
            return Block(line, html, candidates=terms, guesses=guesses, form="list")
        case "dl_open":
            terms = tuple(_terms_of_definition_list(element, render))
            return Block(line, html, candidates=terms, form="table")
        case "table_open":
            return table_block(html, line, _rows(element, render))
    return Block(line, html)


def _terms_of_paragraph(inline: Token, render: Render) -> tuple[Candidate, ...]:
    """Returns the terms in a paragraph that begins with a bold or linked name; otherwise none.

    Each line with a bold name at its start is another term: `**Jig**: Holds.` and `**Saw**: Cuts.`
    are two.
    """
    terms = []
    for number, children in _parts_by_name(inline.children or []):
        lead = marked_lead(children) or linked_lead(children)
        if lead is None:
            return ()
        begins_with_link = children[0].type == "link_open"
        if begins_with_link and lead.rest and has_only_links(lead.rest):
            return ()  # links such as those to the previous and the next page
        html = _paragraph_html(lead.rest, render)
        terms.append(Candidate(lead.names, html, first_line(inline) + number, lead.anchors))
    return tuple(terms)


def _guesses_of_paragraph(inline: Token, render: Render) -> tuple[Candidate, ...]:
    """Returns the name that a paragraph seems to begin with: "Jig" of `**Jig** A frame.`, of
    `**Jig** holds wood.` and of `Jig: Holds wood.`"""
    children = inline.children or []
    lead = subject_lead(children) or unmarked_lead(children)
    if lead is None or not lead.rest:
        return ()
    html = _paragraph_html(lead.rest, render)
    return (Candidate(lead.names, html, first_line(inline), lead.anchors),)


def _paragraph_html(children: Sequence[Token], render: Render) -> str:
    """Returns the HTML of the text after a name, without line breaks at its start. The HTML is
    empty if no text follows the name: the definition may be in the next paragraph."""
    text = [*dropwhile(lambda token: token.type in BREAKS, children)]
    html = render([Token("inline", "", 0, children=text)]).strip()
    return f"<p>{html}</p>" if html else ""


def _terms_of_list(items: Sequence[ListItem], render: Render) -> tuple[Candidate, ...]:
    """Returns the terms in the items of a list; none if most items are not names with definitions.
    An item without a name is a candidate without a name, so that it is reported."""
    if not _are_names(items):
        return ()
    if _are_mostly_marked(items):
        items = [_with_bold_lead(item) for item in items]
    candidates: list[Candidate] = []
    for item in items:
        # An item that is only a name, above a list of terms, is their section.
        candidates += _terms_of_section(item, render) or [_item_candidate(item, render)]
    return tuple(candidates)


def _guesses_of_list(items: Sequence[ListItem], render: Render) -> tuple[Candidate, ...]:
    """Returns the items of a list as guesses; none if one of them does not begin with a name, or
    has no text after it."""
    candidates = []
    for item in items:
        if item.lead is None or not item.lead.rest:
            return ()
        candidates.append(_item_candidate(item, render))
    return tuple(candidates)


def _terms_of_section(item: ListItem, render: Render) -> list[Candidate]:
    """Returns the terms below an item that is only the name of their section; none for other items.

    The item `**Tools**` above the items `**Jig**: Holds.` and `**Saw**: Cuts.` is a section.
    """
    if item.lead is None or plain(item.lead.rest).strip():
        return []
    elements_below = [*elements(item.below)]
    if len(elements_below) != 1 or item.below[0].type != "bullet_list_open":
        return []
    inner_items = _items(item.below)
    for inner_item in inner_items:
        if inner_item.lead is None or not inner_item.lead.is_marked:
            return []
    section = item.lead.names[0]
    terms = _terms_of_list(inner_items, render)
    return [term._replace(section=term.section or section) for term in terms]


def _items(element: Sequence[Token]) -> list[ListItem]:
    """Returns the items of a list."""
    return [_list_item(item) for item in elements(inside(element))]


def _list_item(element: Sequence[Token]) -> ListItem:
    """Returns the item of a list that has these tokens."""
    content = inside(element)
    text: Sequence[Token] = ()
    below = content
    if content and content[0].type == "paragraph_open":
        _opening, inline, _closing, *below = content
        text = inline.children or ()
    return ListItem(first_line(element[0]), content, text, below, _item_lead(text, below))


def _are_names(items: Sequence[ListItem]) -> bool:
    """Returns whether the items of a list are names with definitions. Either most items begin with
    a bold name; or all begin with a name, and at most a quarter of the names are too long."""
    if _are_mostly_marked(items):
        return True
    short_names = long_names = 0
    are_alone_on_lines = True
    for item in items:
        if item.lead:
            short_names += 1
            if item.lead.has_separator:
                are_alone_on_lines = False
        elif item.text and AFTER_UNMARKED.search(item.text[0].content):
            long_names += 1  # the words before the separator are too many for a name
        else:
            return False
    # Two sentences with a colon may be in any text.
    min_names = 2 if are_alone_on_lines else 3
    return short_names >= min_names and long_names <= len(items) / 4


def _are_mostly_marked(items: Sequence[ListItem]) -> bool:
    """Returns whether most items of a list begin with a bold name."""
    marked_items = 0
    for item in items:
        if item.lead and item.lead.is_marked:
            marked_items += 1
    return 2 * marked_items > len(items)


def _item_lead(text: Sequence[Token], below: Sequence[Token]) -> Lead | None:
    """Returns the lead of an item of a list: "Jig" of `**Jig**: Holds.`, `[Jig](#jig): Holds.`,
    `Jig - holds`, or `Jig` above its definition. Returns None if it has none."""
    lead = marked_lead(text) or linked_lead(text) or unmarked_lead(text)
    if lead:
        return lead
    lead = short_lead(text)
    if lead is None:
        return None
    if lead.rest:
        return lead

    # The definition must be below the name.
    if not below:
        return None
    # A link above a list is a chapter above its sections.
    has_link = any(token.type == "link_open" for token in text)
    is_above_list = below[0].type.endswith("list_open")
    if has_link and is_above_list:
        return None
    return lead


def _with_bold_lead(item: ListItem) -> ListItem:
    """Returns an item with the bold name at its start as its lead, if it has no other.

    The item lacks the separator that others have: `**Jig** holds` beside `**Saw**: cuts`.
    """
    if item.lead:
        return item
    marked = marked_names(item.text)
    if marked is None or not marked.is_bold or not marked.following:
        return item
    lead = checked_lead(marked.names, marked.following, marked.anchors, is_marked=True)
    return item._replace(lead=lead)


def _item_candidate(item: ListItem, render: Render) -> Candidate:
    """Returns the term of an item; a candidate without a name if the item does not begin with
    one."""
    lead = item.lead
    if lead is None:
        return Candidate(names=(), html=render(item.content), line=item.line)
    html = _paragraph_html(lead.rest, render) + render(item.below)
    return Candidate(names=lead.names, html=html, line=item.line, anchors=lead.anchors)


def _terms_of_definition_list(element: Sequence[Token], render: Render) -> Iterator[Candidate]:
    """Yields the terms of a definition list. Names on lines above one definition are one term:
    `Jig`, `Template`, `: Holds.`, `Saw`, `: Cuts.` are two terms, the first with two names."""
    parts = elements(inside(element))
    for name_lines, definitions in pairs(parts, lambda part: part[0].type == "dt_open"):
        names: list[str] = []
        anchors: list[str] = []
        for name_line in name_lines:
            read_line = read_name_line(name_line)
            names += read_line.names
            anchors += read_line.anchors

        html = ""
        for definition in definitions:
            body = render(inside(definition))
            if not body.lstrip().startswith(BLOCK_TAGS):
                body = f"<p>{body}</p>"
            html += body

        opening, *_ = name_lines[0]
        found_names = tuple(filter(None, names))
        yield Candidate(found_names, html, first_line(opening), tuple(anchors))


def _rows(element: Sequence[Token], render: Render) -> list[TableRow]:
    """Returns the rows of a table."""
    rows: list[TableRow] = []
    for section in elements(inside(element)):
        for row in elements(inside(section)):
            cells = [render(inside(cell)).strip() for cell in elements(inside(row))]
            rows.append((first_line(row[0]), cells))
    return rows


def _parts_by_name(children: Sequence[Token]) -> list[tuple[int, list[Token]]]:
    """Splits a paragraph before each line that begins with a bold name. Returns the parts, each
    with the number of its first line.

    The lines `**Jig**: Holds`, `wood.` and `**Saw**: Cuts.` are two parts, which begin at lines 0
    and 2.
    """
    lines: list[list[Token]] = [[]]
    for token in children:
        lines[-1].append(token)
        if token.type in BREAKS and token.level == 0:
            lines.append([])
    parts: list[tuple[int, list[Token]]] = []
    for number, line in enumerate(lines):
        if not parts or _begins_with_name(line):
            parts.append((number, []))
        _, part = parts[-1]
        part += line
    return parts


def _begins_with_name(line: Sequence[Token]) -> bool:
    if line[0].type not in LEADING:  # faster than looking for a lead
        return False
    lead = marked_lead(line)
    return lead is not None and lead.has_separator
