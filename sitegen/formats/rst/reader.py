"""Sphinx's `.. glossary::`, wherever it stands, and bare definition lists in reStructuredText.

A Markdown file that holds the directive is read here too, and so is a MyST fence with reStructuredText inside: it is
the markup of the definitions that counts. Here is what tells such a document, and `_rst_pieces` reads it; docutils is
loaded only where that takes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sitegen.formats.common import directive_blocks
from sitegen.formats.common.fences import is_markdown
from sitegen.formats.rst import chunks
from sitegen.formats.rst.rst_in_markdown import unwrap
from sitegen.model import Document, Reading
from sitegen.text.known import Known

EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]+(?![_|\[])(?:(?P<name>[\w:+.-]+)::)?|$)")
SHOWN = frozenset({*directive_blocks.CODE, *directive_blocks.SILENT, *directive_blocks.INERT, "parsed-literal"})
"""Directives inside which a glossary is an example."""
IN_RST = re.compile(r":(?=:)(?<=glossary:)", re.I)
IN_MYST = re.compile(r"\{glossary\}", re.I)
WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|\?xml)", re.I)
UNDERLINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}")
NOT_A_NAME = re.compile(r"[-*+•|>#<{}\[;%] ?|\d+[.)] |:\w|\.\. |.*[:{(;,=]$|.{120}")
STRESSED = re.compile(r"(\*\*?)\w(?:.*[^\s*])?\1(?: : .*)?")
OWN = re.compile(r"\n[ \t]*\.\. (?:\w[\w:+.-]*::|_[^\n]+:)|(?<!\w):[a-z][\w:+.-]*:`[^`]+`|`[^`<]+<[^>]+>`__?")
"""What is no Markdown: a directive, a target, a role, a link."""
MIN_NAMES = 2


def looks_like(document: Document, _known: Known) -> bool:
    """True when the document holds a glossary directive, or is for the most part one definition list."""
    if WEB_PAGE.match(document.text):
        return False
    if is_markdown(document.text) and not _names_directive(document.text):
        return False
    unwrapped = unwrap(document.text)
    lines = unwrapped.text.split("\n")
    in_markdown = unwrapped.headings is not None
    return _has_directive(lines, in_markdown=in_markdown) or (not in_markdown and _is_definition_list(unwrapped.text))


def _names_directive(text: str) -> bool:
    return (":" in text and IN_RST.search(text) is not None) or ("{" in text and IN_MYST.search(text) is not None)


def parse(document: Document, known: Known) -> Reading:
    """Returns the entries of all glossaries in the document; of its definition lists when it has no glossary."""
    return chunks.read(document, known)


def _has_directive(lines: Sequence[str], *, in_markdown: bool) -> bool:
    """True when a glossary directive stands in none of the lines that are shown as code or not at all."""
    around: list[tuple[int, bool]] = []
    for line in filter(str.strip, lines):
        margin = _indent(line)
        while around and around[-1][0] >= margin:
            around.pop()
        is_shown = (in_markdown and margin > 3) or any(shown for _, shown in around[-1:])
        if directive_blocks.GLOSSARY.match(line) and not is_shown:
            return True
        around.append((margin, is_shown or _shows_code(line)))
    return False


def _shows_code(line: str) -> bool:
    """True for a line that opens a literal block, a comment, or a directive that shows code."""
    explicit = EXPLICIT.match(line)
    if explicit:
        return explicit["name"] is None or explicit["name"].lower() in SHOWN
    return line.rstrip().endswith("::")


def _is_definition_list(text: str) -> bool:
    """True when most of what begins in the first column is a name with something indented right below it.

    Names in bold are Markdown's too, which has them as paragraphs: what else the text says decides.
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
