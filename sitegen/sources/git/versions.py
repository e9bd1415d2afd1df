"""Finds folders of a repository that each contain the documentation of one version.

Docusaurus uses `versioned_docs/version-1.2/`, other tools `docs/v1.2/` or `content/en/v1.2/`; mike writes `1.2/` on a
separate branch. A path with `{version}`, such as `docs/{version}/glossary.md`, matches all of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from sitegen.config.patterns import literal
from sitegen.sources.git.process import Objects
from sitegen.sources.git.trees import Trees
from sitegen.text.release_names import HEADS, name_releases, parse_label

PLACEHOLDER = "{version}"
MAX_BYTES = 1024 * 1024
"""The maximum size of `versions.json`."""
ALIASES = frozenset("latest stable current".split())
"""Names of folders that duplicate another version."""


def released_folders(objects: Objects, trees: Trees, tree: str, template: str) -> Mapping[str, str]:
    """Returns the path of each version's glossary that matches the template in a tree, by release name.

    A folder counts if its name contains a version or is a name for the unreleased state, such as `next`. Folders that
    mike's `versions.json` lists as aliases of a version do not count.
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
    aliases = _aliases(objects, trees, above)
    labels = [label for label in folders if is_version(label) and label not in aliases]
    names = name_releases(labels)
    places = {
        names[label]: "/".join(literal(part) for part in (*parts[:at], folders[label], *parts[at + 1 :]))
        for label in labels
    }
    return {name: place for name, place in places.items() if trees.find(tree, place).files}


def _aliases(objects: Objects, trees: Trees, folder: str) -> frozenset[str]:
    """Returns the aliases in mike's `versions.json`: `[{"version": "1.2", "aliases": ["latest"]}]`."""
    id = trees.file(folder, "versions.json")
    blobs = [*objects.read([id], limit=MAX_BYTES)] if id else []
    versions: object = None
    with suppress(ValueError, RecursionError):
        versions = json.loads(blobs[0].data or b"null") if blobs else None
    listed = [one.get("aliases") for one in versions if isinstance(one, dict)] if isinstance(versions, list) else []
    return frozenset(str(alias) for aliases in listed if isinstance(aliases, list) for alias in aliases)


def is_version(name: str) -> bool:
    """True if a folder with this name contains one version's documentation."""
    return name.lower() not in ALIASES and (name.lower() in HEADS or parse_label(name).scheme != "word")
