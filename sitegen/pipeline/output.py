"""Writes the site folder: fills a tree beside it and exchanges the two at the end.

The exchange is one atomic step, so the folder always holds a complete site. No file is changed in
place. The files of parts that need not be rendered again become hard links to those of the current
site. All paths are inside the folder, and no two are equal on a file system that ignores case or
Unicode normal form. The name and the digest of each file are recorded in the file that marks a
site. A build deletes or replaces a file only if it is in the record with the content that it has,
so that a file that a person put into the folder, or changed there, is never lost. A record that a
checkout brings does not change that: its author can only name files of known content.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TypeVar

from sitegen.model import File, SitegenError, digest
from sitegen.pipeline import staging
from sitegen.pipeline.file_marks import (
    FILE_MODE,
    FOLDER_MODE,
    MISSING,
    REGULAR,
    FileMark,
    has_mark,
    mark_of,
)
from sitegen.sources.open_folders import MARKER, MARKER_TEXT, OpenFolders, is_site_at
from sitegen.sources.safe_files import CREATE, FOLDER, close, real_path, write_all
from sitegen.text.names import folded_path, is_portable_name

T = TypeVar("T")


@contextmanager
def rebuilding(
    folder: Path, *, during_exchange: AbstractContextManager[None] | None = None
) -> Iterator[SiteTree]:
    """Context manager that yields an empty tree for the files of a site, and makes it the site at
    the end.

    The exchange happens inside the context manager `during_exchange`, which may raise to prevent
    it. Raises SitegenError if the folder has files that the last build did not write, if a path
    leads outside of it, if two paths are equal on some file systems, or if writing fails. The
    previous site is then unchanged.
    """
    try:
        _check_folder(folder)
        with staging.tree(real_path(folder)) as staged:
            with (
                _current_site(staged) as current,
                closing(SiteTree(staged.opened, current=current)) as tree,
            ):
                _check_site(staged, current, folder)
                yield tree
                tree.put(File(path=MARKER, content=record(tree.marks)))
                tree.finish()
            staging.flush(staged.opened)
            with during_exchange or nullcontext():
                current = staging.lock_site(staged)
                _check_site(staged, current, folder)
                check_recorded(current, folder, tree.marks)
                staging.swap(staged)
    except OSError as error:
        message = (
            f"the site could not be written: {error.strerror or error}; name another "
            f"folder with --output"
        )
        raise SitegenError(f"{folder}: {message}") from error


def _check_folder(folder: Path) -> None:
    with suppress(FileNotFoundError):
        mode = folder.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise SitegenError(
                f"{folder}: is a symbolic link; name the folder it leads to, "
                f"{os.path.realpath(folder)}"
            )
        if not stat.S_ISDIR(mode):
            raise SitegenError(f"{folder}: is a file; the site needs a folder of its own")


@contextmanager
def _current_site(staged: staging.StagedTree) -> Iterator[int | None]:
    """Yields a descriptor of the site whose unchanged files are kept; None if there is none."""
    current = None
    with suppress(FileNotFoundError):
        current = os.open(staged.site, FOLDER, dir_fd=staged.parent)
    try:
        yield current
    finally:
        if current is not None:
            close(current)


def _check_site(staged: staging.StagedTree, current: int | None, folder: Path) -> None:
    """Raises SitegenError if the folder in the place of the site has anything but a site."""
    if current is None or is_site_at(current) or not os.listdir(current):  # noqa: PTH208  (by descriptor)
        return
    if staging.is_at(
        staged.parent, staged.site, current
    ):  # else it was replaced, and its files are being deleted
        raise SitegenError(
            f"{folder}: holds files that sitegen did not write; name a new or an empty folder"
        )


class SiteTree:
    """The next site while it is written. Several processes may write different files of it."""

    def __init__(self, root: int, *, current: int | None) -> None:
        """`root` is an open, empty folder; `current` is the current site, or None. `close` leaves
        both open."""
        self.marks: dict[str, FileMark] = {}
        """Every file of the next site, by path."""
        self.folders: set[str] = set()
        """The folders of these files; set by `finish`."""
        self._new = OpenFolders(root)
        self._current = OpenFolders(current) if current is not None else None
        self._folders: set[str] = set()
        """Folders that exist and whose names are portable."""
        os.fchmod(root, FOLDER_MODE)

    def close(self) -> None:
        """Closes all open folders below the two root folders."""
        self._new.close()
        if self._current:
            self._current.close()

    @property
    def count(self) -> int:
        """The number of files, without the site marker."""
        return len(self.marks) - (MARKER in self.marks)

    def put(self, file: File) -> FileMark:
        """Adds a file to the next site, and returns its mark."""
        try:
            self._create_folders(file.path)
            mark = self._write(file)
        except (IsADirectoryError, NotADirectoryError):
            mark = MISSING  # a file has the path of a folder: `finish` names both
        self.adopt({file.path: mark})
        return mark

    def keep(self, files: Mapping[str, FileMark]) -> Mapping[str, FileMark] | None:
        """Keeps unchanged files of the current site, and returns their marks.

        Returns None if one no longer has its mark, or the file system has no hard links.
        """
        kept: dict[str, FileMark] = {}
        for path, mark in files.items():
            self._create_folders(path)
            if (found := self._link(path, mark)) is None:
                self._new.delete(kept, ())
                return None
            kept[path] = found
        self.adopt(kept)
        return kept

    def adopt(self, marks: Mapping[str, FileMark]) -> None:
        """Adds files that this process or a worker has written to the next site.

        Raises SitegenError if a path is registered already.
        """
        for path in marks:
            if path in self.marks:
                raise _clash(path, path)
        self.marks.update(marks)

    def finish(self) -> None:
        """Raises SitegenError if two paths are equal on a file system that ignores case or Unicode
        normal form."""
        self.folders = _folders_of(self.marks)

    def _create_folders(self, path: str) -> None:
        """Creates the folders of a file; raises SitegenError if its path is not portable."""
        folder, _, name = path.rpartition("/")
        new = () if folder in self._folders else tuple(_above(path, but=self._folders))
        if not all(map(is_portable_name, (name, *(one.rpartition("/")[2] for one in new)))):
            raise SitegenError(f"{path!r}: not a path inside its folder that every disk can hold")
        for folder in reversed(new):
            parent, name = self._new.parent_of(folder)
            with suppress(FileExistsError):  # another process has created it
                os.mkdir(name, FOLDER_MODE, dir_fd=parent)
                os.chmod(
                    name, FOLDER_MODE, dir_fd=parent
                )  # independent of the umask and of the parent folder
            self._folders.add(folder)

    def _link(self, path: str, mark: FileMark) -> FileMark | None:
        """Hard-links a file of the current site; None if that is impossible or the file has another
        mark by now."""
        new, name = self._new.parent_of(path)
        with suppress(
            OSError
        ):  # there is no such file, or there are no hard links on this file system
            old = self._current.parent_of(path)[0] if self._current else -1
            _create(
                new,
                name,
                lambda: os.link(name, name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False),
            )
            if has_mark(name, mark, folder=new):
                return mark
            os.unlink(name, dir_fd=new)
        return None

    def _write(self, file: File) -> FileMark:
        folder, name = self._new.parent_of(file.path)
        opened = _create(folder, name, lambda: os.open(name, CREATE, FILE_MODE, dir_fd=folder))
        try:
            write_all(opened, file.content)
            facts = os.fstat(opened)
            if facts.st_mode != REGULAR:  # because of the umask, or of the parent folder
                os.fchmod(opened, FILE_MODE)
            return mark_of(facts, digest(file.content).hex())
        finally:
            os.close(opened)


def _create(folder: int, name: str, make: Callable[[], T]) -> T:
    """Creates a file; deletes the file that a worker left at its path before it was killed."""
    try:
        return make()
    except FileExistsError:
        os.unlink(name, dir_fd=folder)
        return make()


def _clash(one: str, two: str) -> SitegenError:
    return SitegenError(
        f"{one!r} and {two!r}: two files that some disks take for one; rename one of the pages, "
        f"or correct site.toml"
    )


def _folders_of(paths: Iterable[str]) -> set[str]:
    """Returns all folders above these files.

    Raises SitegenError if two paths are equal on a file system that ignores case or Unicode normal
    form.
    """
    folders: set[str] = set()
    paths_by_key: dict[str, str] = {}
    for path in paths:
        new = tuple(_above(path, but=folders))
        folders.update(new)
        for name in map(folded_path, (*new, path)):
            if name in paths_by_key:
                raise _clash(paths_by_key[name], path)
            paths_by_key[name] = path
    return folders


def _above(path: str, *, but: Collection[str]) -> Iterator[str]:
    """Yields the folders above a file, innermost first, up to the first one in `but`."""
    folder, slash, _ = path.rpartition("/")
    while slash and folder not in but:
        yield folder
        folder, slash, _ = folder.rpartition("/")


MAX_RECORD = 256 * 1024 * 1024
"""The maximum size of a record in bytes: about two million files."""
MAX_FILE = 1024 * 1024 * 1024
"""The maximum size of a file of a site, in bytes."""
MAX_SHOWN = 5
"""The maximum number of names in a message."""
PLACE = "a folder that `files` in [theme] of site.toml names has files to publish with the site"


def record(marks: Mapping[str, FileMark]) -> bytes:
    """Returns the record of these files."""
    lines = (f"{mark.digest} {path}\n" for path, mark in sorted(marks.items()))
    return MARKER_TEXT + "".join(lines).encode("utf-8", "surrogateescape")


def check_recorded(folder: int, shown: Path, next_site: Mapping[str, FileMark]) -> None:
    """Raises SitegenError if an open site has files that are neither recorded nor the same files in
    the next site.

    `shown` is the folder's path in the message.
    """
    folders = OpenFolders(folder)
    try:
        names = sorted(_unrecorded(folders, shown, next_site))
    finally:
        folders.close()
    if names:
        more = f" and {len(names) - MAX_SHOWN:,} more" if len(names) > MAX_SHOWN else ""
        listed = ", ".join(names[:MAX_SHOWN]) + more
        advice = f"move them elsewhere ({PLACE}), or delete {shown} if nothing in it is needed"
        raise SitegenError(
            f"{shown}: the last build did not write these files, or they were changed: {listed}; "
            f"{advice}"
        )


def _unrecorded(
    folders: OpenFolders, shown: Path, next_site: Mapping[str, FileMark]
) -> Iterator[str]:
    recorded: dict[str, str] = {}
    with suppress(FileNotFoundError):
        text = folders.read(MARKER, limit=MAX_RECORD, shown=shown / MARKER).decode(
            "utf-8", "surrogateescape"
        )
        recorded = {
            path: digest for digest, _, path in (line.partition(" ") for line in text.split("\n"))
        }
    for path, inode in folders.contents().files.items():
        if path == MARKER or (path in next_site and next_site[path].inode == inode):
            continue
        if path not in recorded or recorded[path] != _digest_at(folders, path, shown):
            yield path


def _digest_at(folders: OpenFolders, path: str, shown: Path) -> str:
    """Returns the digest of a file; empty if it cannot be read, or is no regular file."""
    with suppress(OSError, SitegenError):
        return digest(folders.read(path, limit=MAX_FILE, shown=shown / path)).hex()
    return ""
