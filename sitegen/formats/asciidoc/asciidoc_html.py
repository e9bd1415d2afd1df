"""Puts the HTML of AsciiDoc lists, notes and quotations together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from sitegen.formats.asciidoc.asciidoc_lines import list_mark
from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import Candidate

STYLES_OF_NOTES = frozenset("note tip important warning caution".split())


def plain_list_html(first: str, items: Iterable[tuple[int, str]]) -> str:
    """Returns the HTML of a bulleted or numbered list. `first` is its first line."""
    html = "".join([f"<li>{item}</li>" for _, item in items])
    tag = "ul" if list_mark(first).startswith(("*", "-", "•")) else "ol"
    return f"<{tag}>{html}</{tag}>"


def labeled_list_html(items: Iterable[Candidate]) -> str:
    """Returns the HTML of a labeled list."""
    html = ""
    for item in items:
        for name in item.names:
            html += f"<dt>{escape(name, quote=False)}</dt>"
        html += f"<dd>{item.html}</dd>"
    return f"<dl>{html}</dl>"


def merged(items: Sequence[Candidate]) -> Candidate:
    """Returns one item with the names and anchors of several, and the text of the last one."""
    first, last = items[0], items[-1]
    names: list[str] = []
    anchors: list[str] = []
    for item in items:
        names += item.names
        anchors += item.anchors
    return Candidate(tuple(names), last.html, first.line, tuple(anchors))


def framed_html(html: str, style: str) -> str:
    """Returns the HTML of a block in a note or a quotation, if its style is that of one."""
    if style in STYLES_OF_NOTES:
        return sphinx_markup.note(style.capitalize(), html)
    if style in ("quote", "verse"):
        return f"<blockquote>{html}</blockquote>"
    return html
