"""Reads YAML: lists and mappings of terms, as in Jekyll's `_data`, Quarto, glosario, Glossarist or DataHub."""

from __future__ import annotations

import re

from sitegen.formats.records.reader import read
from sitegen.formats.records.values import parse_yaml
from sitegen.model import Document, Reading

OPENING = re.compile(r"\s*%YAML|---[ \t]*\n(?!(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z))")
"""A directive of YAML, or a line of dashes without another one below it (two of them enclose front matter)."""


def looks_like(document: Document) -> bool:
    """Returns whether the document begins with a mark of YAML."""
    return OPENING.match(document.text) is not None


def parse(document: Document) -> Reading:
    """Returns the terms in a YAML file."""
    return read(document, parse_yaml)
