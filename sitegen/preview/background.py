"""Work in a fork of this process, which does not delay the preview and can be dropped.

The fork has all values in memory, reports progress and its outcome as JSON lines, and ends. On systems without a safe
fork, the work is done in the calling thread.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from sitegen.build.fork import CAN_FORK, fork

Say = Callable[[Any], None]
Work = Callable[[Say], None]

NICENESS = 5
"""Requests of the preview come first."""


class BackgroundWork:
    """A function that runs in the background."""

    def __init__(self, work: Work, *, calm: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """`calm` keeps other threads from holding locks during the fork, which has no other threads."""
        self._work = work
        self._calm = calm
        self._child = 0
        self._lock = threading.Lock()
        self.is_dropped = False

    def do(self, heard: Say) -> None:
        """Runs the work, and passes its reports to `heard` until it has ended, failed or been dropped.

        Not for the main thread: an interrupt during a fork would be lost there.
        """
        with self._lock:
            if self.is_dropped:
                return
            with self._calm():
                hear, self._child = _begin(self._work) if CAN_FORK else (-1, 0)
        if self._child:
            self._listen(hear, heard)
        else:
            self._work(heard)

    def drop(self) -> None:
        """Kills the work. Files that it was writing stay incomplete."""
        with self._lock:
            self.is_dropped = True
            if self._child:
                os.killpg(self._child, signal.SIGKILL)

    def _listen(self, hear: int, heard: Say) -> None:
        with os.fdopen(hear, encoding="utf-8") as lines:
            for line in lines:
                with suppress(json.JSONDecodeError):  # the work was dropped in the middle of a line
                    heard(json.loads(line))
        with self._lock:
            os.waitpid(self._child, 0)
            self._child = 0


def _begin(work: Work) -> tuple[int, int]:
    """Starts the work in a process group of its own. Returns a pipe with its reports, and the process id."""
    hear, say = os.pipe()
    child = fork()
    if child == 0:
        with suppress(BaseException):
            _do(work, say)
        os._exit(0)
    os.close(say)
    with suppress(OSError):  # the fork has done so already
        os.setpgid(child, child)
    return hear, child


def _do(work: Work, say: int) -> None:
    with suppress(OSError):
        os.setpgid(0, 0)
    os.nice(NICENESS)
    with os.fdopen(say, "w", encoding="utf-8", buffering=1) as lines:
        work(lambda said: print(json.dumps(said), file=lines))
