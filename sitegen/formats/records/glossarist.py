"""Concepts of Glossarist: designations, a definition, notes and examples in one language, in a field `data`.

A file has one concept, or a document for the concept and one for each of its languages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sitegen.formats.common import directive_blocks
from sitegen.formats.records import fields as keys
from sitegen.formats.records.values import Mapping, RecordText, RecordValue, Sequence

ENGLISH = "eng"
INDEX = frozenset({"localized_concepts", "localizedConcepts"})
"""Keys of the document that only names the documents of each language."""
MENTION = re.compile(r"\{\{(?:[^{}|,]*[,|])?\s*([^{}|,]+?)\s*\}\}")
"""A mention of another term: `{{id, words}}`."""
STEM = re.compile(r"\b(?:stem|latexmath|asciimath):\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
NUMBERS = ("id", "identifier")
"""Keys that are no names here."""


class Concept(NamedTuple):
    """A concept in one language; one without language and fields only leads to others."""

    language: str
    about: Mapping


def concept_of(mapping: Mapping) -> Concept | None:
    """Returns the concept in a mapping; None if it has the form of another record."""
    data = _value(mapping, "data")
    if not isinstance(data, Mapping):
        return None
    if any(field.key in INDEX for field in data.fields):
        return Concept("mul", data)
    if not any(_items(data, "terms", "designation")):
        return None
    language = _value(data, "language_code")
    about = data._replace(fields=[field for field in data.fields if field.key not in NUMBERS])
    return Concept(language.text if isinstance(language, RecordText) else "", about)


def language_of(mappings: Iterable[Mapping]) -> str:
    """Returns the language to read of several concepts: English, or else the most frequent; empty without any."""
    concepts = (concept_of(mapping) for mapping in mappings)
    languages = Counter(one.language for one in concepts if one and one.language != "mul")
    return ENGLISH if ENGLISH in languages else max(languages, key=languages.__getitem__, default="")


def without_mentions(text: str) -> str:
    """Returns a text with mentions of terms as words, and formulas as code."""
    return STEM.sub(r"`\1`", MENTION.sub(r"\1", text))


def additions(about: Mapping) -> Iterator[str]:
    """Yields the HTML of the notes and examples of a concept."""
    for text in _items(about, "notes", "content"):
        yield directive_blocks.note("Note", keys.html_of(without_mentions(text)))
    for text in _items(about, "examples", "content"):
        yield directive_blocks.titled("Example", keys.html_of(without_mentions(text)))


def _items(mapping: Mapping, key: str, inner: str) -> Iterator[str]:
    """Yields a text of each mapping in the list that is the value of a key."""
    items = _value(mapping, key)
    for item in items.items if isinstance(items, Sequence) else ():
        text = _value(item, inner) if isinstance(item, Mapping) else None
        if isinstance(text, RecordText) and text.text.strip():
            yield text.text


def _value(mapping: Mapping, key: str) -> RecordValue | None:
    return next((field.value for field in mapping.fields if field.key == key), None)
