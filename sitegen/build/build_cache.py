"""What of the site that stands is as a build would make it: all of it, and there is nothing to do, or part by part.

What a build was made from, what it came to, and how to know each of its files, stand in the cache, and so does the
record of each part. A record is true by itself, whichever build left it: where these questions have these answers,
the part is the files that are known by these marks.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sitegen.build.cache import Cache, Room, program
from sitegen.build.file_marks import Mark, columns, folder_marks, stands
from sitegen.build.workers import Made
from sitegen.model import SitegenError
from sitegen.sources.safe_files import real_path
from sitegen.sources.user_cache import cache_path, private_folder
from sitegen.text import compact_json

BUILDS, PARTS = "builds", "parts"
"""Rooms of the cache: what a build came to, by what it was made from; and parts, by name."""

Outcome = dict[str, Any]
"""What a build came to, as JSON can hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a build has put into the folder."""

    marks: Mapping[str, Mark]
    """How to know each file."""
    folders: Collection[str]
    """Those that they stand in."""
    parts: tuple[Made, ...]


class Memory:
    """The last build into a folder."""

    def __init__(self, cache: Cache, site: Path) -> None:
        self._cache = cache
        self._builds = cache.room(BUILDS)
        self._site = site

    def texts(self, room: str) -> Room:
        """Returns what was made of texts, of one kind. Who asks for it asks for all that is to be kept."""
        return self._cache.room(room)

    def recall(self, inputs: bytes, *, jobs: int) -> Outcome | None:
        """Returns what the last build came to, if it was made of the same and all of its files stand untouched.

        `jobs` is how many processes may look at them.
        """
        if (record := self._builds.get(inputs)) is None:
            return None
        outcome, marks, folders = compact_json.load(record)
        return outcome if stands(self._site, marks, folders, jobs=jobs) else None

    @property
    def _parts(self) -> Room:
        return self._cache.room(PARTS)

    def recorded(self, name: str) -> bytes:
        """Returns what was recorded of a part; empty where nothing was."""
        return self._parts.get(_key(name)) or b""

    def remember(self, inputs: bytes, outcome: Outcome, written: Written) -> None:
        """Notes what a build was made from and came to, and each part with a name."""
        whole = (outcome, columns(written.marks), columns(folder_marks(self._site, written.folders)))
        self._builds.put(inputs, compact_json.dump(whole))
        for one in written.parts:
            if one.record:
                self._parts.put(_key(one.name), one.record)
            else:
                self._parts.get(_key(one.name))  # what nobody asks for is forgotten


def _key(name: str) -> bytes:
    return name.encode(errors="surrogatepass")


@contextmanager
def remembering(folder: Path, output: Path, templates: Mapping[str, str]) -> Iterator[Memory]:
    """Gives the memory of builds of a folder into another; it is written when the build ends well.

    It is kept in the user's cache folder, where no checkout can put anything. Where that cannot be used, or lies in
    the folder that is built, a build is as slow as the first one.
    """
    site = real_path(output)
    cache = Cache(cache_file(folder, site), program(templates))
    yield Memory(cache, site)
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
