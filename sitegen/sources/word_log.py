"""Lists the commits that changed files, each with the contents before and after it.

All commits of a branch count, those of merged branches too, each after its parents and otherwise in
the order of their dates. A merge counts where its file differs from those of all its parents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cache, partial
from itertools import filterfalse
from pathlib import Path
from typing import NamedTuple

from sitegen.config.patterns import one_matches
from sitegen.config.tables import SourceTable
from sitegen.formats.records import records_of
from sitegen.history.word_changes import LanguageCommit
from sitegen.model import Document
from sitegen.sources.git.dated_states import pathspecs
from sitegen.sources.git.objects import Object, Objects
from sitegen.sources.git.process import SAFE_LOG, GitError, run
from sitegen.sources.git.repositories import NO_COMMIT, Repository
from sitegen.sources.git_trees import LINK_MODE, GitTrees, decoded
from sitegen.sources.language_tags import without_translations
from sitegen.sources.release_documents import with_settings
from sitegen.sources.trees import find_files
from sitegen.text.decoding import MAX_DOCUMENT_BYTES

LOG_OPTIONS = (
    *SAFE_LOG,
    "--format=%H %ct %cs",
    *"--full-history --date-order --reverse --raw -c --no-renames --no-abbrev -z".split(),
)
RECORD_SUFFIXES = (".yaml", ".yml")


class FileChange(NamedTuple):
    """A file that a commit changed."""

    path: str
    before: tuple[str, ...]
    """The ids of its contents in the parents that have it."""
    after: str
    """The id of its content; empty if the commit removed it."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all its contents."""
        if not self.after:
            return self.before
        return (*self.before, self.after)


class LoggedCommit(NamedTuple):
    """A commit with the files that it changed."""

    commit: LanguageCommit
    changes: list[FileChange]


class DocumentCommit(NamedTuple):
    """A commit with the files of one language that it changed. Of a file of records, only the
    records that the commit changed are here."""

    commit: LanguageCommit
    before: Sequence[Document]
    """The files in each of its parents."""
    after: Sequence[Document]


@dataclass(frozen=True, eq=False, kw_only=True)
class WordLog:
    """The commits that changed the files of one language, with the contents of these files."""

    table: SourceTable
    commits: Sequence[DocumentCommit]
    current: Sequence[Document]
    """The files of the newest commit."""
    is_complete: bool


PartsOfContents = Mapping[str, tuple[str, ...]]
"""The parts of each content by its id: the records of a list, or the whole text; no parts if it
cannot be read."""


def read_word_logs(
    repository: Repository, tables: Sequence[SourceTable], *, max_bytes: int
) -> Mapping[str, WordLog]:
    """Returns the logs of the sources in one repository, by their ids. Raises GitError.

    Commits are read from new to old, until their different texts together have more than
    `max_bytes`. Older ones are left out.
    """
    # Translations are read at the branch of their original, and decoded like it.
    original = tables[0]
    tip, _ = repository.tip_of(original.head or "HEAD")
    if tip is None:
        raise GitError(NO_COMMIT)
    trees = GitTrees(repository.objects)
    contents = _Contents(repository.objects, original.encoding)
    current: dict[str, Mapping[str, str]] = {}  # by source, the ids of its files by their paths
    paths: list[str] = []
    for table in tables:
        files = find_files(trees, tip.tree, table.paths).files
        contents.read({id: path for path, id in files.items()})
        current[table.id] = files
        paths += table.paths
    logged = read_log(repository.folder, tip.commit, paths)
    commits = contents.read_newest(logged, max_bytes=max_bytes)
    logs = {}
    for table in tables:
        documents = []
        for path, id in sorted(current[table.id].items()):
            text = "".join(contents.parts[id])  # the parts of a list are its records
            documents.append(_document(table, path, text))
        logs[table.id] = WordLog(
            table=table,
            commits=[*_commits_of_source(table, commits, current, contents.parts)],
            current=documents,
            is_complete=not repository.is_shallow,
        )
    return logs


@dataclass
class _Contents:
    """The contents of files in their parts. Equal parts of several contents are one string, so all
    versions of a list of records are not much larger than one."""

    objects: Objects
    encoding: str
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By the ids of the contents."""
    size: int = 0
    """The length of all different parts."""
    _strings: dict[str, str] = field(default_factory=dict)
    """Each different part, to the string that is used for all equal parts."""

    def read_newest(self, logged: Sequence[LoggedCommit], *, max_bytes: int) -> list[LoggedCommit]:
        """Adds the contents of commits, from new to old, until all contents together have more than
        `max_bytes`. Returns these commits, oldest first."""
        newest_first: list[LoggedCommit] = []
        for commit in reversed(logged):
            if self.size > max_bytes:
                break
            for change in commit.changes:
                self.read(dict.fromkeys(change.ids, change.path))
            newest_first.append(commit)
        return newest_first[::-1]

    def read(self, paths: Mapping[str, str]) -> None:
        """Adds contents. `paths` has the path of each content by its id."""
        new = [id for id in paths if id not in self.parts]
        for object in self.objects.read(new, limit=MAX_DOCUMENT_BYTES):
            parts = []
            for text in _parts_of(object, paths[object.name], self.encoding):
                if text not in self._strings:
                    self._strings[text] = text
                    self.size += len(text)
                parts.append(self._strings[text])
            self.parts[object.name] = tuple(parts)


def _parts_of(object: Object, path: str, encoding: str) -> Sequence[str]:
    """Returns the parts of a content: the records of a list, or the whole text; none if it cannot
    be read."""
    text = decoded(object, path, encoding).text
    if not text:
        return ()
    if path.endswith(RECORD_SUFFIXES):
        return records_of(text)
    return (text,)


def _changed_texts(
    change: FileChange, parts: PartsOfContents
) -> tuple[Sequence[str], Sequence[str]]:
    """Returns the parts that a change removed or replaced, and the parts that are new. Each is
    parsed by itself: a record with invalid YAML does not hide the others."""
    before: list[str] = []
    for id in dict.fromkeys(change.before):
        before += parts[id]
    after = parts.get(change.after, ())
    shared: set[str] = set()
    if before and after:  # a merge did not change the parts that all its parents have
        shared = set(after).intersection(*[parts[id] for id in change.before])
    texts_before = [text for text in before if text not in shared]
    return texts_before, [text for text in after if text not in shared]


def _commits_of_source(
    table: SourceTable,
    commits: Sequence[LoggedCommit],
    current: Mapping[str, Mapping[str, str]],
    parts: PartsOfContents,
) -> Iterator[DocumentCommit]:
    """Yields the commits that changed present or former files of a source. `current` has the
    present files of each source."""
    paths_of_source = _paths_of_source(table, commits, current)
    document_of = cache(partial(_document, table))  # equal texts are one document, parsed once
    for commit, changes in commits:
        before: list[Document] = []
        after: list[Document] = []
        for change in changes:
            if change.path in paths_of_source:
                texts_before, texts_after = _changed_texts(change, parts)
                before += [document_of(change.path, text) for text in texts_before]
                after += [document_of(change.path, text) for text in texts_after]
        if before or after:
            yield DocumentCommit(commit, before, after)


def _paths_of_source(
    table: SourceTable, commits: Sequence[LoggedCommit], current: Mapping[str, Mapping[str, str]]
) -> Collection[str]:
    """Returns the paths of the present files of a source, and of its former files. These match the
    paths of the source, and no source has them now."""
    paths = dict.fromkeys(current[table.id])
    for logged in commits:
        for change in logged.changes:
            is_present = any(change.path in files for files in current.values())
            if not is_present and one_matches(table.paths, change.path):
                paths[change.path] = None
    return without_translations(paths)


def _document(table: SourceTable, path: str, text: str) -> Document:
    """Returns the text of a file at a commit as a document of a source."""
    document = Document(source=table.id, release="", path=path, name=path, text=text)
    return with_settings(document, table)


def read_log(folder: Path, commit: str, paths: Sequence[str]) -> list[LoggedCommit]:
    """Returns the commits up to `commit` that changed files which the paths match, oldest first.
    Raises GitError."""
    names = ("--end-of-options", commit, "--", *pathspecs(paths))
    output = run(folder, "log", *LOG_OPTIONS, *names)
    return _commits(output.decode("utf-8", "replace"))


def _commits(output: str) -> list[LoggedCommit]:
    """Returns the commits in the output of git. A commit has a header, and then two parts for each
    file: a line with its change, and its path."""
    commits: list[LoggedCommit] = []
    latest = 0
    day = date.min
    parts = iter(output.split("\0"))
    for part in parts:
        line = part.lstrip("\n")
        if line.startswith(":"):
            change = _change(line, path=next(parts))  # the path is the part after it
            if change:
                commits[-1].changes.append(change)
        elif line:  # an empty part is between a merge and its files
            id, time, text = line.split(" ")
            # A commit may have a date that is none: then it has the day of the commit before.
            with suppress(ValueError):
                day = date.fromisoformat(text)
                latest = max(latest, int(time))
            # Its own time may be wrong, and earlier than that of a commit before it in the log.
            order = (latest, len(commits))
            commits.append(LoggedCommit(LanguageCommit(id, day, order), []))
    return commits


def _change(line: str, path: str) -> FileChange | None:
    """Returns the change of a file in a line of git's output; None for a symbolic link. In a merge,
    each parent has a mode, an id and a status.

    >>> _change("::100644 100644 100644 aaa bbb ccc MM", path="a.md")
    FileChange(path='a.md', before=('aaa', 'bbb'), after='ccc')
    """
    # A colon for each parent, then a mode for each of them and the commit, then as many ids.
    parents = line.count(":")
    fields = line.removeprefix(parents * ":").split(" ")
    if LINK_MODE in fields:
        return None
    mode_count = parents + 1
    *ids_before, after = fields[mode_count : 2 * mode_count]
    if _is_no_file(after):
        after = ""
    before = filterfalse(_is_no_file, ids_before)
    return FileChange(path, tuple(before), after)


def _is_no_file(id: str) -> bool:
    """True for an id of zeros, which git writes where there is no file."""
    return not id.strip("0")
