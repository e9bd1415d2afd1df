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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of a run."""

    seconds: float
    cpu_seconds: float
    """Of all its processes together; on a busy machine they say more than those on the wall."""
    peak_megabytes: float
    """What its largest process held at once."""


def run(*command: str | Path, folder: Path | None = None) -> Cost:
    """Runs a command and returns its cost. If it fails, the bench ends with its output."""
    return _starter().submit(_run, command, folder).result()


@cache
def _starter() -> ProcessPoolExecutor:
    """A small process: what whoever starts a program has held, the system counts as held by the program."""
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


def scratch() -> Path:
    """Returns a new folder, gone when the bench ends.

    Not sooner: where very many files were just removed, making new ones takes some disks several times as long.
    """
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def spread(values: Sequence[float]) -> str:
    """Returns the least and the largest of several values."""
    return f"{min(values):.2f} to {max(values):.2f}"
