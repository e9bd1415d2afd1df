"""Parses the text of site.toml into a `Config`, or raises one error that lists every mistake in it.

`tables` validates each table, `checks` compares the tables with each other, and this module adds the line of each
mistake. Releases can only be checked fully after the sources have been read; see `Config.unknown_releases`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from sitegen.config.checks import (
    CHECKS,
    FILES_FORM,
    Mistake,
    Raw,
    ReleaseMention,
    listed_twice,
    mentions_in,
    unknown_formats,
    unknown_releases,
)
from sitegen.config.tables import ReleaseTable, SiteTable, SourceTable, Tables, ThemeTable, keys_of
from sitegen.config.toml import KeyPath, excess, key_lines, line_of
from sitegen.config.values import UnfitError, as_id, as_name, did_you_mean, shown
from sitegen.model import ChosenSlug, Corrected, Problem, Rename, Retired, SitegenError, Verdict, Withheld

T = TypeVar("T")

EXPECTED = {
    "string_type": "write text in quotes",
    "date_type": "write a date without quotes, such as 2021-07-23",
    "bool_type": "write true or false, without quotes",
    "tuple_type": 'write a list, such as ["one", "two"]',
    "dict_type": FILES_FORM,
    "too_short": "it takes more names",
}
"""Advice for each type of pydantic error."""


MAX_MISTAKES = 20
"""The maximum number of mistakes in tables that are reported at once."""


class ConfigError(SitegenError):
    """Raised if site.toml cannot be used. The message has one line for every mistake."""

    def __init__(self, mistakes: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(mistakes), key=lambda mistake: (mistake.line, mistake)))
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The content of site.toml, with every default filled in."""

    path: str
    """The path in messages."""
    site: SiteTable
    theme: ThemeTable
    releases: tuple[ReleaseTable, ...]
    sources: tuple[SourceTable, ...]
    renames: tuple[Rename, ...]
    verdicts: tuple[Verdict, ...]
    retired: tuple[Retired, ...]
    redirects: tuple[str, ...]
    """Addresses of pages of an earlier glossary."""
    corrected: tuple[Corrected, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    slugs: tuple[ChosenSlug, ...] = ()
    problems: tuple[Problem, ...]
    """Mistakes with an unambiguous correction, which do not stop the build."""
    mentions: tuple[ReleaseMention, ...]
    lines: Mapping[KeyPath, int] = field(repr=False)
    raw: Raw = field(repr=False)
    """The tables before validation."""

    def line(self, *path: str | int) -> int:
        """Returns the line of a key or a table; tables are counted from 0: `config.line("rename", 0)`."""
        return line_of(path, self.lines)

    @property
    def former_ids(self) -> Mapping[str, str]:
        """Maps former source ids to present ones."""
        return _present_ids(self.sources)

    @property
    def theme_folders(self) -> tuple[str, ...]:
        """The folders of the theme, relative to site.toml. Their files are no documents of a source."""
        return tuple(filter(None, (self.theme.pages, self.theme.templates)))

    @property
    def former_ids_listed(self) -> Mapping[str, tuple[str, ...]]:
        """The former ids in each [[source]] table, by its id; empty if site.toml has no such table."""
        return {table.id: table.formerly for table in self.sources if "source" in self.raw}

    def unknown_releases(self, known: Mapping[str, Collection[str]]) -> tuple[Problem, ...]:
        """Returns a problem for each mentioned release that its source does not have.

        `known` has the releases of each source by its id.
        """
        return tuple(mistake.problem(self.path, self.lines) for mistake in unknown_releases(self.mentions, known))


def default(title: str) -> Config:
    """Returns the configuration for a folder without site.toml: one source with a folder for each release."""
    config = parse("", path="site.toml")
    return replace(config, site=SiteTable(title=as_name(title) or config.site.title))


def of_repository(name: str, *, git: str, paths: Iterable[str], tags: Iterable[str]) -> Config:
    """Returns the configuration for a git repository with the name `name`, given on the command line.

    Raises `ConfigError`.
    """
    title = as_name(name) or SiteTable().title
    source = {"id": as_id(name), "title": title, "git": git, "paths": [*paths], "tags": [*tags], "by": "auto"}
    return _checked({"site": {"title": title}, "source": [source]}, {}, path="the command line")


def parse(text: str, *, path: str, formats: Collection[str] | None = None) -> Config:
    """Parses site.toml. Raises one `ConfigError` that lists every mistake.

    `path` is the path in messages, `formats` the valid names of formats; None allows any name.
    """
    return _checked(_toml(text, path), key_lines(text), path=path, formats=formats)


def pasted(config: Config, text: str, *, source: str = "") -> Config:
    """Returns the configuration after a text was pasted at the end of site.toml, or in the [[source]] with an id.

    Raises `ConfigError`.
    """
    new = tomllib.loads(text)
    if source:
        tables = [{**table, **new} if table.get("id") == source else table for table in config.raw["source"]]
        raw = {**config.raw, "source": tables}
    else:
        raw = {**config.raw, **{key: [*config.raw.get(key, ()), *tables] for key, tables in new.items()}}
    return replace(_checked(raw, config.lines, path=config.path), site=config.site)


def _checked(raw: Raw, lines: Mapping[KeyPath, int], *, path: str, formats: Collection[str] | None = None) -> Config:
    """Returns the validated configuration, after all checks."""
    tables, mistakes = _validated(raw)
    mistakes += [mistake for check in CHECKS for mistake in check(raw)]
    mistakes += unknown_formats(raw, formats) if formats is not None else ()
    if mistakes or tables is None:
        raise ConfigError(mistake.problem(path, lines) for mistake in mistakes)
    ids = _present_ids(tables.source)
    return Config(
        path=path,
        site=tables.site,
        theme=tables.theme,
        releases=tables.release,
        sources=tables.source,
        renames=_rows(Rename, tables.rename, "rename", lines),
        verdicts=(
            *_rows(partial(Verdict, kind="same"), tables.same, "same", lines),
            *_rows(partial(Verdict, kind="distinct"), tables.distinct, "distinct", lines),
        ),
        retired=tuple(
            replace(row, source=ids.get(row.source, row.source))
            for row in _rows(Retired, tables.retired, "retired", lines)
        ),
        redirects=tuple(dict.fromkeys(address for table in tables.redirect for address in table.old)),
        corrected=tuple(
            replace(row, source=ids.get(row.source, row.source))
            for row in _rows(Corrected, tables.corrected, "corrected", lines)
        ),
        withheld=_rows(Withheld, tables.withheld, "withheld", lines),
        slugs=_rows(ChosenSlug, tables.slug, "slug", lines),
        problems=tuple(mistake.problem(path, lines) for mistake in listed_twice(raw)),
        mentions=tuple(mentions_in(raw)),
        lines=lines,
        raw=raw,
    )


def _rows(kind: Callable[..., T], tables: Iterable[object], key: str, lines: Mapping[KeyPath, int]) -> tuple[T, ...]:
    """Returns the tables of one key as values of the model, each with its line."""
    return tuple(kind(**_fields(table), line=line_of((key, number), lines)) for number, table in enumerate(tables))


def _present_ids(sources: Iterable[SourceTable]) -> dict[str, str]:
    return {former: table.id for table in sources for former in table.formerly}


def _fields(table: Any) -> dict[str, Any]:
    return {field.name: getattr(table, field.name) for field in fields(table)}


TOML_FORM = 'a line is a key and a value, as in title = "Words", or a table, as in [site] or [[source]]'
TOML_ADVICE = {
    "Invalid value": 'a text stands in quotes, a list in square brackets, as in title = "Words" and tags = ["v*"]',
    "Illegal character '\\n'": "close the quotes on the same line, or begin and end a longer text with three of them",
    "Cannot overwrite": "a key can be set once in a table",
    "Cannot declare": "a table in single brackets can be written once; those in double brackets can be repeated",
    "Expected ']": "close the brackets: [site], [[source]]",
}
"""Advice for each TOML syntax error, by the beginning of the message of `tomllib`."""


def _toml(text: str, path: str) -> Raw:
    if above := excess(text):
        raise ConfigError(
            [Problem(path=path, line=above[0], found=above[1], wanted="docs/security.md has the limits")]
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL)
        reason, line = match.groups() if match else (str(error), None)
        found = f"not valid TOML: {reason[:1].lower()}{reason[1:]}"
        wanted = next((advice for start, advice in TOML_ADVICE.items() if reason.startswith(start)), TOML_FORM)
        problem = Problem(path=path, line=int(line or text.count("\n") + 1), found=found, wanted=wanted)
        raise ConfigError([problem]) from None
    except RecursionError:
        raise ConfigError([Problem(path=path, found="lists or tables nested too deeply")]) from None


def _validated(raw: Raw) -> tuple[Tables | None, list[Mistake]]:
    """Validates each table on its own. Returns the tables, or None and the mistakes."""
    try:
        return TypeAdapter(Tables).validate_python(raw), []
    except ValidationError as error:
        return None, [_mistake_of(details) for details in error.errors()[:MAX_MISTAKES]]


def _mistake_of(error: ErrorDetails) -> Mistake:
    path = tuple(key for key in error["loc"] if key != "[key]")
    table, key = path[:-1], str(path[-1])
    match error["type"]:
        case "value_error" if isinstance(wrong := error["ctx"]["error"], UnfitError):
            return Mistake(path=path, found=wrong.found, wanted=wrong.wanted)
        case "unexpected_keyword_argument":
            return Mistake(path=path, found=f"unknown key {shown(key)}", wanted=did_you_mean(key, keys_of(table)))
        case "missing":
            return Mistake(path=path, found=f"{key!r} is missing", wanted=f"add a line that begins {key} =")
        case "tuple_type" if len(path) == 1:
            return Mistake(path=path, found=f"{key} is not a list of tables", wanted=f"write [[{key}]]")
        case "dataclass_type":
            header = f"[[{path[0]}]]" if table else f"[{path[0]}]"
            return Mistake(path=path, found=f"{path[0]} is not a table", wanted=f"write {header}")
        case kind:
            advice = EXPECTED.get(kind, error["msg"])
            return Mistake(path=path, found=f"{key} is {shown(error['input'])}", wanted=advice)
