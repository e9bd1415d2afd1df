"""Makes the parts of a site, on as many cores as there are, and puts their files into the tree.

Parts are independent, so it does not matter who makes which, or in what order: the files are the same. A worker is a
copy of this process (a fork), which has everything at hand already. Each takes the next few parts that nobody has
taken yet, keeps those that would be what they were, writes the files of the others, and leaves a note of how to know
them. What a worker did not finish, whatever the reason, is made here; so an error is raised as if there were none.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, NamedTuple

from sitegen.build.dependencies import Lookups, Recorder, lookups_of
from sitegen.build.file_marks import Mark, columns, marks_of
from sitegen.build.fork import CAN_COPY, copy
from sitegen.build.output import Tree
from sitegen.model import File
from sitegen.text import compact_json
from sitegen.text.compact_json import DAMAGED


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some files of a site."""

    name: str = ""
    """Of a part that need not be made again as long as it would be the same; others have none."""
    files: Callable[[], Iterable[File]]
    """Makes them."""


class Made(NamedTuple):
    """What came of a part."""

    name: str
    marks: Mapping[str, Mark]
    record: bytes = b""
    """What a later build is told of a part with a name; empty where it would be told the same again."""
    lacking: Sequence[str] = ()


Recorded = Callable[[str], bytes]
"""Returns what was recorded of a part, by its name; empty where nothing was."""
Inspect = Callable[[File], Sequence[str]]
"""Looks at a file as it is about to be published, and says what it lacks."""
Told = Callable[[float], None]
"""Is told how much of the work is taken, from 0 to 1."""

BATCH = 16
"""Parts with a name, which are small, that are taken at once."""
WORTHWHILE = 400
"""Parts of a site below which starting a worker costs more than it saves."""
WIDTH = 4
"""Bytes of a batch's number in the queue."""


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def make(
    parts: Sequence[Part],
    tree: Tree,
    *,
    recorder: Recorder,
    recorded: Recorded,
    inspect: Inspect,
    jobs: int,
    told: Told,
) -> list[Made]:
    """Puts the files of some parts into the tree; returns what came of each, with what `inspect` found lacking.

    A part that would be the same as was `recorded` is taken over as it stands. Whatever making a part raises, this
    raises.
    """
    batches = _batches(parts)
    made: dict[int, list[Made]] = {}

    def work(number: int) -> list[Made]:
        return [
            _kept(part, tree, recorder, recorded) or _made(part, tree, recorder, inspect) for part in batches[number]
        ]

    workers = min(jobs - 1, len(batches)) if len(parts) >= WORTHWHILE and CAN_COPY else 0
    queued = len(batches)
    if workers:
        # What it takes to make terms, such as their templates as programs, is then there for all who make some.
        queued -= 1
        made[queued] = work(queued)
    with _queue(queued) as queue, _working(workers, queue, lambda number: _noted(number, work)) as notes:
        tree.look_around()
        for number in _taken(queue):
            told(number / len(batches))
            made[number] = work(number)
        for note in notes():
            number, several = _understood(note)
            made[number] = several
            for one in several:
                tree.adopt(one.marks)
    for number in range(len(batches)):
        if number not in made:
            made[number] = work(number)
    return [one for number in range(len(batches)) for one in made[number]]


def _batches(parts: Sequence[Part]) -> list[Sequence[Part]]:
    """What is taken at once: a part without a name by itself, and first."""
    small = [part for part in parts if part.name]
    together = (small[start : start + BATCH] for start in range(0, len(small), BATCH))
    return [*([part] for part in parts if not part.name), *together]


def _kept(part: Part, tree: Tree, recorder: Recorder, recorded: Recorded) -> Made | None:
    """What comes of a part that would be the same if it were made again; None of any other."""
    if not part.name or not (record := recorded(part.name)):
        return None
    marks, notes, told = _recalled(record)
    if recorder.digest(notes) != told or (kept := tree.keep(marks)) is None:
        return None
    return Made(part.name, kept, b"" if kept == marks else _record(kept, notes, told))


def _made(part: Part, tree: Tree, recorder: Recorder, inspect: Inspect) -> Made:
    recorder.take()
    marks: dict[str, Mark] = {}
    lacking: list[str] = []
    for file in part.files():
        lacking += inspect(file)
        marks[file.path] = tree.put(file)
    notes = recorder.take()
    record = _record(marks, notes, recorder.digest(notes)) if part.name else b""
    return Made(part.name, marks, record, lacking)


def _record(marks: Mapping[str, Mark], notes: Lookups, told: str) -> bytes:
    """What came of a part, what was asked while it was made, and what the answers told."""
    return compact_json.dump((columns(marks), notes, told))


def _recalled(record: bytes) -> tuple[dict[str, Mark], Lookups, str]:
    marks, notes, told = compact_json.load(record)
    return marks_of(marks), lookups_of(notes), told


def _noted(number: int, work: Callable[[int], list[Made]]) -> bytes:
    several = [(one.name, columns(one.marks), one.record.decode(errors=DAMAGED), one.lacking) for one in work(number)]
    return compact_json.dump((number, several)) + b"\n"


def _understood(note: bytes) -> tuple[int, list[Made]]:
    number, several = compact_json.load(note)
    return number, [
        Made(name, marks_of(marks), record.encode(errors=DAMAGED), lacking)
        for name, marks, record, lacking in several
    ]


@contextmanager
def _queue(length: int) -> Iterator[int]:
    """The numbers of all batches in a file: copies of a process share the place up to which they have read it."""
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(b"".join(number.to_bytes(WIDTH, "big") for number in range(length)))
        file.seek(0)
        yield file.fileno()


def _taken(queue: int) -> Iterator[int]:
    while number := os.read(queue, WIDTH):
        yield int.from_bytes(number, "big")


@contextmanager
def _working(workers: int, queue: int, work: Callable[[int], bytes]) -> Iterator[Callable[[], Iterator[bytes]]]:
    """Workers that work through the queue; what is given waits for them and yields what they noted, batch by batch.

    They may be fewer, where the system gives no more. At the end none is left; only if we are killed do they work on
    until nothing is left to take.
    """
    gc.freeze()  # what is there is shared with the workers as long as nobody touches it
    children: list[tuple[int, IO[bytes]]] = []

    def notes() -> Iterator[bytes]:
        for child, sheet in children:
            os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # its number stays its own until we let go of it
            sheet.seek(0)
            # A worker that was killed may have left half a line.
            yield from (line for line in sheet if line.endswith(b"\n"))

    try:
        with suppress(OSError):
            for _ in range(workers):
                new = tempfile.TemporaryFile()  # noqa: SIM115  (closed below)
                children.append((_fork(queue, work, new), new))
        yield notes
    finally:
        for child, sheet in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            sheet.close()
        gc.unfreeze()


def _fork(queue: int, work: Callable[[int], bytes], sheet: IO[bytes]) -> int:
    child = copy()
    if child == 0:
        with suppress(BaseException):
            for number in _taken(queue):
                sheet.write(work(number))
            sheet.flush()
        os._exit(0)
    return child
