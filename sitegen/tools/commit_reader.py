"""Reads a glossary at a commit: its site.toml, its archive, and every release that is kept in
files.

`sides` finds the two commits of a change such as `main..topic` or `v1.0...HEAD`; `review` compares
them. Nothing is checked out, and no command from the repository's configuration is run.

Of a source whose releases are tags, branches or dated states, a commit has one state, which is
compared as unreleased. Of one whose releases are folders of a repository, a commit has all of them.
Other repositories are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from unicodedata import normalize

from sitegen.addresses import urls
from sitegen.config import SITE_TOML
from sitegen.config import parsing as configuration
from sitegen.config.forges import is_address
from sitegen.config.parsing import Config, DeclaredReleases, in_declared_order
from sitegen.config.tables import SourceTable
from sitegen.model import ProblemKind, Release, SitegenError
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import ArchiveError, parse
from sitegen.permanence.archive_union import united
from sitegen.permanence.published_archive import GitArchive
from sitegen.sources.folders import folder_releases
from sitegen.sources.git.git_folders import git_folder, repository_above
from sitegen.sources.git.objects import Objects
from sitegen.sources.git.process import GitError, MissingGitError, run
from sitegen.sources.git_trees import GitTrees
from sitegen.sources.projects import Project
from sitegen.sources.release_documents import read_documents
from sitegen.sources.trees import find_files, released_folders
from sitegen.text.decoding import MAX_DOCUMENT_BYTES
from sitegen.text.release_names import ordered

MAX_FILE_BYTES = 16 * MAX_DOCUMENT_BYTES
"""The maximum size of site.toml and of the archive, which may be larger than a document."""


@dataclass(frozen=True, kw_only=True)
class ReviewedCommit:
    """A commit on one side of a change, or the last one that both sides have in common."""

    id: str
    tree: str
    name: str
    """The name by which it was given."""


@dataclass(frozen=True, kw_only=True)
class GlossaryRepository:
    """A repository, and the place of the glossary's folder in it."""

    git: Path
    root: Path
    folder: str
    """The folder's path from the root; `.` is the root itself."""


def repository_of(folder: Path) -> GlossaryRepository:
    """Returns the repository that a folder is in. Raises `SitegenError` if there is none."""
    place = folder.resolve()
    root = repository_above(place) or place  # a bare repository is its own root
    try:
        return GlossaryRepository(
            git=git_folder(root), root=root, folder=place.relative_to(root).as_posix()
        )
    except GitError as error:
        raise SitegenError(f"{folder}: {error}") from None


def sides(change: str, git: Path) -> tuple[ReviewedCommit, ReviewedCommit]:
    """Returns the two commits of `BASE..HEAD`. For `BASE...HEAD`, the first one is the last commit
    that both have in common, as in git.

    An empty name means HEAD. Raises `SitegenError` if a commit does not exist.
    """
    has_three_dots = "..." in change
    base_name, _, head_name = change.partition("..." if has_three_dots else "..")
    base = _commit(base_name or "HEAD", git)
    head = _commit(head_name or "HEAD", git)
    if not has_three_dots:
        return base, head
    common = merge_base(base.id, head.id, git)
    if common is None:
        raise SitegenError(f"{change}: the two have no commit in common; fetch more of the history")
    return common, head


def merge_base(one: str, other: str, git: Path) -> ReviewedCommit | None:
    """Returns the last commit that two commits have in common; None if there is none."""
    try:
        return _commit(run(git, "merge-base", "--end-of-options", one, other).decode().strip(), git)
    except GitError:
        return None


def _commit(name: str, git: Path) -> ReviewedCommit:
    """Returns the commit that a name or a tag means. Raises `SitegenError` if there is none."""
    try:
        # `NAME^{commit}` is git's notation for the commit of a tag.
        id = _object_id(f"{name}^{{commit}}", git)
        tree = _object_id(f"{id}^{{tree}}", git)
        return ReviewedCommit(id=id, tree=tree, name=name)
    except MissingGitError:  # its own message says what to install
        raise
    except GitError:
        wanted = "name two commits, BASE..HEAD, before a folder; a shallow clone may lack them"
        raise SitegenError(f"{name}: no such commit here; {wanted}") from None


def _object_id(name: str, git: Path) -> str:
    """Returns the id of the object that a name of git means."""
    output = run(git, "rev-parse", "--quiet", "--verify", "--end-of-options", name)
    return output.decode().strip()


@dataclass(frozen=True, kw_only=True)
class CommitSide:
    """The glossary at one commit."""

    config: Config
    archive: Archive
    damage: str
    """The error of reading its archive, or an empty string."""
    releases: Mapping[str, tuple[Release, ...]]
    """The releases of each source by its id, oldest first. The name of an undated document, and of
    the unreleased state of a source in git, is empty."""
    elsewhere: tuple[str, ...] = ()
    """Titles of sources that are not in this repository."""


ABSENT = (ProblemKind.MISSING, ProblemKind.NO_TERMS)
"""The kinds of problems with a path at which there are no files."""


class CommitReader:
    """Reads a glossary at commits of a repository."""

    def __init__(
        self,
        objects: Objects,
        repository: GlossaryRepository,
        project: Project,
        published: GitArchive | None,
    ) -> None:
        self._objects = objects
        self._trees = GitTrees(objects)
        self._repository = repository
        self._project = project
        self._archive_of_branch = published.on_kept_branch() if published else Archive()
        """The archive on the branch `sitegen-ledger`, which counts as published at every commit."""

    def configured(self, commit: ReviewedCommit) -> Config | None:
        """Returns the configuration at a commit; None if there is no site.toml in it. Raises
        `ConfigError` if site.toml cannot be read."""
        if self._project.config:  # given on the command line, for every commit
            return self._project.config
        path = self._path(SITE_TOML)
        text = self._file_text(commit, path)
        if text is None:
            return None
        return configuration.parse(text, path=f"{commit.name}:{path}")

    def read(
        self, commit: ReviewedCommit, config: Config, *, published_at: ReviewedCommit | None = None
    ) -> CommitSide:
        """Returns the glossary at a commit, read with this configuration, and the archive at
        `published_at`, by default at the same commit."""
        archive, damage = self._archive_or_damage(published_at or commit)
        releases = {}
        elsewhere = []
        for table in config.sources:
            if not self._is_local(table):
                elsewhere.append(table.title or table.id)
                continue
            read_releases = []
            for release in self._releases(commit, table, config):
                read_releases.append(self._with_documents(release, table))
            releases[table.id] = tuple(read_releases)
        return CommitSide(
            config=config,
            archive=united([archive, self._archive_of_branch]),
            damage=damage,
            releases=releases,
            elsewhere=tuple(elsewhere),
        )

    def _archive_or_damage(self, commit: ReviewedCommit) -> tuple[Archive, str]:
        """Returns the archive at a commit, and an empty string. If the archive is damaged, returns
        an empty archive and the error message."""
        path = self._path(urls.ARCHIVE)
        text = self._file_text(commit, path) or ""  # without the file, the archive is empty
        try:
            return parse(text, f"{commit.name}:{path}"), ""
        except ArchiveError as error:
            return Archive(), str(error)

    def _path(self, name: str) -> str:
        """Returns the path from the root of the repository of a file beside site.toml."""
        return str(PurePosixPath(self._repository.folder, name))

    def _file_text(self, commit: ReviewedCommit, path: str) -> str | None:
        """Returns the text of a file; None if there is no such file, or it is too large."""
        id = self._trees.file(commit.tree, path)
        if not id:
            return None
        (file,) = self._objects.read([id], limit=MAX_FILE_BYTES)
        if file.data is None:
            return None
        return file.data.decode("utf-8-sig", "replace")

    def _is_local(self, table: SourceTable) -> bool:
        """Returns whether a source is in this repository."""
        if not table.git:
            return True
        if is_address(table.git):
            return False
        repository_of_source = self._project.folder / table.git
        return repository_of_source.resolve() == self._repository.root

    # The releases of a source.

    def _releases(
        self, commit: ReviewedCommit, table: SourceTable, config: Config
    ) -> Sequence[Release]:
        """Returns the releases of a source at a commit. They have the paths of their files, and no
        documents yet."""
        declared = config.declared_releases(table.id)
        if table.git:
            return self._git_releases(commit, table, declared)
        folder = self._repository.folder
        tree = self._trees.below(commit.tree, folder)
        if tree is None:  # the releases that site.toml names have no files at this commit
            names = [""] if table.file else [*table.files]
            return [Release(name=name) for name in names]
        # The folders of a theme are no releases. Problems are reported by `sitegen check`.
        found, _problems = folder_releases(
            table, declared, self._trees, tree, skip=config.theme_folders
        )
        if folder == ".":
            return found
        above = normalize("NFC", folder)
        return [replace(release, label=f"{above}/{release.label}") for release in found]

    def _git_releases(
        self, commit: ReviewedCommit, table: SourceTable, declared: DeclaredReleases
    ) -> list[Release]:
        """Returns a release for each version folder of a source in git, and one for its unreleased
        state. They have the paths of their files, and no documents yet."""
        paths_by_release: dict[str, Sequence[str]] = {}
        if table.versions:
            folders = released_folders(self._trees, commit.tree, table.versions)
            for name, folder in folders.items():
                paths_by_release[name] = (folder,)
        if table.paths:
            unreleased_name = ""
            paths_by_release[unreleased_name] = table.paths
        releases = []
        for name in in_declared_order(ordered(paths_by_release), declared):
            found = find_files(self._trees, commit.tree, paths_by_release[name])
            releases.append(Release(name=name, files=found.files, unread=found.refused))
        return releases

    def _with_documents(self, release: Release, table: SourceTable) -> Release:
        """Returns a release with the documents of its files. Paths at which there is nothing do not
        count as unread."""
        unread = {}
        for name, trouble in release.unread.items():
            if trouble.kind not in ABSENT:
                unread[name] = trouble
        [read], _problems = read_documents([replace(release, unread=unread)], table, self._trees)
        return read
