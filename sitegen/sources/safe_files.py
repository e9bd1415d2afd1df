"""Reads and writes files in checkouts that may be hostile, without following links.

A checkout can have a symbolic link, a device or a pipe in place of any file that the program reads
or writes. This module opens a folder component by component, none of which may be a link, and opens
its files relative to that descriptor. Only regular files are read, up to a limit. Files are only
created, or replaced as a whole by a rename, so nothing is written through a link or into a file
with a second hard link. Errors name the path in one line.

Locks of files and folders are between processes; the system releases those of a process that has
exited. On a file system without locks, processes do not wait for each other.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sitegen.model import SitegenError

FILE_MODE, FOLDER_MODE = 0o644, 0o755

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""O_NONBLOCK, since opening a named pipe would otherwise wait for a writer."""
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PASSED = FOLDER | getattr(os, "O_PATH", 0)
"""For parent folders, which need not be readable."""

SHARED, EXCLUSIVE, WITHOUT_WAITING = fcntl.LOCK_SH, fcntl.LOCK_EX, fcntl.LOCK_NB

TEMPORARY = "sitegen-"
"""The prefix of the names of temporary folders."""
ABANDONED = 60
"""Seconds after which an unlocked temporary folder is assumed to belong to a killed process."""


class UnsafeFileError(SitegenError):
    """Raised for a path that is not a regular file, or that leads out of its folder."""


def real_path(path: Path) -> Path:
    """Returns the absolute path without links.

    A path from the user may contain links. But files below the current folder may come from a
    checkout, so a path below it must not lead out of it. Raises UnsafeFileError.
    """
    here, real = Path.cwd(), Path(os.path.realpath(path))
    if Path(os.path.normpath(here / path)).is_relative_to(here) and not real.is_relative_to(here):
        advice = f"name {real} if that is what you want"
        raise UnsafeFileError(
            f"{path}: leads through a symbolic link out of the folder you are in; {advice}"
        )
    return real


@contextmanager
def folder(path: Path, *, create: bool = False) -> Iterator[int]:
    """Opens a folder and returns its descriptor. With `create`, missing folders are created.

    Raises UnsafeFileError if a component is a link, else OSError.
    """
    opened = open_folder(real_path(path), create=create)
    try:
        yield opened
    finally:
        close(opened)


def open_folder(real: Path, *, create: bool = False) -> int:
    """Returns the descriptor of a folder, by its absolute path without links. Raises as `folder`
    does."""
    opened = os.open(real.anchor, PASSED if real.name else FOLDER)
    try:
        for depth, name in enumerate(real.parts[1:], 2):
            if create:
                with suppress(FileExistsError):
                    os.mkdir(name, FOLDER_MODE, dir_fd=opened)
            below = os.open(name, PASSED if depth < len(real.parts) else FOLDER, dir_fd=opened)
            close(opened)
            opened = below
    except OSError as error:
        is_link = error.errno in {errno.ELOOP, errno.ENOTDIR} and _is_link(name, opened)
        close(opened)
        if is_link:
            raise UnsafeFileError(
                f"{real}: {name!r} in it is a symbolic link, which is not followed"
            ) from None
        raise _about(error, real) from None
    return opened


def read(path: Path, *, limit: int) -> bytes:
    """Returns the content of a regular file.

    Raises FileNotFoundError or NotADirectoryError if it does not exist, UnsafeFileError if it is
    not a regular file or has more than `limit` bytes, and OSError for other errors.
    """
    return read_real(real_path(path.parent) / path.name, limit=limit, shown=path)


def read_real(path: Path, *, limit: int, shown: Path) -> bytes:
    """Returns the content of a regular file, above which there are no links; `shown` is its path in
    messages. Raises as `read`."""
    try:
        _check(path.lstat(), shown)  # opening a device can have an effect
        with os.fdopen(os.open(path, READ), "rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise _about(error, shown) from None
    if len(content) > limit:
        raise UnsafeFileError(f"{shown}: is larger than {limit:,} bytes, the limit for a file")
    return content


def read_at(folder: int, name: str, *, limit: int, shown: Path) -> bytes:
    """Returns the content of a regular file in an open folder; `shown` is its path in messages.
    Raises as `read`."""
    try:
        with os.fdopen(_open(name, folder=folder, shown=shown), "rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise _about(error, shown) from None
    if len(content) > limit:
        raise UnsafeFileError(f"{shown}: is larger than {limit:,} bytes, the limit for a file")
    return content


def _open(name: str, *, folder: int, shown: Path) -> int:
    _check(
        os.stat(name, dir_fd=folder, follow_symlinks=False), shown
    )  # opening a device can have an effect
    opened = os.open(name, READ, dir_fd=folder)
    try:
        _check(os.fstat(opened), shown)
    except BaseException:
        close(opened)
        raise
    return opened


def is_file(path: Path) -> bool:
    """True for a regular file, False if there is nothing or a folder. Else raises
    UnsafeFileError."""
    try:
        with folder(path.parent) as opened:
            _check(os.stat(path.name, dir_fd=opened, follow_symlinks=False), path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False
    return True


def create(path: Path, content: bytes) -> bool:
    """Writes a new file and its parent folders; returns False if the name exists, even as a
    dangling link."""
    with folder(path.parent, create=True) as opened:
        try:
            write_at(opened, path.name, content)
        except FileExistsError:
            return False
    return True


def replace(path: Path, content: bytes, *, mode: int = FILE_MODE) -> None:
    """Replaces a file atomically through a temporary file in the same folder. Raises
    UnsafeFileError and OSError."""
    with folder(path.parent, create=True) as opened:
        replace_at(opened, path.name, content, mode=mode, shown=path)


def replace_at(
    folder: int, name: str, content: bytes, *, mode: int = FILE_MODE, shown: Path
) -> None:
    """Writes a file in an open folder, as `replace` does."""
    with suppress(FileNotFoundError):
        _check(os.stat(name, dir_fd=folder, follow_symlinks=False), shown)
    beside = f".{name}.new"
    with suppress(FileNotFoundError):  # left by a killed process
        os.unlink(beside, dir_fd=folder)
    try:
        write_at(folder, beside, content, mode=mode)
        os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise _about(error, shown) from None
    with suppress(OSError):  # the file is replaced; the sync only protects against a power failure
        os.fsync(folder)


def write_at(folder: int, name: str, content: bytes, *, mode: int = FILE_MODE) -> None:
    """Writes a new file in an open folder, and syncs it to disk. Raises OSError."""
    opened = os.open(name, CREATE, mode, dir_fd=folder)
    try:
        write_all(opened, content)
        os.fchmod(opened, mode)  # independent of the umask
        os.fsync(opened)
    except OSError:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise
    finally:
        close(opened)


def write_all(opened: int, content: bytes) -> None:
    """Writes the whole content to an open file."""
    written = 0
    while written < len(content):
        written += os.write(opened, content[written:])


def close(opened: int) -> None:
    """Closes a descriptor. Errors are ignored: data that must be on disk was synced before."""
    with suppress(OSError):
        os.close(opened)


@contextmanager
def temporary_folder(above: Path | None = None) -> Iterator[Path]:
    """Creates a temporary folder, below `above` if that is given, and deletes it at the end.

    Also deletes those of killed processes.
    """
    above = above or Path(tempfile.gettempdir())
    for left in above.glob(f"{TEMPORARY}*"):
        _delete_unlocked(left)
    made = tempfile.mkdtemp(prefix=TEMPORARY, dir=above)
    opened = os.open(made, FOLDER)
    try:
        lock(opened, EXCLUSIVE | WITHOUT_WAITING)
        yield Path(made)
    finally:
        close(opened)
        with suppress(OSError):  # the work is complete; a later call deletes what is left
            shutil.rmtree(made)


def _delete_unlocked(left: Path) -> None:
    """Deletes an old folder of the current user that no process has locked."""
    with suppress(OSError):
        opened = os.open(left, FOLDER)
        try:
            status = os.fstat(opened)
            if status.st_uid == os.geteuid() and status.st_mtime < time.time() - ABANDONED:
                lock(opened, EXCLUSIVE | WITHOUT_WAITING)
                shutil.rmtree(left, ignore_errors=True)
        finally:
            close(opened)


@contextmanager
def locked(place: Path) -> Iterator[None]:
    """Locks a file or folder exclusively, and waits for the lock if necessary. Raises OSError if it
    does not exist.

    Does not follow links or wait for a pipe to be opened, since the file
    may come from a checkout.
    """
    opened = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        lock(opened, EXCLUSIVE)
        yield
    finally:
        with suppress(OSError):  # so that the lock ends here even if the file cannot be closed
            fcntl.flock(opened, fcntl.LOCK_UN)
        with suppress(OSError):
            os.close(opened)


def lock(opened: int, how: int) -> None:
    """Locks an open file or folder until it is closed. Raises BlockingIOError for a lock without
    waiting."""
    try:
        fcntl.flock(opened, how)
    except BlockingIOError:
        raise
    except OSError:
        pass


def _check(status: os.stat_result, shown: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(shown))
    if not stat.S_ISREG(status.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "a device, a pipe or a socket"
        raise UnsafeFileError(
            f"{shown}: is {kind}, and only a regular file is read or written; put one in its place"
        )


def _is_link(name: str, folder: int) -> bool:
    with suppress(OSError):
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    return False


def _about(error: OSError, path: Path) -> OSError:
    """Returns the same error with the path as the user wrote it."""
    return OSError(error.errno, os.strerror(error.errno or errno.EIO), str(path))
