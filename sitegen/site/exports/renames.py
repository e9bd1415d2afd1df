"""Writes renames.json: maps outdated names and addresses of terms to the current ones."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import Life
from sitegen.site.site import Site
from sitegen.text.names import fold

Json = dict[str, str]


def files(site: Site) -> Iterator[File]:
    """Yields renames.json: a list of old names with the current ones, and an object from old to new addresses."""
    data = {"base_url": site.base_url, "names": _names(site), "addresses": dict(_addresses(site))}
    yield File(path=urls.RENAMES, content=(json.dumps(data, indent=1) + "\n").encode())


def _names(site: Site) -> list[Json]:
    """Returns former names, and the names of merged terms, except those that a term in force has today."""
    in_force = {fold(name.text) for life in site.lives if life.is_defined for name in life.names}
    found: dict[str, Json] = {}
    for life in site.lives:
        present = site.defining_term(life.key) if life.merged_into else life
        for name, release in _dropped_names(life):
            row = {"from": name, "to": present.name, "slug": site.slugs[present.key], "release": release}
            found.setdefault(fold(name), row)
    return [row for name, row in sorted(found.items()) if name not in in_force]


def _dropped_names(life: Life) -> Iterator[tuple[str, str]]:
    """Yields the names that are no longer used, each with the release that dropped it."""
    yield from life.former_names
    if life.merged_into:
        merged = next(change for change in reversed(life.changes) if change.kind == "merged")
        yield from ((name.text, merged.release) for name in life.names)


def _addresses(site: Site) -> Iterator[tuple[str, str]]:
    for life in site.lives:
        present = site.defining_term(life.key) if life.merged_into else life
        to = urls.term(site.slugs[present.key])
        yield from ((urls.term(slug), to) for slug in site.slugs_of[life.key] if urls.term(slug) != to)
