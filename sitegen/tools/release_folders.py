"""Writes the sources of a site as plain files: a folder for each source, with a folder for each release.

site.toml gets the facts that folder names cannot express. A site built from the new folder has the same terms and
histories. A release that could not be read is a gap there too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import Path

from sitegen.addresses.urls import LEDGER
from sitegen.build.output import write_new
from sitegen.build.published_ledger import MAX_BYTES as MAX_LEDGER_BYTES
from sitegen.build.site_build import NO_GLOSSARY, configured, located
from sitegen.config.forges import home_of
from sitegen.config.parsing import Config
from sitegen.config.tables import (
    KEYS,
    PLACES,
    PLACES_OF,
    ReleaseTable,
    RenameTable,
    RetiredTable,
    SameTable,
    SiteTable,
    SourceTable,
    WithheldTable,
)
from sitegen.config.toml import TomlValue, table
from sitegen.model import File, Problem, Release, SitegenError, Source
from sitegen.sources import safe_files
from sitegen.sources.folders import is_release
from sitegen.sources.git.repositories import Clones
from sitegen.sources.projects import Project
from sitegen.sources.reading import LoadedSource, arranged, read_sources
from sitegen.text.decoding import decode
from sitegen.text.names import folded_path, is_portable_name
from sitegen.text.release_names import date_in

UNFIT = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]|[. ~]+$|^\.+')
"""Characters that some file systems do not allow in a name, and a leading dot."""

IN_REPOSITORIES = frozenset(key for key, places in PLACES_OF.items() if {*places} <= {"git", "archives"})
WHERE = IN_REPOSITORIES.union(PLACES, ("id", "title", "order", "encoding"))
"""The keys of a source that are not copied, because they describe its old location."""

GAP = ".gitkeep"
"""The file in a release folder without documents: git does not store empty folders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    files: int
    problems: tuple[Problem, ...]
    """The problems found while reading, with paths relative to the current folder."""


def write(project: Project, output: Path, *, clones: Clones, notify: Callable[[str], None]) -> Imported:
    """Writes the sources of a project into a new folder. Raises `SitegenError` if there is no glossary to write."""
    notify("Reading")
    config = project.config or configured(project.folder)
    loaded_sources = read_sources(config, project.folder, clones=clones)
    elsewhere = frozenset[str]().union(*(loaded.elsewhere for loaded in loaded_sources))
    found = (problem for loaded in loaded_sources for problem in loaded.problems)
    problems = tuple(located(dict.fromkeys(found), project.folder, elsewhere=elsewhere))
    if not any(loaded.documents for loaded in loaded_sources):
        raise SitegenError(
            "\n".join([*map(str, problems), f"{project.folder}: no glossary was found here; {NO_GLOSSARY}"])
        )
    notify("Writing")
    moved = replace(config, site=replace(config.site, repository=_repository(config, project.folder, output)))
    written = write_new(output, chain(files(moved, loaded_sources), _ledger(project.folder)))
    return Imported(files=written, problems=problems)


def _repository(config: Config, folder: Path, output: Path) -> str:
    """Returns the web address of the new files, or an empty string if it is not known."""
    home, there = home_of(config.site.repository), Path(os.path.realpath(output))
    if not (home and there.is_relative_to(folder.resolve())):
        return ""
    return home.below(there.relative_to(folder.resolve()).as_posix())


def _ledger(folder: Path) -> Iterator[File]:
    """Yields the ledger, so that published addresses are kept."""
    path = folder / LEDGER
    if safe_files.is_file(path):
        yield File(path=LEDGER, content=safe_files.read(path, limit=MAX_LEDGER_BYTES))


def files(config: Config, loaded_sources: Sequence[LoadedSource]) -> Iterator[File]:
    """Yields the files of the folder, site.toml first."""
    yield File(path="site.toml", content=_site_toml(config, loaded_sources).encode())
    for loaded in loaded_sources:
        yield from _files(loaded)


def _files(loaded: LoadedSource) -> Iterator[File]:
    folders = _folders(loaded.source)
    for document in loaded.documents:
        yield File(path=f"{folders[document.release]}/{_plain(document.name)}", content=_encoded(document.text))
    for release, name in loaded.unread:
        # An empty file cannot be read, so the gap remains.
        yield File(path=f"{folders[release]}/{_plain(name) if name else GAP}", content=b"")


def _folders(source: Source) -> Mapping[str, str]:
    """Returns the folder of each release: its name, without characters that some file systems do not allow."""
    if source.undated:
        return {"": source.id}
    folders: dict[str, str] = {}
    taken: set[str] = set()
    for release in source.releases:
        base = candidate = _plain(release.name).replace("/", "-")
        number = 1
        while folded_path(candidate) in taken:
            number += 1
            candidate = f"{base}-{number}"
        taken.add(folded_path(candidate))
        folders[release.name] = f"{source.id}/{candidate}"
    return folders


def _plain(path: str) -> str:
    """Returns a path whose names are valid on every file system and not hidden."""
    names = (UNFIT.sub("_", name) for name in path.split("/"))
    return "/".join(name if is_portable_name(name) else f"_{name}" for name in names)


def _encoded(text: str) -> bytes:
    """Returns the bytes that decode to this text, even if it declares another character set."""
    plain = text.encode()
    return plain if decode(plain, path="").text == text else text.encode("utf-8-sig")


def _site_toml(config: Config, loaded_sources: Sequence[LoadedSource]) -> str:
    """Returns the site.toml of the new folder."""
    several = len(loaded_sources) > 1
    sources = [(given, loaded.source) for given, loaded in zip(config.sources, loaded_sources, strict=True)]
    return "\n".join(
        [
            table("[site]", {field.name: getattr(config.site, field.name) for field in fields(SiteTable)}),
            *(_release(release, source.id if several else "") for _, source in sources for release in _facts(source)),
            *(_source(given, source) for given, source in sources),
            *(_table("rename", rename, RenameTable) for rename in config.renames),
            *(_table(verdict.kind, verdict, SameTable) for verdict in config.verdicts),
            *(_table("retired", retired, RetiredTable) for retired in config.retired),
            *(_table("withheld", withheld, WithheldTable) for withheld in config.withheld),
            *([table("[[redirect]]", {"from": config.redirects})] if config.redirects else []),
        ]
    )


def _table(kind: str, value: object, keys: type[RenameTable | SameTable | RetiredTable | WithheldTable]) -> str:
    """Returns a table of site.toml from its parsed value."""
    names = (field.name for field in fields(keys))
    return table(f"[[{kind}]]", {KEYS.get(name, name): getattr(value, name) for name in names})


def _facts(source: Source) -> tuple[Release, ...]:
    """Returns the releases with facts that do not follow from their names."""
    return tuple(
        release
        for release in source.releases
        if release.link or release.unreleased or release.date != date_in(release.name)
    )


def _release(release: Release, source: str) -> str:
    facts = ("name", "date", "link", "unreleased")
    return table("[[release]]", {**{key: getattr(release, key) for key in facts}, "source": source})


def _source(given: SourceTable, source: Source) -> str:
    """Returns the table of a source: its new location, and every key that is not about its old location."""
    values = {field.name: getattr(given, field.name) for field in fields(SourceTable) if field.name not in WHERE}
    defaults = {field.name: field.default for field in fields(SourceTable)}
    return table(
        "[[source]]",
        {
            "id": source.id,
            "title": source.title,
            **_project(source),
            "order": _order(source),
            **{key: value for key, value in values.items() if value != defaults[key]},
        },
    )


def _project(source: Source) -> Mapping[str, TomlValue]:
    """Returns the key for a source's location: `folder` if its folders are named after releases, else `files`."""
    if source.undated:
        return {"file": source.id}
    folders = _folders(source)
    if all(folder == f"{source.id}/{release}" and is_release(release) for release, folder in folders.items()):
        return {"folder": source.id}
    return {"files": folders}


def _order(source: Source) -> tuple[str, ...]:
    """Returns the order of the releases, if it does not follow from their names or tables."""
    names = tuple(release.name for release in source.releases)
    tables = [ReleaseTable(name=release.name, date=release.date) for release in _facts(source)]
    return names if arranged(names, order=(), tables=tables) != names else ()
