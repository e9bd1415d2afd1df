"""The formats a glossary may be written in, and how one is recognised: by content, never by file name.

A format is one module with two functions: `looks_like(document)` says how sure it is, and `parse(document)` returns
what it understood. A format knows nothing of its neighbours, of releases or of pages, and never fails on content.
To add one: a module here, a row in `FORMATS`, a case file in `tests/formats/`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sitegen.formats import html, markdown, myst, sphinx, text
from sitegen.model import Document, Problem, Reading


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    looks_like: Callable[[Document], bool]
    parse: Callable[[Document], Reading]


FORMATS = (
    Format("sphinx", sphinx.looks_like, sphinx.parse),
    Format("myst", myst.looks_like, myst.parse),
    Format("html", html.looks_like, html.parse),
    Format("markdown", markdown.looks_like, markdown.parse),
    Format("text", text.looks_like, text.parse),
)
"""In the order they are asked; the first that recognises a document reads it."""


def recognise(document: Document) -> Format | None:
    """Returns the format named by the document, or else the first that recognises its content."""
    if document.format:
        return next((format for format in FORMATS if format.name == document.format), None)
    return next((format for format in FORMATS if format.looks_like(document)), None)


def read(document: Document) -> Reading:
    """Returns the entries of a document and what was odd in it. A document of no known form is one problem."""
    format = recognise(document)
    if format is None:
        known = ", ".join(format.name for format in FORMATS)
        problem = Problem(path=document.path, found="no glossary recognised here", wanted=f"known formats: {known}")
        return Reading(problems=(problem,))
    return format.parse(document)
