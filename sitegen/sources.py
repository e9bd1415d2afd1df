"""Reads configured sources from disk: which releases there are, and the text of every document of each.

This is the rim: it meets missing files, locked folders, links that lead elsewhere and things that are no files, and
turns each into a problem and a gap. What the texts mean is left to the formats.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sitegen import config as configuration
from sitegen.config import Config, ConfigError
from sitegen.decoding import MAX_BYTES, decode, is_plain, too_large
from sitegen.model import Document, Problem, Release, SitegenError, Source
from sitegen.releases import as_listed, date_in, ordered
from sitegen.tables import ReleaseTable, SourceTable, nearest, shown

OURS = frozenset({"site.toml", "permalinks.json"})
"""Files at the root that are no part of any glossary."""

PAPERS = frozenset("authors changelog contributing copying license notice readme".split())
"""Names, without endings, of what may well stand beside glossaries."""

DOCUMENTS = frozenset(".htm .html .markdown .md .rst .txt".split())
COMPANIONS = frozenset(
    ".avif .bmp .css .eot .gif .ico .jpeg .jpg .js .map .mp3 .mp4 .ogg .otf .png .svg .tif .tiff .ttf .wav .webm"
    " .webp .woff .woff2".split()
)
"""Endings of what documents show and load, which is passed over without a word."""

MAX_DEPTH = 40
"""Folders within folders, below a release."""

Trouble = tuple[str, str]
"""What was found, and what would have worked."""

LINK: Trouble = ("a symbolic link, which is not followed", "put what it leads to in its place")
STRAY: Trouble = ("stands beside the folders of the releases; not read", "put it into one of them")


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """All that was read of one source."""

    source: Source
    documents: tuple[Document, ...]
    """By release, oldest first, then by name."""
    unread: tuple[tuple[str, str], ...]
    """(release, name) of documents and folders that could not be read; an empty name is the whole release."""
    problems: tuple[Problem, ...]
    """With the first source come also the releases that site.toml speaks of and nobody has."""


def read_config(root: Path) -> Config:
    """Returns what site.toml in this folder says, or the defaults where there is none. Raises `SitegenError`."""
    path = root / "site.toml"
    try:
        return configuration.parse(path.read_bytes().decode("utf-8-sig"), path=path.name)
    except (FileNotFoundError, NotADirectoryError):
        if not root.is_dir():
            raise SitegenError(f"{root}: no such folder; name one that holds glossaries") from None
        return configuration.default(root.resolve().name)
    except OSError as error:
        found, wanted = _failure(path, error)
        raise ConfigError([Problem(path=path.name, found=found, wanted=wanted)]) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        found = f"byte 0x{error.object[error.start]:02X} is not UTF-8"
        problem = Problem(path=path.name, line=line, found=found, wanted="TOML is written in UTF-8")
        raise ConfigError([problem]) from None


def read_sources(config: Config, root: Path, *, skip: tuple[Path, ...] = ()) -> tuple[Holding, ...]:
    """Returns what was read of each configured source, in their order; raises nothing.

    Places in `config` are relative to `root`. Folders in `skip` are not looked into: the site that is being written
    may stand beside what it is made from.
    """
    first, *others = (_Reader(root, table, skip).holding(config) for table in config.sources)
    sources = (held.source for held in (first, *others))
    known = {source.id: [release.name for release in source.releases if release.name] for source in sources}
    return (replace(first, problems=(*config.unknown_releases(known), *first.problems)), *others)


class _Reader:
    """Reads one source, noting on the way what could not be read."""

    def __init__(self, root: Path, table: SourceTable, skip: tuple[Path, ...]) -> None:
        self.root = root
        self.table = table
        self.skip = {path.absolute() for path in skip}
        self.documents: list[Document] = []
        self.unread: list[tuple[str, str]] = []
        self.problems: list[Problem] = []

    def holding(self, config: Config) -> Holding:
        table = self.table
        places = self._places()
        releases = _releases(tuple(places), table=table, config=config)
        for release in releases:
            self._read_release(places[release.name], release.name)
        source = Source(
            id=table.id,
            title=table.title or table.id,
            releases=releases,
            undated="" in places,
            retrieved=table.retrieved,
            complete=table.complete,
            url=table.url,
            licence=table.licence,
            note=table.note,
        )
        return Holding(
            source=source,
            documents=tuple(self.documents),
            unread=tuple(self.unread),
            problems=tuple(self.problems),
        )

    def _places(self) -> Mapping[str, Path]:
        """Where the glossary is kept at each release; under an empty name, where an undated source is."""
        if self.table.file:
            return {"": self.root / self.table.file}
        if self.table.files:
            return {release: self.root / place for release, place in self.table.files.items()}
        folder = self.root / self.table.folder
        try:
            if link := _link(folder, self.root):
                self._report(link, LINK)
                return {}
            return self._release_folders(folder)
        except OSError as error:
            self._report(folder, _failure(folder, error))
            return {}

    def _release_folders(self, folder: Path) -> Mapping[str, Path]:
        """Returns the folders in this one, each a release. Files without such folders are an undated source."""
        entries = {path: path.lstat() for path in self._entries(folder)}
        folders = [path for path, status in entries.items() if stat.S_ISDIR(status.st_mode)]
        files = [path for path, status in entries.items() if stat.S_ISREG(status.st_mode)]
        documents = [path for path in files if path.suffix.lower() in DOCUMENTS]
        if documents and not any(map(_holds_documents, folders)):
            return {"": folder}
        for path, status in entries.items():
            if path not in files:
                self._report(path, _obstacle(path, status))
            elif path in documents:
                self._report(path, STRAY)
        if not folders:
            self._report(folder, ("no releases here", "put each into a folder named after the release"))
        return {unicodedata.normalize("NFC", path.name): path for path in folders if is_plain(path.name)}

    def _read_release(self, place: Path, release: str) -> None:
        if link := _link(place, self.root):
            self._give_up(link, LINK, release=release, name="")
            return
        before = len(self.documents), len(self.unread)
        self._read(place, release=release, base=_base(place, release=release, root=self.root))
        if (len(self.documents), len(self.unread)) == before:
            self._give_up(place, ("no documents here", ""), release=release, name="")

    def _read(self, path: Path, *, release: str, base: Path) -> None:
        """Reads a file, or all files below a folder. `base` is what the names of documents are relative to."""
        name = self._shown(path, base)
        try:
            status = path.lstat()
            if obstacle := _obstacle(path, status):
                self._give_up(path, obstacle, release=release, name=name)
            elif stat.S_ISDIR(status.st_mode):
                self._read_folder(path, release=release, base=base)
            else:
                self._take(path, path.read_bytes(), release=release, name=name)
        except OSError as error:
            self._give_up(path, _failure(path, error), release=release, name=name)

    def _read_folder(self, folder: Path, *, release: str, base: Path) -> None:
        if len(folder.relative_to(base).parts) > MAX_DEPTH:
            deep = ("folders too deep within each other", f"at most {MAX_DEPTH} are followed")
            self._give_up(folder, deep, release=release, name=self._shown(folder, base))
            return
        for path in self._entries(folder):
            if path.suffix.lower() not in COMPANIONS or stat.S_ISDIR(_mode(path)):
                self._read(path, release=release, base=base)

    def _take(self, path: Path, data: bytes, *, release: str, name: str) -> None:
        place = self._shown(path, self.root)
        decoded = decode(data, path=place, configured=self.table.encoding)
        self.problems += decoded.problems
        if decoded.text is None:
            self.unread.append((release, name))
            return
        document = Document(
            source=self.table.id,
            release=release,
            path=place,
            name=name,
            text=decoded.text,
            format=self.table.format,
            section=self.table.section,
        )
        self.documents.append(document)

    def _entries(self, folder: Path) -> list[Path]:
        """What a folder holds, in the order of its names, without what is hidden, a backup or plainly no glossary."""
        paths = sorted(folder.iterdir(), key=lambda path: path.name)
        if folder == self.root:
            paths = [path for path in paths if path.name not in OURS]
        if folder == self.root / self.table.folder:
            paths = [path for path in paths if path.stem.lower() not in PAPERS]
        visible = (path for path in paths if not path.name.startswith(".") and not path.name.endswith("~"))
        return [path for path in visible if path.absolute() not in self.skip]

    def _shown(self, path: Path, base: Path) -> str:
        """Returns a path as messages and pages show it, the same on every system."""
        parts = path.relative_to(base).parts
        plain = "/".join(part if is_plain(part) else shown(part) for part in parts)
        return unicodedata.normalize("NFC", plain)

    def _report(self, path: Path, trouble: Trouble | None) -> None:
        if trouble:
            found, wanted = trouble
            self.problems.append(Problem(path=self._shown(path, self.root) or ".", found=found, wanted=wanted))

    def _give_up(self, path: Path, trouble: Trouble, *, release: str, name: str) -> None:
        self._report(path, trouble)
        self.unread.append((release, name))


def _releases(names: tuple[str, ...], *, table: SourceTable, config: Config) -> tuple[Release, ...]:
    """Returns a source's releases in order, each with what site.toml and its name tell about it.

    Of two tables for a release, the one counts that names the source, else the first.
    """
    tables = [one for one in config.releases if one.source in ("", table.id) and one.name in names]
    declared = table.order or as_listed([(one.name, one.date) for one in tables])
    facts: dict[str, ReleaseTable] = {}
    for one in sorted(tables, key=lambda one: not one.source):
        facts.setdefault(one.name, one)
    return tuple(_release(name, facts.get(name)) for name in ordered(names, declared=declared))


def _release(name: str, facts: ReleaseTable | None) -> Release:
    if facts is None:
        return Release(name=name, date=date_in(name))
    return Release(name=name, date=facts.date or date_in(name), link=facts.link)


def _mode(path: Path) -> int:
    """Returns what a path is, itself, to the functions of `stat`; 0 when that cannot be told."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _link(place: Path, root: Path) -> Path | None:
    """Returns the first symbolic link on the way from the root to a place, if there is one."""
    inside = [path for path in (place, *place.parents) if path != root and path.is_relative_to(root)]
    return next((path for path in reversed(inside) if stat.S_ISLNK(_mode(path))), None)


def _base(place: Path, *, release: str, root: Path) -> Path:
    """Returns the folder of a release: the place itself, or the one above a file that is named after the release."""
    if stat.S_ISDIR(_mode(place)):
        return place
    return next((path for path in place.parents if path.name == release and path.is_relative_to(root)), root)


def _obstacle(path: Path, status: os.stat_result) -> Trouble | None:
    """Returns why something on disk is not read, before it is opened."""
    if not is_plain(path.name):
        return "a name that cannot be shown", "rename it"
    if stat.S_ISLNK(status.st_mode):
        return LINK
    if stat.S_ISREG(status.st_mode) and status.st_size > MAX_BYTES:
        return too_large(status.st_size)
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        return "neither a file nor a folder", ""
    return None


def _failure(path: Path, error: OSError) -> Trouble:
    """Returns what the system's refusal means to a keeper."""
    if isinstance(error, FileNotFoundError):
        with suppress(OSError):
            near = nearest(path.name, [other.name for other in path.parent.iterdir()])
            return "missing", f"did you mean '{near}'?" if near else ""
        return "missing", ""
    if isinstance(error, PermissionError):
        return "no permission to read it", "give yourself permission, or leave it out"
    return f"cannot be read: {error.strerror or error}", ""


def _holds_documents(folder: Path) -> bool:
    """True when something below a folder might be a document; a folder of pictures is no release."""
    names = (name for _, _, files in os.walk(folder) for name in files)
    return any(Path(name).suffix.lower() not in COMPANIONS and not name.startswith(".") for name in names)
