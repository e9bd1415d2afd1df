"""A folder and the folders below it, by descriptors.

Each folder is opened relative to its parent, without following links. So a link that replaces a
folder after a check is not followed either. Paths are relative to the root and separated by
slashes. A file marks folders that are sites built by sitegen, which a later build may replace.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from sitegen.model import SitegenError
from sitegen.sources import safe_files
from sitegen.sources.safe_files import FOLDER, close, read_at

MARKER = ".sitegen"
"""The name of the file that marks a folder as a site."""
MARKER_TEXT = (
    b"This site was built by sitegen. The next build replaces the files that are listed here.\n"
)
MOST = 32
"""The maximum number of folders that are open at a time, besides the root."""
MOUNTS = Path("/proc/self/mountinfo")
"""The mount points of this process, on Linux."""


class FolderContents(NamedTuple):
    """The paths of all files and folders below a folder."""

    files: dict[str, int]
    """The inode of everything that is not a folder, links included."""
    folders: frozenset[str]


class OpenFolders:
    """Opens the folders below a root, and keeps the last `MOST` open."""

    def __init__(self, root: int) -> None:
        """`root` is the descriptor of a folder; it stays open when this is closed."""
        self._root = root
        self._opened: dict[str, int] = {}

    def parent_of(self, path: str) -> tuple[int, str]:
        """Returns the descriptor of the folder that a file is in, and the file's name. Raises as
        `open` does.

        The descriptor is valid until the next call.
        """
        folder, _, name = path.rpartition("/")
        return self.open(folder), name

    def open(self, folder: str) -> int:
        """Returns the descriptor of a folder. Raises OSError if it or a folder above is missing, or
        a link."""
        parent, missing = folder, []
        while parent and parent not in self._opened:
            parent, _, name = parent.rpartition("/")
            missing.append(name)
        opened = self._opened[parent] if parent else self._root
        for name in reversed(missing):
            opened = os.open(name, FOLDER, dir_fd=opened)
            if len(self._opened) >= MOST:
                close(self._opened.pop(next(iter(self._opened))))
            parent = f"{parent}/{name}" if parent else name
            self._opened[parent] = opened
        return opened

    def read(self, path: str, *, limit: int, shown: Path) -> bytes:
        """Returns the content of a regular file; `shown` is its path in messages. Raises as
        `safe_files.read`."""
        folder, name = self.parent_of(path)
        return read_at(folder, name, limit=limit, shown=shown)

    def close(self) -> None:
        for opened in self._opened.values():
            close(opened)
        self._opened.clear()

    def contents(self) -> FolderContents:
        """Lists all files and folders. Ignores folders that disappear meanwhile."""
        files: dict[str, int] = {}
        folders = [""]
        for folder in folders:  # the list grows while it is iterated
            with (
                suppress(FileNotFoundError, NotADirectoryError),
                os.scandir(self.open(folder)) as entries,
            ):
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
                    else:
                        files[path] = entry.inode()
        return FolderContents(files, frozenset(folders[1:]))

    def delete(self, files: Collection[str], folders: Collection[str]) -> None:
        """Deletes files, and folders that are empty then. Ignores what does not exist. Raises
        OSError."""
        for path in files:
            with suppress(FileNotFoundError, NotADirectoryError):
                folder, name = self.parent_of(path)
                os.unlink(name, dir_fd=folder)
        for path in sorted(folders, reverse=True):
            with suppress(FileNotFoundError, NotADirectoryError):
                folder, name = self.parent_of(path)
                os.rmdir(name, dir_fd=folder)


@contextmanager
def open_folders(folder: Path) -> Iterator[OpenFolders]:
    """Opens a folder, and yields an `OpenFolders` for it. Raises as `safe_files.folder`."""
    with safe_files.folder(folder) as root:
        below = OpenFolders(root)
        try:
            yield below
        finally:
            below.close()


def delete_folder(folder: int, name: str) -> None:
    """Deletes a folder inside an open folder, with its content. Raises OSError."""
    root = os.open(name, FOLDER, dir_fd=folder)
    below = OpenFolders(root)
    try:
        below.delete(*below.contents())
    finally:
        below.close()
        close(root)
    os.rmdir(name, dir_fd=folder)


def check_unmounted(folder: Path) -> None:
    """Raises SitegenError if a folder, or something in it, is mounted: a build would delete its
    content.

    `folder` is absolute and without links.
    """
    with suppress(OSError):
        for line in MOUNTS.read_bytes().splitlines():
            # See proc_pid_mountinfo(5): the fifth field is the mount point, with some characters as
            # octal escapes.
            mount = Path(
                os.fsdecode(line.split(b" ")[4].decode("unicode_escape").encode("latin-1"))
            )
            if mount.is_relative_to(folder):
                advice = "unmount it, or write the site elsewhere with -o"
                raise SitegenError(
                    f"{mount}: is a mount point, and a build replaces {folder}; {advice}"
                )


def is_site(folder: Path) -> bool:
    """True if a folder is readable and contains a site built by sitegen, or one being built."""
    with suppress(PermissionError):
        return (folder / MARKER).is_file()
    return False


def is_site_at(folder: int) -> bool:
    """True if an open folder contains a site built by sitegen, or one being built."""
    with suppress(FileNotFoundError):
        return stat.S_ISREG(os.stat(MARKER, dir_fd=folder, follow_symlinks=False).st_mode)
    return False
