"""Determines the project that a command reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitegen.config.forges import is_address
from sitegen.config.parsing import Config
from sitegen.model import ProblemKind, SitegenError, Trouble
from sitegen.safe_files import real_path
from sitegen.sources.folder_trees import may_have_releases
from sitegen.sources.git.git_folders import git_folder, repository_above
from sitegen.sources.git.process import GitError
from sitegen.sources.reading import read_config
from sitegen.text.credentials import shown_address
from sitegen.text.unread_formats import refusal


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """The folder of a site, and its configuration if that is not in the folder's site.toml."""

    folder: Path
    config: Config | None = None
    """None to read the folder's site.toml."""
    keeps_archive: bool = True
    """False for a repository on the command line: the archive of the folder is that of another
    glossary."""

    def settings(self) -> Config:
        """Returns the configuration. Raises `ConfigError`."""
        return self.config or read_config(self.folder)


def project_in(folder: Path | None) -> Project:
    """Returns the project in a folder, by default in `content` or the current one. Raises
    `SitegenError`."""
    return Project(folder=_folder(folder))


def watched(project: Project) -> tuple[Path, ...]:
    """Returns the folders to watch for changes: of the files, of pages, and of tags, branches and
    working copies."""
    folders = []
    if project.config is None:
        folders.append(project.folder)
    with suppress(SitegenError):  # the build reports it
        config = project.settings()
        for source in config.sources:
            if source.git and not is_address(source.git):
                folders += _watched_of_repository(project.folder / source.git)
        if config.theme.pages:
            folders.append(project.folder / config.theme.pages)
    return tuple(dict.fromkeys(folders))


def _watched_of_repository(repository: Path) -> Iterator[Path]:
    """Yields the folder of tags and branches, and that of the working copy, if there are any."""
    with suppress(GitError):
        refs = git_folder(repository) / "refs"
        if refs.is_dir():
            yield refs
    if (repository / ".git").exists():
        yield repository


def _folder(named: Path | None) -> Path:
    """Returns the folder that is named, or else the default one. Raises `SitegenError` if there is
    no site."""
    default = Path()
    if Path("content", "site.toml").is_file():
        default = Path("content")
    folder = named or default
    real_path(folder)
    if not folder.is_dir():
        trouble = Trouble(ProblemKind.MISSING, "no such folder", "name one that holds glossaries")
        if folder.is_file():
            a_file = Trouble(ProblemKind.MISSING, "a file", "name the folder that it is in")
            trouble = refusal(folder.name) or a_file
        raise SitegenError(str(trouble.at(shown_address(str(folder)))))
    if not named and folder == Path():
        above = _site_above()
        if above:
            raise SitegenError(
                f".: no site.toml here, but there is one at {above}; go there with `cd {above}`"
            )
    if (folder / "site.toml").exists() or (folder / ".git").exists():
        return folder
    if not may_have_releases(folder):
        wanted = "run `sitegen init` at the top of the project's git repository"
        raise SitegenError(
            f"{folder}: no site.toml here, and no folder is named after a release; {wanted}"
        )
    return folder


def _site_above() -> str:
    """Returns the nearest folder above the current one, within its repository, for which a
    site.toml was written.

    The result is empty if the current folder has one, or is not in a repository.
    """
    current = Path().resolve()
    if (current / "site.toml").exists() or (current / ".git").exists():
        return ""
    top = repository_above(current) or current
    for folder in current.parents:
        if not folder.is_relative_to(top):
            break
        if (folder / "site.toml").is_file() or (folder / "content/site.toml").is_file():
            return os.path.relpath(folder)
    return ""
