"""The marker file of a site built by sitegen, which a later build may replace."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

MARKER = ".sitegen"
"""The name of a file that marks a folder as a site, which builds may replace."""
MARKER_TEXT = b"This site was built by sitegen. Every build replaces the whole folder.\n"


def is_site(folder: Path) -> bool:
    """True if a folder is readable and contains a site built by sitegen, or one being built."""
    with suppress(PermissionError):
        return (folder / MARKER).is_file()
    return False


def is_site_at(folder: int) -> bool:
    """True if an open folder contains a site built by sitegen, or one being built."""
    with suppress(FileNotFoundError):
        return stat.S_ISREG(os.stat(MARKER, dir_fd=folder, follow_symlinks=False).st_mode)
    return False
