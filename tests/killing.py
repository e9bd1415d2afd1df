"""Builds a site from one of two contents, and kills each build before some call of the system.

Run by `test_whole_or_old.py`, in a process of its own: `killing.py FOLDER SEED…`. FOLDER has `one`
and `two`, and `one.site` and `two.site` built from them. Each seed chooses a call. Ends with an
error when a build was not killed, or when the site is neither.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from system_calls import before_call

from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones


def contents(site: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


def main(folder: Path, seeds: Sequence[int]) -> None:
    one, two = contents(folder / "one.site"), contents(folder / "two.site")
    run(folder, "two")
    with before_call(0, kill) as count:
        run(folder, "one")
    for seed in seeds:
        call = Random(seed).randint(1, count[0])
        name = "two" if contents(folder / "site") == one else "one"
        if not is_killed(folder, name, call):
            sys.exit(f"the build ended before its call {call} of {count[0]}")
        if contents(folder / "site") not in (one, two):
            sys.exit(f"killed before its call {call}, it leaves neither the one nor the other")


def is_killed(folder: Path, name: str, call: int) -> bool:
    """Runs a build in a copy of this process, which dies before a call if it makes so many."""
    child = os.fork()
    if child == 0:
        os.setsid()
        with before_call(call, kill):
            run(folder, name)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def kill() -> None:
    """Kills this process and its workers."""
    os.killpg(0, signal.SIGKILL)


def run(folder: Path, name: str) -> None:
    clones = Clones(folder=folder / "clones")
    build(folder / name, folder / "site", notify=lambda words: None, clones=clones)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [*map(int, sys.argv[2:])])
