"""Lists all files of a commit, and those that were renamed, within limits: a repository of some
hundred kilobytes can have trees with more paths than any machine can list.

The files that match a path are found by `sources.trees`, which reads no folder twice.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from sitegen.model import ProblemKind
from sitegen.sources.git.process import (
    SAFE_DIFF,
    SAFE_LOG,
    GitError,
    error_message,
    lines,
    run,
    start_reading,
)

LIST_COMMAND = ("ls-tree", "-r", "-t", "-z", "--full-tree")
"""The git command that lists a commit, with its folders: they count, as a folder may be empty."""
MAX_PATHS = 200_000
"""The maximum number of files and folders of a commit: about twice as many as those of Linux."""
MAX_FOLDERS = 64
"""The maximum number of folders in a path."""
MAX_LISTING_BYTES = 64 * 1024 * 1024
"""The maximum size of a listing. Long paths reach this limit before `MAX_PATHS`."""
TREE = "tree"
RENAMES = ("--find-renames", "--diff-filter=R", "--name-status", "-z")


class TooManyPathsError(GitError):
    """Raised for a commit whose files are not listed."""

    kind = ProblemKind.LIMIT

    def __init__(self) -> None:
        super().__init__(
            f"more than {MAX_PATHS:,} paths, or more than {MAX_FOLDERS} folders in each other"
        )


class ListedFile(NamedTuple):
    """A file, link or submodule of a commit."""

    path: str
    """Bytes that are no UTF-8 are surrogates."""
    mode: str
    id: str


def list_commit(folder: Path, commit: str) -> list[ListedFile]:
    """Returns the files of a commit of a repository, by its git directory. Raises GitError."""
    return read_listing(start_reading(folder, *LIST_COMMAND, commit))


def read_listing(process: subprocess.Popen[bytes]) -> list[ListedFile]:
    """Returns the files that a git process lists by the command `LIST_COMMAND`.

    Raises GitError if git fails, and TooManyPathsError if there are more files than the limits
    allow. Git ends in both cases.
    """
    files = []
    for number, line in enumerate(_lines(process)):
        about, _, path = line.decode("utf-8", "surrogateescape").partition("\t")
        mode, kind, id = about.split(" ")
        if number >= MAX_PATHS or path.count("/") > MAX_FOLDERS:
            raise TooManyPathsError
        if kind != TREE:
            files.append(ListedFile(path, mode, id))
    return files


def renames(folder: Path, before: str, after: str) -> dict[str, str]:
    """Returns the new path of each file that was renamed between two commits, by its old path.
    Raises GitError."""
    # Git compares all files of both commits.
    for commit in (before, after):
        list_commit(folder, commit)  # raises an error if there are too many
    options = ("-r", *RENAMES, *SAFE_DIFF)
    output = run(folder, "diff-tree", *options, "--end-of-options", before, after)
    return dict(_renamed_files(output))


def renames_below(folder: Path, commit: str, folders: Iterable[str]) -> list[tuple[str, str]]:
    """Returns the former and the new path of each file up to a commit that was renamed from and to
    one of these folders, newest first. Raises GitError."""
    places = [f":(literal){one or '.'}" for one in sorted(folders)]
    options = (*SAFE_LOG, *RENAMES, "--format=")
    return _renamed_files(run(folder, "log", *options, "--end-of-options", commit, "--", *places))


def _renamed_files(output: bytes) -> list[tuple[str, str]]:
    """Returns the old and the new paths in the output of git: similarity, old path, new path, and
    so on.

    >>> _renamed_files(b"R100\\0a.md\\0b.md\\0R087\\0c.md\\0d.md\\0")
    [('a.md', 'b.md'), ('c.md', 'd.md')]
    """
    fields = output.decode("utf-8", "surrogateescape").split("\0")
    return list(zip(fields[1::3], fields[2::3], strict=False))


def former_path(folder: Path, commit: str, path: str, *, is_folder: bool) -> tuple[str, str]:
    """Returns the commit before a file or a folder was added, and the former path of the file if
    git detects that it was renamed. Each is empty if there is none. Raises GitError.

    Only first parents are followed. `git log --follow` is not used, as it takes twice as long.
    """
    options = ("--first-parent", "--diff-filter=A", "--no-renames", "--format=%H %P")
    names = ("--end-of-options", commit, "--", path)
    additions = lines(folder, "--literal-pathspecs", "log", *SAFE_LOG, *options, *names)
    if not additions:
        return "", ""
    addition = additions[0]
    if is_folder:
        addition = additions[-1]  # the oldest one, as a folder begins with its first file
    commit_of_addition, *parents = addition.split()
    if not parents:
        return "", ""
    for old, new in renames(folder, parents[0], commit_of_addition).items():
        if new == path:
            return parents[0], old
    return parents[0], ""


def _lines(process: subprocess.Popen[bytes]) -> list[bytes]:
    """Returns the entries that a git process lists, each as it is written. Raises as `read_listing`
    does."""
    assert process.stdout and process.stderr
    with process:
        output = process.stdout.read(MAX_LISTING_BYTES + 1)
        if len(output) > MAX_LISTING_BYTES:
            process.kill()
            raise TooManyPathsError
        errors = process.stderr.read()
    if process.returncode:
        raise GitError(error_message(errors))
    return output.split(b"\0")[:-1]
