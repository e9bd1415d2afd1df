"""What a build remembers for the next one: a file in the user's cache folder, which may be deleted or damaged.

It has rooms, each a mapping of keys to values in bytes, and each a table of its own. All belong to one stamp, that of
the program: its code, its templates and its libraries. Every value carries a digest, so what a broken disk or a
meddler made of it is not there; a file that cannot be used counts as empty, and nothing is kept where none can be. A
room is read as a whole, so its table has no index: a row is known by its number. What a build did not ask for is
forgotten at its end.
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
"""Number, key, and sealed value."""

PATIENCE = 1.0
"""Seconds to wait for another build that writes just now."""
MAX_AGE = 90 * 24 * 3600
"""Seconds after its last build for which the cache of a site is kept."""
NOT_NOW = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN})
"""What sqlite says where another build writes, or there is no room to write in; else the file is useless."""


class Room:
    """The values of one kind, by key. What was got or put is kept for the next build."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self._rows = rows
        self._known = {key: sealed for _, key, sealed in rows}
        self._kept: dict[bytes, bytes] = {}
        """Sealed, as those that are known."""

    def get(self, key: bytes) -> bytes | None:
        """Returns a value, or None where there is none that can be trusted."""
        if key not in self._kept:
            sealed = self._known.get(key, b"")
            if sealed[:SIZE] != digest(key, sealed[SIZE:]):
                return None
            self._kept[key] = sealed
        return self._kept[key][SIZE:]

    def put(self, key: bytes, value: bytes) -> None:
        self._kept[key] = digest(key, value) + value

    def outdated(self) -> Iterator[tuple[int, bytes]]:
        """Yields the numbers and keys of rows that nobody asked for, or that have another value now."""
        return ((number, key) for number, key, sealed in self._rows if self._kept.get(key) != sealed)

    def learnt(self) -> Iterator[tuple[bytes, bytes]]:
        """Yields keys that are new or have a new value, with that value sealed."""
        return ((key, sealed) for key, sealed in self._kept.items() if self._known.get(key) != sealed)

    def lose(self) -> None:
        """Takes note that nothing is written down any more: what is kept has to be, all of it."""
        self._rows, self._known = (), {}


class Cache:
    """The rooms of one site, read when they are asked for."""

    def __init__(self, path: Path | None, stamp: bytes) -> None:
        self._path = path
        self._stamp = stamp
        self._rooms: dict[str, Room] = {}
        self._is_damaged = False

    def room(self, name: str) -> Room:
        """Returns a room; its name is a plain word."""
        if name not in self._rooms:
            self._rooms[name] = Room(self._read(name))
        return self._rooms[name]

    def save(self) -> None:
        """Writes what has to be remembered. A file or disk that cannot be used costs time, and nothing else."""
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
        """Deletes the caches of sites that have not been built for long."""
        for path in folder.iterdir():
            if path.lstat().st_mtime < time.time() - MAX_AGE:
                path.unlink(missing_ok=True)

    def _read(self, name: str) -> Sequence[Row]:
        if self._path is None or not self._path.is_file():
            return ()
        try:
            with closing(sqlite3.connect(self._path, timeout=PATIENCE)) as file:
                if file.execute("SELECT stamp FROM stamp").fetchall() == [(self._stamp,)]:
                    file.text_factory = bytes  # nothing is text, unless by damage
                    return _sound(file.execute(f"SELECT rowid, key, value FROM {name}").fetchall())  # noqa: S608
        except sqlite3.OperationalError:  # there is no such table, or another build writes just now
            pass
        except sqlite3.DatabaseError:
            self._is_damaged = True
        return ()

    def _write(self, path: Path) -> None:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as file:
            # A build that is killed leaves the file as it was; after a power cut it may be damaged: so be it.
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
                # The key is asked for as well: another build may have written meanwhile.
                file.executemany(f"DELETE FROM {name} WHERE rowid = ? AND key = ?", room.outdated())  # noqa: S608
                file.executemany(f"INSERT INTO {name} VALUES (?, ?)", room.learnt())  # noqa: S608
            file.execute("COMMIT")


def _sound(rows: Sequence[Row]) -> Sequence[Row]:
    """Returns rows of a room; raises sqlite3.DatabaseError where there are others."""
    if not all(type(key) is type(sealed) is bytes for _, key, sealed in rows):
        raise sqlite3.DatabaseError
    return rows


def program(templates: Mapping[str, str]) -> bytes:
    """Returns the stamp of this program: another one may read, compare or show the same glossary otherwise."""
    package = Path(__file__).parent.parent
    code = (path.read_bytes() for path in sorted(package.rglob("*.p[yo]")))  # modules, and texts of the interface
    libraries = (f"{name} {metadata.version(name)}" for name in _libraries())
    texts = (text for item in sorted(templates.items()) for text in item)
    return digest(sys.version.encode(), *code, *(text.encode() for text in (*libraries, *texts)))


def _libraries() -> Iterator[str]:
    """The distributions that ours says it needs."""
    with suppress(metadata.PackageNotFoundError):
        # Those with a marker (`; extra == …`) are for who develops, not for who builds.
        needed = (one for one in metadata.requires(DISTRIBUTION) or () if ";" not in one)
        yield from (re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in needed)
