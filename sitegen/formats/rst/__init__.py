"""Reads reStructuredText: Sphinx's `.. glossary::`, or else definition lists, sections and bold
names.

It also reads a Markdown file that contains the directive, and a MyST fence with reStructuredText
inside: the markup of the definitions decides.

docutils is loaded only for documents that it reads (`parser`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from sitegen.formats.common.fences import (
    MARKDOWN,
    MYST_GLOSSARY,
    Fence,
    fences,
    options,
    without_front_matter,
)
from sitegen.formats.common.glossary_directives import Headings, nested
from sitegen.formats.common.outline import Outline
from sitegen.model import Document, Reading
from sitegen.text.file_names import RST_SUFFIXES
from sitegen.text.memo import memo

IN_RST = re.compile(r":(?=:)(?<=glossary:)", re.I)
"""Matches in `glossary::`. Two colons are looked for first, as few texts have them."""
WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|\?xml)", re.I)
ONLY_RST = (
    r"\n[ \t]*\.\. (?:\w[\w:+.-]*::|_[^\n]+:)|(?<!\w):[a-z][\w:+.-]*:`[^`]+`|`[^`<]+<[^>]+>`__?"
)
"""Markup that only reStructuredText has: a directive (`.. note::`), a target (`.. _jig:`), a role
(":term:`jig`"), a link ("`jig <jig.html>`_")."""
UNDERLINED = re.compile(r"^\S.*\n([=\-~^*+\"#])\1{2,}[ \t]*$", re.M)
"""A heading, which in a `.txt` file is reStructuredText."""
GLOSSARY_IN_MARKDOWN = re.compile(r"^ {0,3}\.\. +glossary::(?=\s|$)", re.I | re.M)
"""Indented further, it is code."""

INLINE_RST = r"(?<![{\w]):[a-z][\w:+.-]*:`[^`]|`[^`<]+<[^>`]+>`_"
MYST_ROLE = re.compile(r"\{[a-z][\w:+.-]*\}`")


def looks_like(document: Document) -> bool:
    """Returns whether the document has a glossary directive, or definition lists or sections like
    those of a glossary.
    """
    text = document.text
    if WEB_PAGE.match(text) or not _may_be_rst(text, document.name.lower()):
        return False
    return _outline(document).is_convincing


def _may_be_rst(text: str, name: str) -> bool:
    """Returns whether a text may be reStructuredText: it has a glossary directive, or the suffix or
    the markup of that format."""
    if IN_RST.search(text) or MYST_GLOSSARY.search(text):
        return True
    lines = f"\n{text}"  # the patterns begin with a line end
    if MARKDOWN.search(lines):
        return False
    if name.endswith(RST_SUFFIXES) or re.search(ONLY_RST, lines):
        return True
    return name.endswith(".txt") and UNDERLINED.search(text) is not None


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document, or else of its definition lists or
    sections."""
    return _outline(document).reading


@memo
def _outline(document: Document) -> Outline:
    """Returns the outline of the glossaries in a document, or else of its definition lists or
    sections. In Markdown, only glossaries are read."""
    from sitegen.formats.rst import glossaries

    text, headings = _unwrap(document.text)
    is_markdown = headings is not None
    if is_markdown and not GLOSSARY_IN_MARKDOWN.search(text):
        return Outline(Reading(), is_convincing=False)
    return glossaries.read(text, document, headings=headings)


def _unwrap(text: str) -> tuple[str, Headings | None]:
    """Returns the reStructuredText of a document, and the headings of the Markdown around it, if
    there is any.

    All lines keep their numbers. The Markdown outside of fences stays: docutils reads it too, but
    only the glossaries of such a document become entries.
    """
    if not MARKDOWN.search(f"\n{text}"):
        return text, None
    from sitegen.formats.markdown.blocks import parse_outside  # few documents need this parser

    lines = without_front_matter(text.split("\n"))
    outer = [*fences(lines)]
    headings = nested(parse_outside(lines, outer).headings)
    for fence in outer:
        fenced = slice(fence.first, fence.past)
        lines[fenced] = _rst_of(fence, lines[fenced])
    return "\n".join(lines), headings


def _rst_of(fence: Fence, lines: list[str]) -> list[str]:
    """Returns the reStructuredText in the lines of a fence, in as many lines. A `{glossary}` around
    "Jig" becomes `.. glossary::`, `   Jig` and an empty line."""
    if fence.directive == "eval-rst":
        return ["", *fence.body, ""]
    if fence.directive == "glossary" and _has_rst(fence):
        return [".. glossary::", *_indented(fence.body), ""]
    if fence.is_code:  # a glossary in code is an example
        return [""] * len(lines)
    return lines


def _has_rst(fence: Fence) -> bool:
    """Returns whether the definitions in a fence are reStructuredText, not MyST."""
    body = "\n".join(fence.body)
    return re.search(INLINE_RST, body) is not None and not MYST_ROLE.search(body)


def _indented(body: Sequence[str]) -> list[str]:
    """Returns the lines of a directive's body, indented by three spaces, with empty lines in place
    of its options."""
    _, option_lines = options(body)
    text = textwrap.dedent("\n".join(body[option_lines:]))
    lines = [""] * option_lines
    lines += [f"   {line}".rstrip() for line in text.split("\n")]
    return lines
