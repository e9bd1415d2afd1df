"""The file that marks a folder as a site built by sitegen, which a later build may replace."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

MARKER = ".sitegen"
"""A file that says: this folder is ours to replace."""
MARKER_TEXT = b"This site was built by sitegen. Every build replaces the whole folder.\n"


def is_site(folder: Path) -> bool:
    """True for a folder that can be seen to hold a site built here, or one being built."""
    with suppress(PermissionError):
        return (folder / MARKER).is_file()
    return False
