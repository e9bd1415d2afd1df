"""Finds names with definitions inside one list, paragraph or table.

Paragraphs begin with a bold name; the columns of a table are identified by their titles or their
content. `glossary_lists` decides whether the names are terms of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from sitegen.formats.common.columns import (
    ATTRIBUTES,
    AVOID,
    OTHER_NAMES,
    STATUS,
    Columns,
    column,
    columns_by_content,
    columns_by_title,
    folded_title,
)
from sitegen.formats.common.entries import BREAK, Candidate, text_of_html, without_asterisks
from sitegen.formats.common.headings import is_label
from sitegen.formats.common.structure import Block
from sitegen.text import labels

IN_BRACKETS = r",?\s?\((?:[^()<>]|<[^<>]*>){1,160}\)"
IN_MARKUP = r",?\s?<(?P<tag>em|code|sup|a)\b[^<>]*>[^<>]{1,80}</(?P=tag)>"
OTHER_BOLD_NAME = r"\s/\s<strong>[^<>]{1,80}</strong>"
PARAGRAPH = (
    r"(?s)<p><strong>(?P<name>.{1,80}?)</strong>"
    rf"(?P<aside>(?:{IN_BRACKETS}|{IN_MARKUP}|{OTHER_BOLD_NAME}){{1,3}}(?=\s*[:—–]|\s-{{1,2}}\s))?"
    r"(?P<separator>\s*(?::|[—–]|\s-{1,2}(?=\s))\s*|)"
    r"(?P<rest>.*)</p>"
)
"""A paragraph that begins with a bold name, `**Jig** (tool): Holds.` A colon, which may be inside
the name, or a dash separates it from the rest; without either, the rest is a sentence about it."""
NOTE_MARK = re.compile(r"<sup>\[[^<>]*\]</sup>")
"""The mark of a footnote after a name: `<sup>[1]</sup>`."""


def bold_name(html: str, line: int) -> Candidate | None:
    """Returns the bold name at the start of a paragraph, with the rest as its definition.

    `<p><strong>Jig</strong> (tool): Holds.</p>` is the name "Jig (tool)" with the definition
    `<p>Holds.</p>`. Returns None if words follow the name without a separator, and for a label such
    as "Note", which begins a part of a definition.
    """
    match = re.fullmatch(PARAGRAPH, html)
    if match is None:
        return None
    aside = NOTE_MARK.sub("", match["aside"] or "")
    name = text_of_html(match["name"] + aside).rstrip(":")
    if not name or is_label(name):
        return None
    if not match["rest"]:
        # The definition may be in the next paragraph.
        return Candidate(names=(name,), html="", line=line)
    has_separator = match["separator"] or match["name"].endswith(":")
    if not has_separator:
        return None
    return Candidate(names=(name,), html=f"<p>{match['rest']}</p>", line=line)


ITEM = re.compile(
    r"(?s)(?:<p>)?(?P<words>.*?)(?:</p>)?(?P<more>(?:<(?:blockquote|div|dl|ol|p|pre|table|ul)\b.*)?)"
)
"""The first paragraph of an item, and the blocks below it."""


def list_terms(items: Sequence[tuple[int, str]]) -> tuple[Candidate, ...]:
    """Returns the terms of a list. `items` are the lines and the HTML of its items.

    Each item must begin with a bold name; otherwise the list has no terms.
    """
    candidates = []
    for line, html in items:
        item = ITEM.fullmatch(html)
        assert item is not None  # the pattern matches every text
        candidate = bold_name(f"<p>{item['words']}</p>", line)
        if candidate is None:
            return ()
        candidates.append(candidate._replace(html=candidate.html + item["more"]))
    return tuple(candidates)


BETWEEN_NAMES_IN_CELL = r"[,;](?![^()<>]*[)>])"
"""The separators of other names in a cell."""
ID_IN_TAG = r"(?<=\s)(?:id|name)=[\"']?([^\"'\s>]+)"
TableRow = tuple[int, Sequence[str]]
"""A line, and the HTML of the cells of a row that begins there."""


def paragraph_block(html: str, line: int) -> Block:
    """Returns the block of a paragraph, which may begin with a bold name."""
    block = Block(line=line, html=html, form="paragraph")
    lead = bold_name(html, line)
    return block._replace(candidates=(lead,)) if lead else block


def table_block(html: str, line: int, rows: Sequence[TableRow]) -> Block:
    """Returns the block of a table, with the terms in its rows. The first row has the titles.

    The rows are candidates if the titles are known, such as "Word" and "Meaning", and guesses
    otherwise.
    """
    block = Block(line=line, html=html, form="table")
    if not rows:
        return block
    if len(rows) > 1 and len(rows[0][1]) == 1 and columns_by_title(_cell_texts(rows[1][1])):
        rows = rows[1:]  # the title of the table is above those of the columns
    titles, *texts = [_cell_texts(cells) for _, cells in rows]
    # The row of titles may be shorter: one title may be above several columns.
    titles += [""] * (max(map(len, texts), default=0) - len(titles))
    rows_below = rows[1:]

    columns = columns_by_title(titles)
    if columns:
        return block._replace(candidates=_row_candidates(rows_below, titles, columns))

    # Below other titles, the content of the cells says which columns have names and definitions.
    guessed = columns_by_content(titles, texts)
    if guessed is None:
        return block
    guesses = _row_candidates(rows_below, titles, guessed)
    is_legend = folded_title(titles[guessed.name]) in ATTRIBUTES  # such as "Status"
    return block._replace(guesses=guesses, is_legend=is_legend)


class OtherColumns(NamedTuple):
    """The columns of a table beside those of names and definitions."""

    names: list[int]
    """The columns of other names."""
    labels: dict[int, str]
    """The HTML before a cell that is added to the definition, by its column:
    `<strong>Unit</strong>: `."""


def _row_candidates(
    rows: Sequence[TableRow], titles: Sequence[str], columns: Columns
) -> tuple[Candidate, ...]:
    """Returns a candidate for each row. In a table of names to avoid, all are deprecated; in
    others, a column "Status" may say so."""
    other_columns = _other_columns(rows, titles, columns)
    are_deprecated = folded_title(titles[columns.name]) in AVOID
    status = column(titles, STATUS)
    if status in columns:  # the terms are statuses
        status = None
    candidates = []
    for line, cells in rows:
        has_both_cells = len(cells) > max(columns.name, columns.definition)
        is_empty = not any(cells)
        if is_empty or not has_both_cells:
            continue
        missing_cells = [""] * (len(titles) - len(cells))
        cells = [*cells, *missing_cells]
        is_deprecated = status is not None and labels.says_deprecated(cell_text(cells[status]))
        candidate = _row_candidate(line, cells, columns, other_columns)
        candidates.append(candidate._replace(deprecated=are_deprecated or is_deprecated))
    return tuple(candidates)


def _other_columns(
    rows: Sequence[TableRow], titles: Sequence[str], columns: Columns
) -> OtherColumns:
    """Returns the columns beside those of names and definitions: those of other names ("Acronym"),
    and those whose cells are added to the definition ("Unit").

    A column that only numbers the rows is left out: a new row would change the definitions below.
    """
    others = OtherColumns([], {})
    for number, title in enumerate(titles):
        if number in columns:
            continue
        if folded_title(title) in OTHER_NAMES:
            others.names.append(number)
        elif not _has_numbers(rows, number):
            others.labels[number] = _label_of_column(title)
    return others


def _row_candidate(
    line: int, cells: Sequence[str], columns: Columns, others: OtherColumns
) -> Candidate:
    """Returns the term of a row. Cells of other columns are added to its names or to its
    definition.

    The row "Jig | Holds. | wood" below "Term | Meaning | Material" has the definition
    `<p>Holds.</p><p><strong>Material</strong>: wood</p>`.
    """
    name_cell = cells[columns.name]
    names = _names_in_cell(name_cell)
    for number in others.names:
        for part in re.split(BETWEEN_NAMES_IN_CELL, cells[number]):
            names += _names_in_cell(part)

    html = cells[columns.definition].strip()
    if not html.startswith("<p"):
        html = f"<p>{html}</p>"
    for number, label in others.labels.items():
        if cells[number].strip():
            html += f"<p>{label}{cells[number]}</p>"

    anchors = re.findall(ID_IN_TAG, name_cell)
    return Candidate(tuple(names), html, line, tuple(anchors))


def _label_of_column(title: str) -> str:
    """Returns the HTML that is put before a cell of a column: `<strong>Unit</strong>: `, or "Avoid"
    before names to avoid. The HTML is empty for a column without a title."""
    if folded_title(title) in AVOID:
        return "<em>Avoid</em>: "
    if title:
        return f"<strong>{escape(title)}</strong>: "
    return ""


def _names_in_cell(cell: str) -> list[str]:
    """Returns the names in a cell, without markup. Each line of the cell is a name.

    A line in brackets continues the name above it. So does a line in lower case if that name begins
    with a capital letter: the names in `Table<br>saw<br>Jig` are "Table saw" and "Jig".
    """
    names: list[str] = []
    for line in _cell_texts(BREAK.split(cell)):
        if not line:
            continue
        is_in_brackets = line.startswith(("(", "["))
        is_lower_below_upper = bool(names) and names[-1][0].isupper() and line[0].islower()
        if names and (is_in_brackets or is_lower_below_upper):
            names[-1] += f" {line}"
        else:
            names.append(line)
    return names


def _has_numbers(rows: Sequence[TableRow], column: int) -> bool:
    """Returns whether a column numbers the rows 1, 2, 3 and so on. "1." and "2)" are numbers."""
    expected = 0
    for _, cells in rows:
        if column >= len(cells):
            continue  # a short row
        expected += 1
        if cell_text(cells[column]).strip(" .)") != str(expected):
            return False
    return True


def _cell_texts(cells: Iterable[str]) -> list[str]:
    return [cell_text(cell) for cell in cells]


def cell_text(cell: str) -> str:
    """Returns the text of a cell on one line: "Table saw" of `<em>Table</em><br>saw`."""
    return without_asterisks(text_of_html(BREAK.sub(" ", cell)))
