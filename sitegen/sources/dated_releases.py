"""Finds the releases of a glossary that has no tags, or had none at first: its dated states.

`git.dated_states` groups the commits; this module compares the words of the glossary at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sitegen.config.declared_releases import DeclaredReleases
from sitegen.config.tables import SourceTable
from sitegen.model import Problem, Release
from sitegen.sources.commit_files import CommitFiles
from sitegen.sources.git.dated_states import SHORT, DatedState, dated_states, reworded
from sitegen.sources.git.repositories import Repository
from sitegen.sources.parsed_sources import entries_of, wordings
from sitegen.sources.release_documents import with_settings


class DatedReleases:
    """The dated states of one source, and the problems with finding them."""

    def __init__(
        self,
        repository: Repository,
        table: SourceTable,
        declared: DeclaredReleases,
        files: CommitFiles,
        *,
        languages: Sequence[str],
    ) -> None:
        self.problems: list[Problem] = []
        self._repository = repository
        self._table = table
        self._declared = declared
        self._files = files
        self._languages = languages

    def find(self, by: str, *, until: Release | None = None) -> list[Release]:
        """Returns the releases by the period `by`, if it is known, up to the commit of `until`."""
        tip, problems = self._repository.head(self._table.head or "HEAD")
        self.problems += problems
        if tip is None:
            return []
        folder = self._repository.folder
        states = dated_states(folder, tip, self._table.paths, by=by, until=until)
        found = self._at_commits(states)
        words = _WordsOfCommits(self._table, self._files, self._languages, found)
        releases = {}
        for state in reworded(states, words.are_same, named=self._declared.names):
            if release := found.get(state.commit):
                label = state.commit[:SHORT]
                releases[state.name] = replace(
                    release, name=state.name, date=state.day, label=label
                )
        return [releases[name] for name in self._declared.in_order(releases)]

    def _at_commits(self, states: Iterable[DatedState]) -> Mapping[str, Release]:
        """Returns the state at each commit of dated states, with its files."""
        commits: dict[str, str] = {}
        for state in states:
            for commit in (*state.before, state.commit):
                commits[commit] = commit
        resolved, unresolved = self._repository.resolve(commits, kind="dated")
        self.problems += unresolved.values()
        self._files.trees.fetch(release.tree for release in resolved.values())
        return {commit: self._files.at(release) for commit, release in resolved.items()}


class _WordsOfCommits:
    """The words of the glossary at several commits, by which dated states are compared."""

    def __init__(
        self,
        table: SourceTable,
        files: CommitFiles,
        languages: Sequence[str],
        releases: Mapping[str, Release],
    ) -> None:
        """`releases` has those of the commits, with their files."""
        self._tables = [table, *(replace(table, section=language) for language in languages)]
        self._files = files
        self._releases = releases
        self._of_file: dict[tuple[str, str], list[frozenset[object]]] = {}

    def are_same(self, one: str, other: str) -> bool:
        """True if the glossary has the same words at two commits."""
        words = self._words(one)
        has_words = bool(words) and bool(words[0])
        return has_words and words == self._words(other)

    def _words(self, commit: str) -> list[frozenset[object]]:
        """Returns the names, words and sections at a commit, for each language; none if there is no
        glossary."""
        release = self._releases.get(commit)
        if release is None or not release.files:
            return []
        words = [frozenset[object]()] * len(self._tables)
        for path, id in release.files.items():
            for number, of_file in enumerate(self._words_of_file(path, id)):
                words[number] |= of_file
        return words

    def _words_of_file(self, path: str, id: str) -> list[frozenset[object]]:
        if (path, id) not in self._of_file:
            read = self._files.read(Release(name="", files={path: id}))
            words: list[frozenset[object]] = []
            for table in self._tables:
                documents = [with_settings(document, table) for document in read.documents]
                words.append(wordings(entries_of(documents)))
            self._of_file[path, id] = words
        return self._of_file[path, id]
