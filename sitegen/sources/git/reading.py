"""A source that is kept in git: its releases, and the glossary as it stood at each of them.

The paths are tried in order at every release, so that a file that was moved keeps one history. What did not change
from release to release has the same object id, and is read once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sitegen.config.forges import Web, web_of
from sitegen.config.repositories import is_address, last_name, without_password
from sitegen.model import Problem, Release
from sitegen.sources.gathering import Gathered, Snapshot, first_places, gather
from sitegen.sources.git.clones import Clones, clone
from sitegen.sources.git.process import GitError, Object, Objects, git_folder, run
from sitegen.sources.git.refs import Point, Points, read_points
from sitegen.sources.git.tags import EVERY_VERSION, Choice
from sitegen.sources.git.trees import Listing, Trees
from sitegen.sources.releases import Arrange, ordered
from sitegen.text.decoding import MAX_BYTES, Decoded, decode, too_large


@dataclass(frozen=True, slots=True, kw_only=True)
class GitSource:
    """What site.toml says of a glossary that is kept in git."""

    id: str
    repository: str
    """A folder, seen from where site.toml stands, or an address to clone from."""
    paths: tuple[str, ...]
    """Files, folders or patterns. At each release, the first that finds anything is read."""
    choice: Choice = EVERY_VERSION
    head: str = ""
    """A branch that is read as a release still to come; `HEAD` is the current one."""
    arrange: Arrange = ordered
    encoding: str = ""
    """The character set of files that neither declare one nor are UTF-8."""


def read_git(source: GitSource, *, root: Path, clones: Clones) -> Gathered:
    """Returns what a source in git holds, seen from the folder `root`. What cannot be read is one problem."""
    place = without_password(source.repository)
    try:
        folder, problems = open_repository(source.repository, root=root, clones=clones)
        with Objects(folder) as objects:
            points = read_points(folder, objects, source.choice, head=source.head, path=place, arrange=source.arrange)
            web = web_of(remote_of(source.repository, root=root))
            gathered = _read(objects, points, source, web=web, place=place)
    except GitError as error:
        return Gathered(problems=(Problem(path=place, found=str(error)),))
    return replace(
        gathered,
        skipped=(*gathered.skipped, *points.skipped),
        problems=(*problems, *points.problems, *gathered.problems),
    )


def open_repository(repository: str, *, root: Path, clones: Clones) -> tuple[Path, tuple[Problem, ...]]:
    """Returns the folder of a repository, cloned if need be. Raises GitError where there is none."""
    try:
        if is_address(repository):
            return clone(repository, clones)
        return git_folder(root / repository), ()
    except OSError as error:
        raise GitError(f"{error.filename}: {error.strerror}") from None


def remote_of(repository: str, *, root: Path) -> str:
    """Returns the address of a repository: its own, or that of `origin`, or of the only remote; empty without one.

    It is configuration of a repository that may be hostile.
    """
    if is_address(repository):
        return repository
    remotes: list[tuple[str, str]] = []
    with suppress(GitError):
        folder = git_folder(root / repository)
        found = run(folder, "config", "--local", "--no-includes", "--null", "--get-regexp", r"^remote\..*\.url$")
        pairs = (item.decode("utf-8", "replace").partition("\n") for item in found.split(b"\0") if item)
        remotes = [(key, address) for key, _, address in pairs]
    return next((url for key, url in remotes if key == "remote.origin.url" or len(remotes) == 1), "")


def refs_folder(repository: str, *, root: Path) -> Path | None:
    """Returns the folder in which a repository of this machine keeps tags and branches, if it is a plain one."""
    if is_address(repository):
        return None
    with suppress(GitError):
        refs = git_folder(root / repository) / "refs"
        return refs if refs.is_dir() else None
    return None


def main_branch(repository: str, *, root: Path) -> str:
    """Returns the branch of a repository that others begin with: its origin's, or the current one; perhaps empty."""
    with suppress(GitError):
        folder = git_folder(root / repository)
        for ref in ("refs/remotes/origin/HEAD", "HEAD"):
            with suppress(GitError):
                name = run(folder, "symbolic-ref", "--quiet", "--short", ref).decode("utf-8", "replace")
                return name.strip().removeprefix("origin/")
    return ""


def name_of(repository: str, *, root: Path) -> str:
    """Returns what people call a repository: what its address ends with, or else the name of its folder."""
    return last_name(remote_of(repository, root=root) or str((root / repository).resolve()))


def _read(objects: Objects, points: Points, source: GitSource, *, web: Web | None, place: str) -> Gathered:
    every = (*points.tagged, points.head) if points.head else points.tagged
    trees = Trees(objects)
    trees.fetch(point.tree for point in every)
    snapshots = []
    for point in every:
        listing = _find(trees, point.tree, source.paths)
        release = _release(point, points, web)
        snapshots.append(Snapshot(release=release, label=point.label, files=listing.files, refused=listing.refused))
    texts = _texts(objects, first_places(snapshots), encoding=source.encoding)
    return gather(source.id, snapshots, texts, paths=source.paths, place=place)


def _find(trees: Trees, tree: str, paths: Sequence[str]) -> Listing:
    """What the first path means that means any file; else what stood in the way of all of them."""
    listings = [trees.find(tree, path) for path in paths]
    refused = {path: trouble for listing in listings for path, trouble in listing.refused.items()}
    return next((listing for listing in listings if listing.files), Listing(refused=refused))


def _release(point: Point, points: Points, web: Web | None) -> Release:
    unreleased = point is points.head
    release = Release(name=point.release, date=point.date, unreleased=unreleased)
    if web is None:
        return release
    if unreleased:
        return replace(release, link=web.branch(point.label), lines=web.lines_at_commit(point.commit))
    return replace(release, link=web.tag(point.label), lines=web.lines_at_tag(point.label))


def _texts(objects: Objects, places: Mapping[str, str], *, encoding: str) -> Mapping[str, Decoded]:
    """The text of each blob; its problems are reported where it is first found."""
    read = objects.read(places, limit=MAX_BYTES)
    return {object.id: decoded(object, places[object.id], encoding=encoding) for object in read}


def decoded(object: Object, path: str, *, encoding: str) -> Decoded:
    """Returns the text of a file; without one, and with the reason, where it is missing, damaged or too large."""
    if object.data is not None and object.kind == "blob":
        return decode(object.data, path=path, configured=encoding)
    found, wanted = "missing or damaged in the repository", "`git fsck` may tell more"
    if object.kind != "missing":
        found, wanted = too_large(object.size) if object.kind == "blob" else (f"a {object.kind}, not a file", "")
    return Decoded(text=None, problems=(Problem(path=path, found=found, wanted=wanted),))
