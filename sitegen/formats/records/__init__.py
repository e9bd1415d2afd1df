"""Reads YAML and JSON: lists and mappings of terms, as in Jekyll's `_data`, Quarto, glosario or
DataHub, and in our own `glossary.json`. Concepts of Glossarist are refused.
"""

from __future__ import annotations

import re

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.record_values import RecordValue, value_of
from sitegen.formats.records import shapes
from sitegen.model import Document, ProblemKind, Reading, UnreadableError
from sitegen.text.memo import memo

WANTED = (
    "wanted a list of records with a term and a definition each, or a mapping from terms to "
    "definitions"
)
RECORD = re.compile(r"^(?=- )", re.MULTILINE)
"""The beginning of an item of a list that is the whole file."""
ALIAS = re.compile(r"(?:: |- |[\[,]\s*)\*[\w-]+[ \t]*(?:$|[,}\]])", re.MULTILINE)
"""A value that may be that of another record."""
ABOVE_RECORDS = re.compile(r"(?:[ \t]*(?:#.*|---)?\n)*")
KEY = r"""(?m)(?:^[ -]*|[{,]\s*)["']?(?:%s)["']?\s*:"""
GLOSSARIST = KEY % "localized_?[cC]oncepts|normative_status|entry_status"
"""A key of a concept of Glossarist, whose other keys would be read as names."""
LANGUAGE_CODE = KEY % "language_code"
DESIGNATION = KEY % "designation"
"""A key of a name. In a file with codes of languages, it is a key of Glossarist too."""


def parse(document: Document) -> Reading:
    """Returns the terms in a YAML or JSON file."""
    _refuse_glossarist(document.text)
    terms = None
    # Of a file with all languages, `section` is the language to read. Such a file is read record by
    # record, if possible.
    if shapes.LANGUAGE_AS_KEY.fullmatch(document.section):
        terms = _terms_of_records(document.text, document.section)
    if terms is None:
        terms = shapes.candidates(document, value_of(document))
    return entries.read(document, terms, wanted=WANTED)


def _refuse_glossarist(text: str) -> None:
    """Raises UnreadableError for a concept of Glossarist."""
    concept = re.search(GLOSSARIST, text)
    # `language_code` and `designation` are in other formats as well, but not both.
    if concept is None and re.search(LANGUAGE_CODE, text):
        concept = re.search(DESIGNATION, text)
    if concept:
        found = "this is a concept of Glossarist, which is not read"
        wanted = "write a list with a term and a definition each"
        line = text.count("\n", 0, concept.end()) + 1
        raise UnreadableError(found, wanted, kind=ProblemKind.FORMAT, line=line)


def _terms_of_records(text: str, language: str) -> list[Candidate] | None:
    """Returns the terms in one language of a list of records.

    Each record is read alone, and memoized: most commits to a file with all languages change few
    records. Returns None if the text is no such list, or if a record cannot be read alone, such as
    one with an alias of a value in another record.
    """
    above, *records = records_of(text)
    if not records:
        return None
    lines_above = above.count("\n")
    candidates: list[Candidate] = []
    for record in records:
        try:
            terms = _terms(record, language)
        except UnreadableError:
            return None  # the whole file is read, so that the problem has the right line
        candidates += [term._replace(line=lines_above + term.line) for term in terms]
        lines_above += record.count("\n")
    return candidates


def records_of(text: str) -> list[str]:
    """Splits a file that is a list. Returns the text above the items, and the text of each item.

    A comment above `- term: Jig` and `- term: Saw` gives three texts. A file that is no list is
    returned as one text.
    """
    above, *items = RECORD.split(text)
    if ABOVE_RECORDS.fullmatch(above):
        return [above, *items]
    return [text]


@memo
def _terms(record: str, language: str) -> tuple[Candidate, ...]:
    """Returns the terms of a record in one language. Raises UnreadableError."""
    document = Document(source="", release="", path="", name="", text=record, section=language)
    return tuple(shapes.candidates(document, _record_value(record)))


@memo
def _record_value(record: str) -> RecordValue:
    """Returns the value of a record, which is the same in every language. Raises
    UnreadableError."""
    if ALIAS.search(record):
        raise UnreadableError("an alias")
    return value_of(Document(source="", release="", path="", name="", text=record))
