"""Forks of this process, on systems where that is safe."""

from __future__ import annotations

import os
import sys
import warnings

CAN_FORK = sys.platform == "linux"


def fork() -> int:
    """Forks this process. Returns 0 in the fork, and its process id in this process.

    The fork has no other threads, so it must not need their locks.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks of processes with threads
        return os.fork()
