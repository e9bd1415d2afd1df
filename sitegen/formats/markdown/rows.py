"""Long lists and tables in Markdown, row by row: each row is read once, whatever else stands in the list.

A row is an item of a list, a line of a table, or a name with its definitions. The text around is read with the first
row and the last alone; each row is read by itself, and all are put in their place. Where that does not come to the
same for the first and the last, or a row could mean something to another, the text is read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from markdown_it.token import Token

from sitegen.formats.common.entries import Item, item_of, pairs
from sitegen.formats.common.passages import Block, moved
from sitegen.formats.markdown.blocks import only_links
from sitegen.formats.markdown.commonmark import pieces, render, tokens
from sitegen.formats.markdown.inline_html import Address
from sitegen.formats.markdown.items import are_names, items, listed
from sitegen.formats.markdown.link_labels import Labelled, Links
from sitegen.model.digests import digest_of
from sitegen.text import compact_json
from sitegen.text.known import Form, Known

MIN_ROWS = 8
"""A list with less is read as it is."""
MAX_CELLS = 60_000
"""markdown-it ends a table that lacks a few more."""
ITEM = r"{} [^\s][^\n]*(?:\n {{2,}}[^\s][^\n]*)*"
FIRST, OTHER = ITEM.format("(?P<mark>[-*+])"), ITEM.format("(?P=mark)")
NAMED = r"(?:[^\W\d_]|`|\*\*\w)[^\n]*(?:\n {0,1}: +[^\s][^\n]*(?:\n {3,}[^\s][^\n]*)*)+"
HEAD = r"\|[^\n]*\n\|[ :|-]*-[ :|-]*"
LONG = re.compile(
    rf"\n\n(?:{FIRST}(?P<space>\n\n?){OTHER}(?:(?P=space){OTHER}){{{MIN_ROWS - 2},}}+"
    rf"|(?P<head>{HEAD}\n)\|[^\n]*(?:\n\|[^\n]*){{{MIN_ROWS - 1},}}+"
    rf"|(?P<named>{NAMED})(?:\n\n{NAMED}){{{MIN_ROWS - 1},}}+)(?=\n|\Z)"
)
UNSURE = "]: [^ $$ ::: !!! \t \r \0".split(" ")
A_DEFINITION = re.compile(r"\n {0,3}[:~] ")
"""With these, what could mean something to other rows."""
TAGS = {
    "list": ("<ul>\n", "</ul>\n"),
    "table": ("<tbody>\n", "</tbody>\n</table>\n"),
    "definitions": ("<dl>\n", "</dl>\n"),
}
"""What stands around the rows of each kind."""

Given = tuple[str, str, str, Links, Address]
"""A table's head, a row, what stands between two; the links that it may use, and how addresses are read."""


Kind = Literal["list", "table", "definitions"]


class Row(NamedTuple):
    """What a row comes to by itself."""

    html: str
    items: tuple[Item, ...]
    """Their lines are those of the row."""
    is_marked: bool = True
    has_name: bool = True
    links: tuple[int, ...] = ()
    """How many links each of its texts consists of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Long:
    """A text with a long list, or a long table."""

    kind: Kind
    short: str
    """The text with the first row and the last alone."""
    line: int
    """Where the list or the table begins."""
    head: str
    """The lines of a table above its rows."""
    rows: tuple[str, ...]
    space: str
    """What stands between two rows."""

    @property
    def removed(self) -> int:
        """How many lines of the text are not in the short one."""
        return sum([row.count("\n") + len(self.space) for row in self.rows[1:-1]])

    def filled(
        self, blocks: Sequence[Block], links: Links, address: Address, known: Known
    ) -> tuple[Block, ...] | None:
        """Returns the text's blocks, made of those of the short one; None where it has to be read as it is."""
        place = next((number for number, block in enumerate(blocks) if block.line == self.line), None)
        rows = self._rows(links, address, known) if place is not None else None
        if place is None or not rows:
            return None
        block = blocks[place]
        if block != self._block(block, (self.rows[0], self.rows[-1]), (rows[0], rows[-1])):
            return None
        below = (moved(block, self.removed) for block in blocks[place + 1 :])
        return (*blocks[:place], self._block(block, self.rows, rows), *below)

    def _rows(self, links: Links, address: Address, known: Known) -> list[Row] | None:
        """What the rows come to; those that were never met are read together."""
        defined = Labelled(links)
        keys = [_key((self.head, row, self.space, defined.links_in(row), address)) for row in self.rows]
        new = {key: row for key, row in zip(keys, self.rows, strict=True) if known.at(key, ROW) is None}
        texts = [*new.values()]
        read = self._read(texts, links, address) if new else []
        if len(read) < len(new):
            return None
        for key, row in zip(new, read, strict=True):
            known.keep(key, row, ROW)
        return known.every(keys, ROW)

    def _read(self, texts: Sequence[str], links: Links, address: Address) -> list[Row]:
        """Several rows; none where one does not end where it seems to."""
        match self.kind:
            case "table":
                return self._table(texts, links, address)
            case "list":
                return self._list(texts, links, address)
            case _:
                return self._definitions(texts, links, address)

    def _list(self, texts: Sequence[str], links: Links, address: Address) -> list[Row]:
        """Items of a list, read with one more on either side: they do not begin it, and something follows."""
        texts = [(other := f"{self.rows[0][0]} x"), *texts, other]
        parts = _parts(self.space.join(texts), links)
        if len(parts) != 1 or parts[0][0].type != "bullet_list_open":
            return []
        found = list(pieces(parts[0][1:-1]))
        if [part[0].map and part[0].map[0] for part in found] != [*self._lines(texts)]:
            return []
        return [_item(part, address) for part in found[1:-1]]

    def _definitions(self, texts: Sequence[str], links: Links, address: Address) -> list[Row]:
        """Names with their definitions, read with one more on either side."""
        texts = ["x\n: x", *texts, "x\n: x"]
        parts = _parts(self.space.join(texts), links)
        if len(parts) != 1 or parts[0][0].type != "dl_open":
            return []
        several = pairs(pieces(parts[0][1:-1]), lambda part: part[0].type == "dt_open")
        rows = [[token for part in (*names, *definitions) for token in part] for names, definitions in several]
        found = items(parts[0], lambda part: render(part, address))
        if [row[0].map and row[0].map[0] for row in rows] != [*self._lines(texts)] or len(found) != len(rows):
            return []
        return [
            Row(render(row, address), (item._replace(line=1),), links=only_links(row))
            for row, item in zip(rows[1:-1], found[1:-1], strict=True)
        ]

    def _table(self, texts: Sequence[str], links: Links, address: Address) -> list[Row]:
        """Rows of a table, read below its head."""
        parts = _parts(self.head + "\n".join(texts), links)
        if len(parts) != 1 or parts[0][0].type != "table_open":
            return []
        head, *body = pieces(parts[0][1:-1])
        found = items(parts[0], lambda part: render(part, address))
        by_line = {item.line: (item._replace(line=1),) for item in found}
        above = only_links(head)
        rows = list(pieces(body[0][1:-1])) if body else []
        return [
            Row(render(row, address), by_line.get(line, ()), links=above + only_links(row))
            for line, row in enumerate(rows, start=3)
        ]

    def _lines(self, texts: Iterable[str]) -> Iterator[int]:
        """How many lines are above each of some rows."""
        line = 0
        for text in texts:
            yield line
            line += text.count("\n") + len(self.space)

    def _block(self, block: Block, texts: Sequence[str], rows: Sequence[Row]) -> Block:
        """The block with the rows that these texts are."""
        opening, closing = TAGS[self.kind]
        above = "".join(block.html.partition(opening)[:2])
        named = are_names([row.is_marked for row in rows], [row.has_name for row in rows])
        links = [number for row in rows for number in row.links]
        return replace(
            block,
            html=f"{above}{''.join([row.html for row in rows])}{closing}",
            items=tuple(self._items(texts, rows)) if named else (),
            form=("list" if self.kind == "list" else "table") if named and any(row.items for row in rows) else "",
            is_contents=all(links) and sum(links) > 2,
        )

    def _items(self, texts: Sequence[str], rows: Sequence[Row]) -> Iterator[Item]:
        above = self.line - 1 + self.head.count("\n")
        for line, row in zip(self._lines(texts), rows, strict=True):
            for item in row.items:
                yield item._replace(line=above + line + item.line)


def cut(text: str) -> Long | None:
    """Returns a text that has a list or a table long enough to be read row by row."""
    if any(mark in text for mark in UNSURE):
        return None
    found = max(LONG.finditer(f"\n\n{text}"), key=lambda match: match.end() - match.start(), default=None)
    if not found:
        return None
    head, space = found["head"] or "", found["space"] or ("\n\n" if found["named"] else "\n")
    start, end = found.start() + len(head), found.end() - 2
    outside = text if not found["named"] else text[:start] + text[end:]
    if A_DEFINITION.search(outside):
        return None
    between = re.compile(rf"{space}(?={re.escape(text[start])} )" if found["mark"] else space)
    rows = tuple(between.split(text[start:end]))
    if head and len(rows) * head.count("|") > MAX_CELLS:
        return None
    short = f"{text[:start]}{rows[0]}{space}{rows[-1]}{text[end:]}"
    line = text.count("\n", 0, found.start()) + 1
    kind: Kind = "table" if head else "list" if found["mark"] else "definitions"
    return Long(kind=kind, short=short, line=line, head=head, rows=rows, space=space)


def _parts(text: str, links: Links) -> list[list[Token]]:
    env = {"references": {label: {"href": href, "title": title} for label, href, title in links}}
    return list(pieces(tokens(text, env)))


def _item(part: Sequence[Token], address: Address) -> Row:
    item, is_marked, has_name = listed(part, lambda part: render(part, address))
    return Row(render(part, address), (item._replace(line=1),), is_marked, has_name, only_links(part))


def _key(given: Given) -> bytes:
    *texts, links, address = given
    return digest_of((texts, links, address.__name__))


def _dump(row: Row, _known: Known) -> bytes:
    return compact_json.dump(row)


def _load(data: bytes, _known: Known) -> Row:
    html, items, is_marked, has_name, links = compact_json.load(data)
    return Row(html, tuple(map(item_of, items)), is_marked, has_name, tuple(links))


ROW: Form[Given, Row] = Form("rows", _key, _dump, _load)
"""How a row is kept."""
