"""File marks: inode, size and modification time, by which a build detects that a file was replaced
or changed.

A mark also has the digest of the content, for the record of the files that a build wrote
(`output.record`).

A file or folder with permissions other than `FILE_MODE` or `FOLDER_MODE` never has a mark, so it is
written again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FILE_MODE, FOLDER_MODE = 0o644, 0o755
"""Permissions that let any web server read the site, independent of the umask."""
REGULAR, FOLDER = stat.S_IFREG | FILE_MODE, stat.S_IFDIR | FOLDER_MODE


class FileMark(NamedTuple):
    """Identifies a state of a file on disk: while the mark is the same, so is the content."""

    inode: int
    size: int
    modified: int
    """Nanoseconds."""
    digest: str = ""
    """The digest of the content; empty for a folder."""


Marks = Mapping[str, Sequence[Any]]
"""Marks by path, or their form in JSON: lists."""

MISSING = FileMark(0, 0, 0)
"""The mark of a file or folder that does not exist."""


def are_unchanged(folder: Path, files: Marks, folders: Marks) -> bool:
    """True if the site in a folder consists of exactly these files, all of them unchanged since
    they were written.

    Folders are not listed: a folder's mark changes when a file is added or removed.
    """
    root = f"{folder}{os.sep}"
    regular = (has_mark(root + path, mark) for path, mark in files.items())
    there = (has_mark(root + path, mark, FOLDER) for path, mark in folders.items())
    return not folder.is_symlink() and all(regular) and all(there)


def folder_marks(folder: Path, folders: Iterable[str]) -> dict[str, FileMark]:
    """Returns the marks of these folders of a site, and of its root folder under the path "".
    Raises OSError."""
    return {path: mark_of(os.lstat(f"{folder}{os.sep}{path}")) for path in ("", *folders)}


def has_mark(
    path: str, mark: Sequence[Any], mode: int = REGULAR, *, folder: int | None = None
) -> bool:
    """True if a path, which may be relative to an open folder, has this mark and this mode (type,
    permissions)."""
    try:
        facts = os.stat(path, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return facts.st_mode == mode and (facts.st_ino, facts.st_size, facts.st_mtime_ns) == tuple(
        mark[:3]
    )


def mark_of(facts: os.stat_result, digest: str = "") -> FileMark:
    """Returns the mark of a file or folder from the result of `os.stat`."""
    return FileMark(facts.st_ino, facts.st_size, facts.st_mtime_ns, digest)
