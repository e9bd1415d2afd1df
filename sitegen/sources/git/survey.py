"""Surveys a repository's history besides tags: the days on which a glossary changed, and branches for versions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from sitegen.sources.git.clones import Clones
from sitegen.sources.git.dated import days_of
from sitegen.sources.git.process import GitError, Objects, run
from sitegen.sources.git.reading import find_files, open_repository
from sitegen.sources.git.refs import branches, head_point, read_points, read_refs, resolve
from sitegen.sources.git.tags import EVERY_VERSION
from sitegen.sources.git.trees import Trees
from sitegen.text.release_names import ordered, parse_label

MIN_BRANCHES = 3
"""The minimum number of version branches; fewer are maintenance branches."""
STALE = timedelta(days=365)
"""After this time without a new release, the branch is read as well."""
SAMPLE = 5
SAFE = ("--no-ext-diff", "--no-textconv", "--no-color")
"""Options against what the configuration of a repository could run or change."""
MAX_ADDED = 20
"""The maximum number of times that a file may have been added or renamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A repository's current branch, and its history besides tags."""

    branch: str = ""
    """The current branch."""
    day: date | None = None
    """The day of its newest commit."""
    newest: date | None = None
    """The date of the newest tag of the project's own tag family."""
    days: tuple[date, ...] = ()
    """The days on which the glossary changed on the current branch, oldest first; empty if its release is recent."""
    branches: str = ""
    """A pattern for branches that each contain the glossary of a version; empty if there are none."""


def survey(
    repository: str, *, root: Path, clones: Clones, paths: Sequence[str], released: date | None = None
) -> Survey:
    """Surveys the history of the files at `paths`, whose newest release is of the day `released`. Raises GitError."""
    folder, _ = open_repository(repository, root=root, clones=clones)
    with Objects(folder) as objects:
        refs = read_refs(folder)
        tip, _ = head_point(folder, objects, refs, head="HEAD", path=repository)
        if tip is None:
            return Survey()
        is_recent = bool(released and tip.date and tip.date - released < STALE)
        days = () if is_recent else days_of(folder, tip, paths)
        pattern = _branches(objects, branches(refs), paths)
        tags = read_points(folder, objects, EVERY_VERSION, refs=refs, head="", path=repository).tagged
        newest = max((point.date for point in tags if point.date), default=None)
        return Survey(branch=tip.label, day=tip.date, newest=newest, days=days, branches=pattern)


def _branches(objects: Objects, ids: dict[str, str], paths: Sequence[str]) -> str:
    """Returns the pattern of the largest group of branches that differ only in version and contain the glossary.

    Most of the newest ones contain it; older ones may be older than the glossary.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in ids:
        label = parse_label(name)
        if label.scheme != "word" and label.family == "" and re.fullmatch(r"\d+(\.(\d+|x))*", label.name):
            groups[name.removesuffix(label.name)].append(name)
    trees = Trees(objects)
    for prefix, names in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        sample = ordered(names)[-SAMPLE:]
        points, _ = resolve(objects, {name: ids[name] for name in sample}, path="")
        having = [point for point in points.values() if find_files(trees, point.tree, paths).files]
        if len(names) >= MIN_BRANCHES and 2 * len(having) > len(sample):
            return f"{prefix}[0-9]*"
    return ""


def former_paths(folder: Path, commit: str, path: str) -> Iterator[str]:
    """Yields the paths from which a file was renamed, newest first, as far as git detects renames.

    Only first parents are followed. `git log --follow` takes twice as long, as it compares the file with all others.
    """
    log = ("--literal-pathspecs", "log", "--no-show-signature", "--no-mailmap", "--no-decorate", *SAFE)
    options = ("-1", "--first-parent", "--diff-filter=A", "--no-renames", "--format=%H %P")
    for _ in range(MAX_ADDED):
        said = _said(folder, *log, *options, "--end-of-options", commit, "--", path)
        added, *parents = said.decode("ascii", "replace").split() or [""]
        if not parents:
            return
        commit = parents[0]
        detection = ("-r", "-z", "--find-renames", "--diff-filter=R", "--name-status", *SAFE)
        said = _said(folder, "diff-tree", *detection, "--end-of-options", commit, added)
        # Similarity, old path, new path, and so on.
        names = [name.decode("utf-8", "replace") for name in said.split(b"\0")]
        renamed = dict(zip(names[2::3], names[1::3], strict=False))
        if path in renamed:
            path = renamed[path]
            yield path


def _said(folder: Path, *arguments: str) -> bytes:
    with suppress(GitError):
        return run(folder, *arguments)
    return b""
