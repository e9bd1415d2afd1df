"""Builds a site from two contents in turn, and kills each build at a random moment.

Run by `test_whole_or_old.py`, in a process of its own: `killing.py FOLDER KILLS`. FOLDER has `one`
and `two`, and `one.site` and `two.site` built from them. Prints how many builds had ended before
they could be killed; ends with an error when the site is neither.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from random import Random

from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones


def contents(site: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


def main(folder: Path, kills: int) -> None:
    random = Random(kills)
    names = ("one", "two")
    wanted = {name: contents(folder / f"{name}.site") for name in names}
    begun = time.monotonic()
    run(folder, "one")
    longest = 1.2 * (time.monotonic() - begun)
    ended, seen = 0, set()
    for number in range(kills):
        child = os.fork()
        if child == 0:
            run(folder, names[number % 2])
            os._exit(0)
        time.sleep(random.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        ended += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        standing = contents(folder / "site")
        found = [name for name in names if standing == wanted[name]]
        if not found:
            sys.exit(f"after {number + 1} kills the site is neither the one nor the other")
        seen.update(found)
    print(f"{ended} ended, {len(seen)} sites seen")


def run(folder: Path, name: str) -> None:
    clones = Clones(folder=folder / "clones")
    build(folder / name, folder / "site", notify=lambda words: None, clones=clones)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
