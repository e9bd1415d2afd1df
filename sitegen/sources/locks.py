"""Locks on files and folders, for processes that may meet. The system lets go of those of a process that has died.

A disk without locks serves a single process as well: there, nobody waits.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHARED, ALONE, WITHOUT_WAITING = fcntl.LOCK_SH, fcntl.LOCK_EX, fcntl.LOCK_NB


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Waits until nobody else is alone with a file or folder, then lets others wait. OSError says it is not there."""
    opened = os.open(place, os.O_RDONLY)
    try:
        lock(opened, ALONE)
        yield
    finally:
        os.close(opened)


def lock(opened: int, how: int) -> None:
    """Locks an open file or folder until it is closed. Raises BlockingIOError where it would wait, and may not."""
    try:
        fcntl.flock(opened, how)
    except BlockingIOError:
        raise
    except OSError:
        pass
