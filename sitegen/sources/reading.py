"""Reads configured sources: the releases of each source, and the text of every document.

Each kind of location has a module (`folders`, `git`, `archives`). This module combines their results with settings
of the source and its releases in site.toml. The texts are parsed in `formats`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from urllib.parse import quote

from sitegen import formats
from sitegen.config import parsing as configuration
from sitegen.config.forges import is_address
from sitegen.config.parsing import Config, ConfigError
from sitegen.config.tables import ReleaseTable, SourceTable
from sitegen.config.toml import MAX_BYTES
from sitegen.model import Document, Problem, Release, SitegenError, Source
from sitegen.sources import safe_files
from sitegen.sources.archives import ArchiveSource, read_archives
from sitegen.sources.folders import failure, read_folders
from sitegen.sources.gathering import Gathered
from sitegen.sources.git import Clones, GitSource, TagSettings, read_git
from sitegen.sources.unchanged import Unchanged
from sitegen.text.release_names import Arrange, as_listed, declared_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Everything that was read of one source."""

    source: Source
    documents: tuple[Document, ...]
    """By release, oldest first, then by name."""
    unread: tuple[tuple[str, str], ...]
    """(release, name) of documents and folders that could not be read; an empty name means the whole release."""
    problems: tuple[Problem, ...]
    """For the first source, this includes the releases in site.toml that do not exist."""
    images: Mapping[str, bytes] = field(default_factory=dict)
    """The images of its documents, by their paths in the site."""
    elsewhere: frozenset[str] = frozenset()
    """Paths of documents and problems that are not files below the root, but in a repository, or addresses."""


def read_config(root: Path) -> Config:
    """Parses the site.toml of this folder; without one, returns the defaults. Raises `SitegenError`."""
    path = root / "site.toml"
    try:
        text = safe_files.read(path, limit=MAX_BYTES).decode("utf-8-sig")
        return configuration.parse(text, path=path.name, formats=formats.names())
    except (FileNotFoundError, NotADirectoryError):
        if not root.is_dir():
            raise SitegenError(f"{root}: no such folder; name one that holds glossaries") from None
        return configuration.default(root.resolve().name)
    except OSError as error:
        found, wanted = failure(path, error)
        raise ConfigError([Problem(path=path.name, found=found, wanted=wanted)]) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        found = f"byte 0x{error.object[error.start]:02X} is not UTF-8"
        problem = Problem(path=path.name, line=line, found=found, wanted="TOML is written in UTF-8")
        raise ConfigError([problem]) from None


def read_sources(
    config: Config,
    root: Path,
    *,
    clones: Clones,
    skip: tuple[Path, ...] = (),
    unchanged: Unchanged | None = None,
    working_copy: bool = False,
) -> tuple[Holding, ...]:
    """Reads each configured source, in order. Never raises.

    Paths in `config` are relative to `root`. Folders in `skip` are not read, such as the output folder, which may be
    beside the sources. Files that did not change since they were added to `unchanged` are not read again.
    With `working_copy`, the saved files of a local git repository are read as an unreleased state.
    """
    read = partial(
        _holding,
        config=config,
        root=root,
        clones=clones,
        skip=skip,
        unchanged=unchanged or Unchanged(),
        working_copy=working_copy,
    )
    first, *others = map(read, config.sources)
    sources = (held.source for held in (first, *others))
    known = {source.id: [release.name for release in source.releases if release.name] for source in sources}
    return (replace(first, problems=(*config.unknown_releases(known), *first.problems)), *others)


def _holding(
    table: SourceTable,
    *,
    config: Config,
    root: Path,
    clones: Clones,
    skip: tuple[Path, ...],
    unchanged: Unchanged,
    working_copy: bool,
) -> Holding:
    tables = [one for one in config.releases if one.source in ("", table.id)]
    arrange = partial(arranged, order=table.order, tables=tables)
    if table.git:
        named = frozenset([*table.order, *(one.name for one in tables)])
        source = replace(_git_source(table, arrange, named), working_copy=working_copy)
        gathered = read_git(source, root=root, clones=clones)
    elif table.archives:
        gathered = read_archives(_archive_source(table, arrange), root=root, unchanged=unchanged)
    else:
        gathered = read_folders(table, root=root, skip=skip, arrange=arrange, unchanged=unchanged)
    return held(table, gathered, config)


def held(table: SourceTable, gathered: Gathered, config: Config) -> Holding:
    """Combines the documents of a source with its settings in site.toml."""
    tables = [one for one in config.releases if one.source in ("", table.id)]
    is_on_forge = any(release.lines for release in gathered.releases)
    return Holding(
        source=_source(table, gathered, tables, alone=config.site.title if len(config.sources) == 1 else ""),
        documents=tuple(_document(table, document, is_on_forge=is_on_forge) for document in gathered.documents),
        unread=gathered.unread,
        problems=gathered.problems,
        images=gathered.images,
        elsewhere=_elsewhere(table.git, gathered) if table.git else frozenset(),
    )


def _document(table: SourceTable, document: Document, *, is_on_forge: bool) -> Document:
    """Returns a document with the settings of its source, and without the files that have no address."""
    if table.format or table.section or table.docs_url:
        document = replace(document, format=table.format, section=table.section, has_pages=bool(table.docs_url))
    if document.files and not (is_on_forge or table.docs_url):
        kept = tuple((target, place) for target, place in document.files if place.startswith("image/"))
        document = replace(document, files=kept)
    return document


def _git_source(table: SourceTable, arrange: Arrange, named: frozenset[str]) -> GitSource:
    return GitSource(
        id=table.id,
        repository=table.git,
        paths=table.paths,
        choice=TagSettings(tags=table.tags, exclude=table.exclude, prereleases=table.prereleases),
        head=table.head,
        by=table.by,
        branches=table.branches,
        versions=table.versions,
        named=named,
        arrange=arrange,
        encoding=table.encoding,
        max_bytes=table.max_bytes,
    )


def _archive_source(table: SourceTable, arrange: Arrange) -> ArchiveSource:
    return ArchiveSource(
        id=table.id,
        archives=table.archives,
        paths=table.paths,
        arrange=arrange,
        encoding=table.encoding,
        max_bytes=table.max_bytes,
    )


def arranged(names: Sequence[str], *, order: tuple[str, ...], tables: Iterable[ReleaseTable]) -> tuple[str, ...]:
    """Returns the names of releases in the order that site.toml declares. `names` are in the default order."""
    listed = as_listed([(one.name, one.date) for one in tables if one.name in names])
    return declared_order(names, order or listed)


def _source(table: SourceTable, gathered: Gathered, tables: Iterable[ReleaseTable], *, alone: str) -> Source:
    """`alone` is the title of the site if this is its only source, else ""."""
    # Of two tables for a release, the one that names the source takes precedence, else the first.
    facts: dict[str, ReleaseTable] = {}
    for one in sorted(tables, key=lambda one: not one.source):
        facts.setdefault(one.name, one)
    return Source(
        id=table.id,
        title=table.title or alone or table.id,
        releases=tuple(_release(table, release, facts.get(release.name)) for release in gathered.releases),
        undated=any(not release.name for release in gathered.releases),
        retrieved=table.retrieved,
        complete=table.complete,
        skipped=gathered.skipped,
        url=table.url,
        licence=table.licence,
        note=table.note,
    )


def _release(table: SourceTable, release: Release, facts: ReleaseTable | None) -> Release:
    if table.docs_url:
        release = replace(release, page=table.docs_url.replace("{version}", quote(release.name)))
    if facts is None:
        return release
    return replace(
        release,
        date=facts.date or release.date,
        link=facts.link or release.link,
        unreleased=facts.unreleased or release.unreleased,
    )


def _elsewhere(repository: str, gathered: Gathered) -> frozenset[str]:
    documents = {document.path for document in gathered.documents}
    paths = documents | {problem.path for problem in gathered.problems}
    return frozenset(paths if is_address(repository) else paths - {repository})
