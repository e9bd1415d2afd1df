"""Files that were read before: nothing that was touched is taken for what it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sitegen.sources.unchanged import TICK, Unchanged


def read(unchanged: Unchanged, path: Path, given: str = "") -> tuple[str, bool]:
    """What is in a file, and whether it was looked into for that."""
    looks: list[Path] = []

    def look() -> str:
        looks.append(path)
        return path.read_text()

    return unchanged.of((path, given), path.stat(), look), bool(looks)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "GLOSSARY.md"
    path.write_text("# ATen")
    return path


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """A time at which all that was written so far is old."""
    monkeypatch.setattr("time.time_ns", lambda: path.stat().st_ctime_ns + 2 * TICK)


@pytest.mark.usefixtures("later")
def test_a_file_that_stands_is_read_once(path: Path) -> None:
    """What was made of a file is there the next time, for whoever asks for the same."""
    unchanged = Unchanged()
    assert read(unchanged, path) == ("# ATen", True)
    assert read(unchanged, path) == ("# ATen", False)
    assert read(unchanged, path, "latin-1") == ("# ATen", True)


def rewritten(path: Path) -> None:
    path.write_text("# Aten")


def replaced(path: Path) -> None:
    """As editors do that write beside, with the size and the time of what was there."""
    before = path.stat()
    path.with_suffix(".new").write_text("# Aten")
    path.with_suffix(".new").rename(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("change", [rewritten, replaced])
def test_a_file_that_was_touched_is_read_again(path: Path, change: Callable[[Path], None]) -> None:
    """Another time is enough, and so is another file of the same size and time."""
    unchanged = Unchanged()
    read(unchanged, path)
    change(path)
    assert read(unchanged, path) == ("# Aten", True)


def test_a_file_that_was_just_written_is_not_relied_on(path: Path) -> None:
    """As long as a disk's clock may not have moved on since, a file is read each time."""
    unchanged = Unchanged()
    assert read(unchanged, path) == read(unchanged, path) == ("# ATen", True)


def test_what_says_the_same_again_is_the_same(path: Path) -> None:
    """A file that had to be read again, and is as it was, comes to the very object that it came to before."""
    unchanged = Unchanged()
    first, second = (unchanged.of(path, path.stat(), lambda: path.read_text().split()) for _ in range(2))
    assert first is second
    path.write_text("# Aten")
    third = unchanged.of(path, path.stat(), lambda: path.read_text().split())
    assert third == ["#", "Aten"]
    assert unchanged.of(path, path.stat(), lambda: path.read_text().split()) is third
