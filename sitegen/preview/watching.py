"""Detects changed files.

An event from the operating system only triggers a comparison: a change is a difference in the
names, sizes or times of the files since the last snapshot. The change time (ctime) is compared too,
because a save can keep the size and reset the modification time. Therefore lost and duplicate
events, and events of this program's own reads and writes, have no effect.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from watchdog.events import (
    EVENT_TYPE_CLOSED_NO_WRITE,
    EVENT_TYPE_OPENED,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

QUIET_SECONDS = 0.02
"""Seconds without an event after which an editor has probably finished. A later event triggers
another check."""
LONGEST_WAIT = 0.5
"""Seconds after which files are compared, even if events still arrive."""
POLL_INTERVAL = 2.0
"""Seconds between checks without an event, because some systems lose events, and new folders are
not watched."""

Snapshot = set[tuple[str, int, int, int]]
"""(path, size, modification time, change time) of files."""


def changes(folders: Iterable[Path], *, ignore: Path) -> Iterator[None]:
    """Yields once at the start, and again after each change of a file in these folders, also of one
    during the caller's work. Ignores the folder `ignore` and all names that begin with a dot."""
    watched = [os.path.realpath(folder) for folder in folders]
    output = os.path.realpath(ignore)
    with _hints(watched, output) as hints:
        seen: Snapshot | None = None
        while True:
            found = _snapshot(watched, output)
            if found != seen:
                seen = found
                yield
            hints.arrived.wait(POLL_INTERVAL)
            hints.wait_until_quiet()


@contextmanager
def _hints(folders: Iterable[str], output: str) -> Iterator[_Hints]:
    """Watches the folders and yields the handler that receives the events."""
    # watchdog warns of folders that vanish before it reads them, as folders of our output do.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
    hints = _Hints(output)
    observer = Observer()
    # Where the system's limit of watches is reached, files are compared every `POLL_INTERVAL`.
    with suppress(OSError):
        for folder, recursive in _watches(folders, output):
            observer.schedule(hints, folder, recursive=recursive)
        observer.start()
    try:
        yield hints
    finally:
        observer.stop()
        if observer.is_alive():
            observer.join()


def _watches(folders: Iterable[str], output: str) -> Iterator[tuple[str, bool]]:
    """Yields the folders to watch, each with True if the folders in it are watched as well.

    The output folder is left out, because watchdog fails when a build replaces it: a folder above
    it is watched alone, and then each of its other folders.
    """
    for folder in folders:
        has_output = Path(output).is_relative_to(folder)
        yield folder, not has_output
        if not has_output or not Path(folder).is_dir():
            continue
        for path in sorted(Path(folder).iterdir()):
            is_folder = path.is_dir() and not path.is_symlink()
            if is_folder and not _is_ignored(str(path), output):
                yield from _watches([str(path)], output)


class _Hints(FileSystemEventHandler):
    """Notes the events that may be changes of files outside of the output folder."""

    def __init__(self, output: str) -> None:
        self.arrived = threading.Event()
        """Set when an event has arrived."""
        self.output = output

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Notes an event that may be a change of a file."""
        # A build reads all files, which also causes events.
        if event.event_type in {EVENT_TYPE_OPENED, EVENT_TYPE_CLOSED_NO_WRITE}:
            return
        path = os.fsdecode(event.src_path)
        is_in_output = path.startswith(self.output + os.sep)
        if is_in_output or _is_ignored(path, self.output):
            return
        self.arrived.set()

    def wait_until_quiet(self) -> None:
        """Waits until no more events arrive, at most `LONGEST_WAIT` seconds."""
        end = time.monotonic() + LONGEST_WAIT
        while self.arrived.is_set() and time.monotonic() < end:
            self.arrived.clear()
            self.arrived.wait(QUIET_SECONDS)


def _snapshot(folders: Iterable[str], output: str) -> Snapshot:
    """Returns the state of all files in the folders that can be read."""
    states = set()
    for folder in folders:
        for parent, folders_in_it, names in os.walk(folder):
            # `os.walk` passes over folders that are removed from its list.
            for name in [*folders_in_it]:
                if _is_ignored(f"{parent}/{name}", output):
                    folders_in_it.remove(name)
            for name in names:
                path = f"{parent}/{name}"
                with suppress(OSError):  # it was deleted just now
                    facts = os.lstat(path)
                    if not _is_ignored(path, output):
                        states.add((path, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns))
    return states


def _is_ignored(path: str, output: str) -> bool:
    """True for the output folder, and for a name that begins with a dot."""
    _, _, name = path.rpartition(os.sep)
    return path == output or name.startswith(".")
