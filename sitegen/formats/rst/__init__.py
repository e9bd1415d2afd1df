"""Reads reStructuredText: Sphinx's `.. glossary::`, or else definition lists, sections and bold names.

It also reads a Markdown file that contains the directive, and a MyST fence with reStructuredText inside: the markup
of the definitions decides.

Most entries have the same text at every release. So a document is split into its entries and the frame around them,
each is parsed separately, and the results are memoized. `_read_parts` returns None if that could give another result
than parsing the whole document (`parser.read`): if an entry refers to other parts of the document, the layout is
unusual, or there is any problem. Measured: reading 1,000 terms at 10 releases takes 0.4 s of CPU time instead of
0.7 s, and definition lists 0.3 s instead of 5.9 s. docutils is loaded only if it is needed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from sitegen.formats.common import entries as common_entries
from sitegen.formats.common import glossary_directives, sphinx_markup
from sitegen.formats.common.glossary_directives import (
    GlossaryLine,
    Headings,
    PlacedEntry,
    check_names,
    glossary_entries,
    markdown_headings,
    placed_entries,
    reading_in_sections,
    without_classifier,
)
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.raw_text import Fence, fences, is_markdown, options, without_front_matter
from sitegen.formats.rst.entries import ENUMERATED, NAME, DocumentFrame, RstEntry, RstSection, most_steps, plain
from sitegen.model import Document, Reading
from sitegen.text import compact_json
from sitegen.text.memo import Codec, memo

EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]+(?![_|\[])(?:(?P<name>[\w:+.-]+)::)?|$)")
SHOWN = frozenset({*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT, "parsed-literal", ""})
"""Directives that show code, and comments, which have no name: a glossary inside them is an example."""
IN_RST = re.compile(r":(?=:)(?<=glossary:)", re.I)
IN_MYST = re.compile(r"\{glossary\}", re.I)
WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|\?xml)", re.I)
UNDERLINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}")
NOT_A_NAME = re.compile(r"[-*+•|>#<{}\[;%] ?|\d+[.)] |:\w|\.\. |.*[:{(;,=]$|.{120}")
STRESSED = re.compile(r"(\*\*?)\w(?:.*[^\s*])?\1(?: : .*)?")
OWN = re.compile(r"\n[ \t]*\.\. (?:\w[\w:+.-]*::|_[^\n]+:)|(?<!\w):[a-z][\w:+.-]*:`[^`]+`|`[^`<]+<[^>]+>`__?")
"""Markup that only reStructuredText has: a directive, a target, a role, a link."""
MIN_NAMES = 2

RST_INLINE = re.compile(r"(?<![{\w]):[a-z][\w:+.-]*:`[^`]|`[^`<]+<[^>`]+>`_")
MYST_ROLE = re.compile(r"\{[a-z][\w:+.-]*\}`")

MAX_LINE = 20_000
"""Longer lines are truncated by `parser`, with a problem."""
UNUSUAL = "\r\0\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Characters that end a line for docutils, but not in an editor."""
# These patterns begin with a line end, because searching for one is fast; texts get one before their first line.
DIRECTIVE = re.compile(r"\n(?P<margin> *)\.\. +glossary::(?P<rest>[^\n]*)", re.I)
MARGIN = re.compile(r"\n( *)\S")
OPTION_LINES = re.compile(r"(?:\n:[\w-]+:[^\n]*(?=\n|\Z))*")
BETWEEN = re.compile(r"(\n(?<!\n\n)\n++)(?=\S)")
"""Empty lines above a line without indentation. The pattern begins with fixed text, which `re` finds fastest."""
LIST_ITEM = re.compile(rf"(?!{ENUMERATED})[^\W_][^\n]*(?<!::)\n [^\n]*(?:\n+ [^\n]*)*")
"""An item of a definition list: a name in the first column, and indented lines right below it."""
ONE_ITEM = "x\n    x"
"""The placeholder of a run of items in the frame of a document."""


def looks_like(document: Document) -> bool:
    """Returns whether the document has a glossary directive, or definition lists or sections like those of a
    glossary.
    """
    text = document.text
    names_directive = (":" in text and IN_RST.search(text)) or ("{" in text and IN_MYST.search(text))
    if WEB_PAGE.match(text) or (is_markdown(text) and not names_directive):
        return False
    unwrapped = unwrap(text)
    if _has_entries(unwrapped):
        return True
    is_rst_file = document.name.lower().endswith((".rst", ".rest")) or OWN.search(f"\n{text}") is not None
    return unwrapped.headings is None and is_rst_file and _outline(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document, or else of its definition lists or sections."""
    unwrapped = unwrap(document.text)
    if unwrapped.headings is None and not _has_entries(unwrapped) and (outline := _outline(document)).is_convincing:
        return outline.reading
    return read_glossaries(unwrapped, document)


def read_glossaries(unwrapped: Unwrapped, document: Document) -> Reading:
    """Returns the entries of all glossaries in the document, or else of its definition lists."""
    reading = _read_parts(unwrapped, document)
    if reading is None:
        from sitegen.formats.rst import parser

        reading = parser.read(unwrapped.text, document, _parsed_entry, headings=unwrapped.headings)
    return reading


@memo()
def _outline(document: Document) -> Outline:
    from sitegen.formats.rst import parser

    return parser.read_sections(document)


def _has_entries(unwrapped: Unwrapped) -> bool:
    """Returns whether a text has a glossary directive, or is for the most part one definition list."""
    in_markdown = unwrapped.headings is not None
    if _has_directive(unwrapped.text.split("\n"), in_markdown=in_markdown):
        return True
    return not in_markdown and _is_definition_list(unwrapped.text)


def _has_directive(lines: Sequence[str], *, in_markdown: bool) -> bool:
    """Returns whether there is a glossary directive that is not inside code or a comment."""
    outer: list[tuple[int, bool]] = []
    for line in filter(str.strip, lines):
        margin = _indent(line)
        while outer and outer[-1][0] >= margin:
            outer.pop()
        is_shown = (in_markdown and margin > 3) or any(shown for _, shown in outer[-1:])
        if glossary_directives.GLOSSARY_DIRECTIVE.match(line) and not is_shown:
            return True
        explicit = EXPLICIT.match(line)  # a literal block, a comment, or a directive that shows code
        shows = (explicit["name"] or "").lower() in SHOWN if explicit else line.rstrip().endswith("::")
        outer.append((margin, is_shown or shows))
    return False


def _is_definition_list(text: str) -> bool:
    """Returns whether most blocks are a name in the first column, with indented text on the next line.

    In Markdown, bold names above indented text are paragraphs: other markup decides.
    """
    names = stressed = others = 0
    lines = text.split("\n")
    for above, line, below in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if _indent(line) or not line or (above and not _indent(above)):
            continue
        has_more = below.strip() and _indent(below)
        if has_more and STRESSED.fullmatch(line):
            stressed += 1
        elif has_more and not NOT_A_NAME.match(line):
            names += 1
        elif not (UNDERLINE.fullmatch(below) or UNDERLINE.fullmatch(line) or line.startswith(".. ")):
            others += 1
    if stressed and OWN.search(text):
        return names + stressed >= MIN_NAMES and names + stressed > others
    return names >= MIN_NAMES and names > stressed + others


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class Unwrapped(NamedTuple):
    """The reStructuredText of a document, and the headings of the Markdown around it, if there is any."""

    text: str
    headings: Headings | None


def unwrap(text: str) -> Unwrapped:
    """Returns the reStructuredText of a document; all lines keep their numbers.

    In Markdown, a fence `{eval-rst}` is replaced by its text, a fence `{glossary}` around reStructuredText becomes
    the directive, and code is blanked: a glossary inside it is an example.
    """
    if not is_markdown(text):
        return Unwrapped(text, None)
    lines = without_front_matter(text.split("\n"))
    markdown_lines = list(lines)
    for fence in fences(lines):
        fenced = slice(fence.first, fence.past)
        markdown_lines[fenced] = [""] * (fence.past - fence.first)
        lines[fenced] = _rst_of(fence, lines[fenced])
    return Unwrapped("\n".join(lines), markdown_headings("\n".join(markdown_lines)))


def _rst_of(fence: Fence, lines: list[str]) -> list[str]:
    """Returns the reStructuredText in the lines of a fence; all lines keep their numbers."""
    last = [""] if fence.is_closed else []
    if fence.directive == "eval-rst":
        return ["", *fence.body, *last]
    body = "\n".join(fence.body)
    is_glossary = fence.directive == "glossary"
    if is_glossary and RST_INLINE.search(body) and not MYST_ROLE.search(body):
        _, option_lines = options(fence.body)
        definitions = textwrap.dedent("\n".join(fence.body[option_lines:])).split("\n")
        return [".. glossary::", *[""] * option_lines, *(f"   {line}".rstrip() for line in definitions), *last]
    return [""] * len(lines) if fence.is_code or is_glossary else lines


class Chunk(NamedTuple):
    """The text of one entry, and its line in the document."""

    text: str
    line: int


class ChunkRun(NamedTuple):
    """The chunks of a glossary, or consecutive chunks of a definition list."""

    first: int
    """The line in the frame of the glossary, or of the placeholder for the list."""
    chunks: list[Chunk]


def _read_parts(unwrapped: Unwrapped, document: Document) -> Reading | None:
    """Returns the same result as `parser.read`; None for a document that has to be parsed as a whole."""
    text = _normalized(unwrapped.text)
    if text is None:
        return None
    backquotes_are_code = unwrapped.headings is not None
    has_glossary = "glossary::" in text.lower()
    frame_text, runs = _split_glossaries(text) if has_glossary else _split_lists(text)
    if not runs or (backquotes_are_code and not has_glossary):
        return None
    check_names(document, (chunk.text for run in runs for chunk in run.chunks))
    frame = _parsed_frame(frame_text, backquotes_are_code, has_glossary)
    if [section.first for section in frame.sections] != [run.first for run in runs]:
        return None
    placed: list[PlacedEntry] = []
    names = set(frame.names)
    steps, max_steps = 0, most_steps(text)
    parse_chunk = _glossary_entry if has_glossary else _list_entry
    for run, section in zip(runs, frame.sections, strict=True):
        entries = []
        for chunk in run.chunks:
            parsed = parse_chunk(chunk.text, backquotes_are_code)
            steps += parsed.steps
            if parsed.is_dependent or steps > max_steps or any(name in names for name, _ in parsed.links):
                return None
            names.update([name for name, _ in parsed.links])
            item = common_entries.Candidate(names=parsed.names, html=parsed.html, line=chunk.line)
            entries.append(common_entries.entry(document, item, deprecated=parsed.deprecated))
        placed += placed_entries(entries, unwrapped.headings or section.titles, is_sorted=section.is_sorted)
    title = unwrapped.headings.title if unwrapped.headings else frame.title
    return reading_in_sections(placed, (), document=document, title=title)


def _normalized(text: str) -> str | None:
    """Returns the text as docutils reads it, after a line end; None if an editor counts its lines differently."""
    text = text.replace("\r\n", "\n")
    if any(mark in text for mark in UNUSUAL):
        return None
    lines = [line.rstrip() for line in text.expandtabs().split("\n")]
    return "\n".join(["", *lines]) if max(map(len, lines)) <= MAX_LINE else None


def _split_glossaries(text: str) -> tuple[str, list[ChunkRun]]:
    """Returns the frame of a document and the chunks of its glossaries; no chunks if the layout is unusual."""
    frame: list[str] = []
    runs: list[ChunkRun] = []
    # The end of the last glossary, the number of lines above it, and of those left out of the frame.
    past = lines_above = removed = 0
    for directive in DIRECTIVE.finditer(text):
        if directive.start() < past:  # inside the last glossary
            continue
        next_text = re.compile(rf"\n {{0,{len(directive['margin'])}}}\S").search(text, directive.end())
        end = next_text.start() if next_text else len(text)
        margin = "\n" + " " * min(map(len, MARGIN.findall(text, directive.end(), end)), default=0)
        body = text[directive.end() : end].replace(margin, "\n")
        begin = OPTION_LINES.match(body).end()  # type: ignore[union-attr]
        is_set_apart = body.startswith("\n\n", begin) and (not next_text or body.endswith("\n"))
        if directive["rest"] or not is_set_apart:
            return "", []
        lines_above += text.count("\n", past, directive.end())
        first_line = lines_above + body.count("\n", 0, begin) + 1
        runs.append(ChunkRun(lines_above - removed, _chunks(body[begin + 1 :], first_line)))
        frame += [text[past : directive.end()], body[:begin].replace("\n", margin), "\n"]
        lines_above, past = lines_above + body.count("\n"), end
        removed += body.count("\n", begin) - 1
    return "".join([*frame, text[past:]])[1:], runs


def _split_lists(text: str) -> tuple[str, list[ChunkRun]]:
    """Returns the frame of a document and the chunks of its definition lists."""
    frame: list[str] = []
    runs: list[ChunkRun] = []
    past = frame_line = 1
    is_in_run = False
    for chunk in _chunks(text[1:], 1):
        is_item = LIST_ITEM.fullmatch(chunk.text) is not None
        if not (is_item and is_in_run):
            gap = chunk.line - past
            content = ONE_ITEM if is_item else chunk.text
            frame += ["\n" * gap, content]
            frame_line += gap
            if is_item:
                runs.append(ChunkRun(frame_line, []))
            frame_line += content.count("\n")
        if is_item:
            runs[-1].chunks.append(chunk)
        past = chunk.line + chunk.text.count("\n")
        is_in_run = is_item
    return "".join(frame), runs


def _chunks(text: str, line: int) -> list[Chunk]:
    """Returns the parts of a text that begin without indentation. The text begins at a line of the document."""
    parts = BETWEEN.split(text.strip("\n"))
    line += len(text) - len(text.lstrip("\n"))
    chunks = []
    for chunk, gap in zip(parts[::2], [*parts[1::2], ""], strict=True):
        chunks.append(Chunk(chunk, line))
        line += chunk.count("\n") + len(gap)
    return chunks


@memo()
def _glossary_entry(text: str, backquotes_are_code: bool) -> RstEntry:
    """Parses a chunk of a glossary; the result has no names if the chunk is not one entry in the usual layout."""
    lines = [GlossaryLine(line, number) for number, line in enumerate(text.split("\n"), start=1)]
    items, problems = glossary_entries(lines, path="")
    without_indent = sum(not line.text.startswith(" ") for line in lines if line.text)
    if problems or len(items) != 1 or len(items[0].names) != without_indent:
        return RstEntry((), "")
    names = tuple([without_classifier(name.text) for name in items[0].names])
    return _parsed_entry(names, "\n".join([line.text for line in items[0].body]), backquotes_are_code)


@memo()
def _list_entry(text: str, backquotes_are_code: bool) -> RstEntry:
    """Parses an item of a definition list; the result has no names if its classifier has markup."""
    name, _, body = text.partition("\n")
    if " : " in name and not NAME.fullmatch(name):
        return RstEntry((), "")
    return _parsed_entry((without_classifier(name),), textwrap.dedent(body), backquotes_are_code)


def _parsed_entry(names: tuple[str, ...], body: str, backquotes_are_code: bool) -> RstEntry:
    return plain(names, body) or _entry_by_docutils(names, body, backquotes_are_code)


def _load_entry(data: bytes) -> RstEntry:
    names, html, deprecated, links, steps = compact_json.load(data)
    return RstEntry(tuple(names), html, deprecated, tuple([(name, address) for name, address in links]), steps)


@memo(Codec(table="rst_entries", dump=compact_json.dump, load=_load_entry))
def _entry_by_docutils(names: tuple[str, ...], body: str, backquotes_are_code: bool) -> RstEntry:
    from sitegen.formats.rst import parser

    return parser.parse_entry(names, body, backquotes_are_code)


def _load_frame(data: bytes) -> DocumentFrame:
    sections, title, names = compact_json.load(data)
    rst_sections = [RstSection(first, is_sorted, tuple(titles)) for first, is_sorted, titles in sections]
    return DocumentFrame(tuple(rst_sections), title, tuple(names))


@memo(Codec(table="rst_frames", dump=compact_json.dump, load=_load_frame))
def _parsed_frame(text: str, backquotes_are_code: bool, has_glossary: bool) -> DocumentFrame:
    from sitegen.formats.rst import parser

    return parser.parse_frame(text, backquotes_are_code, has_glossary)
