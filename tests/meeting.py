"""Starts builds of one folder at the same moment, repeatedly, and counts failures with their
reasons.

Run by `test_whole_or_old.py`, in a process of its own: `meeting.py FOLDER ROUNDS WHAT`. WHAT is
`bare`, sites of a few files, each time from nothing; `renames`, the same on a system that cannot
exchange folders; `killed` and `killed renames`, the same where all builds but one are killed at
some moment, before another build; `contents`, builds of the two contents that `killing.py`
describes; or `archive`, builds of a glossary that has a term more each time. Leaves with a complaint
when a build failed, or left no whole site, or something beside it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from killing import contents, run
from written_sites import write_site

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.permanence.archive_file import ArchiveStore
from sitegen.pipeline import staging
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones

BUILDERS = 4


def main(folder: Path, rounds: int, what: str) -> None:
    if "renames" in what:
        staging.exchange = lambda *_: False
    if what == "archive":
        (folder / "words").mkdir(parents=True)
        (folder / "words/GLOSSARY.md").write_text("# Glossary\n\n## Term 0\n\nMeans 0.\n")
        _build(folder)  # What a first build loads is loaded here, and not in each child.
    for number in range(1, rounds + 1):
        meets = {"archive": partial(_archive, number=number), "contents": _contents}.get(
            what, partial(_bare, random=Random(number) if "killed" in what else None)
        )
        if failed := meets(folder):
            sys.exit(f"round {number}: {failed}")


def _bare(folder: Path, random: Random | None) -> str:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    site = folder / "site"

    def builds(builder: int) -> None:
        for _ in range(3):
            write_site(
                site, [File(path=f"{path}/index.html", content=b"%d" % builder) for path in "abc"]
            )

    if failed := _meeting(builds, random):
        return failed
    if random:
        builds(0)  # One that was killed between two renames leaves no site.
    pages = [path.read_bytes() for path in site.glob("*/index.html")]
    if len(pages) != 3 or len(set(pages)) != 1:
        return f"the site has {pages}"
    left = [path.name for path in folder.iterdir() if path != site]
    return f"beside the site are {left}" if left else ""


def _contents(folder: Path) -> str:
    run(folder, "one")
    if failed := _meeting(lambda builder: run(folder, ("one", "two")[builder % 2])):
        return failed
    whole = [contents(folder / f"{name}.site") for name in ("one", "two")]
    return "" if contents(folder / "site") in whole else "the site is neither the one nor the other"


def _archive(folder: Path, number: int) -> str:
    words = folder / "words"
    words.mkdir(parents=True, exist_ok=True)
    terms = "".join(f"## Term {each}\n\nMeans {each}.\n\n" for each in range(number + 1))
    (words / "GLOSSARY.md").write_text(f"# Glossary\n\n{terms}")
    if failed := _meeting(lambda _: _build(folder)):
        return failed
    kept = (words / urls.ARCHIVE).read_text()
    published = (folder / "site" / urls.ARCHIVE).read_text()
    return (
        ""
        if kept == published and f"/term/term-{number}/" in kept
        else "the archive is not the site's"
    )


def _build(folder: Path) -> None:
    archive_store, clones = (
        ArchiveStore(path=folder / "words" / urls.ARCHIVE),
        Clones(folder=folder / "clones"),
    )
    build(
        folder / "words",
        folder / "site",
        notify=lambda _: None,
        clones=clones,
        archive_store=archive_store,
    )


def _meeting(work: Callable[[int], object], random: Random | None = None) -> str:
    """Runs some work several times at once, and returns the errors. With `random`, all but the
    last are killed."""
    waiting, starting = os.pipe()
    builders = []
    for builder in range(BUILDERS):
        if (child := os.fork()) == 0:
            os.close(starting)
            _work_and_leave(work, builder, waiting)
        builders.append(child)
    os.close(starting)  # All are there, and begin.
    os.close(waiting)
    if random:
        for child in builders[:-1]:
            time.sleep(random.random() / 200)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        builders = builders[-1:]
    failed = sum(os.waitpid(child, 0)[1] != 0 for child in builders)
    return f"{failed} of {BUILDERS} builds failed" if failed else ""


def _work_and_leave(work: Callable[[int], object], builder: int, waiting: int) -> None:
    try:
        os.read(waiting, 1)  # until the pipe is closed
        work(builder)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
