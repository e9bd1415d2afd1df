"""Whole or not at all: builds that are killed, refused by the disk, or concurrent."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from killing import contents, run
from soaking import IS_SOAK, seeds

from sitegen.model import SitegenError
from sitegen.sources.folder_trees import MARKER

pytestmark = pytest.mark.soak

GLOSSARIES = {
    "one": {"1.0": "## Anchor\n\nHolds.\n\n## Boat\n\nFloats, see Anchor.\n"},
    "two": {
        "1.0": "## Anchor\n\nHolds.\n\n## Boat\n\nFloats, see Anchor.\n",
        "1.1": "## Anchor\n\nHolds the boat.\n\n## Crew\n\nSails.\n",
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two contents, and the site of each."""
    for name, releases in GLOSSARIES.items():
        for release, text in releases.items():
            (tmp_path / name / release).mkdir(parents=True)
            (tmp_path / name / release / "GLOSSARY.md").write_text(f"# Glossary\n\n{text}")
        run(tmp_path, name)
        (tmp_path / "site").rename(tmp_path / f"{name}.site")
    return tmp_path


def test_killed_at_any_moment(folder: Path) -> None:
    """After a kill before any call of the system, the site is the old or the new one, byte for byte."""
    program = str(Path(__file__).with_name("killing.py"))
    killer = [sys.executable, program, str(folder), *map(str, seeds(test=12, soak=100))]
    killed = subprocess.run(killer, capture_output=True, text=True, check=False)
    assert killed.returncode == 0, killed.stderr
    run(folder, "two")
    assert contents(folder / "site") == contents(folder / "two.site"), (
        "the next build needs no cleaning up"
    )


def test_killed_between_site_and_archive(folder: Path) -> None:
    """A build that is killed before any change from the writing of the next archive to its renaming
    leaves nothing in the archive that its site lacks; the next build completes both."""
    program = str(Path(__file__).with_name("killing.py"))
    killer = [sys.executable, program, str(folder), "archive"]
    killed = subprocess.run(killer, capture_output=True, text=True, check=False)
    assert killed.returncode == 0, killed.stderr


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES, errno.EIO], ids=errno.errorcode.get)
def test_refused_by_the_disk_at_any_moment(
    folder: Path, error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If any write fails, the old site stays, byte for byte, and the error is one line."""
    run(folder, "two")
    asked = _refusing(monkeypatch, folder, after=10**6, error=error)
    run(folder, "one")
    most = asked()
    standing = contents(folder / "site")
    for seed in seeds(test=6, soak=60):
        after = Random(seed + error).randrange(most)
        _refusing(monkeypatch, folder, after=after, error=error)
        try:
            run(folder, ("two", "one")[seed % 2])
        except SitegenError as refused:
            assert os.strerror(error) in str(refused) and "\n" not in str(refused)
            assert contents(folder / "site") == standing
        monkeypatch.undo()
        standing = contents(folder / "site")
        assert standing in (contents(folder / "one.site"), contents(folder / "two.site"))
    run(folder, "two")
    assert contents(folder / "site") == contents(folder / "two.site")


def _refusing(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, after: int, error: int
) -> Callable[[], int]:
    """Makes the disk refuse one write after some; returns a function that counts them."""
    asked = 0

    def refusing(change: Callable[..., Any]) -> Callable[..., Any]:
        def asking(*arguments: Any, **options: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked == after + 1:
                raise OSError(error, os.strerror(error))
            return change(*arguments, **options)

        return asking

    for name in ("write", "mkdir", "link", "fchmod", "rename", "unlink"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    return lambda: asked


def test_two_builds_at_once(folder: Path) -> None:
    """Of concurrent builds of two contents into one folder, one is last, and its site is whole."""
    meeting = [
        sys.executable,
        str(Path(__file__).with_name("meeting.py")),
        str(folder),
        "2",
        "contents",
    ]
    met = subprocess.run(meeting, capture_output=True, text=True, check=False)
    assert met.returncode == 0, met.stderr
    assert MARKER in contents(folder / "site")


@pytest.mark.parametrize(
    ("what", "rounds"),
    [
        ("bare", 60 if IS_SOAK else 4),
        ("renames", 60 if IS_SOAK else 4),
        ("killed", 600 if IS_SOAK else 20),
        ("killed renames", 600 if IS_SOAK else 20),
        ("archive", 10 if IS_SOAK else 2),
    ],
)
def test_builds_that_begin_at_the_same_moment(tmp_path: Path, what: str, rounds: int) -> None:
    """Concurrent builds all succeed, also when others are killed, and site and archive are those of
    the last one."""
    program = str(Path(__file__).with_name("meeting.py"))
    meeting = [sys.executable, program, str(tmp_path / "met"), str(rounds), what]
    met = subprocess.run(meeting, capture_output=True, text=True, check=False)
    assert met.returncode == 0, met.stderr
