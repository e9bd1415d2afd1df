"""What of the site that stands is as a build would make it: all of it, and there is nothing to do, or part by part.

What a build was made from, what it came to, and how to know each of its files, stand in the cache; and so does, for
each part, what was looked up for it and what tells the answers from any others. A record of a part is true by itself,
whichever build left it: with these answers, it is the files that are known by these marks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitegen import workshop
from sitegen.cache import Cache, Room, program
from sitegen.making import Made, Remembered, origin_of
from sitegen.output import Mark, folder_marks, marks_of, stands
from sitegen.tracing import Trace

BUILDS, PARTS, TEXTS = "builds", "parts", "texts"
"""The rooms of the cache: what a build came to, by what it was made from; parts, by name; and what texts say."""

Outcome = dict[str, Any]
"""What a build came to, as JSON can hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a build has put into the folder."""

    marks: Mapping[str, Mark]
    """How to know each file."""
    parts: tuple[Made, ...]


class Memory:
    """The last build into a folder."""

    def __init__(self, cache: Cache, site: Path) -> None:
        self._cache = cache
        self._site = site

    @property
    def texts(self) -> Room:
        """What was made of texts. Who asks for it asks for all that is to be kept."""
        return self._cache.room(TEXTS)

    def recall(self, inputs: bytes) -> Outcome | None:
        """Returns what the last build came to, if it was made of the same and all of its files stand untouched."""
        if (record := _read(self._cache.room(BUILDS), inputs)) is None:
            return None
        outcome, marks, folders = record
        return outcome if stands(self._site, marks_of(marks), marks_of(folders)) else None

    def remembered(self, trace: Trace) -> Remembered:
        """Returns what knows each part that would be the same if it were made again."""
        room = self._cache.room(PARTS)

        def remembered(name: str) -> Made | None:
            if (record := _read(room, _key(name))) is None:
                return None
            marks, origin = marks_of(record[0]), origin_of(record[1])
            return Made(name, marks, origin) if trace.told(origin.notes) == origin.told else None

        return remembered

    def remember(self, inputs: bytes, outcome: Outcome, written: Written) -> None:
        """Notes what a build was made from and came to, and each part with a name."""
        _write(self._cache.room(BUILDS), inputs, (outcome, written.marks, folder_marks(self._site, written.marks)))
        room = self._cache.room(PARTS)
        for one in written.parts:
            if one.origin:
                _write(room, _key(one.name), (one.marks, one.origin))
            else:
                room.get(_key(one.name))  # what nobody asks for is forgotten


def _key(name: str) -> bytes:
    return name.encode(errors="surrogatepass")


def _read(room: Room, key: bytes) -> Any:
    value = room.get(key)
    return None if value is None else json.loads(value)


def _write(room: Room, key: bytes, record: object) -> None:
    room.put(key, json.dumps(record, separators=(",", ":")).encode())


@contextmanager
def remembering(output: Path, templates: Mapping[str, str]) -> Iterator[Memory]:
    """The memory of builds into a folder, written when the build ends well."""
    site = output.resolve()
    cache = Cache(workshop.workshop(site) / f"{site.name}.cache", program(templates))
    yield Memory(cache, site)
    with workshop.visit(site):
        cache.save()
