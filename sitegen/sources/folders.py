"""Reads sources that are kept as files: a folder for each release, a file for each release, or one undated document.

Missing files, unreadable folders, symbolic links and special files are reported as problems, and marked as unread.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from sitegen.config.patterns import COMPANIONS
from sitegen.config.tables import SourceTable
from sitegen.config.values import nearest, shown
from sitegen.model import Document, Problem, ProblemKind, Release, Trouble
from sitegen.sources.linked_files import below, with_files
from sitegen.sources.open_folders import OpenFolders, is_site, open_folders
from sitegen.sources.snapshots import RawSource
from sitegen.text.decoding import MAX_BYTES, decode, is_plain, too_large
from sitegen.text.release_names import Arrange, date_in, ordered
from sitegen.text.unread_formats import RELEASE_SUFFIXES, refusal

OWN_FILES = frozenset({"site.toml", "permalinks.json"})
"""Files in the root folder that are never part of a glossary."""

PROJECT_FILES = frozenset("authors changelog contributing copying license notice readme".split())
"""Names, without suffixes, of common files beside glossaries that are not glossaries."""

DOCUMENTS = frozenset(".htm .html .markdown .md .rst .txt".split())

MAX_DEPTH = 40
"""The maximum depth of folders below a release."""

NOT_READ, RELEASES = ProblemKind.NOT_READ, ProblemKind.RELEASES
LINK = Trouble(NOT_READ, "a symbolic link, which is not followed", "put what it leads to in its place")
BUILT = Trouble(NOT_READ, "a site that was built here, and no glossary", "name the folder that it was made from")
STRAY = Trouble(RELEASES, "is beside the folders of the releases, and not read", "put it into one of them")
SAME_NAME = Trouble(RELEASES, "another folder's name looks just the same, and that one is read", "put both into one")
NO_RELEASES = Trouble(RELEASES, "no releases here", "put each into a folder named after the release")
NO_DOCUMENTS = Trouble(ProblemKind.NO_TERMS, "no documents here")
TOO_DEEP = Trouble(ProblemKind.LIMIT, "folders too deep within each other", f"at most {MAX_DEPTH} are followed")
HIDDEN_NAME = Trouble(NOT_READ, "a name that cannot be shown", "rename it")
SPECIAL = Trouble(NOT_READ, "neither a file nor a folder")


def read_folders(table: SourceTable, *, root: Path, skip: tuple[Path, ...], arrange: Arrange) -> RawSource:
    """Reads a source that is kept as files below the folder `root`. Never raises.

    An undated source has one release with an empty name. Folders in `skip` and sites built by sitegen are not read.
    """
    try:
        with open_folders(root) as opened:
            return _FolderReader(root, opened, table, skip).raw_source(arrange)
    except OSError as error:
        return RawSource(problems=(failure(root, error).at("."),))


def is_release(name: str) -> bool:
    """True if a folder with this name is a release: printable, not hidden, and not one of `PROJECT_FILES`."""
    return is_plain(name) and _is_visible(name) and Path(name).stem.lower() not in PROJECT_FILES


def _is_visible(name: str) -> bool:
    return not name.startswith(".") and not name.endswith("~")


class _FolderReader:
    """Reads one source, and collects the documents, the problems and the names of unread files."""

    def __init__(self, root: Path, opened: OpenFolders, table: SourceTable, skip: tuple[Path, ...]) -> None:
        self.root = root
        self.opened = opened
        self.table = table
        self.skip = {path.absolute() for path in skip}
        self.documents: list[Document] = []
        self.bases: dict[str, Path] = {}
        """The folder that the names of documents are relative to, for each release."""
        self.unread: list[tuple[str, str]] = []
        self.problems: list[Problem] = []

    def raw_source(self, arrange: Arrange) -> RawSource:
        places = self._places()
        releases = tuple(Release(name=name, date=date_in(name)) for name in arrange(ordered(places)))
        for release in releases:
            self._read_release(places[release.name], release.name)
        raw = RawSource(
            releases=releases,
            documents=tuple(self.documents),
            unread=tuple(self.unread),
            problems=tuple(self.problems),
        )
        return with_files(raw, lambda release: below(self.bases[release]), encoding=self.table.encoding)

    def _places(self) -> Mapping[str, Path]:
        """Returns the location of the glossary at each release; for an undated source, under an empty name."""
        if self.table.file:
            return {"": self.root / self.table.file}
        if self.table.files:
            return {release: self.root / place for release, place in self.table.files.items()}
        folder = self.root / self.table.folder
        try:
            if refused := self._refused(folder):
                self._report(*refused)
                return {}
            return self._release_folders(folder)
        except OSError as error:
            self._report(folder, failure(folder, error))
            return {}

    def _refused(self, place: Path) -> tuple[Path, Trouble] | None:
        """Returns the path and the reason if a place is behind a link, or is a site. Raises OSError."""
        if link := _link(place, self.root):
            return link, LINK
        return (place, BUILT) if is_site(place) else None

    def _release_folders(self, folder: Path) -> Mapping[str, Path]:
        """Returns the subfolders, each a release. A folder with documents and no such subfolders is undated."""
        entries = {path: path.lstat() for path in self._entries(folder)}
        folders = [path for path, status in entries.items() if stat.S_ISDIR(status.st_mode) and not is_site(path)]
        files = [path for path, status in entries.items() if stat.S_ISREG(status.st_mode)]
        documents = [path for path in files if path.suffix.lower() in DOCUMENTS]
        if documents and not any(map(_has_documents, folders)):
            return {"": folder}
        for path, status in entries.items():
            if path not in files:
                self._report(path, _obstacle(path, status))
            elif path in documents:
                self._report(path, STRAY)
            elif path.suffix.lower() in RELEASE_SUFFIXES:
                self._report(path, refusal(path.name))
        if not folders:
            self._report(folder, NO_RELEASES)
        places: dict[str, Path] = {}
        for path in folders:
            name = unicodedata.normalize("NFC", path.name)
            if name in places:
                self._refuse(path, SAME_NAME, release=name, name="")
            elif is_plain(path.name):
                places[name] = path
        return places

    def _read_release(self, place: Path, release: str) -> None:
        self.bases[release] = place
        try:
            refused = self._refused(place)
            if not refused and not stat.S_ISDIR(_mode(place)):
                # The names of documents begin below a folder that is named after the release.
                parents = (path for path in place.parents if path.name == release and path.is_relative_to(self.root))
                self.bases[release] = next(parents, self.root)
        except OSError as error:
            refused = place, failure(place, error)
        if refused:
            self._refuse(*refused, release=release, name="")
            return
        counts = len(self.documents), len(self.unread)
        self._read(place, release=release, base=self.bases[release])
        if (len(self.documents), len(self.unread)) == counts:
            self._refuse(place, NO_DOCUMENTS, release=release, name="")

    def _read(self, path: Path, *, release: str, base: Path) -> None:
        """Reads a file, or all files below a folder. The names of documents are relative to `base`."""
        name = self._shown(path, base)
        try:
            status = path.lstat()
            if obstacle := _obstacle(path, status, limit=self.table.max_bytes):
                self._refuse(path, obstacle, release=release, name=name)
            elif stat.S_ISDIR(status.st_mode):
                self._read_folder(path, release=release, base=base)
            else:
                self._read_file(path, release=release, name=name)
        except OSError as error:
            self._refuse(path, failure(path, error), release=release, name=name)

    def _read_folder(self, folder: Path, *, release: str, base: Path) -> None:
        if len(folder.relative_to(base).parts) > MAX_DEPTH:
            self._refuse(folder, TOO_DEEP, release=release, name=self._shown(folder, base))
            return
        for path in self._entries(folder):
            if path.suffix.lower() not in COMPANIONS or stat.S_ISDIR(_mode(path)):
                self._read(path, release=release, base=base)

    def _read_file(self, path: Path, *, release: str, name: str) -> None:
        place, limit = self._shown(path, self.root), self.table.max_bytes
        content = self.opened.read(str(path.relative_to(self.root)), limit=limit, shown=path)
        decoded = decode(content, path=place, configured=self.table.encoding, limit=limit)
        self.problems += decoded.problems
        if decoded.text is None:
            self.unread.append((release, name))
        else:
            self.documents.append(
                Document(source=self.table.id, release=release, path=place, name=name, text=decoded.text)
            )

    def _entries(self, folder: Path) -> list[Path]:
        """Returns the entries of a folder sorted by name, without hidden files, backups and `OWN_FILES`."""
        if is_site(folder):
            return []
        paths = sorted(folder.iterdir(), key=lambda path: path.name)
        if folder == self.root:
            paths = [path for path in paths if path.name not in OWN_FILES]
        if folder == self.root / self.table.folder:
            paths = [path for path in paths if path.stem.lower() not in PROJECT_FILES]
        return [path for path in paths if _is_visible(path.name) and path.absolute() not in self.skip]

    def _shown(self, path: Path, base: Path) -> str:
        """Returns a path for messages and pages, in the same form on every system."""
        parts = path.relative_to(base).parts
        plain = "/".join(part if is_plain(part) else shown(part) for part in parts)
        return unicodedata.normalize("NFC", plain)

    def _report(self, path: Path, trouble: Trouble | None) -> None:
        if trouble:
            self.problems.append(trouble.at(self._shown(path, self.root) or "."))

    def _refuse(self, path: Path, trouble: Trouble, *, release: str, name: str) -> None:
        self._report(path, trouble)
        self.unread.append((release, name))


def _mode(path: Path) -> int:
    """Returns the mode of a path without following links; 0 if there is none."""
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _link(place: Path, root: Path) -> Path | None:
    """Returns the first symbolic link between the root and a path, or None."""
    paths = [path for path in (place, *place.parents) if path != root and path.is_relative_to(root)]
    return next((path for path in reversed(paths) if stat.S_ISLNK(_mode(path))), None)


def _obstacle(path: Path, status: os.stat_result, *, limit: int = MAX_BYTES) -> Trouble | None:
    """Returns the reason not to open a path, or None."""
    if not is_plain(path.name):
        return HIDDEN_NAME
    if stat.S_ISLNK(status.st_mode):
        return LINK
    if stat.S_ISREG(status.st_mode) and status.st_size > limit:
        return too_large(path.name, status.st_size, limit)
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        return SPECIAL
    return None


def failure(path: Path, error: OSError) -> Trouble:
    """Converts an OSError to a finding and advice for the user."""
    if isinstance(error, FileNotFoundError):
        with suppress(OSError):
            similar = nearest(path.name, [other.name for other in path.parent.iterdir()])
            return Trouble(ProblemKind.MISSING, "missing", f"did you mean '{similar}'?" if similar else "")
        return Trouble(ProblemKind.MISSING, "missing")
    if isinstance(error, NotADirectoryError) and (unread := refusal(path.name)):
        return unread
    if isinstance(error, PermissionError):
        advice = "give yourself permission, or leave it out"
        return Trouble(ProblemKind.UNREADABLE, "no permission to read it", advice)
    return Trouble(ProblemKind.UNREADABLE, f"cannot be read: {error.strerror or error}")


def _has_documents(folder: Path) -> bool:
    """True if a file below a folder might be a document, unlike images and hidden files."""
    names = (name for _, _, files in os.walk(folder) for name in files)
    return any(Path(name).suffix.lower() not in COMPANIONS and not name.startswith(".") for name in names)
