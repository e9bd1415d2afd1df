"""Checks that involve more than one key or table of site.toml. Those in `mistakes_in` run on the
tables before validation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sitegen.config.tables import Tables
from sitegen.config.toml import KeyPath, line_of
from sitegen.config.values import UNWRITTEN, shown
from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.text.names import did_you_mean

Raw = Mapping[str, Any]
"""A TOML table before validation."""
PLACES = ("folder", "files", "file", "git")
"""The keys for the location of a source. Each source must have exactly one of them."""

PLACES_OF = {
    **dict.fromkeys("paths tags exclude prereleases head by branches versions".split(), ("git",)),
    "retrieved": ("file",),
    "complete": ("folder", "files", "git"),
}
"""The kinds of location that a key of a source is valid for, if not all."""
FILES_FORM = 'write a table, such as { "1.8.2" = "GLOSSARY.md" }'
"""Advice for the key `files`."""


class Mistake(NamedTuple):
    """A mistake in site.toml, and the path of its key."""

    path: KeyPath
    found: str
    wanted: str

    def problem(self, file: str, lines: Mapping[KeyPath, int]) -> Problem:
        """Returns the mistake as a problem at the line of its key."""
        wanted = f"{self.wanted} ({self._dotted_key()})"
        trouble = Trouble(ProblemKind.SETTINGS, self.found, wanted)
        return trouble.at(file, line=line_of(self.path, lines))

    def _dotted_key(self) -> str:
        """Returns the keys of the path as in TOML: `source.format`."""
        names = []
        for key in self.path:
            if isinstance(key, str):
                if not re.fullmatch("[A-Za-z0-9_-]+", key):
                    key = shown(key)
                names.append(key)
        return ".".join(names)


def mistakes_in(raw: Raw) -> Iterator[Mistake]:
    """Yields the mistakes that the tables alone show."""
    yield from _wrong_places(raw)
    yield from _repeated_ids(raw)
    yield from _unknown_sources(raw)
    yield from _too_many_names(raw)
    yield from _unclear_retirements(raw)


def _tables(raw: Raw, kind: str) -> Iterator[tuple[int, Raw]]:
    """Yields the tables of a kind with their numbers."""
    tables = raw.get(kind)
    if not isinstance(tables, list):
        return
    for number, table in enumerate(tables):
        if isinstance(table, dict):
            yield number, table


def _wrong_places(raw: Raw) -> Iterator[Mistake]:
    """Checks the keys of each source. Exactly one names its place, such as `git` or `folder`; its
    files there are named; its other keys go with that place."""
    for number, table in _tables(raw, "source"):
        places = [key for key in PLACES if key in table]
        if not places:
            found = "a source that names no place"
            yield Mistake(("source", number), found, f"say {_any_of(PLACES)}")
            continue
        if len(places) > 1:
            found = f"both {' and '.join(places)}"
            yield Mistake(("source", number), found, f"say {_any_of(PLACES)}")

        if table.get("files") == {}:
            yield Mistake(("source", number, "files"), "no release is named", FILES_FORM)

        names_files = table.get("paths") or table.get("versions")
        if "git" in places and not names_files:
            wanted = (
                'name its files, such as paths = ["docs/glossary.rst", "GLOSSARY.md"]; '
                "`sitegen init` finds them"
            )
            yield Mistake(("source", number, places[0]), "paths is missing", wanted)

        for key, fitting_places in PLACES_OF.items():
            if key in table and places[0] not in fitting_places:
                found = f"{key} beside {places[0]}"
                wanted = f"it goes with {_any_of(fitting_places)}"
                yield Mistake(("source", number, key), found, wanted)


def _any_of(words: Sequence[str]) -> str:
    """Returns words as a choice: `folder, file or git`."""
    *earlier, last = words
    return f"{', '.join(earlier)} or {last}" if earlier else last


def _repeated_ids(raw: Raw) -> Iterator[Mistake]:
    """Checks that source ids are unique, and that former ids are not ids of other sources."""
    ids: set[str] = set()
    for number, table in _tables(raw, "source"):
        for id in _texts(table.get("id")):
            if id in ids:
                found = f"a second source with the id {shown(id)}"
                yield Mistake(("source", number, "id"), found, "give each source an id of its own")
            ids.add(id)
    for number, table in _tables(raw, "source"):
        for id in _texts(table.get("formerly")):
            if id in ids:
                found = f"{shown(id)} is the id of another source, or was"
                yield Mistake(("source", number, "formerly"), found, "name an id that is free now")
            ids.add(id)


def _texts(value: object) -> list[str]:
    """Returns the texts in a list, or a text alone; none for other values."""
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _unknown_sources(raw: Raw) -> Iterator[Mistake]:
    """Checks that every source that a table names exists."""
    known = _source_ids(raw)
    for kind in ("release", "rename", "same", "distinct", "slug"):
        for number, table in _tables(raw, kind):
            name = table.get("source")
            if isinstance(name, str) and name not in known:
                wanted = (
                    f"{did_you_mean(name, known)}; if its id was changed, write the new one "
                    f"here, and formerly = {shown(name)} in its [[source]]"
                )
                yield Mistake((kind, number, "source"), f"unknown source {shown(name)}", wanted)


def _source_ids(raw: Raw) -> list[str]:
    """Returns the ids of all sources and translations; if there are none, the id of the default
    source."""
    ids = []
    for _, table in _tables(raw, "source"):
        if isinstance(table.get("id"), str):
            ids.append(table["id"])
    for _, table in _tables(raw, "translation"):
        ids.append(f"{table.get('of')}-{str(table.get('language')).lower()}")
    if not ids:
        ids.append(Tables().sources[0].id)
    return [*dict.fromkeys(ids)]


def _too_many_names(raw: Raw) -> Iterator[Mistake]:
    """Checks that a [[same]] table with a language has two names: an original and its
    translation."""
    for number, table in _tables(raw, "same"):
        names = table.get("names")
        if table.get("language") and isinstance(names, list) and len(names) > 2:
            wanted = "write the name of an original, then that of its translation"
            yield Mistake(("same", number, "names"), "more than two names", wanted)


def _unclear_retirements(raw: Raw) -> Iterator[Mistake]:
    """Checks that a [[retired]] table names a source or releases."""
    for number, table in _tables(raw, "retired"):
        if not table.get("source") and not table.get("release"):
            found = "nothing is named that is retired"
            yield Mistake(("retired", number), found, "say source or release, or both")


# Mistakes in valid tables, which do not stop a build.


def unwritten_reasons(raw: Raw) -> Iterator[Mistake]:
    """Yields the tables whose reason is still the placeholder that a user has pasted."""
    for kind in ("retired", "corrected", "continues", "withheld"):
        for number, table in _tables(raw, kind):
            if table.get("reason") in UNWRITTEN:
                found = "the reason is still to be written"
                yield Mistake((kind, number, "reason"), found, "say why; a page shows it")


def unknown_languages(raw: Raw) -> Iterator[Mistake]:
    """Yields the tables with a language that no translation has."""
    known = [table["language"] for _, table in _tables(raw, "translation")]
    for kind in ("same", "current"):
        for number, table in _tables(raw, kind):
            name = table.get("language")
            if name and name not in known:
                found = f"no [[translation]] has the language {shown(name)}"
                yield Mistake((kind, number, "language"), found, did_you_mean(name, known))


def releases_listed_twice(raw: Raw) -> Iterator[Mistake]:
    """Yields the second table of a release. Only the first one has an effect."""
    seen = set()
    for number, table in _tables(raw, "release"):
        release = (table["name"], table.get("source"))
        if release in seen:
            found = f"release {shown(table['name'])} is listed twice"
            yield Mistake(("release", number), found, "the first [[release]] of that name counts")
        seen.add(release)
