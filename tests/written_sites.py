"""Writes made-up sites as builds do."""

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
