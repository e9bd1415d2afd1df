"""The build cache: what a build keeps on disk for the next one, and the check that nothing has
changed.

It is a folder in the user's cache folder, with a file for each table, which may be deleted or
damaged at any time:

- The last build: a digest of its inputs, its outcome, and a mark of each file and folder that it
  wrote. When the inputs have the same digest and all files have their marks, there is nothing to
  do. It is invalid when a source, site.toml, the ledger, a template, the program or a file of the
  site differs. Measured gain: a build of 1,000 terms at 10 releases with no change takes 0.3 s of
  CPU, most of it for imports, instead of 3.1 s.
- Records of parts: the dependencies of each page (`dependencies`) and the marks of its files.
- Results of parsing (`text.memo`).
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegen.model import DIGEST_SIZE, SitegenError, digest
from sitegen.pipeline.file_marks import are_unchanged, folder_marks
from sitegen.sources.git.user_cache import cache_path, private_folder
from sitegen.sources.safe_files import real_path
from sitegen.text import compact_json

if TYPE_CHECKING:
    from sitegen.pipeline.output import SiteTree
    from sitegen.pipeline.workers import PartResult

MAX_AGE = 90 * 24 * 3600
"""Seconds after its last build for which the cache of a site is kept."""
NUMBER = array("I").itemsize
"""The number of bytes of a number in a file."""


class CacheTable:
    """A file of keys and values. Entries that a build reads or writes are kept for the next build.

    The file has a digest of the program and its content, the number of entries, the sizes of all
    keys and values, and these themselves. A file with another digest is ignored, and replaced.
    Concurrent builds replace it as a whole.
    """

    def __init__(self, path: Path | None, stamp: bytes) -> None:
        self._path = path
        self._stamp = stamp
        self._stored = _entries(path, stamp) if path else {}
        self._used: dict[bytes, bytes] = {}
        """The entries that this build has read or written."""

    def get(self, key: bytes) -> bytes | None:
        """Returns the value of a key, or None if it is missing."""
        if key not in self._used and key in self._stored:
            self._used[key] = self._stored[key]
        return self._used.get(key)

    def put(self, key: bytes, value: bytes) -> None:
        self._used[key] = value

    def save(self) -> None:
        """Writes the used entries. Ignores errors of the file or the disk: the next build only
        takes longer."""
        if self._path is None or self._used == self._stored:
            return
        parts = (*chain.from_iterable(self._used.items()),)
        numbers = array("I", [len(parts), *map(len, parts)])
        content = b"".join([numbers.tobytes(), *parts])
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with suppress(OSError):
            beside.write_bytes(digest(self._stamp, content) + content)
            beside.replace(self._path)


def _entries(path: Path, stamp: bytes) -> dict[bytes, bytes]:
    """Returns the entries in a file of this program; none if it is missing or damaged."""
    with suppress(OSError):
        data = path.read_bytes()
        content = data[DIGEST_SIZE:]
        if data[:DIGEST_SIZE] == digest(stamp, content):
            (count,) = array("I", content[:NUMBER])
            start = NUMBER + NUMBER * count
            sizes = array("I", content[NUMBER:start])
            parts = (content[one:end] for one, end in pairwise(accumulate(sizes, initial=start)))
            return dict(zip(parts, parts, strict=True))
    return {}


BUILDS, PARTS = "builds", "parts"
"""Tables of the cache: outcomes of builds, by the digest of their inputs; records of parts, by
name."""

Outcome = dict[str, Any]
"""The outcome of a build, as JSON."""


class BuildCache:
    """The cache of builds into one folder."""

    def __init__(self, folder: Path | None, stamp: bytes, *, site: Path) -> None:
        """`stamp` is a digest of the program. Without a `folder`, nothing is kept."""
        self._folder = folder
        self._stamp = stamp
        self._site = site
        self._tables: dict[str, CacheTable] = {}

    def table(self, name: str) -> CacheTable:
        """Returns a table, which is read at the first call."""
        if name not in self._tables:
            self._tables[name] = CacheTable(
                self._folder / name if self._folder else None, self._stamp
            )
        return self._tables[name]

    def outcome(self, inputs: bytes) -> Outcome | None:
        """Returns the outcome of the last build, if it had the same inputs and all of its files are
        unchanged."""
        if (record := self.table(BUILDS).get(inputs)) is None:
            return None
        outcome, marks, folders = compact_json.load(record)
        return outcome if are_unchanged(self._site, marks, folders) else None

    def record(self, name: str) -> bytes:
        """Returns the record of a part; empty if there is none."""
        return self.table(PARTS).get(_key(name)) or b""

    def keep(
        self, inputs: bytes, outcome: Outcome, tree: SiteTree, parts: Iterable[PartResult]
    ) -> None:
        """Saves the outcome of a build that wrote these files, and the record of each part with a
        name."""
        record = (outcome, tree.marks, folder_marks(self._site, tree.folders))
        self.table(BUILDS).put(inputs, compact_json.dump(record))
        for one in parts:
            if one.record:
                self.table(PARTS).put(_key(one.name), one.record)
            else:
                self.record(one.name)  # reading the record keeps it
        self.save()

    def delete_texts(self) -> None:
        """Deletes the tables that have texts of sources."""
        for path in self._folder.glob("*") if self._folder else ():
            if path.name not in (BUILDS, PARTS):
                path.unlink()

    def save(self) -> None:
        """Writes the tables, and deletes the caches of sites that were not built for `MAX_AGE`."""
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            for path in self._folder.parent.iterdir():
                if path.lstat().st_mtime < time.time() - MAX_AGE:
                    shutil.rmtree(path)
        for table in self._tables.values():
            table.save()


def _key(name: str) -> bytes:
    return name.encode(errors="surrogatepass")


def build_cache(folder: Path, output: Path, templates: Mapping[str, str]) -> BuildCache:
    """Returns the cache for builds of a folder into another.

    It is in the user's cache folder, to which no checkout can add files. There is no cache if that
    folder cannot be used, or is inside the folder that is built.
    """
    site = real_path(output)
    return BuildCache(cache_folder(folder, site), program_digest(templates), site=site)


def cache_folder(folder: Path, site: Path) -> Path | None:
    """Returns the cache folder of a site, which is named by a digest of the site's path; None
    without one."""
    with suppress(OSError, SitegenError):
        caches = private_folder(cache_path()) / "builds"
        if not caches.is_relative_to(real_path(folder)):
            caches.mkdir(exist_ok=True)
            return caches / sha256(os.fsencode(site)).hexdigest()[:32]
    return None


def program_digest(templates: Mapping[str, str]) -> bytes:
    """Returns the digest of the code, templates and libraries, which all affect the output."""
    package = Path(__file__).parent.parent
    code = (
        path.read_bytes() for path in sorted(package.rglob("*.p[yo]"))
    )  # modules, and interface texts (.po)
    texts = (text for item in sorted(templates.items()) for text in item)
    return digest(sys.version.encode(), *code, *(text.encode() for text in (*_libraries(), *texts)))


def _libraries() -> Iterator[str]:
    """Yields the name and the version of each installed distribution, as its folder of metadata is
    named."""
    for place in sys.path:
        with suppress(OSError):
            yield from sorted(path.name for path in Path(place).glob("*.dist-info"))
