"""Makes the parts of a site, on as many cores as there are, and puts their files into the tree.

Parts are independent, so it does not matter who makes which, or in what order: the files are the same. A worker is a
copy of this process (a fork), which has everything at hand already. Each takes the next few parts that nobody has
taken yet, writes their files itself, and leaves a note of how to know them. What a worker did not finish, whatever
the reason, is made here; so an error is raised as if there were no workers.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from sitegen.model import File
from sitegen.output import Mark, Tree

Part = Callable[[], Iterable[File]]
"""Some files of a site, made when they are asked for."""
Inspect = Callable[[File], Sequence[str]]
"""Looks at a file as it is about to be published, and says what it lacks."""
Told = Callable[[float], None]
"""Is told how much of the work is taken, from 0 to 1."""

BATCH = 16
"""Parts taken at once."""
WORTHWHILE = 400
"""Parts below which starting a worker costs more than it saves."""
WIDTH = 4
"""Bytes of a batch's number in the queue."""


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def make(parts: Sequence[Part], tree: Tree, *, inspect: Inspect, jobs: int, told: Told) -> list[str]:
    """Puts the files of all parts into the tree, and returns what `inspect` found lacking in them.

    Whatever making a part raises, this raises.
    """
    batches = [parts[start : start + BATCH] for start in range(0, len(parts), BATCH)]
    lacking, left = [], set(range(len(batches)))

    def make_here(number: int) -> None:
        lacking.extend(_made(batches[number], tree, inspect))
        left.discard(number)

    def make_there(number: int) -> str:
        tree.marks.clear()
        return json.dumps([number, _made(batches[number], tree, inspect), tree.marks])

    workers = jobs - 1 if len(parts) >= WORTHWHILE and sys.platform == "linux" else 0
    with _queue(len(batches)) as queue, _working(workers, queue, make_there) as notes:
        for number in _taken(queue):
            told(number / len(batches))
            make_here(number)
        for note in notes():
            number, found, marks = json.loads(note)
            tree.adopt({path: Mark(*mark) for path, mark in marks.items()})
            lacking += found
            left.discard(number)
    for number in sorted(left):
        make_here(number)
    return sorted(lacking)


def _made(batch: Iterable[Part], tree: Tree, inspect: Inspect) -> list[str]:
    lacking: list[str] = []
    for part in batch:
        for file in part():
            lacking += inspect(file)
            tree.put(file)
    return lacking


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
def _working(workers: int, queue: int, work: Callable[[int], str]) -> Iterator[Callable[[], Iterator[str]]]:
    """Workers that work through the queue; what is given waits for them and yields what they noted, batch by batch.

    None outlives this.
    """
    gc.freeze()  # what is there is shared with the workers as long as nobody touches it
    sheets = [tempfile.TemporaryFile("w+", encoding="utf-8") for _ in range(workers)]  # noqa: SIM115  (closed below)
    children = [_fork(queue, work, sheet) for sheet in sheets]

    def notes() -> Iterator[str]:
        for sheet in sheets:
            os.waitpid(children.pop(0), 0)
            sheet.seek(0)
            # A worker that was killed may have left half a line.
            yield from (line for line in sheet if line.endswith("\n"))

    try:
        yield notes
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for sheet in sheets:
            sheet.close()
        gc.unfreeze()


def _fork(queue: int, work: Callable[[int], str], sheet: IO[str]) -> int:
    with warnings.catch_warnings():
        # Of other threads (progress, a preview's server) a worker needs nothing.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        with suppress(BaseException):
            for number in _taken(queue):
                sheet.write(work(number) + "\n")
            sheet.flush()
        os._exit(0)
    return child
