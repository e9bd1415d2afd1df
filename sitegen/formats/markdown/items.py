"""Names with their definitions inside one Markdown text: a paragraph, a list, a definition list, a table.

One text is seen at a time. Whether its names are terms of the document, or a list inside the definition of one, is
decided in `_outline`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from markdown_it.token import Token

from sitegen.formats.common.entries import Item, pairs
from sitegen.formats.markdown import bold_terms
from sitegen.formats.markdown.commonmark import BREAKS, pieces, plain
from sitegen.text import words

NAME_COLUMNS = frozenset(
    "term terms name names word words abbreviation abbreviations abbr acronym acronyms concept phrase expression"
    " keyword entry short".split()
)
DEFINITION_COLUMNS = frozenset(
    "definition, definitions, meaning, description, explanation, expansion, full form, full name, stands for, long,"
    " long form, what it means, what it is, details".split(", ")
)
OTHER_NAME_COLUMNS = frozenset(
    "synonym, synonyms, alias, aliases, also known as, aka, other name, other names".split(", ")
)

Render = Callable[[Sequence[Token]], str]


def items(piece: Sequence[Token], render: Render) -> tuple[Item, ...]:
    """Returns the names with definitions in one piece of a document; most pieces have none."""
    match piece[0].type:
        case "paragraph_open":
            return _paragraph(piece[1], render)
        case "bullet_list_open" | "ordered_list_open":
            return _list(piece, render)
        case "dl_open":
            return tuple(_definition_list(piece, render))
        case "table_open":
            return tuple(_table(piece, render))
    return ()


def _paragraph(inline: Token, render: Render) -> tuple[Item, ...]:
    """One name at the start, or one on every line that begins with a bold name."""
    found = []
    for number, children in bold_terms.lines(inline.children or []):
        lead = bold_terms.marked(children)
        if lead is None:
            return ()
        html = _paragraph_html(inline, lead.rest, render)
        found.append(Item(names=lead.names, html=html, line=_line(inline) + number, anchors=lead.anchors))
    return tuple(found)


def _paragraph_html(inline: Token, children: Sequence[Token], render: Render) -> str:
    """A definition's first paragraph; nothing where its text begins further down."""
    start = next((number for number, token in enumerate(children) if token.type not in BREAKS), len(children))
    html = render([inline.copy(children=list(children[start:]))]).strip()
    return f"<p>{html}</p>" if html else ""


def _list(piece: Sequence[Token], render: Render) -> tuple[Item, ...]:
    parts = list(pieces(piece[1:-1]))
    leads = [_lead(part) for part in parts]
    if not are_names([is_marked for _, is_marked in leads], [lead is not None for lead, _ in leads]):
        return ()
    return tuple(_list_item(part, lead, render) for part, (lead, _) in zip(parts, leads, strict=True))


def are_names(are_marked: Sequence[bool], have_names: Sequence[bool]) -> bool:
    """Returns whether a list is one of names, from how each item begins.

    Most of them begin with a bold name, or all (three or more) with a short one.
    """
    return sum(are_marked) * 2 > len(are_marked) or (len(have_names) > 2 and all(have_names))


def listed(part: Sequence[Token], render: Render) -> tuple[Item, bool, bool]:
    """Returns an item of a list of names, whether it begins with a bold name, and whether it begins with any."""
    lead, is_marked = _lead(part)
    return _list_item(part, lead, render), is_marked, lead is not None


def _lead(part: Sequence[Token]) -> tuple[bold_terms.Lead | None, bool]:
    """What an item of a list begins with, and whether that is bold."""
    text = (part[2].children or []) if part[1].type == "paragraph_open" else []
    marked = bold_terms.marked(text)
    return (marked, True) if marked else (bold_terms.unmarked(text), False)


def _list_item(part: Sequence[Token], lead: bold_terms.Lead | None, render: Render) -> Item:
    line = _line(part[0])
    if lead is None:
        return Item(names=(), html=render(part[1:-1]), line=line)
    html = _paragraph_html(part[2], lead.rest, render) + render(part[4:-1])
    return Item(names=lead.names, html=html, line=line, anchors=lead.anchors)


def _definition_list(piece: Sequence[Token], render: Render) -> Iterator[Item]:
    """One item for each run of names and the definitions that follow it."""
    parts = pieces(piece[1:-1])
    for names, definitions in pairs(parts, lambda part: part[0].type == "dt_open"):
        children = [name[1].children or [] for name in names]
        yield Item(
            names=tuple(filter(None, map(plain, children))),
            html="".join(_in_paragraph(render(definition[1:-1])) for definition in definitions),
            line=_line(names[0][1]),
            anchors=tuple(anchor for tokens in children for anchor in bold_terms.leading_anchors(tokens)[0]),
        )


def _in_paragraph(html: str) -> str:
    is_block = html.lstrip().startswith(("<p>", "<ul", "<ol", "<pre", "<div", "<dl", "<table", "<blockquote"))
    return html if is_block else f"<p>{html}</p>"


def _table(piece: Sequence[Token], render: Render) -> Iterator[Item]:
    """A table with a column of names and one of definitions. Other columns follow under their titles."""
    head, *rows = (list(pieces(row[1:-1])) for section in pieces(piece[1:-1]) for row in pieces(section[1:-1]))
    titles = [plain(cell[1].children or []) for cell in head]
    folded = [words.fold(title) for title in titles]
    name = next((column for column, title in enumerate(folded) if title in NAME_COLUMNS), None)
    definition = next((column for column, title in enumerate(folded) if title in DEFINITION_COLUMNS), None)
    if name is None or definition is None:
        return
    others = [column for column, title in enumerate(folded) if title in OTHER_NAME_COLUMNS]
    remaining = [column for column in range(len(titles)) if column not in {name, definition, *others}]
    for row in rows:
        cells = [render([cell[1]]).strip() for cell in row]
        if not any(cells):
            continue
        labelled = (
            f"<p><strong>{titles[column]}</strong>: {cells[column]}</p>" for column in remaining if cells[column]
        )
        yield Item(
            names=tuple(_names(row[column][1].children or [] for column in (name, *others))),
            html=f"<p>{cells[definition]}</p>" + "".join(labelled),
            line=_line(row[name][1]),
            anchors=bold_terms.leading_anchors(row[name][1].children or [])[0],
        )


def _names(cells: Iterable[Sequence[Token]]) -> Iterator[str]:
    """The name in the first cell, and those in the others, where commas separate them."""
    first, *others = map(plain, cells)
    yield from filter(None, (first, *(name.strip() for cell in others for name in re.split("[,;]", cell))))


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0
