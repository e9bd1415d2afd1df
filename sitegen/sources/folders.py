"""Reads sources that are kept as files: a folder for each release, a file for each release, or one
undated document.

The files are in a folder on disk (`FolderTrees`), or in a commit, for `sitegen diff`. Missing
files, unreadable folders, symbolic links and special files are reported as problems, and marked as
unread.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from operator import attrgetter
from pathlib import Path, PurePosixPath
from unicodedata import normalize

from sitegen.config.declared_releases import DeclaredReleases
from sitegen.config.patterns import COMPANIONS, literal
from sitegen.config.tables import SourceTable
from sitegen.config.values import nearest, shown
from sitegen.model import Problem, ProblemKind, Release, SitegenError, Source, Trouble
from sitegen.safe_files import read_real, real_path
from sitegen.sources.linked_files import with_files
from sitegen.sources.release_documents import (
    problems_of,
    source_of,
    with_documents,
    with_releases,
)
from sitegen.sources.trees import FOLDER, TreeEntry, Trees
from sitegen.text import images
from sitegen.text.decoding import Decoded, decode, is_plain, too_large
from sitegen.text.release_names import date_in, ordered
from sitegen.text.unread_formats import RELEASE_SUFFIXES, refusal

MARKER = ".sitegen"
"""The name of the file that marks a folder as a site built by sitegen, which a later build may
replace."""

OWN_FILES = frozenset({"site.toml", "archive.jsonl"})
"""Files in the root folder that are never part of a glossary."""

PROJECT_FILES = frozenset("authors changelog contributing copying license notice readme".split())
"""Names, without suffixes, of common files beside glossaries that are not glossaries."""

DOCUMENTS = frozenset(".htm .html .markdown .md .rst .txt".split())

ROOT = "."
"""The id of the root of `FolderTrees`."""
FILE = "100644"
GONE = (FileNotFoundError, NotADirectoryError, PermissionError)
"""Errors that say that there is nothing that may be read; others say that a disk or a system
fails."""

NOT_READ, RELEASES, MISSING = ProblemKind.NOT_READ, ProblemKind.RELEASES, ProblemKind.MISSING
LINK = Trouble(
    NOT_READ, "a symbolic link, which is not followed", "put what it leads to in its place"
)
BUILT = Trouble(
    NOT_READ, "a site that was built here, and no glossary", "name the folder that it was made from"
)
STRAY = Trouble(
    RELEASES, "is beside the folders of the releases, and not read", "put it into one of them"
)
SAME_NAME = Trouble(
    RELEASES, "another folder's name looks just the same, and that one is read", "put both into one"
)
NO_RELEASES = Trouble(
    RELEASES, "no releases here", "put each into a folder named after the release"
)
NO_DOCUMENTS = Trouble(ProblemKind.NO_TERMS, "no documents here")
HIDDEN_NAME = Trouble(NOT_READ, "a name that cannot be shown", "rename it")
SPECIAL = Trouble(NOT_READ, "neither a file nor a folder")
NO_FOLDER = Trouble(ProblemKind.UNREADABLE, "is not a folder")


def read_folders(
    table: SourceTable, declared: DeclaredReleases, *, root: Path, skip: tuple[Path, ...]
) -> Source:
    """Reads a source that is kept as files below the folder `root`.

    An undated source has one release with an empty name. Folders in `skip` and sites built by
    sitegen are not read. Raises UnsafeFileError if `root` leads out of the current folder.
    """
    skipped = {os.path.relpath(path.absolute(), root.absolute()) for path in skip}
    try:
        trees = FolderTrees(root)
    except OSError as error:
        return source_of(table, problems=[failure(error).at(".")])
    found, problems = folder_releases(trees, ROOT, table, declared, skip=skipped)
    texts: dict[str, Decoded] = {}
    for release in found:
        for name, id in release.files.items():
            texts[id] = trees.decoded(id, release.path(name), table)
    releases = [with_documents(release, table, texts) for release in found]
    source = source_of(table, problems=[*problems, *problems_of(texts)])
    files = [FolderFiles(trees, release.tree) for release in releases]
    return with_files(with_releases(source, releases), files, encoding=table.encoding)


def is_site(folder: Path) -> bool:
    """True if a folder is readable and contains a site built by sitegen, or one being built."""
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        return stat.S_ISREG((folder / MARKER).lstat().st_mode)
    return False


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
        """Raises OSError if the folder cannot be listed, and UnsafeFileError as `real_path`
        does."""
        super().__init__()
        self._root = real_path(root)
        self._shown = root
        self._sizes: dict[str, int] = {}
        self.error: OSError | None = None
        """The last error of the disk or the system in listing a folder."""
        self._entries[ROOT] = self._entries_of("")

    def fetch(self, ids: Iterable[str]) -> None:
        for id in ids:
            try:
                self._entries[id] = self._entries_of(id)
            except OSError as error:
                self._entries[id] = failure(error)
                if not isinstance(error, GONE):
                    self.error = error

    def _entries_of(self, folder: str) -> list[TreeEntry]:
        """Returns the entries of a folder sorted by name; of a site, only its marker."""
        found = []
        with os.scandir(self._root / folder) as listed:
            for one in listed:
                path = f"{folder}/{one.name}" if folder else one.name
                if one.name == MARKER and one.is_file(follow_symlinks=False):
                    return [TreeEntry(FILE, MARKER, None, path)]
                with suppress(FileNotFoundError):
                    status = one.stat(follow_symlinks=False)
                    self._sizes[path] = status.st_size
                    if entry := _entry(path, one.name, status):
                        found.append(entry)
        return sorted(found, key=attrgetter("id"))

    def decoded(self, id: str, path: str, table: SourceTable) -> Decoded:
        """Reads a file; `path` is for messages. If it cannot be read, the text is None and the
        problem says why."""
        limit = table.max_bytes
        if self._sizes[id] > limit:
            return Decoded(text=None, problems=(too_large(path, self._sizes[id], limit).at(path),))
        try:
            content = self.read(id, limit=limit)
        except OSError as error:
            return Decoded(text=None, problems=(failure(error).at(path),))
        return decode(content, path=path, configured=table.encoding, limit=limit)

    def read(self, id: str, *, limit: int) -> bytes:
        """Returns the content of a file that was listed. Raises as `safe_files.read` does."""
        return read_real(self._root / id, limit=limit, shown=self._shown / id)


class FolderFiles:
    """The files below a folder, without hidden ones."""

    def __init__(self, trees: FolderTrees, folder: str) -> None:
        self._trees = trees
        self._folder = folder

    def has(self, path: str) -> bool:
        return self._id(path) is not None

    def read(self, path: str) -> bytes | None:
        with suppress(SitegenError, *GONE):
            if id := self._id(path):
                return self._trees.read(id, limit=images.MAX_IMAGE_BYTES)
        return None

    def find(self, pattern: str) -> tuple[str, ...]:
        return tuple(self._trees.find(self._folder, pattern).files)

    def _id(self, path: str) -> str | None:
        if "/." in f"/{path}":  # a hidden file or folder
            return None
        id = self._trees.file(self._folder, path)
        if id is None and self._trees.error:
            raise self._trees.error  # the file may be there
        return id


def _entry(path: str, name: str, status: os.stat_result) -> TreeEntry | None:
    """Returns the entry of a file or a folder; None for `.git`, and for links in the place of
    images and the like."""
    if name == ".git":
        return None
    mode = FOLDER if stat.S_ISDIR(status.st_mode) else FILE
    trouble = None
    if stat.S_ISLNK(status.st_mode):
        trouble = LINK
    elif mode == FILE and not stat.S_ISREG(status.st_mode):
        trouble = SPECIAL
    shown_name = name
    if not is_plain(name):
        shown_name, trouble = shown(name), HIDDEN_NAME
    is_companion = mode == FILE and PurePosixPath(name).suffix.lower() in COMPANIONS
    if trouble and is_companion:
        return None
    return TreeEntry(mode, shown_name, trouble, path)


def folder_releases(
    trees: Trees,
    root: str,
    table: SourceTable,
    declared: DeclaredReleases,
    *,
    at: str = ROOT,
    skip: Collection[str] = (),
) -> tuple[list[Release], list[Problem]]:
    """Returns the releases below the folder with the id `root`, with their files, and the problems
    with finding them.

    `at` is the path of the site's folder there. Files and folders at the paths in `skip` are not
    read.
    """
    reader = _FolderReader(trees, root, table, at, skip)
    places = reader.places()
    releases = [reader.release(name, places[name]) for name in declared.in_order(ordered(places))]
    return releases, reader.problems


class _FolderReader:
    """Finds the files of one source, and collects the problems. All paths are relative to the
    root."""

    def __init__(
        self, trees: Trees, root: str, table: SourceTable, at: str, skip: Collection[str]
    ) -> None:
        self.trees = trees
        self.root = root
        self.table = table
        self.at = at
        self.skip = skip
        self.folder = self._path(table.folder)
        self.same_names: set[str] = set()
        """The releases for which there are two folders."""
        self.problems: list[Problem] = []

    def _path(self, place: str) -> str:
        return str(PurePosixPath(self.at, place))

    def places(self) -> Mapping[str, str]:
        """Returns the path of the glossary at each release; for an undated source, under an empty
        name."""
        if self.table.file:
            return {"": self._path(self.table.file)}
        if self.table.files:
            return {release: self._path(place) for release, place in self.table.files.items()}
        tree = self.trees.below(self.root, self.folder)
        is_listed = tree and not isinstance(self.trees.listed(tree), Trouble)
        if tree and is_listed and MARKER not in self.trees.files(tree):
            return self._release_folders(tree)
        refused = self.trees.find(self.root, literal(self.folder)).refused
        if not refused:
            refused = {self.folder: self._absence(self.folder)}
        for path, trouble in refused.items():
            self._report(path, trouble)
        return {}

    def _release_folders(self, tree: str) -> Mapping[str, str]:
        """Returns the subfolders, each a release. A folder with documents and no such subfolders is
        undated."""
        folders: list[TreeEntry] = []
        troubles: dict[str, Trouble | None] = {}
        has_documents = False
        for one in self.trees.entries(tree):
            path, suffix = self._inside(one), PurePosixPath(one.name).suffix.lower()
            if not self._is_read(path, self.folder):
                continue
            if one.trouble:
                troubles[path] = one.trouble
            elif one.mode == FOLDER:
                if MARKER not in self.trees.files(one.id):
                    folders.append(one)
            elif suffix in DOCUMENTS:
                has_documents = True
                troubles[path] = STRAY
            elif suffix in RELEASE_SUFFIXES:
                troubles[path] = refusal(one.name)
        if has_documents and not any(self.trees.find(one.id, ".").files for one in folders):
            return {"": self.folder}
        for path, trouble in troubles.items():
            self._report(path, trouble)
        if not folders:
            self._report(self.folder, NO_RELEASES)
        return self._places_of(folders)

    def _places_of(self, folders: Iterable[TreeEntry]) -> Mapping[str, str]:
        """Returns the paths of the folders of releases by name."""
        places: dict[str, str] = {}
        for one in folders:
            name = normalize("NFC", one.name)
            if name in places:
                self.same_names.add(name)
                self._report(self._inside(one), SAME_NAME)
            places.setdefault(name, self._inside(one))
        return places

    def _inside(self, entry: TreeEntry) -> str:
        return str(PurePosixPath(self.folder, entry.name))

    def release(self, name: str, place: str) -> Release:
        """Returns a release with its files, whose names begin below a folder that is named after
        it."""
        base = self._base(name, place)
        listing = self.trees.find(self.root, literal(place))
        files, unread = {}, {}
        for path, id in listing.files.items():
            if self._is_read(path, place):
                files[_name(path, base)] = id
        refused = listing.refused
        if not refused and not files:
            refused = {place: self._absence(place)}
        for path, trouble in refused.items():
            self._report(path, trouble)
            unread[_name(path, base)] = trouble
        if name in self.same_names:
            unread[""] = SAME_NAME
        return Release(
            name=name,
            date=date_in(name),
            label="" if base == ROOT else f"{normalize('NFC', base)}/",
            tree=self.trees.below(self.root, base) or "",
            files=files,
            unread=unread,
        )

    def _base(self, name: str, place: str) -> str:
        """Returns the folder below which the names of a release's files begin."""
        if self.trees.below(self.root, place) is not None:
            return place
        for parent in PurePosixPath(place).parents:
            if parent.name == name:
                return str(parent)
        return self.at

    def _is_read(self, path: str, folder: str) -> bool:
        """Returns False for hidden and skipped files, and for those of the site or of a project
        beside glossaries."""
        if any(path == one or path.startswith(f"{one}/") for one in self.skip):
            return False
        if folder != ROOT:
            path = path.removeprefix(f"{folder}/")
        name, _, _ = path.partition("/")
        if name.startswith(".") or name.endswith("~"):
            return False
        if folder == self.at and name in OWN_FILES:
            return False
        is_of_project = PurePosixPath(name).stem.lower() in PROJECT_FILES
        return folder != self.folder or not is_of_project

    def _absence(self, place: str) -> Trouble:
        """Returns why there are no files at a path."""
        tree = self.trees.below(self.root, place)
        if tree is not None:
            return BUILT if MARKER in self.trees.files(tree) else NO_DOCUMENTS
        parent, _, name = place.rpartition("/")
        names: list[str] = []
        if folder := self.trees.below(self.root, parent):
            names = [one.name for one in self.trees.entries(folder)]
        if name in names:
            return refusal(name) or NO_FOLDER
        wanted = ""
        if similar := nearest(name, names):
            wanted = f"did you mean '{similar}'?"
        return Trouble(MISSING, "missing", wanted)

    def _report(self, path: str, trouble: Trouble | None) -> None:
        if trouble:
            self.problems.append(trouble.at(normalize("NFC", path)))


def _name(path: str, base: str) -> str:
    """Returns a path relative to a folder; of the folder itself, and of one above it, an empty
    name."""
    place = PurePosixPath(path)
    if PurePosixPath(base) not in place.parents:
        return ""
    return normalize("NFC", str(place.relative_to(base)))
