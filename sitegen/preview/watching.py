"""Notices that files have changed.

What the system reports is only a hint to look again: what counts is whether the files' names, sizes or times differ
from those seen before the last build. The time at which the system last changed a file counts too, because a save can
keep the size and set the other time back. So our own reading and writing, duplicate reports and lost ones change
nothing.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from watchdog.events import (
    EVENT_TYPE_CLOSED_NO_WRITE,
    EVENT_TYPE_MODIFIED,
    EVENT_TYPE_OPENED,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

from sitegen.build.staging import staging_folder

TELLS_OF_CLOSING = sys.platform == "linux"
QUIET = 0.02
"""Seconds without a report after which an editor is taken to be done; where it was not, we look again."""
PATIENCE = 0.5
"""Seconds to wait for a file that was written to and not closed."""
ANYWAY = 2.0
"""Seconds after which we look without a report: some systems lose them, and folders made later are not watched."""

Snapshot = frozenset[tuple[str, int, int, int]]
"""Name, size, modification time and change time of every file."""


IsOver = Callable[[], bool]
"""Says whether anything has changed since; then the next change is sure to come."""


def changes(folders: Iterable[Path], *, ignore: Path) -> Iterator[IsOver]:
    """Yields once at the start, and again whenever a file in these folders has changed since.

    A change while the caller is at work counts too; what is yielded tells of it. The folder `ignore`, and whatever
    begins with a dot, are not looked at: builds write to the staging folder.
    """
    folders = tuple(Path(os.path.realpath(folder)) for folder in folders)
    ignore = Path(os.path.realpath(ignore))
    seen: Snapshot | None = None

    def is_over() -> bool:
        nonlocal seen
        if seen != _snapshot(folders, ignore):
            seen = None  # not even putting all back undoes that
            hints.some.set()
        return seen is None

    with _hints(folders, ignore) as hints:
        while True:
            found = _snapshot(folders, ignore)
            if found != seen:
                seen = found
                yield is_over
            hints.some.wait(ANYWAY)
            hints.settle()


@contextmanager
def _hints(folders: tuple[Path, ...], ignore: Path) -> Iterator[_Hints]:
    """What is told whenever something may have changed."""
    # A folder that comes and goes faster than it is looked at, as our own output does, is no cause for alarm.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
    hints = _Hints(ignore)
    observer = _observer(tuple(_watches(folders, ignore)), hints)
    try:
        yield hints
    finally:
        observer.stop()
        observer.join()


def _watches(folders: Iterable[Path], ignore: Path) -> Iterator[tuple[Path, bool]]:
    """Folders to watch, and whether with all below them: the output is not, for watchdog trips over its exchange."""
    for folder in folders:
        above = ignore.is_relative_to(folder)
        yield folder, not above
        if above and folder.is_dir():
            below = (path for path in sorted(folder.iterdir()) if path.is_dir() and not path.is_symlink())
            yield from _watches((path for path in below if not _is_passed_over(str(path), str(ignore))), ignore)


def _observer(watches: tuple[tuple[Path, bool], ...], handler: FileSystemEventHandler) -> BaseObserver:
    try:
        return _start(Observer(), watches, handler)
    except OSError:  # the system's limit of watched folders is reached
        return _start(PollingObserver(), watches, handler)


def _start(
    observer: BaseObserver, watches: tuple[tuple[Path, bool], ...], handler: FileSystemEventHandler
) -> BaseObserver:
    for folder, recursive in watches:
        observer.schedule(handler, str(folder), recursive=recursive)
    observer.start()
    return observer


class _Hints(FileSystemEventHandler):
    def __init__(self, ignore: Path) -> None:
        self.some = threading.Event()
        """Set when there was any."""
        self.being_written: set[str] = set()
        """Files that were written to and are not closed yet, where the system tells that."""
        self.ours = (str(ignore), str(staging_folder(ignore)))

    def on_any_event(self, event: FileSystemEvent) -> None:
        # Reading is reported too, and a build reads everything.
        if event.event_type in {EVENT_TYPE_OPENED, EVENT_TYPE_CLOSED_NO_WRITE}:
            return
        path = os.fsdecode(event.src_path)
        if not any(path == ours or path.startswith(ours + os.sep) for ours in self.ours):
            if event.event_type == EVENT_TYPE_MODIFIED and not event.is_directory and TELLS_OF_CLOSING:
                self.being_written.add(path)
            else:
                self.being_written.discard(path)
            self.some.set()

    def settle(self) -> None:
        """Returns when whoever is writing has come to an end."""
        end = time.monotonic() + PATIENCE
        while self.some.is_set() and time.monotonic() < end:
            self.some.clear()
            while not self.some.wait(QUIET) and self.being_written and time.monotonic() < end:
                pass
        self.being_written.clear()


def _snapshot(folders: tuple[Path, ...], ignore: Path) -> Snapshot:
    return frozenset(entry for folder in folders for entry in _entries(str(folder), str(ignore)))


def _entries(folder: str, ignore: str) -> Iterator[tuple[str, int, int, int]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if _is_passed_over(entry.path, ignore):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    yield from _entries(entry.path, ignore)
                else:
                    facts = entry.stat(follow_symlinks=False)
                    yield entry.path, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns
    except OSError:
        yield folder, 0, 0, 0  # gone or shut while we looked: a change when that ends


def _is_passed_over(path: str, output: str) -> bool:
    return path == output or path.rpartition(os.sep)[2].startswith(".")
