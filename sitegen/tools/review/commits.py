"""Finds the two commits of a change such as `main..topic` or `v1.0...HEAD`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources.git.process import GitError, MissingGitError, git_folder, run


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    id: str
    tree: str
    name: str
    """The name by which it was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryRepository:
    """A repository, and the place of the glossary's folder in it."""

    git: Path
    root: Path
    inside: str
    """The folder's path from the root; `.` is the root itself."""


def repository_of(folder: Path) -> GlossaryRepository:
    """Returns the repository that a folder is in. Raises `SitegenError` if there is none."""
    place = folder.resolve()
    root = next((above for above in (place, *place.parents) if (above / ".git").exists()), place)
    try:
        return GlossaryRepository(git=git_folder(root), root=root, inside=place.relative_to(root).as_posix())
    except GitError as error:
        raise SitegenError(f"{folder}: {error}") from None


def sides(change: str, git: Path) -> tuple[Commit, Commit]:
    """Returns the commits of `BASE..HEAD`, or the merge base and HEAD of `BASE...HEAD`.

    An empty name means HEAD. Raises `SitegenError` if a commit does not exist.
    """
    dots = "..." if "..." in change else ".."
    before, _, after = change.partition(dots)
    base, head = (_commit(name or "HEAD", git) for name in (before, after))
    if dots == "...":
        try:
            parted = run(git, "merge-base", "--end-of-options", base.id, head.id).decode().strip()
        except GitError:
            raise SitegenError(f"{change}: the two have no commit in common; fetch more of the history") from None
        base = _commit(parted, git)
    return base, head


def _commit(name: str, git: Path) -> Commit:
    try:
        id = _parsed(f"{name}^{{commit}}", git)
        return Commit(id=id, tree=_parsed(f"{id}^{{tree}}", git), name=name)
    except MissingGitError:
        raise
    except GitError:
        wanted = "name two commits as git does, BASE..HEAD; a shallow clone may lack them"
        raise SitegenError(f"{name}: no such commit here; {wanted}") from None


def _parsed(name: str, git: Path) -> str:
    return run(git, "rev-parse", "--quiet", "--verify", "--end-of-options", name).decode().strip()
