"""Which lines of reStructuredText are prose: those of notes and tables as well, but no code and no comment.

Directives are told by their names. What one that is not known here has below its head is taken for prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from sitegen.formats.common import directive_blocks

TITLED = frozenset(
    (*directive_blocks.NOTES, *directive_blocks.CHANGES, *directive_blocks.TITLED, *directive_blocks.QUOTES)
).union("centered csv-table deprecated-removed list-table replace rubric tab-item table".split())
"""Directives whose first line is prose; that of others is for programs."""
SILENT = frozenset((*directive_blocks.CODE, *directive_blocks.SILENT, *directive_blocks.INERT)).union(
    "bibliography command-output exec glossary image inheritance-diagram jupyter-execute math plantuml plot"
    " program-output tikz unicode".split()
)
"""Directives with code, markup or nothing to read; and the glossary, which defines what is outdated."""

_MARGIN = re.compile(r"[ \t]*(?:(?:[-*+•]|\(?(?:\d+|[a-zA-Z#])[.)])[ \t]+)*")
"""What stands before the text of a line, the marks of list items too."""
_EXPLICIT = re.compile(
    r"""\.\. (?: [ \t]+ (?: (?P<footnote>\[[^\]]+\](?=\s))
                          | (?:\|[^|]+\|[ \t]+)? (?:\w+:)* (?P<directive>\w[\w+.-]*)[ \t]?::(?!\S) )
              | (?!\S) )""",
    re.X,
)
"""How a footnote, a directive, a target or a comment begins."""
_OPTION = re.compile(r"[ \t]+:[^:\s][^:]*:(?!\S)")

Hidden = Literal["nothing", "block", "paragraph", "options"]
"""What is no prose of the lines that stand further in: none, all, those up to an empty one, or those with options."""


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yields where each stretch of prose begins and ends, none longer than a paragraph."""
    begin = end = 0
    for first, last in _lines(text):
        if first != end:
            yield begin, end
            begin = first
        end = last
    yield begin, end


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """What of each line is prose, if anything."""
    hidden: Hidden = "nothing"
    column = end = 0
    for line in text.splitlines(keepends=True):
        start, end = end, end + len(line)
        if not line.strip():
            hidden = "block" if hidden == "block" else "nothing"
            continue
        if hidden != "nothing" and _indent(line) > column and (hidden != "options" or _OPTION.match(line)):
            continue
        margin = _MARGIN.match(line)
        at = margin.end() if margin else 0
        column = len(line[:at].expandtabs())
        hidden, begin = _read(line, at)
        if begin < len(line):
            yield start + begin, end


def _indent(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def _read(line: str, at: int) -> tuple[Hidden, int]:
    """What a line says of those further in, and where prose begins in it."""
    mark = _EXPLICIT.match(line, at)
    if mark is None:
        return ("block" if line.rstrip().endswith("::") else "nothing"), 0
    name = (mark["directive"] or "").lower()
    if mark["footnote"] or name in TITLED:
        return "options", mark.end()
    if not name or name in SILENT:
        return "block", len(line)
    return ("paragraph" if line[mark.end() :].strip() else "options"), len(line)
