"""Reads a source that is kept in git: the glossary at each of its releases.

`git_releases` finds the releases. The preview also reads the working copy: the saved files, whether
committed or not, as the newest, unreleased state.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sitegen.config.forges import is_address
from sitegen.config.parsing import DeclaredReleases
from sitegen.config.tables import SourceTable
from sitegen.model import Problem, Release, Source
from sitegen.sources.folder_trees import ROOT, FolderTrees, failure
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.git_releases import ReleaseFinder
from sitegen.sources.linked_files import with_linked_files
from sitegen.sources.release_documents import (
    from_first_glossary,
    read_documents,
    refusals,
    source_of,
)
from sitegen.sources.trees import TreeFiles, find_files
from sitegen.text.credentials import shown_address

WORKING_COPY = "working copy"
"""The name of the working copy if no branch is read as an unreleased state."""


def read_git(
    table: SourceTable,
    declared: DeclaredReleases,
    *,
    root: Path,
    clones: Clones,
    working_copy: bool = False,
    languages: Sequence[str] = (),
    published: Collection[str] = (),
) -> Source:
    """Returns a source in git; with a problem and no releases if its repository cannot be read.

    The repository may be relative to the folder `root`. `published` are the names of releases that
    have addresses. With `working_copy`, saved files are read as an unreleased state. `languages`
    are the other languages in the files: new words in any of them make a dated state.
    """
    try:
        with open_repository(table.git, root=root, clones=clones) as repository:
            finder = ReleaseFinder(
                repository, table, declared, languages=languages, published=published
            )
            # An address has no saved files, and neither has a bare repository.
            is_checked_out = not is_address(table.git) and (root / table.git / ".git").exists()
            working = None
            if working_copy and table.paths and is_checked_out:
                working = FolderTrees(root / table.git)
            return _read(finder, working)
    except GitError as error:
        return source_of(table, problems=[error.problem(table.git)])
    except OSError as error:
        return source_of(table, problems=[failure(error).at(shown_address(table.git))])


def _read(finder: ReleaseFinder, working: FolderTrees | None) -> Source:
    """Returns a source with its releases and their documents. `working` has the files of the
    working copy, or is None if they are not read."""
    table, trees = finder.table, finder.files.trees
    listed = finder.releases()
    releases, problems = read_documents(listed, table, trees)
    pending = None
    if working:  # the saved files have the committed edits too
        releases, problems_of_copy = _with_working_copy(working, releases, table)
        problems += problems_of_copy
    else:
        pending = _pending(finder, releases)

    def files_of(release: Release) -> TreeFiles:
        if working and not release.tree:  # the working copy has no tree
            return TreeFiles(working, ROOT)
        return TreeFiles(trees, release.tree)

    source = from_first_glossary(
        table,
        releases,
        problems=[*refusals(listed), *problems],
        place=finder.repository.place,
    )
    source = replace(source, pending=pending)
    source = with_linked_files(source, files_of, encoding=table.encoding)
    return replace(
        source,
        skipped=(*source.skipped, *finder.skipped),
        problems=(*finder.repository.problems, *finder.problems, *source.problems),
    )


def _pending(finder: ReleaseFinder, releases: Sequence[Release]) -> Release | None:
    """Returns the state of the current branch with its documents if the glossary was edited after
    the newest release; else None."""
    if not releases:
        return None
    pending = finder.pending(releases[-1])
    if pending is None:
        return None
    read = finder.files.read(pending)
    if not read.documents:
        return None
    return read


def _with_working_copy(
    working: FolderTrees, releases: Sequence[Release], table: SourceTable
) -> tuple[list[Release], list[Problem]]:
    """Returns the releases with the saved files as the newest state, and the problems with these.

    The saved files replace the unreleased state of the branch. Without such a state, saved files
    with the texts of the newest release are left out.
    """
    name = WORKING_COPY
    earlier = [*releases]
    has_unreleased_state = len(earlier) > 0 and earlier[-1].unreleased
    if has_unreleased_state:
        name = earlier.pop().name
    files = dict(sorted(find_files(working, ROOT, table.paths).files.items()))
    copy = Release(name=name, kind="branch", unreleased=True, label=WORKING_COPY, files=files)
    [read_copy], problems = read_documents([copy], table, working)
    if has_unreleased_state or not earlier:
        return [*earlier, read_copy], problems
    if _texts_of(earlier[-1]) == _texts_of(read_copy):
        return earlier, []
    return [*earlier, read_copy], problems


def _texts_of(release: Release) -> Mapping[str, str | None]:
    """Returns the texts of the files of a release by their names; None for one that is not read."""
    texts: dict[str, str | None] = dict.fromkeys(release.files)
    for document in release.documents:
        texts[document.name] = document.text
    return texts
