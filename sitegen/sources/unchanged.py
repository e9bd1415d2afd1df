"""Caches results by file, for as long as the file does not change.

A file is unchanged if its inode, size and times are the same. A file that was modified just before it was read might
be modified again within the same clock tick of the file system, so it is read again the next time. If the new result
is equal, the old object is returned, since other caches compare by identity.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from os import stat_result
from typing import Any, NamedTuple, TypeVar

Made = TypeVar("Made")

TICK = 2_000_000_000
"""Nanoseconds after which every file system gives a modified file a different time."""


class Facts(NamedTuple):
    """The file attributes that show whether a file has changed."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


class Unchanged:
    """A cache of results by file."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, tuple[Facts | None, Any]] = {}

    def of(self, given: Hashable, status: stat_result, make: Callable[[], Made]) -> Made:
        """Returns `make()` for a file with this `status`, or the cached result if the file is unchanged.

        `given` is the cache key: the file, and all other inputs of the result.
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
