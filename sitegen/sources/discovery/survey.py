"""Surveys the history of a glossary besides its tags, for `sitegen init`: the days of its changes,
and the branches that are kept for versions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from sitegen.sources.git.dated_states import commits_of
from sitegen.sources.git.repositories import Clones, Repository, open_repository
from sitegen.sources.git.tags import read_tags
from sitegen.sources.git_trees import GitTrees
from sitegen.sources.trees import find_files
from sitegen.text.release_names import is_prerelease, ordered, parse_label

MIN_BRANCHES = 3
"""The minimum number of version branches; fewer are maintenance branches."""
STALE = timedelta(days=365)
"""After this time without a new release, the branch is read as well."""
SAMPLE = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """A repository's current branch, and its history besides tags."""

    branch: str = ""
    """The current branch."""
    day: date | None = None
    """The day of its newest commit."""
    newest: date | None = None
    """The date of the newest tag of the project's own tag family."""
    days: tuple[date, ...] = ()
    """The days on which the glossary changed on the current branch, oldest first; empty if its
    release is recent."""
    branches: str = ""
    """A pattern for branches that each contain the glossary of a version; empty if there are
    none."""


def survey(
    address: str, *, root: Path, clones: Clones, paths: Sequence[str], released: date | None = None
) -> Survey:
    """Surveys the history of the files at `paths`, whose newest release is of the day `released`.
    Raises GitError."""
    with open_repository(address, root=root, clones=clones) as repository:
        tip, _ = repository.head("HEAD")
        if tip is None:
            return Survey()
        days: tuple[date, ...] = ()
        is_recent = bool(released and tip.date and tip.date - released < STALE)
        if not is_recent:
            days = tuple(day for _, day in commits_of(repository.folder, tip, paths))
        tags = read_tags(repository).tagged
        return Survey(
            branch=tip.label,
            day=tip.date,
            newest=max((tag.date for tag in tags if tag.date), default=None),
            days=days,
            branches=_version_branches(repository, paths),
        )


class Affixes(NamedTuple):
    """The text before and after the version in the name of a branch."""

    before: str
    after: str


def _version_branches(repository: Repository, paths: Sequence[str]) -> str:
    """Returns the pattern of the largest group of branches that differ only in version and contain
    the glossary; empty if there is none.

    Most of the newest ones contain it; older ones may be older than the glossary.
    """
    ids = repository.branches
    groups: dict[Affixes, list[str]] = defaultdict(list)
    for name in ids:
        if affixes := _affixes(name):
            groups[affixes].append(name)
    trees = GitTrees(repository.objects)
    for affixes in sorted(groups, key=lambda affixes: (-len(groups[affixes]), affixes)):
        names = groups[affixes]
        if len(names) < MIN_BRANCHES:
            break
        sample = ordered(names)[-SAMPLE:]
        resolved, _ = repository.resolve({name: ids[name] for name in sample})
        number = 0
        for branch in resolved.values():
            if find_files(trees, branch.tree, paths).files:
                number += 1
        if 2 * number > len(sample):
            return f"{affixes.before}[0-9]*{affixes.after}"
    return ""


def _affixes(branch: str) -> Affixes | None:
    """Returns what is around the version in the name of a branch; None if it has no version."""
    match = re.fullmatch(r"(.*?)(\d+(?:\.(?:\d+|x))*)([-_.][A-Za-z]+)?", branch)
    if not match or is_prerelease(branch):
        return None
    before, version, after = match.group(1, 2, 3)
    label = parse_label(branch.removesuffix(after or ""))
    if label.scheme == "word" or label.family or label.name != version:
        return None
    return Affixes(before, after or "")
