"""Tables of TOML as dataclasses: each key is read as its annotation says, or every mistake is told with its place.

A key may hold a text, a flag, a day, a table, or a list or a table of such; and each of these may be `Annotated` with
functions that take a value and return it as it is meant, or raise `UnfitError`.
"""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date
from functools import reduce
from types import UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from sitegen.toml_lines import KeyPath

Table = TypeVar("Table")

ADVICE: Mapping[type, str] = {
    str: "write text in quotes",
    bool: "write true or false, without quotes",
    date: "write a date without quotes, such as 2021-07-23",
    tuple: 'write a list, such as ["one", "two"]',
    dict: 'write a table, such as { "1.8.2" = "GLOSSARY.md" }',
}
"""How to write what was expected."""

ONE_OR_MORE = "one or more"
"""In an annotation of a list: a text stands for a list that has it alone."""


class UnfitError(ValueError):
    """A value that a key cannot have."""

    def __init__(self, found: str, wanted: str) -> None:
        super().__init__(found)
        self.found, self.wanted = found, wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """Something wrong in a table, and the key at which it stands."""

    path: KeyPath
    found: str
    wanted: str


def read(kind: type[Table], raw: Mapping[str, object], *, keys: Mapping[str, str]) -> tuple[Table | None, list[Slip]]:
    """Returns a table as a dataclass, or None, and all that is wrong with it.

    `keys` are those of fields that have another name than their key.
    """
    reading = _Reading(keys)
    table = reading.table(kind, raw, ())
    return (None if reading.slips else table), reading.slips


def at_least(count: int) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    """Returns what is fit for lists of names that are so long."""

    def check(names: tuple[str, ...]) -> tuple[str, ...]:
        if len(names) < count:
            raise UnfitError(f"{shown([*names])} is too short", "it takes more names")
        return names

    return check


class _Reading:
    def __init__(self, keys: Mapping[str, str]) -> None:
        self.slips: list[Slip] = []
        self._keys = keys

    def table(self, kind: type[Table], raw: Mapping[str, object], path: KeyPath) -> Table | None:
        annotations = get_type_hints(kind, include_extras=True)
        known = {self._keys.get(field.name, field.name): field for field in fields(kind)}  # type: ignore[arg-type]
        for key in raw:
            if key not in known:
                self._slip((*path, key), f"unknown key {shown(key)}", did_you_mean(key, known))
        values = {}
        for key, field in known.items():
            if key in raw:
                values[field.name] = self._value(annotations[field.name], raw[key], (*path, key))
            elif field.default is field.default_factory is MISSING:
                self._slip((*path, key), f"{key!r} is missing", f"add a line that begins {key} =")
        return None if self.slips else kind(**values)

    def _value(self, kind: Any, raw: Any, path: KeyPath) -> Any:
        try:
            return self._fit(kind, raw, path)
        except UnfitError as error:
            return self._slip(path, error.found, error.wanted)

    def _fit(self, kind: Any, raw: Any, path: KeyPath) -> Any:
        """A value as it is meant. What is in it, if it holds several, may be wrong by itself."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            plain, *checks = inner
            slips = len(self.slips)
            value = self._fit(plain, [raw] if ONE_OR_MORE in checks and isinstance(raw, str) else raw, path)
            fitting = filter(callable, checks) if len(self.slips) == slips else ()
            return reduce(lambda value, check: check(value), fitting, value)
        if origin is UnionType:  # with nothing, for which TOML has no word
            return self._fit(inner[0], raw, path)
        if origin is tuple and isinstance(raw, list):
            return tuple(self._value(inner[0], one, (*path, number)) for number, one in enumerate(raw))
        if origin is dict and isinstance(raw, dict):
            pairs = ((key, (*path, key)) for key in raw)
            return {self._value(inner[0], key, place): self._value(inner[1], raw[key], place) for key, place in pairs}
        if is_dataclass(kind) and isinstance(raw, dict):
            return self.table(kind, raw, path)  # type: ignore[arg-type]
        if type(raw) is not kind:
            raise _misfit(kind, raw, path)
        return raw

    def _slip(self, path: KeyPath, found: str, wanted: str) -> None:
        self.slips.append(Slip(path=path, found=found, wanted=wanted))


def _misfit(kind: Any, raw: object, path: KeyPath) -> UnfitError:
    """What is said of a value that is not even of the kind that its key takes."""
    if is_dataclass(kind):
        header = f"[[{path[0]}]]" if len(path) > 1 else f"[{path[0]}]"
        return UnfitError(f"{path[0]} is not a table", f"write {header}")
    if get_origin(kind) is tuple and len(path) == 1:
        return UnfitError(f"{path[0]} is not a list of tables", f"write [[{path[0]}]]")
    return UnfitError(f"{path[-1]} is {shown(raw)}", ADVICE[get_origin(kind) or kind])


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Returns advice: the nearest of the words that would have worked, or all of them."""
    if near := nearest(word, known):
        return f"did you mean '{near}'?"
    return f"known: {', '.join(known)}" if known else "there is none"


def nearest(word: str, known: Collection[str]) -> str:
    """Returns the word that was most likely meant; empty when none comes near."""
    by_folded = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(word.casefold(), by_folded, n=1)
    return by_folded[near[0]] if near else ""


def shown(value: object) -> str:
    """Returns a value as a message shows it: on one line, with nothing invisible in it, and not too long."""
    brief = reprlib.Repr()
    brief.maxstring = 60
    return brief.repr(value) if isinstance(value, str | list | dict) else str(value).lower()
