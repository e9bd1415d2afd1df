"""Checks of site.toml that involve more than one key or table. They run on the tables before validation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitegen.config.tables import PLACES, PLACES_OF, Tables
from sitegen.config.toml import KeyPath, line_of
from sitegen.config.values import did_you_mean, shown
from sitegen.model import Problem

Raw = Mapping[str, Any]
"""A TOML table before validation."""


FILES_FORM = 'write a table, such as { "1.8.2" = "GLOSSARY.md" }'
"""Advice for the key `files`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseMention:
    """A release name that occurs in site.toml."""

    path: KeyPath
    source: str
    """Empty for any source."""
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A mistake in site.toml, and the path of its key."""

    path: KeyPath
    found: str
    wanted: str

    def problem(self, file: str, lines: Mapping[KeyPath, int]) -> Problem:
        keys = ".".join(_key(key) for key in self.path if isinstance(key, str))
        wanted = f"{self.wanted} ({keys})" if keys else self.wanted
        return Problem(path=file, line=line_of(self.path, lines), found=self.found, wanted=wanted)


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else shown(key)


def _tables(raw: Raw, kind: str) -> Iterator[tuple[int, Raw]]:
    tables = raw.get(kind)
    for number, table in enumerate(tables if isinstance(tables, list) else ()):
        if isinstance(table, dict):
            yield number, table


def _places(raw: Raw) -> Iterator[Mistake]:
    """Checks that each source has exactly one location key, and only keys that fit that kind of location."""
    for number, table in _tables(raw, "source"):
        places = [key for key in PLACES if key in table]
        if len(places) != 1:
            found = f"both {' and '.join(places)}" if places else "a source that names no place"
            yield Mistake(path=("source", number), found=found, wanted=f"say {_any_of(PLACES)}")
        if table.get("files") == {}:
            yield Mistake(path=("source", number, "files"), found="no release is named", wanted=FILES_FORM)
        if {"git", "archives"} & set(places) and not table.get("paths") and not table.get("versions"):
            wanted = 'name its files, such as paths = ["docs/glossary.rst", "GLOSSARY.md"]; `sitegen init` finds them'
            yield Mistake(path=("source", number, places[0]), found="paths is missing", wanted=wanted)
        for key, fitting in PLACES_OF.items():
            if key in table and places and places[0] not in fitting:
                wanted = f"it goes with {_any_of(fitting)}"
                yield Mistake(path=("source", number, key), found=f"{key} beside {places[0]}", wanted=wanted)


def _any_of(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _ids(raw: Raw) -> Iterator[Mistake]:
    """Checks that source ids are unique."""
    seen: list[object] = []
    for number, table in _tables(raw, "source"):
        if "id" in table and table["id"] in seen:
            found = f"a second source with the id {shown(table['id'])}"
            yield Mistake(path=("source", number, "id"), found=found, wanted="give each source an id of its own")
        seen.append(table.get("id"))


def _former_ids(raw: Raw) -> Iterator[Mistake]:
    """Checks that former ids are not ids of other sources."""
    taken = [table.get("id") for _, table in _tables(raw, "source")]
    for number, table in _tables(raw, "source"):
        former = table.get("formerly", ())
        for id in (former,) if isinstance(former, str) else former if isinstance(former, list) else ():
            if id in taken:
                found = f"{shown(id)} is the id of another source, or was"
                yield Mistake(path=("source", number, "formerly"), found=found, wanted="name an id that is free now")
            taken.append(id)


def _known_sources(raw: Raw) -> Iterator[Mistake]:
    """Checks that every source that a table names exists."""
    ids = (table.get("id") for _, table in _tables(raw, "source"))
    # Without any [[source]] table there is a default source, for the folder itself.
    known = list(dict.fromkeys(name for name in ids if isinstance(name, str))) or [Tables().source[0].id]
    for kind in ("release", "rename", "same", "distinct", "slug"):
        for number, table in _tables(raw, kind):
            name = table.get("source")
            if isinstance(name, str) and name not in known:
                found, wanted = f"unknown source {shown(name)}", did_you_mean(name, known)
                yield Mistake(path=(kind, number, "source"), found=found, wanted=wanted)


def _known_releases(raw: Raw) -> Iterator[Mistake]:
    """Checks that every mentioned release exists, for sources whose releases are listed in site.toml."""
    sources = [table for _, table in _tables(raw, "source")]
    listed = (table for table in sources if isinstance(table.get("files"), dict))
    known = {str(table.get("id")): [_release(name) for name in table["files"]] for table in listed}
    everywhere = all("file" in table or "files" in table for table in sources) and bool(known)
    mentions = (mention for mention in mentions_in(raw) if mention.source or everywhere)
    return unknown_releases(mentions, known)


def _renames(raw: Raw) -> Iterator[Mistake]:
    """Checks that old and new name of a rename differ."""
    for number, table in _tables(raw, "rename"):
        if "from" in table and table["from"] == table.get("to"):
            found = f"{shown(table['from'])} is renamed to itself"
            yield Mistake(path=("rename", number, "to"), found=found, wanted="give the new name")


def _retired(raw: Raw) -> Iterator[Mistake]:
    """Checks that a retirement names either an address, or a source and release."""
    for number, table in _tables(raw, "retired"):
        named = [key for key in ("address", "source", "release") if table.get(key)]
        if not named or ("address" in named and len(named) > 1):
            found = "address beside " + " and ".join(named[1:]) if named else "nothing is named that is retired"
            yield Mistake(path=("retired", number), found=found, wanted="say either address, or source and release")


def unknown_formats(raw: Raw, known: Collection[str]) -> Iterator[Mistake]:
    """Checks that the formats of sources are among the known ones."""
    for number, table in _tables(raw, "source"):
        name = table.get("format")
        if isinstance(name, str) and name and name not in known:
            found, wanted = f"unknown format {shown(name)}", did_you_mean(name, known)
            yield Mistake(path=("source", number, "format"), found=found, wanted=wanted)


CHECKS = (_places, _ids, _former_ids, _known_sources, _known_releases, _renames, _retired)
"""All checks of this module but those that need more than the text of site.toml."""


def listed_twice(raw: Raw) -> Iterator[Mistake]:
    """Yields releases that are listed a second time, which has no effect."""
    seen = set()
    for number, table in _tables(raw, "release"):
        if (release := (table["name"], table.get("source"))) in seen:
            found = f"release {shown(table['name'])} is listed twice"
            yield Mistake(path=("release", number), found=found, wanted="the first [[release]] of that name counts")
        seen.add(release)
    for number, table in _tables(raw, "source"):
        order = table.get("order", [])
        for place, name in enumerate(order):
            if name in order[:place]:
                path: KeyPath = ("source", number, "order", place)
                found = f"release {shown(name)} is listed twice"
                yield Mistake(path=path, found=found, wanted="its first place counts")


def mentions_in(raw: Raw) -> Iterator[ReleaseMention]:
    for number, table in _tables(raw, "source"):
        order = table.get("order")
        for place, name in enumerate(order if isinstance(order, list) else ()):
            path: KeyPath = ("source", number, "order", place)
            yield ReleaseMention(path=path, source=str(table.get("id")), release=_release(name))
    for kind, key in (("release", "name"), ("rename", "release")):
        for number, table in _tables(raw, kind):
            if table.get(key):
                path = (kind, number, key)
                yield ReleaseMention(path=path, source=str(table.get("source", "")), release=_release(table[key]))


def _release(name: object) -> str:
    return unicodedata.normalize("NFC", str(name))


def unknown_releases(mentions: Iterable[ReleaseMention], known: Mapping[str, Collection[str]]) -> Iterator[Mistake]:
    """Yields mentions of releases that their source does not have. Sources not in `known` are not checked."""
    everywhere = [name for names in known.values() for name in names]
    for mention in mentions:
        names = known.get(mention.source) if mention.source else everywhere
        if names is not None and mention.release not in names:
            found, wanted = f"unknown release {shown(mention.release)}", did_you_mean(mention.release, names)
            yield Mistake(path=mention.path, found=found, wanted=wanted)
