"""The build cache on disk: an SQLite file in the user's cache folder, which may be deleted or damaged at any time.

It has rooms; each is a mapping of bytes to bytes, stored in its own table. The whole file is valid for one stamp: a
digest of the program's code, templates and libraries. Every value is stored with a digest, so a damaged value counts
as missing. An unreadable file counts as empty; if no file can be written, nothing is cached. A room is read as a
whole, so its table has no index, and rows are identified by rowid. Entries that a build did not use are deleted at
its end.
"""

from __future__ import annotations

import re
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from importlib import metadata
from pathlib import Path

from sitegen import DISTRIBUTION
from sitegen.model.digests import SIZE, digest

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
