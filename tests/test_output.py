"""Writing the site folder: whole or not at all, readable, and nowhere else."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from system_calls import recorded_calls
from written_sites import contents, write_site

from sitegen.model import File, SitegenError, digest
from sitegen.pipeline import output, staging

FIRST = {"index.html": b"first", "term/aten/index.html": b"ATen"}
SECOND = {"index.html": b"second", "a-z/index.html": b"A"}


def write(folder: Path, files: dict[str, bytes]) -> int:
    return write_site(folder, (File(path=path, content=content) for path, content in files.items()))


def read(folder: Path) -> dict[str, bytes]:
    files = contents(folder)
    assert files.pop(output.MARKER)
    return files


def names(folder: Path) -> list[str]:
    """Returns the names in a folder."""
    return sorted(path.name for path in folder.iterdir())


def trees(folder: Path) -> list[Path]:
    """Returns the trees that builds have left beside a site."""
    return sorted(folder.parent.glob(f".{folder.name}.new-sitegen"))


def refused(folder: Path, *paths: str) -> str:
    """Returns the error for writing these paths."""
    with pytest.raises(SitegenError) as caught:
        write(folder, dict.fromkeys(paths, b""))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    """A site is written into a new folder, and its files are counted."""
    assert write(tmp_path / "far/away/site", FIRST) == 2
    assert read(tmp_path / "far/away/site") == FIRST


def test_next_build_replaces_the_whole_site(tmp_path: Path) -> None:
    """Pages that the new site lacks are deleted; a build leaves nothing beside the site."""
    write(tmp_path / "site", FIRST)
    for files in (SECOND, FIRST, SECOND):
        write(tmp_path / "site", files)
        assert read(tmp_path / "site") == files
        assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_an_old_visitor_sees_old_words(tmp_path: Path) -> None:
    """No file is changed in place: a reader that opened one before a build reads the old bytes."""
    write(tmp_path / "site", FIRST)
    with (tmp_path / "site/index.html").open("rb") as opened:
        for files in (SECOND, FIRST, SECOND):
            write(tmp_path / "site", files)
        assert opened.read() == b"first"


FILES = st.dictionaries(
    st.sampled_from(
        ["a.html", "b/index.html", "b/c/index.html", "b/c/d.json", "e/index.html", "e", "b/c"]
    ),
    st.sampled_from([b"", b"one", b"two", b"longer words"]),
    max_size=5,
).filter(
    lambda files: (
        not ("e" in files and "e/index.html" in files) and not ("b/c" in files and len(files) > 1)
    )
)

DAMAGE = st.sampled_from(["none", "empty", "folder", "link", "mode", "other", "gone", "more"])


@given(sites=st.lists(st.tuples(FILES, DAMAGE), min_size=2, max_size=5))
@settings(max_examples=150)
def test_whatever_was_left_before(sites: list[tuple[dict[str, bytes], str]]) -> None:
    """Whatever earlier builds left, the site is what this build writes; what another program
    changed there stays."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder, "site")
        for files, damage in sites:
            changed = everything(site)
            try:
                write(site, files)
            except SitegenError:
                assert everything(site) == changed
                shutil.rmtree(site)
                write(site, files)
            assert read(site) == files
            assert all(not path.is_symlink() for path in site.rglob("*"))
            assert {path.stat().st_mode & 0o777 for path in site.rglob("*") if path.is_file()} == {
                0o644
            }
            for tree in (site, *trees(site)):
                _meddle(tree, damage)


def everything(folder: Path) -> dict[str, bytes]:
    """Returns the content of all files, and where all links lead."""
    paths = (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return {
        str(path): os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in paths
    }


def _meddle(tree: Path, damage: str) -> None:
    """Damages the first file of a tree."""
    file = next(
        (path for path in sorted(tree.rglob("*")) if path.is_file() and path.name != output.MARKER),
        None,
    )
    if damage == "more":
        (tree / "more/and").mkdir(parents=True, exist_ok=True)
        (tree / "more/and/more.html").write_text("more")
    if file is None or damage in {"none", "more"}:
        return
    if damage == "mode":
        file.chmod(0o600)
        return
    content = file.read_bytes()
    file.unlink()
    if damage == "empty":
        file.write_bytes(b"")
    elif damage == "other":
        file.write_bytes(bytes(len(content)))
    elif damage == "folder":
        (file / "deep").mkdir(parents=True)
    elif damage == "link":
        file.symlink_to("/etc/hostname")


def forge(site: Path) -> None:
    """Puts a record into a folder that names every file of it, with the digest of another
    content."""
    content = output.record(dict.fromkeys(names(site), digest(b"other").hex()))
    (site / output.MARKER).write_bytes(content)


FILES_OF_THE_USER: dict[str, Callable[[Path], object]] = {
    "index.html": lambda site: (site / "index.html").write_text("mine"),
    "CNAME": lambda site: (site / "CNAME").write_text("example.org"),
    ".well-known/mine": lambda site: (
        (site / ".well-known").mkdir(),
        (site / ".well-known/mine").touch(),
    ),
    "term/latest": lambda site: (site / "term/latest").symlink_to("aten"),
    "notes": lambda site: (
        (site / "notes").write_text("mine"),
        (site / output.MARKER).write_bytes(b""),
    ),
    "mine": lambda site: ((site / "mine").write_text("mine"), forge(site)),
    "link": lambda site: (
        (site / "link").symlink_to("term"),
        (site / output.MARKER).write_bytes(output.record({"link": ""})),
    ),
    "pipe": lambda site: os.mkfifo(site / "pipe"),
}


@pytest.mark.parametrize("name", FILES_OF_THE_USER)
def test_files_of_the_user_are_not_deleted(tmp_path: Path, name: str) -> None:
    """A file that the last build did not write, or that was changed, is named, and nothing is
    replaced."""
    site = tmp_path / "site"
    write(site, FIRST)
    FILES_OF_THE_USER[name](site)
    before = everything(site)
    result = refused(site, *SECOND)
    assert name in result and "`files` in [theme]" in result
    assert everything(site) == before
    shutil.rmtree(site)
    assert write(site, SECOND) == 2


def test_site_of_another_machine_is_replaced(tmp_path: Path) -> None:
    """A copy of a site, whose files are others with other times, is replaced without a question."""
    write(tmp_path / "site", FIRST)
    shutil.copytree(tmp_path / "site", tmp_path / "copy", copy_function=shutil.copyfile)
    write(tmp_path / "copy", SECOND)
    assert read(tmp_path / "copy") == SECOND


@pytest.mark.parametrize("name", [".site.new-sitegen", ".site.old-sitegen"])
@pytest.mark.parametrize("target", ["elsewhere", "dangling", "file.txt"])
def test_a_workshop_that_is_a_trap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, target: str
) -> None:
    """If a link is in the place of a tree, nothing is written or deleted through it."""
    monkeypatch.setattr(staging, "exchange", lambda *_: False)
    write(tmp_path / "site", FIRST)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mine.txt").write_text("mine")
    (tmp_path / "file.txt").write_text("mine")
    (tmp_path / name).symlink_to(target)
    assert "could not be written" in refused(tmp_path / "site", *SECOND)
    assert read(tmp_path / "site") == FIRST
    assert names(tmp_path / "elsewhere") == ["mine.txt"]
    assert names(tmp_path) == sorted([name, "elsewhere", "file.txt", "site"])


def test_replaces_without_exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system cannot exchange two folders in one step, two renames do it."""
    monkeypatch.setattr(staging, "exchange", lambda *_: False)
    write(tmp_path / "site", FIRST)
    write(tmp_path / "site", SECOND)
    assert read(tmp_path / "site") == SECOND
    assert names(tmp_path) == ["site"]


def test_empty_folder_may_be_filled(tmp_path: Path) -> None:
    """An empty folder needs no marker."""
    write(tmp_path, FIRST)
    assert read(tmp_path) == FIRST


def test_failure_on_the_last_file_keeps_the_site(tmp_path: Path) -> None:
    """If a page cannot be rendered, the old site stays and nothing is left beside it."""

    def files() -> Iterator[File]:
        yield File(path="index.html", content=b"second")
        raise RuntimeError("the last page")

    write(tmp_path / "site", FIRST)
    with pytest.raises(RuntimeError):
        write_site(tmp_path / "site", files())
    assert read(tmp_path / "site") == FIRST
    assert names(tmp_path) == ["site"]


def test_full_disk_is_one_line_and_keeps_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is an error of one line, and the old site stays."""

    def full(descriptor: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    write(tmp_path / "site", FIRST)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(
        SitegenError, match=r"No space left on device; name another folder with --output$"
    ):
        write(tmp_path / "site", SECOND)
    assert read(tmp_path / "site") == FIRST
    assert names(tmp_path) == ["site"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two folders in one step")
def test_some_whole_site_stands_at_every_moment(tmp_path: Path) -> None:
    """While the site is replaced repeatedly, a reader always finds its first page."""
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
    """A killed build leaves the site unchanged and a tree; the next one deletes it."""
    write(tmp_path / "site", FIRST)
    with _half_written(tmp_path / "site") as process:
        process.send_signal(signal.SIGKILL)
    assert read(tmp_path / "site") == FIRST
    assert len(trees(tmp_path / "site")) == 1, "the killed build left its tree"
    write(tmp_path / "site", SECOND)
    assert trees(tmp_path / "site") == []
    assert read(tmp_path / "site") == SECOND


def test_a_build_waits_for_another_one(tmp_path: Path) -> None:
    """A build begins to write when another build of the site has ended, or was killed."""
    second = threading.Thread(target=write, args=(tmp_path / "site", SECOND))
    with _half_written(tmp_path / "site") as process:
        second.start()
        second.join(0.2)
        assert second.is_alive() and not (tmp_path / "site").exists()
        process.send_signal(signal.SIGKILL)
    second.join()
    assert read(tmp_path / "site") == SECOND
    assert names(tmp_path) == ["site"]


def _half_written(folder: Path) -> subprocess.Popen[bytes]:
    """Starts a process that has written one page of a site and waits."""
    program = f"""
import sys
from pathlib import Path
from sitegen.model import File
from sitegen.pipeline.output import rebuilding

def files():
    yield File(path="half.html", content=b"")
    print("half", flush=True)
    sys.stdin.read()

with rebuilding(Path({str(folder)!r})) as tree:
    for file in files():
        tree.put(file)
"""
    command = [sys.executable, "-c", program]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"half\n"
    return process


def test_killed_between_two_renames(tmp_path: Path) -> None:
    """If a build was killed after moving the site aside, the next build restores it, even if it
    fails itself."""
    write(tmp_path / "site", FIRST)
    (tmp_path / "site").rename(tmp_path / ".site.old-sitegen")
    assert ".." in refused(tmp_path / "site", "../x")
    assert read(tmp_path / "site") == FIRST
    assert names(tmp_path) == ["site"]


def test_killed_after_two_renames(tmp_path: Path) -> None:
    """If a build was killed before it deleted the site that it had moved aside, the next build
    deletes it."""
    write(tmp_path / "old", FIRST)
    (tmp_path / "old").rename(tmp_path / ".site.old-sitegen")
    write(tmp_path / "site", SECOND)
    assert read(tmp_path / "site") == SECOND
    assert names(tmp_path) == ["site"]


@pytest.mark.parametrize("name", [".site.new-sitegen", ".site.old-sitegen"])
def test_what_cannot_be_deleted_stops_no_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What a build left and the next one cannot delete, such as files of another user, gets another
    name; a later build deletes it."""

    def refuse(path: Path, ignore_errors: bool = False) -> None:
        if not ignore_errors:
            raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(staging, "exchange", lambda *_: False)
    with monkeypatch.context() as undeletable:
        undeletable.setattr(shutil, "rmtree", refuse)
        write(tmp_path / "site", FIRST)
        (tmp_path / name / "term").mkdir(parents=True, exist_ok=True)
        for files in (SECOND, FIRST, SECOND):
            write(tmp_path / "site", files)
            assert read(tmp_path / "site") == files
    write(tmp_path / "site", FIRST)
    assert names(tmp_path) == ["site"]


@pytest.mark.parametrize(("module", "call"), [(shutil, "rmtree"), (Path, "glob")])
def test_an_error_while_the_former_site_is_deleted_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, call: str
) -> None:
    """Then the new site is in its place, and the next build deletes what is left. Such an error can
    be raised although all are ignored, of `fstat`, or by the search for what earlier builds left."""

    def fail(*_: object, **_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    write(tmp_path / "site", FIRST)
    with monkeypatch.context() as failing:
        failing.setattr(module, call, fail)
        write(tmp_path / "site", SECOND)
    assert read(tmp_path / "site") == SECOND
    write(tmp_path / "site", FIRST)
    assert names(tmp_path) == ["site"]


def test_what_others_keep_in_the_workshop_is_left_alone(tmp_path: Path) -> None:
    """Only folders with the exact form of our temporary names, for this site, are used or
    deleted."""
    folders = [".site.new-design", ".site.new-sitegen.bak", ".my-site.new-sitegen", ".site.new"]
    for name in folders:
        (tmp_path / name).mkdir()
    write(tmp_path / "site", FIRST)
    assert names(tmp_path) == sorted([*folders, "site"])


def test_foreign_folder_is_refused(tmp_path: Path) -> None:
    """A folder with anything but a site is never replaced, and its files are not read."""
    (tmp_path / "thesis.tex").write_text("years of work")
    with recorded_calls() as calls:
        assert "the last build did not write these files" in refused(tmp_path, "index.html")
    assert not [call for call in calls if call.startswith("open") and "thesis.tex" in call]
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_foreign_folder_that_came_meanwhile_is_refused(tmp_path: Path) -> None:
    """A foreign folder that appears during the build is not replaced."""
    site = tmp_path / "site"
    write(site, FIRST)
    with (
        pytest.raises(SitegenError, match="the last build did not write these files"),
        output.rebuilding(site) as tree,
    ):
        tree.put(File(path="index.html", content=b"second"))
        shutil.rmtree(site)
        site.mkdir()
        (site / "thesis.txt").write_text("mine")
    assert names(site) == ["thesis.txt"]


def test_file_in_the_way_is_refused(tmp_path: Path) -> None:
    """A file in place of the folder is an error."""
    (tmp_path / "site").write_text("a file")
    assert "Not a directory" in refused(tmp_path / "site", "index.html")
    assert (tmp_path / "site").read_text() == "a file"
    assert names(tmp_path) == ["site"]


def test_a_link_leads_to_the_folder_of_the_site(tmp_path: Path) -> None:
    """Where a link is in place of the folder, the site is in the folder that it leads to, and the
    link stays."""
    write(tmp_path / "real", FIRST)
    (tmp_path / "site").symlink_to(tmp_path / "real")
    write(tmp_path / "site", SECOND)
    assert read(tmp_path / "real") == SECOND
    assert (tmp_path / "site").is_symlink()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("years of work")
    (tmp_path / "other").symlink_to(tmp_path / "mine")
    assert "thesis.tex" in refused(tmp_path / "other", "index.html")


def test_disk_that_refuses_is_one_line(tmp_path: Path) -> None:
    """An error of the system gives one line with the folder's name and the reason."""
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
    """A path outside the folder, or one that a disk cannot hold, is refused by name."""
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
    """Two paths that are equal on a disk without case or normal form are refused, and both
    named."""
    message = (
        refused(tmp_path / "site", one, two)
        if one != two
        else _refused_twice(tmp_path / "site", one)
    )
    assert repr(one) in message
    assert repr(two) in message or repr(output.MARKER) in message


def _refused_twice(folder: Path, path: str) -> str:
    with pytest.raises(SitegenError) as caught:
        write_site(folder, [File(path=path, content=b"")] * 2)
    return str(caught.value)


def test_readable_whatever_the_umask(tmp_path: Path) -> None:
    """Folders are 0755 and files 0644, so that any web server can read the site."""
    before = os.umask(0o077)
    try:
        write(tmp_path / "site", FIRST)
    finally:
        os.umask(before)
    modes = {
        path.stat().st_mode & 0o777 for path in (tmp_path / "site").rglob("*") if path.is_file()
    }
    assert modes == {0o644}
    folders = [
        tmp_path / "site",
        *(path for path in (tmp_path / "site").rglob("*") if path.is_dir()),
    ]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o755}


def test_readable_whoever_closed_a_folder(tmp_path: Path) -> None:
    """Folders without permissions, in the site or in a tree, are readable after the next build."""
    site = tmp_path / "site"
    for _ in range(2):
        write(site, FIRST)
        for place in (site, *trees(site)):
            (place / "term").chmod(0o700)
            place.chmod(0o700)
        write(site, {"term/aten/index.html": b"ATen"})
        assert [oct(path.stat().st_mode & 0o777) for path in (site, site / "term")] == [
            "0o755",
            "0o755",
        ]


def test_a_site_is_on_the_disk_before_the_exchange(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new tree is synced before the exchange; if that fails, the old site stays."""
    write(tmp_path / "site", FIRST)
    steps: list[str] = []
    swap = staging.swap
    monkeypatch.setattr(staging, "flush", lambda tree: steps.append("flush"))
    monkeypatch.setattr(staging, "swap", lambda *folders: (steps.append("swap"), swap(*folders))[0])
    write(tmp_path / "site", SECOND)
    assert steps == ["flush", "swap"]

    def fail(tree: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(staging, "flush", fail)
    assert "Input/output error" in refused(tmp_path / "site", "index.html")
    assert read(tmp_path / "site") == SECOND


def test_a_failure_before_the_exchange_prevents_it(tmp_path: Path) -> None:
    """If the step before the exchange fails, the old site stays, or none exists."""

    @contextmanager
    def failing() -> Iterator[None]:
        raise SitegenError("the archive cannot be replaced")
        yield

    for before in ({}, FIRST):
        if before:
            write(tmp_path / "site", before)
        with (
            pytest.raises(SitegenError, match="cannot be replaced"),
            output.rebuilding(tmp_path / "site", during_exchange=failing()) as tree,
        ):
            tree.put(File(path="index.html", content=b"new"))
        assert (read(tmp_path / "site") if before else names(tmp_path)) == (before or [])
