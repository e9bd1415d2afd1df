"""Parses the blocks of an AsciiDoc document: sections, paragraphs, lists, delimited blocks, tables.

This is a subset, read line by line without Asciidoctor. Not supported are nested documents in table
cells, counters, conditions on values, and macros of extensions.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from sitegen.formats.asciidoc.asciidoc_html import (
    framed_html,
    labeled_list_html,
    merged,
    plain_list_html,
)
from sitegen.formats.asciidoc.asciidoc_lines import (
    ADMONITION,
    BLOCK_ANCHOR,
    BLOCK_ATTRIBUTES,
    BLOCK_TITLE,
    DELIMITER,
    ENTRY,
    LABEL,
    MACRO,
    RULES_AND_BREAKS,
    TITLE,
    UNDERLINE,
    UNDERLINES,
    AsciidocLine,
    BlockMetadata,
    FoundLabel,
    LineReader,
    ends_paragraph,
    list_mark,
    plain_item,
    table_rows,
)
from sitegen.formats.asciidoc.inline import Markup, alternative
from sitegen.formats.common import listed_terms, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.structure import Block, heading
from sitegen.text.words import without_tags

FOOTNOTE = re.compile(r"footnote:\w*\[((?:[^\[\]\\]|\\.)*+)\]")
MARK = re.compile(r"(?<=\S)\s+\^[^\s^]+\^\s*$")
"""Matches a superscript mark after a name, which a legend explains: `AEE ^RV^`."""
CODE = ("source", "listing", "literal")
"""The styles of paragraphs that are code."""
DISCRETE = ("discrete", "float")
"""The styles of headings that begin no section."""
UNDERLINE_TOLERANCE = 2
"""The number of characters by which a line below a title may be longer or shorter than that."""
MAX_DEPTH = 12
"""The maximum nesting of blocks; deeper ones are shown as text."""

OuterMarks = tuple[str, ...]
"""The marks of the lists around a block, the outermost first: `*` and `**` in a list in a list."""


class SectionTitle(NamedTuple):
    level: int
    text: str
    lines: int  # 1, or 2 if a line below underlines the title


class BlockReader(LineReader):
    """Reads the blocks of a document, or those inside a block, from the line at `index` on."""

    def __init__(self, lines: Sequence[AsciidocLine], markup: Markup, *, depth: int = 0) -> None:
        super().__init__(lines)
        self.markup = markup
        self.depth = depth  # the number of blocks and lists around the lines

    def blocks(self) -> Iterator[Block]:
        """Yields the blocks. The anchors of a block are yielded before it, as a block of their
        own."""
        metadata = BlockMetadata()
        while not self.is_at_end:
            is_comment = self.text.startswith("//") and not self.text.startswith("////")
            if is_comment or not self.text.strip():
                self.index += 1
                continue
            if self._read_metadata(metadata):
                continue
            title = self._title(metadata)
            if title:
                yield self._heading(title, metadata.anchors)
            else:
                block = self._block(metadata)
                if metadata.anchors:
                    yield Block(line=block.line, html="", anchors=tuple(metadata.anchors))
                if block.html:
                    yield block
            metadata = BlockMetadata()

    def _title(self, metadata: BlockMetadata) -> SectionTitle | None:
        """Returns the title of a section that begins on the line: `== Jig`, or `Jig` above a line
        that underlines it. Returns None if there is no title, or a heading that begins no section:
        a discrete one, or one inside a block."""
        if self.depth > 0 or metadata.style in DISCRETE:
            return None
        text = self.text
        title = TITLE.fullmatch(text)
        if title:
            return SectionTitle(level=len(title["marks"]), text=title["text"], lines=1)

        line_below = self.text_at(self.index + 1)
        underline = UNDERLINE.fullmatch(line_below)
        is_about_as_long = abs(len(line_below) - len(text)) <= UNDERLINE_TOLERANCE
        if underline and is_about_as_long and re.match(r"\w", text):
            level = UNDERLINES.index(underline["sign"]) + 1
            return SectionTitle(level, text, lines=2)
        return None

    def _heading(self, title: SectionTitle, anchors: Sequence[str]) -> Block:
        """Reads a title, and returns its block. `anchors` are those above it.

        Asciidoctor and Antora make further anchors of its words: `_table_saw` and `table-saw` for
        "Table saw".
        """
        line = self.lines[self.index].number
        self.index += title.lines
        name = self.markup.plain(title.text)
        words = re.sub(r"[^\w .-]", "", name.lower())
        slug = re.sub(r"[ .-]+", "_", words).strip("_")
        anchors_inside = BLOCK_ANCHOR.findall(title.text)
        anchors_of_words = (f"_{slug}", slug.replace("_", "-"))
        all_anchors = (*anchors, *anchors_inside, *anchors_of_words)
        return heading(name, level=title.level, line=line, anchors=all_anchors)

    def _read_metadata(self, metadata: BlockMetadata) -> bool:
        """Reads the line if it says something about the block below: `[[jig]]`, `[source,python]`
        or `.A title`. Also reads an attribute of the document (`:saw: a tool`). Returns whether the
        line was read."""
        text = self.text.strip()
        if entry := ENTRY.fullmatch(self.text):
            self.markup.set_attribute(entry)
        elif anchor := BLOCK_ANCHOR.fullmatch(text):
            metadata.anchors.append(anchor[1])
        elif attributes := BLOCK_ATTRIBUTES.fullmatch(text):
            metadata.add_attributes(attributes[1])
        elif title := BLOCK_TITLE.fullmatch(self.text):
            metadata.title = title[1]
        else:
            return False
        self.index += 1
        return True

    def _is_too_deep(self, outer: OuterMarks) -> bool:
        """Returns whether nothing can be nested in an item of the lists `outer`."""
        return self.depth + len(outer) >= MAX_DEPTH

    def _block(self, metadata: BlockMetadata, outer: OuterMarks = ()) -> Block:
        """Reads one block. Its title, if it has one, becomes a paragraph above it."""
        block = self._block_without_title(metadata, outer)
        if metadata.title:
            block = block._replace(html=f"<p>{self.markup.html(metadata.title)}</p>{block.html}")
        return block

    def _block_without_title(self, metadata: BlockMetadata, outer: OuterMarks) -> Block:
        """Reads one block: a delimited block, a list, a macro, a rule, or a paragraph."""
        line, text = self.lines[self.index]
        is_deep = self._is_too_deep(outer)  # lists are then read as paragraphs
        if DELIMITER.fullmatch(text.rstrip()):
            return self._delimited(metadata, outer)
        if (label := LABEL.fullmatch(text)) and not is_deep:
            items = tuple(self._labeled(label["mark"], outer))
            return Block(line, labeled_list_html(items), candidates=items, form="table")
        if plain_item(text) and not is_deep:
            plain_items = self._items(outer)
            html = plain_list_html(text, plain_items)
            return Block(line, html, candidates=listed_terms.list_terms(plain_items), form="list")
        if macro := MACRO.fullmatch(text.strip()):
            self.index += 1
            return Block(line=line, html=self._block_macro(macro, line))
        if text.strip() in RULES_AND_BREAKS:
            self.index += 1
            return Block(line=line, html="")
        if title := TITLE.fullmatch(text):  # a heading that begins no section
            self.index += 1
            words = self.markup.html(title["text"])
            return Block(line=line, html=f"<p><strong>{words}</strong></p>")
        return self._paragraph(metadata, outer)

    def _paragraph(self, metadata: BlockMetadata, outer: OuterMarks) -> Block:
        """Reads a paragraph: code, a note, a quotation, or words that may begin with a name."""
        line, first = self.lines[self.index]
        style = metadata.style
        if first[:1].isspace() or style in CODE:  # an indented paragraph is code, too
            code = textwrap.dedent("\n".join(self._paragraph_texts()))
            return Block(line=line, html=sphinx_markup.code(code, metadata.language))
        texts = self._paragraph_texts(outer)
        if admonition := ADMONITION.fullmatch(first):
            style = admonition["kind"].lower()
            texts[0] = admonition["text"]
        html = framed_html(self._paragraph_html(texts), style)
        return listed_terms.paragraph_block(html, line)

    def _paragraph_texts(self, outer: OuterMarks = ()) -> list[str]:
        """Reads a paragraph, which may end at an item of the lists `outer`, without comments."""
        start = self.index
        self.index += 1
        while not ends_paragraph(self.text) and list_mark(self.text) not in outer:
            self.index += 1
        texts = [line.text for line in self.lines[start : self.index]]
        return [text for text in texts if not text.startswith("//")]

    def _paragraph_html(self, texts: Iterable[str]) -> str:
        words = self.markup.html("\n".join(texts))
        return f"<p>{words}</p>"

    def _delimited(self, metadata: BlockMetadata, outer: OuterMarks) -> Block:
        """Reads a block between two lines of marks, such as `----`."""
        line, text = self.lines[self.index]
        mark = text.rstrip()
        inside = self._lines_inside(mark)
        if mark.startswith(("|", ",", "!")):
            return self._table(inside, line, metadata.columns)
        html = self._delimited_html(mark, inside, metadata, outer)
        return Block(line=line, html=html)

    def _lines_inside(self, mark: str) -> list[AsciidocLine]:
        """Reads a block between two lines of marks, and returns the lines between them."""
        line = self.lines[self.index].number
        closing = mark
        if mark.startswith("```"):
            closing = "```"  # the first line may have a language too: ```python
        inside: list[AsciidocLine] = []
        self.index += 1
        while not self.is_at_end:
            current = self.lines[self.index]
            self.index += 1
            if current.text.rstrip() == closing:
                return inside
            inside.append(current)
        found = f"a block that is never closed: {mark}"
        self.markup.report(line, found, "end it with the same line")
        return inside

    def _table(self, inside: Sequence[AsciidocLine], line: int, columns: int) -> Block:
        """Returns the block of a table that begins on a line."""
        rows: list[listed_terms.TableRow] = []
        html = ""
        for number, texts in table_rows(inside, columns):
            cells = [*map(self.markup.html, texts)]
            rows.append((number, cells))
            html += f"<tr><td>{'</td><td>'.join(cells)}</td></tr>"
        return listed_terms.table_block(f"<table>{html}</table>", line, rows)

    def _delimited_html(
        self, mark: str, inside: Sequence[AsciidocLine], metadata: BlockMetadata, outer: OuterMarks
    ) -> str:
        """Returns the HTML of a block between two lines of marks that is no table."""
        text = "\n".join([one.text for one in inside])
        style = metadata.style
        if mark.startswith("/"):  # a comment
            return ""
        if mark.startswith("`"):
            return sphinx_markup.code(text, mark.removeprefix("```"))
        if mark.startswith(("---", ".")) or style in CODE:  # `--` is no code
            return sphinx_markup.code(text, metadata.language)
        if mark.startswith("+"):  # HTML
            return f"<p>{escape(without_tags(text), quote=False)}</p>"
        html = escape(text)  # blocks that are too deep are shown as text
        if not self._is_too_deep(outer):
            depth = self.depth + len(outer) + 1
            blocks = BlockReader(inside, self.markup, depth=depth).blocks()
            html = "".join([block.html for block in blocks])
        return framed_html(html, "quote" if mark.startswith("_") else style)

    def _block_macro(self, macro: re.Match[str], line: int) -> str:
        """Returns the HTML of a macro that is alone on its line. Only images are shown. A file that
        is not read, but should be included, is reported."""
        name, target, content = macro.groups()
        address = self.markup.with_attributes(target)
        if name == "image":
            return f"<p>{sphinx_markup.image(address, alternative(content, target))}</p>"
        if name == "include":
            # A file such as `{common}/settings.adoc` often only sets attributes, and has no terms.
            if "{" not in address:
                self.markup.is_partial = True
            found = f"the file '{address}' that is included here is not read"
            self.markup.report(line, found, "write its text here, or name it in `paths`")
        return ""

    def _labeled(self, mark: str, outer: OuterMarks) -> Iterator[Candidate]:
        """Reads the items of a labeled list. An item without text shares the text of the item right
        below it: `Jig::` above `Template:: Holds.` is one term with two names. Above a blank
        line, `Jig::` is a term without a text, though Asciidoctor joins the two there as well."""
        items: list[Candidate] = []
        while label := self.next_label(mark):
            item = self._labeled_item(label, (*outer, mark))
            items.append(item)
            is_above_blank = not self.text_at(self.index - 1).strip()
            if item.html or is_above_blank:
                yield merged(items)
                items = []
        if items:
            yield merged(items)

    def _labeled_item(self, label: FoundLabel, outer: OuterMarks) -> Candidate:
        """Reads one item of a labeled list. If it has no name, its anchor is the name: `[[jig]]::
        Holds.`"""
        self.index = label.line_index
        line = self.lines[self.index].number
        anchors_before, written = label.match["anchors"], label.match["name"]
        anchors = [*label.anchors, *BLOCK_ANCHOR.findall(anchors_before + written)]
        without_notes = MARK.sub("", FOOTNOTE.sub("", written))
        name = self.markup.plain(without_notes).strip()
        if not name and anchors:
            name = anchors[-1]
        html = self._item(label.match["text"] or "", outer)
        for note in FOOTNOTE.findall(written):  # notes of the name are shown below the text
            html += f"<p>({self.markup.html(note)})</p>"
        return Candidate((name,), html, line, tuple(anchors))

    def _items(self, outer: OuterMarks) -> list[tuple[int, str]]:
        """Reads a bulleted or numbered list, and returns the lines and the HTML of its items."""
        mark = list_mark(self.text)
        items = []
        index = self.index  # of the next item, which may be below blank lines
        while list_mark(self.text_at(index)) == mark:
            self.index = index
            item = plain_item(self.text)
            assert item is not None  # it has the same mark as the first one
            line = self.lines[index].number
            html = self._item(item["text"], (*outer, mark))
            # A single paragraph needs no `<p>`.
            if html.startswith("<p>") and html.count("<p>") == 1:
                html = html.removeprefix("<p>").replace("</p>", "", 1)
            items.append((line, html))
            index = self.below_blank()
        return items

    def _item(self, text: str, outer: OuterMarks) -> str:
        """Reads an item of a list, with the blocks and lists in it, and returns its HTML. `text` is
        the text after its mark."""
        self.index += 1
        html = ""
        if texts := self._texts_of_item(text):
            html = self._paragraph_html(texts)
        elif self._is_styled_block():  # such as `[quote]` below `Jig::`, without a `+`
            html = self._attached(outer)
        while (block := self._next_in_item(outer)) is not None:
            html += block
        return html

    def _texts_of_item(self, text: str) -> list[str]:
        """Reads the first paragraph of an item, and returns its lines without comments."""
        texts = [text] if text else []
        if not text:  # the text of a label may be below the label
            self.index = self.below_blank()
            if TITLE.fullmatch(self.text) or BLOCK_TITLE.fullmatch(self.text):
                return []  # the title of a section or a block is no text
        while not ends_paragraph(self.text) and not list_mark(self.text):
            if not self.text.startswith("//"):
                texts.append(self.text.strip())
            self.index += 1
        return texts

    def _is_styled_block(self) -> bool:
        """Returns whether the line has attributes or the title of a block on the next line."""
        line_below = self.text_at(self.index + 1)
        # A blank, a heading or further attributes begin no block, and a label begins an item.
        is_block = re.match(r"[^\s=\[]", line_below) and not LABEL.fullmatch(line_below)
        is_metadata = BLOCK_ATTRIBUTES.fullmatch(self.text) or BLOCK_TITLE.fullmatch(self.text)
        return bool(is_block and is_metadata)

    def _next_in_item(self, outer: OuterMarks) -> str | None:
        """Reads the next block in an item, and returns its HTML: a block below a line `+`, or an
        inner list. Returns None if the item ends here."""
        index = self.below_blank()
        text = self.text_at(index)
        if text.strip() == "+":
            self.index = index + 1
            return self._attached(outer)

        mark = list_mark(text)
        # A mark of a list around this one begins the next item of that list.
        is_inner_list = mark and mark not in outer
        if self._is_too_deep(outer) or not is_inner_list:
            return None
        self.index = index
        if plain_item(text):
            return plain_list_html(text, self._items(outer))
        return labeled_list_html(self._labeled(mark, outer))

    def _attached(self, outer: OuterMarks) -> str:
        """Reads the block that is attached to an item, and returns its HTML. The HTML is empty if
        there is no block."""
        metadata = BlockMetadata()
        self.index = self.below_blank()
        while self._read_metadata(metadata):
            self.index = self.below_blank()
        return "" if self.is_at_end else self._block(metadata, outer).html
