"""The formats that a glossary may be written in, and how each is recognised: by content, never by file name.

A format is one module with two functions: `looks_like(document)` returns whether the document is in the format, and
`parse(document)` returns its entries and problems. A format knows nothing of other formats, of releases or of pages,
and never fails on content. To add one: a module here, a row in `FORMATS`, a case file in `tests/formats/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from sitegen.formats.common.raw_text import has_sign
from sitegen.model import Document, Problem, Reading
from sitegen.text.memo import Results

NO_SENTENCE = re.compile(r"\n[^\S\n]*+(?:\d+[.)]|_|[^\w\s\"'(“‘«¿¡…])")
"""The beginning of a line that begins no sentence. Markdown without such a line is only paragraphs, without names."""


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    module: str
    """A module of this package. It is loaded for the first document that may be in the format: parsers are heavy."""
    sign: Callable[[str], object] | None = None
    """Finds what every document of the format has, if there is such a sign."""

    def looks_like(self, document: Document) -> bool:
        may_be_own = self.sign is None or self.sign(document.text)
        return bool(may_be_own and self._module.looks_like(document))

    def parse(self, document: Document) -> Reading:
        reading: Reading = self._module.parse(document)
        return reading

    @property
    def _module(self) -> ModuleType:
        return import_module(f"{__name__}.{self.module}")


def _no_sentence(text: str) -> bool:
    return has_sign(text.replace("\r", "\n"), NO_SENTENCE)


FORMATS = (
    Format("sphinx", "rst.reader"),
    Format("myst", "myst.reader", re.compile(r"\{glossary\}", re.I).search),
    Format("html", "html.reader", re.compile(r"\s*<").match),
    Format("markdown", "markdown.reader", _no_sentence),
    Format("text", "text"),
)
"""In order of precedence: the first that recognises a document reads it."""


def recognise(document: Document) -> Format | None:
    """Returns the format that the document names, or else the first that recognises its content."""
    if document.format:
        return next((format for format in FORMATS if format.name == document.format), None)
    return next((format for format in FORMATS if format.looks_like(document)), None)


def read(document: Document) -> Reading:
    """Returns the entries of a document and its problems. A document in no known format is one problem."""
    reading = _readings().get(document)
    if reading is None:
        reading = _read(document)
        _readings().put(reading, document)
    return reading


@cache
def _readings() -> Results[Reading]:
    # Loaded when a document is read: code that only names formats needs no sanitiser.
    from sitegen.formats.common.entries import READING

    return Results(READING)


def _read(document: Document) -> Reading:
    format = recognise(document)
    if format is None:
        names = ", ".join(format.name for format in FORMATS)
        problem = Problem(path=document.path, found="no glossary recognised here", wanted=f"known formats: {names}")
        return Reading(problems=(problem,))
    return format.parse(document)
