"""Writes made-up sites as builds do, and reads the files of a site."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sitegen.model import File
from sitegen.pipeline.output import rebuilding


def write_site(folder: Path, files: Iterable[File]) -> int:
    """Replaces the site in a folder by these files, and returns their number."""
    count = 0
    with rebuilding(folder) as tree:
        for file in files:
            tree.put(file)
            count += 1
    return count


def contents(folder: Path) -> dict[str, bytes]:
    """Returns the content of each file below a folder, by its path there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
