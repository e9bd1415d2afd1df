"""Reads YAML and JSON: lists and mappings of terms, as in Jekyll's `_data`, Quarto, glosario, Glossarist or DataHub,
and in our own `glossary.json`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sitegen.formats.common.record_values import value_of
from sitegen.formats.records import shapes
from sitegen.model import Document, Reading, UnreadableError, entries_at
from sitegen.text.memo import memo

LANGUAGE_LINE = re.compile(r" +([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?):\s*")
"""The beginning of a mapping of a language."""
RECORD = re.compile(r"^(?=- )", re.MULTILINE)
"""The beginning of an item of a list that is the whole file."""


def parse(document: Document) -> Reading:
    """Returns the terms in a YAML file."""
    if not shapes.LANGUAGE.fullmatch(document.section):
        return shapes.read(document, value_of(document))
    numbered, first = [], 1
    for record in RECORD.split(document.text):
        numbered += [(first + number, line) for number, line in _lines_of_language(record, document.section)]
        first += record.count("\n")
    numbers = [0, *(number for number, _ in numbered)]
    text = "\n".join(line for _, line in numbered)
    try:
        reading = _read(replace(document, text=text, source="", release="", path="", name=""))
    except UnreadableError as error:
        error.line = numbers[min(error.line, len(numbers) - 1)]
        raise
    problems = (replace(one, path=document.path, line=numbers[one.line]) for one in reading.problems)
    texts, lines = ([one.text for one in reading.entries], [numbers[one.line] for one in reading.entries])
    return replace(reading, entries=entries_at(document.place, texts, lines), problems=tuple(problems))


@memo
def _read(document: Document) -> Reading:
    """Reads the part of one language. Most commits to a file with all languages change another part."""
    return shapes.read(document, value_of(document))


@memo
def _lines_of_language(record: str, language: str) -> tuple[tuple[int, str], ...]:
    """Returns the lines of a record with their numbers, without the mappings of other languages.

    The result is empty if the record is in other languages only. Reading all languages takes too long.
    """
    kept, depth, languages = [], -1, set()
    for number, line in enumerate(record.removesuffix("\n").split("\n")):
        indentation = len(line) - len(line.lstrip(" "))
        if depth >= 0 and (indentation > depth or not line.strip()):
            continue
        match = LANGUAGE_LINE.fullmatch(line)
        is_language = match and match[1].partition("-")[0] in (language.partition("-")[0], *shapes.CODES)
        if match and is_language:
            languages.add(match[1])
        depth = indentation if match and is_language and match[1] != language else -1
        if depth < 0:
            kept.append((number, line))
    return () if languages and language not in languages else tuple(kept)
