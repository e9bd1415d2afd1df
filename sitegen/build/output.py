"""Writes the site folder: a tree is filled beside it and exchanged for it at the end.

The exchange is one step, so the folder holds a whole site at every moment. No file is ever changed in place. A file
that is the same as in the current site is a hard link to it, so a build writes only what is new. Only paths that
every file system keeps apart are written, and only below the folder.
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
    """The paths of all that a folder holds, at any depth. No file in it has been looked at."""

    files: frozenset[str]
    """All that is no folder."""
    folders: frozenset[str]

    @classmethod
    def below(cls, root: str) -> Found:
        files = []
        folders = [""]
        for folder in folders:  # and those that are found on the way
            # A worker may just have made way for a file.
            with suppress(FileNotFoundError, NotADirectoryError), os.scandir(root + folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(f"{folder}{entry.name}/")
                    else:
                        files.append(folder + entry.name)
        return cls(frozenset(files), frozenset(folder[:-1] for folder in folders[1:]))


def write_site(folder: Path, files: Iterable[File]) -> int:
    """Replaces the site in a folder by these files, all or none, and returns how many they are.

    Files are written as they come, so an iterator keeps memory small. Raises as `rebuilding` does.
    """
    with rebuilding(folder) as tree:
        for file in files:
            tree.put(file)
    return tree.count


@contextmanager
def rebuilding(folder: Path, *, moment: AbstractContextManager[None] | None = None) -> Iterator[Tree]:
    """Gives a tree to put the files of a site in, which becomes the site at the end: whole, or not at all.

    The site is exchanged at the end of the `moment`, which may raise to prevent that.
    Raises SitegenError when the folder holds something else than a site, when a path leads out or two would meet on
    some disk, or when the disk refuses; the site from before is then still there.
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
    """Exchanges the tree for the site, and takes that back where what belongs to the same moment then fails."""
    is_exchanged = False
    try:
        with moment:
            _check_replaceable(folder)  # another program may have put something there since
            staging.swap(root, place)
            is_exchanged = True
    except BaseException:
        if is_exchanged:
            staging.swap_back(root, place)
        raise


def _place(folder: Path) -> Path:
    """Returns the path of a site's folder without links, and makes the folders above it."""
    place = real_path(folder)
    os.close(open_folder(place.parent, create=True))
    return place


def write_new(folder: Path, files: Iterable[File]) -> int:
    """Makes a folder of these files, all or none, and returns how many they are. Nothing is ever replaced.

    Raises SitegenError as `rebuilding` does, and when anything but an empty folder stands there.
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
            root.rename(place)  # which the system refuses where somebody has put something there since
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
    """The next site in the making.

    It may begin as what an earlier build left: files that are not put or kept again are gone at the end.
    """

    def __init__(self, root: Path, *, standing: Path) -> None:
        self.marks: dict[str, Mark] = {}
        """Every file of the next site, by path."""
        self.folders: set[str] = set()
        """Those that they stand in, once it is finished."""
        self._root = f"{root}{os.sep}"
        self._standing = f"{standing}{os.sep}"
        self._is_first = not standing.is_dir()
        self._left: Found | None = None
        self._folders: set[str] = set()
        """Those that are there and fit for every disk."""
        root.chmod(FOLDER_MODE)

    @property
    def count(self) -> int:
        """How many files there are, without our marker."""
        return len(self.marks) - (MARKER in self.marks)

    def look_around(self) -> None:
        """Lists what is here. At the end it is known then, and nobody waits for it."""
        self._left = Found.below(self._root)

    def put(self, file: File) -> Mark:
        """Adds a file to the next site, and returns how to know it."""
        self._enter(file.path)
        standing = None if self._is_first else mark_with(self._standing + file.path, file.content)
        if standing is None or not self._link(file.path, standing):
            standing = self._write(file)
        self.adopt({file.path: standing})
        return standing

    def keep(self, files: Mapping[str, Mark]) -> Mapping[str, Mark] | None:
        """Takes files over untouched, and returns how to know them now; None where one is not what it was.

        Most are here already, in what an earlier build left; the others have to stand so in the site.
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
        """Takes note of files that are here, put by ourselves or by a worker."""
        for path in marks:
            if path in self.marks:
                raise _meeting(path, path)
        self.marks.update(marks)

    def finish(self) -> None:
        """Takes away what an earlier build left here and nobody has put or kept.

        Raises SitegenError where two paths would meet on a disk that ignores case or normal form.
        """
        self.folders = _folders_of(self.marks)
        left = self._left or Found.below(self._root)
        for path in left.files - self.marks.keys() - self.folders:
            _remove(os.unlink, self._root + path)
        for folder in sorted(left.folders - self.folders, reverse=True):
            _remove(os.rmdir, self._root + folder)

    def _enter(self, path: str, *, has_folder: bool = False) -> None:
        """Makes way for a file: its folders are there, and every disk can hold it."""
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
            os.mkdir(folder, FOLDER_MODE)  # noqa: PTH102  (strings: this is asked for every file)
        except FileExistsError:
            if _opened(folder):
                return
            os.unlink(folder)  # noqa: PTH108
            os.mkdir(folder, FOLDER_MODE)  # noqa: PTH102
        _opened(folder)

    def _is_here(self, path: str, mark: Mark) -> bool:
        """True where a file is here itself, and not behind a link that somebody put in the place of a folder."""
        above = _above(path, but=self._folders)
        return is_known(self._root + path, mark) and all(_opened(self._root + folder) for folder in above)

    def _link(self, path: str, standing: Mark) -> bool:
        """Makes a path the same file as in the site that stands; False where another file stands there by now."""
        place = self._root + path
        if is_known(place, standing):
            return True
        with suppress(OSError):  # a disk without hard links, or the site was replaced meanwhile
            _anew(place, lambda: os.link(self._standing + path, place, follow_symlinks=False))
        return is_known(place, standing)

    def _take(self, path: str, standing: Mark) -> Mark | None:
        """Takes a file over from the site that stands, on a disk without hard links too. None if it has just gone."""
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
            if facts.st_mode != REGULAR:  # by the umask, or the folder that it is in
                os.fchmod(opened, FILE_MODE)
            return mark_of(facts)
        finally:
            os.close(opened)


def _anew(place: str, make: Callable[[], T]) -> T:
    """Makes a new file, and first takes away what an earlier build, or one of its workers, left in its place."""
    try:
        return make()
    except FileExistsError:
        if stat.S_ISDIR(os.lstat(place).st_mode):
            shutil.rmtree(place)
        else:
            os.unlink(place)  # noqa: PTH108
        return make()


def _remove(remove: Callable[[str], None], place: str) -> None:
    """Removes what may have gone already, with a folder that had to make way for a file."""
    with suppress(FileNotFoundError, NotADirectoryError):
        remove(place)


def _opened(path: str) -> bool:
    """True for a folder, and whoever may not have looked into it now may."""
    mode = os.lstat(path).st_mode
    if stat.S_ISDIR(mode) and mode != FOLDER:  # by the umask, the folder that it is in, or somebody's hand
        os.chmod(path, FOLDER_MODE)  # noqa: PTH101
    return stat.S_ISDIR(mode)


def _meeting(one: str, two: str) -> SitegenError:
    return SitegenError(f"{one!r} and {two!r}: two files that some disks take for one")


def _folders_of(paths: Iterable[str]) -> set[str]:
    """The folders that files stand in, at any depth.

    Raises SitegenError where two paths would meet on a disk that ignores case or normal form.
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
    """The folders above a file up to the first that is known, innermost first."""
    folder, slash, _ = path.rpartition("/")
    while slash and folder not in but:
        yield folder
        folder, slash, _ = folder.rpartition("/")
