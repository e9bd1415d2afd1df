"""The changes that a publication makes: files, new addresses, and one line about the glossary.

The line compares the histories in the published glossary.json and in the new one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sitegen.addresses.ledger import Ledger, lost

SHOWN = 3
"""The maximum number of names of each kind that a plan prints, pages of terms first."""

REPORTED = "added reworded renamed deprecated removed restored merged split".split()
"""The kinds of change that the message counts, in the order of a release's page."""

PLAIN = re.compile(r"[\w.+~-]+( [\w.+~-]+){0,3}")
"""Matches release names that a forge shows literally: without `@name` or `#12`, which it would link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedState:
    """The live files and ledger, which a publication replaces."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Path to an identity of the content."""
    ledger: Ledger = field(default_factory=dict)
    data: bytes = b""
    """The content of glossary.json."""
    domain: bytes | None = None
    """The content of CNAME, in which GitHub Pages keeps the site's own domain."""
    commit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The changes that a publication makes."""

    place: str
    message: str
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    addresses: tuple[str, ...]
    """New in the ledger."""

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.removed)

    def summary(self) -> str:
        """Returns the plan as one line."""
        if self.is_empty:
            return f"{self.place}: unchanged, there is nothing to publish"
        counts = ((self.added, "added"), (self.changed, "changed"), (self.removed, "removed"))
        files = ", ".join(f"{len(paths):,} {what}" for paths, what in counts if paths)
        return f"{self.place}: {self.message} (files: {files}; new addresses: {len(self.addresses):,})"

    def lines(self) -> Iterator[str]:
        """Yields the summary and the first names of each kind."""
        yield self.summary()
        yield from _listed("+", self.added)
        yield from _listed("~", self.changed)
        yield from _listed("-", self.removed)
        yield from _listed("new address", self.addresses)


def _listed(mark: str, names: tuple[str, ...]) -> Iterator[str]:
    first = sorted(names, key=lambda name: "term/" not in name)[:SHOWN]
    yield from (f"  {mark} {name}" for name in first)
    if len(names) > SHOWN:
        yield f"  {mark} and {len(names) - SHOWN:,} more"


def planned(live: PublishedState, files: Mapping[str, str], *, ledger: Ledger, data: bytes, place: str) -> Plan:
    """Returns the changes from the live state to `files`, with this ledger and this glossary.json."""
    return Plan(
        place=place,
        message=message(_read(live.data), _read(data)),
        added=tuple(sorted(files.keys() - live.files.keys())),
        changed=tuple(sorted(path for path in files.keys() & live.files.keys() if files[path] != live.files[path])),
        removed=tuple(sorted(live.files.keys() - files.keys())),
        addresses=tuple(lost(live.ledger, ledger)),
    )


Json = Mapping[str, Any]


def message(before: Json, after: Json) -> str:
    """Returns the changes between two states of a glossary's data as one line: `1 term added in 2.6`."""
    terms, releases = len(after["terms"]), len(_releases(after))
    if not before:
        return f"{_count(terms, 'term')}, {_count(releases, 'release')}"
    known = {*_changes(before)}
    new = [change for change in _changes(after) if change not in known]
    counted = Counter(kind for _, _, _, kind in new if kind in REPORTED)
    parts = [_count(counted[kind], f"term {kind}" if number == 0 else kind) for number, kind in _in_order(counted)]
    named = {release for _, _, release, kind in new if kind in REPORTED}
    if not parts:
        parts, named = ["no term changed"], set(_releases(after)) - set(_releases(before))
    where = _where([release for release in _releases(after) if release in named])
    return ", ".join(parts) + where


def _in_order(counted: Counter[str]) -> Iterable[tuple[int, str]]:
    return enumerate(kind for kind in REPORTED if counted[kind])


def _count(number: int, what: str) -> str:
    noun, space, rest = what.partition(" ")
    plural = noun in ("term", "release") and number != 1
    return f"{number:,} {noun}{'s' if plural else ''}{space}{rest}"


def _where(releases: list[str]) -> str:
    if not releases:
        return ""
    if len(releases) > 2 or not all(PLAIN.fullmatch(name) for name in releases):
        return f" in {_count(len(releases), 'release')}"
    return f" in {' and '.join(releases)}"


def _releases(data: Json) -> list[str]:
    return list(dict.fromkeys(name for source in data["sources"] for name in source["releases"]))


def _changes(data: Json) -> list[tuple[str, str, str, str]]:
    return [
        (term["slug"], one["source"], one["release"], one["kind"])
        for term in data["terms"]
        for one in term["history"]
    ]


def _read(data: bytes) -> Json:
    """Returns the data of a glossary.json, or nothing if it does not have the expected keys."""
    try:
        read: Json = json.loads(data)
        _releases(read), {*_changes(read)}
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return read
