"""The folders and files below a folder on disk, of which no link is followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from operator import attrgetter
from pathlib import Path, PurePosixPath

from sitegen.config.patterns import COMPANIONS
from sitegen.config.values import shown
from sitegen.model import ProblemKind, SitegenError, Trouble
from sitegen.safe_files import read_real, real_path
from sitegen.sources.trees import HIDDEN_NAME, LINK, NO_FILE, TreeEntry, Trees
from sitegen.text import images
from sitegen.text.decoding import (
    MAX_DOCUMENT_BYTES,
    Decoded,
    decode,
    is_plain,
    refused,
    too_large,
)
from sitegen.text.release_names import is_version

MARKER = ".sitegen"
"""The name of the file that marks a folder as a site built by sitegen, which a later build may
replace."""

ROOT = "."
"""The id of the root of `FolderTrees`."""
GONE = (FileNotFoundError, NotADirectoryError, PermissionError)
"""Errors that say that there is nothing that may be read; others say that a disk or a system
fails."""


def is_site(folder: Path) -> bool:
    """True if a folder is readable and contains a site built by sitegen, or one being built."""
    with suppress(*GONE):
        return stat.S_ISREG((folder / MARKER).lstat().st_mode)
    return False


def may_hold_glossaries(folder: Path) -> bool:
    """True if a folder has a folder for a release, such as `1.0`, or files and no folders: those
    are one release. Built sites do not count as folders."""
    names = []
    has_files = False
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if not Path(entry).is_dir():  # `entry` fails for a link in a circle
                has_files = True
            elif not is_site(Path(entry)):
                names.append(entry.name)
    if not names:
        return has_files
    return any(map(is_version, names))


def failure(error: OSError) -> Trouble:
    """Converts an OSError to a finding and advice for the user."""
    if isinstance(error, PermissionError):
        advice = "give yourself permission, or leave it out"
        return Trouble(ProblemKind.UNREADABLE, "no permission to read it", advice)
    return Trouble(ProblemKind.UNREADABLE, f"cannot be read: {error.strerror or error}")


class FolderTrees(Trees):
    """The folders below one on disk, without following links. The id of a file or a folder is its
    path."""

    def __init__(self, root: Path) -> None:
        """Raises OSError if the folder cannot be listed, and UnsafeFileError if a link leads out of
        the current folder."""
        super().__init__()
        self._root = real_path(root)
        self._shown = root
        """The folder as it is named in messages."""
        self._error: OSError | None = None
        """The last error of the disk or the system in listing a folder."""
        self._entries[ROOT] = self._entries_of("")

    def _read_entries(self, id: str) -> Mapping[str, TreeEntry] | Trouble:
        """Returns the entries of a folder by name, or the reason why it cannot be listed. Keeps the
        error if a disk or a system fails."""
        try:
            return self._entries_of(id)
        except OSError as error:
            if not isinstance(error, GONE):
                self._error = error
            return failure(error)

    def _entries_of(self, folder: str) -> Mapping[str, TreeEntry]:
        """Returns the entries of a folder by name, in the order of their paths. A built site has
        only its marker: no page of a site is a document."""
        entries = []
        with os.scandir(self._root / folder) as listed:
            for file in listed:
                path = os.path.join(folder, file.name)  # noqa: PTH118 - the folder may be empty
                with suppress(FileNotFoundError):  # deleted meanwhile
                    status = file.stat(follow_symlinks=False)
                    if file.name == MARKER and stat.S_ISREG(status.st_mode):
                        return {MARKER: TreeEntry(MARKER, path, is_folder=False, trouble=None)}
                    entry = _entry(path, file.name, status)
                    if entry:
                        entries.append(entry)
        entries.sort(key=attrgetter("id"))  # the path
        return {entry.name: entry for entry in entries}

    def file(self, tree: str, path: str) -> str | None:
        """Returns the id of the file at a path; None if there is none, or it is hidden. Raises
        OSError if a folder could not be listed, as the file may be in it."""
        if "/." in f"/{path}":
            return None
        id = super().file(tree, path)
        if id is None and self._error:
            raise self._error
        return id

    def texts(self, places: Mapping[str, str], encoding: str) -> Mapping[str, Decoded]:
        """Returns the texts of files by their ids."""
        return {id: self._text(id, path, encoding) for id, path in places.items()}

    def _text(self, id: str, path: str, encoding: str) -> Decoded:
        """Returns the text of a file that was listed."""
        try:
            size = (self._root / id).lstat().st_size
            if size > MAX_DOCUMENT_BYTES:
                return refused(path, too_large(path, size))
            content = self._read(id, limit=MAX_DOCUMENT_BYTES)
        except OSError as error:
            return refused(path, failure(error))
        return decode(content, path=path, configured=encoding)

    def content(self, id: str) -> bytes | None:
        """Returns the content of a file that another one includes or shows; None if it may not be
        read."""
        with suppress(SitegenError, *GONE):
            return self._read(id, limit=images.MAX_IMAGE_BYTES)
        return None

    def _read(self, id: str, *, limit: int) -> bytes:
        """Returns the content of a file that was listed. Raises as `safe_files.read` does."""
        return read_real(self._root / id, limit=limit, shown=self._shown / id)


def _entry(path: str, name: str, status: os.stat_result) -> TreeEntry | None:
    """Returns the entry of a file or a folder. Returns None for `.git`, and for images and the like
    that cannot be read: they are no glossaries, so nothing is reported."""
    if name == ".git":
        return None
    trouble = _trouble(name, status)
    is_folder = stat.S_ISDIR(status.st_mode)
    is_companion = PurePosixPath(name).suffix.lower() in COMPANIONS
    if trouble and is_companion and not is_folder:
        return None
    if not is_plain(name):
        name = shown(name)
    return TreeEntry(name, path, is_folder, trouble)


def _trouble(name: str, status: os.stat_result) -> Trouble | None:
    """Returns the reason why an entry is not read, or None. Only regular files and folders are
    read."""
    if not is_plain(name):
        return HIDDEN_NAME
    if stat.S_ISLNK(status.st_mode):
        return LINK
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return None
    return NO_FILE
