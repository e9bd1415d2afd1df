"""What a build remembers for the next one: a file in the workshop that may be deleted, or damaged, at any time.

It has rooms, each a mapping of keys to values in bytes. All belong to one stamp, that of the program: its code, its
templates and its libraries. Every value carries a digest, so what a broken disk or a meddler made of it is not there;
and a file that cannot be used is one that is empty. What a build did not ask for is forgotten at its end.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from importlib import metadata
from pathlib import Path

from sitegen.digests import SIZE, digest

PATIENCE = 1.0
"""Seconds to wait for another build that writes just now."""

TABLES = (
    "CREATE TABLE IF NOT EXISTS stamp (stamp BLOB)",
    "CREATE TABLE IF NOT EXISTS kept (room TEXT, key BLOB, value BLOB, PRIMARY KEY (room, key)) WITHOUT ROWID",
)


class Room:
    """The values of one kind, by key. What was got or put is kept for the next build."""

    def __init__(self, known: Mapping[bytes, bytes]) -> None:
        self._known = known
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

    def forgotten(self) -> Iterator[bytes]:
        """Yields the keys that nobody asked for."""
        yield from self._known.keys() - self._kept.keys()

    def learnt(self) -> Iterator[tuple[bytes, bytes]]:
        """Yields keys that are new or have a new value, with that value sealed."""
        return ((key, sealed) for key, sealed in self._kept.items() if self._known.get(key) != sealed)


class Cache:
    """The rooms of one site, read when they are asked for."""

    def __init__(self, path: Path, stamp: bytes) -> None:
        self._path = path
        self._stamp = stamp
        self._rooms: dict[str, Room] = {}

    def room(self, name: str) -> Room:
        if name not in self._rooms:
            self._rooms[name] = Room(self._read(name))
        return self._rooms[name]

    def save(self) -> None:
        """Writes what has to be remembered. What is wrong with the file or the disk costs time, and nothing else."""
        try:
            self._write()
        except sqlite3.OperationalError:  # another build writes just now, or the disk refuses
            pass
        except sqlite3.DatabaseError:
            with suppress(OSError, sqlite3.Error):
                self._path.unlink()
                self._write()

    def _read(self, name: str) -> Mapping[bytes, bytes]:
        if not self._path.is_file():
            return {}
        with suppress(sqlite3.Error, TypeError, ValueError), closing(sqlite3.connect(self._path, PATIENCE)) as file:
            if file.execute("SELECT stamp FROM stamp").fetchall() == [(self._stamp,)]:
                return dict(file.execute("SELECT key, value FROM kept WHERE room = ?", [name]))
        return {}

    def _write(self) -> None:
        with closing(sqlite3.connect(self._path, PATIENCE, isolation_level=None)) as file:
            # A build that is killed leaves the file as it was; after a power cut it may be damaged: so be it.
            file.execute("PRAGMA synchronous = OFF")
            file.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                file.execute(table)
            if file.execute("SELECT stamp FROM stamp").fetchall() != [(self._stamp,)]:
                file.execute("DELETE FROM stamp")
                file.execute("DELETE FROM kept")
                file.execute("INSERT INTO stamp VALUES (?)", [self._stamp])
            for name, room in self._rooms.items():
                file.executemany(
                    "DELETE FROM kept WHERE room = ? AND key = ?", [(name, key) for key in room.forgotten()]
                )
                file.executemany(
                    "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", [(name, *new) for new in room.learnt()]
                )
            file.execute("COMMIT")


def program(templates: Mapping[str, str]) -> bytes:
    """Returns the stamp of this program: another one may read, compare or show the same glossary otherwise."""
    package = Path(__file__).parent
    code = (path.read_bytes() for path in sorted(package.rglob("*.py")))
    libraries = (f"{name} {metadata.version(name)}" for name in _libraries())
    texts = (text for item in sorted(templates.items()) for text in item)
    return digest(sys.version.encode(), *code, *(text.encode() for text in (*libraries, *texts)))


def _libraries() -> Iterator[str]:
    """The distributions that ours says it needs."""
    with suppress(metadata.PackageNotFoundError):
        # Those with a marker (`; extra == …`) are for who develops, not for who builds.
        needed = (one for one in metadata.requires("sitegen") or () if ";" not in one)
        yield from (re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in needed)
