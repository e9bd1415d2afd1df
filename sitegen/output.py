"""The site folder: written beside, swapped in at the end.

A build fills a sibling folder (`site.new-…`) and exchanges it for the site in one step, so that whoever looks at the
site, at any moment, sees a whole one. What a killed build leaves behind, the next one clears away. Only paths that
every file system keeps apart are written, and only below the folder.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sitegen.model import File, SitegenError
from sitegen.portable import folded, is_portable

MARKER = ".sitegen"
"""A file that says: this folder is ours to replace."""
MARKER_TEXT = b"This site was built by sitegen. Every build replaces the whole folder.\n"


def write_site(folder: Path, files: Iterable[File]) -> int:
    """Replaces the site in a folder by these files, all or none, and returns how many they are.

    Files are written as they come, so an iterator keeps memory small. Raises SitegenError when the folder holds
    something else than a site, when a path leads out or two would meet on some disk, or when the disk refuses; the
    site that stood before then still stands.
    """
    try:
        _check_replaceable(folder)
        place = folder.resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(place)
        with _sibling(place) as new:
            _write_file(new / MARKER, MARKER_TEXT)
            count = _write(new, files)
            _swap(new, place)
    except OSError as error:
        raise SitegenError(f"{folder}: the site could not be written: {error.strerror or error}") from error
    return count


def write_new(folder: Path, files: Iterable[File]) -> int:
    """Makes a folder of these files, all or none, and returns how many they are. Nothing is ever replaced.

    Raises SitegenError as `write_site` does, and when anything but an empty folder stands there.
    """
    try:
        if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
            raise SitegenError(f"{folder}: is there already; name a new or an empty folder")
        place = folder.resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        with _sibling(place) as new:
            count = _write(new, files)
            new.rename(place)  # which the system refuses where somebody has put something there since
    except OSError as error:
        raise SitegenError(f"{folder}: could not be written: {error.strerror or error}") from error
    return count


def siblings(folder: Path) -> tuple[Path, ...]:
    """Returns the folders that builds, killed or still running, have made beside this one."""
    name = re.compile(re.escape(folder.name) + r"\.(new|old)-[0-9a-f]{8}")
    parent = folder.parent
    return tuple(sorted(path for path in parent.iterdir() if name.fullmatch(path.name))) if parent.is_dir() else ()


def is_site(folder: Path) -> bool:
    """True for a folder that holds a site built here, or one being built."""
    return (folder / MARKER).is_file()


def _check_replaceable(folder: Path) -> None:
    if folder.is_symlink():
        raise SitegenError(f"{folder}: is a symbolic link; name the folder it leads to, {folder.resolve()}")
    if folder.exists() and not folder.is_dir():
        raise SitegenError(f"{folder}: is a file; the site needs a folder of its own")
    if folder.exists() and not is_site(folder) and any(folder.iterdir()):
        raise SitegenError(f"{folder}: holds files that are not a site of ours; name a new or an empty folder")


def _clear_leftovers(folder: Path) -> None:
    """Removes what killed builds left beside a folder, or makes it the site again where that is missing."""
    for leftover in filter(_is_abandoned, siblings(folder)):
        if ".old-" in leftover.name and not folder.exists():
            leftover.rename(folder)
        else:
            shutil.rmtree(leftover, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    """True for a folder that no living build has locked: the system lets go of a dead one's locks."""
    with suppress(OSError):
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(lock)
        return True
    return False


@contextmanager
def _sibling(folder: Path) -> Iterator[Path]:
    """A fresh folder beside this one, locked while we work in it, and gone afterwards unless it became the site."""
    new = folder.with_name(f"{folder.name}.new-{secrets.token_hex(4)}")
    new.mkdir()
    lock = os.open(new, os.O_RDONLY)
    try:
        with suppress(OSError):  # a disk without locks serves a single build as well
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield new
    finally:
        os.close(lock)
        shutil.rmtree(new, ignore_errors=True)


def _write(root: Path, files: Iterable[File]) -> int:
    root.chmod(0o755)
    paths = _Paths()
    count = 0
    for count, file in enumerate(files, start=1):  # noqa: B007  (the count is the result)
        for folder in paths.add(file.path):
            (root / folder).mkdir()
            (root / folder).chmod(0o755)
        _write_file(root / file.path, file.content)
    return count


def _write_file(path: Path, content: bytes) -> None:
    """Writes a new file, never through a link, that whoever serves the site may read, whatever the umask says."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
        os.fchmod(file.fileno(), 0o644)
        file.write(content)


class _Paths:
    """The paths written so far: none leads out, and no two meet on a disk that ignores case or normal form."""

    def __init__(self) -> None:
        self.folders: set[str] = set()
        self.taken = {MARKER: MARKER}

    def add(self, path: str) -> list[str]:
        """Takes a path and returns the folders that are new with it, outermost first."""
        parts = path.split("/")
        if not all(map(is_portable, parts)):
            raise SitegenError(f"{path!r}: not a path that every disk can hold, inside its folder")
        folders = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        new = [folder for folder in folders if folder not in self.folders]
        for name in (*new, path):
            other = self.taken.get(folded(name))
            if other is not None:
                raise SitegenError(f"{path!r} and {other!r}: two files that some disks take for one")
            self.taken[folded(name)] = path
        self.folders.update(new)
        return new


def _swap(new: Path, folder: Path) -> None:
    if not folder.exists():
        new.rename(folder)
    elif not _exchange(new, folder):
        _swap_by_renames(new, folder)


def _exchange(one: Path, two: Path) -> bool:
    """Swaps two folders in one step where the system can (renameat2 of Linux), and returns whether it did."""
    if sys.platform != "linux":
        return False
    here, exchange = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of <fcntl.h>
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    return rename is not None and rename(here, bytes(one), here, bytes(two), exchange) == 0


def _swap_by_renames(new: Path, folder: Path) -> None:
    # Between the two renames no site stands; the next build puts this one back if we are killed just there.
    old = folder.with_name(new.name.replace(".new-", ".old-"))
    folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
