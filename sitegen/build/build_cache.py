"""The build cache: what a build keeps on disk for the next one, and the check that nothing has changed.

The home is an SQLite file (`Cache`) in the user's cache folder, which may be deleted or damaged at any time. It has
three things, each in its rooms:

- The last build: what it was made from (a digest), its outcome, and a mark of each file and folder that it wrote.
  When the inputs have the same digest and all files have their marks, there is nothing to do. It is invalid when a
  source, site.toml, the ledger, a template, the program or a file of the site differs. Measured gain: a build of
  1,000 terms at 10 releases with no change takes 0.06 s of CPU instead of 4.5 s, without starting Python.
- Records of parts: the dependencies of each page (`dependencies`) and the marks of its files.
- Results of parsing (`text.memo`).
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

from sitegen import DISTRIBUTION
from sitegen.build.file_marks import Mark, columns, folder_marks, stands
from sitegen.build.workers import PartResult
from sitegen.model import SitegenError
from sitegen.model.digests import SIZE, digest
from sitegen.sources.safe_files import real_path
from sitegen.sources.user_cache import cache_path, private_folder
from sitegen.text import compact_json

Row = tuple[int, bytes, bytes]
"""Rowid, key, and sealed value: the digest followed by the value."""

PATIENCE = 1.0
"""Seconds to wait for the lock of another build that is writing."""
MAX_AGE = 90 * 24 * 3600
"""Seconds after its last build for which the cache of a site is kept."""
NOT_NOW = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN})
"""SQLite errors after which the file is still good: another build is writing, or it cannot be written now."""


class Room:
    """A mapping of keys to values. Entries that were got or put are kept for the next build."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self._rows = rows
        self._known = {key: sealed for _, key, sealed in rows}
        self._kept: dict[bytes, bytes] = {}
        """Sealed values, as in `_known`."""

    def get(self, key: bytes) -> bytes | None:
        """Returns the value of a key, or None if it is missing or damaged."""
        if key not in self._kept:
            sealed = self._known.get(key, b"")
            if sealed[:SIZE] != digest(key, sealed[SIZE:]):
                return None
            self._kept[key] = sealed
        return self._kept[key][SIZE:]

    def put(self, key: bytes, value: bytes) -> None:
        self._kept[key] = digest(key, value) + value

    def outdated(self) -> Iterator[tuple[int, bytes]]:
        """Yields the rowids and keys of rows that were not used, or have another value now."""
        return ((number, key) for number, key, sealed in self._rows if self._kept.get(key) != sealed)

    def learnt(self) -> Iterator[tuple[bytes, bytes]]:
        """Yields new and changed keys with their sealed values."""
        return ((key, sealed) for key, sealed in self._kept.items() if self._known.get(key) != sealed)

    def lose(self) -> None:
        """Forgets the stored rows after the file was deleted, so that all kept entries are written again."""
        self._rows, self._known = (), {}


class Cache:
    """The rooms of one site, read lazily."""

    def __init__(self, path: Path | None, stamp: bytes) -> None:
        self._path = path
        self._stamp = stamp
        self._rooms: dict[str, Room] = {}
        self._is_damaged = False

    def room(self, name: str) -> Room:
        """Returns a room. The name is used as a table name without quoting."""
        if name not in self._rooms:
            self._rooms[name] = Room(self._read(name))
        return self._rooms[name]

    def save(self) -> None:
        """Writes the entries to keep. Errors of the file or the disk are ignored: only time is lost."""
        if self._path is None:
            return
        with suppress(OSError):
            self._forget_old_files(self._path.parent)
        try:
            if self._is_damaged:
                raise sqlite3.DatabaseError
            self._write(self._path)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) not in NOT_NOW:
                with suppress(OSError, sqlite3.Error):
                    self._path.unlink()
                    for room in self._rooms.values():
                        room.lose()
                    self._write(self._path)

    @staticmethod
    def _forget_old_files(folder: Path) -> None:
        """Deletes the caches of sites that were not built for `MAX_AGE`."""
        for path in folder.iterdir():
            if path.lstat().st_mtime < time.time() - MAX_AGE:
                path.unlink(missing_ok=True)

    def _read(self, name: str) -> Sequence[Row]:
        if self._path is None or not self._path.is_file():
            return ()
        try:
            with closing(sqlite3.connect(self._path, timeout=PATIENCE)) as file:
                if file.execute("SELECT stamp FROM stamp").fetchall() == [(self._stamp,)]:
                    file.text_factory = bytes  # only a damaged file contains text
                    return _sound(file.execute(f"SELECT rowid, key, value FROM {name}").fetchall())  # noqa: S608
        except sqlite3.OperationalError:  # the table does not exist, or another build is writing
            pass
        except sqlite3.DatabaseError:
            self._is_damaged = True
        return ()

    def _write(self, path: Path) -> None:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as file:
            # A killed build leaves the file unchanged; a power cut may damage it, which is acceptable.
            file.execute("PRAGMA synchronous = OFF")
            file.execute("BEGIN IMMEDIATE")
            file.execute("CREATE TABLE IF NOT EXISTS stamp (stamp BLOB)")
            if file.execute("SELECT stamp FROM stamp").fetchall() != [(self._stamp,)]:
                for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    file.execute(f'DROP TABLE "{name}"')
                file.execute("CREATE TABLE stamp (stamp BLOB)")
                file.execute("INSERT INTO stamp VALUES (?)", [self._stamp])
            for name, room in self._rooms.items():
                file.execute(f"CREATE TABLE IF NOT EXISTS {name} (key BLOB, value BLOB)")
                # The key is compared too, because another build may have reused the rowid.
                file.executemany(f"DELETE FROM {name} WHERE rowid = ? AND key = ?", room.outdated())  # noqa: S608
                file.executemany(f"INSERT INTO {name} VALUES (?, ?)", room.learnt())  # noqa: S608
            file.execute("COMMIT")


def _sound(rows: Sequence[Row]) -> Sequence[Row]:
    """Returns the rows unchanged; raises sqlite3.DatabaseError if a key or value is not bytes."""
    if not all(type(key) is type(sealed) is bytes for _, key, sealed in rows):
        raise sqlite3.DatabaseError
    return rows


def program(templates: Mapping[str, str]) -> bytes:
    """Returns the digest of the code, templates and libraries, which all affect the output."""
    package = Path(__file__).parent.parent
    code = (path.read_bytes() for path in sorted(package.rglob("*.p[yo]")))  # modules, and interface texts (.po)
    libraries = (f"{name} {metadata.version(name)}" for name in _libraries())
    texts = (text for item in sorted(templates.items()) for text in item)
    return digest(sys.version.encode(), *code, *(text.encode() for text in (*libraries, *texts)))


def _libraries() -> Iterator[str]:
    """Yields the names of the required distributions."""
    with suppress(metadata.PackageNotFoundError):
        # Requirements with a marker (`; extra == …`) are for development only.
        needed = (one for one in metadata.requires(DISTRIBUTION) or () if ";" not in one)
        yield from (re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in needed)


BUILDS, PARTS = "builds", "parts"
"""Rooms of the cache: outcomes of builds, by the digest of their inputs; records of parts, by name."""

Outcome = dict[str, Any]
"""The outcome of a build, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a build has written into the site folder."""

    marks: Mapping[str, Mark]
    """The mark of each file, by path."""
    folders: Collection[str]
    """The folders of these files."""
    parts: tuple[PartResult, ...]


class BuildCache:
    """The cache of builds into one folder."""

    def __init__(self, cache: Cache, site: Path) -> None:
        self._cache = cache
        self._builds = cache.room(BUILDS)
        self._site = site

    def room(self, room: str) -> Room:
        """Returns a room of the memo. At the end of the build, values that were not read or written are dropped."""
        return self._cache.room(room)

    def outcome(self, inputs: bytes, *, jobs: int) -> Outcome | None:
        """Returns the outcome of the last build, if it had the same inputs and all of its files are unchanged.

        `jobs` is the number of processes that may check the files.
        """
        if (record := self._builds.get(inputs)) is None:
            return None
        outcome, marks, folders = compact_json.load(record)
        return outcome if stands(self._site, marks, folders, jobs=jobs) else None

    @property
    def _parts(self) -> Room:
        return self._cache.room(PARTS)

    def record(self, name: str) -> bytes:
        """Returns the record of a part; empty if there is none."""
        return self._parts.get(_key(name)) or b""

    def keep(self, inputs: bytes, outcome: Outcome, written: Written) -> None:
        """Keeps the outcome of a build, and the record of each part with a name."""
        whole = (outcome, columns(written.marks), columns(folder_marks(self._site, written.folders)))
        self._builds.put(inputs, compact_json.dump(whole))
        for one in written.parts:
            if one.record:
                self._parts.put(_key(one.name), one.record)
            else:
                self._parts.get(_key(one.name))  # values that were not read are dropped


def _key(name: str) -> bytes:
    return name.encode(errors="surrogatepass")


@contextmanager
def build_cache(folder: Path, output: Path, templates: Mapping[str, str]) -> Iterator[BuildCache]:
    """Opens the cache for builds of a folder into another, and saves it when the build succeeds.

    The file is in the user's cache folder, where no checkout can put anything. If that cannot be used, or is inside
    the folder that is built, there is no cache, and a build is as slow as the first one.
    """
    site = real_path(output)
    cache = Cache(cache_file(folder, site), program(templates))
    yield BuildCache(cache, site)
    cache.save()


def cache_file(folder: Path, site: Path) -> Path | None:
    """Returns the file for the cache of a site, by the site's path; None where there can be none."""
    with suppress(OSError, SitegenError):
        place = private_folder(cache_path()) / "builds"
        if place.is_relative_to(real_path(folder)):
            return None
        place.mkdir(exist_ok=True)
        return place / f"{sha256(os.fsencode(site)).hexdigest()[:32]}.cache"
    return None
