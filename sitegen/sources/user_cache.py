"""The user's cache folder, `$XDG_CACHE_HOME/sitegen` or `~/.cache/sitegen`: it holds clones and the caches of builds.

What is in it is trusted, so no checkout may have brought it: the folder belongs to the user, only the user may look
into it, and git tracks nothing of it.
"""

from __future__ import annotations

import os
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources.git.tracking import check_untracked
from sitegen.sources.safe_files import close, open_folder, real_path

PRIVATE_MODE = 0o700


def cache_path() -> Path:
    """Returns where the cache folder is, whether or not it exists."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # The specification (XDG base directories) ignores a relative one.
    if Path(named).is_absolute():
        return Path(named) / "sitegen"
    try:
        return Path.home() / ".cache" / "sitegen"
    except RuntimeError:  # a user without a home
        return Path(os.devnull) / "sitegen"  # where no folder can be made


def private_folder(path: Path) -> Path:
    """Makes a folder that only this user may look into, and returns its path without links.

    Raises SitegenError where it belongs to another user or git tracks something in it, and OSError where it cannot
    be made.
    """
    place = real_path(path)
    opened = open_folder(place, create=True)
    try:
        status = os.fstat(opened)
        if status.st_uid != os.geteuid():
            raise SitegenError(f"{path}: belongs to another user; set XDG_CACHE_HOME to a folder of your own")
        check_untracked(place)
        if status.st_mode & 0o777 != PRIVATE_MODE:
            os.fchmod(opened, PRIVATE_MODE)
    finally:
        close(opened)
    return place
