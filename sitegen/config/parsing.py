"""Parses the text of site.toml into a `Config`, or raises one error that lists every mistake in it.

`tables` validates each table; this module also compares the tables with each other, and adds the
line of each mistake. Releases can only be checked fully after the sources have been read; see
`Config.unknown_releases`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from pydantic_core import ErrorDetails, SchemaValidator, ValidationError

from sitegen.config.tables import (
    KEYS,
    PLACES,
    PLACES_OF,
    Declaration,
    SiteTable,
    SourceTable,
    Tables,
    Verdict,
    keys,
    keys_at,
)
from sitegen.config.tables import tables as tables_of_file
from sitegen.config.toml import KeyPath, excess, key_lines, line_of
from sitegen.config.values import (
    UNWRITTEN,
    UnfitError,
    as_id,
    as_name,
    did_you_mean,
    nearest,
    shown,
)
from sitegen.model import Problem, ProblemKind, SitegenError, Trouble
from sitegen.text.schema import validator

Raw = Mapping[str, Any]
"""A TOML table before validation."""

FILES_FORM = 'write a table, such as { "1.8.2" = "GLOSSARY.md" }'
"""Advice for the key `files`."""

EXPECTED = {
    "string_type": "write text in quotes",
    "date_type": "write a date without quotes, such as 2021-07-23",
    "bool_type": "write true or false, without quotes",
    "tuple_type": 'write a list, such as ["one", "two"]',
    "dict_type": FILES_FORM,
    "too_short": "it takes more names",
}
"""Advice for each type of error of `pydantic_core`."""

TOML_FORM = (
    'a line is a key and a value, as in title = "Words", or a table, as in [site] or [[source]]'
)
TOML_ADVICE = {
    "Invalid value": 'write a text in quotes, a list in square brackets, as in title = "Words" '
    'and tags = ["v*"]',
    "Illegal character '\\n'": "close the quotes on the same line, or begin and end a longer "
    "text with three of them",
    "Cannot overwrite": "a key can be set once in a table",
    "Cannot declare": "a table in single brackets can be written once; those in double brackets "
    "can be repeated",
    "Expected ']": "close the brackets: [site], [[source]]",
}
"""Advice for each TOML syntax error, by the beginning of the message of `tomllib`."""

MAX_TABLES = 3
"""The maximum number of tables that are named for a key in the wrong one."""
MAX_MISTAKES = 20
"""The maximum number of mistakes in tables that are reported at once."""


class ConfigError(SitegenError):
    """Raised if site.toml cannot be used. The message has one line for every mistake."""

    def __init__(self, mistakes: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(mistakes), key=lambda mistake: (mistake.line, mistake)))
        super().__init__("\n".join(map(str, self.problems)))


class Mistake(NamedTuple):
    """A mistake in site.toml, and the path of its key."""

    path: KeyPath
    found: str
    wanted: str

    def problem(self, file: str, lines: Mapping[KeyPath, int]) -> Problem:
        keys = [key for key in self.path if isinstance(key, str)]
        name = ".".join(key if re.fullmatch("[A-Za-z0-9_-]+", key) else shown(key) for key in keys)
        wanted = f"{self.wanted} ({name})" if name else self.wanted
        return Trouble(ProblemKind.SETTINGS, self.found, wanted).at(
            file, line=line_of(self.path, lines)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Config(Tables):
    """The content of site.toml, with every default filled in."""

    path: str
    """The path in messages."""
    problems: tuple[Problem, ...]
    """Mistakes with an unambiguous correction, which do not stop the build."""
    lines: Mapping[KeyPath, int] = field(repr=False)
    """The line of each key and table, for `line_of`."""
    raw: Raw = field(repr=False)
    """The tables before validation."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return (*(one for one in self.same if not one.language), *self.distinct)

    @property
    def redirects(self) -> tuple[str, ...]:
        """The addresses of pages of an earlier glossary."""
        return tuple(dict.fromkeys(address for table in self.redirect for address in table.old))

    @property
    def former_ids(self) -> Mapping[str, str]:
        """Maps former source ids to present ones."""
        return _present_ids(self.sources)

    @property
    def theme_folders(self) -> tuple[str, ...]:
        """The folders of the theme, relative to site.toml. Their files are no documents of a
        source."""
        return tuple(filter(None, (self.theme.pages, self.theme.html, self.theme.files)))

    def unknown_releases(self, known: Mapping[str, Collection[str]]) -> tuple[Problem, ...]:
        """Returns a problem for each mentioned release that its source does not have.

        `known` has the releases of each source by its id. Sources not in `known` are not checked.
        """
        everywhere = [*chain.from_iterable(known.values())]
        problems = []
        for path, source, release in self._mentioned_releases():
            names = known.get(source) if source else everywhere
            if names is not None and release not in names:
                found = f"unknown release {shown(release)}"
                mistake = Mistake(path, found, did_you_mean(release, names))
                problems.append(mistake.problem(self.path, self.lines))
        return tuple(problems)

    def _mentioned_releases(self) -> Iterator[tuple[KeyPath, str, str]]:
        """Yields the path of each key that names a release, the source, which is empty for any, and
        the release."""
        for number, table in enumerate(self.sources):
            for name in table.order:
                yield ("source", number, "order"), table.id, name
        for number, one in enumerate(self.releases):
            yield ("release", number, "name"), one.source, one.name
        for number, rename in enumerate(self.renames):
            if rename.release:
                yield ("rename", number, "release"), rename.source, rename.release


def default(title: str) -> Config:
    """Returns the configuration for a folder without site.toml: one source with a folder for each
    release."""
    config = parse("", path="site.toml")
    return replace(config, site=SiteTable(title=as_name(title) or config.site.title))


def of_repository(name: str, *, git: str, paths: Iterable[str], tags: Iterable[str]) -> Config:
    """Returns the configuration for a git repository with the name `name`, given on the command
    line.

    Raises `ConfigError`.
    """
    title = as_name(name) or SiteTable().title
    source = {
        "id": as_id(name),
        "title": title,
        "git": git,
        "paths": [*paths],
        "tags": [*tags],
        "by": "auto",
    }
    return _validated({"site": {"title": title}, "source": [source]}, {}, path="the command line")


def parse(text: str, *, path: str, formats: Callable[[], Collection[str]] | None = None) -> Config:
    """Parses site.toml. Raises one `ConfigError` that lists every mistake.

    `path` is the path in messages. `formats` returns the valid names of formats; None allows any
    name.
    """
    return _validated(_parsed_toml(text, path), key_lines(text), path=path, formats=formats)


def _parsed_toml(text: str, path: str) -> Raw:
    if exceeded := excess(text):
        line, found = exceeded
        trouble = Trouble(ProblemKind.SETTINGS, found, "contributing/limits.md has the limits")
        raise ConfigError([trouble.at(path, line=line)])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.fullmatch(
            r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL
        )
        reason, at = match.groups() if match else (str(error), None)
        found = f"not valid TOML: {reason[:1].lower()}{reason[1:]}"
        wanted = TOML_FORM
        for start, advice in TOML_ADVICE.items():
            if reason.startswith(start):
                wanted = advice
        trouble = Trouble(ProblemKind.SETTINGS, found, wanted)
        raise ConfigError([trouble.at(path, line=int(at or text.count("\n") + 1))]) from None


def _validated(
    raw: Raw,
    lines: Mapping[KeyPath, int],
    *,
    path: str,
    formats: Callable[[], Collection[str]] | None = None,
) -> Config:
    """Returns the validated configuration, after all checks."""
    mistakes = [*chain.from_iterable(check(raw) for check in CHECKS)]
    if formats:
        mistakes += _unknown_formats(raw, formats)
    try:
        tables = _validator().validate_python(raw)
    except ValidationError as error:
        mistakes += [_mistake_of(details) for details in error.errors()[:MAX_MISTAKES]]
    if mistakes:
        raise ConfigError(mistake.problem(path, lines) for mistake in mistakes)
    ids = _present_ids(tables.sources)
    values = {}
    for name, key in keys(Tables).items():
        values[name] = _placed(key, getattr(tables, name), lines, ids)
    harmless = (*_listed_twice(raw), *_unwritten(raw))
    problems = tuple(mistake.problem(path, lines) for mistake in harmless)
    return Config(**values, path=path, problems=problems, lines=lines, raw=raw)


@cache
def _validator() -> SchemaValidator:
    return validator(Tables, KEYS)


def _placed(key: str, tables: Any, lines: Mapping[KeyPath, int], ids: Mapping[str, str]) -> Any:
    """Returns the tables of a key; declarations have their lines, and the present ids of their
    sources."""
    if not isinstance(tables, tuple) or not all(isinstance(table, Declaration) for table in tables):
        return tables
    placed = []
    for number, table in enumerate(tables):
        changed: dict[str, Any] = {"line": line_of((key, number), lines)}
        if hasattr(table, "source"):
            changed["source"] = ids.get(table.source, table.source)
        placed.append(replace(table, **changed))
    return tuple(placed)


def _present_ids(sources: Iterable[SourceTable]) -> dict[str, str]:
    return {former: table.id for table in sources for former in table.formerly}


def _mistake_of(error: ErrorDetails) -> Mistake:
    path = tuple(key for key in error["loc"] if key != "[key]")
    table, key = path[:-1], str(path[-1])
    match error["type"]:
        case "value_error" if isinstance(wrong := error["ctx"]["error"], UnfitError):
            return Mistake(path, wrong.found, wrong.wanted)
        case "unexpected_keyword_argument":
            return Mistake(path, f"unknown key {shown(key)}", _known_keys(key, table))
        case "missing":
            return Mistake(path, f"{key!r} is missing", f"add a line that begins {key} =")
        case "tuple_type" if len(path) == 1:
            return Mistake(path, f"{key} is not a list of tables", f"write [[{key}]]")
        case "dataclass_type":
            header = f"[[{path[0]}]]" if table else f"[{path[0]}]"
            return Mistake(path, f"{path[0]} is not a table", f"write {header}")
        case kind:
            return Mistake(
                path, f"{key} is {shown(error['input'])}", EXPECTED.get(kind, error["msg"])
            )


def _known_keys(key: str, table: KeyPath) -> str:
    """Returns advice about an unknown key: a similar one, or the tables that have it."""
    known = keys_at(table)
    others = [header for header, keys_of in tables_of_file().items() if key in keys_of]
    if not others:
        return did_you_mean(key, known)
    advice = f"it is a key of {', '.join(others[:MAX_TABLES])}"
    if near := nearest(key, known):
        advice = f"did you mean '{near}'? {advice}"
    return advice


# Checks that involve more than one key or table. They run on the tables before validation.


def _tables(raw: Raw, kind: str) -> Iterator[tuple[int, Raw]]:
    tables = raw.get(kind)
    for number, table in enumerate(tables if isinstance(tables, list) else ()):
        if isinstance(table, dict):
            yield number, table


def _wrong_places(raw: Raw) -> Iterator[Mistake]:
    """Checks that each source has exactly one location key, and only keys that fit that kind of
    location."""
    for number, table in _tables(raw, "source"):
        places = [key for key in PLACES if key in table]
        if len(places) != 1:
            found = "a source that names no place"
            if places:
                found = f"both {' and '.join(places)}"
            yield Mistake(("source", number), found, f"say {_any_of(PLACES)}")
        if table.get("files") == {}:
            yield Mistake(("source", number, "files"), "no release is named", FILES_FORM)
        if "git" in places and not table.get("paths") and not table.get("versions"):
            wanted = (
                'name its files, such as paths = ["docs/glossary.rst", "GLOSSARY.md"]; '
                "`sitegen init` finds them"
            )
            yield Mistake(("source", number, places[0]), "paths is missing", wanted)
        for key, fitting in PLACES_OF.items():
            if key in table and places and places[0] not in fitting:
                found = f"{key} beside {places[0]}"
                yield Mistake(("source", number, key), found, f"it goes with {_any_of(fitting)}")


def _any_of(words: Sequence[str]) -> str:
    *earlier, last = words
    return f"{', '.join(earlier)} or {last}" if earlier else last


def _repeated_ids(raw: Raw) -> Iterator[Mistake]:
    """Checks that source ids are unique, and that former ids are not ids of other sources."""
    ids_so_far: list[object] = []
    for number, table in _tables(raw, "source"):
        if "id" in table and table["id"] in ids_so_far:
            found = f"a second source with the id {shown(table['id'])}"
            yield Mistake(("source", number, "id"), found, "give each source an id of its own")
        ids_so_far.append(table.get("id"))
    for number, table in _tables(raw, "source"):
        former = table.get("formerly")
        if isinstance(former, str):
            former = [former]
        for id in former if isinstance(former, list) else ():
            if id in ids_so_far:
                found = f"{shown(id)} is the id of another source, or was"
                yield Mistake(("source", number, "formerly"), found, "name an id that is free now")
            ids_so_far.append(id)


def _unknown_sources(raw: Raw) -> Iterator[Mistake]:
    """Checks that every source that a table names exists."""
    ids = [table.get("id") for _, table in _tables(raw, "source")]
    for _, table in _tables(raw, "translation"):
        ids.append(f"{table.get('of')}-{str(table.get('language')).lower()}")
    known_ids = [*dict.fromkeys(name for name in ids if isinstance(name, str))]
    if not known_ids:
        # Without any [[source]] table there is a default source, for the folder itself.
        known_ids = [Tables().sources[0].id]
    for kind in ("release", "rename", "same", "distinct", "slug"):
        for number, table in _tables(raw, kind):
            name = table.get("source")
            if isinstance(name, str) and name not in known_ids:
                found = f"unknown source {shown(name)}"
                wanted = (
                    f"{did_you_mean(name, known_ids)}; if its id was changed, write the new one "
                    f"here, and formerly = {shown(name)} in its [[source]]"
                )
                yield Mistake((kind, number, "source"), found, wanted)


def _empty_declarations(raw: Raw) -> Iterator[Mistake]:
    """Checks that old and new name of a rename differ, and that a retirement is of an address,
    source or release."""
    for number, table in _tables(raw, "rename"):
        if "from" in table and table["from"] == table.get("to"):
            found = f"{shown(table['from'])} is renamed to itself"
            yield Mistake(("rename", number, "to"), found, "give the new name")
    wanted = "say either address, or source and release"
    for number, table in _tables(raw, "retired"):
        named = [key for key in ("address", "source", "release") if table.get(key)]
        if not named:
            yield Mistake(("retired", number), "nothing is named that is retired", wanted)
        elif "address" in named and len(named) > 1:
            found = f"address beside {' and '.join(named[1:])}"
            yield Mistake(("retired", number), found, wanted)


CHECKS = (_wrong_places, _repeated_ids, _unknown_sources, _empty_declarations)
"""The checks that need nothing but the text of site.toml."""


def _unknown_formats(raw: Raw, formats: Callable[[], Collection[str]]) -> Iterator[Mistake]:
    """Checks that the formats of sources are among the known ones."""
    for number, table in _tables(raw, "source"):
        name = table.get("format")
        if not isinstance(name, str) or not name:
            continue
        known = formats()
        if name not in known:
            found, wanted = f"unknown format {shown(name)}", did_you_mean(name, known)
            yield Mistake(("source", number, "format"), found, wanted)


def _unwritten(raw: Raw) -> Iterator[Mistake]:
    """Yields the tables that were pasted without writing a reason."""
    for kind in ("retired", "corrected", "continues", "withheld"):
        for number, table in _tables(raw, kind):
            if table.get("reason") in UNWRITTEN:
                found = "the reason is still to be written"
                yield Mistake((kind, number, "reason"), found, "say why; a page shows it")


def _listed_twice(raw: Raw) -> Iterator[Mistake]:
    """Yields releases that are listed a second time, which has no effect."""
    seen = set()
    for number, table in _tables(raw, "release"):
        release = (table["name"], table.get("source"))
        if release in seen:
            found = f"release {shown(table['name'])} is listed twice"
            yield Mistake(("release", number), found, "the first [[release]] of that name counts")
        seen.add(release)
