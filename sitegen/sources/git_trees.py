"""The folders and files of the commits of a repository, which may be hostile.

Links and submodules are not followed, and names that cannot be shown are not read. Files that did
not change from release to release have the same object id, and are read once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sitegen.config.forges import web_of
from sitegen.config.tables import SourceTable
from sitegen.model import ProblemKind, Release, Trouble
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.objects import Object, Objects
from sitegen.sources.git.repositories import Repository
from sitegen.sources.release_documents import read_documents
from sitegen.sources.trees import (
    HIDDEN_NAME,
    LINK,
    NO_FILE,
    TreeEntry,
    Trees,
    find_files,
    is_trap,
)
from sitegen.text.decoding import (
    MAX_DOCUMENT_BYTES,
    Decoded,
    decode,
    is_plain,
    refused,
    too_large,
)

MAX_TREE_BYTES = 16 * 1024 * 1024
RAW_ENTRY = {
    length: re.compile(rb"([^ \0]*) ([^\0]*)\0(.{%d})" % length, re.DOTALL) for length in (20, 32)
}
"""Matches an entry of a tree, by the length of an object id."""
FOLDER, LINK_MODE, SUBMODULE = "40000", "120000", "160000"

DAMAGED_FOLDER = Trouble(
    ProblemKind.REPOSITORY,
    "a folder that is missing, damaged or too large",
    "`git fsck` may say more",
)
FORBIDDEN_NAME = Trouble(ProblemKind.NOT_READ, "no file or folder may have this name")
OTHER_REPOSITORY = Trouble(
    ProblemKind.NOT_READ,
    "a submodule, which is another repository",
    "make it a source of its own",
)


class GitTrees(Trees):
    """The trees and files of a repository, by their object ids."""

    def __init__(self, objects: Objects) -> None:
        super().__init__()
        self.objects = objects
        self._contents: dict[str, bytes | None] = {}

    def _read_entries(self, id: str) -> Mapping[str, TreeEntry] | Trouble:
        """Returns the entries of a tree by name, or the reason why it cannot be read. A built site
        has only the entry of its marker."""
        (object,) = self.objects.read([id], limit=MAX_TREE_BYTES)
        if object.kind != "tree" or object.data is None:
            return DAMAGED_FOLDER
        entries = parse(object.data, len(object.id) // 2)
        if entries is None:
            return DAMAGED_FOLDER
        marker = entries.get(MARKER)
        if marker and not marker.trouble and not marker.is_folder:
            return {MARKER: marker}  # no page of a built site is a document
        return entries

    def texts(self, places: Mapping[str, str], encoding: str) -> Mapping[str, Decoded]:
        """Returns the texts of files by their ids."""
        texts = {}
        for object in self.objects.read(places, limit=MAX_DOCUMENT_BYTES):
            texts[object.name] = decoded(object, places[object.name], encoding)
        return texts

    def content(self, id: str) -> bytes | None:
        """Returns the content of a file; None if it is missing or too large."""
        if id not in self._contents:
            (object,) = self.objects.read([id], limit=MAX_DOCUMENT_BYTES)
            self._contents[id] = object.data
        return self._contents[id]


def parse(data: bytes, id_length: int) -> Mapping[str, TreeEntry] | None:
    """Parses a tree object, a sequence of `mode name NUL id`. Returns its entries by name; None if
    it is damaged. `id_length` is the number of bytes of an id, 20 or 32."""
    length = 0
    entries: dict[str, TreeEntry] = {}
    for raw_mode, raw_name, id in RAW_ENTRY[id_length].findall(data):
        length += len(raw_mode) + len(raw_name) + id_length + 2  # with a space and a NUL
        name, is_folder, trouble = _decoded_entry(raw_mode, raw_name)
        entries[name] = TreeEntry(name, id.hex(), is_folder, trouble)
    if length != len(data):  # `findall` has passed over bytes that are no entry
        return None
    return entries


def _decoded_entry(raw_mode: bytes, raw: bytes) -> tuple[str, bool, Trouble | None]:
    """Returns the name of an entry as text that can be shown, whether it is a folder, and the
    reason why it is not read, or None."""
    mode = raw_mode.decode("ascii", "replace").lstrip("0")
    name = raw.decode("utf-8", "backslashreplace")
    is_utf8 = name.encode() == raw  # else the name has escapes such as `\xff` now
    trouble = _trouble(mode, name, has_plain_name=is_utf8 and is_plain(name))
    if not is_plain(name):
        name = ascii(name)[1:-1]  # without the quotes
    return name, mode == FOLDER, trouble


def _trouble(mode: str, name: str, *, has_plain_name: bool) -> Trouble | None:
    """Returns the reason why an entry of a tree is not read, such as a symbolic link; None for
    regular files and folders."""
    if is_trap(name):
        return FORBIDDEN_NAME
    if not has_plain_name:
        return HIDDEN_NAME
    if mode == LINK_MODE:
        return LINK
    if mode == SUBMODULE:
        return OTHER_REPOSITORY
    if mode == FOLDER or mode.startswith("100"):
        return None
    return NO_FILE


def decoded(object: Object, path: str, encoding: str) -> Decoded:
    """Returns the text of a file. If the file is missing, damaged or too large, the text is None,
    and the problem says why."""
    if object.kind == "blob" and object.data is not None:
        return decode(object.data, path=path, configured=encoding)
    if object.kind == "missing":
        found, wanted = "missing or damaged in the repository", "`git fsck` may say more"
        trouble = Trouble(ProblemKind.REPOSITORY, found, wanted)
    elif object.kind == "blob":
        trouble = too_large(path, object.size)
    else:
        trouble = Trouble(ProblemKind.NOT_READ, f"a {object.kind}, not a file")
    return refused(path, trouble)


class CommitFiles:
    """The files of one source at the commits of its repository."""

    def __init__(self, repository: Repository, table: SourceTable) -> None:
        self.trees = GitTrees(repository.objects)
        self._table = table
        self._web = web_of(repository.remote)

    def with_files(self, release: Release, paths: Sequence[str] = ()) -> Release:
        """Returns a release with the files at `paths`, or else at the paths of the source. On a
        known forge, it also has the addresses of its page and of the lines in its files."""
        listing = find_files(self.trees, release.tree, paths or self._table.paths)
        listed = replace(release, files=listing.files, unread=listing.refused)
        web, label, commit = self._web, release.label, release.commit
        if web is None:
            return listed
        if release.kind == "tag":
            link, lines = web.page("tag", label), web.lines("tag", label)
            return replace(listed, link=link, line_pattern=lines)
        link = web.page("commit", commit)
        if release.kind == "branch":
            link = web.page("branch", label)
        # In a branch, lines move, so their addresses are those of the commit.
        return replace(listed, link=link, line_pattern=web.lines("commit", commit))

    def unreleased(self, tip: Release) -> Release:
        """Returns the unreleased state of a branch."""
        return replace(self.with_files(tip), unreleased=True)

    def read(self, release: Release) -> Release:
        """Returns a release with its documents. The release has its files already."""
        [read], _problems = read_documents([release], self._table, self.trees)
        return read
