"""The keys of the tables of site.toml, by the names of the fields in which their values are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

KEYS = {
    "old": "from",
    "new": "to",
    "addresses": "address",
    "check_text": "check-text",
    "releases": "release",
    "renames": "rename",
    "slugs": "slug",
    "sources": "source",
    "terms": "term",
    "texts": "text",
    "translations": "translation",
}
"""TOML keys that are not valid Python names, or singular where the field is plural."""


def keys(table: type[Any]) -> Mapping[str, str]:
    """Returns the TOML keys of a table by the names of its fields."""
    key_by_field = {}
    for one_field in fields(table):
        name = one_field.name
        if name != "line":  # no key sets the line
            key_by_field[name] = KEYS.get(name, name)
    return key_by_field
