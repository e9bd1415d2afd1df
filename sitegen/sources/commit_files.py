"""Adds the files of a glossary, and their addresses on a forge, to the releases of a repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sitegen.config.forges import web_of
from sitegen.config.tables import SourceTable
from sitegen.model import Release
from sitegen.sources.git.repositories import Repository
from sitegen.sources.git_trees import GitTrees
from sitegen.sources.release_documents import first_places, with_documents
from sitegen.sources.trees import find_files


class CommitFiles:
    """The files of one source at the commits of its repository."""

    def __init__(self, repository: Repository, table: SourceTable) -> None:
        self.trees = GitTrees(repository.objects)
        self._table = table
        self._web = web_of(repository.remote)

    def at(self, release: Release, paths: Sequence[str] = ()) -> Release:
        """Returns a release with its files and its addresses. `paths` are by default those of the
        source."""
        listing = find_files(self.trees, release.tree, paths or self._table.paths)
        release = replace(release, files=listing.files, unread=listing.refused)
        if self._web is None:
            return release
        lines = self._web.lines_at_commit(release.commit)
        link = self._web.commit(release.commit)
        if release.kind == "tag":
            link, lines = self._web.tag(release.label), self._web.lines_at_tag(release.label)
        elif release.kind == "branch":
            link = self._web.branch(release.label)
        return replace(release, link=link, lines=lines)

    def unreleased(self, tip: Release) -> Release:
        """Returns the unreleased state of a branch."""
        return replace(self.at(tip), unreleased=True)

    def read(self, release: Release) -> Release:
        """Returns a release that has its files with its documents."""
        texts = self.trees.texts(first_places([release]), self._table)
        return with_documents(release, self._table, texts)
