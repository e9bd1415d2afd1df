"""Parses the text of site.toml into a `Config`, or raises one error that lists every mistake in it.

`tables` defines and validates each table. This module checks the tables against each other and adds line numbers to
mistakes. Releases can only be checked fully after the sources have been read; see `Config.unknown_releases`.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from sitegen.config.tables import (
    PLACES,
    PLACES_OF,
    DistinctTable,
    ReleaseTable,
    SameTable,
    SiteTable,
    SourceTable,
    Tables,
    ThemeTable,
    UnfitError,
    as_id,
    as_name,
    did_you_mean,
    keys_of,
    shown,
)
from sitegen.config.toml_limits import excess
from sitegen.config.toml_lines import KeyPath, key_lines, line_of
from sitegen.model import ChosenSlug, Corrected, Problem, Rename, Retired, SitegenError, Verdict, Withheld

Raw = Mapping[str, Any]
"""A TOML table before validation."""

EXPECTED = {
    "string_type": "write text in quotes",
    "date_type": "write a date without quotes, such as 2021-07-23",
    "bool_type": "write true or false, without quotes",
    "tuple_type": 'write a list, such as ["one", "two"]',
    "dict_type": 'write a table, such as { "1.8.2" = "GLOSSARY.md" }',
    "too_short": "it takes more names",
}
"""Advice for each type of pydantic error."""


MAX_SLIPS = 20
"""The maximum number of mistakes in tables that are reported at once."""


class ConfigError(SitegenError):
    """Raised if site.toml cannot be used. The message has one line for every mistake."""

    def __init__(self, mistakes: Iterable[Problem]) -> None:
        self.mistakes = tuple(sorted(set(mistakes), key=lambda mistake: (mistake.line, mistake)))
        super().__init__("\n".join(map(str, self.mistakes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A release name that occurs in site.toml."""

    path: KeyPath
    source: str
    """Empty for any source."""
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The content of site.toml, with every default filled in."""

    path: str
    """The path that messages show."""
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
    mentions: tuple[Mention, ...]
    lines: Mapping[KeyPath, int] = field(repr=False)

    def line(self, *path: str | int) -> int:
        """Returns the line of a key or a table; tables are counted from 0: `config.line("rename", 0)`."""
        return line_of(path, self.lines)

    @property
    def former_ids(self) -> Mapping[str, str]:
        """Maps former source ids to present ones."""
        return _present_ids(self.sources)

    def unknown_releases(self, known: Mapping[str, Collection[str]]) -> tuple[Problem, ...]:
        """Returns a problem for each mentioned release that its source does not have.

        `known` has the releases of each source by its id.
        """
        return tuple(slip.problem(self.path, self.lines) for slip in _unknown_releases(self.mentions, known))


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
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


def default(title: str) -> Config:
    """Returns the configuration for a folder without site.toml: one source with a folder for each release."""
    config = parse("", path="site.toml")
    return replace(config, site=SiteTable(title=as_name(title) or config.site.title))


def of_repository(name: str, *, git: str, paths: Iterable[str], tags: Iterable[str]) -> Config:
    """Returns the configuration for a git repository that is named on the command line. Raises `ConfigError`.

    `name` is the name of the repository.
    """
    title = as_name(name) or SiteTable().title
    source = {"id": as_id(name), "title": title, "git": git, "paths": [*paths], "tags": [*tags], "by": "auto"}
    return _checked({"site": {"title": title}, "source": [source]}, {}, path="the command line")


def parse(text: str, *, path: str) -> Config:
    """Parses site.toml. Raises one `ConfigError` that lists every mistake.

    `path` is the path that messages show.
    """
    return _checked(_toml(text, path), key_lines(text), path=path)


def _checked(raw: Raw, lines: Mapping[KeyPath, int], *, path: str) -> Config:
    """Returns the validated configuration, after all checks."""
    tables, slips = _validated(raw)
    slips += [slip for check in CHECKS for slip in check(raw)]
    if slips or tables is None:
        raise ConfigError(slip.problem(path, lines) for slip in slips)
    return Config(
        path=path,
        site=tables.site,
        theme=tables.theme,
        releases=tables.release,
        sources=tables.source,
        renames=tuple(
            Rename(**_fields(table), line=line_of(("rename", number), lines))
            for number, table in enumerate(tables.rename)
        ),
        verdicts=(*_verdicts("same", tables.same, lines), *_verdicts("distinct", tables.distinct, lines)),
        retired=tuple(_retirements(tables, lines)),
        redirects=tuple(dict.fromkeys(address for table in tables.redirect for address in table.old)),
        corrected=tuple(_corrections(tables, lines)),
        withheld=tuple(
            Withheld(**_fields(table), line=line_of(("withheld", number), lines))
            for number, table in enumerate(tables.withheld)
        ),
        slugs=tuple(
            ChosenSlug(**_fields(table), line=line_of(("slug", number), lines))
            for number, table in enumerate(tables.slug)
        ),
        problems=tuple(slip.problem(path, lines) for slip in _listed_twice(raw)),
        mentions=tuple(_mentions(raw)),
        lines=lines,
    )


def _verdicts(
    kind: Literal["same", "distinct"], tables: Iterable[SameTable | DistinctTable], lines: Mapping[KeyPath, int]
) -> Iterator[Verdict]:
    for number, table in enumerate(tables):
        yield Verdict(kind=kind, **_fields(table), line=line_of((kind, number), lines))


def _retirements(tables: Tables, lines: Mapping[KeyPath, int]) -> Iterator[Retired]:
    """Yields the retirements, with former source ids replaced by present ones."""
    ids = _present_ids(tables.source)
    for number, table in enumerate(tables.retired):
        word = Retired(**_fields(table), line=line_of(("retired", number), lines))
        yield replace(word, source=ids.get(word.source, word.source))


def _corrections(tables: Tables, lines: Mapping[KeyPath, int]) -> Iterator[Corrected]:
    ids = _present_ids(tables.source)
    for number, table in enumerate(tables.corrected):
        correction = Corrected(**_fields(table), line=line_of(("corrected", number), lines))
        yield replace(correction, source=ids.get(correction.source, correction.source))


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


def _validated(raw: Raw) -> tuple[Tables | None, list[Slip]]:
    """Validates each table on its own. Returns the tables, or None and the mistakes."""
    try:
        return TypeAdapter(Tables).validate_python(raw), []
    except ValidationError as error:
        return None, [_slip(details) for details in error.errors()[:MAX_SLIPS]]


def _slip(error: ErrorDetails) -> Slip:
    path = tuple(key for key in error["loc"] if key != "[key]")
    table, key = path[:-1], str(path[-1])
    match error["type"]:
        case "value_error" if isinstance(wrong := error["ctx"]["error"], UnfitError):
            return Slip(path=path, found=wrong.found, wanted=wrong.wanted)
        case "unexpected_keyword_argument":
            return Slip(path=path, found=f"unknown key {shown(key)}", wanted=did_you_mean(key, keys_of(table)))
        case "missing":
            return Slip(path=path, found=f"{key!r} is missing", wanted=f"add a line that begins {key} =")
        case "tuple_type" if len(path) == 1:
            return Slip(path=path, found=f"{key} is not a list of tables", wanted=f"write [[{key}]]")
        case "dataclass_type":
            header = f"[[{path[0]}]]" if table else f"[{path[0]}]"
            return Slip(path=path, found=f"{path[0]} is not a table", wanted=f"write {header}")
        case kind:
            advice = EXPECTED.get(kind, error["msg"])
            return Slip(path=path, found=f"{key} is {shown(error['input'])}", wanted=advice)


def _tables(raw: Raw, kind: str) -> Iterator[tuple[int, Raw]]:
    tables = raw.get(kind)
    for number, table in enumerate(tables if isinstance(tables, list) else ()):
        if isinstance(table, dict):
            yield number, table


def _places(raw: Raw) -> Iterator[Slip]:
    """Checks that each source has exactly one location key, and only keys that fit that kind of location."""
    for number, table in _tables(raw, "source"):
        places = [key for key in PLACES if key in table]
        if len(places) != 1:
            found = f"both {' and '.join(places)}" if places else "a source that names no place"
            yield Slip(path=("source", number), found=found, wanted=f"say {_any_of(PLACES)}")
        if table.get("files") == {}:
            yield Slip(path=("source", number, "files"), found="no release is named", wanted=EXPECTED["dict_type"])
        if {"git", "archives"} & set(places) and not table.get("paths") and not table.get("versions"):
            wanted = 'name its files, such as paths = ["docs/glossary.rst", "GLOSSARY.md"]; `sitegen init` finds them'
            yield Slip(path=("source", number, places[0]), found="paths is missing", wanted=wanted)
        for key, fitting in PLACES_OF.items():
            if key in table and places and places[0] not in fitting:
                wanted = f"it goes with {_any_of(fitting)}"
                yield Slip(path=("source", number, key), found=f"{key} beside {places[0]}", wanted=wanted)


def _any_of(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _ids(raw: Raw) -> Iterator[Slip]:
    """Checks that source ids are unique."""
    seen: list[object] = []
    for number, table in _tables(raw, "source"):
        if "id" in table and table["id"] in seen:
            found = f"a second source with the id {shown(table['id'])}"
            yield Slip(path=("source", number, "id"), found=found, wanted="give each source an id of its own")
        seen.append(table.get("id"))


def _former_ids(raw: Raw) -> Iterator[Slip]:
    """Checks that former ids are not ids of other sources."""
    taken = [table.get("id") for _, table in _tables(raw, "source")]
    for number, table in _tables(raw, "source"):
        former = table.get("formerly", ())
        for id in (former,) if isinstance(former, str) else former if isinstance(former, list) else ():
            if id in taken:
                found = f"{shown(id)} is the id of another source, or was"
                yield Slip(path=("source", number, "formerly"), found=found, wanted="name an id that is free now")
            taken.append(id)


def _known_sources(raw: Raw) -> Iterator[Slip]:
    """Checks that every source that a table names exists."""
    ids = (table.get("id") for _, table in _tables(raw, "source"))
    # Without any [[source]] table there is a default source, for the folder itself.
    known = list(dict.fromkeys(name for name in ids if isinstance(name, str))) or [Tables().source[0].id]
    for kind in ("release", "rename", "same", "distinct", "slug"):
        for number, table in _tables(raw, kind):
            name = table.get("source")
            if isinstance(name, str) and name not in known:
                found, wanted = f"unknown source {shown(name)}", did_you_mean(name, known)
                yield Slip(path=(kind, number, "source"), found=found, wanted=wanted)


def _known_releases(raw: Raw) -> Iterator[Slip]:
    """Checks that every mentioned release exists, for sources whose releases are listed in site.toml."""
    sources = [table for _, table in _tables(raw, "source")]
    listed = (table for table in sources if isinstance(table.get("files"), dict))
    known = {str(table.get("id")): [_release(name) for name in table["files"]] for table in listed}
    everywhere = all("file" in table or "files" in table for table in sources) and bool(known)
    mentions = (mention for mention in _mentions(raw) if mention.source or everywhere)
    return _unknown_releases(mentions, known)


def _renames(raw: Raw) -> Iterator[Slip]:
    """Checks that old and new name of a rename differ."""
    for number, table in _tables(raw, "rename"):
        if "from" in table and table["from"] == table.get("to"):
            found = f"{shown(table['from'])} is renamed to itself"
            yield Slip(path=("rename", number, "to"), found=found, wanted="give the new name")


def _retired(raw: Raw) -> Iterator[Slip]:
    """Checks that a retirement names either an address, or a source and release."""
    for number, table in _tables(raw, "retired"):
        named = [key for key in ("address", "source", "release") if table.get(key)]
        if not named or ("address" in named and len(named) > 1):
            found = "address beside " + " and ".join(named[1:]) if named else "nothing is named that is retired"
            yield Slip(path=("retired", number), found=found, wanted="say either address, or source and release")


CHECKS = (_places, _ids, _former_ids, _known_sources, _known_releases, _renames, _retired)
"""Checks that involve more than one key or table, which `tables` cannot do."""


def _listed_twice(raw: Raw) -> Iterator[Slip]:
    """Yields releases that are listed a second time, which has no effect."""
    seen = set()
    for number, table in _tables(raw, "release"):
        if (release := (table["name"], table.get("source"))) in seen:
            found = f"release {shown(table['name'])} is listed twice"
            yield Slip(path=("release", number), found=found, wanted="the first [[release]] of that name counts")
        seen.add(release)
    for number, table in _tables(raw, "source"):
        order = table.get("order", [])
        for place, name in enumerate(order):
            if name in order[:place]:
                path: KeyPath = ("source", number, "order", place)
                found = f"release {shown(name)} is listed twice"
                yield Slip(path=path, found=found, wanted="its first place counts")


def _mentions(raw: Raw) -> Iterator[Mention]:
    for number, table in _tables(raw, "source"):
        order = table.get("order")
        for place, name in enumerate(order if isinstance(order, list) else ()):
            path: KeyPath = ("source", number, "order", place)
            yield Mention(path=path, source=str(table.get("id")), release=_release(name))
    for kind, key in (("release", "name"), ("rename", "release")):
        for number, table in _tables(raw, kind):
            if table.get(key):
                path = (kind, number, key)
                yield Mention(path=path, source=str(table.get("source", "")), release=_release(table[key]))


def _release(name: object) -> str:
    return unicodedata.normalize("NFC", str(name))


def _unknown_releases(mentions: Iterable[Mention], known: Mapping[str, Collection[str]]) -> Iterator[Slip]:
    """Yields mentions of releases that their source does not have. Sources not in `known` are not checked."""
    everywhere = [name for names in known.values() for name in names]
    for mention in mentions:
        names = known.get(mention.source) if mention.source else everywhere
        if names is not None and mention.release not in names:
            found, wanted = f"unknown release {shown(mention.release)}", did_you_mean(mention.release, names)
            yield Slip(path=mention.path, found=found, wanted=wanted)
