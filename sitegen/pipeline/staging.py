"""The staging folder `.sitegen/`, beside the site: the next site is written in it and then exchanged for the site.

It holds a tree for each running build, which that build has locked. An unlocked tree is a site that was replaced, or
the incomplete one of a killed build; the next build deletes it. A staging folder that comes with a checkout has no
effect, and one that git tracks is refused. The folder may be deleted at any time.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources.git.process import check_untracked
from sitegen.sources.open_folders import check_unmounted, delete_folder
from sitegen.sources.safe_files import (
    EXCLUSIVE,
    FOLDER,
    FOLDER_MODE,
    SHARED,
    WITHOUT_WAITING,
    close,
    lock,
    locked,
    open_folder,
    read_at,
    real_path,
    replace_at,
    write_at,
)

NAME = ".sitegen"
GITIGNORE = ".gitignore"
IGNORE_ALL = b"*\n"
MAX_GITIGNORE = 1024
"""The maximum number of bytes that are read of a `.gitignore`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedTree:
    """A folder for the next site, by descriptors, so that a folder that is replaced by a link is not followed."""

    site: Path
    """The absolute path of the site, without links."""
    parent: int
    """The folder that the site is in."""
    staging: int
    """The staging folder."""
    name: str
    """The name of the tree in the staging folder."""
    opened: int
    """The tree."""


FolderHandle = tuple[int, str]
"""The descriptor of a folder's parent, and the folder's name."""


def staging_folder(site: Path) -> Path:
    """Returns the path of a site's staging folder."""
    return site.parent / NAME


@contextmanager
def tree(site: Path) -> Iterator[StagedTree]:
    """Yields an empty folder for the next site, locked by this build.

    `site` is absolute and without links; folders above it are created. At the end, deletes all unlocked trees: the
    replaced site, or this tree after an error, and those of killed builds.
    """
    with _open_staging(site) as (parent, staging):
        place = StagedTree(site=site, parent=parent, staging=staging, name="", opened=-1)
        with exclusive_lock(place):
            _restore_site(place)
            chosen = _lock_tree(place, _create_tree(place))
        try:
            yield chosen
        finally:
            close(chosen.opened)
            with suppress(OSError):
                _delete_unlocked(place)


def write_report(site: Path, name: str, text: str) -> str:
    """Writes a file into the staging folder of a site and returns its path; returns "" if that fails."""
    path = staging_folder(site) / name
    try:
        with _open_staging(real_path(site)) as (_, staging):
            replace_at(staging, name, text.encode(errors="backslashreplace"), shown=path)
    except (OSError, SitegenError):
        return ""
    return str(path)


def exclusive_lock(tree: StagedTree) -> AbstractContextManager[None]:
    """Locks out other builds while a tree is chosen or the site is exchanged. Only for use within `tree`."""
    return locked(GITIGNORE, folder=tree.staging)


def swap(tree: StagedTree) -> None:
    """Exchanges a finished tree for the site, if there is one. Requires `exclusive_lock`. Raises OSError."""
    new, site = (tree.staging, tree.name), (tree.parent, tree.site.name)
    if not exchange(new, site):
        if _exists(site):
            _swap_by_renames(new, site)
        else:
            _rename(new, site)


def swap_back(tree: StagedTree) -> None:
    """Undoes `swap`: moves the previous site, if there was one, back."""
    new, site = (tree.staging, tree.name), (tree.parent, tree.site.name)
    if not _exists(new):
        _rename(site, new)
    elif not exchange(new, site):
        _swap_by_renames(new, site)


def flush(tree: int) -> None:
    """Flushes the written files to the disk, so that a power cut never leaves a site of empty files.

    One call for the whole file system is much faster than one for each file. Raises OSError.
    """
    sync = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None) if sys.platform == "linux" else None
    if sync is None:
        os.sync()
    elif sync(tree) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def exchange(first: FolderHandle, second: FolderHandle) -> bool:
    """Exchanges two folders atomically with renameat2 of Linux; returns False where that is not supported.

    Raises OSError if the system supports it and it fails.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    exchanged = 2  # RENAME_EXCHANGE of <fcntl.h>
    while rename(first[0], os.fsencode(first[1]), second[0], os.fsencode(second[1]), exchanged) != 0:
        match ctypes.get_errno():
            case errno.EINTR:
                continue
            case errno.ENOENT | errno.ENOSYS | errno.EINVAL:  # no site yet, or a system or disk without exchange
                return False
            case code:
                raise OSError(code, os.strerror(code), second[1])
    return True


def _swap_by_renames(new: FolderHandle, site: FolderHandle) -> None:
    # Between the first two renames there is no site; after a kill at that moment the next build moves it back.
    old = new[0], new[1].replace(".new-", ".old-")
    _rename(site, old)
    try:
        _rename(new, site)
    except OSError:
        _rename(old, site)
        raise
    _rename(old, new)


def _rename(source: FolderHandle, target: FolderHandle) -> None:
    os.rename(source[1], target[1], src_dir_fd=source[0], dst_dir_fd=target[0])


def _exists(folder: FolderHandle) -> bool:
    try:
        os.stat(folder[1], dir_fd=folder[0], follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _restore_site(tree: StagedTree) -> None:
    """Restores the site that a killed build has moved aside, unless the new site is already in its place."""
    site = tree.parent, tree.site.name
    for old in _trees(tree, "old"):
        back = (tree.staging, old.replace(".old-", ".new-")) if _exists(site) else site
        _rename((tree.staging, old), back)


@contextmanager
def _open_staging(site: Path) -> Iterator[tuple[int, int]]:
    """Creates the staging folder of a site if missing, holds a shared lock on it, and deletes it at the end if empty.

    Yields the descriptors of the folder that the site is in, and of the staging folder.
    """
    place = staging_folder(site)
    check_unmounted(site)
    check_unmounted(place)
    parent = open_folder(site.parent, create=True)
    try:
        opened = _enter_staging(place, parent)
        try:
            _write_gitignore(place, opened)
            yield parent, opened
        finally:
            _leave_staging(parent, opened)
    finally:
        close(parent)


def _enter_staging(place: Path, parent: int) -> int:
    """Creates the staging folder if missing, and returns a descriptor of it with a shared lock."""
    while True:
        try:
            os.mkdir(NAME, FOLDER_MODE, dir_fd=parent)
        except FileExistsError:
            check_untracked(place)
        with suppress(FileNotFoundError):  # another build has just deleted it
            _check_own(place, os.stat(NAME, dir_fd=parent, follow_symlinks=False))
            opened = os.open(NAME, FOLDER, dir_fd=parent)
            try:
                _check_own(place, os.fstat(opened))
                lock(opened, SHARED)
            except BaseException:
                close(opened)
                raise
            if _is_same_folder(parent, NAME, opened):
                return opened
            close(opened)


def _write_gitignore(place: Path, opened: int) -> None:
    """Writes a `.gitignore` that ignores the whole staging folder; the file is also used for locks."""
    try:
        write_at(opened, GITIGNORE, IGNORE_ALL)
    except FileExistsError:
        read_at(opened, GITIGNORE, limit=MAX_GITIGNORE, shown=place / GITIGNORE)  # raises for a link or a pipe


def _check_own(place: Path, facts: os.stat_result) -> None:
    """Raises SitegenError if the staging folder is a file, a link, another user's, or writable by others."""
    if stat.S_ISREG(facts.st_mode):
        raise SitegenError(f"{place.parent}: is a site, and no other site may be in it; name a folder outside of it")
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_mode & stat.S_IWOTH:
        raise SitegenError(f"{place}: is not a folder of your own; delete it, or write the site elsewhere with -o")


def _leave_staging(parent: int, opened: int) -> None:
    """Closes the staging folder, and deletes it if nothing is left in it."""
    try:
        with suppress(OSError):  # another build uses it, or it has been deleted
            lock(opened, EXCLUSIVE | WITHOUT_WAITING)
            if os.listdir(opened) == [GITIGNORE] and _is_same_folder(parent, NAME, opened):
                os.unlink(GITIGNORE, dir_fd=opened)
                os.rmdir(NAME, dir_fd=parent)
    finally:
        close(opened)


def _delete_unlocked(tree: StagedTree) -> None:
    """Deletes the trees that no build has locked."""
    unlocked = []
    with exclusive_lock(tree):
        for name in _trees(tree, "new"):
            with suppress(OSError):
                unlocked.append(_lock_tree(tree, name))
    for one in unlocked:
        with suppress(OSError):
            delete_folder(tree.staging, one.name)
        close(one.opened)


def _trees(tree: StagedTree, kind: str) -> list[str]:
    """Returns the names of the trees of a site."""
    pattern = re.compile(rf"{re.escape(tree.site.name)}\.{kind}-[0-9a-f]{{8}}")
    with os.scandir(tree.staging) as entries:
        return sorted(
            one.name for one in entries if pattern.fullmatch(one.name) and one.is_dir(follow_symlinks=False)
        )


def _create_tree(tree: StagedTree) -> str:
    name = f"{tree.site.name}.new-{secrets.token_hex(4)}"
    os.mkdir(name, FOLDER_MODE, dir_fd=tree.staging)
    return name


def _lock_tree(tree: StagedTree, name: str) -> StagedTree:
    """Opens and locks the tree with this name; the system releases the locks of a dead build.

    Raises OSError, BlockingIOError if another build has the lock.
    """
    opened = os.open(name, FOLDER, dir_fd=tree.staging)
    try:
        lock(opened, EXCLUSIVE | WITHOUT_WAITING)
    except BaseException:
        close(opened)
        raise
    return replace(tree, name=name, opened=opened)


def _is_same_folder(folder: int, name: str, opened: int) -> bool:
    """True if an open folder is still the one with this name."""
    try:
        return os.path.samestat(os.fstat(opened), os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        return False
