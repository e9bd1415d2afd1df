"""Reads configured sources: the releases of each source, and the text of every document.

Each kind of location has a module (`folders`, `git`), whose result is a `RawSource`. This module
combines it with the settings of the source and its releases in site.toml. The texts are parsed in
`formats`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sitegen import formats
from sitegen.config import parsing as configuration
from sitegen.config.forges import is_address
from sitegen.config.parsing import Config, ConfigError
from sitegen.config.tables import ReleaseTable, SourceTable, TranslationTable
from sitegen.config.toml import MAX_BYTES
from sitegen.model import Document, ProblemKind, Release, SitegenError, Source, Trouble
from sitegen.sources import safe_files
from sitegen.sources.folders import failure, read_folders
from sitegen.sources.git.git_source import read_git
from sitegen.sources.git.repositories import Clones
from sitegen.sources.snapshots import RawSource, SourceContent, with_settings
from sitegen.text.credentials import shown_address
from sitegen.text.release_names import as_listed, declared_order

if TYPE_CHECKING:
    from sitegen.sources.git.word_log import WordLog

INCOMPLETE = frozenset({ProblemKind.SHALLOW, ProblemKind.UNREADABLE, ProblemKind.REPOSITORY})
"""Kinds of problems of sources that may have other releases than those that were read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedSource(SourceContent):
    """A source with its content, and with the settings of site.toml applied."""

    source: Source
    elsewhere: frozenset[str] = frozenset()
    """Paths of documents and problems that are not files below the root, but in a repository, or
    addresses."""
    translations: tuple[LoadedTranslation, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedTranslation:
    """A translation of a source."""

    table: TranslationTable
    loaded: LoadedSource = field(repr=False)
    original: WordLog
    own: WordLog


def read_config(root: Path) -> Config:
    """Parses the site.toml of this folder; without one, returns the defaults. Raises
    `SitegenError`."""
    path = root / "site.toml"
    try:
        text = safe_files.read(path, limit=MAX_BYTES).decode("utf-8-sig")
        return configuration.parse(text, path=path.name, formats=formats.names)
    except (FileNotFoundError, NotADirectoryError):
        if not root.is_dir():
            place = shown_address(str(root))
            raise SitegenError(f"{place}: no such folder; name one that holds glossaries") from None
        return configuration.default(root.resolve().name)
    except OSError as error:
        raise ConfigError([failure(error).at(path.name)]) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        found = f"byte 0x{error.object[error.start]:02X} is not UTF-8"
        trouble = Trouble(ProblemKind.SETTINGS, found, "TOML is written in UTF-8")
        raise ConfigError([trouble.at(path.name, line=line)]) from None


def read_sources(
    config: Config,
    root: Path,
    *,
    clones: Clones,
    skip: tuple[Path, ...] = (),
    working_copy: bool = False,
    published: Callable[[], Collection[str]] | None = None,
) -> tuple[LoadedSource, ...]:
    """Reads each configured source, in order. Never raises.

    Paths in `config` are relative to `root`. Folders in `skip` are not read, such as the output
    folder, which may be beside the sources, and neither are those of the theme. With
    `working_copy`, the saved files of a local repository are read as an unreleased state.
    `published` returns the names of the releases that have addresses.
    """
    skip = (*skip, *(root / folder for folder in config.theme_folders))
    loaded = []
    for table in config.sources:
        tables = _release_tables(table, config)
        arrange = partial(arranged, order=table.order, tables=tables)
        if table.git:
            read = partial(read_git, clones=clones, working_copy=working_copy, published=published)
            languages = tuple(
                one.language for one in config.translations if one.of == table.id and one.is_within
            )
            named = frozenset([*table.order, *(one.name for one in tables)])
            raw = read(table, root=root, arrange=arrange, named=named, languages=languages)
        else:
            raw = read_folders(table, root=root, skip=skip, arrange=arrange)
        loaded.append(_since_section(loaded_source(table, raw, config), table.section))
    return tuple(loaded)


def with_unknown_releases(
    loaded: Sequence[LoadedSource], config: Config
) -> tuple[LoadedSource, ...]:
    """Returns all sources of a site; releases in site.toml that do not exist are problems of the
    first."""
    is_incomplete = any(problem.kind in INCOMPLETE for one in loaded for problem in one.problems)
    # Of a source of which no release is read, the tags may be missing.
    released = (
        one for one in loaded if not all(release.unreleased for release in one.source.releases)
    )
    known = {
        one.source.id: [release.name for release in one.source.releases if release.name]
        for one in released
    }
    unknown = () if is_incomplete or not known else config.unknown_releases(known)
    first, *later = loaded
    return (replace(first, problems=(*unknown, *first.problems)), *later)


def _release_tables(table: SourceTable, config: Config) -> list[ReleaseTable]:
    return [one for one in config.releases if one.source in ("", table.id)]


def loaded_source(table: SourceTable, raw: RawSource, config: Config) -> LoadedSource:
    """Combines the documents of a source with its settings in site.toml."""
    documents = tuple(with_settings(document, table) for document in raw.documents)
    if not table.docs_url and not any(release.lines for release in raw.releases):
        documents = tuple(map(_with_images_only, documents))
    paths = {document.path for document in documents} | {problem.path for problem in raw.problems}
    repository = frozenset() if is_address(table.git) else frozenset([table.git])
    return LoadedSource(
        source=_source(table, raw, config),
        documents=documents,
        unread=raw.unread,
        problems=raw.problems,
        images=raw.images,
        pending=tuple(with_settings(document, table) for document in raw.pending),
        elsewhere=frozenset(paths - repository) if table.git else frozenset(),
    )


def _source(table: SourceTable, raw: RawSource, config: Config) -> Source:
    # Of two tables for a release, the one that names the source takes precedence, else the first.
    facts: dict[str, ReleaseTable] = {}
    for one in sorted(_release_tables(table, config), key=lambda one: not one.source):
        facts.setdefault(one.name, one)
    releases = [_release(table, release, facts.get(release.name)) for release in raw.releases]
    return Source(
        id=table.id,
        title=table.title or (config.site.title if len(config.sources) == 1 else table.id),
        releases=_with_open_release(releases, table, facts),
        undated=any(not release.name for release in raw.releases),
        retrieved=table.retrieved,
        complete=table.complete,
        skipped=raw.skipped,
        repository=table.git,
        url=table.url,
        license=table.license,
        note=table.note,
    )


def _with_open_release(
    releases: Sequence[Release], table: SourceTable, facts: Mapping[str, ReleaseTable]
) -> tuple[Release, ...]:
    """Returns releases of which the newest is open if it is a folder or a dated state, unless it is
    final."""
    newest = next((one for one in reversed(releases) if one.name and not one.unreleased), None)
    is_open = (
        newest
        and (newest.dated or not table.git)
        and not (newest.name in facts and facts[newest.name].final)
    )
    return tuple(replace(one, open=True) if is_open and one is newest else one for one in releases)


def _since_section(loaded: LoadedSource, section: str) -> LoadedSource:
    """Leaves out the first releases, whose file does not have the section yet, unless no release
    has it."""
    having = {
        document.release
        for document in loaded.documents
        if section and formats.read(document).entries
    }
    releases = tuple(
        dropwhile(lambda one: having and one.name not in having, loaded.source.releases)
    )
    names = {release.name for release in releases}
    documents = tuple(document for document in loaded.documents if document.release in names)
    return replace(loaded, source=replace(loaded.source, releases=releases), documents=documents)


def _with_images_only(document: Document) -> Document:
    """Returns a document without the files that have no address."""
    images = tuple(
        (target, place) for target, place in document.files if place.startswith("image/")
    )
    return replace(document, files=images) if document.files else document


def arranged(
    names: Sequence[str], *, order: tuple[str, ...], tables: Iterable[ReleaseTable]
) -> tuple[str, ...]:
    """Returns the names of releases in the order that site.toml declares. `names` are in the
    default order."""
    listed = as_listed([(one.name, one.date) for one in tables if one.name in names])
    return declared_order(names, order or listed)


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
        moves=release.moves and not facts.final,
    )
