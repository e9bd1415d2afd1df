"""Reads configured sources: the releases of each source, and the text of every document.

Each kind of location has a module (`folders`, `git_source`), whose result is a `Source`. This
module adds what site.toml says of its releases. The texts are parsed later, by `parsed_sources`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sitegen import safe_files
from sitegen.config import SITE_TOML
from sitegen.config import parsing as configuration
from sitegen.config.forges import is_address
from sitegen.config.parsing import Config, ConfigError, DeclaredReleases
from sitegen.config.tables import ReleaseTable, SourceTable, Tables
from sitegen.config.toml import MAX_TOML_SIZE
from sitegen.model import (
    Document,
    Problem,
    ProblemKind,
    Release,
    SitegenError,
    Source,
    Trouble,
)
from sitegen.sources.folder_trees import failure, may_hold_glossaries
from sitegen.sources.folders import read_folders
from sitegen.sources.git.repositories import Clones
from sitegen.sources.release_documents import since_first_terms
from sitegen.text.credentials import shown_address

if TYPE_CHECKING:
    from sitegen.sources.translated_sources import TranslatedSource

INCOMPLETE = frozenset({ProblemKind.SHALLOW, ProblemKind.UNREADABLE, ProblemKind.REPOSITORY})
"""Kinds of problems of sources that may have other releases than those that were read."""
NO_SOURCE = Trouble(
    ProblemKind.SETTINGS,
    "no [[source]], and no folder is named after a release",
    "`sitegen init --dry-run` prints one",
)


@dataclass(frozen=True, kw_only=True)
class Glossaries:
    """All that was read for a site: the sources and their translations."""

    sources: tuple[Source, ...]
    """In the order of site.toml."""
    translations: tuple[TranslatedSource, ...] = ()
    """In the order of their sources."""
    problems: tuple[Problem, ...] = ()
    """Problems of no single source: tables about languages that do not exist."""


def read_config(root: Path) -> Config:
    """Parses the site.toml of this folder; without one, returns the defaults. Raises
    `SitegenError`."""
    path = root / SITE_TOML
    try:
        text = safe_files.read(path, limit=MAX_TOML_SIZE).decode("utf-8-sig")
        config = configuration.parse(text, path=SITE_TOML)
    except (FileNotFoundError, NotADirectoryError):
        if not root.is_dir():
            place = shown_address(str(root))
            raise SitegenError(f"{place}: no such folder; name one that holds glossaries") from None
        return configuration.default(root.resolve().name)
    except OSError as error:
        raise ConfigError([failure(error).at(SITE_TOML)]) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        found = f"byte 0x{error.object[error.start]:02X} is not UTF-8"
        trouble = Trouble(ProblemKind.SETTINGS, found, "TOML is written in UTF-8")
        raise ConfigError([trouble.at(SITE_TOML, line=line)]) from None
    is_repository = (root / ".git").exists()
    names_no_source = config.sources == Tables().sources  # those of an empty site.toml
    if is_repository and names_no_source and not may_hold_glossaries(root):
        raise ConfigError([NO_SOURCE.at(SITE_TOML)])
    return config


@dataclass(frozen=True)
class SourceReader:
    """Reads the sources of configurations whose paths are relative to one folder."""

    folder: Path
    clones: Clones
    skip: tuple[Path, ...] = ()
    """Folders that are not read, such as the output folder, which may be beside the sources."""
    published: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The names of the releases that have addresses, by the id of the source."""
    working_copy: bool = False
    """True to read the saved files of a local repository as an unreleased state."""

    def read(self, config: Config) -> Glossaries:
        """Returns each configured source, and its translations. What cannot be read is a problem of
        its source."""
        sources = self._sources(config, working_copy=self.working_copy)
        if not config.translations:
            return Glossaries(sources=sources)
        # Sites in one language import none of this.
        from sitegen.sources.translated_sources import read_translations

        translations, problems = read_translations(
            config,
            sources,
            root=self.folder,
            clones=self.clones,
            read_sources=self._sources,
        )
        return Glossaries(sources=sources, translations=translations, problems=problems)

    def _names_in(self, source: str, config: Config) -> Collection[str]:
        """Returns the names of the published releases of a source."""
        if source in self.published:
            return self.published[source]
        # A source with a new id may be any published source that is no longer in site.toml, so the
        # releases of all these count.
        present_ids = [table.id for table in config.sources]
        names: list[str] = []
        for id, names_of_source in self.published.items():
            if id not in present_ids:
                names += names_of_source
        return names

    def _sources(self, config: Config, *, working_copy: bool = False) -> tuple[Source, ...]:
        """Returns the sources of a configuration in its order."""
        skip = [*self.skip]
        for folder in config.theme_folders:
            skip.append(self.folder / folder)
        sources = []
        for table in config.sources:
            declared = config.declared_releases(table.id)
            if table.git:
                # Sites of folders import none of this.
                from sitegen.sources.git_source import read_git

                source = read_git(
                    table,
                    declared,
                    root=self.folder,
                    clones=self.clones,
                    working_copy=working_copy,
                    languages=_languages_within(table, config),
                    published=self._names_in(table.id, config),
                )
            else:
                source = read_folders(table, declared, root=self.folder, skip=tuple(skip))
            source = with_settings_of_releases(source, table, config)
            if table.section:  # earlier releases of the file may not have the section
                source = since_first_terms(source) or source
            sources.append(source)
        return tuple(sources)


def _languages_within(table: SourceTable, config: Config) -> tuple[str, ...]:
    """Returns the languages of translations that are in the same files as the original."""
    languages = []
    for translation in config.translations:
        if translation.is_within and translation.of == table.id:
            languages.append(translation.language)
    return tuple(languages)


def with_settings_of_releases(source: Source, table: SourceTable, config: Config) -> Source:
    """Returns a source whose releases have what site.toml says about them."""
    declared = config.declared_releases(table.id)
    releases = []
    for release in source.releases:
        releases.append(_with_declared_facts(table, release, declared.get(release.name)))
    # Without documentation and without a known forge, the files that documents link to have no
    # address on the web.
    if not table.docs_url and not any(release.line_pattern for release in releases):
        releases = [release.with_each(_without_addresses) for release in releases]
    title = source.title
    if len(config.sources) == 1:  # the only source has the title of the site
        title = table.title or config.site.title
    return replace(
        source,
        title=title,
        releases=_with_open_release(releases, table, declared),
        elsewhere=_paths_elsewhere(source, table),
    )


def _paths_elsewhere(source: Source, table: SourceTable) -> frozenset[str]:
    """Returns the paths that lead to no file in the folder of the site: those of documents in a
    repository, and of problems with them or with its address."""
    if not table.git:
        return frozenset()
    paths = {document.path for document in source.documents}
    paths |= {problem.path for problem in source.problems}
    # A problem may also be at a repository on this machine, or in site.toml. Their paths begin in
    # the folder of the site.
    if not is_address(table.git):
        paths.discard(table.git)
    return frozenset(paths - {SITE_TOML})


def _with_open_release(
    releases: Sequence[Release], table: SourceTable, declared: DeclaredReleases
) -> tuple[Release, ...]:
    """Returns the releases. The newest one is marked as open if its words may still be edited: it
    is on disk or a dated state, and site.toml does not say `final = true`."""
    # A glossary without releases is one `Release` without a name: it is never open.
    released = [release for release in releases if release.name and not release.unreleased]
    if not released:
        return tuple(releases)
    newest = released[-1]
    release_table = declared.get(newest.name)
    is_final = release_table is not None and release_table.final
    may_be_edited = newest.dated or not table.git
    opened = replace(newest, open=may_be_edited and not is_final)
    return tuple([opened if release is newest else release for release in releases])


def _without_addresses(document: Document) -> Document:
    """Returns a document whose linked files have no address, except images, which the site
    copies."""
    files = []
    for target, place in document.files:
        if not place.startswith("image/"):
            place = ""
        files.append((target, place))
    return replace(document, files=tuple(files))


def _with_declared_facts(
    table: SourceTable, release: Release, facts: ReleaseTable | None
) -> Release:
    """Returns a release with the address of its page, from `docs_url`, and with what a [[release]]
    table says about it."""
    page = table.docs_url.replace("{version}", quote(release.name))
    with_page = replace(release, page=page)
    if facts is None:
        return with_page
    return replace(
        with_page,
        date=facts.date or release.date,
        link=facts.link or release.link,
        unreleased=facts.unreleased or release.unreleased,
    )
