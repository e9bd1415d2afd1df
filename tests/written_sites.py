"""Writes a site of given files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sitegen.model import File
from sitegen.pipeline.output import rebuilding


def write_site(folder: Path, files: Iterable[File]) -> int:
    """Replaces the site in a folder by these files, and returns their number."""
    with rebuilding(folder) as tree:
        for file in files:
            tree.put(file)
    return tree.count
