"""Parses the blocks of an AsciiDoc document: sections, paragraphs, lists, delimited blocks, tables.

This is a subset, read line by line without Asciidoctor. Not supported are nested documents in table
cells, counters, conditions on values, and macros of extensions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from sitegen.formats.asciidoc.inline import TAG, Markup, alternative
from sitegen.formats.common import listed_terms, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.structure import Block, heading

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


class BlockReader:
    """Reads the blocks of a document, or those inside a block, from the line at `index` on."""

    def __init__(self, lines: Sequence[AsciidocLine], markup: Markup, *, depth: int = 0) -> None:
        self.lines = lines
        self.markup = markup
        self.depth = depth
        self.index = 0

    @property
    def text(self) -> str | None:
        """The text of the current line; None below the last one."""
        return self._text_at(self.index)

    def _text_at(self, index: int) -> str | None:
        return self.lines[index].text if index < len(self.lines) else None

    def _below_blank(self) -> int:
        """Returns the index of the current line, or of the first below it that is not blank."""
        index = self.index
        while index < len(self.lines) and not self.lines[index].text.strip():
            index += 1
        return index

    def blocks(self) -> Iterator[Block]:
        """Yields the blocks."""
        metadata = BlockMetadata()
        while (text := self.text) is not None:
            is_comment = text.startswith("//") and not text.startswith("////")
            if is_comment or not text.strip() or self._read_metadata(metadata):
                self.index += 1
                continue
            title = self._title() if self.depth == 0 and metadata.style not in DISCRETE else None
            if title:
                level, name, length = title
                anchors = (*metadata.anchors, *self._own_anchors(name))
                line = self.lines[self.index].number
                yield heading(self.markup.plain(name), level=level, line=line, anchors=anchors)
                self.index += length
            else:
                block = self._block(metadata)
                if metadata.anchors:
                    yield Block(
                        line=self.lines[self.index - 1].number,
                        html="",
                        anchors=tuple(metadata.anchors),
                    )
                if block.html:
                    yield block
            metadata = BlockMetadata()

    def _own_anchors(self, title: str) -> tuple[str, ...]:
        """Returns the anchors that Asciidoctor derives from a title, and those inside it."""
        plain = re.sub(r"[^\w .-]", "", self.markup.plain(title).lower())
        slug = re.sub(r"[ .-]+", "_", plain).strip("_")
        return (
            *[found[1] for found in BLOCK_ANCHOR.finditer(title)],
            f"_{slug}",
            slug.replace("_", "-"),
        )

    def _read_metadata(self, metadata: BlockMetadata) -> bool:
        """Reads the line if it is an attribute entry, or has attributes for the block below."""
        text = self.text or ""
        if entry := ENTRY.fullmatch(text):
            name = entry[2].lower()
            if entry[1] or entry[3]:
                self.markup.attributes.pop(name, None)
            else:
                self.markup.attributes[name] = self.markup.with_attributes((entry[4] or "").strip())
        elif anchor := BLOCK_ANCHOR.fullmatch(text.strip()):
            metadata.anchors.append(anchor[1])
        elif attributes := BLOCK_ATTRIBUTES.fullmatch(text.strip()):
            metadata.style = re.split(r"[,#.%]", attributes[1])[0].strip().lower() or metadata.style
            metadata.anchors += _ids(attributes[1])
            if metadata.style in ("source", ""):
                metadata.language = attributes[1].partition(",")[2].partition(",")[0].strip()
        elif (title := BLOCK_TITLE.fullmatch(text)) and (
            self._text_at(self.index + 1) or ""
        ).strip():
            metadata.title = title[1]
        else:
            return False
        return True

    def _title(self) -> tuple[int, str, int] | None:
        """Returns the level and text of a section's title, and its number of lines."""
        text, below = self.text or "", self._text_at(self.index + 1) or ""
        if match := TITLE.fullmatch(text):
            return len(match[1]), match[2], 1
        is_underlined = (
            UNDERLINE.fullmatch(below) and abs(len(below) - len(text)) < 3 and re.match(r"\w", text)
        )
        return (
            ("=-~^+".index(below[0]) + 1, text, 2)
            if is_underlined and not DELIMITER.fullmatch(text)
            else None
        )

    def _block(self, metadata: BlockMetadata, outer: tuple[str, ...] = ()) -> Block:
        """Reads one block; `outer` has the marks of the lists around it, from the outermost."""
        line, text = self.lines[self.index]
        title_html = f"<p>{self.markup.html(metadata.title)}</p>" if metadata.title else ""
        is_deep = self.depth + len(outer) >= MAX_DEPTH
        if DELIMITER.fullmatch(text.rstrip()):
            return self._delimited(metadata, title_html, len(outer))
        if LABEL.fullmatch(text) and not is_deep:
            candidates = tuple(self._labeled(outer))
            return Block(
                line=line,
                html=title_html + _list_html(candidates),
                candidates=candidates,
                form="table",
            )
        if _is_plain_list(text) and not is_deep:
            first = self.index
            html = self._list(outer)
            numbers = [
                one.number
                for one in self.lines[first : self.index]
                if _list_mark(one.text) == _list_mark(text)
            ]
            candidates = () if outer or self.depth else listed_terms.list_terms(html, numbers)
            return listed_terms.text_block(
                title_html + html, line, "list", listed_terms.ListedTerms(candidates)
            )
        if macro := MACRO.fullmatch(text.strip()):
            self.index += 1
            return Block(line=line, html=title_html + self._block_macro(macro, line))
        if text.strip() in SEPARATORS:
            self.index += 1
            return Block(line=line, html="")
        return self._paragraph(metadata, title_html)

    def _paragraph(self, metadata: BlockMetadata, above: str) -> Block:
        line, first = self.lines[self.index]
        start = self.index
        self.index += 1
        if title := TITLE.fullmatch(first):
            return Block(line=line, html=f"<p><strong>{self.markup.html(title[2])}</strong></p>")
        while self.text is not None and not _ends_paragraph(self.text):
            self.index += 1
        texts = [
            one.text for one in self.lines[start : self.index] if not one.text.startswith("//")
        ]
        if metadata.style in ("source", "listing", "literal"):
            return Block(line=line, html=above + sphinx_markup.code("\n".join(texts), ""))
        if first[:1] in (" ", "\t") and metadata.style not in ("normal", "glossary"):
            margin = min(len(text) - len(text.lstrip()) for text in texts)
            return Block(
                line=line, html=sphinx_markup.code("\n".join(text[margin:] for text in texts), "")
            )
        if found := ADMONITION.fullmatch(first):
            words = self.markup.html("\n".join([found[2], *texts[1:]]))
            return Block(
                line=line, html=sphinx_markup.note(found[1].capitalize(), f"<p>{words}</p>")
            )
        html = "<p>" + self.markup.html("\n".join(texts)) + "</p>"
        if not metadata.style and not above and (lead := listed_terms.bold_name(html, line)):
            return Block(line=line, html=html, candidates=(lead,), form="paragraph")
        return Block(line=line, html=above + _framed(html, metadata.style))

    def _delimited(self, metadata: BlockMetadata, title_html: str, outer_lists: int) -> Block:
        """Reads a block between two lines of marks."""
        line, mark = self.lines[self.index].number, self.lines[self.index].text.rstrip()
        closing = "```" if mark.startswith("```") else mark
        start = self.index + 1
        ends = (n for n in range(start, len(self.lines)) if self.lines[n].text.rstrip() == closing)
        past = next(ends, len(self.lines))
        if past == len(self.lines):
            self._report(line, f"a block that is never closed: {mark}", "end it with the same line")
        inside = self.lines[start:past]
        text = "\n".join(one.text for one in inside)
        self.index = min(past + 1, len(self.lines))
        listed = listed_terms.ListedTerms()
        if mark[0] in "|,!":
            rows = [
                (line + 1 + number, [*map(self.markup.html, cells)])
                for number, cells in _rows(text)
            ]
            html = "".join(
                f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for _, cells in rows
            )
            html = html and f"<table>{html}</table>"
            listed = listed_terms.table_terms(rows)
        else:
            html = self._delimited_html(mark, inside, metadata, outer_lists)
        return listed_terms.text_block(html and title_html + html, line, "table", listed)

    def _delimited_html(
        self, mark: str, inside: Sequence[AsciidocLine], metadata: BlockMetadata, outer_lists: int
    ) -> str:
        """Returns the HTML of a block between two lines of marks that is no table."""
        text = "\n".join(one.text for one in inside)
        sign = "" if mark == "--" else mark[0]
        if sign == "/":
            return ""
        if sign and sign in "-.`":
            return sphinx_markup.code(text, mark[3:] if sign == "`" else metadata.language)
        if sign == "+" and metadata.style in ("stem", "latexmath", "asciimath"):
            return self.markup.formula(metadata.style, text, tag="div")
        if sign == "+":
            return f"<p>{escape(TAG.sub('', text), quote=False)}</p>"
        depth = self.depth + outer_lists
        blocks = BlockReader(inside, self.markup, depth=depth + 1).blocks()
        html = "".join(block.html for block in blocks) if depth < MAX_DEPTH else escape(text)
        style = metadata.style if metadata.style in NOTES else ""
        return _framed(html, style or ("quote" if sign == "_" else ""))

    def _report(self, line: int, found: str, wanted: str) -> None:
        if len(self.markup.problems) < MAX_PROBLEMS:
            self.markup.problems.append((line, found, wanted))

    def _block_macro(self, macro: re.Match[str], line: int) -> str:
        name, target, content = macro.groups()
        address = self.markup.with_attributes(target)
        if name == "image":
            return f"<p>{sphinx_markup.image(address, alternative(content, target))}</p>"
        if name == "include":
            found = f"the file '{address}' that is included here is not read"
            self._report(line, found, "write its text here, or name it in `paths`")
        return ""

    def _labeled(self, outer: tuple[str, ...]) -> Iterator[Candidate]:
        """Reads the items of a labeled list; items without text share the next item's."""
        first = LABEL.fullmatch(self.lines[self.index].text)
        mark = first[3] if first else "::"
        names: list[str] = []
        anchors: list[str] = []
        line = 0
        while label := self._next_label(mark, anchors):
            anchors += [anchor[1] for anchor in BLOCK_ANCHOR.finditer(f"{label[1]}{label[2]}")]
            line = line or self.lines[self.index].number
            name = self.markup.plain(MARK.sub("", FOOTNOTE.sub("", label[2]))).strip()
            names.append(name or next(reversed(anchors), ""))
            html = self._item(label[4] or "", (*outer, mark), is_label=True)
            html += "".join(
                f"<p>({self.markup.html(note, has_titles=False)})</p>"
                for note in FOOTNOTE.findall(label[2])
            )
            index = self.index
            if html or not self._next_label(mark, []):
                yield Candidate(tuple(names), html, line, tuple(anchors))
                names, anchors, line = [], [], 0
            self.index = index

    def _next_label(self, mark: str, anchors: list[str]) -> re.Match[str] | None:
        """Goes to the next item of a labeled list, below empty lines, comments and anchors, if
        there is one."""
        new_anchors: list[str] = []
        for index in range(self.index, len(self.lines)):
            text = self.lines[index].text.strip()
            if anchor := BLOCK_ANCHOR.fullmatch(text):
                new_anchors.append(anchor[1])
            elif attributes := BLOCK_ATTRIBUTES.fullmatch(text):
                new_anchors += _ids(attributes[1])
            elif text and not text.startswith("//"):
                label = LABEL.fullmatch(self.lines[index].text)
                if label is None or label[3] != mark:
                    return None
                anchors += new_anchors
                self.index = index
                return label
        return None

    def _list(self, outer: tuple[str, ...]) -> str:
        """Reads a bulleted or numbered list, and returns its HTML."""
        mark = _list_mark(self.text or "")
        items = []
        while _list_mark(self._text_at(index := self._below_blank()) or "") == mark:
            self.index = index
            match = BULLET.fullmatch(self.lines[index].text) or NUMBER.fullmatch(
                self.lines[index].text
            )
            html = self._item(match[2] if match else "", (*outer, mark))
            html = (
                html.removeprefix("<p>").replace("</p>", "", 1) if html.count("<p>") == 1 else html
            )
            items.append(f"<li>{html}</li>")
        tag = "ul" if mark[0] in "*-•" else "ol"
        return f"<{tag}>{''.join(items)}</{tag}>"

    def _item(self, text: str, outer: tuple[str, ...], *, is_label: bool = False) -> str:
        """Reads the item that begins at the line, with the blocks attached to it, and returns its
        HTML."""
        texts = [text] if text.strip() else []
        self.index += 1
        if is_label and not texts:
            self.index = self._below_blank()
        while self.text is not None and not (_ends_paragraph(self.text) or _list_mark(self.text)):
            if not self.text.startswith("//"):
                texts.append(self.text.strip())
            self.index += 1
        parts = ["<p>" + self.markup.html("\n".join(texts)) + "</p>"] if texts else []
        is_deep = self.depth + len(outer) > MAX_DEPTH
        below = self._text_at(self.index + 1) or ""
        is_styled = BLOCK_ATTRIBUTES.fullmatch(self.text or "") and re.match(r"[^\s=\[]", below)
        if is_label and not texts and is_styled and not LABEL.fullmatch(below):
            parts.append(self._attached(outer))
        while (next_text := self._text_at(next_index := self._below_blank())) is not None:
            mark = _list_mark(next_text)
            if next_text.strip() == "+":
                self.index = next_index + 1
                parts.append(self._attached(outer))
            elif mark and mark not in outer and not is_deep:
                self.index = next_index
                is_labeled = LABEL.fullmatch(next_text) and not _is_plain_list(next_text)
                parts.append(
                    _list_html([*self._labeled(outer)]) if is_labeled else self._list(outer)
                )
            else:
                break
        return "".join(parts)

    def _attached(self, outer: tuple[str, ...]) -> str:
        """Reads the block that is attached to an item, and returns its HTML; empty if there is
        none."""
        metadata = BlockMetadata()
        while self.text is not None and (not self.text.strip() or self._read_metadata(metadata)):
            self.index += 1
        is_deep = self.depth + len(outer) > MAX_DEPTH
        return "" if is_deep or self.text is None else self._block(metadata, outer).html


def _ids(attributes: str) -> list[str]:
    return [match[1] or match[2] for match in ID.finditer(attributes)]


def _framed(html: str, style: str) -> str:
    """Returns the HTML of a block in the note or the quotation that its style asks for."""
    if style in NOTES:
        return sphinx_markup.note(style.capitalize(), html)
    return f"<blockquote>{html}</blockquote>" if style in ("quote", "verse") else html


def _list_html(candidates: Sequence[Candidate]) -> str:
    names = (
        "".join(f"<dt>{escape(name, quote=False)}</dt>" for name in one.names) for one in candidates
    )
    items = (
        f"{names_html}<dd>{one.html}</dd>"
        for names_html, one in zip(names, candidates, strict=True)
    )
    return f"<dl>{''.join(items)}</dl>"


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Returns the rows of a table with their lines: one for each line, or for as many as have the
    cells of a row."""
    rows: list[tuple[int, list[str]]] = []
    width = 0
    for number, line in enumerate(text.split("\n")):
        _, *cells = (cell.strip() for cell in CELL.split(line))
        if not line.strip():
            continue
        if not cells:
            if rows:
                rows[-1][1][-1] += f"\n{line.strip()}"
            continue
        width = width or len(cells)
        if rows and len(rows[-1][1]) + len(cells) <= width:
            rows[-1][1].extend(cells)
        else:
            rows.append((number, cells))
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
    is_attributes = stripped[:1] == "[" and (
        BLOCK_ATTRIBUTES.fullmatch(stripped) or BLOCK_ANCHOR.fullmatch(stripped)
    )
    return bool(
        stripped in ("", "+")
        or DELIMITER.fullmatch(text.rstrip())
        or is_attributes
        or MACRO.fullmatch(stripped)
    )
