"""Files that were read before: what was made of one is not made again as long as the file stays what it was.

That a file was not touched is told by its inode, size and times. One that was written just before it was read may be
written once more within the same tick of the disk's clock, so it is read again. Where it says the same then, what was
made of it is the same object, for that is how others tell what has not changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from os import stat_result
from typing import Any, NamedTuple, TypeVar

Made = TypeVar("Made")

TICK = 2_000_000_000
"""Nanoseconds between two times of a file that every disk can tell apart."""


class Facts(NamedTuple):
    """What tells whether a file is still what it was."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


class Unchanged:
    """What was made of files."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, tuple[Facts | None, Any]] = {}

    def of(self, given: Hashable, status: stat_result, make: Callable[[], Made]) -> Made:
        """Returns what `make` makes of a file in a `status`; if that is what it was, what it made the last time.

        `given` names the file, and all else that decides what is made of it.
        """
        facts = Facts(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        seen = self._seen.get(given)
        if seen and seen[0] == facts:
            known: Made = seen[1]
            return known
        begun = time.time_ns()
        made = make()
        if seen and seen[1] == made:
            made = seen[1]
        is_sure = max(facts.modified, facts.changed) < begun - TICK
        self._seen[given] = facts if is_sure else None, made
        return made
