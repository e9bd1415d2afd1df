"""Reads CSV and TSV: a column of names, one of definitions, and others.

Columns are identified by their titles in the first line (`fields`, in several languages). If these are unknown, the
first column has names and the one with the longest texts has definitions. The first line is then a term too, unless
all its cells are short and its name is not in the alphabetical order of the others.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from typing import NamedTuple

from sitegen.formats.common import entries
from sitegen.formats.common.columns import OTHER_NAMES, column, columns_by_content, columns_by_title, folded_title
from sitegen.formats.common.entries import Candidate
from sitegen.formats.records import fields as keys
from sitegen.model import Document, Reading, UnreadableError
from sitegen.text import words

DELIMITERS = ",;\t|"
MAX_HEADER = 4
"""The maximum number of words in a column's title."""
SENTENCE_ENDS = (".", "!", "?", "。")
MAX_COLUMNS = 1_000
MIN_SORTED = 8
"""The minimum number of pairs of adjacent rows whose alphabetical order is checked."""
FORMULA_GUARD = re.compile(r"(^|\n)'(?=[=+\-@＝＋－＠])")
"""The apostrophe that exports (also ours) put before a text that a spreadsheet would evaluate as a formula."""


class SheetColumns(NamedTuple):
    name: int
    definition: int
    others: tuple[int, ...] = ()
    related: tuple[int, ...] = ()
    section: int | None = None
    status: int | None = None
    slug: int | None = None


class SheetRow(NamedTuple):
    line: int
    cells: list[str]

    def cell(self, column: int | None) -> str:
        return self.cells[column] if column is not None and column < len(self.cells) else ""


def parse(document: Document) -> Reading:
    """Returns the terms in a table."""
    rows, damage = _rows(document)
    width = max((len(row.cells) for row in rows), default=0)
    titles = [folded_title(cell) for cell in rows[0].cells] if rows else []
    texts = [n for n in range(width) if n >= len(titles) or titles[n] not in keys.NOT_WORDS]
    by_title = _columns_by_title(rows[0].cells) if rows else None
    columns = by_title or _columns_by_content(rows, texts)
    if not columns:
        wanted = "wanted a column of terms and one of definitions, with a comma, semicolon or tab between them"
        raise damage or entries.no_terms(wanted)
    are_titles = all(len(cell.split()) <= MAX_HEADER and not cell.endswith(SENTENCE_ENDS) for cell in rows[0].cells)
    has_title = by_title or (len(rows) > 1 and are_titles and not _is_sorted(rows))
    published = [row for row in rows[bool(has_title) :] if row.cell(columns.status).lower() not in keys.WITHHELD]
    candidates = [_candidate(row, columns) for row in published]
    if document.section:
        candidates = [one for one in candidates if words.fold(one.section) == words.fold(document.section)]
    reading = entries.read(document, candidates)
    if damage is None:
        return reading
    return replace(reading, problems=(damage.problem(document.path), *reading.problems), is_partial=True)


def _rows(document: Document) -> tuple[list[SheetRow], UnreadableError | None]:
    """Returns the rows that are not empty, and an error if the table is damaged below these."""
    text = document.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    first = text.lstrip("\n").partition("\n")[0]
    is_tabbed = document.name.lower().endswith((".tsv", ".tab"))
    delimiter = "\t" if is_tabbed else max(DELIMITERS, key=first.count)
    rows: list[SheetRow] = []
    reader = csv.reader(StringIO(text, newline="\n"), delimiter=delimiter, skipinitialspace=delimiter != "\t")
    line = 1
    try:
        for cells in reader:
            if len(cells) > MAX_COLUMNS:
                raise csv.Error(f"a row of {len(cells):,} cells")
            stripped = [FORMULA_GUARD.sub(r"\1", cell.strip()) for cell in cells]
            if any(stripped):
                rows.append(SheetRow(line, stripped))
            if len(rows) > document.max_entries + 1:  # one row has the titles
                raise entries.too_many(document, "rows")
            line = reader.line_num + 1
    except csv.Error as error:
        wanted = "close every quote; only the rows above are read"
        return rows, UnreadableError(f"this is no table: {error}", wanted, line=line)
    return rows, None


def _columns_by_title(titles: Sequence[str]) -> SheetColumns | None:
    """Identifies the columns by their titles; None if there is no column of terms or none of definitions."""
    used = columns_by_title(titles, keys.NAMES)
    if used is None:
        return None
    folded = list(map(folded_title, titles))
    return SheetColumns(
        name=used.name,
        definition=used.definition,
        others=tuple(n for n, key in enumerate(folded) if key in OTHER_NAMES and n not in used),
        related=tuple(n for n, key in enumerate(folded) if key in keys.RELATED and n not in used),
        section=column(titles, keys.SECTIONS, used),
        status=column(titles, ("status", *keys.DEPRECATED), used),
        slug=column(titles, ("slug", "id", "key"), used),
    )


def _columns_by_content(rows: Sequence[SheetRow], texts: Sequence[int]) -> SheetColumns | None:
    """Chooses among the columns `texts`, of which there are at least two; the first may be sections."""
    found = columns_by_content([""] * len(texts), [[row.cell(number) for number in texts] for row in rows])
    if found is None:
        return None
    name, definition = texts[found.name], texts[found.definition]
    section = texts[0] if texts[0] < min(name, definition) else None
    return SheetColumns(name=name, definition=definition, section=section)


def _is_sorted(rows: Sequence[SheetRow]) -> bool:
    """Returns whether the rows are in alphabetical order, including the first one, which is then not a title."""
    names = [row.cells[0].casefold() for row in rows]
    pairs = [one <= two for one, two in pairwise(names)]
    return len(pairs) >= MIN_SORTED and pairs[0] and sum(pairs) > 0.95 * len(pairs)


def _candidate(row: SheetRow, columns: SheetColumns) -> Candidate:
    name = row.cell(columns.name)
    values = (row.cell(column) for column in columns.others)
    others = [text for value in values if not keys.is_prose(value) for text in keys.split_names(value)]
    # A cell with a web address is left out: it contains pairs of a name and an address.
    linked = [cell for column in columns.related if "://" not in (cell := row.cell(column))]
    html = keys.html_of(row.cell(columns.definition))
    slug = row.cell(columns.slug)
    return Candidate(
        names=tuple(dict.fromkeys(filter(None, (name, *others)))) if name else (),
        html=html and html + keys.see_also(text for cell in linked for text in keys.split_names(cell)),
        line=row.line,
        anchors=(slug,) if slug else (),
        section=row.cell(columns.section),
        deprecated=row.cell(columns.status).lower() in {"deprecated", "obsolete", *keys.TRUE},
    )
