"""Exit statuses, and the options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitegen.model import SitegenError
from sitegen.tools.terminal import print_error, progress

if TYPE_CHECKING:
    from sitegen.config.parsing import Config
    from sitegen.sources.projects import Project

BUILT, HAS_PROBLEMS, CANNOT_BUILD, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
"""Exit statuses: success, success with problems or findings, failure, and the ends by Ctrl+C and SIGTERM."""

OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder to write the site to.  [default: `output` in site.toml, or site]",
)
GLOSSARY = click.option(
    "--glossary",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="The folder with the glossary's site.toml.  [default: content, or the current folder]",
)
RELEASE = click.option(
    "--release", default="", metavar="NAME", help="Link to the wording of this release instead of the current one."
)


def project_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds FOLDER, --git, --path and --tags to a command. Passes it `find_project`, which returns a `Project`."""

    @click.argument("folder", type=click.Path(path_type=Path), required=False)
    @click.option("--git", default="", metavar="PATH-or-URL", help="Read this repository at its tags, not FOLDER.")
    @click.option(
        "--path",
        "paths",
        multiple=True,
        metavar="PATH",
        help="With --git: the glossary's path, instead of a search. Repeat it for the paths of older releases.",
    )
    @click.option("--tags", multiple=True, metavar="PATTERN", help="With --git: the tags that are releases.")
    @wraps(command)
    def run(folder: Path | None, git: str, paths: tuple[str, ...], tags: tuple[str, ...], **options: object) -> int:
        return command(find_project=lambda: _project(folder, git=git, paths=paths, tags=tags), **options)

    return run


def output_of(project: Project, named: Path | None) -> Path:
    """Returns the output folder: `named`, else `output` of site.toml, else `site`."""
    from sitegen.sources.reading import read_config

    if named is None:
        with suppress(SitegenError):  # which the build reports
            config = project.config or read_config(project.folder)
            return Path(config.site.output or "site")
    return named or Path("site")


def _project(folder: Path | None, *, git: str, paths: tuple[str, ...], tags: tuple[str, ...]) -> Project:
    """Returns the project to read. A repository without a site.toml is read as `sitegen init` would propose."""
    from sitegen.sources.projects import Project, find_project

    if git and not folder and not (paths or tags):
        return Project(folder=Path(), config=_proposed(Path(), git))
    found = find_project(folder, git=git, paths=paths, tags=tags)
    if found.config is None and (found.folder / ".git").exists() and not (found.folder / "site.toml").exists():
        return Project(folder=found.folder, config=_proposed(found.folder, "."))
    return found


def _proposed(folder: Path, repository: str) -> Config:
    from sitegen.config.parsing import parse
    from sitegen.sources.git.repositories import clones_here
    from sitegen.tools.proposing import propose

    with progress(shown=True) as notify:
        notify("Looking for glossaries")
        proposal = propose(folder, clones=clones_here(notify), repository=repository)
    print_error("no site.toml here; `sitegen init` would write one for:" if repository == "." else f"{repository}:")
    for line in proposal.lines():
        print_error(line)
    return parse(proposal.text, path="site.toml")
