"""Locks files and folders between processes. The system releases the locks of a process that has exited.

On a file system without locks, processes do not wait for each other.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SHARED, EXCLUSIVE, WITHOUT_WAITING = fcntl.LOCK_SH, fcntl.LOCK_EX, fcntl.LOCK_NB


@contextmanager
def exclusive(place: str | Path, *, folder: int | None = None) -> Iterator[None]:
    """Locks a file or folder exclusively, and waits for the lock if necessary. Raises OSError if it does not exist.

    `place` may be relative to an open folder. Does not follow links or wait for a pipe to be opened, since the file
    may come from a checkout.
    """
    opened = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        lock(opened, EXCLUSIVE)
        yield
    finally:
        with suppress(OSError):  # so that the lock ends here even if the file cannot be closed
            fcntl.flock(opened, fcntl.LOCK_UN)
        with suppress(OSError):
            os.close(opened)


def lock(opened: int, how: int) -> None:
    """Locks an open file or folder until it is closed. Raises BlockingIOError for a lock without waiting."""
    try:
        fcntl.flock(opened, how)
    except BlockingIOError:
        raise
    except OSError:
        pass
