"""Writes the site folder: fills a tree beside it and exchanges the two at the end.

The exchange is one atomic step, so the folder always holds a complete site. No file is changed in
place. All paths are inside the folder, and no two are equal on a file system that ignores case or
Unicode normal form.

The file that marks a site records the name and the digest of each file that the build wrote. A
build replaces a site only if every file in it is recorded with the content that it has, so that a
file that a person put into the folder, or changed there, is never lost. A checkout can bring a site
with a forged record: its author can make a build delete only files whose content is known to the
author.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

from sitegen.config.values import ON_EVERY_DISK
from sitegen.model import File, SitegenError, digest, first_of
from sitegen.pipeline import staging
from sitegen.safe_files import CREATE, FILE_MODE, FOLDER_MODE, read_real, real_path, write_all
from sitegen.sources.folder_trees import MARKER
from sitegen.text.file_names import is_portable_name
from sitegen.text.words import case_folded

MARKER_TEXT = (
    b"This site was built by sitegen. The next build replaces the files that are listed here.\n"
)
MAX_RECORD = 256 * 1024 * 1024
"""The maximum size of a record in bytes: about two million files."""
MAX_FILE = 1024 * 1024 * 1024
"""The maximum size of a file of a site, in bytes."""

Digests = Mapping[str, str]
"""The digests of files, by path."""


@contextmanager
def rebuilding(
    folder: Path, *, during_exchange: AbstractContextManager[None] | None = None
) -> Iterator[SiteTree]:
    """Context manager that yields an empty tree for the files of a site, and makes it the site at
    the end.

    The exchange happens inside the context manager `during_exchange`, which may raise to prevent
    it. Raises SitegenError if the folder has files that the last build did not write, if a path
    leads outside of it, if two paths are equal on some file systems, or if writing fails. The
    previous site is then unchanged.
    """
    try:
        with staging.tree(real_path(folder)) as staged:
            tree = SiteTree(staged.path)
            yield tree
            _check_distinct((*tree.digests, MARKER))
            tree.put(File(path=MARKER, content=record(tree.digests)))
            staging.flush(staged.opened)
            with during_exchange or nullcontext():
                staging.lock_site(staged)
                _check_recorded(staged.site, folder)
                staging.swap(staged)
    except OSError as error:
        found = f"the site could not be written: {error.strerror or error}"
        raise SitegenError(f"{folder}: {found}; name another folder with --output") from error


class SiteTree:
    """The next site while it is written. Several processes may write different files of it."""

    def __init__(self, root: Path) -> None:
        """`root` is an empty folder."""
        self.digests: dict[str, str] = {}
        """The digest of every file of the next site, by path."""
        self._root = root
        self._folders: set[str] = set()
        """Folders that exist and whose names are portable."""
        root.chmod(FOLDER_MODE)

    def put(self, file: File) -> str:
        """Adds a file to the next site, and returns its digest.

        Raises SitegenError if a file with its path was added already.
        """
        # A file with the path of a folder is not written: `_check_distinct` reports the two.
        with suppress(IsADirectoryError, NotADirectoryError):
            self._create_folders(file.path)
            self._write(file)
        content_digest = digest(file.content).hex()
        self.adopt({file.path: content_digest})
        return content_digest

    def adopt(self, digests: Digests) -> None:
        """Adds files that this process or a worker has written to the next site.

        Raises SitegenError if a file with one of the paths was added already.
        """
        for path in digests:
            if path in self.digests:
                raise _clash(path, path)
        self.digests.update(digests)

    def _create_folders(self, path: str) -> None:
        """Creates the folders of a file; raises SitegenError if its path is not portable."""
        missing_folders = list(_new_folders_above(path, known=self._folders))
        for new_path in (path, *missing_folders):
            _, _, name = new_path.rpartition("/")
            if not is_portable_name(name):
                found = "not a path inside its folder that every disk can hold"
                raise SitegenError(f"{path!r}: {found}; {ON_EVERY_DISK}")
        outermost_first = reversed(missing_folders)
        for path_of_folder in outermost_first:
            folder = self._root / path_of_folder
            with suppress(FileExistsError):  # another process has created it
                folder.mkdir(FOLDER_MODE)
            folder.chmod(FOLDER_MODE)  # independent of the umask and of the parent folder
            self._folders.add(path_of_folder)

    def _write(self, file: File) -> None:
        """Writes a file, whose folder is there."""
        opened = _created(f"{self._root}/{file.path}")
        try:
            os.fchmod(opened, FILE_MODE)  # independent of the umask
            write_all(opened, file.content)
        finally:
            os.close(opened)


def _created(path: str) -> int:
    """Creates and opens a file; deletes the file that a worker left at its path before it was
    killed."""
    try:
        return os.open(path, CREATE, FILE_MODE)
    except FileExistsError:
        Path(path).unlink()
        return os.open(path, CREATE, FILE_MODE)


def _clash(one: str, two: str) -> SitegenError:
    """Returns the error for two files with the same path, or with paths that are equal on some file
    systems."""
    if one == two:
        wanted = "rename the one that [theme] or [[redirect]] adds"
        return SitegenError(f"{one!r}: two files of the site have this name; {wanted}")
    return SitegenError(
        f"{one!r} and {two!r}: two files that some disks take for one; rename one of the pages, "
        f"or correct site.toml"
    )


def _check_distinct(paths: Iterable[str]) -> None:
    """Raises SitegenError if two paths are equal on a file system that ignores case or Unicode
    normal form."""
    known_folders: set[str] = set()
    path_of_folded: dict[str, str] = {}
    for path in paths:
        new_folders = tuple(_new_folders_above(path, known=known_folders))
        known_folders.update(new_folders)
        for folded in map(case_folded, (*new_folders, path)):
            if folded in path_of_folded:
                raise _clash(path_of_folded[folded], path)
            path_of_folded[folded] = path


def _new_folders_above(path: str, *, known: Collection[str]) -> Iterator[str]:
    """Yields the folders above a file, innermost first, until one is known. If `term` is known,
    `term/tensor/1.0/index.html` gives `term/tensor/1.0` and `term/tensor`."""
    folder, slash, _name = path.rpartition("/")
    while slash and folder not in known:
        yield folder
        folder, slash, _name = folder.rpartition("/")


# The record.


def record(digests: Digests) -> bytes:
    """Returns the content of the file that marks a site with these files."""
    lines = [f"{file_digest} {path}\n" for path, file_digest in sorted(digests.items())]
    return MARKER_TEXT + "".join(lines).encode("utf-8", "surrogateescape")


def recorded_digests(content: bytes) -> Digests:
    """Returns the digests in the content of the file that marks a site, without damaged lines.

    >>> recorded_digests(MARKER_TEXT + b"9c4d term/tensor/index.html")
    {'term/tensor/index.html': '9c4d'}
    """
    _marker_text, *lines = content.decode("utf-8", "surrogateescape").split("\n")
    digests = {}
    for line in lines:
        file_digest, space, path = line.partition(" ")
        if space:
            digests[path] = file_digest
    return digests


def _check_recorded(site: Path, shown: Path) -> None:
    """Raises SitegenError if a site has files that are not in its record, or that differ from it.

    `site` is a path without links, and `shown` that in the message.
    """
    recorded: Digests = {}
    with suppress(FileNotFoundError):
        content = read_real(site / MARKER, limit=MAX_RECORD, shown=site / MARKER)
        recorded = recorded_digests(content)
    foreign = []
    for path in files_in(site):
        # A file that is not recorded is not read: the folder may be that of a person.
        is_as_recorded = path in recorded and _has_digest(site / path, recorded[path])
        if path != MARKER and not is_as_recorded:
            foreign.append(path)
    if foreign:
        found = "the last build did not write these files, or they were changed"
        elsewhere = "a folder that `files` in [theme] names has files to publish with the site"
        wanted = f"name another folder with --output, or move them elsewhere ({elsewhere})"
        raise SitegenError(f"{shown}: {found}: {first_of(sorted(foreign))}; {wanted}")


def files_in(root: Path) -> Iterator[str]:
    """Yields the paths of all files below a folder, and of everything else that is not a folder,
    such as links, which are not followed."""
    folders_to_list = [""]
    while folders_to_list:
        folder = folders_to_list.pop()
        with os.scandir(root / folder) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    folders_to_list.append(path)
                else:
                    yield path


def _has_digest(path: Path, expected: str) -> bool:
    """True if a file has a digest; False also if it cannot be read, or is no regular file."""
    with suppress(OSError, SitegenError):
        return digest(read_real(path, limit=MAX_FILE, shown=path)).hex() == expected
    return False
