"""Recognizes concepts of Glossarist: designations, a definition, notes and examples in one
language, in a field `data`.

A file has one YAML document for a concept, or one for the concept and one for each of its
languages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from sitegen.formats.common.record_values import Record, RecordText
from sitegen.formats.records.record_fields import text_at, texts_in

ENGLISH = "eng"
ALL_LANGUAGES = "mul"
"""The language of a Glossarist document that only refers to those of the languages."""
INDEX = frozenset({"localized_concepts", "localizedConcepts"})
"""Keys of the Glossarist document that only lists those of the languages."""
ABOUT_CONCEPT = frozenset(
    {"identifier", "domains", "groups", "related", "sources", "status", "tags", "dates"}
)
"""Keys of `data` in a Glossarist document that only contains what those of the languages have in
common."""
NUMBERS = ("id", "identifier", "data")
"""Keys that are not names in Glossarist."""


class Concept(NamedTuple):
    """A Glossarist concept in one language."""

    language: str
    about: Record


def concept_of(record: Record) -> Concept | None:
    """Returns the Glossarist concept in a mapping; None if the mapping is another kind of
    record."""
    data = record.get("data")
    language = _language(record)
    if isinstance(data, Record):
        if _has_terms(data):
            return _in_one_language(data, _language(data))
        language = language or _language(data)
    if language and _has_terms(record):
        return _in_one_language(record, language)
    if not isinstance(data, Record):
        return None
    keys = {field.key for field in data.fields}
    is_index = not keys.isdisjoint(INDEX)
    has_common_parts = "identifier" in keys and keys <= ABOUT_CONCEPT
    if is_index or has_common_parts:
        return Concept(ALL_LANGUAGES, record)
    return None


def _has_terms(record: Record) -> bool:
    return any(texts_in(record, "terms", "designation"))


def _in_one_language(about: Record, language: str) -> Concept:
    fields = [field for field in about.fields if field.key not in NUMBERS]
    return Concept(language, about._replace(fields=fields))


def is_part_of_concept(record: Record) -> bool:
    """True for a designation, a note or an example in a list of these."""
    is_text = len(record.fields) < 3 and text_at(record, ("content",)) != ""
    return is_text or text_at(record, ("designation",)) != ""


def _language(record: Record) -> str:
    code = record.get("language_code")
    return code.text if isinstance(code, RecordText) else ""


def concept_language(records: Iterable[Record]) -> str:
    """Returns the language of concepts to read: English, or else the most frequent one; empty if
    there is none."""
    languages: Counter[str] = Counter()
    for concept in map(concept_of, records):
        if concept and concept.language != ALL_LANGUAGES:
            languages[concept.language] += 1
    if ENGLISH in languages:
        return ENGLISH
    return max(languages, key=languages.__getitem__, default="")
