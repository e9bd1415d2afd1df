"""Parses the blocks of an AsciiDoc document: sections, paragraphs, lists, delimited blocks, tables.

This is a subset, read line by line without Asciidoctor. Not supported are nested documents in table
cells, counters, conditions on values, and macros of extensions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from sitegen.formats.asciidoc.inline import Markup, alternative
from sitegen.formats.common import listed_terms, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.structure import Block, MarkupProblem, heading
from sitegen.text.words import without_tags

TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?")
UNDERLINE = re.compile(r"(=|-|~|\^|\+)\1{2,}")
ENTRY = re.compile(r":(!?)([\w][\w-]*)(!?):(?:[ \t]+(.*))?")
BLOCK_ATTRIBUTES = re.compile(r"\[(?!\[)([^\]\n]*(?:([\"'])[^\"'\n]*\][^\"'\n]*\2[^\]\n]*)?)\]")
"""The attributes of the block below; one in quotes may have brackets."""
BLOCK_ANCHOR = re.compile(r"\[\[([\w:][^\],]*)(?:,[^\]]*)?\]\]")
BLOCK_TITLE = re.compile(r"\.(?![. \t])(\S.*)")
ID = re.compile(r"(?:^|,)\s*(?:[\w-]*#([\w:.-]+)|id=\"?([\w:.-]+))")
DELIMITER = re.compile(
    r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\w*|\|={3,}|,={3,}|!={3,})"
)
LABEL = re.compile(
    r"[ \t]*((?:\[\[[^\]]+\]\]){0,8})(?!//|\[[^\[])(\S.*?)(:{2,4}|;;)(?:[ \t]+(.*))?"
)
FOOTNOTE = re.compile(r"footnote:\w*\[((?:[^\[\]\\]|\\.)*+)\]")
MARK = re.compile(r"(?<=\S)\s+\^[^\s^]+\^\s*$")
"""Matches a superscript mark after a name, which a legend explains: `AEE ^RV^`."""
BULLET = re.compile(r"[ \t]*(\*{1,5}|-|•)[ \t]+(?:\[[ x*]\][ \t]+)?(.*)")
NUMBER = re.compile(r"[ \t]*(\.{1,5}|\d+\.|[a-zA-Z]\.)[ \t]+(.*)")
MACRO = re.compile(r"(\w+)::(\S*?)\[(.*)\]")
ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(.*)")
CELL = re.compile(r"(?:(?<=\s)|^)(?:\d+(?:\.\d+)?[+*])?[<^>.]*[adehlmsv]?\|")
NOTES = frozenset("note tip important warning caution".split())
SEPARATORS = ("'''", "---", "***", "<<<")
DISCRETE = ("discrete", "float")
"""The styles of headings that begin no section."""
MAX_PROBLEMS = 20
"""The maximum number of problems that are reported for one document."""
MAX_DEPTH = 12
"""The maximum nesting of blocks; deeper ones are shown as text."""


class AsciidocLine(NamedTuple):
    number: int
    text: str


@dataclass(slots=True)
class BlockMetadata:
    """The attributes, anchors and title above a block."""

    style: str = ""
    language: str = ""
    anchors: list[str] = field(default_factory=list)
    title: str = ""


class FoundLabel(NamedTuple):
    """The next item of a labeled list, and the anchors above it."""

    line_index: int
    match: re.Match[str]
    anchors: list[str]


class BlockReader:
    """Reads the blocks of a document, or those inside a block, from the line at `index` on."""

    def __init__(self, lines: Sequence[AsciidocLine], markup: Markup, *, depth: int = 0) -> None:
        self.lines = lines
        self.markup = markup
        self.depth = depth
        self.index = 0

    @property
    def text(self) -> str:
        """The text of the current line; empty below the last one."""
        return self._text_at(self.index)

    @property
    def is_at_end(self) -> bool:
        return self.index >= len(self.lines)

    def _text_at(self, index: int) -> str:
        if index < len(self.lines):
            return self.lines[index].text
        return ""

    def _below_blank(self) -> int:
        """Returns the index of the current line, or of the first below it that is not blank."""
        index = self.index
        while index < len(self.lines) and not self.lines[index].text.strip():
            index += 1
        return index

    def blocks(self) -> Iterator[Block]:
        """Yields the blocks."""
        metadata = BlockMetadata()
        while not self.is_at_end:
            is_comment = self.text.startswith("//") and not self.text.startswith("////")
            if is_comment or not self.text.strip() or self._read_metadata(metadata):
                self.index += 1
                continue
            title = self._title() if self.depth == 0 and metadata.style not in DISCRETE else None
            if title:
                yield self._heading(*title, metadata.anchors)
            else:
                block = self._block(metadata)
                if metadata.anchors:
                    line = self.lines[self.index - 1].number
                    yield Block(line=line, html="", anchors=tuple(metadata.anchors))
                if block.html:
                    yield block
            metadata = BlockMetadata()

    def _heading(self, level: int, title: str, lines: int, anchors: Sequence[str]) -> Block:
        """Reads a title. Its anchors are those above it, those inside it, and those that
        Asciidoctor derives from it."""
        line = self.lines[self.index].number
        self.index += lines
        name = self.markup.plain(title)
        slug = re.sub(r"[ .-]+", "_", re.sub(r"[^\w .-]", "", name.lower())).strip("_")
        own = [*BLOCK_ANCHOR.findall(title), f"_{slug}", slug.replace("_", "-")]
        return heading(name, level=level, line=line, anchors=(*anchors, *own))

    def _read_metadata(self, metadata: BlockMetadata) -> bool:
        """Reads the line if it is an attribute entry, or has attributes for the block below."""
        text = self.text.strip()
        if entry := ENTRY.fullmatch(self.text):
            name = entry[2].lower()
            if entry[1] or entry[3]:
                self.markup.attributes.pop(name, None)
            else:
                self.markup.attributes[name] = self.markup.with_attributes((entry[4] or "").strip())
        elif anchor := BLOCK_ANCHOR.fullmatch(text):
            metadata.anchors.append(anchor[1])
        elif attributes := BLOCK_ATTRIBUTES.fullmatch(text):
            metadata.style = re.split(r"[,#.%]", attributes[1])[0].strip().lower() or metadata.style
            metadata.anchors += _ids(attributes[1])
            if metadata.style in ("source", ""):
                metadata.language = attributes[1].partition(",")[2].partition(",")[0].strip()
        elif (title := BLOCK_TITLE.fullmatch(self.text)) and self._text_at(self.index + 1).strip():
            metadata.title = title[1]
        else:
            return False
        return True

    def _title(self) -> tuple[int, str, int] | None:
        """Returns the level and text of a section's title, and its number of lines."""
        if match := TITLE.fullmatch(self.text):
            return len(match[1]), match[2], 1
        text, below = self.text, self._text_at(self.index + 1)
        is_alike = UNDERLINE.fullmatch(below) and abs(len(below) - len(text)) < 3
        if not is_alike or not re.match(r"\w", text) or DELIMITER.fullmatch(text):
            return None
        return "=-~^+".index(below[0]) + 1, text, 2

    def _block(self, metadata: BlockMetadata, outer: tuple[str, ...] = ()) -> Block:
        """Reads one block; `outer` has the marks of the lists around it, from the outermost."""
        line, text = self.lines[self.index]
        above = f"<p>{self.markup.html(metadata.title)}</p>" if metadata.title else ""
        is_deep = self.depth + len(outer) >= MAX_DEPTH
        if DELIMITER.fullmatch(text.rstrip()):
            return self._delimited(metadata, above, self.depth + len(outer))
        if (label := LABEL.fullmatch(text)) and not is_deep:
            items = tuple(self._labeled(label[3], outer))
            html = above + _list_html(items)
            return Block(line=line, html=html, candidates=items, form="table")
        if _is_plain_list(text) and not is_deep:
            return self._list_block(above, outer)
        if macro := MACRO.fullmatch(text.strip()):
            self.index += 1
            return Block(line=line, html=above + self._block_macro(macro, line))
        if text.strip() in SEPARATORS:
            self.index += 1
            return Block(line=line, html="")
        return self._paragraph(metadata, above)

    def _list_block(self, above: str, outer: tuple[str, ...]) -> Block:
        """Reads a bulleted or numbered list, whose items may be terms."""
        first = self.index
        mark = _list_mark(self.text)
        html = self._list(outer)
        listed = listed_terms.ListedTerms()
        if not outer and not self.depth:
            lines = self.lines[first : self.index]
            numbers = [line.number for line in lines if _list_mark(line.text) == mark]
            listed = listed_terms.ListedTerms(listed_terms.list_terms(html, numbers))
        return listed_terms.text_block(above + html, self.lines[first].number, "list", listed)

    def _paragraph(self, metadata: BlockMetadata, above: str) -> Block:
        line, first = self.lines[self.index]
        start = self.index
        self.index += 1
        if title := TITLE.fullmatch(first):
            return Block(line=line, html=f"<p><strong>{self.markup.html(title[2])}</strong></p>")
        while not _ends_paragraph(self.text):
            self.index += 1
        lines = self.lines[start : self.index]
        texts = [one.text for one in lines if not one.text.startswith("//")]
        if metadata.style in ("source", "listing", "literal"):
            return Block(line=line, html=above + sphinx_markup.code("\n".join(texts), ""))
        if first.startswith((" ", "\t")) and metadata.style not in ("normal", "glossary"):
            margin = min(len(text) - len(text.lstrip()) for text in texts)
            code = "\n".join(text[margin:] for text in texts)
            return Block(line=line, html=sphinx_markup.code(code, ""))
        if found := ADMONITION.fullmatch(first):
            html = self._paragraph_html([found[2], *texts[1:]])
            return Block(line=line, html=sphinx_markup.note(found[1].capitalize(), html))
        html = self._paragraph_html(texts)
        lead = None if metadata.style or above else listed_terms.bold_name(html, line)
        if lead:
            return Block(line=line, html=html, candidates=(lead,), form="paragraph")
        return Block(line=line, html=above + _framed(html, metadata.style))

    def _paragraph_html(self, texts: Iterable[str]) -> str:
        words = self.markup.html("\n".join(texts))
        return f"<p>{words}</p>"

    def _delimited(self, metadata: BlockMetadata, above: str, depth: int) -> Block:
        """Reads a block between two lines of marks."""
        line, text = self.lines[self.index]
        mark = text.rstrip()
        closing = "```" if mark.startswith("```") else mark
        inside: list[AsciidocLine] = []
        self.index += 1
        while not self.is_at_end and self.text.rstrip() != closing:
            inside.append(self.lines[self.index])
            self.index += 1
        if self.is_at_end:
            self._report(line, f"a block that is never closed: {mark}", "end it with the same line")
        self.index = min(self.index + 1, len(self.lines))
        if mark[0] in "|,!":
            return self._table(inside, line, above)
        html = self._delimited_html(mark, inside, metadata, depth)
        return Block(line=line, html=html and above + html)

    def _table(self, inside: Sequence[AsciidocLine], line: int, above: str) -> Block:
        """Returns the block of a table whose first mark is on a line."""
        rows: list[listed_terms.TableRow] = []
        html = ""
        for number, texts in _rows(inside):
            cells = [*map(self.markup.html, texts)]
            rows.append((line + 1 + number, cells))
            html += f"<tr><td>{'</td><td>'.join(cells)}</td></tr>"
        if html:
            html = f"{above}<table>{html}</table>"
        return listed_terms.text_block(html, line, "table", listed_terms.table_terms(rows))

    def _delimited_html(
        self, mark: str, inside: Sequence[AsciidocLine], metadata: BlockMetadata, depth: int
    ) -> str:
        """Returns the HTML of a block between two lines of marks that is no table; `depth` is the
        number of blocks and lists around it."""
        text = "\n".join(one.text for one in inside)
        sign = "" if mark == "--" else mark[0]
        if sign == "/":
            return ""
        if sign == "`":
            return sphinx_markup.code(text, mark[3:])
        if sign in ("-", "."):
            return sphinx_markup.code(text, metadata.language)
        if sign == "+" and metadata.style in ("stem", "latexmath", "asciimath"):
            return self.markup.formula(metadata.style, text, tag="div")
        if sign == "+":
            return f"<p>{escape(without_tags(text), quote=False)}</p>"
        if depth < MAX_DEPTH:
            blocks = BlockReader(inside, self.markup, depth=depth + 1).blocks()
            html = "".join(block.html for block in blocks)
        else:
            html = escape(text)
        is_quote = sign == "_" and metadata.style not in NOTES
        return _framed(html, "quote" if is_quote else metadata.style)

    def _report(self, line: int, found: str, wanted: str) -> None:
        if len(self.markup.problems) < MAX_PROBLEMS:
            self.markup.problems.append(MarkupProblem(line, found, wanted))

    def _block_macro(self, macro: re.Match[str], line: int) -> str:
        name, target, content = macro.groups()
        address = self.markup.with_attributes(target)
        if name == "image":
            return f"<p>{sphinx_markup.image(address, alternative(content, target))}</p>"
        if name == "include":
            found = f"the file '{address}' that is included here is not read"
            self._report(line, found, "write its text here, or name it in `paths`")
        return ""

    def _labeled(self, mark: str, outer: tuple[str, ...]) -> Iterator[Candidate]:
        """Reads the items of a labeled list; items without text share the next item's."""
        names: list[str] = []
        anchors: list[str] = []
        line = 0
        label = self._next_label(mark)
        while label:
            self.index = label.line_index
            line = line or self.lines[self.index].number
            own_anchors, written, _, text = label.match.groups()
            anchors += label.anchors
            anchors += BLOCK_ANCHOR.findall(f"{own_anchors}{written}")
            name = self.markup.plain(MARK.sub("", FOOTNOTE.sub("", written))).strip()
            names.append(name or "".join(anchors[-1:]))
            html = self._item(text or "", (*outer, mark), is_label=True)
            for note in FOOTNOTE.findall(written):
                html += f"<p>({self.markup.html(note, has_titles=False)})</p>"
            label = self._next_label(mark)
            if html or not label:
                yield Candidate(tuple(names), html, line, tuple(anchors))
                names, anchors, line = [], [], 0

    def _next_label(self, mark: str) -> FoundLabel | None:
        """Returns the next item of a labeled list, below empty lines, comments and anchors, if
        there is one."""
        anchors: list[str] = []
        for index in range(self.index, len(self.lines)):
            text = self.lines[index].text.strip()
            if anchor := BLOCK_ANCHOR.fullmatch(text):
                anchors.append(anchor[1])
            elif attributes := BLOCK_ATTRIBUTES.fullmatch(text):
                anchors += _ids(attributes[1])
            elif text and not text.startswith("//"):
                label = LABEL.fullmatch(self.lines[index].text)
                is_next = label and label[3] == mark
                if label and is_next:
                    return FoundLabel(index, label, anchors)
                return None
        return None

    def _list(self, outer: tuple[str, ...]) -> str:
        """Reads a bulleted or numbered list, and returns its HTML."""
        mark = _list_mark(self.text)
        items = ""
        index = self.index
        while _list_mark(self._text_at(index)) == mark:
            self.index = index
            match = BULLET.fullmatch(self.text) or NUMBER.fullmatch(self.text)
            html = self._item(match[2] if match else "", (*outer, mark))
            if html.count("<p>") == 1:
                html = html.removeprefix("<p>").replace("</p>", "", 1)
            items += f"<li>{html}</li>"
            index = self._below_blank()
        tag = "ul" if mark[0] in "*-•" else "ol"
        return f"<{tag}>{items}</{tag}>"

    def _item(self, text: str, outer: tuple[str, ...], *, is_label: bool = False) -> str:
        """Reads the item that begins at the line, with the blocks attached to it, and returns its
        HTML."""
        texts = [text] if text.strip() else []
        self.index += 1
        if is_label and not texts:
            self.index = self._below_blank()
        while not _ends_paragraph(self.text) and not _list_mark(self.text):
            if not self.text.startswith("//"):
                texts.append(self.text.strip())
            self.index += 1
        html = self._paragraph_html(texts) if texts else ""
        if is_label and not texts and self._is_styled_block():
            html += self._attached(outer)
        return html + self._item_blocks(outer)

    def _is_styled_block(self) -> bool:
        """True if the line has the attributes of a block that begins on the next line."""
        below = self._text_at(self.index + 1)
        is_block = re.match(r"[^\s=\[]", below) and not LABEL.fullmatch(below)
        return bool(is_block and BLOCK_ATTRIBUTES.fullmatch(self.text))

    def _item_blocks(self, outer: tuple[str, ...]) -> str:
        """Reads the blocks and lists that are attached to an item, and returns their HTML."""
        is_deep = self.depth + len(outer) > MAX_DEPTH
        html = ""
        while True:
            index = self._below_blank()
            text = self._text_at(index)
            mark = _list_mark(text)
            if text.strip() == "+":
                self.index = index + 1
                html += self._attached(outer)
            elif not mark or mark in outer or is_deep:
                return html
            else:
                self.index = index
                is_labeled = LABEL.fullmatch(text) and not _is_plain_list(text)
                if is_labeled:
                    html += _list_html(self._labeled(mark, outer))
                else:
                    html += self._list(outer)

    def _attached(self, outer: tuple[str, ...]) -> str:
        """Reads the block that is attached to an item, and returns its HTML; empty if there is
        none."""
        metadata = BlockMetadata()
        while not self.is_at_end and (not self.text.strip() or self._read_metadata(metadata)):
            self.index += 1
        if self.is_at_end or self.depth + len(outer) > MAX_DEPTH:
            return ""
        return self._block(metadata, outer).html


def _ids(attributes: str) -> list[str]:
    return [first or second for first, second in ID.findall(attributes)]


def _framed(html: str, style: str) -> str:
    """Returns the HTML of a block in the note or the quotation that its style asks for."""
    if style in NOTES:
        return sphinx_markup.note(style.capitalize(), html)
    if style in ("quote", "verse"):
        return f"<blockquote>{html}</blockquote>"
    return html


def _list_html(items: Iterable[Candidate]) -> str:
    html = ""
    for item in items:
        for name in item.names:
            html += f"<dt>{escape(name, quote=False)}</dt>"
        html += f"<dd>{item.html}</dd>"
    return f"<dl>{html}</dl>"


def _rows(lines: Iterable[AsciidocLine]) -> list[tuple[int, list[str]]]:
    """Returns the rows of a table with the index of their lines: one for each line, or for as many
    as have the cells of a row."""
    rows: list[tuple[int, list[str]]] = []
    width = 0
    for index, line in enumerate(lines):
        _, *cells = (cell.strip() for cell in CELL.split(line.text))
        width = width or len(cells)
        if cells and rows and len(rows[-1][1]) + len(cells) <= width:
            rows[-1][1].extend(cells)
        elif cells:
            rows.append((index, cells))
        elif rows and line.text.strip():
            rows[-1][1][-1] += f"\n{line.text.strip()}"
    return rows


def _list_mark(text: str) -> str:
    """Returns the mark of a list's item; empty for other lines."""
    if match := BULLET.fullmatch(text):
        return match[1]
    if match := NUMBER.fullmatch(text):
        return match[1] if match[1][0] == "." else "1."
    match = LABEL.fullmatch(text)
    return match[3] if match else ""


def _is_plain_list(text: str) -> bool:
    return (BULLET.fullmatch(text) or NUMBER.fullmatch(text)) is not None


def _ends_paragraph(text: str) -> bool:
    stripped = text.strip()
    if stripped in ("", "+") or DELIMITER.fullmatch(text.rstrip()) or MACRO.fullmatch(stripped):
        return True
    return (BLOCK_ATTRIBUTES.fullmatch(stripped) or BLOCK_ANCHOR.fullmatch(stripped)) is not None
