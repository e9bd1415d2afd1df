"""Reads YAML and JSON: lists and mappings of terms, as in Jekyll's `_data`, Quarto, glosario,
Glossarist or DataHub, and in our own `glossary.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.record_values import value_of
from sitegen.formats.records import shapes
from sitegen.model import Document, Reading, UnreadableError
from sitegen.text.memo import memo

LANGUAGE_LINE = re.compile(r" +([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?):\s*")
"""The beginning of a mapping of a language."""
RECORD = re.compile(r"^(?=- )", re.MULTILINE)
"""The beginning of an item of a list that is the whole file."""
ALIAS = re.compile(r"(?:: |- )\*\w+[ \t]*$", re.MULTILINE)
"""A value that may be that of another record."""
ABOVE_RECORDS = re.compile(r"(?:[ \t]*(?:#.*|---)?\n)*")


def parse(document: Document) -> Reading:
    """Returns the terms in a YAML file."""
    above, *items = records_of(document.text)
    found = None
    if items and _are_in_languages(items, document.section):
        found = _terms_of_records(items, document.section, first_line=above.count("\n"))
    if found is None:
        return shapes.read(document, value_of(document))
    return entries.read(document, found, wanted=shapes.WANTED)


def _are_in_languages(records: Iterable[str], language: str) -> bool:
    """Returns whether each record has texts in several languages."""
    if language:
        return shapes.LANGUAGE.fullmatch(language) is not None
    return all(map(_has_languages, records))


def _terms_of_records(
    records: Iterable[str], language: str, *, first_line: int
) -> list[Candidate] | None:
    """Returns the terms in one language; None if a record has to be read with the others.

    Each record is read alone: most commits to a file with all languages change few of them.
    """
    found: list[Candidate] = []
    lines_above = first_line
    for record in records:
        try:
            terms = _terms(record, language)
        except UnreadableError:  # it has its line in the file
            return None
        found += [term._replace(line=lines_above + term.line) for term in terms]
        lines_above += record.count("\n")
    return found


def records_of(text: str) -> list[str]:
    """Returns the text above the items of a list that is the whole file, and the text of each item.

    The only text is that of the file if it is no such list.
    """
    above, *items = RECORD.split(text)
    if ABOVE_RECORDS.fullmatch(above):
        return [above, *items]
    return [text]


@memo
def _terms(record: str, language: str) -> tuple[Candidate, ...]:
    """Returns the terms of a record in one language. Raises UnreadableError."""
    if ALIAS.search(record):
        raise UnreadableError("an alias")
    numbered = _lines_of_language(record, language)
    if not numbered:
        return ()
    numbers = [0, *[number + 1 for number, _ in numbered]]
    text = "\n".join(line for _, line in numbered)
    document = Document(source="", release="", path="", name="", text=text, section=language)
    found = shapes.candidates(document, value_of(document))
    return tuple([one._replace(line=numbers[one.line]) for one in found])


@memo
def _has_languages(record: str) -> bool:
    for line in record.split("\n"):
        match = LANGUAGE_LINE.fullmatch(line)
        if match and match[1].partition("-")[0] in shapes.CODES:
            return True
    return False


@memo
def _lines_of_language(record: str, language: str) -> tuple[tuple[int, str], ...]:
    """Returns the lines of a record with their numbers, without the mappings of other languages;
    all lines if no language is given.

    The result is empty if the record is in other languages only. Reading all languages takes too
    long.
    """
    lines = enumerate(record.removesuffix("\n").split("\n"))
    if not language:
        return tuple(lines)
    codes = {language.partition("-")[0], *shapes.CODES}
    kept: list[tuple[int, str]] = []
    languages: set[str] = set()
    left_out = None
    """The indentation of the mapping that is left out."""
    for number, line in lines:
        indentation = len(line) - len(line.lstrip(" "))
        if left_out is not None and (indentation > left_out or not line.strip()):
            continue
        left_out = None
        match = LANGUAGE_LINE.fullmatch(line)
        if match and match[1].partition("-")[0] in codes:
            languages.add(match[1])
            if match[1] != language:
                left_out = indentation
                continue
        kept.append((number, line))
    if languages and language not in languages:
        return ()
    return tuple(kept)
