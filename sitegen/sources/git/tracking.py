"""Checks that git does not track files that only builds may write, since a checkout could have brought them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources.git.process import GitError, git_folder, run


def check_untracked(path: Path) -> None:
    """Raises SitegenError if git tracks the file or folder, or anything below it.

    `path` is absolute and without links. A repository that git cannot read is ignored.
    """
    above = next((folder for folder in path.parents if (folder / ".git").exists()), None)
    if above is None:
        return
    inside = path.relative_to(above).as_posix()
    with suppress(GitError):
        tracked = run(git_folder(above), "--literal-pathspecs", "ls-files", "-z", "--", inside)
        if tracked:
            advice = f"take it out with git rm -r --cached {inside}, and delete it"
            raise SitegenError(f"{path}: is tracked by git, and only builds may write it; {advice}")
