"""Renders the parts of a site in worker processes, and puts their files into the tree.

Parts are independent, so the files are the same whichever process renders them, in whatever order.
A worker is a fork of this process, with all values in memory. Each worker takes the next batch of
parts from a queue, keeps the parts whose dependencies are unchanged, renders the others, and writes
a result for each. Parts that no worker has finished, for any reason, are rendered in this process;
so an error is raised as it would be without workers.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import IO, NamedTuple

from sitegen.model import File
from sitegen.pipeline.dependencies import Lookups, Recorder, lookups_of
from sitegen.pipeline.file_marks import FileMark
from sitegen.pipeline.output import SiteTree
from sitegen.text import compact_json


@dataclass(frozen=True, kw_only=True, slots=True)
class SitePart:
    """Some files of a site."""

    name: str = ""
    """The name of a part that may be kept from the last build; other parts have none."""
    files: Callable[[], Iterable[File]]
    """Renders the files."""

    def below(self, folder: str) -> SitePart:
        """Returns the part with its files in a folder."""
        name = self.name and folder + self.name
        return SitePart(
            name=name,
            files=lambda: (replace(file, path=folder + file.path) for file in self.files()),
        )


class PartResult(NamedTuple):
    """The files of a part."""

    name: str
    marks: Mapping[str, FileMark]
    record: bytes = b""
    """The new cache record of a part with a name; empty if the cached one is still right."""


RecordOf = Callable[[str], bytes]
"""Returns the cached record of a part, by its name; empty if there is none."""
Work = Callable[[int], list[PartResult]]
"""Returns the results of the parts of a batch, by its number."""
BatchResult = tuple[int, list[PartResult]]
Progress = Callable[[float], None]
"""Shows how much of the work has begun, from 0 to 1."""

CAN_FORK = sys.platform == "linux"
"""Whether a fork of this process is safe."""
BATCH = 16
"""Parts with a name, which are small, in one batch."""
WORTHWHILE = 400
"""Parts of a site below which starting a worker costs more than it saves."""
WIDTH = 4
"""Bytes of a batch's number in the queue."""


def fork() -> int:
    """Forks this process. Returns 0 in the fork, and its process id in this process.

    The fork has no other threads, so it must not need their locks.
    """
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # Python warns of forks of processes with threads
        return os.fork()


def render_parts(
    parts: Sequence[SitePart],
    tree: SiteTree,
    *,
    recorder: Recorder,
    record_of: RecordOf,
    jobs: int | None,
    progress: Progress,
) -> list[PartResult]:
    """Puts the files of all parts into the tree, and returns the result of each.

    A part whose dependencies are unchanged since its record keeps its files. Raises the exceptions
    of rendering.
    """
    batches = _batches(parts)

    def work(number: int) -> list[PartResult]:
        return [
            _reused_result(part, tree, recorder, record_of)
            or _rendered_result(part, tree, recorder)
            for part in batches[number]
        ]

    cores = jobs or (len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1)
    workers = min(cores - 1, len(batches)) if len(parts) >= WORTHWHILE and CAN_FORK else 0
    results, others = _worked(len(batches), workers, work, progress)
    for one in chain.from_iterable(others.values()):
        tree.adopt(one.marks)
    results |= others
    results |= {number: work(number) for number in range(len(batches)) if number not in results}
    return [one for _, several in sorted(results.items()) for one in several]


Results = dict[int, list[PartResult]]


def _worked(count: int, workers: int, work: Work, progress: Progress) -> tuple[Results, Results]:
    """Returns the results of this process, and those of the workers, by the numbers of their
    batches."""
    own: Results = {}
    if workers:
        # Rendering one batch of terms first compiles their templates for all workers.
        own[count - 1] = work(count - 1)
    with _queue(count - len(own)) as queue, _forks(workers, queue, work) as finished:
        for number in _batch_numbers(queue):
            progress(number / count)
            own[number] = work(number)
        return own, dict(finished())


def _batches(parts: Sequence[SitePart]) -> list[Sequence[SitePart]]:
    """Returns batches of parts. A part without a name is large: it is a batch of its own, and
    first."""
    small = [part for part in parts if part.name]
    grouped = (small[start : start + BATCH] for start in range(0, len(small), BATCH))
    return [*([part] for part in parts if not part.name), *grouped]


def _reused_result(
    part: SitePart, tree: SiteTree, recorder: Recorder, record_of: RecordOf
) -> PartResult | None:
    """Returns the result of a part whose dependencies and files are unchanged; None for any
    other."""
    if not part.name or not (record := record_of(part.name)):
        return None
    recorded, read, digest = compact_json.load(record)
    marks, lookups = {path: FileMark(*mark) for path, mark in recorded.items()}, lookups_of(read)
    if recorder.digest(lookups) != digest or (reused := tree.keep(marks)) is None:
        return None
    return PartResult(
        part.name, reused, b"" if reused == marks else _record(reused, lookups, digest)
    )


def _rendered_result(part: SitePart, tree: SiteTree, recorder: Recorder) -> PartResult:
    recorder.take()
    marks = {file.path: tree.put(file) for file in part.files()}
    lookups = recorder.take()
    record = _record(marks, lookups, recorder.digest(lookups)) if part.name else b""
    return PartResult(part.name, marks, record)


def _record(marks: Mapping[str, FileMark], lookups: Lookups, digest: str) -> bytes:
    return compact_json.dump((marks, lookups, digest))


@contextmanager
def _queue(length: int) -> Iterator[int]:
    """Opens a file with the numbers of all batches. Forks share its offset, so each reads other
    numbers."""
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(b"".join(number.to_bytes(WIDTH, "big") for number in range(length)))
        file.seek(0)
        yield file.fileno()


def _batch_numbers(queue: int) -> Iterator[int]:
    while number := os.read(queue, WIDTH):
        yield int.from_bytes(number, "big")


@contextmanager
def _forks(workers: int, queue: int, work: Work) -> Iterator[Callable[[], Iterator[BatchResult]]]:
    """Starts workers on the queue. Yields a function that waits for them, and yields what they have
    finished.

    There may be fewer workers if the system allows no more. All have ended when the block ends; if
    this process is killed, they end when the queue is empty.
    """
    gc.freeze()  # the collector would write to memory pages that are shared with the workers
    children: list[tuple[int, IO[bytes]]] = []

    def finished() -> Iterator[BatchResult]:
        for child, results in children:
            os.waitid(
                os.P_PID, child, os.WEXITED | os.WNOWAIT
            )  # keeps the process id in use until it is reaped
            results.seek(0)
            with suppress(
                EOFError, pickle.UnpicklingError
            ):  # the end, or half a result of a worker that was killed
                while True:
                    yield pickle.load(results)  # noqa: S301  (of our own fork)

    try:
        with suppress(OSError):
            for _ in range(workers):
                new = tempfile.TemporaryFile()  # noqa: SIM115  (closed below)
                children.append((_fork(queue, work, new), new))
        yield finished
    finally:
        for child, results in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            results.close()
        gc.unfreeze()


def _fork(queue: int, work: Work, results: IO[bytes]) -> int:
    child = fork()
    if child == 0:
        with suppress(BaseException):
            for number in _batch_numbers(queue):
                pickle.dump((number, work(number)), results)
            results.flush()
        os._exit(0)
    return child
