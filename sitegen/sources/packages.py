"""Finds the packages of a repository with many of them that contain the glossary, by which the tags
of the glossary's package are told from others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from sitegen.sources.git_trees import GitTrees
from sitegen.text.decoding import MAX_DOCUMENT_BYTES

MANIFESTS = frozenset({"Cargo.toml", "package.json", "pyproject.toml"})
PACKAGE_NAME = re.compile(rb'(?:^|[{,])\s*"?name"?\s*[:=]\s*"([^"\n]+)"', re.MULTILINE)
OF_DOCUMENTS = frozenset({"doc", "docs", "documentation", "site", "src", "website"})
"""Names of folders in a package, which are no packages."""


def packages_around(paths: Sequence[str], commit: str, trees: GitTrees) -> Iterator[str]:
    """Yields the names of the folders above the first file that a path matches in the tree of a
    commit, and of the packages in them, the nearest first."""
    for folder in _folders_above(paths, commit, trees):
        tree = trees.below(commit, str(folder))
        files = trees.files(tree) if tree else {}
        manifests = [id for name, id in files.items() if name in MANIFESTS]
        for manifest in trees.objects.read(manifests, limit=MAX_DOCUMENT_BYTES):
            if name := PACKAGE_NAME.search(manifest.data or b""):
                yield name[1].decode("utf-8", "replace")
        if folder.name not in OF_DOCUMENTS:
            yield folder.name


def _folders_above(paths: Sequence[str], commit: str, trees: GitTrees) -> Sequence[PurePosixPath]:
    """Returns the folders above a file, the nearest first, but for the top of the repository."""
    for path in paths:
        for file in trees.find(commit, path).files:
            return PurePosixPath(file).parents[:-1]
    return ()
