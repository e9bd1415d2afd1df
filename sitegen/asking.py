"""What the commands have in common: how they are told what to read, what they keep, and how they leave."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sitegen.git import Clones
    from sitegen.ledgers import Keeping

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
        from sitegen.places import place

        return command(where=lambda: place(folder, git=git, paths=paths, tags=tags), **options)

    return asked


def keeping_in(folder: Path, *, also: str = "", locked: bool = False, preview: bool = False) -> Keeping:
    from sitegen.ledgers import NAME, Keeping

    return Keeping(path=folder / NAME, also=also, locked=locked, preview=preview)


def clones_here(tell: Callable[[str], None], *, update: bool = True) -> Clones:
    from sitegen.git import Clones

    return Clones(folder=_cache(), update=update, progress=tell)


def _cache() -> Path:
    """Where this user's programs keep what they can fetch again, and our corner of it."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # The specification (XDG base directories) ignores a relative one.
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "sitegen"
