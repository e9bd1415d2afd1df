"""Caches results that are computed from a file, for as long as the file does not change.

A file is unchanged if its inode, size and times are the same. A file that was modified just before it was read might
be modified again within the same clock tick of the file system, so it is read again the next time. If the new result
is equal, the old object is returned, since other caches compare by identity.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from os import stat_result
from typing import Any, TypeVar

Result = TypeVar("Result")

TICK = 2_000_000_000
"""Nanoseconds after which a modification changes the file's time on every file system."""


class FileCache:
    """A cache of results by file."""

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[tuple[int, ...] | None, Any]] = {}

    def get(self, key: Hashable, status: stat_result, compute: Callable[[], Result]) -> Result:
        """Returns `compute()` for a file with this `status`, or the cached result if the file is unchanged.

        `key` is the cache key: the file, and all other inputs of the result.
        """
        state = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        previous = self._results.get(key)
        if previous and previous[0] == state:
            cached: Result = previous[1]
            return cached
        begun = time.time_ns()
        result = compute()
        if previous and previous[1] == result:
            result = previous[1]
        is_sure = max(status.st_mtime_ns, status.st_ctime_ns) < begun - TICK
        self._results[key] = state if is_sure else None, result
        return result
