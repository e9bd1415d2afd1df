"""Builds a site from one of two contents, and kills each build before some call of the system.

Run by `test_whole_or_old.py`, in a process of its own: `killing.py FOLDER SEED…`. FOLDER has `one`
and `two`, and `one.site` and `two.site` built from them. Each seed chooses a call. Ends with an
error when a build was not killed, or when the site is neither.

`killing.py FOLDER archive` builds `two` after `one` in the folder `words`, with an archive, and is
killed before each call that changes something, from the writing of the next archive to its renaming. Ends with an error when
the archive has a fact that the site lacks, or when the next build does not make both whole.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from system_calls import before_call, recorded_calls
from written_sites import contents

from sitegen.addresses import urls
from sitegen.permanence.archive_file import ArchiveStore, parsed_file
from sitegen.permanence.archive_union import lost
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones

READING = ("listdir", "lstat", "open", "scandir", "stat")
"""Calls before which a build need not be killed, as they change nothing that is seen."""


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


def with_archive(folder: Path) -> None:
    shutil.copytree(folder / "one", folder / "words")
    publish(folder)
    shutil.copytree(folder / "two", folder / "words", dirs_exist_ok=True)
    shutil.copytree(folder / "words", folder / "before/words")
    shutil.copytree(folder / "site", folder / "before/site")
    with recorded_calls() as calls:
        publish(folder)
    whole = contents(folder / "site")
    changing = [
        number for number, call in enumerate(calls, start=1) if not call.startswith(READING)
    ]
    first, *_, last = [
        number for number in changing if f".{urls.ARCHIVE}.next" in calls[number - 1]
    ]
    changing = [number for number in changing if first - 3 <= number <= last + 3]
    for call in changing:
        _restore(folder)
        if not dies(lambda: publish(folder), call):
            sys.exit(f"the build ended before its call {call} of {len(calls)}")
        kept, live = (parsed_file(folder / name / urls.ARCHIVE) for name in ("words", "site"))
        if missing := [*lost(live, kept)]:
            sys.exit(f"killed before its call {call}, the site lacks {missing} of the archive")
        publish(folder)
        if contents(folder / "site") != whole:
            sys.exit(f"killed before its call {call}, the next build makes another site")
        if (folder / "words" / urls.ARCHIVE).read_bytes() != whole[urls.ARCHIVE]:
            sys.exit(f"killed before its call {call}, the next archive is not that of the site")


def _restore(folder: Path) -> None:
    """Puts back what was there before the build that is killed."""
    for name in ("words", "site"):
        shutil.rmtree(folder / name)
        shutil.copytree(folder / "before" / name, folder / name)


def publish(folder: Path) -> None:
    """Builds the folder `words` with its archive."""
    words, site = folder / "words", folder / "site"
    clones = Clones(folder=folder / "clones")
    store = ArchiveStore(path=words / urls.ARCHIVE)
    build(words, site, notify=lambda _: None, clones=clones, archive_store=store)


def is_killed(folder: Path, name: str, call: int) -> bool:
    return dies(lambda: run(folder, name), call)


def dies(work: Callable[[], object], call: int) -> bool:
    """Works in a copy of this process, which dies before a call if it makes so many."""
    child = os.fork()
    if child == 0:
        os.setsid()
        with before_call(call, kill):
            work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def kill() -> None:
    """Kills this process and its workers."""
    os.killpg(0, signal.SIGKILL)


def run(folder: Path, name: str) -> None:
    clones = Clones(folder=folder / "clones")
    build(folder / name, folder / "site", notify=lambda words: None, clones=clones)


if __name__ == "__main__":
    if sys.argv[2] == "archive":
        with_archive(Path(sys.argv[1]))
    else:
        main(Path(sys.argv[1]), [*map(int, sys.argv[2:])])
