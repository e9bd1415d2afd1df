"""Determines the project that a command reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitegen.config import SITE_TOML
from sitegen.config.forges import is_address
from sitegen.config.parsing import Config
from sitegen.model import ProblemKind, SitegenError, Trouble
from sitegen.safe_files import real_path
from sitegen.sources.folder_trees import may_hold_glossaries
from sitegen.sources.git.git_folders import refs_folder, repository_above
from sitegen.sources.git.process import GitError
from sitegen.sources.reading import read_config
from sitegen.text.credentials import shown_address
from sitegen.text.file_names import refusal


@dataclass(frozen=True, kw_only=True)
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
    """Returns the project in a folder, by default in the folder `content` or the current folder.
    Raises `SitegenError` if there is none."""
    chosen = folder
    if chosen is None:
        chosen = Path()
        if Path("content", SITE_TOML).is_file():
            chosen = Path("content")
    real_path(chosen)  # raises an error if a link leads out of the current folder
    if not chosen.is_dir():
        raise SitegenError(str(_no_folder(chosen).at(shown_address(str(chosen)))))

    is_current_folder = folder is None and chosen == Path()
    if is_current_folder:
        above = _site_above()
        if above:
            raise SitegenError(
                f".: no site.toml here, but there is one at {above}; go there with `cd {above}`"
            )

    has_project = (chosen / SITE_TOML).exists() or (chosen / ".git").exists()
    if not has_project and not may_hold_glossaries(chosen):
        wanted = "run `sitegen init` at the top of the project's git repository"
        raise SitegenError(
            f"{chosen}: no site.toml here, and no folder is named after a release; {wanted}"
        )
    return Project(folder=chosen)


def has_site(folder: Path) -> bool:
    """True for a folder with a site.toml where `sitegen build` looks for it."""
    return (folder / SITE_TOML).is_file() or (folder / "content" / SITE_TOML).is_file()


def _no_folder(path: Path) -> Trouble:
    """Returns why a path is not a folder with a project."""
    if not path.is_file():
        return Trouble(ProblemKind.MISSING, "no such folder", "name one that holds glossaries")
    a_file = Trouble(ProblemKind.MISSING, "a file", "name the folder that it is in")
    if path.name == SITE_TOML:
        return a_file
    return refusal(path.name) or a_file


def _site_above() -> str:
    """Returns the nearest folder above the current one that has a site.toml, such as `../..`.

    The result is empty if no such folder is in the same repository, or if the current folder has a
    site.toml itself.
    """
    current = Path().resolve()
    if (current / SITE_TOML).exists():
        return ""
    top = repository_above(current) or current  # outside of a repository, none is looked for
    for folder in current.parents:
        if not folder.is_relative_to(top):
            break
        if has_site(folder):
            return os.path.relpath(folder)
    return ""


def watched(project: Project) -> tuple[Path, ...]:
    """Returns the folders to watch for changes: those of the glossaries and of the pages that
    [theme] names, and for a repository also the folder of tags and branches."""
    folders = []
    if project.config is None:  # else a repository was named, and the folder has no glossary
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
        refs = refs_folder(repository)
        if refs.is_dir():
            yield refs
    if (repository / ".git").exists():
        yield repository
