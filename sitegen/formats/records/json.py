"""Reads JSON: lists and mappings of terms, including our own `glossary.json`."""

from __future__ import annotations

import re

from sitegen.formats.records.reader import read
from sitegen.formats.records.values import parse_json
from sitegen.model import Document, Reading

OPENING = re.compile(r'\s*(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})|\[\s*(?:\{\s*"|"[^"\n]*"\s*[,\]]))')


def looks_like(document: Document) -> bool:
    """Returns whether the document begins like JSON."""
    return OPENING.match(document.text) is not None


def parse(document: Document) -> Reading:
    """Returns the terms in a JSON file."""
    return read(document, parse_json)
