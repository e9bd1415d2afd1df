"""Runs work in a fork of this process, so that it does not delay the preview and can be cancelled.

The fork has all values in memory. It reports progress and its outcome as JSON lines, and exits. On systems without a
safe fork, the work runs in the calling thread.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from sitegen.build.workers import CAN_FORK, fork

Report = Callable[[Any], None]
Work = Callable[[Report], None]

NICENESS = 5
"""How much the priority of the work is below that of requests to the preview."""


class BackgroundWork:
    """A function that runs in the background."""

    def __init__(self, work: Work, *, fork_guard: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """`fork_guard` is a context manager in which no other thread holds a lock: the fork could not release it."""
        self._work = work
        self._fork_guard = fork_guard
        self._child = 0
        self._lock = threading.Lock()
        self.is_dropped = False

    def do(self, on_report: Report) -> None:
        """Runs the work, and passes its reports to `on_report` until it has ended, failed or been dropped.

        Must not be called in the main thread, where an interrupt during the fork would be lost.
        """
        with self._lock:
            if self.is_dropped:
                return
            with self._fork_guard():
                read_end, self._child = _begin(self._work) if CAN_FORK else (-1, 0)
        if self._child:
            self._listen(read_end, on_report)
        else:
            self._work(on_report)

    def drop(self) -> None:
        """Kills the work. Files that it was writing stay incomplete."""
        with self._lock:
            self.is_dropped = True
            if self._child:
                os.killpg(self._child, signal.SIGKILL)

    def _listen(self, read_end: int, on_report: Report) -> None:
        with os.fdopen(read_end, encoding="utf-8") as lines:
            for line in lines:
                with suppress(json.JSONDecodeError):  # the work was dropped in the middle of a line
                    on_report(json.loads(line))
        with self._lock:
            os.waitpid(self._child, 0)
            self._child = 0


def _begin(work: Work) -> tuple[int, int]:
    """Starts the work in a process group of its own. Returns a pipe with its reports, and the process id."""
    read_end, write_end = os.pipe()
    child = fork()
    if child == 0:
        with suppress(BaseException):
            _run(work, write_end)
        os._exit(0)
    os.close(write_end)
    with suppress(OSError):  # the fork has done so already
        os.setpgid(child, child)
    return read_end, child


def _run(work: Work, write_end: int) -> None:
    with suppress(OSError):
        os.setpgid(0, 0)
    os.nice(NICENESS)
    with os.fdopen(write_end, "w", encoding="utf-8", buffering=1) as lines:
        work(lambda report: print(json.dumps(report), file=lines))
