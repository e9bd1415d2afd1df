"""What the commands share: exit statuses, and the options that say what is read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitegen.model import SitegenError
from sitegen.tools.terminal import complain, progress

if TYPE_CHECKING:
    from sitegen.config.parsing import Config
    from sitegen.sources.places import SourcePlace

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


def reading(command: Callable[..., int]) -> Callable[..., int]:
    """Adds FOLDER, --git, --path and --tags, and passes the command `where`: a function that returns the place."""

    @click.argument("folder", type=click.Path(path_type=Path), required=False)
    @click.option("--git", default="", metavar="PATH-or-URL", help="Read the tags of this repository; no FOLDER.")
    @click.option(
        "--path",
        "paths",
        multiple=True,
        metavar="PATH",
        help="With --git: the glossary's path, instead of a search. Repeat it for the paths of older releases.",
    )
    @click.option("--tags", multiple=True, metavar="PATTERN", help="With --git: the tags that are releases.")
    @wraps(command)
    def asked(folder: Path | None, git: str, paths: tuple[str, ...], tags: tuple[str, ...], **options: object) -> int:
        return command(where=lambda: _place(folder, git=git, paths=paths, tags=tags), **options)

    return asked


def output_of(place: SourcePlace, named: Path | None) -> Path:
    """Returns the folder that the site is written to: the one that is named, or that of site.toml, or `site`."""
    from sitegen.sources.reading import read_config

    if named is None:
        with suppress(SitegenError):  # which the build reports
            config = place.config or read_config(place.folder)
            return Path(config.site.output or "site")
    return named or Path("site")


def _place(folder: Path | None, *, git: str, paths: tuple[str, ...], tags: tuple[str, ...]) -> SourcePlace:
    """Returns the place to read. A repository without a site.toml is read as `sitegen init` would propose."""
    from sitegen.sources.places import SourcePlace, place

    if git and not folder and not (paths or tags):
        return SourcePlace(folder=Path(), config=_proposed(Path(), git))
    found = place(folder, git=git, paths=paths, tags=tags)
    if found.config is None and (found.folder / ".git").exists() and not (found.folder / "site.toml").exists():
        return SourcePlace(folder=found.folder, config=_proposed(found.folder, "."))
    return found


def _proposed(folder: Path, repository: str) -> Config:
    from sitegen.config.parsing import parse
    from sitegen.sources.git.clones import clones_here
    from sitegen.tools.proposing import propose

    with progress(shown=True) as tell:
        tell("Looking for glossaries")
        proposal = propose(folder, clones=clones_here(tell), repository=repository)
    complain("no site.toml here; `sitegen init` would write one for:" if repository == "." else f"{repository}:")
    for line in proposal.lines():
        complain(line)
    return parse(proposal.text, path="site.toml")
