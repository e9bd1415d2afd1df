"""What the commands share: exit statuses, and the options that say what is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path

import click

BUILT, HAS_PROBLEMS, CANNOT_BUILD, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
"""Exit statuses: success, success with problems or findings, failure, and the ends by Ctrl+C and SIGTERM."""

OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    help="The folder to write the site to.",
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
        help="With --git: the glossary's path. Repeat it for the paths that older releases used.",
    )
    @click.option("--tags", multiple=True, metavar="PATTERN", help="With --git: the tags that are releases.")
    @wraps(command)
    def asked(folder: Path | None, git: str, paths: tuple[str, ...], tags: tuple[str, ...], **options: object) -> int:
        from sitegen.sources.places import place

        return command(where=lambda: place(folder, git=git, paths=paths, tags=tags), **options)

    return asked
