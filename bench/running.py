"""Runs a program in its own process, and measures its cost including the start."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024
"""What the system counts peak memory in, in bytes."""
MEGABYTE = 1_000_000
MEMORY = Path("/dev/shm")  # noqa: S108  (names in it are random)
ROOM = 6_000 * MEGABYTE
"""Bytes that the longest case may take."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a run."""

    seconds: float
    cpu_seconds: float
    """Of all its processes together; on a busy machine they say more than those on the wall."""
    peak_megabytes: float
    """What its largest process held at once."""

    def __add__(self, other: Cost) -> Cost:
        """Returns the cost of two runs, one after the other."""
        return Cost(
            seconds=self.seconds + other.seconds,
            cpu_seconds=self.cpu_seconds + other.cpu_seconds,
            peak_megabytes=max(self.peak_megabytes, other.peak_megabytes),
        )


def run(*command: str | Path, folder: Path | None = None) -> Cost:
    """Runs a command and returns its cost. If it fails, the bench ends with its output."""
    return _starter().submit(_run, command, folder).result()


@cache
def _starter() -> ProcessPoolExecutor:
    """A small process: what whoever starts a program has held, the system counts as held by the
    program."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def _run(command: Sequence[str | Path], folder: Path | None) -> Cost:
    with tempfile.TemporaryFile("w+") as said:
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=said, stderr=said, cwd=folder)  # noqa: S603  (our own commands)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        if status:
            said.seek(0)
            sys.exit(f"{' '.join(map(str, command))}\n{said.read()}")
    return Cost(
        seconds=seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_megabytes=usage.ru_maxrss * MEMORY_UNIT / MEGABYTE,
    )


def sitegen(*arguments: str | Path) -> Cost:
    """Returns the cost of a sitegen command."""
    return run(sys.executable, "-m", "sitegen", *arguments)


def build(content: Path, site: Path, *options: str) -> Cost:
    """Returns the cost of a build with a ledger."""
    return sitegen("build", content, "--output", site, "--quiet", *options)


@cache
def place() -> Path:
    """Returns the folder to work in: in memory if that has enough room, else the one for temporary
    files.

    On a disk, making files soon after many were removed takes up to ten times as long, which hides
    all else.
    """
    has_room = (
        MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM and os.access(MEMORY, os.W_OK)
    )
    return MEMORY if has_room else Path(tempfile.gettempdir())


def scratch() -> Path:
    """Returns a new folder in `place`, gone when the bench ends."""
    folder = Path(tempfile.mkdtemp(dir=place()))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def spread(values: Sequence[float]) -> str:
    """Returns the least and the largest of several values."""
    return f"{min(values):.2f} to {max(values):.2f}"
