"""The user's cache folder, `$XDG_CACHE_HOME/sitegen` or `~/.cache/sitegen`, for clones.

Its content is trusted, so it must not come from a checkout: the folder belongs to the user, only
the user has access, and git does not track anything in it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.safe_files import make_folder, real_path
from sitegen.sources.git.git_folders import check_untracked

PRIVATE_MODE = 0o700


def cache_path() -> Path:
    """Returns the path of the cache folder, whether or not it exists."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG base directory specification ignores relative paths.
    if Path(named).is_absolute():
        return Path(named) / "sitegen"
    try:
        return Path.home() / ".cache" / "sitegen"
    except RuntimeError:  # a user without a home directory
        return Path(os.devnull) / "sitegen"  # no folder can be created there


def private_folder(path: Path) -> Path:
    """Creates a folder that only this user can access, and returns its path without links.

    Raises SitegenError if it belongs to another user, has other permissions (as files of a checkout
    or an archive usually do), or git tracks anything in it, and OSError if it cannot be created.
    """
    place = real_path(path)
    make_folder(place.parent)
    with suppress(FileExistsError):
        place.mkdir(PRIVATE_MODE)
    status = place.lstat()
    if status.st_uid != os.geteuid():
        raise SitegenError(
            f"{path}: belongs to another user; set XDG_CACHE_HOME to a folder of your own"
        )
    if stat.S_IMODE(status.st_mode) != PRIVATE_MODE:
        raise SitegenError(
            f"{path}: can be read by other users, so it is not used as a cache; delete it"
        )
    check_untracked(place)
    return place
