"""The repository in which glossaries are searched, and what the search finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from sitegen.config.patterns import literal, one_matches
from sitegen.model import Document, Problem, Release
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.listing import TooManyPathsError, list_commit
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import NO_COMMIT, Repository
from sitegen.sources.git.tags import read_tags
from sitegen.sources.git_trees import GitTrees
from sitegen.sources.glossary_names import may_be_glossary
from sitegen.text.decoding import is_plain

MAX_COUNTED_FILES = 500
"""The maximum number of files of one glossary that are read to count its terms."""


@dataclass(frozen=True, kw_only=True)
class FoundTranslation:
    """The files of a glossary in another language."""

    language: str
    patterns: tuple[str, ...]
    """The newest first; empty if all languages are in one file."""
    entries: int = 0
    """The number of its terms today; 0 until they are counted."""


@dataclass(frozen=True, kw_only=True)
class FoundGlossary:
    """A glossary in a repository."""

    paths: tuple[str, ...]
    """Its paths, newest first: a file, or a folder with a file for each term."""
    entries: int
    """The number of its terms."""
    last_release: str
    """The newest tag or branch that contains it."""
    is_current: bool
    """True if the newest state of the repository contains it. A glossary that the user named may be
    in older ones only."""
    section: str = ""
    """The heading of the section, if the glossary is part of a larger file."""
    versions: str = ""
    """The path of the version folders, with `{version}`."""
    format: str = ""
    """The format of its files, if it cannot be detected from their content."""
    translations: tuple[FoundTranslation, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """Its paths as patterns."""
        return tuple(map(literal, self.paths))

    def has(self, path: str) -> bool:
        """True if a path is one of the glossary, or of a translation of it."""
        if path in self.paths:
            return True
        for translation in self.translations:
            # Patterns match files, and `path` may be a folder: then a file in it is looked for.
            if one_matches(translation.patterns, f"{path}/x.md"):
                return True
        return False


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A file whose name suggests a glossary, but that is not proposed."""

    path: str
    why: str


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """The result of searching a repository."""

    glossaries: tuple[FoundGlossary, ...] = ()
    """The largest first."""
    left_out: tuple[LeftOut, ...] = ()
    problems: tuple[Problem, ...] = ()


class SearchedRepository:
    """A repository, and the files that are left out of the search."""

    def __init__(self, repository: Repository) -> None:
        """Raises GitError if there is no commit."""
        self.folder = repository.folder
        self.name = repository.name
        self.trees = GitTrees(repository.objects)
        self.left_out: list[LeftOut] = []
        tags = read_tags(repository, head="HEAD")
        self._newest_first = [*reversed(tags.tagged)]
        if tags.head:
            self._newest_first.insert(0, tags.head)
        if not self._newest_first:
            raise GitError(f"{NO_COMMIT}; commit the glossary first")
        self.newest = self._newest_first[0]
        self.newest_files = self._all_files(self.newest.tree)
        # `_all_files` leaves out nothing but a repository with too many files.
        self.is_too_large = bool(self.left_out)

    def _all_files(self, tree: str) -> Mapping[str, str]:
        """Returns the ids of all regular files below a tree by their paths; none if there are too
        many. Built sites, links, submodules and names that cannot be shown are left out."""
        files = {}
        try:
            for file in list_commit(self.folder, tree):
                if file.mode.startswith("100") and is_plain(file.path):
                    files[file.path] = file.id
        except TooManyPathsError as error:
            self.leave_out_paths(error)
        sites = {PurePosixPath(path).parent for path in files if _is_marker(path)}
        if not sites:
            return files
        return {
            path: id for path, id in files.items() if sites.isdisjoint(PurePosixPath(path).parents)
        }

    def named_files(self, tree: str) -> Mapping[str, str]:
        """Returns the files of a tree whose names or folders suggest a glossary."""
        files = self.newest_files
        if tree != self.newest.tree:
            files = self._all_files(tree)
        return {path: id for path, id in files.items() if may_be_glossary(path)}

    def documents(self, files: Mapping[str, str]) -> list[Document]:
        """Returns the first `MAX_COUNTED_FILES` files as documents, without those that cannot be
        decoded. The documents belong to no source."""
        first = dict(islice(files.items(), MAX_COUNTED_FILES))
        texts = self.trees.texts({id: path for path, id in first.items()}, encoding="")
        documents = []
        for path, id in first.items():
            text = texts[id].text
            if text is not None:
                documents.append(Document(source="", release="", path=path, name=path, text=text))
        return documents

    def has(self, release: Release, path: str) -> bool:
        """True if a release has a file or folder at a path."""
        return bool(self.trees.find(release.tree, literal(path)).files)

    def newest_with(self, path: str) -> Release:
        """Returns the newest release with a file or folder at a path. If no release has it, returns
        the newest of all, in which nothing will be found."""
        for release in self._newest_first:
            if self.has(release, path):
                return release
        return self.newest

    def leave_out(self, path: str, why: str, release: Release) -> None:
        """Says why a file is not proposed. Only the files of the newest release need a reason."""
        if release is self.newest:
            self.left_out.append(LeftOut(path=path, why=why))

    def leave_out_paths(self, error: GitError) -> None:
        """Says that the search is incomplete because of an error."""
        wanted = "write the path of the glossary, its former paths and translations in `paths`"
        self.left_out.append(LeftOut(path=self.name, why=f"{error}; {wanted}"))


def _is_marker(path: str) -> bool:
    """True for the file that marks the folder of a built site."""
    return path.endswith(f"/{MARKER}") or path == MARKER
