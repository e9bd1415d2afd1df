"""Reads YAML and JSON: lists and mappings of terms, as in Jekyll's `_data`, Quarto, glosario,
Glossarist or DataHub, and in our own `glossary.json`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import accumulate

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
    language = document.section
    found: list[Candidate] | None = None
    if items and (
        shapes.LANGUAGE.fullmatch(language) or (not language and all(map(_has_languages, items)))
    ):
        # Each record is read alone: most commits to a file with all languages change few of them.
        starts = accumulate((one.count("\n") for one in items), initial=above.count("\n"))
        with suppress(UnreadableError):  # it has its line in the file below
            terms = [
                (start, one)
                for start, item in zip(starts, items, strict=False)
                for one in _terms(item, language)
            ]
            found = [one._replace(line=start + one.line) for start, one in terms]
    if found is None:
        return shapes.read(document, value_of(document))
    return entries.read(document, found, wanted=shapes.WANTED)


def records_of(text: str) -> list[str]:
    """Returns the text above the items of a list that is the whole file, and the text of each item.

    The only text is that of the file if it is no such list.
    """
    above, *items = RECORD.split(text)
    return [above, *items] if ABOVE_RECORDS.fullmatch(above) else [text]


@memo
def _terms(record: str, language: str) -> tuple[Candidate, ...]:
    """Returns the terms of a record in one language. Raises UnreadableError."""
    if ALIAS.search(record):
        raise UnreadableError("an alias")
    numbered = (
        _lines_of_language(record, language) if language else tuple(enumerate(record.split("\n")))
    )
    numbers = [0, *(number + 1 for number, _ in numbered)]
    text = "\n".join(line for _, line in numbered)
    document = Document(source="", release="", path="", name="", text=text, section=language)
    found = shapes.candidates(document, value_of(document)) if numbered else ()
    return tuple(one._replace(line=numbers[one.line]) for one in found)


@memo
def _has_languages(record: str) -> bool:
    lines = map(LANGUAGE_LINE.fullmatch, record.split("\n"))
    return any(line[1].partition("-")[0] in shapes.CODES for line in lines if line)


@memo
def _lines_of_language(record: str, language: str) -> tuple[tuple[int, str], ...]:
    """Returns the lines of a record with their numbers, without the mappings of other languages.

    The result is empty if the record is in other languages only. Reading all languages takes too
    long.
    """
    kept, depth, languages = [], -1, set()
    for number, line in enumerate(record.removesuffix("\n").split("\n")):
        indentation = len(line) - len(line.lstrip(" "))
        if depth >= 0 and (indentation > depth or not line.strip()):
            continue
        match = LANGUAGE_LINE.fullmatch(line)
        is_language = match and match[1].partition("-")[0] in (
            language.partition("-")[0],
            *shapes.CODES,
        )
        if match and is_language:
            languages.add(match[1])
        depth = indentation if match and is_language and match[1] != language else -1
        if depth < 0:
            kept.append((number, line))
    return () if languages and language not in languages else tuple(kept)
