"""Writes the site folder: fills a tree beside it and exchanges the two at the end.

The exchange is one atomic step, so the folder always holds a complete site. No file is changed in place. A file that
equals the one in the current site becomes a hard link to it, so a build writes only new and changed files. All paths
are inside the folder, and no two are equal on a file system that ignores case or Unicode normal form.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from sitegen.build import staging
from sitegen.build.file_marks import FILE_MODE, FOLDER, FOLDER_MODE, REGULAR, Mark, is_known, mark_of, mark_with
from sitegen.model import File, SitegenError
from sitegen.sources.safe_files import open_folder, real_path
from sitegen.sources.site_marker import MARKER, MARKER_TEXT, is_site
from sitegen.text.file_names import folded, is_portable

T = TypeVar("T")


class Found(NamedTuple):
    """The relative paths of all files and folders below a folder; the files are not read."""

    files: frozenset[str]
    """Everything that is not a folder, links included."""
    folders: frozenset[str]

    @classmethod
    def below(cls, root: str) -> Found:
        files = []
        folders = [""]
        for folder in folders:  # the list grows while it is iterated
            # A worker may replace a folder by a file at the same time.
            with suppress(FileNotFoundError, NotADirectoryError), os.scandir(root + folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(f"{folder}{entry.name}/")
                    else:
                        files.append(folder + entry.name)
        return cls(frozenset(files), frozenset(folder[:-1] for folder in folders[1:]))


def write_site(folder: Path, files: Iterable[File]) -> int:
    """Replaces the site in a folder by these files, all or none, and returns their number.

    Consumes `files` lazily, so an iterator keeps memory use small. Raises the same errors as `rebuilding`.
    """
    with rebuilding(folder) as tree:
        for file in files:
            tree.put(file)
    return tree.count


@contextmanager
def rebuilding(folder: Path, *, moment: AbstractContextManager[None] | None = None) -> Iterator[Tree]:
    """Context manager that yields an empty tree for the files of a site, and makes it the site at the end.

    The exchange happens inside the context manager `moment`, which may raise to prevent it. Raises SitegenError if
    the folder holds anything but a site, if a path leads outside of it, if two paths are equal on some file systems,
    or if writing fails. The previous site is then unchanged.
    """
    try:
        _check_folder(folder)
        place = _place(folder)
        with staging.tree(place) as root:
            with staging.alone(place):
                _check_replaceable(folder)
            tree = Tree(root, standing=place)
            tree.put(File(path=MARKER, content=MARKER_TEXT))
            yield tree
            tree.finish()
            staging.settle(root)
            with staging.alone(place):
                _replace(root, place, folder, moment or nullcontext())
    except OSError as error:
        message = f"the site could not be written: {error.strerror or error}; name another folder with --output"
        raise SitegenError(f"{folder}: {message}") from error


def _replace(root: Path, place: Path, folder: Path, moment: AbstractContextManager[None]) -> None:
    """Exchanges the tree for the site; undoes the exchange if `moment` raises on exit."""
    is_exchanged = False
    try:
        with moment:
            _check_replaceable(folder)  # its content may have changed since the first check
            staging.swap(root, place)
            is_exchanged = True
    except BaseException:
        if is_exchanged:
            staging.swap_back(root, place)
        raise


def _place(folder: Path) -> Path:
    """Returns the path of a site's folder with links resolved, and creates its parent folders."""
    place = real_path(folder)
    os.close(open_folder(place.parent, create=True))
    return place


def write_new(folder: Path, files: Iterable[File]) -> int:
    """Creates a folder with these files, all or none, and returns their number. Replaces nothing.

    Raises SitegenError as `rebuilding` does, and if the path exists and is not an empty folder.
    """
    try:
        if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
            raise SitegenError(f"{folder}: is there already; name a new or an empty folder")
        place = _place(folder)
        with staging.tree(place) as root:
            tree = Tree(root, standing=place)
            for file in files:
                tree.put(file)
            tree.finish()
            staging.settle(root)
            root.rename(place)  # fails if the path is no longer free
    except OSError as error:
        raise SitegenError(f"{folder}: could not be written: {error.strerror or error}") from error
    return len(tree.marks)


def _check_folder(folder: Path) -> None:
    with suppress(FileNotFoundError):
        mode = folder.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise SitegenError(
                f"{folder}: is a symbolic link; name the folder it leads to, {os.path.realpath(folder)}"
            )
        if not stat.S_ISDIR(mode):
            raise SitegenError(f"{folder}: is a file; the site needs a folder of its own")


def _check_replaceable(folder: Path) -> None:
    _check_folder(folder)
    if folder.exists() and not is_site(folder) and any(folder.iterdir()):
        raise SitegenError(f"{folder}: holds files that are not a site of ours; name a new or an empty folder")


class Tree:
    """The next site while it is written.

    The folder may hold files of an earlier build. `finish` deletes those that were not put, kept or adopted.
    """

    def __init__(self, root: Path, *, standing: Path) -> None:
        self.marks: dict[str, Mark] = {}
        """Every file of the next site, by path."""
        self.folders: set[str] = set()
        """The folders of these files; set by `finish`."""
        self._root = f"{root}{os.sep}"
        self._standing = f"{standing}{os.sep}"
        self._is_first = not standing.is_dir()
        self._left: Found | None = None
        self._folders: set[str] = set()
        """Folders that exist and whose names are portable."""
        root.chmod(FOLDER_MODE)

    @property
    def count(self) -> int:
        """The number of files, without the site marker."""
        return len(self.marks) - (MARKER in self.marks)

    def look_around(self) -> None:
        """Lists the present content of the folder early, so that `finish` need not."""
        self._left = Found.below(self._root)

    def put(self, file: File) -> Mark:
        """Adds a file to the next site, and returns its mark."""
        self._enter(file.path)
        standing = None if self._is_first else mark_with(self._standing + file.path, file.content)
        if standing is None or not self._link(file.path, standing):
            standing = self._write(file)
        self.adopt({file.path: standing})
        return standing

    def keep(self, files: Mapping[str, Mark]) -> Mapping[str, Mark] | None:
        """Keeps unchanged files, and returns their current marks; None if a file no longer has its mark.

        A file is looked up in the folder first, where an earlier build may have left it, then in the current site.
        """
        elsewhere = {path: mark for path, mark in files.items() if not self._is_here(path, mark)}
        if not all(is_known(self._standing + path, mark) for path, mark in elsewhere.items()):
            return None
        for path in files:
            self._enter(path, has_folder=path not in elsewhere)
        taken: dict[str, Mark] = {}
        for path, mark in elsewhere.items():
            if (found := self._take(path, mark)) is None:
                for here in taken:
                    os.unlink(self._root + here)  # noqa: PTH108
                return None
            taken[path] = found
        marks = {**files, **taken}
        self.adopt(marks)
        return marks

    def adopt(self, marks: Mapping[str, Mark]) -> None:
        """Registers files that this process or a worker has written.

        Raises SitegenError if a path is registered already.
        """
        for path in marks:
            if path in self.marks:
                raise _meeting(path, path)
        self.marks.update(marks)

    def finish(self) -> None:
        """Deletes the files and folders of an earlier build that are not part of the next site.

        Raises SitegenError if two paths are equal on a file system that ignores case or Unicode normal form.
        """
        self.folders = _folders_of(self.marks)
        left = self._left or Found.below(self._root)
        for path in left.files - self.marks.keys() - self.folders:
            _remove(os.unlink, self._root + path)
        for folder in sorted(left.folders - self.folders, reverse=True):
            _remove(os.rmdir, self._root + folder)

    def _enter(self, path: str, *, has_folder: bool = False) -> None:
        """Creates the folders of a file; raises SitegenError if its path is not portable."""
        folder, _, name = path.rpartition("/")
        new = () if folder in self._folders else tuple(_above(path, but=self._folders))
        if not all(map(is_portable, (name, *(one.rpartition("/")[2] for one in new)))):
            raise SitegenError(f"{path!r}: not a path that every disk can hold, inside its folder")
        for folder in reversed(new):
            if not has_folder:
                self._make_folder(self._root + folder)
            self._folders.add(folder)

    def _make_folder(self, folder: str) -> None:
        try:
            os.mkdir(folder, FOLDER_MODE)  # noqa: PTH102  (strings: called for every file)
        except FileExistsError:
            if _opened(folder):
                return
            os.unlink(folder)  # noqa: PTH108
            os.mkdir(folder, FOLDER_MODE)  # noqa: PTH102
        _opened(folder)

    def _is_here(self, path: str, mark: Mark) -> bool:
        """True if the folder holds a file with this mark, and none of its parent folders is a link."""
        above = _above(path, but=self._folders)
        return is_known(self._root + path, mark) and all(_opened(self._root + folder) for folder in above)

    def _link(self, path: str, standing: Mark) -> bool:
        """Hard-links a file of the current site; False if that is impossible or the file has another mark by now."""
        place = self._root + path
        if is_known(place, standing):
            return True
        with suppress(OSError):  # no hard links on this file system, or the site has been replaced
            _anew(place, lambda: os.link(self._standing + path, place, follow_symlinks=False))
        return is_known(place, standing)

    def _take(self, path: str, standing: Mark) -> Mark | None:
        """Links or copies a file of the current site and returns its mark; None if it has changed or is gone."""
        if self._link(path, standing):
            return standing
        content = b""
        with suppress(FileNotFoundError, NotADirectoryError):
            content = Path(self._standing, path).read_bytes()
        if not is_known(self._standing + path, standing):
            return None
        return self._write(File(path=path, content=content))

    def _write(self, file: File) -> Mark:
        place = self._root + file.path
        opened = _anew(place, lambda: os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
        try:
            written = 0
            while written < len(file.content):
                written += os.write(opened, file.content[written:])
            facts = os.fstat(opened)
            if facts.st_mode != REGULAR:  # because of the umask, or of the parent folder
                os.fchmod(opened, FILE_MODE)
            return mark_of(facts)
        finally:
            os.close(opened)


def _anew(place: str, make: Callable[[], T]) -> T:
    """Creates a new file; deletes the file or folder that an earlier build left at its path."""
    try:
        return make()
    except FileExistsError:
        if stat.S_ISDIR(os.lstat(place).st_mode):
            shutil.rmtree(place)
        else:
            os.unlink(place)  # noqa: PTH108
        return make()


def _remove(remove: Callable[[str], None], place: str) -> None:
    """Removes a file or folder; ignores a path that does not exist any more."""
    with suppress(FileNotFoundError, NotADirectoryError):
        remove(place)


def _opened(path: str) -> bool:
    """Returns True for a folder, and sets its permissions to `FOLDER_MODE`."""
    mode = os.lstat(path).st_mode
    if stat.S_ISDIR(mode) and mode != FOLDER:  # because of the umask, the parent folder, or a chmod by hand
        os.chmod(path, FOLDER_MODE)  # noqa: PTH101
    return stat.S_ISDIR(mode)


def _meeting(one: str, two: str) -> SitegenError:
    return SitegenError(f"{one!r} and {two!r}: two files that some disks take for one")


def _folders_of(paths: Iterable[str]) -> set[str]:
    """Returns all folders above these files.

    Raises SitegenError if two paths are equal on a file system that ignores case or Unicode normal form.
    """
    folders: set[str] = set()
    met: dict[str, str] = {}
    for path in paths:
        new = tuple(_above(path, but=folders))
        folders.update(new)
        for name in map(folded, (*new, path)):
            if name in met:
                raise _meeting(met[name], path)
            met[name] = path
    return folders


def _above(path: str, *, but: Collection[str]) -> Iterator[str]:
    """Yields the folders above a file, innermost first, up to the first one in `but`."""
    folder, slash, _ = path.rpartition("/")
    while slash and folder not in but:
        yield folder
        folder, slash, _ = folder.rpartition("/")
