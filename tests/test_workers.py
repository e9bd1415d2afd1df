"""Rendering the parts of a site: one process or several write the same files."""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from sitegen.model import File, SitegenError, SitePart, digest
from sitegen.pipeline import workers
from sitegen.pipeline.output import rebuilding
from sitegen.sources.folder_trees import MARKER

PARTS = workers.WORTHWHILE + 100
HERE = os.getpid()
PATIENCE = 200

Files = Callable[[], Iterator[File]]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only on Linux several processes make a site"
)


def part(number: int) -> Iterator[File]:
    yield File(path=f"term/{number}/index.html", content=f"page {number}".encode() * (number % 50))
    yield File(path=f"data/{number}.json", content=b"{}")


def read(folder: Path) -> dict[str, bytes]:
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    del files[MARKER]
    return files


def made(folder: Path, *, jobs: int, parts: list[Files] | None = None) -> dict[str, bytes]:
    """Returns the files that are written on a machine with `jobs` cores."""
    several = [partial(part, number) for number in range(PARTS)] if parts is None else parts
    with rebuilding(folder) as tree, pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "sched_getaffinity", lambda process: range(jobs))
        workers.render_parts(
            [SitePart(prefixes=(), make=make) for make in several],
            tree,
            progress=lambda share: None,
        )
    written = read(folder)
    del tree.digests[MARKER]
    assert tree.digests == {path: digest(content).hex() for path, content in written.items()}
    return written


def test_however_many_make_it(tmp_path: Path) -> None:
    """One process or four write the same files, in a new folder and over an old site."""
    alone = made(tmp_path / "alone", jobs=1)
    assert len(alone) == 2 * PARTS
    for _ in range(2):
        assert made(tmp_path / "together", jobs=4) == alone


def test_an_error_anywhere_is_raised_here(tmp_path: Path) -> None:
    """An error in any worker is raised by the build, and no site is left."""

    def fail() -> Iterator[File]:
        raise SitegenError("this page cannot be made")
        yield

    parts: list[Files] = [partial(part, number) for number in range(PARTS)]
    for place in (0, PARTS // 2, PARTS - 1):
        with pytest.raises(SitegenError, match="cannot be made"):
            made(tmp_path / "site", jobs=2, parts=[*parts[:place], fail, *parts[place:]])
    assert not (tmp_path / "site").exists()


def test_what_a_worker_does_not_finish_is_made_here(tmp_path: Path) -> None:
    """Parts of a worker that dies, and those of the others then, are rendered by this process."""

    def die_elsewhere(number: int) -> Iterator[File]:
        files = part(number)
        yield next(files)
        if os.getpid() != HERE and number % 100 == 99:
            os._exit(1)
        yield from files

    parts: list[Files] = [partial(die_elsewhere, number) for number in range(PARTS)]
    assert made(tmp_path / "site", jobs=4, parts=parts) == made(tmp_path / "alone", jobs=1)


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The process ids of all started workers."""
    numbers: list[int] = []
    fork = os.fork

    def forking() -> int:
        if number := fork():
            numbers.append(number)
        return number

    monkeypatch.setattr(os, "fork", forking)
    return numbers


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("given", [0, 1])
def test_a_worker_that_the_system_refuses_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forked: list[int], given: int
) -> None:
    """If no more processes can be started, this one writes the site, and no worker is left."""
    fork = os.fork

    def forking() -> int:
        if len(forked) == given:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return fork()

    monkeypatch.setattr(os, "fork", forking)
    assert made(tmp_path / "site", jobs=4) == made(tmp_path / "alone", jobs=1)
    assert [is_gone(worker) for worker in forked] == [True] * given


def test_an_interrupt_leaves_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forked: list[int]
) -> None:
    """An interrupt while waiting for a worker ends all of them."""

    def slow_elsewhere(number: int) -> Iterator[File]:
        if os.getpid() != HERE:
            time.sleep(60)
        yield from part(number)

    def interrupted(futures: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("concurrent.futures.as_completed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made(
            tmp_path / "site",
            jobs=3,
            parts=[partial(slow_elsewhere, number) for number in range(PARTS)],
        )
    assert [is_gone(worker) for worker in forked] == [True, True, True]


def test_workers_end_with_a_build_that_is_killed(tmp_path: Path) -> None:
    """When the main process is killed, each of its workers ends, also in the middle of a part."""
    here, there = os.pipe()

    def report_and_wait(number: int) -> Iterator[File]:
        os.write(there, f"{os.getpid()}\n".encode())
        time.sleep(PATIENCE)
        yield from part(number)

    parts: list[Files] = [partial(report_and_wait, number) for number in range(PARTS)]
    # The last batch is rendered by the main process, before there are workers.
    count = -(-PARTS // workers.BATCH)
    parts[count - 1 :: count] = [partial(part, number) for number in range(count - 1, PARTS, count)]
    build = os.fork()
    if build == 0:
        made(tmp_path / "site", jobs=2, parts=parts)
        os._exit(0)
    with os.fdopen(here) as lines:
        opened = [os.pidfd_open(int(lines.readline())) for _ in range(2)]
    os.kill(build, signal.SIGKILL)
    os.waitpid(build, 0)
    for worker in opened:
        ended, _, _ = select.select([worker], [], [], PATIENCE)
        assert ended == [worker]
        os.close(worker)
    os.close(there)


def test_two_parts_with_one_path(tmp_path: Path) -> None:
    """Two files with one path are an error, whichever process writes them."""
    parts: list[Files] = [partial(part, number) for number in (*range(PARTS), 7)]
    with pytest.raises(SitegenError, match="two files of the site have this name"):
        made(tmp_path / "site", jobs=2, parts=parts)


def test_small_sites_are_made_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small site starts no worker."""
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a worker was started"))
    made(
        tmp_path / "site",
        jobs=4,
        parts=[partial(part, number) for number in range(workers.WORTHWHILE - 1)],
    )
