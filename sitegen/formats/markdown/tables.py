"""Finds names with their definitions in a Markdown table, by the titles of its columns or by their contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from markdown_it.token import Token

from sitegen.formats.common.columns import (
    AVOID,
    OTHER_NAMES,
    Columns,
    columns_by_content,
    columns_by_title,
    folded_title,
)
from sitegen.formats.common.entries import Candidate
from sitegen.formats.markdown.commonmark import groups, plain
from sitegen.formats.markdown.inline_html import leading_anchors

BETWEEN_NAMES = re.compile(r"[,;](?![^()]*\))")
Cells = list[list[Token]]
Render = Callable[[Sequence[Token]], str]


def titled(group: Sequence[Token], render: Render) -> tuple[Candidate, ...]:
    """Returns the rows of a table whose titles identify a column of terms and one of definitions."""
    titles, rows = _read(group)
    found = columns_by_title(titles)
    return tuple(_rows(rows, titles, found, render)) if found else ()


def guessed(group: Sequence[Token], render: Render) -> tuple[Candidate, ...]:
    """Returns the rows of a table with other titles, where one column may have names."""
    titles, rows = _read(group)
    found = columns_by_content(titles, [[_text(cell) for cell in row] for row in rows])
    return tuple(_rows(rows, titles, found, render)) if found else ()


def _read(group: Sequence[Token]) -> tuple[list[str], list[Cells]]:
    head, *rows = ([*groups(row[1:-1])] for section in groups(group[1:-1]) for row in groups(section[1:-1]))
    return [_text(cell) for cell in head], rows


def _text(cell: Sequence[Token]) -> str:
    return plain(cell[1].children or [])


def _rows(rows: Iterable[Cells], titles: Sequence[str], found: Columns, render: Render) -> Iterator[Candidate]:
    """Yields the candidate of each row. Other columns are added to the definition, with their titles."""
    keys = list(map(folded_title, titles))
    others = [column for column, key in enumerate(keys) if key in OTHER_NAMES and column not in found]
    remaining = [column for column in range(len(titles)) if column not in {*found, *others}]
    labels = [
        "<em>Avoid</em>: " if key in AVOID else f"<strong>{title}</strong>: " if title else ""
        for key, title in zip(keys, titles, strict=True)
    ]
    for row in rows:
        cells = [render([cell[1]]).strip() for cell in row]
        if not any(cells):
            continue
        labelled = (f"<p>{labels[column]}{cells[column]}</p>" for column in remaining if cells[column])
        yield Candidate(
            names=tuple(_names(map(_text, (row[column] for column in (found.name, *others))))),
            html=f"<p>{cells[found.definition]}</p>" + "".join(labelled),
            line=(row[found.name][1].map or [-1])[0] + 1,
            anchors=leading_anchors(row[found.name][1].children or [])[0],
        )


def _names(cells: Iterable[str]) -> Iterator[str]:
    """Yields the name in the first cell, and the names in the others, separated by commas."""
    first, *others = cells
    yield from filter(None, (first, *(name.strip() for cell in others for name in BETWEEN_NAMES.split(cell))))
