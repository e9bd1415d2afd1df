"""Work that is done aside, by a copy of this process (a fork): it keeps nobody waiting, and can be dropped.

The copy has everything at hand already, says as JSON how far it is and what came of it, and ends. Where a process
cannot be copied safely, the work is done by whoever waits for it.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from sitegen.build.fork import CAN_COPY, copy

Say = Callable[[Any], None]
Work = Callable[[Say], None]

NICENESS = 5
"""Whoever waits for an answer comes first."""


class Aside:
    """Some work to be done."""

    def __init__(self, work: Work, *, calm: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """No other thread may hold what the work needs while it is `calm`: the copy has no other threads."""
        self._work = work
        self._calm = calm
        self._child = 0
        self._lock = threading.Lock()
        self.is_dropped = False

    def do(self, heard: Say) -> None:
        """Hands over what the work says until it has ended, well, badly or dropped.

        Not for the main thread: an interrupt that comes while a process is copied would be lost there.
        """
        with self._lock:
            if self.is_dropped:
                return
            with self._calm():
                hear, self._child = _begin(self._work) if CAN_COPY else (-1, 0)
        if self._child:
            self._listen(hear, heard)
        else:
            self._work(heard)

    def drop(self) -> None:
        """Ends the work where it is; whatever it had begun stays as it stands."""
        with self._lock:
            self.is_dropped = True
            if self._child:
                os.killpg(self._child, signal.SIGKILL)

    def _listen(self, hear: int, heard: Say) -> None:
        with os.fdopen(hear, encoding="utf-8") as lines:
            for line in lines:
                with suppress(json.JSONDecodeError):  # it was dropped in the middle of a word
                    heard(json.loads(line))
        with self._lock:
            os.waitpid(self._child, 0)
            self._child = 0


def _begin(work: Work) -> tuple[int, int]:
    """Where the work can be heard, and the process that does it, which leads a group of its own."""
    hear, say = os.pipe()
    child = copy()
    if child == 0:
        with suppress(BaseException):
            _do(work, say)
        os._exit(0)
    os.close(say)
    with suppress(OSError):  # it has done so already
        os.setpgid(child, child)
    return hear, child


def _do(work: Work, say: int) -> None:
    with suppress(OSError):
        os.setpgid(0, 0)
    os.nice(NICENESS)
    with os.fdopen(say, "w", encoding="utf-8", buffering=1) as lines:
        work(lambda said: print(json.dumps(said), file=lines))
