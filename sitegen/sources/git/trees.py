"""Finds the files of a commit that match a configured path, by reading its trees, and reports irregular entries.

Listings are cached by the tree's object id and the rest of the pattern, so that a folder that did not change from
release to release is walked once, unless it is now at a smaller depth at which more of it is within the depth limit.
The cache also makes it cheap to refuse a small repository that claims to have billions of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from sitegen.config import patterns
from sitegen.sources.git.process import Objects
from sitegen.sources.snapshots import Trouble
from sitegen.text.decoding import is_plain

MAX_TREE_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_FILES = 20_000
"""The maximum number of files that a path may match at one release: more than any real folder of term files."""
MAX_REFUSED = 50
MAX_NAMES = 200_000
"""Size of the cache of names in trees: most names occur at every release. A quarter of the time of `init`."""

RAW_ENTRY = {length: re.compile(rb"([^ \0]*) ([^\0]*)\0(.{%d})" % length, re.DOTALL) for length in (20, 32)}
"""Matches an entry of a tree, by the length of an object id."""
FOLDER, LINK, SUBMODULE = "40000", "120000", "160000"
TRAPS = frozenset({"", ".", "..", ".git"})
"""Names that git never writes into a tree. They have led to vulnerabilities in other programs."""
RAW_TRAPS = frozenset(name.encode() for name in TRAPS)


@dataclass(slots=True)
class TreeListing:
    """The files that match a pattern, and those that are not read; paths are relative to the listed folder."""

    files: dict[str, str] = field(default_factory=dict)
    """Maps paths to object ids."""
    refused: dict[str, Trouble] = field(default_factory=dict)
    least: int = 0
    """The minimum depth of the folder for which this listing is valid: nearer the root, the limit allows more."""

    def add(self, path: str, id: str) -> None:
        if path in self.files:
            self.refuse(path, ("stands twice in its folder", "which of the two is meant is not known"))
        elif len(self.files) <= MAX_FILES and path not in self.refused:
            self.files[path] = id

    def refuse(self, path: str, trouble: Trouble) -> None:
        self.files.pop(path, None)
        if len(self.refused) < MAX_REFUSED:
            self.refused[path] = trouble

    def include(self, folder: str, below: TreeListing) -> None:
        self.least = max(self.least, below.least - 1)
        for path, id in below.files.items():
            self.add(f"{folder}/{path}", id)
        for path, trouble in below.refused.items():
            self.refuse(f"{folder}/{path}".rstrip("/"), trouble)


RawEntry = tuple[bytes, bytes, bytes]
"""Mode, name and id of an entry, as bytes. Most entries are never decoded."""


@dataclass(frozen=True, slots=True)
class _Tree:
    entries: list[RawEntry]
    by_name: dict[bytes, RawEntry]
    is_odd: bool
    """True if a name occurs twice, or is not allowed in a tree."""


class _TreeEntry(NamedTuple):
    mode: str
    name: str
    trouble: Trouble | None
    """The reason why it is not read; None for regular files and folders."""
    id: str


class Trees:
    """Reads trees of a repository, each of them once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._entries: dict[str, _Tree | None] = {}
        self._listings: dict[tuple[str, patterns.Rest], TreeListing] = {}

    def fetch(self, ids: Iterable[str]) -> None:
        """Reads several trees in one batch, before they are used."""
        missing = [id for id in ids if id not in self._entries]
        for object in self._objects.read(missing, limit=MAX_TREE_BYTES):
            is_tree = object.kind == "tree" and object.data is not None
            self._entries[object.id] = _parse(object.data or b"", len(object.id) // 2) if is_tree else None

    def find(self, tree: str, pattern: str) -> TreeListing:
        """Returns the files in the tree of a commit that match a path or pattern."""
        listing = self._walk(tree, patterns.start(pattern), depth=0)
        if len(listing.files) <= MAX_FILES:
            return listing
        return TreeListing(refused={pattern: (f"more than {MAX_FILES:,} files are meant", "name a smaller folder")})

    def below(self, tree: str, path: str) -> str | None:
        """Returns the id of the folder at a path within another; None if there is none. `.` is the folder itself."""
        for name in path.split("/"):
            if name in ("", "."):
                continue
            found = self.folders(tree, frozenset([name]))
            if name not in found:
                return None
            tree = found[name]
        return tree

    def folders(self, tree: str, names: frozenset[str] | None = None) -> Mapping[str, str]:
        """Returns the ids of the folders directly in a folder by name, hidden ones too; or only of `names`."""
        return {entry.name: entry.id for entry in self._plain(tree, names, are_folders=True)}

    def files(self, tree: str, names: frozenset[str] | None = None) -> Mapping[str, str]:
        """Returns the ids of the files directly in a folder by name, hidden ones too; or only of `names`."""
        return {entry.name: entry.id for entry in self._plain(tree, names, are_folders=False)}

    def file(self, tree: str, path: str) -> str | None:
        """Returns the id of the file at a path; None if there is none."""
        above, _, name = path.rpartition("/")
        folder = self.below(tree, above)
        return self.files(folder, frozenset([name])).get(name) if folder else None

    def _plain(self, tree: str, names: frozenset[str] | None, *, are_folders: bool) -> Iterator[_TreeEntry]:
        """Returns the entries of a folder that are folders, or those that are regular files."""
        if tree not in self._entries:
            self.fetch([tree])
        entries = _named(self._entries[tree], names)
        chosen = (entry for entry in entries if entry[0].endswith(b"40000") == are_folders)
        return (entry for entry in map(_entry, chosen) if entry.trouble is None)

    def _walk(self, tree: str, rest: patterns.Rest, *, depth: int) -> TreeListing:
        known = self._listings.get((tree, rest))
        if known is None or depth < known.least:
            known = self._listings[tree, rest] = self._list(tree, rest, depth=depth)
        return known

    def _list(self, tree: str, rest: patterns.Rest, *, depth: int) -> TreeListing:
        if tree not in self._entries:
            self.fetch([tree])
        entries = self._entries[tree]
        listing = TreeListing()
        if entries is None:
            listing.refuse("", ("a folder that is missing, damaged or too large", "`git fsck` may tell more"))
        elif depth > MAX_DEPTH:
            listing.least = depth
            listing.refuse("", ("folders too deep within each other", f"at most {MAX_DEPTH} are followed"))
        else:
            for entry in _named(entries, patterns.first_names(rest)):
                self._take(listing, _entry(entry), rest, depth=depth)
        return listing

    def _take(self, listing: TreeListing, entry: _TreeEntry, rest: patterns.Rest, *, depth: int) -> None:
        after = patterns.advance(rest, entry.name)
        if entry.trouble:
            if _is_trap(entry.name) or patterns.is_named(rest, entry.name):
                listing.refuse(entry.name, entry.trouble)
        elif entry.mode == FOLDER and after:
            listing.include(entry.name, self._walk(entry.id, after, depth=depth + 1))
        elif entry.mode != FOLDER and patterns.is_matched(rest, entry.name):
            listing.add(entry.name, entry.id)


def _parse(data: bytes, id_length: int) -> _Tree | None:
    """Parses a tree object, a sequence of `mode name NUL id`. Returns None if it is damaged."""
    entries: list[RawEntry] = RAW_ENTRY[id_length].findall(data)
    parsed = sum([len(mode) + len(name) for mode, name, _ in entries]) + len(entries) * (id_length + 2)
    if parsed != len(data):
        return None
    by_name = {entry[1]: entry for entry in entries}
    names = b"\0".join(by_name).lower()
    is_odd = len(by_name) < len(entries) or b"/" in names or not RAW_TRAPS.isdisjoint(names.split(b"\0"))
    return _Tree(entries, by_name, is_odd)


def _named(tree: _Tree | None, names: frozenset[str] | None) -> Iterable[RawEntry]:
    """Returns the entries with these names; all entries if `names` is None, or if the tree is odd."""
    if tree is None:
        return ()
    if names is None or tree.is_odd:
        return tree.entries
    raw = (name.encode("utf-8", "surrogatepass") for name in sorted(names))
    return [tree.by_name[name] for name in raw if name in tree.by_name]


def _entry(raw: RawEntry) -> _TreeEntry:
    mode, name, id = raw
    return _TreeEntry(*_checked(mode, name), id.hex())


@lru_cache(maxsize=MAX_NAMES)
def _checked(raw_mode: bytes, raw: bytes) -> tuple[str, str, Trouble | None]:
    """Returns mode and name of an entry as text, and the reason why it is not read."""
    mode, name = raw_mode.decode("ascii", "replace").lstrip("0"), raw.decode("utf-8", "backslashreplace")
    if not is_plain(name):
        name = ascii(name)[1:-1]
        return mode, name, _trouble(mode, name, is_text=False)
    return mode, name, _trouble(mode, name, is_text=raw.isascii() or name.encode() == raw)


def _trouble(mode: str, name: str, *, is_text: bool) -> Trouble | None:
    if _is_trap(name):
        return "no file or folder may have this name", ""
    if not is_text:
        return "a name that cannot be shown", "rename it"
    if mode == LINK:
        return "a symbolic link, which is not followed", "name what it leads to"
    if mode == SUBMODULE:
        return "a submodule, which is another repository", "make it a source of its own"
    return None if mode == FOLDER or mode.startswith("100") else ("neither a file nor a folder", "")


def _is_trap(name: str) -> bool:
    return name.lower() in TRAPS or "/" in name
