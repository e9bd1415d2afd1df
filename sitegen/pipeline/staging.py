"""The tree: a hidden folder beside the site in which the next site is written, and then exchanged
for the site.

A build has locked its tree, `.site.new-sitegen`, until it has deleted the site that it replaced;
another build of the same site waits. The system releases the lock of a killed build, and the next
build deletes the tree that it left.
"""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.safe_files import (
    FOLDER_FLAGS,
    FOLDER_MODE,
    close,
    lock,
    make_folder,
)
from sitegen.sources.folder_trees import is_site

CURRENT_FOLDER, RENAME_EXCHANGE = -100, 2
"""AT_FDCWD of <fcntl.h>, and a flag of renameat2(2)."""
NOT_EMPTY = frozenset([errno.EEXIST, errno.ENOTEMPTY])
"""The errors of a system that a folder is not empty."""


@dataclass(kw_only=True)
class StagedTree:
    """A folder for the next site, beside the site."""

    site: Path
    """The site's folder."""
    path: Path
    """The tree."""
    to_delete: Path
    """The folder that is deleted at the end: the tree, or the former site."""
    opened: int
    """The descriptor of the tree, which is locked as long as it is open."""
    held: ExitStack
    """Closes what this build has locked."""


@contextmanager
def tree(site: Path) -> Iterator[StagedTree]:
    """Yields an empty folder for the next site, locked by this build. Waits for another build of
    the site.

    `site` is absolute and without links; folders above it are created. At the end, deletes the
    replaced site, or the tree after an error. Raises OSError.
    """
    make_folder(site.parent)
    if is_site(site.parent):
        found = "is a site, and no other site may be in it; name a folder outside of it"
        raise SitegenError(f"{site.parent}: {found}")
    path = site.with_name(f".{site.name}.new-sitegen")
    with ExitStack() as held:
        opened = _new_tree(path, site, held)
        _restore_site(site)
        staged = StagedTree(site=site, path=path, to_delete=path, opened=opened, held=held)
        try:
            yield staged
        finally:
            # A later build deletes the rest, if some cannot be found or deleted now.
            _delete(staged.to_delete)
            with suppress(OSError):
                for left in site.parent.glob(f"{escape(_undeleted(site))}*"):
                    _delete(left)


def _new_tree(path: Path, site: Path, held: ExitStack) -> int:
    """Creates and locks a tree, and returns its descriptor, which `held` closes."""
    while True:
        with suppress(FileExistsError):
            path.mkdir(FOLDER_MODE)
        # Another build may delete the folder before any of these steps.
        with ExitStack() as attempt, suppress(FileNotFoundError):
            opened = os.open(path, FOLDER_FLAGS)
            attempt.callback(close, opened)
            lock(opened)  # waits for the build that has it
            # That build has exchanged the tree for the site, or deleted it.
            if not os.path.samestat(os.fstat(opened), path.lstat()):
                continue
            if not any(path.iterdir()):
                held.push(attempt.pop_all())  # so it stays open when `attempt` ends
                return opened
            _delete_left(path, site)


def _delete_left(path: Path, site: Path) -> None:
    """Deletes a folder that an earlier build left. Something that cannot be deleted, such as files
    of another user, is left to a later build. Raises OSError."""
    # Under a name of its own first: when it is gone, another build may have made one of its name.
    left = site.with_name(_undeleted(site) + secrets.token_hex(4))
    with suppress(FileNotFoundError):  # another build has deleted it
        path.rename(left)
    _delete(left)


def _delete(folder: Path) -> None:
    """Deletes what can be deleted of a folder. If the folder is a mount point or has one, no file
    is deleted: files in a mount point are of no build."""
    # Each folder is tried: removing a mount point fails as "busy", and removing another one with
    # files as "not empty".
    for path, _, _ in os.walk(folder):  # outermost first; links are not followed
        try:
            Path(path).rmdir()
        except OSError as error:
            if error.errno == errno.EBUSY:
                return
        else:
            if Path(path) == folder:  # it was empty; another build may have made one of its name
                return
    with suppress(OSError):  # of `fstat`, which `ignore_errors` leaves out
        shutil.rmtree(folder, ignore_errors=True)


def _undeleted(site: Path) -> str:
    """Returns how the names of folders begin that could not be deleted."""
    return f".{site.name}.left-sitegen-"


def lock_site(tree: StagedTree) -> None:
    """Locks the current site until this build ends: after the exchange, it is where the next build
    would have its tree. If there is no site, an empty folder is created.

    Waits for a build that has just replaced the site, and not yet deleted the former one.
    """
    with suppress(FileExistsError):
        tree.site.mkdir(FOLDER_MODE)
    opened = os.open(tree.site, FOLDER_FLAGS)
    tree.held.callback(close, opened)
    lock(opened)


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
    if rename(CURRENT_FOLDER, one, CURRENT_FOLDER, two, RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL):
        return False
    raise OSError(code, os.strerror(code), str(second))


def _swap_by_renames(tree: StagedTree) -> None:
    """Exchanges the tree for the site where the system cannot do it in one step.

    Between the first two renames there is no site; after a kill at that moment the next build moves
    it back.
    """
    old = _moved_aside(tree.site)
    tree.site.rename(old)
    try:
        tree.path.rename(tree.site)
    except OSError:
        old.rename(tree.site)
        raise
    # At `tree.path`, which is free now, the next build may have made its own tree.
    tree.to_delete = old


def _restore_site(site: Path) -> None:
    """Moves the site back if a killed build has moved it aside, unless the new site is already in
    its place."""
    old = _moved_aside(site)
    if old.is_symlink() or not old.is_dir():
        return
    try:
        old.rename(site)  # also in the place of an empty folder
    except FileNotFoundError:
        return  # another build has deleted it
    except OSError as error:
        if error.errno not in NOT_EMPTY:
            raise
        _delete_left(old, site)  # the new site is in its place


def _moved_aside(site: Path) -> Path:
    """Returns the path of the former site between two renames."""
    return site.with_name(f".{site.name}.old-sitegen")
