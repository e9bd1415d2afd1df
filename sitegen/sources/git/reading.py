"""Reads a source that is kept in git: its releases, and the glossary at each of them.

The paths are tried in order at every release, so that a moved file keeps one history. Files that did not change from
release to release have the same object id, and are read once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from sitegen.config.forges import Web, is_address, last_name, web_of, without_password
from sitegen.model import Document, Problem, Release, Skipped
from sitegen.sources.git.clones import Clones, clone
from sitegen.sources.git.dated import Wording, dated_states, have_same_words, reworded, wording_of_texts
from sitegen.sources.git.process import GitError, Object, Objects, git_folder, run
from sitegen.sources.git.refs import (
    TAGS,
    branches,
    completeness_problems,
    head_point,
    read_points,
    read_refs,
    resolve,
    with_names,
)
from sitegen.sources.git.tags import EVERY_VERSION, Point, TagSettings
from sitegen.sources.git.trees import TreeListing, Trees
from sitegen.sources.git.versions import released_folders
from sitegen.sources.git.working_copy import read_working_copy, working_folder
from sitegen.sources.linked_files import ReleaseFiles, below, with_files
from sitegen.sources.snapshots import RawSource, ReleaseSnapshot, combine_snapshots, first_places
from sitegen.text.decoding import MAX_BYTES, Decoded, decode, too_large
from sitegen.text.release_names import HEADS, Arrange, date_in, ordered, parse_label

AUTO = "auto"
EMPTY = frozenset(hash(b"blob 0\0").hexdigest() for hash in (hashlib.sha1, hashlib.sha256))
"""The ids of an empty file, as a glossary is before it moves there."""
SHORT = 10
"""The number of hex digits of commit ids in messages and citations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitSource:
    """The settings in site.toml for a glossary that is kept in git."""

    id: str
    repository: str
    """A folder, relative to that of site.toml, or an address to clone from."""
    paths: tuple[str, ...]
    """Files, folders or patterns. At each release, the first that matches anything is read."""
    choice: TagSettings = EVERY_VERSION
    head: str = ""
    """A branch that is read as an unreleased state; `HEAD` is the current branch."""
    by: str = ""
    """The period by which commits are grouped into dated states: day, week, month, quarter or year.

    The states are the releases. `auto` chooses a period if the repository has no tags, and else reads the tags.
    """
    branches: tuple[str, ...] = ()
    """Patterns for branches, each of which is a release."""
    versions: str = ""
    """A path with `{version}`: the matching folders of the newest commit are the releases."""
    arrange: Arrange = tuple
    named: frozenset[str] = frozenset()
    """Releases that site.toml names. They are read even if they are maintenance releases."""
    encoding: str = ""
    """The character set of files that neither declare one nor are UTF-8."""
    wording: Callable[[Sequence[Document]], Wording] = wording_of_texts
    """Returns what two dated states are compared by: the words of these documents, without their formatting."""
    working_copy: bool = False
    """True to read also the saved files of a local repository, as an unreleased state."""
    max_bytes: int = MAX_BYTES
    """The maximum size of a file that is read."""


def read_git(source: GitSource, *, root: Path, clones: Clones) -> RawSource:
    """Reads a source in git, relative to the folder `root`. A repository that cannot be read is one problem."""
    place = without_password(source.repository)
    try:
        folder, problems = open_repository(source.repository, root=root, clones=clones)
        with Objects(folder) as objects:
            web = web_of(remote_of(source.repository, root=root))
            reader = _Reader(
                folder, objects, source, web=web, place=place, project=name_of(source.repository, root=root)
            )
            reader.working = working_folder(source.repository, root=root) if source.working_copy else None
            raw = reader.raw_source()
    except GitError as error:
        return RawSource(problems=(Problem(path=place, found=str(error)),))
    except OSError as error:
        return RawSource(problems=(Problem(path=place, found=f"cannot be read: {error.strerror}"),))
    return replace(raw, problems=(*problems, *raw.problems))


def open_repository(repository: str, *, root: Path, clones: Clones) -> tuple[Path, tuple[Problem, ...]]:
    """Returns the folder of a repository, after cloning it if necessary. Raises GitError if there is none."""
    try:
        if is_address(repository):
            return clone(repository, clones)
        return git_folder(root / repository), ()
    except OSError as error:
        raise GitError(f"{error.filename}: {error.strerror}") from None


def remote_of(repository: str, *, root: Path) -> str:
    """Returns the address of a repository: its own, or that of `origin`, or of the only remote; empty without one.

    The value is configuration of a repository that may be hostile.
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
    """Returns the `refs` folder of a local repository, or None if the repository has no plain one."""
    if is_address(repository):
        return None
    with suppress(GitError):
        refs = git_folder(root / repository) / "refs"
        return refs if refs.is_dir() else None
    return None


def main_branch(repository: str, *, root: Path) -> str:
    """Returns the default branch of `origin`, or else the current branch; empty if neither is known."""
    with suppress(GitError):
        folder = git_folder(root / repository)
        for ref in ("refs/remotes/origin/HEAD", "HEAD"):
            with suppress(GitError):
                name = run(folder, "symbolic-ref", "--quiet", "--short", ref).decode("utf-8", "replace")
                return name.strip().removeprefix("origin/")
    return ""


def name_of(repository: str, *, root: Path) -> str:
    """Returns the short name of a repository: the last component of its address, or else of its folder."""
    return last_name(remote_of(repository, root=root) or str((root / repository).resolve()))


class _Reader:
    """Reads one source."""

    def __init__(
        self, folder: Path, objects: Objects, source: GitSource, *, web: Web | None, place: str, project: str
    ) -> None:
        self.folder, self.objects, self.source = folder, objects, source
        self.web, self.place, self.project = web, place, project
        self.trees = Trees(objects)
        self.refs = read_refs(folder)
        self.blobs: dict[str, bytes | None] = {}
        """The contents of included files and images by id."""
        self.working: Path | None = None
        """The folder of the working copy if it is to be read, else None."""

    def raw_source(self) -> RawSource:
        source = self.source
        if source.versions:
            return self._of_folders()
        if source.branches:
            return self._of_branches()
        has_tags = any(ref.startswith(TAGS) for ref in self.refs)
        return self._of_dates() if source.by and not (source.by == AUTO and has_tags) else self._of_tags()

    def _of_tags(self) -> RawSource:
        points = read_points(
            self.folder,
            self.objects,
            self.source.choice,
            refs=self.refs,
            head=self.source.head or ("" if any(ref.startswith(TAGS) for ref in self.refs) else "HEAD"),
            path=self.place,
            project=self.project,
            has_glossary=lambda point: bool(find_files(self.trees, point.tree, self.source.paths).files),
            arrange=self.source.arrange,
            named=self.source.named,
        )
        every = (*points.tagged, points.head) if points.head else points.tagged
        self.trees.fetch(point.tree for point in every)
        snapshots: list[ReleaseSnapshot] = []
        dropped = []
        for point in every:
            snapshot = self._snapshot(point, self._release(point, is_head=point is points.head))
            is_same = bool(snapshots) and snapshot.files == snapshots[-1].files
            if point in points.maintenance and not is_same:
                dropped.append(point.label)
            else:
                snapshots.append(snapshot)
        skipped = (Skipped(reason="maintenance", names=tuple(dropped)),) if dropped else ()
        return self._gather(snapshots, skipped=(*points.skipped, *skipped), problems=points.problems)

    def _of_branches(self) -> RawSource:
        """Reads each branch as a release; and the branch `head`, if it is not one of them, as unreleased."""
        ids = branches(self.refs)
        patterns = self.source.branches
        chosen = {name: id for name, id in ids.items() if any(fnmatchcase(name, pattern) for pattern in patterns)}
        usual = Counter(parse_label(name).family for name in chosen).most_common(1)
        chosen = {
            name: id for name, id in chosen.items() if name in patterns or parse_label(name).family == usual[0][0]
        }
        found, problems = resolve(self.objects, _without_patches(chosen), path=self.place)
        points = {point.release: point for point in with_names(tuple(found.values()))}
        snapshots = [
            self._snapshot(points[name], replace(self._release(points[name], is_branch=True), moves=True))
            for name in self.source.arrange(ordered(points))
        ]
        head = self.source.head
        tip, odd = head_point(self.folder, self.objects, self.refs, head=head, path=self.place)
        if tip and tip.label not in found:
            snapshots.append(self._snapshot(tip, self._release(tip, is_head=True)))
        if not chosen:
            named = ", ".join(patterns)
            wanted = f"the repository has {', '.join(sorted(ids)[:5])}"
            odd.append(Problem(path=self.place, found=f"no branch matches {named}", wanted=wanted))
        return self._gather(
            snapshots, problems=(*problems, *odd, *completeness_problems(self.folder, self.refs, path=self.place))
        )

    def _of_dates(self) -> RawSource:
        """Reads the commits that changed the glossary as releases, grouped into dated states."""
        head = self.source.head or "HEAD"
        tip, problems = head_point(self.folder, self.objects, self.refs, head=head, path=self.place)
        states = (
            dated_states(self.folder, tip, self.source.paths, by=self.source.by.removeprefix(AUTO)) if tip else ()
        )
        commits = dict.fromkeys(commit for state in states for commit in (*state.before, state.commit))
        found, odd = resolve(self.objects, {commit: commit for commit in commits}, path=self.place)
        self.trees.fetch(point.tree for point in found.values())
        files = {
            commit: find_files(self.trees, point.tree, self.source.paths).files for commit, point in found.items()
        }
        states = reworded(
            states,
            lambda one, other: have_same_words(files.get(one, {}), files.get(other, {}), self._wording),
            named=self.source.named,
        )
        points = {
            state.name: replace(found[state.commit], label=state.commit[:SHORT], release=state.name)
            for state in states
            if state.commit in found
        }
        snapshots = [
            # A build may have published any state before the last commit of its period.
            self._snapshot(points[name], replace(self._release(points[name], is_commit=True), moves=True, dated=True))
            for name in self.source.arrange([*points])
        ]
        if tip and not snapshots:
            snapshots = [self._snapshot(tip, self._release(tip, is_commit=True))]
        problems = [*problems, *odd, *completeness_problems(self.folder, self.refs, path=self.place)]
        return self._gather(snapshots, problems=problems)

    def _wording(self, files: Mapping[str, str]) -> Wording:
        """Returns a value for comparing the wording of files."""
        source, snapshot = self.source, ReleaseSnapshot(release=Release(name=""), label="", files=files)
        texts = _texts(self.objects, first_places([snapshot]), encoding=source.encoding, limit=source.max_bytes)
        return source.wording(combine_snapshots(source.id, [snapshot], texts, paths=(), place="").documents)

    def _of_folders(self) -> RawSource:
        """Reads each version folder of the newest commit as a release."""
        head = self.source.head or "HEAD"
        tip, problems = head_point(self.folder, self.objects, self.refs, head=head, path=self.place)
        if tip is None:
            return RawSource(problems=tuple(problems))
        names = released_folders(self.objects, self.trees, tip.tree, self.source.versions)
        snapshots = []
        for name in self.source.arrange(ordered(names)):
            release = replace(self._release(tip, is_commit=True), name=name, date=date_in(name))
            release = replace(release, unreleased=name.lower() in HEADS, moves=True)
            listing = self.trees.find(tip.tree, names[name])
            snapshots.append(
                ReleaseSnapshot(release=release, label=tip.label, files=listing.files, refused=listing.refused)
            )
        if self.source.paths:
            newest = self._snapshot(tip, self._release(tip, is_head=True))
            snapshots += [newest] if newest.files else []
        return self._gather(snapshots, problems=problems)

    def _gather(
        self,
        snapshots: Sequence[ReleaseSnapshot],
        *,
        skipped: Sequence[Skipped] = (),
        problems: Sequence[Problem] = (),
    ) -> RawSource:
        texts = _texts(
            self.objects, first_places(snapshots), encoding=self.source.encoding, limit=self.source.max_bytes
        )
        if self.working and self.source.paths:
            snapshots, texts = self._with_working_copy(self.working, snapshots, texts)
        paths = (*((self.source.versions,) if self.source.versions else ()), *self.source.paths)
        raw = combine_snapshots(self.source.id, snapshots, texts, paths=paths, place=self.place)
        trees = {snapshot.release.name: snapshot.tree for snapshot in snapshots}
        files = {name: self._files(tree) for name, tree in trees.items()}
        raw = with_files(raw, files.__getitem__, encoding=self.source.encoding)
        return replace(raw, skipped=(*raw.skipped, *skipped), problems=(*problems, *raw.problems))

    def _files(self, tree: str) -> ReleaseFiles:
        """Returns the files in a tree; without one, those of the working copy."""
        if not tree and self.working:
            return below(self.working)

        @cache
        def id_of(path: str) -> str | None:
            return self.trees.file(tree, path) if tree else None

        def read(path: str) -> bytes | None:
            id = id_of(path)
            if id is not None and id not in self.blobs:
                (object,) = self.objects.read([id], limit=MAX_BYTES)
                self.blobs[id] = object.data
            return self.blobs[id] if id is not None else None

        return ReleaseFiles(has=lambda path: id_of(path) is not None, read=read)

    def _with_working_copy(
        self, folder: Path, snapshots: Sequence[ReleaseSnapshot], texts: Mapping[str, Decoded]
    ) -> tuple[Sequence[ReleaseSnapshot], Mapping[str, Decoded]]:
        """Adds the saved files as the newest state, which replaces the unreleased state of the branch."""
        source = self.source
        head = snapshots[-1].release if snapshots and snapshots[-1].release.unreleased else None
        before = snapshots[:-1] if head else snapshots
        newest, saved = read_working_copy(
            folder, paths=source.paths, encoding=source.encoding, branch=head, limit=source.max_bytes
        )
        texts = {**texts, **saved}
        if not head and before and _contents(newest, texts) == _contents(before[-1], texts):
            return snapshots, texts
        return (*before, newest), texts

    def _snapshot(self, point: Point, release: Release) -> ReleaseSnapshot:
        listing = find_files(self.trees, point.tree, self.source.paths)
        return ReleaseSnapshot(
            release=release, label=point.label, tree=point.tree, files=listing.files, refused=listing.refused
        )

    def _release(
        self, point: Point, *, is_head: bool = False, is_branch: bool = False, is_commit: bool = False
    ) -> Release:
        release = Release(name=point.release, date=point.date, unreleased=is_head)
        web = self.web
        if web is None:
            return release
        if is_commit:
            return replace(release, link=web.commit(point.commit), lines=web.lines_at_commit(point.commit))
        if is_head or is_branch:
            return replace(release, link=web.branch(point.label), lines=web.lines_at_commit(point.commit))
        return replace(release, link=web.tag(point.label), lines=web.lines_at_tag(point.label))


def _without_patches(branches: Mapping[str, str]) -> dict[str, str]:
    """Returns the branches without those of single patches, such as 2.4.1, where there is a branch 2.4.x."""
    lines = tuple(name.removesuffix("x") for name in branches if name.endswith(".x"))
    return {name: id for name, id in branches.items() if name.endswith(".x") or not name.startswith(lines)}


def find_files(trees: Trees, tree: str, paths: Sequence[str]) -> TreeListing:
    """Returns the files of the first path that has any with text; else the reasons why the paths cannot be read."""
    listings = [trees.find(tree, path) for path in paths]
    refused = {path: trouble for listing in listings for path, trouble in listing.refused.items()}
    found = [listing for listing in listings if listing.files]
    written = (listing for listing in found if not EMPTY.issuperset(listing.files.values()))
    return next(written, found[0] if found else TreeListing(refused=refused))


def _contents(snapshot: ReleaseSnapshot, texts: Mapping[str, Decoded]) -> Mapping[str, str | None]:
    return {path: texts[key].text for path, key in snapshot.files.items()}


def _texts(objects: Objects, places: Mapping[str, str], *, encoding: str, limit: int) -> Mapping[str, Decoded]:
    """Returns the text of each blob by id. Problems are reported at the path in `places`."""
    read = objects.read(places, limit=limit)
    return {object.id: decoded(object, places[object.id], encoding=encoding, limit=limit) for object in read}


def decoded(object: Object, path: str, *, encoding: str, limit: int = MAX_BYTES) -> Decoded:
    """Decodes a file. If it is missing, damaged or too large, the text is None and the problem says why."""
    if object.data is not None and object.kind == "blob":
        return decode(object.data, path=path, configured=encoding, limit=limit)
    found, wanted = "missing or damaged in the repository", "`git fsck` may tell more"
    if object.kind != "missing":
        found, wanted = (
            too_large(object.size, limit) if object.kind == "blob" else (f"a {object.kind}, not a file", "")
        )
    return Decoded(text=None, problems=(Problem(path=path, found=found, wanted=wanted),))
