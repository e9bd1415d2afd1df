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
    """Returns the largest group of branches that differ only in version and contain the glossary;
    `NO_BRANCHES` if there is none.

    Only the newest branches have to contain it, because others may be older than the glossary.
    """
    names = repository.branches
    groups = grouped((_patterns_of(name), name) for name in names)
    groups.pop(NO_BRANCHES, None)  # names without a version
    largest_first = sorted(groups, key=lambda patterns: (-len(groups[patterns]), patterns))
    for patterns in largest_first:
        branches = groups[patterns]
        if len(branches) < MIN_BRANCHES:
            break
        if not _have_glossary(branches, repository, paths):
            continue
        has_others = any(fnmatchcase(name, patterns.others) for name in names)
        return patterns if has_others else patterns._replace(others="")
    return NO_BRANCHES


def _have_glossary(names: Sequence[str], repository: Repository, paths: Sequence[str]) -> bool:
    """Returns whether more than half of the newest of these branches contain the glossary."""
    newest = ordered(names)[-SAMPLED:]
    resolved, _ = repository.resolve({name: repository.branches[name] for name in newest})
    trees = GitTrees(repository.objects)
    with_glossary = 0
    for branch in resolved.values():
        if find_files(trees, branch.tree, paths).files:
            with_glossary += 1
    return 2 * with_glossary > len(newest)


def _patterns_of(name: str) -> VersionBranches:
    """Returns the patterns for the branches that are called as this one but for the version;
    `NO_BRANCHES` if its name has no version.

    For `release-2.0`, these are `release-[0-9]*`, and `release-[0-9]*[!0-9.x]*` for the others to
    leave out, such as `release-2.0-fix`.
    """
    match = VERSION_NAME.fullmatch(name)
    if not match or is_prerelease(name):
        return NO_BRANCHES
    before, version, after = match.groups(default="")
    label = parse_label(name.removesuffix(after))
    # A branch such as `part-3` or `tool-2.0` is of something else than a version of the project.
    if label.scheme == "word" or label.family or label.name != version:
        return NO_BRANCHES
    return VersionBranches(f"{before}[0-9]*{after}", f"{before}[0-9]*[!0-9.x]*{after}")
