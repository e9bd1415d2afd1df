"""The file watcher: it reports every change, and none of the build's own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from written_sites import write_site

from sitegen.model import File
from sitegen.preview import watching

PATIENCE = 1000
"""Seconds within which a change is noticed, however busy the machine is."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a document. What the system does not report is soon found."""
    monkeypatch.setattr(watching, "POLL_INTERVAL", 0.1)
    (tmp_path / "content/1.0").mkdir(parents=True)
    (tmp_path / "content/1.0/GLOSSARY.md").write_text("# ATen")
    return tmp_path / "content"


def noticed(changes: Iterator[None], act: Callable[[], object]) -> bool:
    """Returns True if an action is noticed while waiting for changes."""
    found = threading.Event()
    threading.Thread(target=lambda: (next(changes, None), found.set()), daemon=True).start()
    found.wait(0.05)  # let the waiting begin
    act()
    return found.wait(PATIENCE)


def test_first_look_is_at_once(folder: Path) -> None:
    """The first build starts without a change."""
    changes = watching.changes([folder], ignore=folder / "site")
    next(changes)
    changes.close()


def test_what_changed_meanwhile_comes_again(folder: Path) -> None:
    """A change during a build starts another."""
    changes = watching.changes([folder], ignore=folder / "site")
    next(changes)
    (folder / "1.0/GLOSSARY.md").write_text("# Tensor")
    assert noticed(changes, lambda: None)


def saved_alike(path: Path) -> None:
    """Saves another text of the same size, and restores the file's time."""
    time = path.stat().st_mtime_ns
    path.write_text(path.read_text().swapcase())
    os.utime(path, ns=(time, time))


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "1.0/GLOSSARY.md").write_text("# ATen\n\nA library."),
        lambda folder: (folder / "1.0/GLOSSARY.md").unlink(),
        lambda folder: (folder / "1.0/GLOSSARY.md").rename(folder / "1.0/glossary.md"),
        lambda folder: (
            (folder / "1.1").mkdir() or (folder / "1.1/GLOSSARY.md").write_text("# ATen")
        ),
        lambda folder: os.utime(folder / "1.0/GLOSSARY.md", (1, 1)),
        lambda folder: saved_alike(folder / "1.0/GLOSSARY.md"),
    ],
    ids=["edited", "deleted", "renamed", "a release more", "touched", "same size and time"],
)
def test_change_is_noticed(folder: Path, change: Callable[[Path], object]) -> None:
    """An edit, a deletion, a rename and a new folder are changes."""
    changes = watching.changes([folder], ignore=folder / "site")
    next(changes)
    assert noticed(changes, lambda: change(folder))


def test_change_during_the_work_is_noticed(folder: Path) -> None:
    """A change during a build starts another."""
    changes = watching.changes([folder], ignore=folder / "site")
    next(changes)
    (folder / "1.0/GLOSSARY.md").write_text("# ATen, edited while we build")
    next(changes)
    changes.close()


def test_own_output_and_reading_are_no_changes(folder: Path) -> None:
    """A build's own reading and writing starts no build; a real change still does."""
    site = folder / "site"

    def build() -> None:
        (folder / "1.0/GLOSSARY.md").read_text()
        write_site(site, [File(path="index.html", content=b"")])
        write_site(site, [File(path="index.html", content=b"again")])

    changes = watching.changes([folder], ignore=site)
    next(changes)
    found = threading.Event()
    threading.Thread(target=lambda: (next(changes), found.set()), daemon=True).start()
    assert not found.wait(0.05)
    build()
    assert not found.wait(0.4)
    (folder / "site.md").write_text("# Its name begins like the site's")
    assert found.wait(PATIENCE)


def test_folder_made_beside_the_output_is_noticed(folder: Path) -> None:
    """A new folder beside the site is watched."""
    changes = watching.changes([folder], ignore=folder / "site")
    next(changes)
    (folder / "2.0").mkdir()
    assert noticed(changes, lambda: (folder / "2.0/GLOSSARY.md").write_text("# New"))
    assert noticed(changes, lambda: (folder / "2.0/GLOSSARY.md").write_text("# Newer words"))


def test_polls_where_the_system_cannot_watch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the system's limit of watches, changes are found by polling."""

    def refuse(observer: object) -> None:
        raise OSError("inotify watch limit reached")

    monkeypatch.setattr(watching.Observer, "start", refuse)
    changes = watching.changes([folder], ignore=folder / "site")
    next(changes)
    assert noticed(changes, lambda: (folder / "1.0/GLOSSARY.md").write_text("# Edited"))
