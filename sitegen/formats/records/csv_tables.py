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
    NOT_WORDS,
    Columns,
    columns_by_content,
    columns_by_title,
    folded_title,
)
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.record_values import (
    SENTENCE_ENDS,
    Record,
    RecordField,
    RecordText,
)
from sitegen.formats.markdown.markdown_text import html_of
from sitegen.formats.records.shapes import terms_of
from sitegen.model import Document, ProblemKind, Reading, Trouble, UnreadableError

WANTED = (
    "wanted a column of terms and one of definitions, with a comma, semicolon or tab between them"
)
NAME_KEY, DEFINITION_KEY = "term", "definition"
"""The keys of the columns with names and definitions in the records of rows."""
DELIMITERS = ",;\t|"
MAX_HEADER = 4
"""The maximum number of words in a column's title."""
MAX_PREAMBLE = 50
MAX_COLUMNS = 1_000
FORMULA_GUARD = re.compile(r"(^|\n)'(?=[=+\-@＝＋－＠])")
"""The apostrophe that exports (also ours) put before a text that a spreadsheet would evaluate as a
formula."""


class SheetRow(NamedTuple):
    line: int
    cells: list[str]

    def cell(self, column: int) -> str:
        if column < len(self.cells):
            return self.cells[column]
        return ""

    def at(self, columns: Iterable[int]) -> list[str]:
        return [self.cell(column) for column in columns]


def parse(document: Document) -> Reading:
    """Returns the terms in a table: of `Term,Meaning` above `Jig,Holds.`, or of `Jig,Holds.` alone.

    A table that is damaged somewhere is read up to there.
    """
    all_rows, damage = _rows(document)
    table = _without_preamble(all_rows)
    titles = table[0].cells if table else []
    by_title = columns_by_title(titles, NAME_KEYS)
    keys = _keys_of(titles, by_title, table)
    if not keys:
        raise damage or entries.no_terms(WANTED)
    has_titles = by_title is not None or any(map(_is_language, titles))
    has_unknown_titles = not has_titles and _are_unknown_titles(table, keys)
    first = 1 if has_titles or has_unknown_titles else 0
    candidates: list[Candidate] = []
    for row in table[first:]:
        candidates += _candidates(row, keys)
    if document.section:
        candidates = entries.in_section(candidates, document.section)
    reading = entries.read(document, candidates)
    problems = [*reading.problems]
    if damage:
        problems.insert(0, damage.problem(document.path))
    if has_unknown_titles:
        problems.append(_unknown_titles(titles).at(document.path, line=1))
    return replace(reading, problems=tuple(problems), is_partial=damage is not None)


def _without_preamble(rows: list[SheetRow]) -> list[SheetRow]:
    """Returns the rows from that with the titles on. Above it may be lines about the table, or the
    letters of its columns: "A", "B" above "Term", "Meaning"."""
    for number, row in enumerate(rows[:MAX_PREAMBLE]):
        may_be_titles = number == 0 or not any(map(_is_long, row.cells))
        if may_be_titles and columns_by_title(row.cells, NAME_KEYS):
            return rows[number:]
    return rows


def _keys_of(
    titles: Sequence[str], by_title: Columns | None, rows: Sequence[SheetRow]
) -> list[str]:
    """Returns the keys of the columns in the records of rows, by their titles or else by their
    texts; none if the table has no terms.

    Those of the titles "Word", "Meaning", "Unit" are `term`, `definition`, "Unit".
    """
    width = max([len(row.cells) for row in rows], default=0)
    if by_title is None:
        return _keys_by_content(rows, width)
    keys = [*titles, *[""] * (width - len(titles))]
    keys[by_title.name], keys[by_title.definition] = NAME_KEY, DEFINITION_KEY
    return keys


def _rows(document: Document) -> tuple[list[SheetRow], UnreadableError | None]:
    """Returns the rows that are not empty, and an error if the table is damaged below these, as by
    a quote that is never closed."""
    delimiter = _delimiter(document)
    rows: list[SheetRow] = []
    reader = csv.reader(
        StringIO(document.text, newline="\n"),
        delimiter=delimiter,
        skipinitialspace=delimiter != "\t",
    )
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


def _delimiter(document: Document) -> str:
    """Returns the delimiter of the cells: a tab, or the most frequent one in the first line."""
    if document.name.lower().endswith((".tsv", ".tab")):
        return "\t"
    first, _, _ = document.text.lstrip("\n").partition("\n")
    return max(DELIMITERS, key=first.count)


def _keys_by_content(rows: Sequence[SheetRow], width: int) -> list[str]:
    """Returns the keys of the columns by their texts; none if the table has no terms.

    The first column may be sections: those of two rows that begin with "Tools", "Jig", "Holds
    wood." and "Tools", "Saw", "Cuts." are `section`, `term` and `definition`.
    """
    if not rows:
        return []
    with_words = []  # the numbers of these columns
    for number in range(width):
        if folded_title(rows[0].cell(number)) not in NOT_WORDS:
            with_words.append(number)
    cells = [row.at(with_words) for row in rows]
    columns = columns_by_content([""] * len(with_words), cells)
    if columns is None:
        return []
    keys = [""] * width
    keys[with_words[0]] = "section"  # unless it has the names
    keys[with_words[columns.name]] = NAME_KEY
    keys[with_words[columns.definition]] = DEFINITION_KEY
    return keys


def _is_language(title: str) -> bool:
    """True for the name of a language; a code such as "it" may be a term."""
    folded = folded_title(title)
    is_code = folded.isascii() and len(folded) < 3
    return folded in LANGUAGE_TITLES and not is_code


def _are_unknown_titles(rows: Sequence[SheetRow], keys: Sequence[str]) -> bool:
    """Returns whether the first row reads as titles: all its cells are short, and at least half of
    the definitions below are long. "Werkzeug", "Was es tut" are titles above "Jig", "It holds a
    piece of wood."."""
    first, *below = rows
    if not below or any(map(_is_long, first.cells)):
        return False
    column = keys.index(DEFINITION_KEY)
    long = [row for row in below if _is_long(row.cell(column))]
    return 2 * len(long) >= len(below)


def _is_long(text: str) -> bool:
    return len(text.split()) > MAX_HEADER or text.endswith(SENTENCE_ENDS)


def _unknown_titles(titles: Sequence[str]) -> Trouble:
    first = ", ".join([f"'{title}'" for title in titles if title])
    found = f"the first row, {first}, is read as titles of columns: it is shorter than the others"
    wanted = "write the titles 'term' and 'definition' above it if it is a term"
    return Trouble(ProblemKind.ENTRY, found, wanted)


def _candidates(row: SheetRow, keys: Sequence[str]) -> Iterator[Candidate]:
    """Yields the term of a row, unless it is withheld; a row without a name yields its definition
    alone."""
    if not row.cell(keys.index(NAME_KEY)):
        yield Candidate((), html_of(row.cell(keys.index(DEFINITION_KEY))), row.line)
        return
    fields = []
    for key, cell in zip(keys, row.cells, strict=False):
        fields.append(RecordField(row.line, key, RecordText(row.line, cell)))
    yield from terms_of(Record(row.line, fields))
