"""The formats a glossary may be written in, and how one is recognised: by content, never by file name.

A format is one module with two functions: `looks_like(document, known)` says whether it is one of its own, and
`parse(document, known)` returns what it understood. What is `known` from documents read before is not made again. A
format knows nothing of its neighbours, of releases or of pages, and never fails on content. To add one: a module
here, a row in `FORMATS`, a case file in `tests/formats/`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sitegen.formats import html, markdown, myst, sphinx, text
from sitegen.formats._rows import READING
from sitegen.known import Known
from sitegen.model import Document, Problem, Reading


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    looks_like: Callable[[Document, Known], bool]
    parse: Callable[[Document, Known], Reading]


FORMATS = (
    Format("sphinx", sphinx.looks_like, sphinx.parse),
    Format("myst", myst.looks_like, myst.parse),
    Format("html", html.looks_like, html.parse),
    Format("markdown", markdown.looks_like, markdown.parse),
    Format("text", text.looks_like, text.parse),
)
"""In the order they are asked; the first that recognises a document reads it."""


def recognise(document: Document, known: Known | None = None) -> Format | None:
    """Returns the format named by the document, or else the first that recognises its content."""
    known = known or Known()
    if document.format:
        return next((format for format in FORMATS if format.name == document.format), None)
    return next((format for format in FORMATS if format.looks_like(document, known)), None)


def read(document: Document, known: Known | None = None) -> Reading:
    """Returns the entries of a document and what was odd in it. A document of no known form is one problem."""
    return (known or Known()).of(_read, READING)[document]


def _read(document: Document, known: Known) -> Reading:
    format = recognise(document, known)
    if format is None:
        names = ", ".join(format.name for format in FORMATS)
        problem = Problem(path=document.path, found="no glossary recognised here", wanted=f"known formats: {names}")
        return Reading(problems=(problem,))
    return format.parse(document, known)
