"""Prepared checkouts: a build changes nothing outside of them, and names what is wrong."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path
from shlex import quote

import hostile_repositories
import pytest
from commands import Command
from hostile_repositories import GLOSSARY, everything
from repositories import Repository
from soaking import IS_SOAK

LEFT = ".site.new-sitegen"

PLACES = (
    "site.toml",
    "archive.jsonl",
    ".archive.jsonl.next",
    ".gitattributes",
    "..gitattributes.new",
    LEFT,
    f"{LEFT}/index.html",
    f"{LEFT}/term",
    f"{LEFT}/assets/site.css",
    "site",
    "site/.sitegen",
    "site/index.html",
    "site/archive.jsonl",
    "site/term",
    "1.0",
    "1.0/GLOSSARY.md",
    "out",
    "out/deep",
    "out/deep/site",
)
"""Paths of a checkout that a build reads or writes; the site goes to `out/deep/site` where they
begin so."""


def link(target: str) -> Callable[[Path, Path], None]:
    return lambda place, outside: place.symlink_to(outside / target)


def bind(place: Path, outside: Path) -> None:
    """Binds a socket by a relative name, since its address must be short."""
    here = Path.cwd()
    os.chdir(place.parent)
    try:
        socket.socket(socket.AF_UNIX).bind(place.name)
    finally:
        os.chdir(here)


KINDS: dict[str, Callable[[Path, Path], None]] = {
    "link to a file": link("notes.txt"),
    "dangling link": link("new.txt"),
    "link to a folder": link("folder"),
    "link to an empty folder": link("empty"),
    "link to itself": lambda place, outside: place.symlink_to(place.name),
    "hard link": lambda place, outside: os.link(outside / "notes.txt", place),
    "hard link to a database": lambda place, outside: os.link(outside / "app.sqlite", place),
    "pipe": lambda place, outside: os.mkfifo(place),
    "socket": bind,
    "device": lambda place, outside: os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 5)),
    "folder": lambda place, outside: (place.mkdir(), (place / "mine.txt").write_text("mine"))[0],
}
MOUNTED: dict[str, Callable[[Path, Path], None]] = {
    "empty folder": lambda place, outside: place.mkdir(),
    "empty file": lambda place, outside: place.touch(),
}
"""What a mount covers."""


def checkout(folder: Path, place: str, kind: str, outside: Path) -> None:
    """Creates a checkout with a prepared file in one place."""
    (folder / "1.0").mkdir(parents=True)
    (folder / "1.0/GLOSSARY.md").write_text(GLOSSARY)
    if place.startswith("out"):
        (folder / "OUTPUT").write_text("out/deep/site")
    if place.startswith("site/"):
        (folder / "site").mkdir()
        (folder / "site/.sitegen").write_text("This site was built by sitegen.\n")
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (KINDS | MOUNTED)[kind](path, outside)


def prepared(root: Path, outside: Path) -> int:
    """Creates checkouts below a folder: all kinds in a soak, else two for each place."""
    kinds = cycle(KINDS)
    each = len(KINDS) if IS_SOAK else 2
    chosen = [(place, next(kinds)) for place in PLACES for _ in range(each)]
    if each == len(KINDS):
        chosen = [(place, kind) for place in PLACES for kind in KINDS]
    for number, (place, kind) in enumerate(chosen):
        with suppress(PermissionError):  # only root may make devices
            checkout(
                root / f"{number:03} {kind} as {place.replace('/', '+')}", place, kind, outside
            )
    return len(chosen)


@dataclass(frozen=True)
class Arena:
    """Folders for builds of prepared checkouts."""

    outside: Path
    """What no build may change."""
    checkouts: Path
    own: Path
    """For caches and temporary files."""

    def build(self, *wrapper: str) -> None:
        """Builds each checkout under strace, and looks at each file that was opened for writing."""
        before = everything(self.outside)
        log = self.own / "strace.log"
        traced = [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-y",
            "-s0",
            "-e",
            "trace=openat,open,creat",
            "-o",
            str(log),
        ]
        program = [
            sys.executable,
            "-B",
            str(Path(__file__).with_name("hostile_builds.py")),
            str(self.checkouts),
        ]
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.own), "TMPDIR": str(self.own)}
        command = [*wrapper, *traced, *program]
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        if "ptrace" in run.stderr:
            pytest.skip("strace may trace nothing here")
        assert run.returncode == 0, run.stderr[-2000:]
        results = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(results) == len([*self.checkouts.iterdir()])
        assert [one for one in results if one[1] not in (0, 2) or "Traceback" in one[2]] == []
        empty = "no term was read here"  # comes after a line for each thing that is not read
        failed = [one[2] for one in results if one[1] == 2 and empty not in one[2]]
        assert [result for result in failed if result.count("\n") != 1] == []
        opened = re.findall(r"\bO_(?:WRONLY|RDWR|CREAT)[^\n]*= \d+<([^>\n]*)>", log.read_text())
        allowed = (str(self.checkouts), str(self.own), "/dev/null", "/dev/tty")
        assert opened and [path for path in opened if not path.startswith(allowed)] == []
        assert everything(self.outside) == before


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    arena = Arena(*(tmp_path / name for name in ("outside", "checkouts", "own")))
    for folder in (arena.outside / "folder", arena.outside / "empty", arena.checkouts, arena.own):
        folder.mkdir(parents=True)
    for name in ("notes.txt", "app.sqlite", "folder/notes.txt"):
        (arena.outside / name).write_text("precious\n")
    return arena


@pytest.mark.soak
def test_nothing_outside_is_opened_for_writing(arena: Arena) -> None:
    """strace shows that builds of prepared checkouts open no outside file for writing; they fail in
    one line."""
    assert prepared(arena.checkouts, arena.outside) >= 36
    assert hostile_repositories.prepare(arena.checkouts, arena.outside, GLOSSARY, each=IS_SOAK) >= 6
    arena.build()


@pytest.mark.soak
def test_nothing_mounted_is_written(arena: Arena) -> None:
    """A file or folder that is mounted in a checkout keeps its content, unless it is a folder above
    the site."""
    places = [place for place in PLACES if place not in ("out", "out/deep")]
    if not IS_SOAK:
        places = ["archive.jsonl", LEFT, f"{LEFT}/term", "site/index.html", "site/term"]
    mounts: list[str] = []
    checkout(arena.checkouts / "plain", "mine.txt", "empty file", arena.outside)  # which is built
    for number, (place, mounted) in enumerate(product(places, ("notes.txt", "folder"))):
        folder = arena.checkouts / f"{number:03} {mounted} as {place.replace('/', '+')}"
        checkout(
            folder, place, "empty folder" if mounted == "folder" else "empty file", arena.outside
        )
        mounts.append(
            f"mount --bind {quote(str(arena.outside / mounted))} {quote(str(folder / place))}"
        )
    # The mounts are in a namespace of the builds, and end with them.
    mounting = ["unshare", "--mount", "sh", "-ec", "\n".join([*mounts, 'exec "$@"']), "sh"]
    if subprocess.run([*mounting, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount here")
    arena.build(*mounting)


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "HOME"])
@pytest.mark.parametrize(
    "brought", ["tracked", "tracked, private", "in a repository inside", "unpacked"]
)
def test_a_cache_that_a_checkout_brings_is_not_used(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, brought: str
) -> None:
    """If the user's cache folder lies in a checkout, no clone that came with it is read, and none
    is written."""
    Repository(tmp_path / "project").release("v1", GLOSSARY)
    address = (tmp_path / "project").as_uri()
    top = tmp_path / "checkout"
    cache = top / ".cache/sitegen"
    cache.mkdir(parents=True)
    (cache / "x.git").write_text("prepared")
    (top / "site.toml").write_text(
        f'[[source]]\nid = "words"\ngit = "{address}"\npaths = ["GLOSSARY.md"]\n'
    )
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv(variable, str(top / ".cache" if variable.startswith("XDG") else top))
    if brought in ("tracked, private", "in a repository inside"):
        cache.chmod(0o700)
    if brought != "unpacked":
        repository = top / ".cache" if brought == "in a repository inside" else top
        for arguments in (["init", "-q"], ["add", "-A", "-f"]):
            subprocess.run(["git", "-C", str(repository), *arguments], check=True)
    built = command("build", "checkout", "--no-ledger")
    assert built.status == 2
    assert "is tracked by git" in built.err or "can be read by other users" in built.err
    assert [path.name for path in cache.iterdir()] == ["x.git"]


@pytest.mark.parametrize(
    "command_line",
    ["init", "build words -o out/site"],
)
def test_no_command_writes_through_a_link(
    command: Command, tmp_path: Path, command_line: str
) -> None:
    """A link in place of an output file or folder is one line or is kept; its target is not
    written."""
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    (outside / "folder").mkdir(parents=True)
    (tmp_path / "words/1.0").mkdir(parents=True)
    (tmp_path / "words/1.0/GLOSSARY.md").write_text(GLOSSARY)
    (tmp_path / "out").symlink_to(outside / "folder")
    (tmp_path / ".github").symlink_to(outside / "folder")
    (tmp_path / "site.toml").symlink_to(outside / "folder/site.toml")
    before = everything(outside)
    result = command(*command_line.split())
    assert result.status == 2 and result.err.count("\n") == 1
    assert everything(outside) == before
