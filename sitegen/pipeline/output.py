"""Writes the site folder: fills a tree beside it and exchanges the two at the end.

The exchange is one atomic step, so the folder always holds a complete site. No file is changed in
place. All paths are inside the folder, and no two are equal on a file system that ignores case or
Unicode normal form. What a build wrote is recorded in the file that marks a site (`build_record`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from sitegen.model import File, SitegenError, digest
from sitegen.pipeline import staging
from sitegen.pipeline.build_record import BuildRecord, check_recorded
from sitegen.safe_files import CREATE, FILE_MODE, FOLDER_MODE, real_path, write_all
from sitegen.sources.folder_trees import MARKER, is_site
from sitegen.text.file_names import folded_path, is_portable_name


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
        _check_folder(folder)
        with staging.tree(real_path(folder)) as staged:
            _check_site(staged.site, folder)
            tree = SiteTree(staged.path)
            yield tree
            _check_distinct((*tree.digests, MARKER))
            record = replace(tree.record, digests=tree.digests)
            tree.put(File(path=MARKER, content=record.content()))
            staging.flush(staged.opened)
            with during_exchange or nullcontext():
                # Checked again, as another build or a person may have changed the site meanwhile.
                staging.lock_site(staged)
                _check_site(staged.site, folder)
                check_recorded(staged.site, folder)
                staging.swap(staged)
    except OSError as error:
        found = f"the site could not be written: {error.strerror or error}"
        raise SitegenError(f"{folder}: {found}; name another folder with --output") from error


def _check_folder(folder: Path) -> None:
    """Raises SitegenError if the path of the site is that of a link or a file."""
    with suppress(FileNotFoundError):
        mode = folder.lstat().st_mode
        if stat.S_ISLNK(mode):
            real = os.path.realpath(folder)
            raise SitegenError(f"{folder}: is a symbolic link; name the folder it leads to, {real}")
        if not stat.S_ISDIR(mode):
            raise SitegenError(f"{folder}: is a file; the site needs a folder of its own")


def _check_site(site: Path, folder: Path) -> None:
    """Raises SitegenError if the folder in the place of the site has anything but a site."""
    with suppress(FileNotFoundError):
        before = site.lstat()
        is_foreign = not is_site(site) and any(site.iterdir())
        # If another build has replaced the folder meanwhile, the answer mixes two sites, and the
        # check before the exchange counts.
        if is_foreign and os.path.samestat(before, site.lstat()):
            raise SitegenError(
                f"{folder}: holds files that sitegen did not write; name a new or an empty folder"
            )


class SiteTree:
    """The next site while it is written. Several processes may write different files of it."""

    def __init__(self, root: Path) -> None:
        """`root` is an empty folder."""
        self.digests: dict[str, str] = {}
        """The digest of every file of the next site, by path."""
        self.record = BuildRecord()
        """What the record of the build says besides these digests."""
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

    def adopt(self, digests: Mapping[str, str]) -> None:
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
        for one in (path, *missing_folders):
            _, _, name = one.rpartition("/")
            if not is_portable_name(name):
                found = "not a path inside its folder that every disk can hold"
                raise SitegenError(f"{path!r}: {found}")
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
            # Independent of the umask, and before the content: `build_record` compares the times.
            if os.fstat(opened).st_mode != stat.S_IFREG | FILE_MODE:
                os.fchmod(opened, FILE_MODE)
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
    """Returns the error for two paths that are equal on some file systems."""
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
        for folded in map(folded_path, (*new_folders, path)):
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
