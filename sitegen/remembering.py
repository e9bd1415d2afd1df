"""What of the site that stands is as a build would make it: all of it, and there is nothing to do, or part by part.

What a build was made from, what it came to, and how to know each of its files, stand in the cache; and so does, for
each part, what it was made from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sitegen import urls, workshop
from sitegen.cache import Cache, Room, program
from sitegen.digests import digest
from sitegen.ledger import Ledger
from sitegen.making import Made, Part
from sitegen.output import Mark, Tree, marks_of, stands
from sitegen.tracing import Trace, notes_of

ROOM, LAST, PARTS, TEXTS = "build", b"last", "parts", "texts"

Outcome = dict[str, Any]
"""What a build came to, as JSON can hold it."""


class Memory:
    """The last build into a folder."""

    def __init__(self, cache: Cache, site: Path) -> None:
        self.cache = cache
        self._site = site

    @property
    def texts(self) -> Room:
        """What was made of texts. Who asks for it asks for all that is to be kept."""
        return self.cache.room(TEXTS)

    def recall(self, inputs: bytes) -> Outcome | None:
        """Returns what the last build came to, if it was made of the same and all of its files stand untouched."""
        last = json.loads(self.cache.room(ROOM).get(LAST) or "{}")
        if last.get("inputs") != inputs.hex():
            return None
        outcome: Outcome = last["outcome"]
        return outcome if stands(self._site, marks_of(last["marks"])) else None

    def keeps(self, part: Part, tree: Tree, *, trace: Trace, ledger: Ledger) -> Made | None:
        """Takes a part over into the next site as it stands, where it would be the same; returns what came of it.

        None where it is to be made: it has no name, is new, or one of its files was touched since.
        """
        record = self.cache.room(PARTS).get(part.name.encode()) if part.name else None
        if record is None:
            return None
        digest, notes, marks = json.loads(record)
        made = Made(part.name, marks_of(marks), notes_of(notes), ())
        return made if digest == _told(made, trace, ledger) and tree.keep(made.marks) else None

    def remember_part(self, made: Made, *, trace: Trace, ledger: Ledger) -> None:
        if made.name:
            record = [_told(made, trace, ledger), made.notes, made.marks]
            self.cache.room(PARTS).put(made.name.encode(), json.dumps(record).encode())

    def remember(self, inputs: bytes, marks: Mapping[str, Mark], outcome: Outcome) -> None:
        last = {"inputs": inputs.hex(), "marks": marks, "outcome": outcome}
        self.cache.room(ROOM).put(LAST, json.dumps(last).encode())


def _told(made: Made, trace: Trace, ledger: Ledger) -> str:
    """What a part was made from, and what the ledger asks of its files, in a few characters."""
    rows = (ledger.get("/" + urls.address(path)) for path in sorted(made.marks))
    return digest(trace.answers(made.notes), *(repr(row and row.fragments).encode() for row in rows)).hex()


@contextmanager
def remembering(output: Path, templates: Mapping[str, str]) -> Iterator[Memory]:
    """The memory of builds into a folder, written when the build ends well."""
    site = output.resolve()
    cache = Cache(workshop.workshop(site) / f"{site.name}.cache", program(templates))
    yield Memory(cache, site)
    with workshop.visit(site):
        cache.save()
