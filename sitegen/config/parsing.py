"""site.toml as a value: from its text to a `Config`, or to one error that lists every mistake in it.

What each table may hold stands in `tables`. Here they are checked against each other, and every mistake finds its
line. What only the sources can tell (is there a release of that name?) is asked again once they have been read.
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
"""A table as TOML gives it, not yet checked."""

EXPECTED = {
    "string_type": "write text in quotes",
    "date_type": "write a date without quotes, such as 2021-07-23",
    "bool_type": "write true or false, without quotes",
    "tuple_type": 'write a list, such as ["one", "two"]',
    "dict_type": 'write a table, such as { "1.8.2" = "GLOSSARY.md" }',
    "too_short": "it takes more names",
}
"""Advice for the kinds of error that pydantic reports."""


MAX_SLIPS = 20
"""Mistakes in the tables that are reported at once."""


class ConfigError(SitegenError):
    """site.toml cannot be used. The text has one line for every mistake in it."""

    def __init__(self, mistakes: Iterable[Problem]) -> None:
        self.mistakes = tuple(sorted(set(mistakes), key=lambda mistake: (mistake.line, mistake)))
        super().__init__("\n".join(map(str, self.mistakes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A release that site.toml speaks of."""

    path: KeyPath
    source: str
    """Empty: of any source."""
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What site.toml says, with every default filled in."""

    path: str
    """As messages name the file."""
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
    """Slips that leave no doubt about what is meant."""
    mentions: tuple[Mention, ...]
    lines: Mapping[KeyPath, int] = field(repr=False)

    def line(self, *path: str | int) -> int:
        """Returns the line of a key or a table, tables counted from 0: `config.line("rename", 0)`."""
        return line_of(path, self.lines)

    @property
    def former_ids(self) -> Mapping[str, str]:
        """Ids that sources once had, to those they have."""
        return _present_ids(self.sources)

    def unknown_releases(self, known: Mapping[str, Collection[str]]) -> tuple[Problem, ...]:
        """Returns a problem for each release spoken of that its source does not have, by source id."""
        return tuple(slip.problem(self.path, self.lines) for slip in _unknown_releases(self.mentions, known))


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """Something wrong in site.toml, and the key at which it stands."""

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
    """Returns the configuration of a folder that has no site.toml: one source, with a folder for each release."""
    config = parse("", path="site.toml")
    return replace(config, site=SiteTable(title=as_name(title) or config.site.title))


def of_repository(name: str, *, git: str, paths: Iterable[str], tags: Iterable[str]) -> Config:
    """Returns the configuration of a glossary that the command line says is in git. Raises `ConfigError`.

    `name` is the repository's.
    """
    title = as_name(name) or SiteTable().title
    source = {"id": as_id(name), "title": title, "git": git, "paths": [*paths], "tags": [*tags], "by": "auto"}
    return _checked({"site": {"title": title}, "source": [source]}, {}, path="the command line")


def parse(text: str, *, path: str) -> Config:
    """Returns what site.toml says, or raises one `ConfigError` with every mistake in it.

    `path` is the file as messages name it.
    """
    return _checked(_toml(text, path), key_lines(text), path=path)


def _checked(raw: Raw, lines: Mapping[KeyPath, int], *, path: str) -> Config:
    """What the tables say, after every check."""
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
    """A person's words about addresses, which may be older than the ids that sources have now."""
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
"""What would have worked, by the beginning of the error of Python's parser."""


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
    """Checks every table by itself."""
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
    """Every source is kept in one place, and says nothing that makes sense only for another kind of place."""
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
    """No two sources have the same id."""
    seen: list[object] = []
    for number, table in _tables(raw, "source"):
        if "id" in table and table["id"] in seen:
            found = f"a second source with the id {shown(table['id'])}"
            yield Slip(path=("source", number, "id"), found=found, wanted="give each source an id of its own")
        seen.append(table.get("id"))


def _former_ids(raw: Raw) -> Iterator[Slip]:
    """What a source was once called is no other source's name."""
    taken = [table.get("id") for _, table in _tables(raw, "source")]
    for number, table in _tables(raw, "source"):
        former = table.get("formerly", ())
        for id in (former,) if isinstance(former, str) else former if isinstance(former, list) else ():
            if id in taken:
                found = f"{shown(id)} is the id of another source, or was"
                yield Slip(path=("source", number, "formerly"), found=found, wanted="name an id that is free now")
            taken.append(id)


def _known_sources(raw: Raw) -> Iterator[Slip]:
    """Every source that a table names exists."""
    ids = (table.get("id") for _, table in _tables(raw, "source"))
    # Where no source is named there is one all the same, for the folder itself.
    known = list(dict.fromkeys(name for name in ids if isinstance(name, str))) or [Tables().source[0].id]
    for kind in ("release", "rename", "same", "distinct", "slug"):
        for number, table in _tables(raw, kind):
            name = table.get("source")
            if isinstance(name, str) and name not in known:
                found, wanted = f"unknown source {shown(name)}", did_you_mean(name, known)
                yield Slip(path=(kind, number, "source"), found=found, wanted=wanted)


def _known_releases(raw: Raw) -> Iterator[Slip]:
    """Every release that is spoken of exists, as far as the file itself tells which there are."""
    sources = [table for _, table in _tables(raw, "source")]
    listed = (table for table in sources if isinstance(table.get("files"), dict))
    known = {str(table.get("id")): [_release(name) for name in table["files"]] for table in listed}
    everywhere = all("file" in table or "files" in table for table in sources) and bool(known)
    mentions = (mention for mention in _mentions(raw) if mention.source or everywhere)
    return _unknown_releases(mentions, known)


def _renames(raw: Raw) -> Iterator[Slip]:
    """A rename leads from one name to another."""
    for number, table in _tables(raw, "rename"):
        if "from" in table and table["from"] == table.get("to"):
            found = f"{shown(table['from'])} is renamed to itself"
            yield Slip(path=("rename", number, "to"), found=found, wanted="give the new name")


def _retired(raw: Raw) -> Iterator[Slip]:
    """A retirement says what is retired."""
    for number, table in _tables(raw, "retired"):
        named = [key for key in ("address", "source", "release") if table.get(key)]
        if not named or ("address" in named and len(named) > 1):
            found = "address beside " + " and ".join(named[1:]) if named else "nothing is named that is retired"
            yield Slip(path=("retired", number), found=found, wanted="say either address, or source and release")


CHECKS = (_places, _ids, _former_ids, _known_sources, _known_releases, _renames, _retired)
"""What `tables` cannot see, since it takes more than one key or table."""


def _listed_twice(raw: Raw) -> Iterator[Slip]:
    """Releases listed a second time, to no effect."""
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
    """What is not among the releases of its source; for a source that is not among `known`, nothing can be said."""
    everywhere = [name for names in known.values() for name in names]
    for mention in mentions:
        names = known.get(mention.source) if mention.source else everywhere
        if names is not None and mention.release not in names:
            found, wanted = f"unknown release {shown(mention.release)}", did_you_mean(mention.release, names)
            yield Slip(path=mention.path, found=found, wanted=wanted)
