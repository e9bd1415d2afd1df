"""Reads sources that are kept as files: a folder for each release, a file for each release, or one
undated document.

The files are in a folder on disk (`FolderTrees`), or in a commit, for `sitegen diff`. Missing
files, unreadable folders, symbolic links and special files are reported as problems, and marked as
unread.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from unicodedata import normalize

from sitegen.config import SITE_TOML
from sitegen.config.parsing import DeclaredReleases, in_declared_order
from sitegen.config.patterns import literal
from sitegen.config.tables import SourceTable
from sitegen.model import Problem, ProblemKind, Release, Source, Trouble
from sitegen.sources.folder_trees import MARKER, ROOT, FolderTrees, failure
from sitegen.sources.language_tags import without_translations
from sitegen.sources.linked_files import with_linked_files
from sitegen.sources.release_documents import read_documents, source_of
from sitegen.sources.trees import TreeEntry, TreeFiles, Trees
from sitegen.text.file_names import DOCUMENT_SUFFIXES, RELEASE_SUFFIXES, refusal
from sitegen.text.names import did_you_mean
from sitegen.text.release_names import date_in, ordered

OWN_FILES = frozenset({SITE_TOML, "archive.jsonl"})
"""Files in the root folder that are never part of a glossary."""

PROJECT_FILES = frozenset("authors changelog contributing copying license notice readme".split())
"""Names, without suffixes, of common files beside glossaries that are not glossaries."""

NOT_READ, RELEASES, MISSING = ProblemKind.NOT_READ, ProblemKind.RELEASES, ProblemKind.MISSING
BUILT = Trouble(
    NOT_READ, "a site that was built here, and no glossary", "name the folder that it was made from"
)
STRAY = Trouble(
    RELEASES, "is beside the folders of the releases, and not read", "put it into one of them"
)
NO_RELEASES = Trouble(
    RELEASES, "no releases here", "put each into a folder named after the release"
)
NO_DOCUMENTS = Trouble(
    ProblemKind.NO_TERMS, "no documents here", "put the glossary into it, or delete the folder"
)
NO_FOLDER = Trouble(ProblemKind.UNREADABLE, "is not a folder")


def read_folders(
    table: SourceTable, declared: DeclaredReleases, *, root: Path, skip: tuple[Path, ...]
) -> Source:
    """Reads a source that is kept as files below the folder `root`.

    An undated source has one release with an empty name. Folders in `skip` and sites built by
    sitegen are not read. Raises UnsafeFileError if a link leads out of the current folder.
    """
    try:
        trees = FolderTrees(root)
    except OSError as error:
        return source_of(table, problems=[failure(error).at(".")])
    skipped = [os.path.relpath(path.absolute(), root.absolute()) for path in skip]
    found, problems = folder_releases(table, declared, trees, ROOT, skip=skipped)
    releases, problems_of_texts = read_documents(found, table, trees)
    source = source_of(table, problems=[*problems, *problems_of_texts])
    source = replace(source, releases=tuple(releases))

    # Documents may link to any files of their release.
    return with_linked_files(
        source, lambda release: TreeFiles(trees, release.tree), encoding=table.encoding
    )


def folder_releases(
    table: SourceTable,
    declared: DeclaredReleases,
    trees: Trees,
    root: str,
    *,
    skip: Collection[str],
) -> tuple[list[Release], list[Problem]]:
    """Returns the releases of a source with their files, and the problems.

    `root` is the id of the folder of site.toml. Files and folders at the paths in `skip` are not
    read.
    """
    reader = _FolderReader(table, trees, root, skip)
    places = reader.places()
    names = in_declared_order(ordered(places), declared)
    return [reader.release(name, places[name]) for name in names], reader.problems


@dataclass
class _FolderReader:
    """Finds the files of one source, and collects the problems. All paths are relative to the
    folder of site.toml."""

    table: SourceTable
    trees: Trees
    root: str
    """The id of the folder of site.toml."""
    skip: Collection[str]
    problems: list[Problem] = field(default_factory=list)

    def places(self) -> Mapping[str, str]:
        """Returns the path of the glossary at each release: `{"1.0": "glossary/1.0"}`, or
        `{"": "glossary"}` without releases. If there is no glossary, reports why."""
        if self.table.file:
            return {"": self.table.file}
        if self.table.files:
            return self.table.files
        folder = self.table.folder
        tree = self.trees.below(self.root, folder)
        if tree is not None and self._may_have_releases(tree):
            return self._release_folders(tree)
        refused = self.trees.find(self.root, literal(folder)).refused
        if not refused:
            refused = {folder: self._absence(folder)}
        for path, trouble in refused.items():
            self._report(path, trouble)
        return {}

    def _may_have_releases(self, tree: str) -> bool:
        """True for a folder that can be listed, and is no site."""
        if isinstance(self.trees.listed(tree), Trouble):
            return False
        return not self._is_site(tree)

    def _is_site(self, tree: str) -> bool:
        """True for a folder with a built site."""
        marker = self.trees.entries(tree).get(MARKER)
        return marker is not None and not marker.trouble

    def _release_folders(self, tree: str) -> Mapping[str, str]:
        """Returns the paths of the subfolders by their names: each is a release. Returns the folder
        itself if it is a glossary without releases."""
        folder = self.table.folder
        subfolders: list[TreeEntry] = []
        beside: dict[str, Trouble] = {}  # why each other entry is not read
        for entry in self.trees.entries(tree).values():
            path = self._inside(entry)
            if not self._is_read(path, folder):
                continue
            if entry.is_folder and not entry.trouble:
                if not self._is_site(entry.id):
                    subfolders.append(entry)
                continue
            trouble = entry.trouble or _trouble_beside_releases(entry.name)
            if trouble:
                beside[path] = trouble

        has_documents = STRAY in beside.values()
        # A folder of images has no files here, as images and the like are no documents.
        subfolders_have_files = any(self.trees.find(entry.id, ".").files for entry in subfolders)
        if has_documents and not subfolders_have_files:
            return {"": folder}
        for path, trouble in beside.items():
            self._report(path, trouble)
        if not subfolders:
            self._report(folder, NO_RELEASES)
        # "é" may be one character or two.
        return {normalize("NFC", entry.name): self._inside(entry) for entry in subfolders}

    def _inside(self, entry: TreeEntry) -> str:
        """Returns the path of an entry of the source's folder."""
        return str(PurePosixPath(self.table.folder, entry.name))

    def release(self, name: str, place: str) -> Release:
        """Returns a release with its files. `place` is the path of the glossary at this release.

        For 1.0 at `docs/1.0/words.md`, the file is called `words.md`, and the label is `docs/1.0/`.
        """
        base = self._base_of_release(name, place)
        listing = self.trees.find(self.root, literal(place))
        files, unread = {}, {}
        for path, id in without_translations(listing.files).items():
            if self._is_read(path, place):
                files[_name_below(base, path)] = id

        refused = listing.refused
        if not refused and not files:
            refused = {place: self._absence(place)}
        for path, trouble in refused.items():
            self._report(path, trouble)
            unread[_name_below(base, path)] = trouble
        label = ""
        if base != ROOT:
            label = normalize("NFC", f"{base}/")
        return Release(
            name=name,
            date=date_in(name),
            label=label,
            tree=self.trees.below(self.root, base) or "",
            files=files,
            unread=unread,
        )

    def _base_of_release(self, name: str, place: str) -> str:
        """Returns the folder to which the names of a release's files are relative: `docs/1.0` if
        `place` is `docs/1.0`, and of the release 1.0 also if it is `docs/1.0/a/words.md`; else the
        folder of site.toml."""
        if self.trees.below(self.root, place) is not None:
            return place
        for parent in PurePosixPath(place).parents:
            if parent.name == name:
                return str(parent)
        return ROOT

    def _is_read(self, path: str, place: str) -> bool:
        """True if the file or folder at a path may belong to the glossary at `place`."""
        for skipped in self.skip:
            if path == skipped or path.startswith(f"{skipped}/"):
                return False
        if path == place:
            return True  # site.toml names this file
        below = path
        if place != ROOT:
            below = path.removeprefix(f"{place}/")
        name, _, _ = below.partition("/")
        if name.startswith("."):
            return False
        if place == ROOT and name in OWN_FILES:
            return False
        if place not in (ROOT, self.table.folder):
            return True  # in the folder of a release, a README.md may be the glossary
        return PurePosixPath(name).stem.lower() not in PROJECT_FILES

    def _absence(self, place: str) -> Trouble:
        """Returns why there are no files at a path."""
        tree = self.trees.below(self.root, place)
        if tree is not None and self._is_site(tree):
            return BUILT
        if tree is not None:
            return NO_DOCUMENTS
        parent, _, name = place.rpartition("/")
        folder = self.trees.below(self.root, parent)
        names: Sequence[str] = ()
        if folder is not None:
            names = [*self.trees.entries(folder)]
        if name in names:  # a file where a folder is wanted, such as an archive
            return refusal(name) or NO_FOLDER
        wanted = did_you_mean(name, names, otherwise="name one that exists")
        return Trouble(MISSING, "missing", wanted)

    def _report(self, path: str, trouble: Trouble) -> None:
        """Adds a problem."""
        self.problems.append(trouble.at(normalize("NFC", path)))


def _trouble_beside_releases(name: str) -> Trouble | None:
    """Returns why a file beside the folders of releases is not read; None for a file that is
    probably not of the glossary."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in DOCUMENT_SUFFIXES:
        return STRAY
    if suffix in RELEASE_SUFFIXES:  # `2.0.zip` is probably meant as a release
        return refusal(name)
    return None


def _name_below(base: str, path: str) -> str:
    """Returns a path relative to the folder `base`; an empty name if it is not below this folder.

    >>> _name_below("docs/1.0", "docs/1.0/a/words.md"), _name_below("docs/1.0", "docs")
    ('a/words.md', '')
    """
    place = PurePosixPath(path)
    if PurePosixPath(base) not in place.parents:
        return ""
    return normalize("NFC", str(place.relative_to(base)))
