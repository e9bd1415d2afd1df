"""Reads CSV and TSV: a column of names, one of definitions, and others.

Each row is a record (`shapes`), whose keys are the titles in the first line, or in a later one,
below lines about the table. If no title is known, the first column has names and the one with the
longest texts has definitions. The first line is then a term too, unless it names a language, or all
its cells are short and other definitions are longer.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from typing import NamedTuple

from sitegen.formats.common import entries
from sitegen.formats.common.columns import (
    LANGUAGE_TITLES,
    NAME_KEYS,
    Columns,
    columns_by_content,
    columns_by_title,
    folded_title,
    is_of_words,
)
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.record_values import (
    SENTENCE_ENDS,
    Record,
    RecordField,
    RecordText,
)
from sitegen.formats.markdown.markdown_html import html_of
from sitegen.formats.records.shapes import terms_of
from sitegen.model import Document, ProblemKind, Reading, Trouble, UnreadableError

WANTED = (
    "wanted a column of terms and one of definitions, with a comma, semicolon or tab between them"
)
NAME_KEY, DEFINITION_KEY = "term", "definition"
"""The keys of the columns with names and definitions in the records of rows."""
DELIMITERS = "\t,;|"
QUOTED = re.compile(r'"[^"]*"')
END = "\ufdd0"
"""A line below the table. If a quote is open there, it is never closed."""
MAX_HEADER = 4
"""The maximum number of words in a column's title."""
LETTERS_OF_CODE = 2
"""The number of letters in the code of a language."""
MAX_PREAMBLE = 50
MAX_COLUMNS = 1_000
FORMULA_GUARD = re.compile(r"(^|\n)'(?=[=+\-@＝＋－＠])")
"""The apostrophe that exports (also ours) put before a text that a spreadsheet would evaluate as a
formula."""


class SheetRow(NamedTuple):
    line: int
    cells: list[str]

    def cell(self, column: int) -> str:
        """Returns the text in a column; empty if the row is too short."""
        if column < len(self.cells):
            return self.cells[column]
        return ""

    def at(self, columns: Iterable[int]) -> list[str]:
        return [self.cell(column) for column in columns]


def parse(document: Document) -> Reading:
    """Returns the terms in a table, which may have titles: `Term,Meaning` above `Jig,Holds.`, or
    only `Jig,Holds.`

    A damaged table is read up to the damage.
    """
    # 1. The titles.
    all_rows, damage = _rows(document)
    table = _without_preamble(all_rows)
    titles = table[0].cells if table else []
    columns = columns_by_title(titles, NAME_KEYS)
    keys = _keys_of(titles, columns, table)
    if not keys:
        raise damage or entries.no_terms(WANTED)
    has_known_titles = columns is not None or any(map(_is_language, titles))
    has_unknown_titles = not has_known_titles and _are_unknown_titles(table, keys)

    # 2. The terms. Without titles, the first row is a term too.
    has_titles = has_known_titles or has_unknown_titles
    rows = table[1:] if has_titles else table
    candidates: list[Candidate] = []
    for row in rows:
        candidates += _candidates(row, keys)
    if document.section:
        candidates = entries.in_section(candidates, document.section)
    reading = entries.read(document, candidates)

    # 3. The problems.
    problems = [*reading.problems]
    if damage:
        problems.insert(0, damage.problem(document.path))
    if has_unknown_titles:
        problems.append(_unknown_titles(titles).at(document.path, line=table[0].line))
    return replace(reading, problems=tuple(problems), is_partial=damage is not None)


def _without_preamble(rows: list[SheetRow]) -> list[SheetRow]:
    """Returns the rows without those above the titles. If there are no titles, all rows are
    returned.

    Above the titles may be lines about the table, or the letters of its columns: "A", "B".
    """
    for number, row in enumerate(rows[:MAX_PREAMBLE]):
        may_be_titles = number == 0 or not any(map(_is_long, row.cells))
        if may_be_titles and columns_by_title(row.cells, NAME_KEYS):
            return rows[number:]
    return rows


def _keys_of(titles: Sequence[str], columns: Columns | None, rows: Sequence[SheetRow]) -> list[str]:
    """Returns the key of each column: rows become records with these keys. A table without terms
    has no keys.

    The columns "Word", "Meaning", "Unit" have the keys `term`, `definition`, "Unit". `columns` are
    the columns that the titles name. If it is None, the keys depend on the texts in the rows.
    """
    width = max([len(row.cells) for row in rows], default=0)
    if columns is None:
        return _keys_by_content(rows, width)
    missing_titles = [""] * (width - len(titles))
    keys = [*titles, *missing_titles]
    keys[columns.name] = NAME_KEY
    keys[columns.definition] = DEFINITION_KEY
    return keys


def _rows(document: Document) -> tuple[list[SheetRow], UnreadableError | None]:
    """Returns the rows that are not empty. If the table is damaged, such as by a quote that is
    never closed, returns the rows above the damage, and the error."""
    delimiter = _delimiter(document)
    rows: list[SheetRow] = []
    reader = csv.reader(
        StringIO(f"{document.text}\n{END}", newline="\n"),
        delimiter=delimiter,
        skipinitialspace=delimiter != "\t",
    )
    line = 1
    try:
        for cells in reader:
            if cells == [END]:
                break
            if cells and cells[-1].endswith(END):
                raise csv.Error("a quote is never closed")
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


def _delimiter(document: Document) -> str:
    """Returns the delimiter of the cells: a tab in a `.tsv` file, or else the one that most of
    the first lines have."""
    if document.name.lower().endswith((".tsv", ".tab")):
        return "\t"
    first_lines = QUOTED.sub("", document.text).lstrip("\n").split("\n")[:MAX_PREAMBLE]

    def count_lines(delimiter: str) -> int:
        return sum(delimiter in line for line in first_lines)

    return max(DELIMITERS, key=count_lines)


def _keys_by_content(rows: Sequence[SheetRow], width: int) -> list[str]:
    """Returns a key for each column, by the texts in the rows. A table without terms has no keys.

    The first column is a section if it has no names: the rows "Tools", "Jig", "Holds wood." and
    "Tools", "Saw", "Cuts." have the keys `section`, `term` and `definition`.
    """
    if not rows:
        return []
    columns_with_words = []
    for number in range(width):
        if is_of_words(rows[0].cell(number), rows[0].cells):
            columns_with_words.append(number)
    cells = [row.at(columns_with_words) for row in rows]
    unknown_titles = [""] * len(columns_with_words)
    columns = columns_by_content(unknown_titles, cells)
    if columns is None:
        return []

    # The numbers in `columns` count only the columns with words.
    first_column = columns_with_words[0]
    name_column = columns_with_words[columns.name]
    definition_column = columns_with_words[columns.definition]
    keys = [""] * width
    keys[first_column] = "section"  # replaced if the column has names or definitions
    keys[name_column] = NAME_KEY
    keys[definition_column] = DEFINITION_KEY
    return keys


def _is_language(title: str) -> bool:
    """Returns whether a title is the name of a language. A code such as "it" is not enough: it may
    be a term."""
    folded = folded_title(title)
    is_code = folded.isascii() and len(folded) <= LETTERS_OF_CODE
    return folded in LANGUAGE_TITLES and not is_code


def _are_unknown_titles(rows: Sequence[SheetRow], keys: Sequence[str]) -> bool:
    """Returns whether the first row reads as titles in an unknown language: "Werkzeug", "Was es
    tut" above "Jig", "It holds a piece of wood.".

    Its cells are short, while at least half of the definitions below are long.
    """
    first_row, *rows_below = rows
    if not rows_below or any(map(_is_long, first_row.cells)):
        return False
    column = keys.index(DEFINITION_KEY)
    long_definitions = [row for row in rows_below if _is_long(row.cell(column))]
    return 2 * len(long_definitions) >= len(rows_below)


def _is_long(text: str) -> bool:
    """Returns whether a text is too long for the title of a column, or is a sentence."""
    return len(text.split()) > MAX_HEADER or text.endswith(SENTENCE_ENDS)


def _unknown_titles(titles: Sequence[str]) -> Trouble:
    """Returns the trouble with a first row that is read as titles, but may be a term."""
    quoted = ", ".join([f"'{title}'" for title in titles if title])
    found = f"the first row, {quoted}, is read as titles of columns: it is shorter than the others"
    wanted = "write the titles 'term' and 'definition' above it if it is a term"
    return Trouble(ProblemKind.ENTRY, found, wanted)


def _candidates(row: SheetRow, keys: Sequence[str]) -> Iterator[Candidate]:
    """Yields the term of a row. A row without a name yields only its definition, which is then
    reported."""
    if not row.cell(keys.index(NAME_KEY)):
        yield Candidate((), html_of(row.cell(keys.index(DEFINITION_KEY))), row.line)
        return
    fields = []
    for key, cell in zip(keys, row.cells, strict=False):
        fields.append(RecordField(row.line, key, RecordText(row.line, cell)))
    yield from terms_of(Record(row.line, fields))
