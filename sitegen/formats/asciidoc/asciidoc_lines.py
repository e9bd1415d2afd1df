"""Says what the lines of an AsciiDoc document are: titles, attributes, marks of blocks, items of
lists, rows of tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

TITLE = re.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<text>\S.*?)(?:[ \t]+(?P=marks))?")
"""`== Jig`, also `== Jig ==`."""
UNDERLINES = "=-~^+"
"""The signs of the lines below titles: `=` for level 1, `-` for level 2, and so on."""
UNDERLINE = re.compile(rf"(?P<sign>[{re.escape(UNDERLINES)}])(?P=sign){{2,}}")
ENTRY = re.compile(r":(!?)([\w][\w-]*)(!?):(?:[ \t]+(.*))?")
"""Sets an attribute, `:docs: https://example.org`, or unsets it, `:!docs:`."""
BLOCK_ATTRIBUTES = re.compile(r"\[((?:[\w.#%{,\"'].*)?)\]")
"""The attributes of the block below: a whole line that begins and ends with a bracket, whatever is
between them, as Asciidoctor has it."""
BLOCK_ANCHOR = re.compile(r"\[\[([\w:][^\],]*)(?:,[^\]]*)?\]\]")
"""`[[jig]]`, also with a text for references: `[[jig,the jig]]`."""
BLOCK_TITLE = re.compile(r"\.(?![. \t])(\S.*)")
"""`.A drawing`"""
ID = re.compile(r"(?:^|,)\s*(?:[\w-]*#([\w:.-]+)|id=\"?([\w:.-]+))")
"""An id among attributes: `#jig`, `id=jig`."""
DELIMITER = re.compile(
    r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\w*|\|={3,}|,={3,}|!={3,})"
)
LABEL = re.compile(
    r"[ \t]*(?P<anchors>(?:\[\[[^\]]+\]\]){0,8})(?!//|\[[^\[])(?P<name>\S.*?)(?P<mark>:{2,4}|;;)"
    r"(?:[ \t]+(?P<text>.*))?"
)
"""`[[jig]]Jig:: Holds wood.`; lists inside others have the marks `:::`, `::::` and `;;`."""
BULLET = re.compile(r"[ \t]*(?P<mark>\*{1,5}|-|•)[ \t]+(?:\[[ x*]\][ \t]+)?(?P<text>.*)")
NUMBER = re.compile(r"[ \t]*(?P<mark>\.{1,5}|\d+\.|[a-zA-Z]\.)[ \t]+(?P<text>.*)")
MACRO = re.compile(r"(\w+)::(\S*?)\[(.*)\]")
"""`image::jig.png[A jig]`"""
ADMONITION = re.compile(r"(?P<kind>NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(?P<text>.*)")
CELL = re.compile(
    r"(?:(?<=\s)|^)(?:(?P<columns>[1-9]\d?)?(?:\.(?P<rows>[1-9]\d?))?[+*])?"
    r"[<^>.]*[adehlmsv]?\||(?<!\\)\|"
)
"""The beginning of a cell: `|`, with how many columns (`2+|`) and rows (`.2+|`) it spans, how it is
aligned (`^|`) and how it is read (`a|`). A bar after a backslash begins no cell."""
MAX_REPEATED = 300
"""The maximum number of characters of a cell that is repeated in the rows that it spans."""
MAX_ROWS = 20
"""The maximum number of rows that a cell spans: a small table must not become a large one."""
COLUMNS = re.compile(r"\bcols=(?:([\"'])(?P<quoted>.*?)\1|(?P<bare>[^\"',\s]+))")
REPEATED = re.compile(r"\s*(\d{1,3})\*")
"""A column that stands for several: `2*`."""
RULES_AND_BREAKS = ("'''", "---", "***", "<<<")
"""Lines that draw a rule, or begin a page."""


class AsciidocLine(NamedTuple):
    number: int
    text: str


@dataclass
class BlockMetadata:
    """The attributes, anchors and title above a block."""

    style: str = ""
    language: str = ""
    anchors: list[str] = field(default_factory=list)
    title: str = ""
    columns: int = 0
    """The number of columns of a table; 0 if it is not given."""

    def add_attributes(self, written: str) -> None:
        """Adds the attributes of a line to those of the lines above. `source,python` is the style
        `source` and the language `python`; `quote#jig` is the style `quote` and the anchor `jig`.
        """
        style = re.split(r"[,#.%]", written)[0]
        self.style = style.strip().lower() or self.style
        self.anchors += ids(written)
        self.columns = _number_of_columns(written) or self.columns
        _, _, others = written.partition(",")
        language, _, _ = others.partition(",")
        self.language = language.strip() or self.language


class FoundLabel(NamedTuple):
    """The next item of a labeled list, and the anchors above it."""

    line_index: int
    match: re.Match[str]
    anchors: list[str]


class LineReader:
    """The lines of a document, or those inside a block, read from the line at `index` on."""

    def __init__(self, lines: Sequence[AsciidocLine]) -> None:
        self.lines = lines
        self.index = 0

    @property
    def text(self) -> str:
        """The text of the current line; empty below the last one."""
        return self.text_at(self.index)

    @property
    def is_at_end(self) -> bool:
        return self.index >= len(self.lines)

    def text_at(self, index: int) -> str:
        if index < len(self.lines):
            return self.lines[index].text
        return ""

    def below_blank(self) -> int:
        """Returns the index of the next line that is not blank, which may be the current one. If
        all are blank, returns the number of lines."""
        index = self.index
        while index < len(self.lines) and not self.lines[index].text.strip():
            index += 1
        return index

    def next_label(self, mark: str) -> FoundLabel | None:
        """Returns the next item of a labeled list with the mark `mark`, with the anchors above it:
        `Saw:: Cuts.` below `[[saw]]`. Returns None if other text is next.

        Empty lines and comments above the item are skipped.
        """
        anchors: list[str] = []
        for index in range(self.index, len(self.lines)):
            text = self.lines[index].text.strip()
            if anchor := BLOCK_ANCHOR.fullmatch(text):
                anchors.append(anchor[1])
            elif attributes := BLOCK_ATTRIBUTES.fullmatch(text):
                anchors += ids(attributes[1])
            elif text and not text.startswith("//"):
                label = LABEL.fullmatch(self.lines[index].text)
                if label and label["mark"] == mark:
                    return FoundLabel(index, label, anchors)
                return None
        return None


def ids(attributes: str) -> list[str]:
    """Returns the ids among the attributes of a block: `jig` of `quote#jig`."""
    return [first or second for first, second in ID.findall(attributes)]


def _number_of_columns(attributes: str) -> int:
    """Returns the number of columns that the attribute `cols` gives a table: 2 for `1,6` and for
    `2*`. The number is 0 without the attribute."""
    cols = COLUMNS.search(attributes)
    if cols is None:
        return 0
    number = 0
    for column in re.split("[,;]", cols["quoted"] or cols["bare"] or ""):
        repeated = REPEATED.match(column)
        number += int(repeated[1]) if repeated else 1
    return number


def list_mark(text: str) -> str:
    """Returns the mark of an item of a list: `*` for `* Saw`, `::` for `Saw:: Cuts.`. The mark is
    empty for other lines.

    All numbers and letters have the mark `1.`, such as `b. Saw`: they are one list.
    """
    item = plain_item(text)
    if item:
        is_number_or_letter = re.match(r"\w", item["mark"])
        return "1." if is_number_or_letter else item["mark"]
    label = LABEL.fullmatch(text)
    return label["mark"] if label else ""


def plain_item(text: str) -> re.Match[str] | None:
    """Returns the mark and the text of an item of a bulleted or numbered list."""
    return BULLET.fullmatch(text) or NUMBER.fullmatch(text)


def ends_paragraph(text: str) -> bool:
    """Returns whether a line is no part of the paragraph above it."""
    stripped = text.strip()
    if stripped in ("", "+") or DELIMITER.fullmatch(text.rstrip()):
        return True
    patterns = (MACRO, BLOCK_ATTRIBUTES, BLOCK_ANCHOR)
    return any(pattern.fullmatch(stripped) for pattern in patterns)


class TableCell(NamedTuple):
    line: int
    text: str
    columns: int
    """The number of columns that it spans."""
    rows: int
    """The number of rows that it spans."""


def table_rows(lines: Sequence[AsciidocLine], width: int) -> list[tuple[int, list[str]]]:
    """Returns the rows of a table, each with the number of its first line.

    A row has `width` columns, and its cells may be on several lines: `|Jig`, `|Holds`, `wood.` are
    one row of the width 2. If `width` is 0, it is the number of columns of the first line. A cell
    that spans all columns, `2+|Tools`, is a row of one cell, and one that spans several rows,
    `.2+|Tools`, is in each. In a table without bars, each line is a row of one cell.
    """
    if not any("|" in text for _, text in lines):
        return [(number, [text]) for number, text in lines if text.strip()]
    cells = _table_cells(lines)
    width = width or sum(cell.columns for cell in cells if cell.line == cells[0].line)
    rows: list[tuple[int, list[str]]] = []
    column = width  # there is no row yet that has room
    # By column, the cells that reach into this row or the next one.
    spanning: dict[int, TableCell] = {}
    for cell in cells:
        # 1. Cells from above come first, and a full row is followed by a new one.
        while column in spanning or column + min(cell.columns, width) > width:
            above = spanning.get(column)
            if above:
                rows[-1][1].append(above.text)
                column += above.columns
            else:
                rows.append((cell.line, []))
                column = 0
                spanning = _one_row_below(spanning)

        # 2. The cell itself. A title, or a long text, is not repeated.
        rows[-1][1].append(cell.text)
        if cell.rows > 1:
            is_title = len(rows) == 1
            is_repeated = len(cell.text) <= MAX_REPEATED and not is_title
            spanning[column] = cell if is_repeated else cell._replace(text="")
        column += cell.columns
    return rows


def _table_cells(lines: Sequence[AsciidocLine]) -> list[TableCell]:
    """Returns the cells of a table, in their order."""
    cells: list[TableCell] = []
    for number, text in lines:
        # The numbers of columns and rows, and the text of a cell alternate, after text that belongs
        # to the cell above.
        text_above, *parts = CELL.split(text)
        if cells and text_above.strip():
            whole = f"{cells[-1].text}\n{_cell_text(text_above)}"
            cells[-1] = cells[-1]._replace(text=whole)
        for columns, rows, cell in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            spanned = min(int(rows or 1), MAX_ROWS)
            cells.append(TableCell(number, _cell_text(cell), int(columns or 1), spanned))
    return cells


def _cell_text(marked: str) -> str:
    return marked.strip().replace(r"\|", "|")


def _one_row_below(spanning: Mapping[int, TableCell]) -> dict[int, TableCell]:
    """Returns the cells that reach into the next row, by their columns."""
    return {
        column: cell._replace(rows=cell.rows - 1)
        for column, cell in spanning.items()
        if cell.rows > 1
    }
