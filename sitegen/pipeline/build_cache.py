"""The build cache: what a build keeps on disk for the next one, and the check that nothing has changed.

It is an SQLite file (`Cache`) in the user's cache folder, which may be deleted or damaged at any time. It stores:

- The last build: a digest of its inputs, its outcome, and a mark of each file and folder that it wrote. When the
  inputs have the same digest and all files have their marks, there is nothing to do. It is invalid when a
  source, site.toml, the ledger, a template, the program or a file of the site differs. Measured gain: a build of
  1,000 terms at 10 releases with no change takes 0.3 s of CPU, most of it for imports, instead of 3.1 s.
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
from sitegen.model import DIGEST_SIZE, SitegenError, digest
from sitegen.pipeline.file_marks import FileMark, are_unchanged, columns, folder_marks
from sitegen.pipeline.workers import PartResult
from sitegen.sources.safe_files import real_path
from sitegen.sources.user_cache import cache_path, private_folder
from sitegen.text import compact_json

CacheRow = tuple[int, bytes, bytes]
"""Rowid, key, and sealed value: the digest followed by the value."""

LOCK_TIMEOUT = 1.0
"""Seconds to wait for the lock of another build that is writing."""
MAX_AGE = 90 * 24 * 3600
"""Seconds after its last build for which the cache of a site is kept."""
TRANSIENT_ERRORS = frozenset(
    {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN}
)
"""SQLite errors after which the file is still good: another build is writing, or it cannot be written now."""


class CacheTable:
    """A mapping of keys to values. Entries that a build reads or writes are kept for the next build."""

    def __init__(self, rows: Sequence[CacheRow] = ()) -> None:
        self._rows = rows
        self._stored = {key: sealed for _, key, sealed in rows}
        self._used: dict[bytes, bytes] = {}
        """Sealed values of the entries that this build has read or written."""

    def get(self, key: bytes) -> bytes | None:
        """Returns the value of a key, or None if it is missing or damaged."""
        if key not in self._used:
            sealed = self._stored.get(key, b"")
            if sealed[:DIGEST_SIZE] != digest(key, sealed[DIGEST_SIZE:]):
                return None
            self._used[key] = sealed
        return self._used[key][DIGEST_SIZE:]

    def put(self, key: bytes, value: bytes) -> None:
        self._used[key] = digest(key, value) + value

    def outdated(self) -> Iterator[tuple[int, bytes]]:
        """Yields the rowids and keys of rows that this build has not used, or has changed."""
        return ((number, key) for number, key, sealed in self._rows if self._used.get(key) != sealed)

    def changed(self) -> Iterator[tuple[bytes, bytes]]:
        """Yields new and changed keys with their sealed values."""
        return ((key, sealed) for key, sealed in self._used.items() if self._stored.get(key) != sealed)

    def forget_stored(self) -> None:
        """Treats all used entries as new, after the file was deleted."""
        self._rows, self._stored = (), {}


class Cache:
    """The tables of one site, read lazily."""

    def __init__(self, path: Path | None, stamp: bytes) -> None:
        self._path = path
        self._stamp = stamp
        self._tables: dict[str, CacheTable] = {}
        self._is_damaged = False

    def table(self, name: str) -> CacheTable:
        """Returns a table. The name is used in SQL without quoting."""
        if name not in self._tables:
            self._tables[name] = CacheTable(self._read(name))
        return self._tables[name]

    def save(self) -> None:
        """Writes the used entries. Ignores errors of the file or the disk: the next build only takes longer."""
        if self._path is None:
            return
        with suppress(OSError):
            self._delete_old_files(self._path.parent)
        try:
            if self._is_damaged:
                raise sqlite3.DatabaseError
            self._write(self._path)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) not in TRANSIENT_ERRORS:
                with suppress(OSError, sqlite3.Error):
                    self._path.unlink()
                    for table in self._tables.values():
                        table.forget_stored()
                    self._write(self._path)

    @staticmethod
    def _delete_old_files(folder: Path) -> None:
        """Deletes the caches of sites that were not built for `MAX_AGE`."""
        for path in folder.iterdir():
            if path.lstat().st_mtime < time.time() - MAX_AGE:
                path.unlink(missing_ok=True)

    def _read(self, name: str) -> Sequence[CacheRow]:
        if self._path is None or not self._path.is_file():
            return ()
        try:
            with closing(sqlite3.connect(self._path, timeout=LOCK_TIMEOUT)) as file:
                if file.execute("SELECT stamp FROM stamp").fetchall() == [(self._stamp,)]:
                    file.text_factory = bytes  # only a damaged file contains text
                    rows = file.execute(f"SELECT rowid, key, value FROM {name}").fetchall()  # noqa: S608
                    if all(type(key) is type(sealed) is bytes for _, key, sealed in rows):
                        return rows
                    self._is_damaged = True
        except sqlite3.OperationalError:  # the table does not exist, or another build is writing
            pass
        except sqlite3.DatabaseError:
            self._is_damaged = True
        return ()

    def _write(self, path: Path) -> None:
        with closing(sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None)) as file:
            # A killed build leaves the file unchanged; a power cut may damage it, which is acceptable.
            file.execute("PRAGMA synchronous = OFF")
            file.execute("BEGIN IMMEDIATE")
            file.execute("CREATE TABLE IF NOT EXISTS stamp (stamp BLOB)")
            if file.execute("SELECT stamp FROM stamp").fetchall() != [(self._stamp,)]:
                for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    file.execute(f'DROP TABLE "{name}"')
                file.execute("CREATE TABLE stamp (stamp BLOB)")
                file.execute("INSERT INTO stamp VALUES (?)", [self._stamp])
            for name, table in self._tables.items():
                file.execute(f"CREATE TABLE IF NOT EXISTS {name} (key BLOB, value BLOB)")
                # The key is compared too, because another build may have reused the rowid.
                file.executemany(f"DELETE FROM {name} WHERE rowid = ? AND key = ?", table.outdated())  # noqa: S608
                file.executemany(f"INSERT INTO {name} VALUES (?, ?)", table.changed())  # noqa: S608
            file.execute("COMMIT")


def program_digest(templates: Mapping[str, str]) -> bytes:
    """Returns the digest of the code, templates and libraries, which all affect the output."""
    package = Path(__file__).parent.parent
    code = (path.read_bytes() for path in sorted(package.rglob("*.p[yo]")))  # modules, and interface texts (.po)
    texts = (text for item in sorted(templates.items()) for text in item)
    return digest(sys.version.encode(), *code, *(text.encode() for text in (*_libraries(), *texts)))


def _libraries() -> Iterator[str]:
    """Yields the metadata of each required distribution, unparsed, because parsing takes longer than reading."""
    with suppress(metadata.PackageNotFoundError):
        for requirement in metadata.requires(DISTRIBUTION) or ():
            if ";" not in requirement:  # those with a marker (`; extra == …`) are for development only
                name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
                library = metadata.distribution(name)
                yield library.read_text("METADATA") or f"{name} {library.version}"


BUILDS, PARTS = "builds", "parts"
"""Tables of the cache: outcomes of builds, by the digest of their inputs; records of parts, by name."""

Outcome = dict[str, Any]
"""The outcome of a build, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFiles:
    """What a build has written into the site folder."""

    marks: Mapping[str, FileMark]
    """The mark of each file, by path."""
    folders: Collection[str]
    """The folders of these files."""
    parts: tuple[PartResult, ...]


class BuildCache(Cache):
    """The cache of builds into one folder."""

    def __init__(self, path: Path | None, stamp: bytes, *, site: Path) -> None:
        super().__init__(path, stamp)
        self._builds = self.table(BUILDS)
        self._site = site

    def outcome(self, inputs: bytes) -> Outcome | None:
        """Returns the outcome of the last build, if it had the same inputs and all of its files are unchanged."""
        if (record := self._builds.get(inputs)) is None:
            return None
        outcome, marks, folders = compact_json.load(record)
        return outcome if are_unchanged(self._site, marks, folders) else None

    def record(self, name: str) -> bytes:
        """Returns the record of a part; empty if there is none."""
        return self.table(PARTS).get(_key(name)) or b""

    def keep(self, inputs: bytes, outcome: Outcome, written: WrittenFiles) -> None:
        """Keeps the outcome of a build, and the record of each part with a name."""
        record = (outcome, columns(written.marks), columns(folder_marks(self._site, written.folders)))
        self._builds.put(inputs, compact_json.dump(record))
        for one in written.parts:
            if one.record:
                self.table(PARTS).put(_key(one.name), one.record)
            else:
                self.record(one.name)  # reading the record keeps it


def _key(name: str) -> bytes:
    return name.encode(errors="surrogatepass")


@contextmanager
def build_cache(folder: Path, output: Path, templates: Mapping[str, str]) -> Iterator[BuildCache]:
    """Opens the cache for builds of a folder into another, and saves it when the build succeeds.

    The file is in the user's cache folder, to which no checkout can add files. There is no cache if that folder
    cannot be used, or is inside the folder that is built.
    """
    site = real_path(output)
    cache = BuildCache(cache_file(folder, site), program_digest(templates), site=site)
    yield cache
    cache.save()


def cache_file(folder: Path, site: Path) -> Path | None:
    """Returns the cache file of a site, which is named by a digest of the site's path; None if it cannot be used."""
    with suppress(OSError, SitegenError):
        folder_of_caches = private_folder(cache_path()) / "builds"
        if folder_of_caches.is_relative_to(real_path(folder)):
            return None
        folder_of_caches.mkdir(exist_ok=True)
        return folder_of_caches / f"{sha256(os.fsencode(site)).hexdigest()[:32]}.cache"
    return None
