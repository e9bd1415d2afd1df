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
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources.open_folders import check_unmounted, delete_folder, is_site_at
from sitegen.sources.safe_files import (
    EXCLUSIVE,
    FOLDER,
    FOLDER_MODE,
    WITHOUT_WAITING,
    close,
    lock,
    open_folder,
)

WAITING = 0
"""Waits for a lock, instead of `WITHOUT_WAITING`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StagedTree:
    """A folder for the next site, by descriptors, so that a folder that is replaced by a link is
    not followed."""

    site: str
    """The name of the site's folder."""
    parent: int
    """The folder that the site and the tree are in."""
    name: str
    """The name of the tree."""
    opened: int
    """The tree."""
    held: ExitStack
    """Closes what this build has locked."""


@contextmanager
def tree(site: Path) -> Iterator[StagedTree]:
    """Yields an empty folder for the next site, locked by this build.

    `site` is absolute and without links; folders above it are created. At the end, deletes all
    unlocked trees: the replaced site, or this tree after an error, and those of killed builds.
    """
    check_unmounted(site)
    parent = open_folder(site.parent, create=True)
    with ExitStack() as held:
        held.callback(close, parent)
        if is_site_at(parent):
            found = "is a site, and no other site may be in it; name a folder outside of it"
            raise SitegenError(f"{site.parent}: {found}")
        for name in (*_trees(parent, site.name, "old"), *_trees(parent, site.name, "new")):
            check_unmounted(site.with_name(name))
        _restore_site(parent, site.name)
        held.callback(_delete_unlocked, parent, site.name)
        name, opened = _new_tree(parent, site.name)
        held.callback(close, opened)
        yield StagedTree(site=site.name, parent=parent, name=name, opened=opened, held=held)


def lock_site(tree: StagedTree) -> int:
    """Returns the descriptor of the current site, which no other build replaces until this one has
    ended.

    Waits for a build that has just replaced it. If there is no site, an empty folder is created.
    """
    while True:
        with suppress(FileExistsError):
            os.mkdir(tree.site, FOLDER_MODE, dir_fd=tree.parent)
        if (opened := _open_locked(tree.parent, tree.site, WAITING)) is None:
            continue
        if not _trees(tree.parent, tree.site, "old") and is_at(tree.parent, tree.site, opened):
            tree.held.callback(close, opened)
            return opened
        close(opened)
        _restore_site(
            tree.parent, tree.site, WAITING
        )  # another build is between two renames, or was killed there


def swap(tree: StagedTree) -> None:
    """Exchanges a finished tree for the site. Requires `lock_site`. Raises OSError."""
    if not exchange(tree.parent, tree.name, tree.site):
        _swap_by_renames(tree)


def flush(tree: int) -> None:
    """Flushes the written files to the disk, so that a power cut never leaves a site of empty
    files.

    One call for the whole file system is much faster than one for each file. Raises OSError.
    """
    sync = (
        getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
        if sys.platform == "linux"
        else None
    )
    if sync is None:
        os.sync()
    elif sync(tree) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def exchange(folder: int, first: str, second: str) -> bool:
    """Exchanges two folders of a folder atomically with renameat2 of Linux; returns False if that
    is not supported.

    Raises OSError if the system supports it and it fails.
    """
    rename = (
        getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        if sys.platform == "linux"
        else None
    )
    if rename is None:
        return False
    exchanged = 2  # RENAME_EXCHANGE of <fcntl.h>
    while rename(folder, os.fsencode(first), folder, os.fsencode(second), exchanged) != 0:
        match ctypes.get_errno():
            case errno.EINTR:
                continue
            case errno.ENOSYS | errno.EINVAL:
                return False
            case code:
                raise OSError(code, os.strerror(code), second)
    return True


def _swap_by_renames(tree: StagedTree) -> None:
    # Between the first two renames there is no site; after a kill at that moment the next build
    # moves it back.
    old = tree.name.replace(".new-", ".old-")
    _rename(tree.parent, tree.site, old)
    try:
        _rename(tree.parent, tree.name, tree.site)
    except OSError:
        _rename(tree.parent, old, tree.site)
        raise
    _rename(tree.parent, old, tree.name)


def _rename(folder: int, source: str, target: str) -> None:
    os.rename(source, target, src_dir_fd=folder, dst_dir_fd=folder)


def _restore_site(parent: int, site: str, how: int = WITHOUT_WAITING) -> None:
    """Moves the site back that a killed build has moved aside, unless the new site is already in
    its place."""
    for old in _trees(parent, site, "old"):
        if (opened := _open_locked(parent, old, how)) is not None:
            try:
                _rename(parent, old, site)
            except OSError as error:
                if error.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
                    raise
                _rename(parent, old, old.replace(".old-", ".new-"))
            finally:
                close(opened)


def _delete_unlocked(parent: int, site: str) -> None:
    """Deletes the trees that no build has locked. Ignores errors: the next build tries again."""
    with suppress(OSError):
        for name in _trees(parent, site, "new"):
            if (opened := _open_locked(parent, name)) is not None:
                with suppress(OSError):
                    delete_folder(parent, name)
                close(opened)


def _trees(parent: int, site: str, kind: str) -> list[str]:
    """Returns the names of the trees of a site."""
    pattern = re.compile(rf"\.{re.escape(site)}\.{kind}-[0-9a-f]{{8}}")
    with os.scandir(parent) as entries:
        return sorted(
            one.name
            for one in entries
            if pattern.fullmatch(one.name) and one.is_dir(follow_symlinks=False)
        )


def _new_tree(parent: int, site: str) -> tuple[str, int]:
    """Creates and locks a tree, and returns its name and descriptor."""
    while True:
        name = f".{site}.new-{secrets.token_hex(4)}"
        os.mkdir(name, FOLDER_MODE, dir_fd=parent)
        if (opened := _open_locked(parent, name)) is not None:
            return name, opened


def _open_locked(parent: int, name: str, how: int = WITHOUT_WAITING) -> int | None:
    """Opens and locks a folder until it is closed; the system releases the locks of a dead build.

    Returns None if it is missing, if another build has locked it, or has moved it before it was
    locked.
    """
    with suppress(FileNotFoundError, BlockingIOError), ExitStack() as on_error:
        opened = os.open(name, FOLDER, dir_fd=parent)
        on_error.callback(close, opened)
        lock(opened, EXCLUSIVE | how)
        if is_at(parent, name, opened):
            on_error.pop_all()
            return opened
    return None


def is_at(parent: int, name: str, opened: int) -> bool:
    """True if an open folder is still the one with this name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(
            os.fstat(opened), os.stat(name, dir_fd=parent, follow_symlinks=False)
        )
    return False
