"""The staging folder `.sitegen/`, beside the site: the next site is written in it and then exchanged for the site.

It holds a tree for each running build, which that build has locked. A tree without a lock is left from an earlier
build: the site that was replaced or, if the build was killed, half of a site. The next build starts from it and
writes only the files that differ. A file in it is reused only if its content is right, or if it has the mark that the
cache outside the checkout has for it. So a staging folder that comes with a checkout has no effect, and one that
git tracks is refused. The folder may be deleted at any time.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources import locks
from sitegen.sources.git.tracking import check_untracked
from sitegen.sources.safe_files import close, read_at, replace, write_at

NAME = ".sitegen"
IGNORED = ".gitignore"
ALL = b"*\n"
LIMIT = 1024
"""Bytes of a `.gitignore` that are read."""


def staging_folder(site: Path) -> Path:
    """Returns the path of a site's staging folder."""
    return site.parent / NAME


@contextmanager
def tree(site: Path) -> Iterator[Path]:
    """Yields a folder for the next site, locked by this build: empty, or with the files of an earlier build.

    Deletes the folder after an error. After success, deletes all unlocked trees except one for the next build.
    """
    with ExitStack() as held:
        held.enter_context(_entered(site))
        with alone(site):
            _put_back(site)
            left = _unlocked(site, held)
            place = left[0] if left else _new(site, held)
        _delete(left[1:])
        try:
            yield place
        except BaseException:
            _delete([place])
            raise
        with suppress(OSError):
            _delete(_unlocked(site, held)[1:])


def write_report(site: Path, name: str, text: str) -> str:
    """Writes a file into the staging folder of a site and returns its path; returns "" if that fails."""
    path = staging_folder(site) / name
    try:
        with _entered(site):
            replace(path, text.encode(errors="backslashreplace"))
    except (OSError, SitegenError):
        return ""
    return str(path)


def alone(site: Path) -> AbstractContextManager[None]:
    """Locks out other builds while a tree is chosen or the site is exchanged. Only for use within `tree`."""
    return locks.alone(staging_folder(site) / IGNORED)


def swap(new: Path, site: Path) -> None:
    """Exchanges a finished tree for the site, if there is one. Only for use while `alone`. Raises OSError."""
    if exchange(new, site):
        return
    if site.exists():
        _swap_by_renames(new, site)
    else:
        new.rename(site)


def swap_back(new: Path, site: Path) -> None:
    """Undoes `swap`: moves the previous site, if there was one, back."""
    if new.exists():
        swap(new, site)
    else:
        site.rename(new)


def settle(tree: Path) -> None:
    """Flushes the written files to the disk, so that a power cut never leaves a site of empty files.

    One call for the whole file system is much faster than one for each file. Raises OSError.
    """
    sync = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None) if sys.platform == "linux" else None
    if sync is None:
        os.sync()
        return
    opened = os.open(tree, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if sync(opened) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(tree))
    finally:
        close(opened)


def exchange(one: Path, two: Path) -> bool:
    """Exchanges two folders atomically with renameat2 of Linux; returns False where that is not supported.

    Raises OSError if the system supports it and it fails.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    here, exchanged = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of <fcntl.h>
    while rename(here, bytes(one), here, bytes(two), exchanged) != 0:
        match ctypes.get_errno():
            case errno.EINTR:
                continue
            case errno.ENOENT | errno.ENOSYS | errno.EINVAL:  # no site yet, or a system or disk without exchange
                return False
            case code:
                raise OSError(code, os.strerror(code), str(two))
    return True


def _swap_by_renames(new: Path, site: Path) -> None:
    # Between the first two renames there is no site; after a kill at that moment the next build moves it back.
    old = new.with_name(new.name.replace(".new-", ".old-"))
    site.rename(old)
    try:
        new.rename(site)
    except OSError:
        old.rename(site)
        raise
    old.rename(new)


def _put_back(site: Path) -> None:
    """Restores the site that a killed build has moved aside, unless the new site is already in its place."""
    for old in _trees(site, "old"):
        if site.exists():
            old.rename(old.with_name(old.name.replace(".old-", ".new-")))
        else:
            old.rename(site)


@contextmanager
def _entered(site: Path) -> Iterator[None]:
    """Creates the staging folder if missing, holds a shared lock on it, and deletes it at the end if empty."""
    place = staging_folder(site)
    opened = _enter(place)
    try:
        _hide(place, opened)
        yield
    finally:
        _leave(place, opened)


def _enter(place: Path) -> int:
    """Creates the staging folder if missing, and returns a descriptor of it with a shared lock."""
    while True:
        try:
            place.mkdir(mode=0o755)
        except FileExistsError:
            check_untracked(place)
        with suppress(FileNotFoundError):  # another build has just deleted it
            _check_own(place)
            opened = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            locks.lock(opened, locks.SHARED)
            if _stands(place, opened):
                return opened
            close(opened)


def _hide(place: Path, opened: int) -> None:
    """Writes a `.gitignore` that ignores the whole staging folder; the file is also used for locks."""
    try:
        write_at(opened, IGNORED, ALL)
    except FileExistsError:
        read_at(opened, IGNORED, limit=LIMIT, shown=place / IGNORED)  # raises for a link or a pipe


def _check_own(place: Path) -> None:
    """Raises SitegenError if the staging folder is a link, has another owner, or is writable by others."""
    facts = place.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_mode & stat.S_IWOTH:
        raise SitegenError(f"{place}: is not a folder of your own; delete it, or write the site elsewhere with -o")


def _leave(place: Path, opened: int) -> None:
    """Closes the staging folder, and deletes it if nothing is left in it."""
    try:
        with suppress(OSError):  # another build uses it, or it has been deleted
            locks.lock(opened, locks.ALONE | locks.WITHOUT_WAITING)
            if os.listdir(opened) == [IGNORED] and _stands(place, opened):
                os.unlink(IGNORED, dir_fd=opened)
                place.rmdir()
    finally:
        close(opened)


def _unlocked(site: Path, held: ExitStack) -> list[Path]:
    """Returns the trees that no other build has locked, and locks them until the end."""
    return [left for left in _trees(site, "new") if _lock(left, held)]


def _delete(trees: Iterable[Path]) -> None:
    for tree in trees:
        shutil.rmtree(tree, ignore_errors=True)


def _trees(site: Path, kind: str) -> tuple[Path, ...]:
    name = re.compile(rf"{re.escape(site.name)}\.{kind}-[0-9a-f]{{8}}")
    found = (path for path in staging_folder(site).iterdir() if name.fullmatch(path.name) and path.is_dir())
    return tuple(sorted(path for path in found if not path.is_symlink()))


def _new(site: Path, held: ExitStack) -> Path:
    place = staging_folder(site) / f"{site.name}.new-{secrets.token_hex(4)}"
    place.mkdir()
    _lock(place, held)
    return place


def _lock(place: Path, held: ExitStack) -> bool:
    """Locks a tree until the end, and returns whether that worked. The system releases the locks of a dead build."""
    try:
        opened = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    held.callback(close, opened)
    try:
        locks.lock(opened, locks.ALONE | locks.WITHOUT_WAITING)
    except BlockingIOError:
        return False
    return _stands(place, opened)  # its build may have deleted it before we had the lock


def _stands(place: Path, opened: int) -> bool:
    """True if an open folder is still the one at this path."""
    try:
        return os.path.samestat(os.fstat(opened), place.lstat())
    except FileNotFoundError:
        return False
