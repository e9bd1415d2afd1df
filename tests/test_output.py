"""Writing the site folder: whole or not at all, readable, and nowhere else."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitegen import output
from sitegen.model import File, SitegenError

FIRST = {"index.html": b"first", "term/aten/index.html": b"ATen"}
SECOND = {"index.html": b"second", "a-z/index.html": b"A"}


def write(folder: Path, files: dict[str, bytes]) -> int:
    return output.write_site(folder, (File(path=path, content=content) for path, content in files.items()))


def read(folder: Path) -> dict[str, bytes]:
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert files.pop(output.MARKER)
    return files


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(folder: Path, *paths: str) -> str:
    """What is said instead of writing these paths."""
    with pytest.raises(SitegenError) as caught:
        write(folder, dict.fromkeys(paths, b""))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    """A site is written where no folder was, and its files are counted."""
    assert write(tmp_path / "far/away/site", FIRST) == 2
    assert read(tmp_path / "far/away/site") == FIRST


def test_next_build_replaces_the_whole_site(tmp_path: Path) -> None:
    """Pages of the site before that are not in the new one are gone, and nothing is left beside it."""
    write(tmp_path / "site", FIRST)
    write(tmp_path / "site", SECOND)
    assert read(tmp_path / "site") == SECOND
    assert names(tmp_path) == ["site"]


def test_replaces_without_exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system cannot exchange two folders in one step, two renames do it."""
    monkeypatch.setattr(output, "_exchange", lambda one, two: False)
    write(tmp_path / "site", FIRST)
    write(tmp_path / "site", SECOND)
    assert read(tmp_path / "site") == SECOND
    assert names(tmp_path) == ["site"]


def test_empty_folder_may_be_filled(tmp_path: Path) -> None:
    """An empty folder needs no marker to be written to."""
    write(tmp_path, FIRST)
    assert read(tmp_path) == FIRST


def test_failure_on_the_last_file_keeps_the_site(tmp_path: Path) -> None:
    """When a page cannot be made, the site before stands and nothing is left beside it."""

    def files() -> Iterator[File]:
        yield File(path="index.html", content=b"second")
        raise RuntimeError("the last page")

    write(tmp_path / "site", FIRST)
    with pytest.raises(RuntimeError):
        output.write_site(tmp_path / "site", files())
    assert read(tmp_path / "site") == FIRST
    assert names(tmp_path) == ["site"]


def test_full_disk_is_one_line_and_keeps_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk takes no more, the error says so in one line, and the site before stands."""

    def full(descriptor: int, mode: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write(tmp_path / "site", FIRST)
    monkeypatch.setattr(os, "fchmod", full)
    assert refused(tmp_path / "site", "index.html").endswith("could not be written: No space left on device")
    assert read(tmp_path / "site") == FIRST
    assert names(tmp_path) == ["site"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two folders in one step")
def test_some_whole_site_stands_at_every_moment(tmp_path: Path) -> None:
    """Whoever looks while the site is replaced, again and again, finds its first page every time."""
    write(tmp_path / "site", FIRST)
    done = threading.Event()
    missing: list[str] = []

    def look() -> None:
        while not done.is_set():
            try:
                (tmp_path / "site/index.html").read_bytes()
            except OSError as error:
                missing.append(str(error))

    visitor = threading.Thread(target=look)
    visitor.start()
    for _ in range(50):
        write(tmp_path / "site", SECOND)
    done.set()
    visitor.join()
    assert missing == []


def test_killed_build_keeps_the_site_and_the_next_clears_up(tmp_path: Path) -> None:
    """A build killed half-way leaves the site as it was, and what it had written is gone after the next."""
    write(tmp_path / "site", FIRST)
    with _half_written(tmp_path / "site") as process:
        process.send_signal(signal.SIGKILL)
    assert read(tmp_path / "site") == FIRST
    assert len(names(tmp_path)) == 2, "the killed build left its folder"
    write(tmp_path / "site", SECOND)
    assert read(tmp_path / "site") == SECOND
    assert names(tmp_path) == ["site"]


def test_living_build_is_not_cleared_away(tmp_path: Path) -> None:
    """Two builds at once do not disturb each other."""
    with _half_written(tmp_path / "site") as process:
        write(tmp_path / "site", SECOND)
        assert len(names(tmp_path)) == 2, "the other build still has its folder"
        process.send_signal(signal.SIGKILL)
    assert read(tmp_path / "site") == SECOND


def _half_written(folder: Path) -> subprocess.Popen[bytes]:
    """Another process that has written one page of a site and waits."""
    program = f"""
import sys, time
from pathlib import Path
from sitegen.model import File
from sitegen.output import write_site

def files():
    yield File(path="half.html", content=b"")
    print("half", flush=True)
    time.sleep(60)

write_site(Path({str(folder)!r}), files())
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"half\n"
    return process


def test_killed_between_two_renames(tmp_path: Path) -> None:
    """Where a build without exchange was killed with the site moved aside, a failing next build puts it back."""
    write(tmp_path / "site", FIRST)
    (tmp_path / "site").rename(tmp_path / "site.old-0123abcd")
    assert ".." in refused(tmp_path / "site", "../x")
    assert read(tmp_path / "site") == FIRST


def test_similar_names_beside_the_site_are_left_alone(tmp_path: Path) -> None:
    """Only folders with the exact form of our own temporary names are cleared away."""
    others = ["site.new-design", "site.new-0123abcd.bak", "my-site.new-0123abcd", "siteXnew-0123abcd", "site.new"]
    for name in others:
        (tmp_path / name).mkdir()
    (tmp_path / "site.new-01234567").write_text("a file")
    (tmp_path / "site.new-76543210").symlink_to(tmp_path / "site.new")
    write(tmp_path / "site", FIRST)
    assert names(tmp_path) == sorted([*others, "site", "site.new-01234567", "site.new-76543210"])


def test_foreign_folder_is_refused(tmp_path: Path) -> None:
    """A folder that holds anything but a site of ours is never replaced."""
    (tmp_path / "thesis.tex").write_text("years of work")
    assert "not a site of ours" in refused(tmp_path, "index.html")
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_file_in_the_way_is_refused(tmp_path: Path) -> None:
    """A file where the folder should be is said to be in the way."""
    (tmp_path / "site").write_text("a file")
    assert "is a file" in refused(tmp_path / "site", "index.html")


def test_linked_folder_is_refused(tmp_path: Path) -> None:
    """A symbolic link is not written through, even to a site; the message names where it leads."""
    write(tmp_path / "real", FIRST)
    (tmp_path / "site").symlink_to(tmp_path / "real")
    assert str(tmp_path / "real") in refused(tmp_path / "site", "index.html")
    assert read(tmp_path / "real") == FIRST


def test_disk_that_refuses_is_one_line(tmp_path: Path) -> None:
    """What the system says against writing is an error with the folder's name and the system's reason."""
    assert "File name too long" in refused(tmp_path / ("x" * 300), "index.html")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../x",
        "a/../b",
        "a//b",
        "./a",
        "a/.",
        "a\\b",
        "a\0b",
        "a\nb",
        "c:x",
        "a.",
        "a /b",
        "x" * 256,
    ],
)
def test_path_that_leads_out_or_breaks_disks(tmp_path: Path, path: str) -> None:
    """A path outside the folder, or one that some disk cannot hold, is refused by name."""
    assert repr(path) in refused(tmp_path / "site", path)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("index.html", "index.html"),
        ("Index.html", "index.html"),
        ("term/ATen/a.html", "term/aten/b.html"),
        ("caf\u00e9", "cafe\u0301"),
        ("stra\u00dfe", "STRASSE"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("A/b", "a"),
        (".Sitegen", "x"),
    ],
)
def test_paths_that_meet(tmp_path: Path, one: str, two: str) -> None:
    """Two paths that are one on a disk without case or normal form are refused, and both named."""
    message = refused(tmp_path / "site", one, two) if one != two else _refused_twice(tmp_path / "site", one)
    assert repr(one) in message
    assert repr(two) in message or repr(output.MARKER) in message


def _refused_twice(folder: Path, path: str) -> str:
    with pytest.raises(SitegenError) as caught:
        output.write_site(folder, [File(path=path, content=b"")] * 2)
    return str(caught.value)


def test_readable_whatever_the_umask(tmp_path: Path) -> None:
    """Folders are 0755 and files 0644, so that any web server may read the site."""
    before = os.umask(0o077)
    try:
        write(tmp_path / "site", FIRST)
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "site").rglob("*") if path.is_file()}
    assert modes == {0o644}
    folders = [tmp_path / "site", *(path for path in (tmp_path / "site").rglob("*") if path.is_dir())]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o755}


def new(folder: Path, *paths: str) -> int:
    return output.write_new(folder, (File(path=path, content=b"new") for path in paths))


def test_new_folder_is_written_whole(tmp_path: Path) -> None:
    """What is no site is written into a new or an empty folder, without the mark of a site, and nothing beside it."""
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "far/content", tmp_path / "empty"):
        assert new(folder, "site.toml", "words/1.0/GLOSSARY.md") == 2
        assert names(folder) == ["site.toml", "words"]
        assert (folder / "words/1.0/GLOSSARY.md").read_bytes() == b"new"
    assert names(tmp_path) == ["empty", "far"]


@pytest.mark.parametrize("there", ["folder", "file", "link", "site"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    """A folder that holds anything, even a site of ours, a file and a link are left as they are."""
    place = tmp_path / "content"
    if there == "folder":
        place.mkdir()
        (place / "thesis.tex").write_text("mine")
    elif there == "file":
        place.write_text("mine")
    elif there == "link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to("elsewhere")
    else:
        write(place, FIRST)
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    with pytest.raises(SitegenError, match=r"content: is there already; name a new or an empty folder"):
        new(place, "a.md")
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("path", ["../a.md", "a/../../b.md", "/etc/a.md", "a//b.md", "a\\b.md", "a:b", "con"])
def test_new_files_stay_inside(tmp_path: Path, path: str) -> None:
    """A path that leads out, or that some disk cannot hold, is refused, and nothing at all is written."""
    with pytest.raises(SitegenError, match=r"not a path that every disk can hold"):
        new(tmp_path / "content", "a.md", path)
    assert names(tmp_path) == []
