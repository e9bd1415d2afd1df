"""Lists the commits that changed files, each with the contents before and after it.

All commits of a branch count, those of merged branches too, each after its parents and otherwise in
the order of their dates. A merge counts where its file differs from those of all its parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from sitegen.config.patterns import alternatives, matches
from sitegen.config.tables import SourceTable
from sitegen.formats.records import records_of
from sitegen.history.word_changes import Commit
from sitegen.model import Document, ProblemKind
from sitegen.sources.git.dated_states import SAFE_LOG
from sitegen.sources.git.process import GitError, run
from sitegen.sources.git.repositories import NO_COMMIT, Repository
from sitegen.sources.git.tree_objects import LINK
from sitegen.sources.git_source import decoded
from sitegen.sources.language_tags import without_translations
from sitegen.sources.release_documents import with_settings
from sitegen.sources.trees import GitTrees, find_files

OPTIONS = (
    *SAFE_LOG,
    "--format=%H %ct %cs",
    *"--full-history --date-order --reverse --raw -c --no-renames --no-abbrev -z".split(),
)
RECORDS = (".yaml", ".yml")


class FileChange(NamedTuple):
    """A file that a commit changed."""

    path: str
    before: tuple[str, ...]
    """The ids of its contents in the parents that have it."""
    after: str
    """The id of its content; empty if the commit removed it."""

    @property
    def ids(self) -> tuple[str, ...]:
        return (*self.before, self.after) if self.after else self.before


class LoggedCommit(NamedTuple):
    commit: Commit
    changes: tuple[FileChange, ...]


DocumentCommit = tuple[Commit, Sequence[Document], Sequence[Document]]
"""A commit with the files of one language that it changed, in each parent and after it. Records
that it left as they were are not in them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WordLog:
    """The commits that changed the files of one language, with their contents."""

    table: SourceTable
    commits: Sequence[DocumentCommit]
    current: Sequence[Document]
    """The files of the newest commit."""
    is_complete: bool

    def __repr__(self) -> str:
        """Names all contents, as the log is an input of the build."""
        files = [(one.path, one.digest) for one in self.current]
        return f"{[commit for commit, *_ in self.commits]} {files} {self.is_complete}"


Parts = Mapping[str, tuple[str, ...]]
"""The parts of contents by their ids: the records of a list, or the whole text; none if it cannot
be read."""


def read_word_logs(
    repository: Repository, tables: Sequence[SourceTable], *, max_bytes: int
) -> Mapping[str, WordLog]:
    """Returns the logs of some sources in a repository by their ids. Raises GitError.

    Older commits are left out if the contents of the files, where they differ, are larger than
    `max_bytes`.
    """
    tip, _ = repository.head(tables[0].head or "HEAD")
    if tip is None:
        raise GitError(NO_COMMIT)
    is_complete = all(one.kind != ProblemKind.SHALLOW for one in repository.incompleteness())
    trees = GitTrees(repository.objects)
    current = {table.id: find_files(trees, tip.tree, table.paths).files for table in tables}
    logged = read_log(
        repository.folder, tip.commit, [path for table in tables for path in table.paths]
    )
    parts = _read_parts(repository, tables, [*current.values()], logged, max_bytes=max_bytes)
    newest = takewhile(
        lambda one: parts.keys() >= {id for each in one.changes for id in each.ids},
        reversed(logged),
    )
    commits = [*newest][::-1]
    changed = {
        change: _changed_parts(change, parts) for commit in commits for change in commit.changes
    }
    return {
        table.id: WordLog(
            table=table,
            commits=[*_of_language(table, commits, changed, current)],
            current=[
                _document(table, path, "".join(parts[id]))
                for path, id in sorted(current[table.id].items())
            ],
            is_complete=is_complete,
        )
        for table in tables
    }


def _read_parts(
    repository: Repository,
    tables: Sequence[SourceTable],
    current: Sequence[Mapping[str, str]],
    logged: Sequence[LoggedCommit],
    *,
    max_bytes: int,
) -> Parts:
    """Returns the parts of all contents, the current ones and then the newest, up to `max_bytes` of
    different text.

    Most versions of a file of records differ in few of them: all together are not much larger than
    one.
    """
    needed = {id: path for files in current for path, id in files.items()}
    places = {
        id: change.path for commit in logged for change in commit.changes for id in change.ids
    }
    newest_first = dict.fromkeys([*needed, *reversed(places)])
    limit = max(table.max_bytes for table in tables)
    texts: dict[str, str] = {}
    parts: dict[str, tuple[str, ...]] = {}
    size = 0
    for object in repository.each_document(newest_first, limit=limit):
        path = needed.get(object.id) or places[object.id]
        text = decoded(object, path, encoding=tables[0].encoding, limit=limit).text
        own = records_of(text) if text and path.endswith(RECORDS) else [text] if text else []
        size += sum(len(one) for one in own if one not in texts)
        if size > max_bytes and object.id not in needed:
            break
        parts[object.id] = tuple(texts.setdefault(one, one) for one in own)
    return parts


def _changed_parts(change: FileChange, parts: Parts) -> Parts:
    """Returns the parts of the contents of a change without those that all of them have.

    Each is read by itself: of a list that is no YAML because of one record, the others are read.
    """
    sides = [frozenset(parts[id]) for id in change.ids] if change.before and change.after else []
    shared = frozenset.intersection(*sides) if sides else frozenset()
    return {id: tuple(one for one in parts[id] if one not in shared) for id in change.ids}


def _of_language(
    table: SourceTable,
    commits: Sequence[LoggedCommit],
    changed: Mapping[FileChange, Parts],
    current: Mapping[str, Mapping[str, str]],
) -> Iterator[DocumentCommit]:
    """Yields the commits that changed the files of a source: its current ones, and former ones that
    it matches."""
    former = {change.path for change in changed}.difference(*current.values())
    matched = (path for path in former if any(matches(one, path) for one in table.paths))
    own = without_translations(dict.fromkeys([*current[table.id], *matched]))
    document = cache(partial(_document, table))
    for commit, changes in commits:
        sides: tuple[list[Document], list[Document]] = ([], [])
        for change in (one for one in changes if one.path in own):
            for id, texts in changed[change].items():
                sides[id == change.after].extend(document(change.path, text) for text in texts)
        if any(sides):
            yield commit, *sides


def _document(table: SourceTable, path: str, text: str) -> Document:
    return with_settings(
        Document(source=table.id, release="", path=path, name=path, text=text), table
    )


def read_log(folder: Path, commit: str, paths: Sequence[str]) -> tuple[LoggedCommit, ...]:
    """Returns the commits up to `commit` that changed files which the paths match, oldest first.
    Raises GitError."""
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
    latest = 0
    for number, (header, changes) in enumerate(found):
        id, time, day = header.split(" ")
        latest = max(latest, int(time))
        yield LoggedCommit(Commit(id, date.fromisoformat(day), (latest, number)), tuple(changes))


def _change(line: str, path: str) -> Iterator[FileChange]:
    """Yields the change in a line of modes, ids and statuses, of which a merge has several. Links
    are no files."""
    parents = len(line) - len(line.lstrip(":"))
    fields = line.lstrip(":").split(" ")
    *before, after = (id if id.strip("0") else "" for id in fields[parents + 1 : 2 * parents + 2])
    if LINK not in fields:
        yield FileChange(path, tuple(filter(None, before)), after)
