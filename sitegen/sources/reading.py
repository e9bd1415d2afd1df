"""Reads configured sources: the releases of each source, and the text of every document.

Each kind of location has a module (`folders`, `git`, `archives`), whose result is a `RawSource`. This module combines
it with the settings of the source and its releases in site.toml. The texts are parsed in `formats`.
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
from sitegen.sources.editions import read_all
from sitegen.sources.file_cache import FileCache
from sitegen.sources.folders import failure, read_folders
from sitegen.sources.git import Clones, GitSource, TagSettings, read_git
from sitegen.sources.git.dated import Wording
from sitegen.sources.snapshots import RawSource
from sitegen.text.release_names import Arrange, as_listed, declared_order
from sitegen.text.words import words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSource:
    """A source with its documents, problems and images, and with the settings of site.toml applied."""

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
    file_cache: FileCache | None = None,
    working_copy: bool = False,
) -> tuple[LoadedSource, ...]:
    """Reads each configured source, in order. Never raises.

    Paths in `config` are relative to `root`. Folders in `skip` are not read, such as the output folder, which may be
    beside the sources, and neither are those of the theme. Unchanged files are taken from `file_cache`.
    With `working_copy`, the saved files of a local git repository are read as an unreleased state.
    """
    read = partial(
        _loaded_source,
        config=config,
        root=root,
        clones=clones,
        skip=(*skip, *(root / folder for folder in config.theme_folders)),
        file_cache=file_cache or FileCache(),
        working_copy=working_copy,
    )
    first, *others = map(read, config.sources)
    sources = (loaded.source for loaded in (first, *others))
    known = {source.id: [release.name for release in source.releases if release.name] for source in sources}
    return (replace(first, problems=(*config.unknown_releases(known), *first.problems)), *others)


def _loaded_source(
    table: SourceTable,
    *,
    config: Config,
    root: Path,
    clones: Clones,
    skip: tuple[Path, ...],
    file_cache: FileCache,
    working_copy: bool,
) -> LoadedSource:
    tables = [one for one in config.releases if one.source in ("", table.id)]
    arrange = partial(arranged, order=table.order, tables=tables)
    if table.git:
        named = frozenset([*table.order, *(one.name for one in tables)])
        source = replace(_git_source(table, arrange, named), working_copy=working_copy)
        raw = read_git(source, root=root, clones=clones)
    elif table.archives:
        raw = read_archives(_archive_source(table, arrange), root=root, file_cache=file_cache)
    else:
        raw = read_folders(table, root=root, skip=skip, arrange=arrange, file_cache=file_cache)
    return loaded_source(table, raw, config)


def loaded_source(table: SourceTable, raw: RawSource, config: Config) -> LoadedSource:
    """Combines the documents of a source with its settings in site.toml."""
    tables = [one for one in config.releases if one.source in ("", table.id)]
    is_on_forge = any(release.lines for release in raw.releases)
    return LoadedSource(
        source=_source(table, raw, tables, alone=config.site.title if len(config.sources) == 1 else ""),
        documents=tuple(_document(table, document, is_on_forge=is_on_forge) for document in raw.documents),
        unread=raw.unread,
        problems=raw.problems,
        images=raw.images,
        elsewhere=_elsewhere(table.git, raw) if table.git else frozenset(),
    )


def _document(table: SourceTable, document: Document, *, is_on_forge: bool) -> Document:
    """Returns a document with the settings of its source, and without the files that have no address."""
    if table.format or table.section or table.docs_url or table.max_entries != document.max_entries:
        document = replace(
            document,
            format=table.format,
            section=table.section,
            has_pages=bool(table.docs_url),
            max_entries=table.max_entries,
        )
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
        wording=partial(_wording, table),
    )


def _wording(table: SourceTable, documents: Sequence[Document]) -> Wording:
    """Returns the names, words and sections in documents of a source, by which two dated states are compared."""
    read = read_all(_document(table, document, is_on_forge=False) for document in documents)
    entries = (entry for _, reading in read for entry in reading.entries)
    return frozenset((entry.designations, (words_of(entry.definition), entry.section)) for entry in entries)


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


def _source(table: SourceTable, raw: RawSource, tables: Iterable[ReleaseTable], *, alone: str) -> Source:
    """`alone` is the title of the site if this is its only source, else ""."""
    # Of two tables for a release, the one that names the source takes precedence, else the first.
    facts: dict[str, ReleaseTable] = {}
    for one in sorted(tables, key=lambda one: not one.source):
        facts.setdefault(one.name, one)
    return Source(
        id=table.id,
        title=table.title or alone or table.id,
        releases=tuple(_release(table, release, facts.get(release.name)) for release in raw.releases),
        undated=any(not release.name for release in raw.releases),
        retrieved=table.retrieved,
        complete=table.complete,
        skipped=raw.skipped,
        repository=table.git,
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


def _elsewhere(repository: str, raw: RawSource) -> frozenset[str]:
    documents = {document.path for document in raw.documents}
    paths = documents | {problem.path for problem in raw.problems}
    return frozenset(paths if is_address(repository) else paths - {repository})
