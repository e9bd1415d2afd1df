"""Finds the branches of a repository that each contain the glossary of a version."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from sitegen.model import grouped
from sitegen.sources.git.repositories import Repository
from sitegen.sources.git_trees import GitTrees
from sitegen.sources.trees import find_files
from sitegen.text.release_names import is_prerelease, ordered, parse_label

MIN_BRANCHES = 3
"""The minimum number of version branches; fewer are maintenance branches."""
SAMPLED = 5
"""The number of the newest branches that are looked into."""
VERSION_NAME = re.compile(r"(.*?)(\d+(?:\.(?:\d+|x))*)([-_.][A-Za-z]+)?")


class VersionBranches(NamedTuple):
    """The branches that differ only in version."""

    pattern: str
    """Empty if there are none."""
    others: str
    """A pattern for those that match too and are none, such as the branch of a fix."""


NO_BRANCHES = VersionBranches("", "")


def version_branches(repository: Repository, paths: Sequence[str]) -> VersionBranches:
    """Returns the largest group of branches that differ only in version and contain the glossary.

    Most of the newest ones contain it; older ones may be older than the glossary.
    """
    names = repository.branches
    groups = grouped((_patterns_of(name), name) for name in names)
    groups.pop(NO_BRANCHES, None)
    for patterns in sorted(groups, key=lambda one: (-len(groups[one]), one)):
        if len(groups[patterns]) < MIN_BRANCHES:
            break
        if _have_glossary(groups[patterns], repository, paths):
            has_others = any(fnmatchcase(name, patterns.others) for name in names)
            return patterns if has_others else patterns._replace(others="")
    return NO_BRANCHES


def _have_glossary(names: Sequence[str], repository: Repository, paths: Sequence[str]) -> bool:
    """True if most of the newest of these branches contain the glossary."""
    newest = ordered(names)[-SAMPLED:]
    resolved, _ = repository.resolve({name: repository.branches[name] for name in newest})
    trees = GitTrees(repository.objects)
    with_glossary = 0
    for branch in resolved.values():
        if find_files(trees, branch.tree, paths).files:
            with_glossary += 1
    return 2 * with_glossary > len(newest)


def _patterns_of(name: str) -> VersionBranches:
    """Returns the patterns for the branches that differ from one in the version alone: of
    `release-2.0`, `release-[0-9]*`, and `release-[0-9]*[!0-9.x]*` for others such as
    `release-2.0-fix`; `NO_BRANCHES` if its name has no version."""
    match = VERSION_NAME.fullmatch(name)
    if not match or is_prerelease(name):
        return NO_BRANCHES
    before, version, after = match.groups(default="")
    label = parse_label(name.removesuffix(after))
    if label.scheme == "word" or label.family or label.name != version:
        return NO_BRANCHES
    return VersionBranches(f"{before}[0-9]*{after}", f"{before}[0-9]*[!0-9.x]*{after}")
