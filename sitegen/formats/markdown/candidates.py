"""Finds names with their definitions inside one Markdown text: a paragraph, a list, a definition
list, a table.

A paragraph or an item of a list begins with a lead (`leads`): `**Name**: …`, `**Name** (aside) —
…`, in a list also `name - …`.

Each text is read separately. `formats.common.outline` decides whether its names are terms of the
document, or a list inside one definition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

from markdown_it.token import Token

from sitegen.formats.common.entries import Candidate, pairs
from sitegen.formats.common.listed_terms import MIN_SENTENCES, ListedTerms, TableRow, table_terms
from sitegen.formats.markdown.commonmark import BREAKS, elements, has_only_links, inside, plain
from sitegen.formats.markdown.inline_html import leading_anchors
from sitegen.formats.markdown.leads import (
    AFTER_UNMARKED,
    Lead,
    bare_lead,
    checked_lead,
    is_name,
    linked_lead,
    marked_lead,
    marked_names,
    short_lead,
    unmarked_lead,
    without_link,
)
from sitegen.text.names import heading_id

SPEC_UP = re.compile(r"\[\[def:\s*(?P<names>[^\[\]]+)\]\]:?")
"""The name of a definition in Spec-Up: `[[def: wallet, digital wallet]]`."""

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


def listed_terms(element: Sequence[Token], render: Render) -> ListedTerms:
    """Returns the names with definitions in one element of a document.

    Guesses are: the rows of a table without known titles, a list of sentences on names, a list of
    one or two plain names, and a paragraph that begins with a name or has one as its subject.
    """
    match element[0].type:
        case "paragraph_open":
            _opening, inline, _closing = element
            if found := _paragraph(inline, render):
                return ListedTerms(found)
            return ListedTerms(guesses=_guessed_paragraph(inline, render))
        case "bullet_list_open":
            items = _items(element)
            if found := _list(items, render):
                return ListedTerms(found)
            return ListedTerms(guesses=_guesses(items, render))
        case "ordered_list_open":
            return ListedTerms(_list(_items(element), render))
        case "dl_open":
            return ListedTerms(tuple(_definition_list(element, render)))
        case "table_open":
            return _table(element, render)
    return ListedTerms()


def _guesses(items: Sequence[ListItem], render: Render) -> tuple[Candidate, ...]:
    """Returns the items of a list of one or two names, or of sentences, as guesses."""
    if len(items) >= MIN_SENTENCES:
        return _sentences(items, render)
    candidates = []
    for item in items:
        if item.lead is None or not item.lead.rest:
            return ()
        candidates.append(_item_candidate(item, render))
    return tuple(candidates)


def _paragraph(inline: Token, render: Render) -> tuple[Candidate, ...]:
    """Returns the name at the start, or one for every line that begins with a bold name: two for
    the lines `**Jig**: Holds.` and `**Saw**: Cuts.`; none for other paragraphs."""
    terms = []
    for number, children in _parts_by_name(inline.children or []):
        lead = marked_lead(children) or linked_lead(children)
        if lead is None:
            return ()
        if children[0].type == "link_open" and lead.rest and has_only_links(lead.rest):
            return ()  # such as those to the previous and the next page
        html = _paragraph_html(lead.rest, render)
        terms.append(Candidate(lead.names, html, first_line(inline) + number, lead.anchors))
    return tuple(terms)


def _guessed_paragraph(inline: Token, render: Render) -> tuple[Candidate, ...]:
    """Returns the bold names before the sentences of a paragraph, else those that are the subject
    of its first sentence, else the plain name that it begins with: "Jig" of `**Jig** A frame.`, of
    `**Jig** holds wood.` and of `Jig: Holds wood.`."""
    children = inline.children or []
    lead = bare_lead(children)
    names = _subjects(children)
    if lead is None and names:
        sentence = f"<p>{render([inline]).strip()}</p>"
        return (Candidate(names, sentence, first_line(inline)),)
    lead = lead or unmarked_lead(children)
    if lead is None or not lead.rest:
        return ()
    html = _paragraph_html(lead.rest, render)
    return (Candidate(lead.names, html, first_line(inline), lead.anchors),)


def _paragraph_html(children: Sequence[Token], render: Render) -> str:
    """Returns the first paragraph of a definition; empty if the definition begins in a later
    paragraph."""
    text = [*dropwhile(lambda token: token.type in BREAKS, children)]
    html = render([Token("inline", "", 0, children=text)]).strip()
    return f"<p>{html}</p>" if html else ""


def _list(items: Sequence[ListItem], render: Render) -> tuple[Candidate, ...]:
    """Returns the items of a list as candidates; none if they are not names with definitions. An
    item without a lead is a candidate without a name, which is reported."""
    if not _are_names(items):
        return ()
    if _are_mostly_marked(items):
        items = [_with_bare_lead(item) for item in items]
    candidates: list[Candidate] = []
    for item in items:
        candidates += _grouped(item, render) or [_item_candidate(item, render)]
    return tuple(candidates)


def _grouped(item: ListItem, render: Render) -> list[Candidate]:
    """Returns the terms in an item that is the section of a list below it, in which all items begin
    with marked names; none for other items.

    The item `**Tools**` with the items `**Jig**: Holds.` and `**Saw**: Cuts.` is such a section.
    """
    if item.lead is None or plain(item.lead.rest).strip():
        return []
    below = [*elements(item.below)]
    if len(below) != 1 or item.below[0].type != "bullet_list_open":
        return []
    items = _items(item.below)
    for inner in items:
        if inner.lead is None or not inner.lead.is_marked:
            return []
    section = item.lead.names[0]
    return [term._replace(section=term.section or section) for term in _list(items, render)]


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
    """Returns whether the items of a list are names with definitions.

    Most items have to begin with a bold name; or all items with a short name (at least three
    items), except one in four that is too long; or all items with a name that is alone on its line
    (at least two items).
    """
    if _are_mostly_marked(items):
        return True
    named = long = 0
    are_alone = True
    for item in items:
        if item.lead:
            named += 1
            are_alone = are_alone and not item.lead.is_separate
        elif _has_long_name(item.text):
            long += 1
        else:
            return False
    least = 2 if are_alone else 3
    return named >= least and 4 * long <= len(items)


def _are_mostly_marked(items: Sequence[ListItem]) -> bool:
    """Returns whether most items of a list begin with a bold name."""
    marked = 0
    for item in items:
        if item.lead and item.lead.is_marked:
            marked += 1
    return 2 * marked > len(items)


def _item_lead(text: Sequence[Token], below: Sequence[Token]) -> Lead | None:
    """Returns the lead of an item of a list: of `**Jig**: Holds.`, `[Jig](#jig): Holds.` or
    `Jig - holds`. A short name alone on its line needs a definition below it; a link above a list
    is part of a table of contents."""
    if lead := marked_lead(text) or linked_lead(text) or unmarked_lead(text):
        return lead
    short = short_lead(text)
    if short is None or short.rest:
        return short
    if not below:
        return None
    has_link = any(token.type == "link_open" for token in text)
    is_contents = has_link and below[0].type.endswith("list_open")
    return None if is_contents else short


def _has_long_name(text: Sequence[Token]) -> bool:
    """True if a text begins with words and a separator, but with more words than a name has."""
    return bool(text) and AFTER_UNMARKED.search(text[0].content) is not None


def _with_bare_lead(item: ListItem) -> ListItem:
    """Returns an item without a lead with the bold name that it begins with, which lacks the
    separator that its neighbors have: `**Jig** holds` beside `**Saw**: cuts`."""
    if item.lead:
        return item
    marked = marked_names(item.text)
    if marked is None or not marked.is_bold or not marked.following:
        return item
    lead = checked_lead(marked.names, marked.following, marked.anchors, is_marked=True)
    return item._replace(lead=lead)


def _item_candidate(item: ListItem, render: Render) -> Candidate:
    lead = item.lead
    if lead is None:
        return Candidate(names=(), html=render(item.content), line=item.line)
    html = _paragraph_html(lead.rest, render) + render(item.below)
    return Candidate(names=lead.names, html=html, line=item.line, anchors=lead.anchors)


def _definition_list(element: Sequence[Token], render: Render) -> Iterator[Candidate]:
    """Yields one candidate for each run of names and the definitions that follow it: two for `Jig`,
    `Template`, `: Holds.`, `Saw`, `: Cuts.`, of which the first has two names."""
    for terms, definitions in pairs(elements(inside(element)), _is_name_in_list):
        names: list[str] = []
        anchors: list[str] = []
        for term in terms:
            of_term = _names_in_list(term)
            names += of_term.names
            anchors += of_term.anchors
        html = ""
        for definition in definitions:
            body = render(inside(definition))
            if not body.lstrip().startswith(BLOCK_TAGS):
                body = f"<p>{body}</p>"
            html += body
        line = first_line(terms[0][0])
        yield Candidate(tuple(filter(None, names)), html, line, tuple(anchors))


class NamesInList(NamedTuple):
    """The names in a line above a definition, and their anchors."""

    names: Sequence[str]
    anchors: Sequence[str]


def _names_in_list(term: Sequence[Token]) -> NamesInList:
    """Returns the names in a line of names above a definition. The first one of Spec-Up is an
    anchor if it is that of another: `[[def: table-saw, Table saw]]`."""
    _opening, inline, _closing = term
    text = inline.children or []
    anchors, _ = leading_anchors(text)
    name = plain(text)
    defined = SPEC_UP.fullmatch(name)
    if defined is None:
        return NamesInList([name], anchors)
    first, *others = [name.strip() for name in defined["names"].split(",")]
    for name in others:
        if name != first and heading_id(name) == first:
            others.remove(name)
            return NamesInList([name, *others], [*anchors, first])
    return NamesInList([first, *others], anchors)


def _is_name_in_list(element: Sequence[Token]) -> bool:
    return element[0].type == "dt_open"


def _sentences(items: Sequence[ListItem], render: Render) -> tuple[Candidate, ...]:
    """Returns the items of a list if each begins with a bold name; none for other lists. A name
    that is the subject of a sentence stays in its definition: `**Jig** holds wood.`"""
    candidates = []
    for item in items:
        text = without_link(item.text)
        names = _subjects(text)
        if not names:
            return ()
        if lead := bare_lead(text):
            candidates.append(_item_candidate(item._replace(lead=lead), render))
            continue
        html = render(item.content).strip()
        if not html.startswith("<p>"):
            html = f"<p>{html}</p>"
        candidates.append(Candidate(names=names, html=html, line=item.line))
    return tuple(candidates)


def _subjects(text: Sequence[Token]) -> tuple[str, ...]:
    """Returns the bold names that a text begins with; none if one of them is no name."""
    marked = marked_names(text)
    if marked and all(map(is_name, marked.names)):
        return marked.names
    return ()


def _table(element: Sequence[Token], render: Render) -> ListedTerms:
    rows: list[TableRow] = []
    for section in elements(inside(element)):
        for row in elements(inside(section)):
            cells = [render(inside(cell)).strip() for cell in elements(inside(row))]
            rows.append((first_line(row[0]), cells))
    return table_terms(rows)


def first_line(token: Token) -> int:
    """Returns the line on which a token begins."""
    return token.map[0] + 1 if token.map else 0


def _parts_by_name(children: Sequence[Token]) -> list[tuple[int, list[Token]]]:
    """Returns a paragraph split before each line that begins with a bold name, with the numbers of
    these lines: of `**Jig**: Holds`, `wood.`, `**Saw**: Cuts.` the numbers are 0 and 2."""
    lines: list[list[Token]] = [[]]
    for token in children:
        lines[-1].append(token)
        if token.type in BREAKS and token.level == 0:
            lines.append([])
    if not lines[-1]:
        lines.pop()
    parts: list[tuple[int, list[Token]]] = []
    for number, line in enumerate(lines):
        if not parts or _begins_with_name(line):
            parts.append((number, []))
        _, part = parts[-1]
        part += line
    return parts


def _begins_with_name(line: Sequence[Token]) -> bool:
    if line[0].type not in LEADING:
        return False
    lead = marked_lead(line)
    return lead is not None and lead.is_separate
