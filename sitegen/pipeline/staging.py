"""Trees: hidden folders beside the site in which the next site is written, and then exchanged for
the site.

Each running build has locked its tree, which is named `.SITE.new-` and eight digits. An unlocked
tree is a site that was replaced, or the incomplete one of a killed build; the next build deletes
it. The lock of a tree stays when it becomes the site: until that build has ended, no other one
replaces its site.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sitegen.model import SitegenError
from sitegen.safe_files import (
    EXCLUSIVE,
    FOLDER_FLAGS,
    FOLDER_MODE,
    WITHOUT_WAITING,
    close,
    lock,
    make_folder,
)
from sitegen.sources.folder_trees import is_site

WAITING = 0
"""Waits for a lock, instead of `WITHOUT_WAITING`."""
CURRENT_FOLDER, RENAME_EXCHANGE = -100, 2
"""AT_FDCWD of <fcntl.h>, and a flag of renameat2(2)."""
MOUNTS = Path("/proc/self/mountinfo")
"""The mount points of this process, on Linux."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StagedTree:
    """A folder for the next site, beside the site."""

    site: Path
    """The site's folder."""
    path: Path
    """The tree."""
    opened: int
    """The tree, which is locked as long as this is open."""
    held: ExitStack
    """Closes what this build has locked."""


@contextmanager
def tree(site: Path) -> Iterator[StagedTree]:
    """Yields an empty folder for the next site, locked by this build.

    `site` is absolute and without links; folders above it are created. At the end, deletes all
    unlocked trees: the replaced site, or this tree after an error, and those of killed builds.
    """
    check_unmounted(site)
    make_folder(site.parent)
    with ExitStack() as held:
        if is_site(site.parent):
            found = "is a site, and no other site may be in it; name a folder outside of it"
            raise SitegenError(f"{site.parent}: {found}")
        for path in (*_trees_beside(site, "old"), *_trees_beside(site, "new")):
            check_unmounted(path)  # before anything in it may be deleted
        _restore_site(site)
        # Callbacks are called in reverse: the tree is closed, and so unlocked, before the deletion.
        held.callback(_delete_unlocked, site)
        path, opened = _new_tree(site)
        held.callback(close, opened)
        yield StagedTree(site=site, path=path, opened=opened, held=held)


def lock_site(tree: StagedTree) -> None:
    """Locks the current site. Other builds do not replace it before this build has ended.

    Waits for a build that has just replaced it. If there is no site, an empty folder is created.
    """
    while True:
        with suppress(FileExistsError):
            tree.site.mkdir(FOLDER_MODE)
        opened = _open_locked(tree.site, WAITING)
        if opened is None:  # another build has replaced it meanwhile
            continue
        # Checked last, as a build that exchanges by renames may have replaced the empty folder.
        if not _trees_beside(tree.site, "old") and _is_at(tree.site, opened):
            tree.held.callback(close, opened)
            return
        close(opened)
        # Another build is between two renames, or was killed there.
        _restore_site(tree.site, WAITING)


def swap(tree: StagedTree) -> None:
    """Exchanges a finished tree for the site. Requires `lock_site`. Raises OSError."""
    if not exchange(tree.path, tree.site):
        _swap_by_renames(tree)


def flush(opened: int) -> None:
    """Flushes the file system of an open folder to the disk, so that a power cut never leaves a
    site of empty files. Raises OSError."""
    # One call for the whole file system is much faster than one for each file.
    sync = _system_call("syncfs")
    if sync is None:
        os.sync()
    elif sync(opened) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _system_call(name: str) -> Callable[..., int] | None:
    """Returns a function of Linux's C library; None if there is none."""
    if sys.platform != "linux":
        return None
    call: Callable[..., int] | None = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    return call


def exchange(first: Path, second: Path) -> bool:
    """Exchanges two folders atomically with renameat2 of Linux; returns False if that is not
    supported.

    Raises OSError if the system supports it and it fails.
    """
    rename = _system_call("renameat2")
    if rename is None:
        return False
    one, two = os.fsencode(first), os.fsencode(second)
    while rename(CURRENT_FOLDER, one, CURRENT_FOLDER, two, RENAME_EXCHANGE) != 0:
        match ctypes.get_errno():
            case errno.EINTR:
                continue
            case errno.ENOSYS | errno.EINVAL:
                return False
            case code:
                raise OSError(code, os.strerror(code), str(second))
    return True


def _swap_by_renames(tree: StagedTree) -> None:
    """Exchanges the tree for the site where the system cannot do it in one step.

    Between the first two renames there is no site; after a kill at that moment the next build moves
    it back.
    """
    old = tree.path.with_name(tree.path.name.replace(".new-", ".old-"))
    tree.site.rename(old)
    try:
        tree.path.rename(tree.site)
    except OSError:
        old.rename(tree.site)
        raise
    old.rename(tree.path)


def _restore_site(site: Path, waiting: int = WITHOUT_WAITING) -> None:
    """Moves the site back if a killed build has moved it aside, unless the new site is already in
    its place."""
    for old in _trees_beside(site, "old"):
        opened = _open_locked(old, waiting)
        if opened is None:  # the build that moved it is still running
            continue
        try:
            old.rename(site)
        except OSError as error:
            if error.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
                raise
            # The new site is in its place. Under this name, the old one is deleted with the
            # unfinished trees.
            old.rename(old.with_name(old.name.replace(".old-", ".new-")))
        finally:
            close(opened)


def _delete_unlocked(site: Path) -> None:
    """Deletes the trees that no build has locked. Ignores errors: the next build tries again."""
    with suppress(OSError):
        for path in _trees_beside(site, "new"):
            opened = _open_locked(path)
            if opened is not None:
                shutil.rmtree(path, ignore_errors=True)
                close(opened)


def _trees_beside(site: Path, kind: Literal["new", "old"]) -> list[Path]:
    """Returns the folders beside a site for its next state, `.site.new-1a2b3c4d`, or those to which
    its last state was moved, `.site.old-1a2b3c4d`."""
    pattern = re.compile(rf"\.{re.escape(site.name)}\.{kind}-[0-9a-f]{{8}}")
    trees = []
    with os.scandir(site.parent) as entries:
        for one in entries:
            if pattern.fullmatch(one.name) and one.is_dir(follow_symlinks=False):
                trees.append(site.with_name(one.name))
    return sorted(trees)


def _new_tree(site: Path) -> tuple[Path, int]:
    """Creates and locks a tree, and returns its path and descriptor."""
    while True:
        path = site.with_name(f".{site.name}.new-{secrets.token_hex(4)}")
        path.mkdir(FOLDER_MODE)
        opened = _open_locked(path)
        if opened is not None:  # else another build has just deleted the unlocked tree
            return path, opened


def _open_locked(path: Path, waiting: int = WITHOUT_WAITING) -> int | None:
    """Opens and locks a folder until it is closed; the system releases the locks of a dead build.

    Returns None if it is missing, if another build has locked it, or has moved it before it was
    locked.
    """
    with suppress(FileNotFoundError, BlockingIOError), ExitStack() as on_error:
        opened = os.open(path, FOLDER_FLAGS)
        on_error.callback(close, opened)
        lock(opened, EXCLUSIVE | waiting)
        if _is_at(path, opened):
            on_error.pop_all()
            return opened
    return None


def _is_at(path: Path, opened: int) -> bool:
    """True if an open folder is still the one with this path."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(opened), path.lstat())
    return False


def check_unmounted(folder: Path) -> None:
    """Raises SitegenError if a folder, or something in it, is mounted: a build would delete its
    content.

    `folder` is absolute and without links.
    """
    with suppress(OSError):  # only Linux has this file
        for line in MOUNTS.read_bytes().splitlines():
            # See proc_pid_mountinfo(5): in "36 35 98:0 /root /mnt/two\040words …", the space of the
            # mount point is an octal escape.
            _id, _parent, _device, _root, field, *_ = line.split(b" ")
            mount = Path(os.fsdecode(field.decode("unicode_escape").encode("latin-1")))
            if mount.is_relative_to(folder):
                found = f"is a mount point, and a build replaces {folder}"
                advice = "unmount it, or write the site elsewhere with -o"
                raise SitegenError(f"{mount}: {found}; {advice}")
