"""Reads reStructuredText: Sphinx's `.. glossary::`, or else definition lists, sections and bold names.

It also reads a Markdown file that contains the directive, and a MyST fence with reStructuredText inside: the markup
of the definitions decides.

docutils is loaded only for documents that it reads (`parser`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from sitegen.formats.common import glossary_directives, sphinx_markup
from sitegen.formats.common.fences import MARKDOWN, Fence, fences, options, without_front_matter
from sitegen.formats.common.glossary_directives import Headings, nested
from sitegen.formats.common.outline import Outline
from sitegen.model import Document, Reading
from sitegen.text.memo import memo

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


def looks_like(document: Document) -> bool:
    """Returns whether the document has a glossary directive, or definition lists or sections like those of a
    glossary.
    """
    text = document.text
    names_directive = (":" in text and IN_RST.search(text)) or ("{" in text and IN_MYST.search(text))
    if WEB_PAGE.match(text) or (MARKDOWN.search(f"\n{text}") and not names_directive):
        return False
    rst_text, headings = unwrap(text)
    if _has_entries(rst_text, in_markdown=headings is not None):
        return True
    is_rst_file = document.name.lower().endswith((".rst", ".rest")) or OWN.search(f"\n{text}") is not None
    return headings is None and is_rst_file and _outline(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document, or else of its definition lists or sections."""
    from sitegen.formats.rst import parser

    text, headings = unwrap(document.text)
    is_outline = headings is None and not _has_entries(text, in_markdown=False)
    if is_outline and (outline := _outline(document)).is_convincing:
        return outline.reading
    return parser.read(text, document, headings=headings)


@memo
def _outline(document: Document) -> Outline:
    from sitegen.formats.rst import parser

    return parser.read_sections(document)


def _has_entries(text: str, *, in_markdown: bool) -> bool:
    """Returns whether a text has a glossary directive, or is for the most part one definition list."""
    has_directive = _has_directive(text.split("\n"), in_markdown=in_markdown)
    return has_directive or (not in_markdown and _is_definition_list(text))


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


def unwrap(text: str) -> tuple[str, Headings | None]:
    """Returns the reStructuredText of a document, and the headings of the Markdown around it, if there is any.

    All lines keep their numbers.
    In Markdown, a fence `{eval-rst}` is replaced by its text, a fence `{glossary}` around reStructuredText becomes
    the directive, and code is blanked: a glossary inside it is an example.
    """
    if not MARKDOWN.search(f"\n{text}"):
        return text, None
    from sitegen.formats.markdown import commonmark  # a parser that few documents need

    lines = without_front_matter(text.split("\n"))
    markdown_lines = list(lines)
    for fence in fences(lines):
        fenced = slice(fence.first, fence.past)
        markdown_lines[fenced] = [""] * (fence.past - fence.first)
        lines[fenced] = _rst_of(fence, lines[fenced])
    return "\n".join(lines), nested(commonmark.headings(commonmark.tokens("\n".join(markdown_lines))))


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
