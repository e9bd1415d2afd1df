"""Folders of a repository, each of which holds the documentation of one version.

Docusaurus keeps `versioned_docs/version-1.2/`, others `docs/v1.2/` or `content/en/v1.2/`; mike writes `1.2/` on a
branch of its own. A path with `{version}` in it, `docs/{version}/glossary.md`, names them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from sitegen.config.patterns import literally
from sitegen.sources.git.trees import Trees
from sitegen.sources.releases import HEADS, name_releases, parse_label

PLACEHOLDER = "{version}"
ALIASES = frozenset("latest stable current".split())
"""Names of folders that hold another version once more."""


def released_folders(trees: Trees, tree: str, template: str) -> Mapping[str, str]:
    """Returns the path of each version's glossary that the template means in a tree, by the release's name.

    A folder is a version's if its name has one, or says that it is still to come.
    """
    parts = PurePosixPath(template).parts
    at = next((index for index, part in enumerate(parts) if PLACEHOLDER in part), None)
    above = trees.below(tree, "/".join(parts[:at]) or ".") if at is not None else None
    if at is None or above is None:
        return {}
    before, _, after = parts[at].partition(PLACEHOLDER)
    folders = {
        name[len(before) : len(name) - len(after)]: name
        for name in trees.folders(above)
        if name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)
    }
    labels = [label for label in folders if is_version(label)]
    names = name_releases(labels)
    places = {
        names[label]: "/".join(literally(part) for part in (*parts[:at], folders[label], *parts[at + 1 :]))
        for label in labels
    }
    return {name: place for name, place in places.items() if trees.find(tree, place).files}


def is_version(name: str) -> bool:
    """Returns True for the name of a folder that holds one version's documentation."""
    return name.lower() not in ALIASES and (name.lower() in HEADS or parse_label(name).scheme != "word")
