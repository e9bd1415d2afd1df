"""Writes the sources of a site as plain files: a folder for each source, with a folder for each release.

site.toml gets the facts that folder names cannot express. A site built from the new folder has the same terms and
histories. A release that could not be read is a gap there too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from sitegen.addresses.urls import LEDGER
from sitegen.config.forges import home_of
from sitegen.config.parsing import Config
from sitegen.config.tables import (
    PLACES,
    PLACES_OF,
    CheckTextTable,
    ReleaseTable,
    SiteTable,
    SourceTable,
    Tables,
    keys,
)
from sitegen.config.toml import TomlValue, table
from sitegen.model import File, Problem, Release, SitegenError, Source
from sitegen.permanence.published_ledger import MAX_BYTES as MAX_LEDGER_BYTES
from sitegen.pipeline.output import write_new
from sitegen.pipeline.site_build import NO_GLOSSARY, configured, located
from sitegen.sources import safe_files
from sitegen.sources.folders import is_release
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.projects import Project
from sitegen.sources.reading import LoadedSource, arranged, read_sources
from sitegen.text.decoding import decode
from sitegen.text.names import folded_path, is_portable_name
from sitegen.text.release_names import date_in
from sitegen.tools.terminal import Notify

UNFIT = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]|[. ~]+$|^\.+')
"""Characters that some file systems do not allow in a name, and a leading dot."""

DESCRIBED = frozenset({"site", "theme", "check_text", "releases", "sources"})
"""The fields of `Tables` that are not copied, but written for the new folder."""
IN_REPOSITORIES = frozenset(key for key, places in PLACES_OF.items() if places == ("git",))
WHERE = IN_REPOSITORIES.union(PLACES, ("id", "title", "order", "encoding"))
"""The keys of a source that are not copied, because they describe its old location."""

RELEASE_FACTS = ("name", "date", "link", "unreleased")

GAP = ".gitkeep"
"""The file in a release folder without documents: git does not store empty folders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    files: int
    problems: tuple[Problem, ...]
    """The problems found while reading, with paths relative to the current folder."""


def write(project: Project, output: Path, *, notify: Notify) -> Imported:
    """Writes the sources of a project into a new folder. Raises `SitegenError` if there is no glossary to write."""
    notify("Reading")
    folder, config = project.folder, project.config or configured(project.folder)
    loaded_sources = read_sources(config, folder, clones=clones_here(notify))
    elsewhere = frozenset[str]().union(*(loaded.elsewhere for loaded in loaded_sources))
    problems_found = (problem for loaded in loaded_sources for problem in loaded.problems)
    problems = tuple(located(dict.fromkeys(problems_found), folder, elsewhere=elsewhere))
    if not any(loaded.documents for loaded in loaded_sources):
        raise SitegenError("\n".join([*map(str, problems), f"{folder}: no glossary was found here; {NO_GLOSSARY}"]))
    notify("Writing")
    home, new, old = home_of(config.site.repository), Path(os.path.realpath(output)), folder.resolve()
    repository = home.below(new.relative_to(old).as_posix()) if home and new.is_relative_to(old) else ""
    moved = replace(config, site=replace(config.site, repository=repository))
    return Imported(files=write_new(output, _files(moved, loaded_sources, folder / LEDGER)), problems=problems)


def _files(config: Config, loaded_sources: Sequence[LoadedSource], ledger: Path) -> Iterator[File]:
    """Yields the files of the folder, with the ledger, so that published addresses are kept."""
    yield File(path="site.toml", content=_site_toml(config, loaded_sources).encode())
    for loaded in loaded_sources:
        folders = _folders(loaded.source)
        for document in loaded.documents:
            content = document.text.encode()
            if decode(content, path="").text != document.text:  # it declares another character set
                content = document.text.encode("utf-8-sig")
            yield File(path=f"{folders[document.release]}/{_portable(document.name)}", content=content)
        for release, name in loaded.unread:
            # An empty file cannot be read, so the gap remains.
            yield File(path=f"{folders[release]}/{_portable(name) if name else GAP}", content=b"")
    if safe_files.is_file(ledger):
        yield File(path=LEDGER, content=safe_files.read(ledger, limit=MAX_LEDGER_BYTES))


def _folders(source: Source) -> Mapping[str, str]:
    """Returns the folder of each release: its name, without characters that some file systems do not allow."""
    if source.undated:
        return {"": source.id}
    folders: dict[str, str] = {}
    used: set[str] = set()
    for release in source.releases:
        base = candidate = _portable(release.name).replace("/", "-")
        number = 1
        while folded_path(candidate) in used:
            number += 1
            candidate = f"{base}-{number}"
        used.add(folded_path(candidate))
        folders[release.name] = f"{source.id}/{candidate}"
    return folders


def _portable(path: str) -> str:
    """Returns a path whose names are valid on every file system and not hidden."""
    names = (UNFIT.sub("_", name) for name in path.split("/"))
    return "/".join(name if is_portable_name(name) else f"_{name}" for name in names)


def _site_toml(config: Config, loaded_sources: Sequence[LoadedSource]) -> str:
    """Returns the site.toml of the new folder."""
    sources = [loaded.source for loaded in loaded_sources]
    releases = (
        {**{key: getattr(release, key) for key in RELEASE_FACTS}, "source": source.id if len(sources) > 1 else ""}
        for source in sources
        for release in _with_facts(source)
    )
    declared = (
        table(f"[[{key}]]", {inner: getattr(one, field) for field, inner in keys(type(one)).items()})
        for name, key in keys(Tables).items()
        if name not in DESCRIBED
        for one in getattr(config, name)
    )
    return "\n".join(
        [
            table("[site]", {field.name: getattr(config.site, field.name) for field in fields(SiteTable)}),
            *([table("[check-text]", asdict(config.check_text))] if config.check_text != CheckTextTable() else ()),
            *(table("[[release]]", release) for release in releases),
            *(_source_table(configured, source) for configured, source in zip(config.sources, sources, strict=True)),
            *declared,
        ]
    )


def _with_facts(source: Source) -> tuple[Release, ...]:
    """Returns the releases with facts that do not follow from their names."""
    return tuple(
        release
        for release in source.releases
        if release.link or release.unreleased or release.date != date_in(release.name)
    )


def _source_table(configured: SourceTable, source: Source) -> str:
    """Returns the table of a source: its new location, and every key that is not about its old location."""
    folders = _folders(source)
    place: dict[str, TomlValue] = {"files": folders}
    if source.undated:
        place = {"file": source.id}
    elif all(folder == f"{source.id}/{release}" and is_release(release) for release, folder in folders.items()):
        place = {"folder": source.id}
    names = tuple(release.name for release in source.releases)
    tables = [ReleaseTable(name=release.name, date=release.date) for release in _with_facts(source)]
    order = names if arranged(names, order=(), tables=tables) != names else ()
    settings = {
        field.name: getattr(configured, field.name)
        for field in fields(SourceTable)
        if field.name not in WHERE and getattr(configured, field.name) != field.default
    }
    return table("[[source]]", {"id": source.id, "title": source.title, **place, "order": order, **settings})
