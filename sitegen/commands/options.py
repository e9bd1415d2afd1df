"""What the commands have in common: how they are told what to read, what they keep, and how they leave."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path

import click

BUILT, HAS_PROBLEMS, CANNOT_BUILD, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143

FOLDER = click.argument("folder", type=click.Path(path_type=Path), required=False)
OUTPUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="Where to write."
)


def reading(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the ways to say what is read, and gives the command `where`: a function that returns the place."""

    @FOLDER
    @click.option("--git", default="", metavar="PATH-or-URL", help="Read the tags of a repository, and no FOLDER.")
    @click.option(
        "--path",
        "paths",
        multiple=True,
        metavar="PATH",
        help="With --git: the glossary; once more: where it was before.",
    )
    @click.option("--tags", multiple=True, metavar="PATTERN", help="With --git: the tags that are releases.")
    @wraps(command)
    def asked(folder: Path | None, git: str, paths: tuple[str, ...], tags: tuple[str, ...], **options: object) -> int:
        from sitegen.sources.places import place

        return command(where=lambda: place(folder, git=git, paths=paths, tags=tags), **options)

    return asked
