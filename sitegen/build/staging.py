"""The workshop: a hidden folder beside the site, in which the next one is made and exchanged for it.

`.sitegen/` holds the trees that builds work in. Each is locked by its build; one that nobody has locked is what a
build before left, either the site that it replaced or, killed, half a site. The next build takes it as its start, so
that only what differs has to be written. Beside them is the `cache` of each site. All of it may be deleted at any
time.
"""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources import locks

NAME = ".sitegen"
IGNORED = ".gitignore"
ALL = b"*\n"


def workshop(site: Path) -> Path:
    """Returns where the workshop of a site is."""
    return site.parent / NAME


@contextmanager
def visit(site: Path) -> Iterator[Path]:
    """The workshop of a site, made when it is needed and taken away when nothing and nobody stays in it."""
    place = workshop(site)
    opened = _enter(place)
    try:
        _hide(place / IGNORED)
        yield place
    finally:
        _leave(place, opened)


@contextmanager
def tree(site: Path) -> Iterator[Path]:
    """A folder to make the next site in: empty, or with what an earlier build left. It is ours alone meanwhile.

    Whoever fails in it leaves nothing behind.
    """
    with ExitStack() as held:
        held.enter_context(visit(site))
        with alone(site):
            _put_back(site)
            taken = [left for left in _trees(site, "new") if _lock(left, held)]
            place = taken[0] if taken else _new(site, held)
        for superfluous in taken[1:]:
            shutil.rmtree(superfluous, ignore_errors=True)
        try:
            yield place
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise


def alone(site: Path) -> AbstractContextManager[None]:
    """A moment in which no other build takes a tree or moves the site. For who is in the workshop."""
    return locks.alone(workshop(site) / IGNORED)


def swap(new: Path, site: Path) -> None:
    """Puts a finished tree where the site is; what stood there stands in its place then, if anything did.

    For who is `alone`.
    """
    if exchange(new, site):
        return
    if site.exists():
        _swap_by_renames(new, site)
    else:
        new.rename(site)


def exchange(one: Path, two: Path) -> bool:
    """Swaps two folders in one step where the system can (renameat2 of Linux), and returns whether it did."""
    if sys.platform != "linux":
        return False
    here, exchanged = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of <fcntl.h>
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    return rename is not None and rename(here, bytes(one), here, bytes(two), exchanged) == 0


def _swap_by_renames(new: Path, site: Path) -> None:
    # Between the first two renames no site stands; the next build puts this one back if we are killed just there.
    old = new.with_name(new.name.replace(".new-", ".old-"))
    site.rename(old)
    try:
        new.rename(site)
    except OSError:
        old.rename(site)
        raise
    old.rename(new)


def _put_back(site: Path) -> None:
    """Where a build was killed with the site moved aside, moves it back; with the new one in place, keeps that."""
    for old in _trees(site, "old"):
        if site.exists():
            old.rename(old.with_name(old.name.replace(".old-", ".new-")))
        else:
            old.rename(site)


def _enter(place: Path) -> int:
    """Makes the workshop where it is needed, and returns the lock that keeps it there."""
    while True:
        with suppress(FileExistsError):
            place.mkdir(mode=0o755)
        with suppress(FileNotFoundError):  # another build has just taken it away
            _check_own(place)
            opened = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            locks.lock(opened, locks.SHARED)
            if _stands(place, opened):
                return opened
            os.close(opened)


def _hide(ignored: Path) -> None:
    """Has git ignore all that is in the workshop. Nothing is written where that is said already."""
    if not ignored.is_file() or ignored.read_bytes() != ALL:
        ignored.write_bytes(ALL)


def _check_own(place: Path) -> None:
    """Checks that a workshop is no trap: others may write where the site stands."""
    facts = place.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_mode & stat.S_IWOTH:
        raise SitegenError(f"{place}: is not a folder of your own; delete it, or write the site elsewhere with -o")


def _leave(place: Path, opened: int) -> None:
    """Takes the workshop away when there is nothing in it."""
    try:
        with suppress(OSError):  # somebody is in it, or has deleted it
            locks.lock(opened, locks.ALONE | locks.WITHOUT_WAITING)
            if os.listdir(opened) == [IGNORED] and _stands(place, opened):
                (place / IGNORED).unlink()
                place.rmdir()
    finally:
        os.close(opened)


def _trees(site: Path, kind: str) -> tuple[Path, ...]:
    name = re.compile(rf"{re.escape(site.name)}\.{kind}-[0-9a-f]{{8}}")
    found = (path for path in workshop(site).iterdir() if name.fullmatch(path.name) and path.is_dir())
    return tuple(sorted(path for path in found if not path.is_symlink()))


def _new(site: Path, held: ExitStack) -> Path:
    place = workshop(site) / f"{site.name}.new-{secrets.token_hex(4)}"
    place.mkdir()
    _lock(place, held)
    return place


def _lock(place: Path, held: ExitStack) -> bool:
    """Locks a tree until the end, and returns whether it could: the system lets go of a dead build's locks."""
    try:
        opened = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    held.callback(os.close, opened)
    try:
        locks.lock(opened, locks.ALONE | locks.WITHOUT_WAITING)
    except BlockingIOError:
        return False
    return _stands(place, opened)  # until it was locked, its build may have cleared it away


def _stands(place: Path, opened: int) -> bool:
    """True as long as an open folder is the one in a place."""
    try:
        return os.path.samestat(os.fstat(opened), place.lstat())
    except FileNotFoundError:
        return False
