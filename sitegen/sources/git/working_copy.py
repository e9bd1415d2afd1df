"""Reads the working copy of a repository: the saved files, whether committed or not.

The preview shows them as the newest, unreleased state. Symbolic links are not followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sitegen.config.forges import is_address
from sitegen.config.patterns import Rest, advance, is_matched, start
from sitegen.model import Release
from sitegen.sources.open_folders import OpenFolders, open_folders
from sitegen.sources.safe_files import is_missing
from sitegen.sources.snapshots import ReleaseSnapshot
from sitegen.text.decoding import MAX_BYTES, Decoded, decode

NAME = "working copy"
"""The name of the release if no branch is read as an unreleased state."""


def working_folder(repository: str, *, root: Path) -> Path | None:
    """Returns the folder of the working copy of a local repository, or None."""
    folder = root / repository
    return None if is_address(repository) or not (folder / ".git").exists() else folder


def read_working_copy(
    folder: Path, *, paths: Sequence[str], encoding: str, branch: Release | None, limit: int = MAX_BYTES
) -> tuple[ReleaseSnapshot, dict[str, Decoded]]:
    """Returns the files of the first path that matches any, and their texts by key.

    `branch` is the unreleased state of the current branch; the working copy replaces it. Raises OSError if a disk
    fails.
    """
    with open_folders(folder) as opened:
        listings = (dict(_files(opened, "", start(path), limit)) for path in paths)
        found = next((listing for listing in listings if listing), {})
    texts = {
        f"{NAME}:{path}": decode(data, path=path, configured=encoding, limit=limit) for path, data in found.items()
    }
    release = replace(branch or Release(name=NAME), unreleased=True, date=None, link="", lines="")
    files = {path: f"{NAME}:{path}" for path in found}
    return ReleaseSnapshot(release=release, label=NAME, files=files), texts


def _files(opened: OpenFolders, folder: str, rest: Rest, limit: int) -> Iterator[tuple[str, bytes]]:
    """Yields path and content of the files below a folder that match the rest of a pattern."""
    try:
        with os.scandir(opened.open(folder)) as entries:
            found = sorted((entry.name, entry.stat(follow_symlinks=False)) for entry in entries)
    except OSError as error:
        if is_missing(error):
            return
        raise
    for name, status in found:
        inner = f"{folder}/{name}" if folder else name
        try:
            if stat.S_ISDIR(status.st_mode) and name != ".git" and (left := advance(rest, name)):
                yield from _files(opened, inner, left, limit)
            elif stat.S_ISREG(status.st_mode) and status.st_size <= limit and is_matched(rest, name):
                yield inner, opened.read(inner, limit=limit, shown=Path(inner))
        except OSError as error:
            if not is_missing(error):  # as after the file was removed meanwhile
                raise
