"""The environment of the tests: nothing of it is the user's but the path of programs, the folder for
temporary files, and what is meant for Python's hashes, for pytest and for these tests."""

from __future__ import annotations

import os
import time
from pathlib import Path

KEPT = frozenset({"PATH", "TMPDIR", "PYTHONHASHSEED"})
KEPT_PREFIXES = ("PYTEST_", "SITEGEN_")
FIXED = {"LANG": "C.UTF-8", "TZ": "UTC"}


def enter(home: Path) -> None:
    """Leaves the user's environment for one that is the same everywhere, with an empty home."""
    for name in [*os.environ]:
        if name not in KEPT and not name.startswith(KEPT_PREFIXES):
            del os.environ[name]
    os.environ.update(FIXED, HOME=str(home))
    time.tzset()
    os.umask(0o022)
