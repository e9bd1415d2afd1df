"""Lists the commits that changed files, each with the contents before and after it.

All commits of a branch count, those of merged branches too, each after its parents and otherwise in the order of
their dates. A merge counts where its file differs from those of all its parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from sitegen.config.patterns import alternatives
from sitegen.config.tables import SourceTable
from sitegen.model import Document
from sitegen.sources.git.dated_states import SAFE_LOG
from sitegen.sources.git.process import run

FORMAT = "--format=%H %ct %cs"
OPTIONS = (
    *SAFE_LOG,
    FORMAT,
    "--full-history",
    "--date-order",
    "--reverse",
    "--raw",
    "-c",
    "--no-renames",
    "--no-abbrev",
    "-z",
)
LINK = "120000"
"""The mode of a symbolic link."""


class FileChange(NamedTuple):
    """A file that a commit changed."""

    path: str
    before: tuple[str, ...]
    """The ids of its contents in the parents that have it."""
    after: str
    """The id of its content; empty if the commit removed it."""


class LoggedCommit(NamedTuple):
    id: str
    time: int
    """Seconds since 1970."""
    day: date
    """In the committer's time zone."""
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class WordLog:
    """The commits that changed the files of one language, with their contents."""

    table: SourceTable
    commits: Sequence[tuple[int, LoggedCommit]]
    """Numbered; commits of one repository have their numbers in common."""
    documents: Mapping[tuple[str, str], Document]
    """(path, id) to the content."""
    current: Mapping[str, str]
    """The paths of the newest commit, with their ids."""
    is_complete: bool

    def __repr__(self) -> str:
        """The ids of all contents, as the log is an input of the build."""
        return f"{sorted(self.documents)} {self.current} {self.is_complete}"


def read_log(folder: Path, commit: str, paths: Sequence[str]) -> tuple[LoggedCommit, ...]:
    """Returns the commits up to `commit` that changed files which the paths match, oldest first. Raises GitError."""
    patterns = (f":(glob){one}" for path in paths for one in alternatives(path))
    output = run(folder, "log", *OPTIONS, "--end-of-options", commit, "--", *patterns)
    return tuple(_commits(iter(output.decode("utf-8", "replace").split("\0"))))


def _commits(parts: Iterator[str]) -> Iterator[LoggedCommit]:
    found: list[tuple[str, list[FileChange]]] = []
    for part in parts:
        if line := part.lstrip("\n"):  # an empty part is between a merge and its files
            if line.startswith(":"):
                found[-1][1].extend(_change(line, next(parts, "")))
            else:
                found.append((line, []))
    for header, changes in found:
        id, time, day = header.split(" ")
        yield LoggedCommit(id, int(time), date.fromisoformat(day), tuple(changes))


def _change(line: str, path: str) -> Iterator[FileChange]:
    """Yields the change in a line of modes, ids and statuses, of which a merge has several. Links are no files."""
    parents = len(line) - len(line.lstrip(":"))
    fields = line.lstrip(":").split(" ")
    *before, after = (id if id.strip("0") else "" for id in fields[parents + 1 : 2 * parents + 2])
    if LINK not in fields:
        yield FileChange(path, tuple(filter(None, before)), after)
