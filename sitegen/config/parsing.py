"""Parses the text of site.toml into a `Config`, or raises one error that lists every mistake in it.

`tables` validates each table, `checks` compares them with each other, and this module adds the line
of each mistake. Releases can only be checked fully after the sources have been read; see
`Config.unknown_releases`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from itertools import chain
from typing import Any, get_args, get_type_hints

from pydantic_core import ErrorDetails, SchemaValidator, ValidationError

from sitegen.config import SITE_TOML
from sitegen.config.checks import (
    FILES_FORM,
    Mistake,
    mistakes_in,
    releases_listed_twice,
    unknown_languages,
    unwritten_reasons,
)
from sitegen.config.tables import (
    Declaration,
    ReleaseTable,
    SiteTable,
    SourceTable,
    Tables,
    Verdict,
)
from sitegen.config.toml import KeyPath, key_lines, line_of
from sitegen.config.values import (
    UnfitError,
    as_name,
    shown,
)
from sitegen.model import Problem, ProblemKind, ProblemsError, TooMuchWorkError, Trouble
from sitegen.text.names import did_you_mean, similar_names
from sitegen.text.release_names import as_listed, declared_order
from sitegen.text.schema import validator

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

KEYS = {
    "old": "from",
    "new": "to",
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

MAX_TABLES = 3
"""The maximum number of tables that are named for a key in the wrong one."""
MAX_MISTAKES = 20
"""The maximum number of mistakes in tables that are reported at once."""


class ConfigError(ProblemsError):
    """Raised if site.toml cannot be used. The message has one line for every mistake."""

    def __init__(self, mistakes: Iterable[Problem]) -> None:
        super().__init__(sorted(set(mistakes), key=lambda mistake: (mistake.line, mistake)))


DeclaredReleases = Mapping[str, ReleaseTable]
"""The [[release]] tables of one source by the name of the release, in the order of site.toml."""


@dataclass(frozen=True, kw_only=True)
class Config(Tables):
    """The content of site.toml, with every default filled in."""

    problems: tuple[Problem, ...]
    """Mistakes with an unambiguous correction, which do not stop the build."""
    lines: Mapping[KeyPath, int] = field(repr=False)
    """The line of each key and table, for `line_of`."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The tables that say whether names mean one term. Those that pair an original with its
        translation are left out."""
        same = [one for one in self.same if not one.language]
        return (*same, *self.distinct)

    @property
    def redirects(self) -> tuple[str, ...]:
        """The addresses of pages of an earlier glossary."""
        every = chain.from_iterable(table.old for table in self.redirect)
        return tuple(dict.fromkeys(every))

    @property
    def former_ids(self) -> Mapping[str, str]:
        """Maps former source ids to present ones."""
        return _present_by_former(self.sources)

    @property
    def theme_folders(self) -> tuple[str, ...]:
        """The folders of the theme, relative to site.toml. Their files are no documents of a
        source."""
        return tuple(filter(None, (self.theme.pages, self.theme.html, self.theme.files)))

    def declared_releases(self, source: str) -> DeclaredReleases:
        """Returns the table of each release of a source that counts: the first one that names the
        source, else the first one for all sources."""
        declared: dict[str, ReleaseTable] = {}
        for table in self.releases:
            if table.source not in ("", source):
                continue
            earlier = declared.get(table.name)
            if earlier is None or (table.source and not earlier.source):
                declared[table.name] = table
        return declared

    def unknown_releases(self, known: Mapping[str, Collection[str]]) -> tuple[Problem, ...]:
        """Returns a problem for each release that site.toml names and its source does not have.

        `known` has the names of releases by the id of the source. Other sources are not checked. A
        table without a source may name a release of any source.
        """
        names_in_all = [*chain.from_iterable(known.values())]
        problems = []
        for path, source, release in self._mentioned_releases():
            names = known.get(source) if source else names_in_all
            if names is not None and release not in names:
                found = f"unknown release {shown(release)}"
                mistake = Mistake(path, found, did_you_mean(release, names))
                problems.append(mistake.problem(SITE_TOML, self.lines))
        return tuple(problems)

    def _mentioned_releases(self) -> Iterator[tuple[KeyPath, str, str]]:
        """Yields the path of each key that names a release, the id of the source, and the release.
        The id is empty if the release may be of any source."""
        for number, table in enumerate(self.releases):
            yield ("release", number, "name"), table.source, table.name
        for number, rename in enumerate(self.renames):
            if rename.release:
                yield ("rename", number, "release"), rename.source, rename.release
        for number, retired in enumerate(self.retired):
            for release in retired.releases:
                yield ("retired", number, "release"), retired.source, release
        for number, corrected in enumerate(self.corrected):
            yield ("corrected", number, "release"), corrected.source, corrected.release
        for number, continuing in enumerate(self.continues):
            if continuing.release:
                yield ("continues", number, "release"), continuing.source, continuing.release


def in_declared_order(names: Iterable[str], declared: DeclaredReleases) -> tuple[str, ...]:
    """Returns the names of releases, which are in the default order, in the order that site.toml
    declares."""
    default_order = list(names)
    listed = [(name, table.date) for name, table in declared.items() if name in default_order]
    return declared_order(default_order, as_listed(listed))


def default(title: str) -> Config:
    """Returns the configuration for a folder without site.toml: one source with a folder for each
    release."""
    config = parse("", path="")  # the default of [[source]] is this source
    return replace(config, site=SiteTable(title=as_name(title) or config.site.title))


def parse(text: str, *, path: str) -> Config:
    """Parses site.toml. Raises one `ConfigError` that lists every mistake.

    `path` is the path in messages. It is empty for a text that is in no file; messages then have no
    lines.
    """
    try:
        lines = key_lines(text) if path else {}
        raw = tomllib.loads(text)
    except TooMuchWorkError as error:
        raise ConfigError([error.problem(path)]) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([_toml_problem(str(error), text, path)]) from None

    mistakes = [*mistakes_in(raw)]
    try:
        tables = _validator().validate_python(raw)
    except ValidationError as error:
        mistakes += [_mistake_of(details) for details in error.errors()[:MAX_MISTAKES]]
    if mistakes:
        raise ConfigError(mistake.problem(path, lines) for mistake in mistakes)

    present_by_former = _present_by_former(tables.sources)
    values = {}
    for name, key in _keys(Tables).items():
        value = getattr(tables, name)
        is_list_of_tables = isinstance(value, tuple)
        if is_list_of_tables:
            value = tuple(_with_lines_and_ids(value, key, lines, present_by_former))
        values[name] = value

    harmless = (*releases_listed_twice(raw), *unwritten_reasons(raw), *unknown_languages(raw))
    problems = tuple(mistake.problem(path, lines) for mistake in harmless)
    return Config(**values, problems=problems, lines=lines)


def _toml_problem(message: str, text: str, path: str) -> Problem:
    """Returns the problem of a text that is not TOML, from the message of the parser."""
    # The message is "Invalid value (at line 3, column 5)", or ends with "(at end of document)".
    reason, _, position = message.rpartition(" (at ")
    line = text.count("\n") + 1
    at_line = re.match(r"line (\d+)", position)
    if at_line:
        line = int(at_line[1])

    wanted = TOML_FORM
    for start, advice in TOML_ADVICE.items():
        if reason.startswith(start):
            wanted = advice
    found = f"not valid TOML: {reason[:1].lower()}{reason[1:]}"
    return Trouble(ProblemKind.SETTINGS, found, wanted).at(path, line=line)


@cache
def _validator() -> SchemaValidator:
    return validator(Tables, KEYS)


def _with_lines_and_ids(
    tables: Iterable[Any],
    key: str,
    lines: Mapping[KeyPath, int],
    present_by_former: Mapping[str, str],
) -> Iterator[Any]:
    """Yields the tables of a list with their lines, and with the present id of a source in place of
    a former one."""
    for number, table in enumerate(tables):
        completed = table
        if isinstance(table, Declaration):
            completed = replace(completed, line=line_of((key, number), lines))
        if hasattr(table, "source"):
            completed = replace(completed, source=present_by_former.get(table.source, table.source))
        yield completed


def _present_by_former(sources: Iterable[SourceTable]) -> dict[str, str]:
    """Returns the present id of each source by its former ids."""
    present: dict[str, str] = {}
    for table in sources:
        present |= dict.fromkeys(table.formerly, table.id)
    return present


def _mistake_of(error: ErrorDetails) -> Mistake:
    """Returns a mistake that says in our words what pydantic found."""
    # pydantic ends the path with "[key]" if the key itself is wrong, not its value.
    path = tuple(key for key in error["loc"] if key != "[key]")
    key = str(path[-1])
    table = path[:-1]
    kind = error["type"]

    if kind == "value_error":
        reason = error["ctx"]["error"]
        if isinstance(reason, UnfitError):
            return Mistake(path, reason.found, reason.wanted)
    if kind == "unexpected_keyword_argument":
        return Mistake(path, f"unknown key {shown(key)}", _advice_on_key(key, table))
    if kind == "missing":
        return Mistake(path, f"{key!r} is missing", f"add a line that begins {key} =")
    is_at_top = len(path) == 1
    if kind == "tuple_type" and is_at_top:  # deeper, a tuple is a list of values
        return Mistake(path, f"{key} is not a list of tables", f"write [[{key}]]")
    if kind == "dataclass_type":
        name = path[0]
        # The path of a table in a list has its number: ("source", 0).
        header = f"[{name}]" if is_at_top else f"[[{name}]]"
        return Mistake(path, f"{name} is not a table", f"write {header}")

    # A value of another type, or a value error without words of ours.
    wanted = EXPECTED.get(kind, error["msg"])
    return Mistake(path, f"{key} is {shown(error['input'])}", wanted)


def _advice_on_key(key: str, table: KeyPath) -> str:
    """Returns advice about a key that a table does not know: the tables that have this key, or a
    similar key of the same table."""
    by_header = _keys_by_header()
    if table:
        known = by_header.get(f"[{table[0]}]") or by_header[f"[[{table[0]}]]"]
    else:
        known = tuple(_keys(Tables).values())
    headers_with_key = [header for header, names in by_header.items() if key in names]
    if not headers_with_key:
        return did_you_mean(key, known)
    advice = f"it is a key of {', '.join(headers_with_key[:MAX_TABLES])}"
    if similar_names(key, known):
        advice = f"{advice}; or {did_you_mean(key, known)}"
    return advice


def _keys(table: type[Any]) -> Mapping[str, str]:
    """Returns the TOML keys of a table by the names of its fields."""
    key_by_field = {}
    for one_field in fields(table):
        if one_field.compare:  # else the program sets it, as the line of a table
            key_by_field[one_field.name] = KEYS.get(one_field.name, one_field.name)
    return key_by_field


def _keys_by_header() -> Mapping[str, tuple[str, ...]]:
    """Returns the keys of each table, by its header: `[site]`, `[[source]]`."""
    types = get_type_hints(Tables)
    by_header = {}
    for name, key in _keys(Tables).items():
        type_arguments = get_args(types[name])
        is_list = len(type_arguments) > 0  # tuple[SourceTable, ...]
        if is_list:
            by_header[f"[[{key}]]"] = tuple(_keys(type_arguments[0]).values())
        else:
            by_header[f"[{key}]"] = tuple(_keys(types[name]).values())
    return by_header
