"""The HTML of directives such as `.. note::` and `{note}`, and which kind of block each one is.

reStructuredText and MyST have the same directives, with the same HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

GLOSSARY = re.compile(r"[ \t]*\.\. +glossary::(?=\s|$)", re.I)
"""The line that opens a glossary in reStructuredText."""
NOTES = {
    "attention": "Attention",
    "caution": "Caution",
    "danger": "Danger",
    "error": "Error",
    "hint": "Hint",
    "important": "Important",
    "note": "Note",
    "seealso": "See also",
    "tip": "Tip",
    "todo": "To do",
    "warning": "Warning",
}
KINDS = frozenset(name.lower() for name in (*NOTES.values(), "Info"))
"""Titles of notes that only name their kind."""
CHANGES = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
}
TITLED = frozenset("admonition topic sidebar dropdown card".split())
QUOTES = frozenset("epigraph highlights pull-quote".split())
PLAIN = frozenset("acks compound hlist line-block".split())
"""Directives whose content is read."""
LABELLED = frozenset("class container cssclass only rst-class tab-set".split())
"""Directives whose content is read, and whose argument is not shown."""
CODE = {
    "code": "",
    "code-block": "",
    "code-cell": "",
    "digraph": "dot",
    "doctest": "pycon",
    "graph": "dot",
    "graphviz": "dot",
    "ipython": "ipython",
    "jupyter-execute": "python",
    "mermaid": "",
    "parsed-literal": "",
    "productionlist": "",
    "prompt": "console",
    "sourcecode": "",
    "testcode": "python",
    "testoutput": "",
    "uml": "",
}
"""Directives whose content is code, with the default language."""
SILENT = frozenset(
    "codeauthor contents currentmodule default-role footer header highlight index meta module moduleauthor role"
    " sectionauthor sectnum tabularcolumns target-notes testcleanup testsetup title toctree".split()
)
"""Directives that show nothing in an entry."""
INERT = {
    "date": "the day of building is never shown",
    "include": "the file that it names is not read",
    "literalinclude": "the file that it names is not read",
    "raw": "markup for one output format is never passed on",
}
UNREAD = "write the text here instead"
AS_TEXT = "its words are shown as plain text"


def names_kind(title: str, kinds: Iterable[str]) -> bool:
    """True if the title of a note is only the name of its kind: a known one, or one of `kinds`."""
    return title.lower() in {*KINDS, *map(str.lower, kinds)}


def note(title: str, inner: str) -> str:
    """Returns the HTML of a note with the name of its kind, which is not part of the author's text."""
    return f'<div class="note"><p class="note-title">{escape(title)}</p>{inner}</div>'


def titled(title: str, inner: str) -> str:
    """Returns the HTML of a block with the author's title (as HTML)."""
    return f'<div class="note"><p><strong>{title}</strong></p>{inner}</div>'


def change(name: str, version: str, inner: str) -> str:
    """Returns the HTML of a remark on a version, in Sphinx's words: "Deprecated since version 2.0: use that."."""
    words = escape(f"{CHANGES[name]} {version}".strip())
    said = f"<p>{words}: {inner.removeprefix('<p>')}" if inner.startswith("<p>") else f"<p>{words}.</p>{inner}"
    return f'<div class="note">{said}</div>'


def code(text: str, language: str) -> str:
    """Returns the HTML of a code block. The language is left out if it is not a plain word."""
    return marked_code(escape(text, quote=False), language)


def marked_code(inner: str, language: str) -> str:
    """Returns the HTML of a code block with markup inside, such as links."""
    known = f' class="language-{language}"' if re.fullmatch(r"[\w+#.-]+", language) else ""
    return f"<pre><code{known}>{inner}</code></pre>"


def image(source: str, words: str) -> str:
    """Returns the HTML of an image; pages show it as a link."""
    return f'<img src="{escape(source)}" alt="{escape(words)}">'
