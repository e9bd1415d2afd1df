"""Finds the formats that other installed distributions add."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sitegen.formats"


def entry_points() -> Sequence[EntryPoint]:
    """Returns the entry points of formats, by name.

    `importlib.metadata` is loaded only if there are any: it needs as much time as reading a small
    glossary.
    """
    lists = chain.from_iterable(Path(folder).glob("*-info/entry_points.txt") for folder in sys.path)
    if not any(GROUP.encode() in path.read_bytes() for path in lists):
        return ()
    from importlib import metadata

    return sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name)
