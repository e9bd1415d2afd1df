"""What was read of a site's sources as a plain folder of files, for people who want to have them and go on with them.

Every source becomes a folder with a folder for each release, and site.toml says what the names do not tell. A site
built from that folder has the same terms with the same histories; a gap in what could be read stays a gap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import Path

from sitegen.addresses.urls import LEDGER
from sitegen.build.building import configured, located
from sitegen.build.output import write_new
from sitegen.config.forges import home_of
from sitegen.config.parsing import Config
from sitegen.config.tables import (
    KEYS,
    PLACES,
    ReleaseTable,
    RenameTable,
    RetiredTable,
    SameTable,
    SiteTable,
    SourceTable,
)
from sitegen.config.toml_text import Value, table
from sitegen.model import File, Problem, Release, SitegenError, Source
from sitegen.sources.folders import is_release
from sitegen.sources.git import Clones
from sitegen.sources.places import Place
from sitegen.sources.reading import Holding, arranged, read_sources
from sitegen.sources.releases import date_in
from sitegen.text.decoding import decode
from sitegen.text.file_names import folded, is_portable

UNFIT = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]|[. ~]+$|^\.+')
"""What some disk does not take in a name, and what hides a file."""

WHERE = frozenset((*PLACES, "id", "title", "order", "paths", "tags", "exclude", "prereleases", "head", "encoding"))
"""Keys of a source that say where it is, or that are written anew."""

GAP = ".gitkeep"
"""Keeps a folder in which there is nothing to read: git knows no empty ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    files: int
    problems: tuple[Problem, ...]
    """With paths as seen from the current folder."""


def write(place: Place, output: Path, *, clones: Clones, tell: Callable[[str], None]) -> Imported:
    """Writes what a place holds into a new folder. Raises `SitegenError` when there is nothing, or nowhere to."""
    tell("Reading")
    config = place.config or configured(place.folder)
    holdings = read_sources(config, place.folder, clones=clones)
    elsewhere = frozenset[str]().union(*(holding.elsewhere for holding in holdings))
    found = (problem for holding in holdings for problem in holding.problems)
    problems = tuple(located(dict.fromkeys(found), place.folder, elsewhere=elsewhere))
    if not any(holding.documents for holding in holdings):
        raise SitegenError("\n".join([*map(str, problems), f"{place.folder}: no glossary was found here"]))
    tell("Writing")
    moved = replace(config, site=replace(config.site, repository=_repository(config, place.folder, output)))
    written = write_new(output, chain(files(moved, holdings), _ledger(place.folder)))
    return Imported(files=written, problems=problems)


def _repository(config: Config, folder: Path, output: Path) -> str:
    """Where on the web the new files are going to be, as far as that can be told; nothing where it cannot."""
    home, there = home_of(config.site.repository), output.resolve()
    if not (home and there.is_relative_to(folder.resolve())):
        return ""
    return home.below(there.relative_to(folder.resolve()).as_posix())


def _ledger(folder: Path) -> Iterator[File]:
    """The ledger, so that what was published stays where it is."""
    path = folder / LEDGER
    if path.is_file() and not path.is_symlink():
        yield File(path=LEDGER, content=path.read_bytes())


def files(config: Config, holdings: Sequence[Holding]) -> Iterator[File]:
    """Yields the files of the folder, site.toml first."""
    yield File(path="site.toml", content=_site_toml(config, holdings).encode())
    for holding in holdings:
        yield from _files(holding)


def _files(holding: Holding) -> Iterator[File]:
    folders = _folders(holding.source)
    for document in holding.documents:
        yield File(path=f"{folders[document.release]}/{_plain(document.name)}", content=_encoded(document.text))
    for release, name in holding.unread:
        # An empty file cannot be read either.
        yield File(path=f"{folders[release]}/{_plain(name) if name else GAP}", content=b"")


def _folders(source: Source) -> Mapping[str, str]:
    """Where each release goes: a folder of its name, as far as every disk can hold it."""
    if source.undated:
        return {"": source.id}
    folders: dict[str, str] = {}
    taken: set[str] = set()
    for release in source.releases:
        base = candidate = _plain(release.name).replace("/", "-")
        number = 1
        while folded(candidate) in taken:
            number += 1
            candidate = f"{base}-{number}"
        taken.add(folded(candidate))
        folders[release.name] = f"{source.id}/{candidate}"
    return folders


def _plain(path: str) -> str:
    """Returns a path whose names every disk can hold and none of which is hidden."""
    names = (UNFIT.sub("_", name) for name in path.split("/"))
    return "/".join(name if is_portable(name) else f"_{name}" for name in names)


def _encoded(text: str) -> bytes:
    """Returns a text as it is read again, even where it says that it is in another character set."""
    plain = text.encode()
    return plain if decode(plain, path="").text == text else text.encode("utf-8-sig")


def _site_toml(config: Config, holdings: Sequence[Holding]) -> str:
    """Returns what the folder's names do not tell."""
    several = len(holdings) > 1
    sources = [(given, holding.source) for given, holding in zip(config.sources, holdings, strict=True)]
    return "\n".join(
        [
            table("[site]", {field.name: getattr(config.site, field.name) for field in fields(SiteTable)}),
            *(_release(release, source.id if several else "") for _, source in sources for release in _told(source)),
            *(_source(given, source) for given, source in sources),
            *(_table("rename", rename, RenameTable) for rename in config.renames),
            *(_table(verdict.kind, verdict, SameTable) for verdict in config.verdicts),
            *(_table("retired", retired, RetiredTable) for retired in config.retired),
        ]
    )


def _table(kind: str, value: object, keys: type[RenameTable | SameTable | RetiredTable]) -> str:
    """Returns a table of site.toml from what it was read into."""
    names = (field.name for field in fields(keys))
    return table(f"[[{kind}]]", {KEYS.get(name, name): getattr(value, name) for name in names})


def _told(source: Source) -> tuple[Release, ...]:
    """The releases of which more is known than their names tell."""
    return tuple(
        release
        for release in source.releases
        if release.link or release.unreleased or release.date != date_in(release.name)
    )


def _release(release: Release, source: str) -> str:
    facts = ("name", "date", "link", "unreleased")
    return table("[[release]]", {**{key: getattr(release, key) for key in facts}, "source": source})


def _source(given: SourceTable, source: Source) -> str:
    """Returns the table of a source, kept where it is written now, with all that is not about where it was."""
    kept = [field.name for field in fields(SourceTable) if field.name not in WHERE]
    return table(
        "[[source]]",
        {
            "id": source.id,
            "title": source.title,
            **_place(source),
            "order": _order(source),
            **{key: getattr(given, key) for key in kept},
        },
    )


def _place(source: Source) -> Mapping[str, Value]:
    """Where a source is: in folders named after its releases or, where they cannot be, in folders that are listed."""
    if source.undated:
        return {"file": source.id}
    folders = _folders(source)
    if all(folder == f"{source.id}/{release}" and is_release(release) for release, folder in folders.items()):
        return {"folder": source.id}
    return {"files": folders}


def _order(source: Source) -> tuple[str, ...]:
    """The releases in order, where neither their names nor their tables give it."""
    names = tuple(release.name for release in source.releases)
    tables = [ReleaseTable(name=release.name, date=release.date) for release in _told(source)]
    return names if arranged(names, order=(), tables=tables) != names else ()
