"""Finds the files below a folder that match a configured path, and reports irregular entries.

The folder is one of a commit (`git_trees`), or on disk (`folder_trees`).

Also finds folders that each contain the documentation of one version: Docusaurus uses
`versioned_docs/version-1.2/`, other tools `docs/v1.2/` or `content/en/v1.2/`; mike writes `1.2/` on
a separate branch. A path with `{version}`, such as `docs/{version}/glossary.md`, matches all of
them.

Listings are cached by the tree's object id, the rest of the pattern and the depth, so that a folder
that did not change from release to release is walked once. The cache also makes it cheap to refuse
a small repository that claims to have billions of files.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import NamedTuple

from sitegen.config import patterns
from sitegen.model import ProblemKind, Trouble
from sitegen.sources.language_tags import without_translations
from sitegen.text.decoding import Decoded
from sitegen.text.release_names import is_version, name_releases

MAX_DEPTH = 64
MAX_FILES = 20_000
"""The maximum number of files that a path may match at one release: more than any real folder of
term files."""
MAX_REFUSED = 50

LINK = Trouble(
    ProblemKind.NOT_READ,
    "a symbolic link, which is not followed",
    "name what it leads to, or put that in its place",
)
HIDDEN_NAME = Trouble(ProblemKind.NOT_READ, "a name that cannot be shown", "rename it")
NO_FILE = Trouble(ProblemKind.NOT_READ, "neither a file nor a folder")
TOO_DEEP = Trouble(
    ProblemKind.LIMIT, "folders too deep within each other", f"at most {MAX_DEPTH} are followed"
)
TOO_MANY = Trouble(
    ProblemKind.LIMIT, f"more than {MAX_FILES:,} files are meant", "name a smaller folder"
)

PLACEHOLDER = "{version}"
TRAPS = frozenset({"", ".", "..", ".git"})
"""Names that git never writes into a tree. They have led to vulnerabilities in other programs."""


class TreeEntry(NamedTuple):
    """A file or a folder in a folder."""

    name: str
    id: str
    is_folder: bool
    trouble: Trouble | None
    """The reason why it is not read; None for regular files and folders."""


@dataclass
class TreeListing:
    """The files that match a pattern, and the files that are refused, by their paths below the
    listed folder."""

    files: dict[str, str] = field(default_factory=dict)
    """Maps paths to ids."""
    refused: dict[str, Trouble] = field(default_factory=dict)

    def add(self, path: str, id: str) -> None:
        """Adds a file."""
        # One more than the maximum shows that there are too many.
        if len(self.files) <= MAX_FILES:
            self.files[path] = id

    def refuse(self, path: str, trouble: Trouble) -> None:
        """Adds the reason why a path is not read."""
        if len(self.refused) < MAX_REFUSED:
            self.refused[path] = trouble

    def include(self, folder: str, below: TreeListing) -> None:
        """Adds the listing of a folder, whose paths are below that folder."""
        for path, id in below.files.items():
            self.add(f"{folder}/{path}", id)
        for path, trouble in below.refused.items():
            # An empty path is the folder itself.
            self.refuse(f"{folder}/{path}".rstrip("/"), trouble)


class Trees(ABC):
    """Finds and reads the files below folders. Each folder is listed once."""

    def __init__(self) -> None:
        self._entries: dict[str, Mapping[str, TreeEntry] | Trouble] = {}
        """The entries of each folder by its id, or the reason why it cannot be listed."""
        self._listings: dict[tuple[str, patterns.Rest, int], TreeListing] = {}

    @abstractmethod
    def _read_entries(self, id: str) -> Mapping[str, TreeEntry] | Trouble:
        """Reads the entries of a folder by name, or the reason why it cannot be listed."""

    @abstractmethod
    def texts(self, places: Mapping[str, str], encoding: str) -> Mapping[str, Decoded]:
        """Returns the texts of files by their ids; `places` has their paths, for messages, and
        `encoding` is as in site.toml. If a file cannot be read, its text is None, and its problem
        says why."""

    @abstractmethod
    def content(self, id: str) -> bytes | None:
        """Returns the content of a file, which another file includes or shows; None if the file may
        not be read."""

    def listed(self, id: str) -> Mapping[str, TreeEntry] | Trouble:
        """Returns the entries of a folder by name, or the reason why it cannot be listed."""
        if id not in self._entries:
            self._entries[id] = self._read_entries(id)
        return self._entries[id]

    def entries(self, id: str) -> Mapping[str, TreeEntry]:
        """Returns the entries of a folder by name; none if it cannot be listed. Entries that are
        not read, such as links, are among them."""
        entries = self.listed(id)
        if isinstance(entries, Trouble):
            return {}
        return entries

    def find(self, tree: str, pattern: str) -> TreeListing:
        """Returns the files below a folder that match a path or pattern."""
        listing = self._cached_listing(tree, patterns.start(pattern), depth=0)
        if len(listing.files) <= MAX_FILES:
            return listing
        return TreeListing(refused={pattern: TOO_MANY})

    def below(self, tree: str, path: str) -> str | None:
        """Returns the id of the folder at a path within another; None if there is none. `.` is the
        folder itself."""
        if path in ("", "."):
            return tree
        for name in path.split("/"):
            entry = self.entries(tree).get(name)
            if entry is None or entry.trouble or not entry.is_folder:
                return None
            tree = entry.id
        return tree

    def file(self, tree: str, path: str) -> str | None:
        """Returns the id of the file at a path; None if there is none."""
        folder, _, name = path.rpartition("/")
        tree_of_file = self.below(tree, folder)
        if tree_of_file is None:
            return None
        entry = self.entries(tree_of_file).get(name)
        if entry is None or entry.trouble or entry.is_folder:
            return None
        return entry.id

    def _cached_listing(self, id: str, rest: patterns.Rest, *, depth: int) -> TreeListing:
        """Returns the result of `_listing`, which is called once for each folder, rest and
        depth."""
        if (id, rest, depth) not in self._listings:
            self._listings[id, rest, depth] = self._listing(id, rest, depth=depth)
        return self._listings[id, rest, depth]

    def _listing(self, id: str, rest: patterns.Rest, *, depth: int) -> TreeListing:
        """Returns the files below a folder that match `rest`: the parts of a pattern that are left
        for paths below this folder, such as `*.md` of `docs/*.md` for `docs`."""
        tree = self.listed(id)
        if isinstance(tree, Trouble):
            return TreeListing(refused={"": tree})
        if depth > MAX_DEPTH:
            return TreeListing(refused={"": TOO_DEEP})
        listing = TreeListing()
        for name, entry in tree.items():
            if entry.trouble:
                # Unreadable files with other names are probably not of the glossary.
                if is_trap(name) or patterns.asks_for(rest, name):
                    listing.refuse(name, entry.trouble)
            elif entry.is_folder:
                rest_below = patterns.advance(rest, name)
                if rest_below:
                    below = self._cached_listing(entry.id, rest_below, depth=depth + 1)
                    listing.include(name, below)
            elif patterns.is_matched(rest, name):
                listing.add(name, entry.id)
        return listing


class TreeFiles:
    """The files of one release, by their paths below a folder. The methods raise OSError if a disk
    fails."""

    def __init__(self, trees: Trees, tree: str) -> None:
        self._trees = trees
        self._tree = tree

    def id(self, path: str) -> str | None:
        """Returns the id of the content of a file; None if there is none."""
        return self._trees.file(self._tree, path)

    def has(self, path: str) -> bool:
        """True if there is a file at a path."""
        return self.id(path) is not None

    def read(self, path: str) -> bytes | None:
        """Returns the content of a file; None if there is none, or it may not be read."""
        id = self.id(path)
        if id is None:
            return None
        return self._trees.content(id)

    def find(self, pattern: str) -> tuple[str, ...]:
        """Returns the paths that a pattern matches."""
        return tuple(self._trees.find(self._tree, pattern).files)


def find_files(trees: Trees, tree: str, paths: Sequence[str]) -> TreeListing:
    """Returns the files of the first path that has any. If no path has files, returns the reasons
    why they cannot be read."""
    refused: dict[str, Trouble] = {}
    for path in paths:
        listing = trees.find(tree, path)
        if listing.files:
            return replace(listing, files=without_translations(listing.files))
        refused |= listing.refused
    return TreeListing(refused=refused)


def released_folders(trees: Trees, tree: str, template: str) -> Mapping[str, str]:
    """Returns the pattern of each release's glossary by the name of the release. The template
    `docs/{version}/words.md` may give `{"1.2": "docs/v1.2/words.md"}`.

    The text at `{version}` is a version, or a name for the unreleased state, such as `next`.
    """
    # Of `docs/v{version}-en/words.md`, these are `docs`, `v`, `-en` and `words.md`.
    before, _, after = template.partition(PLACEHOLDER)
    above, _, beginning = before.rpartition("/")
    ending, slash, below = after.partition("/")
    parent = trees.below(tree, above)
    if parent is None:
        return {}
    folder_by_version = _folder_by_version(trees.entries(parent), beginning, ending)
    pattern_by_release = {}
    for version, release in name_releases(folder_by_version).items():
        folder = str(PurePosixPath(above, folder_by_version[version]))
        pattern = patterns.literal(f"{folder}{slash}{below}")
        if trees.find(tree, pattern).files:
            pattern_by_release[release] = pattern
    return pattern_by_release


def _folder_by_version(
    entries: Mapping[str, TreeEntry], beginning: str, ending: str
) -> Mapping[str, str]:
    """Returns the names of folders that have a version between this beginning and ending, by the
    version: `{"v1": "docs-v1"}` for `docs-` and an empty ending."""
    versions = re.compile(f"{re.escape(beginning)}(.+){re.escape(ending)}", re.DOTALL)
    by_version = {}
    for name, entry in entries.items():
        match = versions.fullmatch(name)
        is_read = entry.is_folder and not entry.trouble
        if match and is_read and is_version(match[1]):
            by_version[match[1]] = name
    return by_version


def is_trap(name: str) -> bool:
    """True for a name that no entry may have."""
    return name.lower() in TRAPS or "/" in name
