"""Finds the git directory of a repository in a folder, and which files git tracks.

A checkout can contain files that look like a git directory, with a configuration that runs
commands: these are none.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sitegen import safe_files
from sitegen.model import SitegenError
from sitegen.sources.git.process import GitError, run
from sitegen.text.file_names import refusal

MAX_GIT_FILE = 4096
"""The maximum size of a `.git` file, in bytes."""


def git_folder(path: Path) -> Path:
    """Returns the git directory of the repository at `path`. Raises GitError if there is none.

    Git is not asked for it, as git refuses repositories of other users, which are common in
    containers.
    """
    if (path / ".git").is_dir():
        return path / ".git"
    real = Path(os.path.realpath(path))
    if (path / ".git").exists():
        return _linked_git_folder(real)
    is_bare = (path / "objects").is_dir() and (path / "HEAD").exists()
    if is_bare and not is_tracked(real):
        return path
    raise _no_repository(path)


def refs_folder(path: Path) -> Path:
    """Returns the folder of the tags and branches of the repository at `path`. Raises GitError."""
    git = git_folder(path)
    common = git / "commondir"
    if common.is_file():  # in a linked worktree, it names the git directory of the repository
        git = _named_in(common)
    return git / "refs"


def _no_repository(path: Path) -> GitError:
    """Returns the error for a path without a repository, with the reason or a repository above."""
    if path.is_file():
        unread = refusal(path.name)
        if unread:
            return GitError(f"{unread.found}; {unread.wanted}")
    if path.is_dir():
        nearest = repository_above(path)
        if nearest:
            place = os.path.relpath(nearest)
            return GitError(f"no git repository here, but there is one at {place}")
    cure = "name the folder of one, or make one with `git init`"
    return GitError(f"no git repository here; {cure}")


def repository_above(folder: Path) -> Path | None:
    """Returns the absolute path of the nearest folder with a `.git`, which may be this one; None if
    there is none.

    A `.git` cannot come with a checkout, as git tracks no file of that name.
    """
    real = Path(os.path.realpath(folder))
    for above in (real, *real.parents):
        # False for a folder that may not be read, where `Path.exists` would raise.
        if os.path.exists(above / ".git"):  # noqa: PTH110
            return above
    return None


def _linked_git_folder(top: Path) -> Path:
    """Returns the git directory that the file `.git` in a folder names.

    Raises GitError if the directory may have come with a checkout: it is in a work tree, or does
    not name the folder back.
    """
    git = _named_in(top / ".git")
    # The git directory of a worktree names the folder back in its file `gitdir`, that of a
    # submodule in a setting.
    back = _named_in(git / "gitdir")
    with suppress(GitError):  # a worktree has no such setting
        worktree = run(git, "config", "--no-includes", "--get", "core.worktree").rstrip(b"\n")
        back = _resolved(git, worktree) / ".git"
    if back == top / ".git" and not _is_in_work_tree(git, top):
        return git
    advice = f"if that is your repository, say so with `git -C {git} config core.worktree {top}`"
    raise GitError(f"its .git leads to {git}, which is no repository of this folder; {advice}")


def _is_in_work_tree(git: Path, top: Path) -> bool:
    """True if a git directory is among the files of a work tree, which may be the folder `top`.

    False for `project/.git/modules/words`, the git directory of a submodule: it is in the git
    directory of the work tree.
    """
    above = repository_above(git.parent)
    if above is None:
        return False
    if above == top:  # its `.git` is a file, so every folder in it is of the work tree
        return True
    git_of_above = _resolved(above, b".git")
    if (above / ".git").is_file():
        git_of_above = _named_in(above / ".git")
    return not git.is_relative_to(git_of_above)


def _named_in(file: Path) -> Path:
    """Returns the path that a file of git names, such as `gitdir: ../project/.git/modules/words`;
    it is absolute and without links."""
    text = b""
    with suppress(OSError, SitegenError):
        text = safe_files.read(file, limit=MAX_GIT_FILE)
    return _resolved(file.parent, text.removeprefix(b"gitdir:").strip())


def _resolved(folder: Path, path: bytes) -> Path:
    """Returns the absolute path without links of a path that is relative to a folder."""
    return Path(os.path.realpath(folder / os.fsdecode(path.replace(b"\0", b""))))


def check_untracked(path: Path) -> None:
    """Raises SitegenError if git tracks a file or folder, as a checkout could have brought it then.
    `path` is absolute and without links."""
    if is_tracked(path):
        relative = path.relative_to(repository_above(path.parent) or path.parent).as_posix()
        advice = f"take it out with git rm -r --cached -- {relative}, and delete it"
        raise SitegenError(f"{path}: is tracked by git, and only builds may write it; {advice}")


def is_tracked(path: Path) -> bool:
    """True if git tracks a file or folder, or anything below it. A repository that git cannot read
    tracks nothing.

    `path` is absolute and without links.
    """
    repository = repository_above(path.parent)
    if repository is None:
        return False
    relative = path.relative_to(repository).as_posix()
    with suppress(GitError):
        git = git_folder(repository)
        return run(git, "--literal-pathspecs", "ls-files", "-z", "--", relative) != b""
    return False
