"""Files that were read before: a changed file is never taken for unchanged."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sitegen.sources.file_cache import TICK, FileCache


def read(file_cache: FileCache, path: Path, given: str = "") -> tuple[str, bool]:
    """Returns a file's content, and whether the file was opened for it."""
    looks: list[Path] = []

    def look() -> str:
        looks.append(path)
        return path.read_text()

    return file_cache.get((path, given), path.stat(), look), bool(looks)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "GLOSSARY.md"
    path.write_text("# ATen")
    return path


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Returns a time at which all earlier writes are old."""
    monkeypatch.setattr("time.time_ns", lambda: path.stat().st_ctime_ns + 2 * TICK)


@pytest.mark.usefixtures("later")
def test_a_file_that_stands_is_read_once(path: Path) -> None:
    """The result for an unchanged file is reused."""
    file_cache = FileCache()
    assert read(file_cache, path) == ("# ATen", True)
    assert read(file_cache, path) == ("# ATen", False)
    assert read(file_cache, path, "latin-1") == ("# ATen", True)


def rewritten(path: Path) -> None:
    path.write_text("# Aten")


def replaced(path: Path) -> None:
    """Replaces a file by another of the same size and time, as editors do that write beside."""
    before = path.stat()
    path.with_suffix(".new").write_text("# Aten")
    path.with_suffix(".new").rename(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("change", [rewritten, replaced])
def test_a_file_that_was_touched_is_read_again(path: Path, change: Callable[[Path], None]) -> None:
    """Another time, or another file of the same size and time, is read again."""
    file_cache = FileCache()
    read(file_cache, path)
    change(path)
    assert read(file_cache, path) == ("# Aten", True)


def test_a_file_that_was_just_written_is_not_relied_on(path: Path) -> None:
    """While a disk's clock may not have advanced, a file is read each time."""
    file_cache = FileCache()
    assert read(file_cache, path) == read(file_cache, path) == ("# ATen", True)


def test_what_says_the_same_again_is_the_same(path: Path) -> None:
    """A file that was read again and is the same gives the identical object."""
    file_cache = FileCache()
    first, second = (file_cache.get(path, path.stat(), lambda: path.read_text().split()) for _ in range(2))
    assert first is second
    path.write_text("# Aten")
    third = file_cache.get(path, path.stat(), lambda: path.read_text().split())
    assert third == ["#", "Aten"]
    assert file_cache.get(path, path.stat(), lambda: path.read_text().split()) is third
