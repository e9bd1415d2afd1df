"""Copies of this process (forks), where a process can be copied safely."""

from __future__ import annotations

import os
import sys
import warnings

CAN_COPY = sys.platform == "linux"


def copy() -> int:
    """Copies this process, and returns 0 in the copy and the copy's number in the original.

    The copy has no other threads: whoever makes one needs nothing of those.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # by which Python asks whether that is so
        return os.fork()
