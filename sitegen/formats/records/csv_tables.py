"""Reads CSV and TSV: a column of names, one of definitions, and others.

Each row is a record (`shapes`), whose keys are the titles in the first line. If none of these is
known, the first column has names and the one with the longest texts has definitions. The first line
is then a term too, unless all its cells are short, other definitions are longer, and its name is
not in the alphabetical order of the others.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from typing import NamedTuple

from sitegen.formats.common import entries
from sitegen.formats.common.columns import (
    DEFINITIONS,
    NAME_KEYS,
    NOT_WORDS,
    RELATED,
    columns_by_content,
    columns_by_title,
    folded_title,
)
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.record_values import Record, RecordField, RecordText
from sitegen.formats.records import shapes
from sitegen.model import Document, ProblemKind, Reading, Trouble, UnreadableError
from sitegen.text import words

NAME, DEFINITION = "term", "definition"
"""The keys of the columns with names and definitions in the records of rows."""
DELIMITERS = ",;\t|"
MAX_HEADER = 4
"""The maximum number of words in a column's title."""
SENTENCE_ENDS = (".", "!", "?", "。")
MAX_COLUMNS = 1_000
MIN_SORTED = 8
"""The minimum number of pairs of adjacent rows whose alphabetical order is checked."""
FORMULA_GUARD = re.compile(r"(^|\n)'(?=[=+\-@＝＋－＠])")
"""The apostrophe that exports (also ours) put before a text that a spreadsheet would evaluate as a
formula."""


IN_LANGUAGE = re.compile(r"(.+?)[ _.(-]+([a-z]{2}(?:[-_][A-Za-z]{2,4})?)\)?")
"""The title of a column in a language: `definition_fr`, `Term (pt-BR)`."""


class SheetRow(NamedTuple):
    line: int
    cells: list[str]

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


def parse(document: Document) -> Reading:
    """Returns the terms in a table."""
    rows, damage = _rows(document)
    width = max((len(row.cells) for row in rows), default=0)
    cells = rows[0].cells if rows else []
    own = _titles_of(cells, document.section)
    is_language = own != cells
    titles = own if is_language else _titles_of(cells, "en")
    by_title = columns_by_title(titles, NAME_KEYS)
    columns = (
        [*titles, *[""] * (width - len(titles))] if by_title else _columns_by_content(rows, width)
    )
    if not columns:
        wanted = (
            "wanted a column of terms and one of definitions, with a comma, semicolon or "
            "tab between them"
        )
        raise damage or entries.no_terms(wanted)
    if by_title:
        columns[by_title.name], columns[by_title.definition] = NAME, DEFINITION
    are_titles = all(
        len(cell.split()) <= MAX_HEADER and not cell.endswith(SENTENCE_ENDS) for cell in titles
    )
    is_unknown_title = not by_title and len(rows) > 1 and are_titles and _differs(rows, columns)
    has_title = by_title or is_unknown_title
    rows = [
        row
        for row in rows[bool(has_title) :]
        if not is_language or row.cell(columns.index(DEFINITION))
    ]
    candidates = [one for row in rows for one in _candidates(row, columns)]
    if document.section and not is_language:
        candidates = [
            one for one in candidates if words.fold(one.section) == words.fold(document.section)
        ]
    reading = entries.read(document, candidates)
    if is_unknown_title:
        trouble = Trouble(ProblemKind.ENTRY, *_unknown_titles(titles))
        problem = trouble.at(document.path, line=1)
        reading = replace(reading, problems=(*reading.problems, problem))
    if damage is None:
        return reading
    return replace(
        reading, problems=(damage.problem(document.path), *reading.problems), is_partial=True
    )


def _rows(document: Document) -> tuple[list[SheetRow], UnreadableError | None]:
    """Returns the rows that are not empty, and an error if the table is damaged below these."""
    first = document.text.lstrip("\n").partition("\n")[0]
    is_tabbed = document.name.lower().endswith((".tsv", ".tab"))
    delimiter = "\t" if is_tabbed else max(DELIMITERS, key=first.count)
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


def _titles_of(titles: Sequence[str], language: str) -> list[str]:
    """Returns the titles of columns in a language: `definition_fr` is `definition`, and other
    definitions have none.

    The original name is an id, by which the term is paired. Titles are unchanged if none is in the
    language.
    """
    split = [
        match.groups() if (match := IN_LANGUAGE.fullmatch(title)) else (title, "")
        for title in titles
    ]
    own = {folded_title(base) for base, tag in split if tag and tag == language}
    if own.isdisjoint(DEFINITIONS):
        return [*titles]
    result = []
    for title, (base, tag) in zip(titles, split, strict=True):
        is_name = tag in ("", "en") and folded_title(base) in {*NAME_KEYS} & own
        is_other = tag != language and not {folded_title(base), folded_title(title)}.isdisjoint(
            DEFINITIONS
        )
        result.append(base if tag == language else "id" if is_name else "" if is_other else title)
    return result


def _columns_by_content(rows: Sequence[SheetRow], width: int) -> list[str]:
    """Returns the keys of the columns by their texts; empty if there are none. The first column may
    be sections."""
    titles = [folded_title(cell) for cell in rows[0].cells] if rows else []
    texts = [n for n in range(width) if n >= len(titles) or titles[n] not in NOT_WORDS]
    found = columns_by_content(
        [""] * len(texts), [[row.cell(number) for number in texts] for row in rows]
    )
    if found is None:
        return []
    name, definition = texts[found.name], texts[found.definition]
    columns = [""] * width
    columns[texts[0]] = "section"
    columns[name], columns[definition] = NAME, DEFINITION
    return columns


def _differs(rows: Sequence[SheetRow], columns: Sequence[str]) -> bool:
    """Returns whether the first row reads as titles: its definition is shorter than others, and
    its name is not in their alphabetical order."""
    column = columns.index(DEFINITION)
    texts = [row.cell(column) for row in rows[1:]]
    long = sum(len(text.split()) > MAX_HEADER or text.endswith(SENTENCE_ENDS) for text in texts)
    return 2 * long >= len(texts) and not _is_sorted(rows)


def _unknown_titles(titles: Sequence[str]) -> tuple[str, str]:
    first = ", ".join(f"'{title}'" for title in titles if title)
    found = f"the first row, {first}, is read as titles of columns: it is shorter than the others"
    return found, "write the titles 'term' and 'definition' above it if it is a term"


def _is_sorted(rows: Sequence[SheetRow]) -> bool:
    """Returns whether the rows are in alphabetical order, including the first one, which is then
    not a title."""
    names = [row.cells[0].casefold() for row in rows]
    pairs = [one <= two for one, two in pairwise(names)]
    return len(pairs) >= MIN_SORTED and pairs[0] and sum(pairs) > 0.95 * len(pairs)


def _candidates(row: SheetRow, columns: Sequence[str]) -> Iterator[Candidate]:
    """Yields the term of a row, unless it is withheld; a row without a name yields its definition
    alone."""
    # A cell of related terms with a web address is left out: it contains pairs of a name and an
    # address.
    fields = [
        RecordField(row.line, key, RecordText(row.line, cell))
        for key, cell in zip(columns, row.cells, strict=False)
        if key and not ("://" in cell and folded_title(key) in RELATED)
    ]
    if row.cell(columns.index(NAME)):
        yield from shapes.terms_of(Record(row.line, fields))
    else:
        yield Candidate((), shapes.html_of(row.cell(columns.index(DEFINITION))), row.line)
