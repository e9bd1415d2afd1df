"""Exit statuses, and the options that several commands have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitegen.config import SITE_TOML
from sitegen.config.forges import is_address
from sitegen.model import Notify, SitegenError, silent
from sitegen.text.credentials import shown_address
from sitegen.tools.terminal import print_error, progress

if TYPE_CHECKING:
    from sitegen.integrations.glossary import Glossary
    from sitegen.sources.projects import Project

SUCCESS, HAS_PROBLEMS, FAILURE, ONLY_SUGGESTIONS, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit statuses: success, problems or mistakes, failure, only suggestions, end by Ctrl+C."""

GLOSSARY_OPTION = click.option(
    "--glossary",
    default="",
    metavar="PLACE",
    help="The folder with the glossary's site.toml, a built site, its glossary.json, or the "
    "address of one of these."
    "  [default: content, or the current folder]",
)


def as_folder(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """Returns the path that a FOLDER argument names; None without one. Raises `SitegenError` for an
    address."""
    if value and is_address(value):
        found = f"{shown_address(value)}: an address, and FOLDER is a folder"
        raise SitegenError(f"{found}; clone it, or build it with --git")
    return Path(value) if value else None


FOLDER_ARGUMENT = click.argument("folder", callback=as_folder, required=False)
GIT_OPTION = click.option(
    "--git",
    default="",
    metavar="PATH-or-URL",
    help="Read this repository as `sitegen init` would propose, not FOLDER.",
)
PATH_OPTION = click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="PATH",
    help="With --git: the glossary's path, instead of a search. Repeat it for the paths of older "
    "releases.",
)
AS_JSON = click.option("--json", "as_data", is_flag=True, help="Print the result as JSON.")


def open_glossary(place: str) -> Glossary:
    """Returns the glossary that --glossary names: of a built site, or of sources, read in memory.

    A repository without a site.toml is read as `sitegen init` would propose. Raises `SitegenError`.
    """
    from sitegen.integrations.loading import NEEDS_POSIX, from_sources, is_built, load

    if is_address(place):
        return load(place)
    folder = Path(place) if place else None
    if folder and is_built(folder):
        return load(place)
    try:
        project = project_of(folder, notify=silent)
    except ImportError:  # `sources` needs fcntl, which Windows lacks
        raise SitegenError(NEEDS_POSIX) from None
    with progress(shown=True) as notify:
        return from_sources(project.folder, project.config, notify=notify)


def output_of(project: Project, named: Path | None) -> Path:
    """Returns the output folder: `named`, else `output` of site.toml, else `site`."""
    if named:
        return named
    try:
        output = project.settings().site.output
    except SitegenError:  # the build reports what is wrong with site.toml
        output = ""
    return Path(output or "site")


def project_of(
    folder: Path | None,
    *,
    git: str = "",
    paths: tuple[str, ...] = (),
    notify: Notify = print_error,
) -> Project:
    """Returns the project to read: the repository `git`, or else the one in a folder.

    A repository without a site.toml is read as `sitegen init` would propose, and `notify` prints
    what was found there. `paths` are those of the glossary in the repository `git`.
    """
    from sitegen.sources.projects import Project, project_in

    if git and folder:
        raise SitegenError(f"{folder}: with --git no folder is read; leave it out")
    if git:
        trial = Project(folder=Path(), keeps_archive=False)
        return _with_proposed_settings(trial, git, paths, notify)
    if paths:
        raise SitegenError("--path goes with --git, which names a repository")
    project = project_in(folder)
    has_settings = (project.folder / SITE_TOML).exists()
    is_repository = (project.folder / ".git").exists()
    if has_settings or not is_repository:
        return project
    return _with_proposed_settings(project, ".", (), notify)


def _with_proposed_settings(
    project: Project, repository: str, paths: tuple[str, ...], notify: Notify
) -> Project:
    """Returns a project with the site.toml that `sitegen init` would propose. `notify` prints what
    was found.

    `repository` is an address or a folder; "." is the project's own folder. Raises `SitegenError`
    if the default branch there has a site.toml.
    """
    from sitegen.config.parsing import parse  # not loaded for a project with a site.toml
    from sitegen.permanence.published_archive import settings_on_default_branch
    from sitegen.sources.projects import has_site
    from sitegen.tools.proposing import propose

    # With `--git .`, the folder may have a site.toml, which is not read.
    lacks_settings = repository == "." and not has_site(project.folder)
    published_settings = settings_on_default_branch(project.folder) if lacks_settings else ""
    if published_settings:
        branch, _, name = published_settings.partition(":")  # "origin/main:site.toml"
        raise SitegenError(
            f"{project.folder}: no site.toml on this branch; the published site has "
            f"{published_settings}: go to that branch, or bring the file here with "
            f"`git checkout {branch} -- {name}`"
        )
    with progress(shown=True) as show:
        proposal = propose(project.folder, notify=show, repository=repository, paths=paths)
    if lacks_settings:
        notify("no site.toml here; `sitegen init` would write one for:")
    else:
        notify(f"{shown_address(repository)}:")
    for line in proposal.lines():
        notify(line)
    return replace(project, config=parse(proposal.text, path=""))
