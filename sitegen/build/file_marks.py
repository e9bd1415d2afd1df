"""How files on disk are known again: marks that tell one from any other, and from itself once it was touched.

What anyone may not read is never what a mark says, so it is made again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from sitegen.build.fork import CAN_FORK, fork

FILE_MODE, FOLDER_MODE = 0o644, 0o755
"""What any web server may read, whatever the umask says."""
REGULAR, FOLDER = stat.S_IFREG | FILE_MODE, stat.S_IFDIR | FOLDER_MODE


class Mark(NamedTuple):
    """What tells a file on disk from any other: as long as it is the same, so are the bytes."""

    inode: int
    size: int
    modified: int
    """Nanoseconds."""


NOWHERE = Mark(0, 0, 0)
"""Of a folder that is not there: whatever should be in it is missing too."""

Columns = Sequence[Sequence[Any]]
"""Marks as JSON writes and reads them soonest: all paths, and one by one what tells their files."""
MANY = 10_000
"""Files from which on it is worth while to look at them on two cores."""


def columns(marks: Mapping[str, Mark]) -> Columns:
    """Returns marks in columns."""
    return [*marks], *zip(*marks.values(), strict=True)


def marks_of(columns: Columns) -> dict[str, Mark]:
    """Returns marks by path from columns of them."""
    paths, *facts = columns
    return dict(zip(paths, starmap(Mark, zip(*facts, strict=True)), strict=True))


def stands(folder: Path, files: Columns, folders: Columns, *, jobs: int = 1) -> bool:
    """True where the site in a folder is made of just these files, none of them touched since they were written.

    Nothing has come or gone as long as the `folders` are as they were marked, so none of them has to be listed. Of
    many, a copy of this process looks at one half if there may be two `jobs` and the system gives one.
    """
    root = f"{folder}{os.sep}"
    if folder.is_symlink():
        return False
    if jobs == 1 or len(files[0]) < MANY or not CAN_FORK:
        return _are_untouched(root, files, folders)
    mine, other = slice(None, None, 2), slice(1, None, 2)
    try:
        child = fork()
    except OSError:  # the system gives no more processes
        return _are_untouched(root, files, folders)
    if child == 0:
        with suppress(BaseException):
            os._exit(not _are_untouched(root, _some(files, other), _some(folders, other)))
        os._exit(1)
    try:
        is_untouched = _are_untouched(root, _some(files, mine), _some(folders, mine))
    finally:
        _, status = os.waitpid(child, 0)
    return is_untouched and status == 0


def _some(columns: Columns, which: slice) -> Columns:
    return [column[which] for column in columns]


def _are_untouched(root: str, files: Columns, folders: Columns) -> bool:
    regular = (is_known(root + path, (inode, size, at)) for path, inode, size, at in zip(*files, strict=True))
    there = (is_known(root + path, (inode, size, at), FOLDER) for path, inode, size, at in zip(*folders, strict=True))
    return all(regular) and all(there)


def folder_marks(folder: Path, folders: Iterable[str]) -> dict[str, Mark]:
    """Returns how to know these folders of the site in a folder, and its own."""
    return {path: _folder_mark(f"{folder}{os.sep}{path}") for path in ("", *folders)}


def is_known(path: str, mark: tuple[int, int, int], mode: int = REGULAR) -> bool:
    """True where a regular file, or a folder, that anyone may read is what a mark says."""
    try:
        facts = os.lstat(path)
    except OSError:
        return False
    return facts.st_mode == mode and (facts.st_ino, facts.st_size, facts.st_mtime_ns) == mark


def _folder_mark(path: str) -> Mark:
    """What tells a folder from others, and from itself as it is when something has come or gone in it."""
    try:
        return mark_of(os.lstat(path))
    except OSError:
        return NOWHERE


def mark_of(facts: os.stat_result) -> Mark:
    """Returns what tells a file, or a folder, of which the system says this."""
    return Mark(facts.st_ino, facts.st_size, facts.st_mtime_ns)


def mark_with(path: str, content: bytes) -> Mark | None:
    """Returns the mark of a file that has just this content; None of any other."""
    with suppress(OSError):
        facts = os.lstat(path)
        if facts.st_mode != REGULAR or facts.st_size != len(content):
            return None
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            if os.path.samestat(os.fstat(opened), facts) and os.read(opened, len(content) + 1) == content:
                return mark_of(facts)
        finally:
            os.close(opened)
    return None
