"""Whether the site that stands is the one that a build would make: then there is nothing to do.

What a build was made from, what it came to, and how to know each of its files, stand in the cache.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sitegen import workshop
from sitegen.cache import Cache, program
from sitegen.output import Mark, stands

ROOM, LAST = "build", b"last"

Outcome = dict[str, Any]
"""What a build came to, as JSON can hold it."""


class Memory:
    """The last build into a folder."""

    def __init__(self, cache: Cache, site: Path) -> None:
        self.cache = cache
        self._site = site

    def recall(self, inputs: bytes) -> Outcome | None:
        """Returns what the last build came to, if it was made of the same and all of its files stand untouched."""
        last = json.loads(self.cache.room(ROOM).get(LAST) or "{}")
        if last.get("inputs") != inputs.hex():
            return None
        marks = {path: Mark(*mark) for path, mark in last["marks"].items()}
        outcome: Outcome = last["outcome"]
        return outcome if stands(self._site, marks) else None

    def remember(self, inputs: bytes, marks: Mapping[str, Mark], outcome: Outcome) -> None:
        last = {"inputs": inputs.hex(), "marks": marks, "outcome": outcome}
        self.cache.room(ROOM).put(LAST, json.dumps(last).encode())


@contextmanager
def remembering(output: Path, templates: Mapping[str, str]) -> Iterator[Memory]:
    """The memory of builds into a folder, written when the build ends well."""
    site = output.resolve()
    cache = Cache(workshop.workshop(site) / f"{site.name}.cache", program(templates))
    yield Memory(cache, site)
    with workshop.visit(site):
        cache.save()
