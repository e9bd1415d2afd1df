"""Parses the blocks of an AsciiDoc document: sections, paragraphs, lists, delimited blocks, tables.

This is a subset, read line by line without Asciidoctor. Not supported are nested documents in table cells, counters,
conditions on values, and macros of extensions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from sitegen.formats.asciidoc import inline
from sitegen.formats.asciidoc.lines import (
    ADMONITION,
    BLOCK_ANCHOR,
    BLOCK_ATTRIBUTES,
    BLOCK_TITLE,
    BULLET,
    CELL,
    DELIMITER,
    ENTRY,
    FOOTNOTE,
    ID,
    LABEL,
    MACRO,
    MARK,
    NUMBER,
    TITLE,
    UNDERLINE,
    AsciidocLine,
    BlockMetadata,
    ends_item,
    ends_paragraph,
    is_plain_list,
    list_mark,
)
from sitegen.formats.common import listed_terms, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.passages import Block, heading

MAX_ODD = 20
"""The maximum number of problems that are reported for one document."""
DISCRETE = ("discrete", "float")
"""The styles of headings that begin no section."""
MAX_DEPTH = 12
"""The maximum nesting of blocks; deeper ones are shown as text."""


@dataclass(slots=True)
class Parser:
    """Parses one document. `attributes` changes as entries are read."""

    attributes: inline.Attributes
    titles: Mapping[str, str]
    """The texts that references without words show, by their targets."""
    odd: list[tuple[int, str, str]] = field(default_factory=list)

    def blocks(self, lines: Sequence[AsciidocLine], depth: int = 0) -> Iterator[Block]:
        """Yields the blocks of a document, or of a block."""
        index, metadata = 0, BlockMetadata()
        while index < len(lines):
            text = lines[index].text
            if (
                not text.strip()
                or (text.startswith("//") and not text.startswith("////"))
                or self._is_metadata(text, metadata, lines, index)
            ):
                index += 1
            elif depth == 0 and metadata.style not in DISCRETE and (title := self._title(lines, index)):
                level, name, taken = title
                shown = inline.plain(name, self.attributes)
                anchors = (*metadata.anchors, *self._own_anchors(name))
                yield heading(shown, level=level, line=lines[index].number, anchors=anchors)
                index, metadata = index + taken, BlockMetadata()
            else:
                block, index = self._block(lines, index, metadata, depth)
                if metadata.anchors:
                    yield Block(line=lines[index - 1].number, html="", anchors=tuple(metadata.anchors))
                if block.html:
                    yield block
                metadata = BlockMetadata()

    def _report(self, line: int, found: str, wanted: str) -> None:
        if len(self.odd) < MAX_ODD:
            self.odd.append((line, found, wanted))

    def _own_anchors(self, title: str) -> tuple[str, ...]:
        """Returns the anchors that Asciidoctor derives from a title, and those inside it."""
        plain = inline.plain(title, self.attributes)
        slug = re.sub(r"[ .-]+", "_", re.sub(r"[^\w .-]", "", plain.lower())).strip("_")
        return (*[found[1] for found in BLOCK_ANCHOR.finditer(title)], f"_{slug}", slug.replace("_", "-"))

    def _is_metadata(self, text: str, metadata: BlockMetadata, lines: Sequence[AsciidocLine], index: int) -> bool:
        """Reads an attribute entry, or a line of attributes for the block below."""
        if entry := ENTRY.fullmatch(text):
            name = entry[2].lower()
            if entry[1] or entry[3]:
                self.attributes.pop(name, None)
            else:
                self.attributes[name] = inline.with_attributes((entry[4] or "").strip(), self.attributes)
            return True
        if anchor := BLOCK_ANCHOR.fullmatch(text.strip()):
            metadata.anchors.append(anchor[1])
            return True
        if attributes := BLOCK_ATTRIBUTES.fullmatch(text.strip()):
            metadata.style = re.split(r"[,#.%]", attributes[1])[0].strip().lower() or metadata.style
            metadata.anchors += [found[1] or found[2] for found in ID.finditer(attributes[1])]
            if metadata.style in ("source", ""):
                metadata.language = attributes[1].partition(",")[2].partition(",")[0].strip()
            return True
        is_above = index + 1 < len(lines) and bool(lines[index + 1].text.strip())
        if is_above and (title := BLOCK_TITLE.fullmatch(text)):
            metadata.title = title[1]
            return True
        return False

    def _title(self, lines: Sequence[AsciidocLine], index: int) -> tuple[int, str, int] | None:
        """Returns the level and text of a section's title, and its number of lines."""
        text = lines[index].text
        if found := TITLE.fullmatch(text):
            return len(found[1]), found[2], 1
        below = lines[index + 1].text if index + 1 < len(lines) else ""
        is_underlined = UNDERLINE.fullmatch(below) and abs(len(below) - len(text)) < 3 and re.match(r"\w", text)
        if is_underlined and text[:1].strip() and not DELIMITER.fullmatch(text):
            return "=-~^+".index(below[0]) + 1, text, 2
        return None

    def _block(
        self,
        lines: Sequence[AsciidocLine],
        index: int,
        metadata: BlockMetadata,
        depth: int,
        outer: tuple[str, ...] = (),
    ) -> tuple[Block, int]:
        """Returns one block and the index of the line below it. `outer` has the marks of the lists around it."""
        line = lines[index]
        above = f"<p>{self._inline(metadata.title)}</p>" if metadata.title else ""
        if DELIMITER.fullmatch(line.text.rstrip()):
            html, past = self._delimited(lines, index, metadata, depth)
            tabled = listed_terms.Tabled()
            if line.text[0] in "|,!":
                rows = self._rows("\n".join(inner.text for inner in lines[index + 1 : past - 1]))
                tabled = listed_terms.table_terms(
                    [(line.number + 1 + number, [*map(self._inline, row)]) for number, row in rows]
                )
            return Block(
                line=line.number,
                html=above + html if html else "",
                candidates=tabled.candidates,
                guesses=tabled.guesses,
                form="table" if tabled.candidates else "",
            ), past
        if LABEL.fullmatch(line.text) and depth < MAX_DEPTH:
            candidates, index = self._labelled(lines, index, depth, outer)
            html = self._list_html(candidates)
            found = tuple(candidates)
            return Block(line=line.number, html=above + html, candidates=found, form="table"), index
        if (BULLET.fullmatch(line.text) or NUMBER.fullmatch(line.text)) and depth < MAX_DEPTH:
            html, past = self._list(lines, index, depth, outer)
            mark = list_mark(line.text)
            numbers = [line.number for line in lines[index:past] if list_mark(line.text) == mark]
            found = listed_terms.list_terms(html, numbers) if depth == 0 else ()
            return Block(line=line.number, html=above + html, candidates=found, form="list" if found else ""), past
        if macro := MACRO.fullmatch(line.text.strip()):
            return Block(line=line.number, html=above + self._block_macro(macro, line)), index + 1
        if line.text.strip() in ("'''", "---", "***", "<<<"):
            return Block(line=line.number, html=""), index + 1
        return self._paragraph(lines, index, metadata, above)

    def _paragraph(
        self, lines: Sequence[AsciidocLine], index: int, metadata: BlockMetadata, above: str
    ) -> tuple[Block, int]:
        first = lines[index]
        if title := TITLE.fullmatch(first.text):
            return Block(line=first.number, html=f"<p><strong>{self._inline(title[2])}</strong></p>"), index + 1
        past = index + 1
        while past < len(lines) and not ends_paragraph(lines[past].text):
            past += 1
        texts = [line.text for line in lines[index:past] if not line.text.startswith("//")]
        if metadata.style in ("source", "listing", "literal"):
            return Block(line=first.number, html=above + sphinx_markup.code("\n".join(texts), "")), past
        if first.text[:1] in (" ", "\t") and metadata.style not in ("normal", "glossary"):
            margin = min(len(text) - len(text.lstrip()) for text in texts)
            return Block(
                line=first.number, html=sphinx_markup.code("\n".join(text[margin:] for text in texts), "")
            ), past
        if found := ADMONITION.fullmatch(first.text):
            words = self._inline("\n".join([found[2], *texts[1:]]))
            return Block(line=first.number, html=sphinx_markup.note(found[1].capitalize(), f"<p>{words}</p>")), past
        inner = f"<p>{self._inline(chr(10).join(texts))}</p>"
        if not metadata.style and not above and (lead := listed_terms.bold_name(inner, first.number)):
            return Block(line=first.number, html=inner, candidates=(lead,), form="paragraph"), past
        if metadata.style.upper() in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
            inner = sphinx_markup.note(metadata.style.capitalize(), inner)
        elif metadata.style in ("quote", "verse"):
            inner = f"<blockquote>{inner}</blockquote>"
        return Block(line=first.number, html=above + inner), past

    def _delimited(
        self, lines: Sequence[AsciidocLine], index: int, metadata: BlockMetadata, depth: int
    ) -> tuple[str, int]:
        mark = lines[index].text.rstrip()
        closing = "```" if mark.startswith("```") else mark
        past = next((n for n in range(index + 1, len(lines)) if lines[n].text.rstrip() == closing), len(lines))
        if past == len(lines):
            found, wanted = f"a block that is never closed: {mark}", "end it with the same line"
            self._report(lines[index].number, found, wanted)
        inside = lines[index + 1 : past]
        text = "\n".join(line.text for line in inside)
        after = min(past + 1, len(lines))
        if mark[0] == "/":
            return "", after
        if mark[0] in "-.`" and mark != "--":
            return sphinx_markup.code(text, mark[3:] if mark[0] == "`" else metadata.language), after
        if mark[0] == "+" and metadata.style in ("stem", "latexmath", "asciimath"):
            return inline.formula(metadata.style, text, self.attributes, tag="div"), after
        if mark[0] == "+":
            return f"<p>{escape(inline.TAG.sub('', text), quote=False)}</p>", after
        if mark[0] in "|,!":
            return self._table(text), after
        html = "".join(block.html for block in self.blocks(inside, depth + 1)) if depth < MAX_DEPTH else escape(text)
        style = metadata.style.upper()
        if style in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
            html = sphinx_markup.note(style.capitalize(), html)
        elif mark[0] == "_":
            html = f"<blockquote>{html}</blockquote>"
        return html, after

    def _table(self, text: str) -> str:
        body = (f"<td>{'</td><td>'.join(map(self._inline, row))}</td>" for _, row in self._rows(text))
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        return f"<table>{rows}</table>" if rows else ""

    def _rows(self, text: str) -> list[tuple[int, list[str]]]:
        """Returns the rows of a table with their lines: one for each line with cells, or for a run of such lines."""
        rows: list[tuple[int, list[str]]] = []
        width = 0
        for number, line in enumerate(text.split("\n")):
            cells = [cell.strip() for cell in CELL.split(line)]
            if not line.strip():
                continue
            if not CELL.search(line):
                if rows:
                    rows[-1][1][-1] = f"{rows[-1][1][-1]}\n{line.strip()}"
                continue
            width = width or len(cells) - 1
            if rows and len(cells) == 2 and len(rows[-1][1]) < width:
                rows[-1][1].append(cells[1])
            else:
                rows.append((number, cells[1:]))
        return rows

    def _block_macro(self, macro: re.Match[str], line: AsciidocLine) -> str:
        name, target, content = macro.groups()
        if name == "image":
            words = inline.alternative(content, target)
            return f"<p>{sphinx_markup.image(inline.with_attributes(target, self.attributes), words)}</p>"
        if name == "include":
            found = f"the file '{inline.with_attributes(target, self.attributes)}' that is included here is not read"
            self._report(line.number, found, "write its text here, or name it in `paths`")
        return ""

    def _labelled(
        self, lines: Sequence[AsciidocLine], index: int, depth: int, outer: tuple[str, ...]
    ) -> tuple[list[Candidate], int]:
        """Returns the items of a labelled list; items without text share the next item's."""
        first = LABEL.fullmatch(lines[index].text)
        mark = first[3] if first else "::"
        found: list[Candidate] = []
        names: list[str] = []
        anchors: list[str] = []
        begin = 0
        while index < len(lines):
            start = self._next_item(lines, index, mark, anchors)
            label = LABEL.fullmatch(lines[start].text) if start is not None else None
            if start is None or label is None or label[3] != mark:
                break
            anchors += [anchor[1] for anchor in BLOCK_ANCHOR.finditer(f"{label[1]}{label[2]}")]
            begin = begin or lines[start].number
            name = inline.plain(MARK.sub("", FOOTNOTE.sub("", label[2])), self.attributes).strip()
            names.append(name or next(reversed(anchors), ""))
            html, index = self._item(lines, start, label[4] or "", depth, (*outer, mark), is_label=True)
            html += "".join(
                f"<p>({inline.html(note, self.attributes, {})})</p>" for note in FOOTNOTE.findall(label[2])
            )
            if html or not self._next_item(lines, index, mark, []):
                found.append(Candidate(tuple(names), html, begin, tuple(anchors)))
                names, anchors, begin = [], [], 0
        return found, index

    def _next_item(self, lines: Sequence[AsciidocLine], index: int, mark: str, anchors: list[str]) -> int | None:
        """Returns the index of the next item of a labelled list, below empty lines, comments and anchors."""
        seen: list[str] = []
        while index < len(lines):
            text = lines[index].text.strip()
            if anchor := BLOCK_ANCHOR.fullmatch(text):
                seen.append(anchor[1])
            elif attributes := BLOCK_ATTRIBUTES.fullmatch(text):
                seen += [found[1] or found[2] for found in ID.finditer(attributes[1])]
            elif text and not text.startswith("//"):
                label = LABEL.fullmatch(lines[index].text)
                if label and label[3] == mark:
                    anchors += seen
                    return index
                return None
            index += 1
        return None

    def _list(self, lines: Sequence[AsciidocLine], index: int, depth: int, outer: tuple[str, ...]) -> tuple[str, int]:
        """Returns the HTML of a bulleted or numbered list."""
        mark = list_mark(lines[index].text)
        items = []
        while index < len(lines):
            start = index
            while start < len(lines) and not lines[start].text.strip():
                start += 1
            if start == len(lines) or list_mark(lines[start].text) != mark:
                break
            found = BULLET.fullmatch(lines[start].text) or NUMBER.fullmatch(lines[start].text)
            html, index = self._item(lines, start, found[2] if found else "", depth, (*outer, mark))
            items.append(
                f"<li>{html.removeprefix('<p>').replace('</p>', '', 1) if html.count('<p>') == 1 else html}</li>"
            )
        tag = "ul" if mark[0] in "*-•" else "ol"
        return f"<{tag}>{''.join(items)}</{tag}>", index

    def _item(
        self,
        lines: Sequence[AsciidocLine],
        index: int,
        text: str,
        depth: int,
        outer: tuple[str, ...],
        *,
        is_label: bool = False,
    ) -> tuple[str, int]:
        """Returns the HTML of one item, with the blocks that are attached to it, and the index below."""
        texts = [text] if text.strip() else []
        index += 1
        if is_label and not texts:
            while index < len(lines) and not lines[index].text.strip():
                index += 1
        while index < len(lines) and not ends_item(lines[index].text):
            if not lines[index].text.startswith("//"):
                texts.append(lines[index].text.strip())
            index += 1
        parts = [f"<p>{self._inline(chr(10).join(texts))}</p>"] if texts else []
        styled = lines[index : index + 2] if is_label and not texts and depth < MAX_DEPTH else ()
        if len(styled) > 1 and BLOCK_ATTRIBUTES.fullmatch(styled[0].text) and re.match(r"[^\s=\[]", styled[1].text):
            metadata = BlockMetadata()
            if not LABEL.fullmatch(styled[1].text) and self._is_metadata(styled[0].text, metadata, lines, index):
                block, index = self._block(lines, index + 1, metadata, depth + 1, outer)
                parts.append(block.html)
        while index < len(lines):
            if lines[index].text.strip() == "+":
                below = index + 1
                metadata = BlockMetadata()
                while below < len(lines) and (
                    not lines[below].text.strip() or self._is_metadata(lines[below].text, metadata, lines, below)
                ):
                    below += 1
                if below >= len(lines) or depth >= MAX_DEPTH:
                    return "".join(parts), below
                block, index = self._block(lines, below, metadata, depth + 1, outer)
                parts.append(block.html)
                continue
            below = index
            while below < len(lines) and not lines[below].text.strip():
                below += 1
            mark = list_mark(lines[below].text) if below < len(lines) else ""
            if below < len(lines) and lines[below].text.strip() == "+" and below > index:
                index = below
            elif mark and mark not in outer and depth < MAX_DEPTH:
                if LABEL.fullmatch(lines[below].text) and not is_plain_list(lines[below].text):
                    nested, index = self._labelled(lines, below, depth + 1, outer)
                    parts.append(self._list_html(nested))
                else:
                    html, index = self._list(lines, below, depth + 1, outer)
                    parts.append(html)
            else:
                return "".join(parts), index
        return "".join(parts), index

    def _list_html(self, candidates: Sequence[Candidate]) -> str:
        items = (
            "".join(f"<dt>{escape(name, quote=False)}</dt>" for name in one.names) + f"<dd>{one.html}</dd>"
            for one in candidates
        )
        return f"<dl>{''.join(items)}</dl>"

    def _inline(self, text: str) -> str:
        return inline.html(text, self.attributes, self.titles)
