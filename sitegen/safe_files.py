"""Reads and writes files in checkouts that may be hostile, without following links.

A checkout can have a symbolic link, a device or a pipe in place of any file that the program reads
or writes. Every path is resolved by `real_path`, which refuses one that leads out of the current
folder. The file itself may be no link. Only regular files are read, up to a limit. Files are only
created, or replaced as a whole by a rename, so nothing is written through a link or into a file
with a second hard link. Errors name the path in one line. There is no defense against changes to
a checkout while the program runs.

Locks of files and folders are between processes; the system releases those of a process that has
exited. On a file system without locks, processes do not wait for each other.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sitegen.model import SitegenError

FILE_MODE, FOLDER_MODE = 0o644, 0o755

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""O_NONBLOCK, since opening a named pipe would otherwise wait for a writer."""
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class UnsafeFileError(SitegenError):
    """Raised for a path that is not a regular file, or that leads out of its folder."""


def real_path(path: Path) -> Path:
    """Returns the absolute path without links. Raises UnsafeFileError if a path below the current
    folder leads out of that folder."""
    here = Path.cwd()
    real = Path(os.path.realpath(path))
    # Links below the current folder may come from a checkout. Other links are the user's own.
    looks_below_here = Path(os.path.normpath(here / path)).is_relative_to(here)
    if looks_below_here and not real.is_relative_to(here):
        advice = f"name {real} if that is what you want"
        raise UnsafeFileError(
            f"{path}: leads through a symbolic link out of the folder you are in; {advice}"
        )
    return real


def read(path: Path, *, limit: int) -> bytes:
    """Returns the content of a regular file.

    Raises FileNotFoundError or NotADirectoryError if it does not exist, UnsafeFileError if it is
    not a regular file or has more than `limit` bytes, and OSError for other errors.
    """
    return read_real(_in_real_folder(path), limit=limit, shown=path)


def read_real(path: Path, *, limit: int, shown: Path) -> bytes:
    """Returns the content of a regular file. Raises the same errors as `read`.

    No folder above the file may be a link. `shown` is the path of the file in messages.
    """
    try:
        _check(path, shown)  # opening a device can have an effect
        with os.fdopen(os.open(path, READ), "rb") as file:
            content = file.read(limit + 1)  # one more shows that it is too large
    except OSError as error:
        raise _about(error, shown) from None
    if len(content) > limit:
        raise UnsafeFileError(f"{shown}: is larger than {limit:,} bytes, the limit for a file")
    return content


def is_file(path: Path) -> bool:
    """True for a regular file, False for a folder or if there is nothing. Raises UnsafeFileError
    for anything else, such as a link."""
    try:
        _check(_in_real_folder(path), path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False
    return True


def make_folder(path: Path) -> Path:
    """Creates a folder and those above it where they are missing, and returns its real path."""
    real = real_path(path)
    try:
        real.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise _about(error, path) from None
    return real


def create(path: Path, content: bytes) -> bool:
    """Writes a new file and its parent folders; returns False if the name exists, even as a
    dangling link."""
    try:
        _write_new(make_folder(path.parent) / path.name, content, mode=FILE_MODE)
    except FileExistsError:
        return False
    return True


def replace(path: Path, content: bytes, *, mode: int = FILE_MODE) -> None:
    """Replaces a file atomically through a temporary file in the same folder. Raises
    UnsafeFileError and OSError."""
    folder = make_folder(path.parent)
    real, beside = folder / path.name, folder / f".{path.name}.new"
    with suppress(FileNotFoundError):  # there may be no file yet
        _check(real, path)
    beside.unlink(missing_ok=True)  # left by a killed process
    try:
        _write_new(beside, content, mode=mode)
        beside.replace(real)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise _about(error, path) from None
    _sync_folder(folder)


def rename(path: Path, to: Path) -> None:
    """Renames a file to another name in its folder. Raises UnsafeFileError and OSError."""
    real = _in_real_folder(path)
    _check(real, path)
    real.replace(real.with_name(to.name))
    _sync_folder(real.parent)


def delete(path: Path) -> None:
    """Deletes a file, or a link to one. Raises OSError."""
    _in_real_folder(path).unlink()


def _write_new(path: Path, content: bytes, *, mode: int) -> None:
    """Writes a new file, and syncs it to disk. Raises OSError."""
    opened = os.open(path, CREATE, mode)
    try:
        write_all(opened, content)
        os.fchmod(opened, mode)  # independent of the umask
        os.fsync(opened)
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise
    finally:
        close(opened)


def _sync_folder(folder: Path) -> None:
    """Syncs the names in a folder to disk, to protect a change against a power failure. A system
    that cannot do this is no error."""
    with suppress(OSError):
        opened = os.open(folder, FOLDER_FLAGS)
        try:
            os.fsync(opened)
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
def locked(place: Path) -> Iterator[None]:
    """Locks a file or folder exclusively, and waits for the lock if necessary. Raises OSError if it
    does not exist.

    Does not follow links or wait for a pipe to be opened, since the file may come from a checkout.
    """
    opened = os.open(place, READ)
    try:
        lock(opened)
        yield
    finally:
        with suppress(OSError):  # so that the lock ends here even if the file cannot be closed
            fcntl.flock(opened, fcntl.LOCK_UN)
        close(opened)


def lock(opened: int) -> None:
    """Locks an open file or folder exclusively until it is closed, and waits for the lock if
    necessary."""
    with suppress(OSError):  # a file system without locks
        fcntl.flock(opened, fcntl.LOCK_EX)


def _in_real_folder(path: Path) -> Path:
    """Returns the path of a file in the real folder: only the file itself may be a link."""
    return real_path(path.parent) / path.name


def _check(path: Path, shown: Path) -> None:
    """Raises an error unless the path is that of a regular file: FileNotFoundError,
    IsADirectoryError for a folder, or UnsafeFileError for anything else."""
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(shown))
    if not stat.S_ISREG(mode):
        kind = "a symbolic link" if stat.S_ISLNK(mode) else "a device, a pipe or a socket"
        raise UnsafeFileError(
            f"{shown}: is {kind}, and only a regular file is read or written; put one in its place"
        )


def _about(error: OSError, path: Path) -> OSError:
    """Returns the same error with the path as the user wrote it."""
    return OSError(error.errno, os.strerror(error.errno or errno.EIO), str(path))
