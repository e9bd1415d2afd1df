"""Locks on files and folders, between processes. The system releases those of a process that has ended.

On a disk without locks no process waits for another.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SHARED, ALONE, WITHOUT_WAITING = fcntl.LOCK_SH, fcntl.LOCK_EX, fcntl.LOCK_NB


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Locks a file or folder, after waiting for the process that has it locked. Raises OSError where it is missing.

    No link is followed, and a pipe is not waited for: the file may have come with a checkout.
    """
    opened = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        lock(opened, ALONE)
        yield
    finally:
        with suppress(OSError):
            os.close(opened)


def lock(opened: int, how: int) -> None:
    """Locks an open file or folder until it is closed. Raises BlockingIOError where it would wait, and may not."""
    try:
        fcntl.flock(opened, how)
    except BlockingIOError:
        raise
    except OSError:
        pass
