"""Reads YAML and JSON files as glossaries."""

from __future__ import annotations

from collections.abc import Callable

from sitegen.formats.common import entries
from sitegen.formats.records.shapes import LANGUAGE, Finder
from sitegen.formats.records.values import DamagedError, RecordValue
from sitegen.model import Document, Problem, Reading
from sitegen.text import words

WANTED = "wanted a list of records with a term and a definition each, or a mapping from terms to definitions"


def read(document: Document, parse: Callable[[Document], RecordValue]) -> Reading:
    """Returns the terms in a file. The document's section may be the code of a language."""
    asked = document.section
    language = asked if LANGUAGE.fullmatch(asked) else ""
    try:
        found = [*entries.limited(document, Finder(language).candidates(parse(document)))]
    except DamagedError as error:
        return Reading(problems=(Problem(path=document.path, line=error.line, found=error.found, wanted=""),))
    if asked and not language:
        found = [one for one in found if words.fold(one.section) == words.fold(asked)]
    if not found:
        return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=WANTED),))
    return entries.read(document, found)
