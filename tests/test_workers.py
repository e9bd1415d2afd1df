"""Rendering the parts of a site: one process or several write the same files."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from sitegen.model import File, SitegenError
from sitegen.pipeline import workers
from sitegen.pipeline.dependencies import Recorder
from sitegen.pipeline.output import rebuilding
from sitegen.sources.open_folders import MARKER

PARTS = 3 * workers.WORTHWHILE
HERE = os.getpid()

Files = Callable[[], Iterator[File]]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only on Linux several processes make a site"
)


def part(number: int) -> Iterator[File]:
    yield File(path=f"term/{number}/index.html", content=f"page {number}".encode() * (number % 50))
    yield File(path=f"data/{number}.json", content=b"{}")


def come(
    folder: Path,
    *,
    jobs: int = 1,
    parts: list[Files] | None = None,
    recorder: Recorder | None = None,
    recorded: workers.RecordOf = lambda name: "",
) -> list[workers.PartResult]:
    """Returns a result for each part."""
    parts = [partial(part, number) for number in range(PARTS)] if parts is None else parts
    with rebuilding(folder) as tree:
        came = workers.render_parts(
            [workers.SitePart(name=str(number), files=files) for number, files in enumerate(parts)],
            tree,
            recorder=recorder or Recorder(),
            record_of=recorded,
            jobs=jobs,
            progress=lambda share: None,
        )
    assert [one.name for one in came] == [str(number) for number in range(len(parts))]
    marks = {path: mark for one in came for path, mark in one.marks.items()}
    assert marks | {MARKER: tree.marks[MARKER]} == tree.marks
    assert marks.keys() == read(folder).keys()
    return came


def read(folder: Path) -> dict[str, bytes]:
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    del files[MARKER]
    return files


def made(folder: Path, *, jobs: int, parts: list[Files] | None = None) -> dict[str, bytes]:
    """Returns the written files."""
    come(folder, jobs=jobs, parts=parts)
    return read(folder)


def test_however_many_make_it(tmp_path: Path) -> None:
    """One process or four write the same files, in a new folder and over an old site."""
    alone = made(tmp_path / "alone", jobs=1)
    assert len(alone) == 2 * PARTS
    for _ in range(3):
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
    """Parts of a worker that dies are rendered by the main process."""

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
    """If no more processes can be started, the existing ones write the site, and none is left."""
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

    def interrupted(*arguments: object) -> None:
        for name, wait in waits.items():
            monkeypatch.setattr(os, name, wait)
        raise KeyboardInterrupt

    waits = {name: getattr(os, name) for name in ("waitid", "waitpid")}
    for name in waits:
        monkeypatch.setattr(os, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        made(
            tmp_path / "site",
            jobs=3,
            parts=[partial(slow_elsewhere, number) for number in range(PARTS)],
        )
    assert [is_gone(worker) for worker in forked] == [True, True]


def test_two_parts_with_one_path(tmp_path: Path) -> None:
    """Two files with one path are an error, whichever process writes them."""
    parts: list[Files] = [partial(part, number) for number in (*range(PARTS), 7)]
    with pytest.raises(SitegenError, match="take for one"):
        made(tmp_path / "site", jobs=2, parts=parts)


def test_small_sites_are_made_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small site starts no worker."""
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a worker was started"))
    made(
        tmp_path / "site",
        jobs=4,
        parts=[partial(part, number) for number in range(workers.WORTHWHILE - 1)],
    )


def test_what_is_recorded_is_taken_over(tmp_path: Path) -> None:
    """An unchanged part keeps its files; one without a record, with another dependency or a lost
    file is rendered."""
    recorder = Recorder()
    books = recorder.recording_mapping({"Emma": "Austen"}, "books")

    def asking(number: int) -> Iterator[File]:
        books.get("Emma")
        return part(number)

    parts: list[Files] = [
        partial(asking if number == 7 else part, number) for number in range(PARTS)
    ]
    records = {
        one.name: one.record for one in come(tmp_path / "site", parts=parts, recorder=recorder)
    }
    assert records.pop("3")
    (tmp_path / f"site/data/{PARTS - 5}.json").unlink()
    for jobs in (2, 1):
        recorder = Recorder()
        recorder.recording_mapping({"Emma": "Jane Austen"}, "books")
        came = come(
            tmp_path / "site",
            jobs=jobs,
            recorder=recorder,
            recorded=lambda name: records.get(name, ""),
        )
        assert [one.name for one in came if one.record] == ["3", "7", str(PARTS - 5)]
        assert read(tmp_path / "site") == made(tmp_path / "alone", jobs=1)


def test_parts_are_shared_though_most_are_taken_over(tmp_path: Path) -> None:
    """If little of a large site changed, the rest is shared among processes."""
    seen = tmp_path / "seen"
    seen.mkdir()

    def wait_for_another(number: int) -> Iterator[File]:
        (seen / str(os.getpid())).touch()
        give_up = time.monotonic() + 100
        while len(list(seen.iterdir())) < 2:
            assert time.monotonic() < give_up, "nobody else came"
            time.sleep(0.01)
        yield from part(number)

    records = [one.record for one in come(tmp_path / "site")]
    few = workers.BATCH + 1
    parts: list[Files] = [partial(wait_for_another, number) for number in range(few)]
    parts += [partial(part, number) for number in range(few, PARTS)]
    recorded = ["" for _ in range(few)] + records[few:]
    came = come(tmp_path / "site", jobs=2, parts=parts, recorded=lambda name: recorded[int(name)])
    assert len([one for one in came if one.record]) == few
