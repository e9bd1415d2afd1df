"""What of the site that stands is as a build would make it: all of it, and there is nothing to do, or part by part.

What a build was made from, what it came to, and how to know each of its files, stand in the cache; and so does what
was looked up for each part, with a fingerprint of what was found, once for all parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitegen import workshop
from sitegen.cache import Cache, Room, program
from sitegen.making import Made
from sitegen.output import Mark, folder_marks, marks_of, stands
from sitegen.tracing import Note, Trace, notes_of

ROOM, LAST, PARTS, TEXTS = "build", b"last", b"parts", "texts"

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
        self._room = cache.room(ROOM)
        self._site = site

    @property
    def texts(self) -> Room:
        """What was made of texts. Who asks for it asks for all that is to be kept."""
        return self._cache.room(TEXTS)

    def recall(self, inputs: bytes) -> Outcome | None:
        """Returns what the last build came to, if it was made of the same and all of its files stand untouched."""
        last = self._read(LAST)
        if last.get("inputs") != inputs.hex():
            return None
        self._room.get(PARTS)  # what nobody asks for is forgotten
        outcome: Outcome = last["outcome"]
        return outcome if stands(self._site, marks_of(last["marks"]), marks_of(last["folders"])) else None

    def unchanged(self, trace: Trace) -> dict[str, Made]:
        """Returns what came of those parts, by name, that would be the same if they were made again."""
        last, record = self._read(LAST), self._read(PARTS)
        if record.get("settled") != trace.settled or record["inputs"] != last.get("inputs"):
            return {}
        told = list(zip(notes_of(record["notes"]), record["answers"], strict=True))
        changed = {number for number, (note, answer) in enumerate(told) if trace.answer(note) != answer}
        marks = marks_of(last["marks"])
        return {
            name: Made(name, {path: marks[path] for path in paths}, dict(told[number] for number in asked), ())
            for name, asked, paths in record["parts"]
            if changed.isdisjoint(asked)
        }

    def remember(self, inputs: bytes, outcome: Outcome, written: Written, trace: Trace) -> None:
        """Notes what a build was made from and came to, and each part with a name."""
        # Of two builds at once, one may have the last word on one record, and the other on the other.
        both = {"inputs": inputs.hex()}
        folders = folder_marks(self._site, written.marks)
        self._write(LAST, {**both, "outcome": outcome, "marks": written.marks, "folders": folders})
        self._write(PARTS, {**both, "settled": trace.settled, **_parts(written.parts)})

    def _read(self, key: bytes) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(self._room.get(key) or "{}")
        return record

    def _write(self, key: bytes, record: Mapping[str, object]) -> None:
        self._room.put(key, json.dumps(record, separators=(",", ":")).encode())


def _parts(made: Sequence[Made]) -> dict[str, object]:
    """What parts were made from: the numbers of their notes, which they have in common."""
    answers: dict[Note, str] = {}
    for one in made:
        answers.update(one.answers)
    numbers = {note: number for number, note in enumerate(answers)}
    parts = [[one.name, [numbers[note] for note in one.answers], list(one.marks)] for one in made if one.name]
    return {"notes": list(answers), "answers": list(answers.values()), "parts": parts}


@contextmanager
def remembering(output: Path, templates: Mapping[str, str]) -> Iterator[Memory]:
    """The memory of builds into a folder, written when the build ends well."""
    site = output.resolve()
    cache = Cache(workshop.workshop(site) / f"{site.name}.cache", program(templates))
    yield Memory(cache, site)
    with workshop.visit(site):
        cache.save()
