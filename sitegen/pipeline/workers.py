"""Renders the parts of a site, in worker processes if there are many.

Parts are independent, so the files are the same whichever process renders them, in whatever order.
A worker is a fork of this process, with all values in memory. It puts files into the tree, and
returns their digests. What no worker has finished, for any reason, is rendered in this process; so
an error is raised as it would be without workers.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from threading import Thread

from sitegen.model import File, SitePart
from sitegen.pipeline.output import Digests, SiteTree

CAN_FORK = sys.platform == "linux"
"""Whether a fork of this process is safe."""
BATCH = 16
"""The number of parts that a worker renders at a time."""
WORTHWHILE = 400
"""The number of parts below which starting a worker costs more than it saves."""

Work = Callable[[int], Digests]
"""Puts the files of a batch, by its number, into the tree."""
Progress = Callable[[float], None]
"""Shows how much of the work is done, from 0 to 1."""


def render_parts(parts: Sequence[SitePart[File]], tree: SiteTree, *, progress: Progress) -> None:
    """Puts the files of all parts into the tree. Raises the exceptions of rendering."""
    batches = range(math.ceil(len(parts) / BATCH))

    def work(number: int) -> Digests:
        # Of n batches, each has every n-th part, so that the slow parts, which come first, are in
        # different batches.
        digests: dict[str, str] = {}
        for part in parts[number :: len(batches)]:
            for file in part.make():
                digests[file.path] = tree.put(file)
        return digests

    done: set[int] = set()
    workers = _number_of_workers(len(parts))
    if workers > 1:
        # The last batch is rendered here, so that what all parts need is computed before workers
        # are forked, and not in each of them.
        *other_batches, last = batches
        work(last)
        done.add(last)
        for number, digests in _done_by_workers(other_batches, workers, work, progress).items():
            tree.adopt(digests)
            done.add(number)

    # What no worker has done.
    for number in batches:
        if number not in done:
            work(number)
            progress((number + 1) / len(batches))


def _number_of_workers(parts: int) -> int:
    """Returns how many processes render a number of parts: one for each core, or 1 if this process
    does it alone."""
    if parts < WORTHWHILE or not CAN_FORK:
        return 1
    return len(os.sched_getaffinity(0))


def _done_by_workers(
    numbers: Sequence[int], workers: int, work: Work, progress: Progress
) -> Mapping[int, Digests]:
    """Returns the results of all batches that workers have finished, by their numbers.

    All workers have ended when this returns.
    """
    # Imported here, as most sites are rendered without workers.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    done = {}
    executor = None
    try:
        context = multiprocessing.get_context("fork")
        executor = ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(work,))
        with warnings.catch_warnings():
            # Python warns of forks of processes with threads.
            warnings.simplefilter("ignore", DeprecationWarning)
            futures = {executor.submit(_do, number): number for number in numbers}
        for future in as_completed(futures):
            if future.exception() is None:
                done[futures[future]] = future.result()
                progress(len(done) / len(futures))
    except (OSError, ImportError, NotImplementedError):
        # The system allows no more processes, or has no semaphores.
        return done
    finally:
        # After an error or an interrupt, workers may be in the midst of a batch.
        for child in multiprocessing.active_children():
            child.kill()
            child.join()
        if executor:
            executor.shutdown()
    return done


_work: Work


def _begin(work: Work) -> None:
    """Prepares a worker, which ends when the main process does, for whatever reason."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The main process ends its workers.
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Waits for the end of the main process, and then ends this worker."""
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)


def _do(number: int) -> Digests:
    """Does the work of a batch in a worker."""
    return _work(number)
