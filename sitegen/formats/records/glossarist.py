"""Reads concepts of Glossarist: designations, a definition, notes and examples in one language, in a field `data`.

A file has one YAML document for a concept, or one for the concept and one for each of its languages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sitegen.formats.common import sphinx_markup
from sitegen.formats.records import fields as keys
from sitegen.formats.records.values import Mapping, RecordText, RecordValue, Sequence

ENGLISH = "eng"
INDEX = frozenset({"localized_concepts", "localizedConcepts"})
"""Keys of the YAML document that only lists those of the languages."""
ABOUT_CONCEPT = frozenset({"identifier", "domains", "groups", "related", "sources", "status", "tags", "dates"})
"""Keys of `data` in a YAML document that only contains what those of the languages have in common."""
MENTION = re.compile(r"\{\{(?:[^{}|,]*[,|])?\s*([^{}|,]+?)\s*\}\}")
"""A mention of another term: `{{id, words}}`."""
STEM = re.compile(r"(?<![^\W\d])(?:stem|latexmath|asciimath):\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
NUMBERS = ("id", "identifier", "data")
"""Keys that are not names in Glossarist."""


class Concept(NamedTuple):
    """A concept in one language; without language and fields, it only refers to the documents of the languages."""

    language: str
    about: Mapping


def concept_of(mapping: Mapping) -> Concept | None:
    """Returns the concept in a mapping; None if the mapping is another kind of record."""
    data = _value(mapping, "data")
    about = data if isinstance(data, Mapping) and any(_items(data, "terms", "designation")) else mapping
    language = _language(about) or _language(data)
    if any(_items(about, "terms", "designation")) and (language or about is data):
        return Concept(language, about._replace(fields=[field for field in about.fields if field.key not in NUMBERS]))
    keys = {field.key for field in data.fields} if isinstance(data, Mapping) else set()
    is_index = keys & INDEX or ("identifier" in keys and keys <= ABOUT_CONCEPT)
    return Concept("mul", mapping) if is_index else None


def _language(mapping: RecordValue | None) -> str:
    code = _value(mapping, "language_code") if isinstance(mapping, Mapping) else None
    return code.text if isinstance(code, RecordText) else ""


def language_of(mappings: Iterable[Mapping]) -> str:
    """Returns the language to read: English, or else the most frequent one; empty if there is none."""
    concepts = (concept_of(mapping) for mapping in mappings)
    languages = Counter(one.language for one in concepts if one and one.language != "mul")
    return ENGLISH if ENGLISH in languages else max(languages, key=languages.__getitem__, default="")


def without_mentions(text: str) -> str:
    """Returns a text with mentions of terms as words, and formulas as code."""
    return STEM.sub(r"`\1`", MENTION.sub(r"\1", text))


def additions(about: Mapping) -> Iterator[str]:
    """Yields the HTML of the notes and examples of a concept."""
    for text in _items(about, "notes", "content"):
        yield sphinx_markup.note("Note", keys.html_of(without_mentions(text)))
    for text in _items(about, "examples", "content"):
        yield sphinx_markup.titled("Example", keys.html_of(without_mentions(text)))


def _items(mapping: Mapping, key: str, inner: str) -> Iterator[str]:
    """Yields a text of each mapping in the list that is the value of a key."""
    items = _value(mapping, key)
    for item in items.items if isinstance(items, Sequence) else ():
        text = _value(item, inner) if isinstance(item, Mapping) else item
        if isinstance(text, RecordText) and text.text.strip():
            yield text.text


def _value(mapping: Mapping, key: str) -> RecordValue | None:
    return next((field.value for field in mapping.fields if field.key == key), None)
