"""Builds or previews a site repeatedly, with one failing system call each time.

`faulting.py FOLDER SEED…` makes a glossary in FOLDER and two states of it. Each seed chooses a call
and an error, with which that call fails in a copy of this process. Prints a line of JSON for each: the command, the call, the error, the status, what was said, and whether the site is the
one before (`old`), the next one (`new`) or neither.
"""

from __future__ import annotations

import builtins
import errno
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from http import HTTPStatus
from pathlib import Path
from random import Random
from typing import Any

from written_sites import contents

from sitegen.commands import building as build_command
from sitegen.commands import main
from sitegen.pipeline import (
    assembly,
    site_build,
    staging,
)  # what a build loads, so that copies have it
from sitegen.pipeline.site_build import Built
from sitegen.preview.server import Preview
from sitegen.preview.session import PreviewSession
from sitegen.site.templates import read_templates
from sitegen.sources.projects import Project

LOADED = (site_build, assembly, build_command)
CALLS = """chmod close fchmod fork fstat fsync getcwd link listdir lseek lstat mkdir open read rename replace rmdir
scandir stat unlink utime waitpid write""".split()
ERRORS = (
    errno.EIO,
    errno.ENOSPC,
    errno.EMFILE,
    errno.ENOMEM,
    errno.EROFS,
    errno.EACCES,
    errno.EINTR,
)
GLOSSARY = "# Glossary\n\n## Leaf\n\nA leaf of a tree.\n\n## Tree\n\nA tree of leaves.\n"
COMMANDS = {
    "build": ["build", "words", "-o", "site", "-q"],
    "serve": [],
}


def faulty(fail_at: int, error: int) -> list[str]:
    """Makes the call with a number fail; returns a list of all calls."""
    asked: list[str] = []
    staging.flush = os.fsync = lambda opened: None  # other programs keep the disk busy

    def wrapped(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def calling(*arguments: Any, **options: Any) -> Any:
            asked.append(name)
            if len(asked) == fail_at:
                path = next(
                    (one for one in arguments[:1] if isinstance(one, str | os.PathLike)), None
                )
                raise OSError(error, os.strerror(error), path)
            return call(*arguments, **options)

        return calling

    for name in CALLS:
        setattr(os, name, wrapped(name, getattr(os, name)))
    io.open = builtins.open = wrapped("open", io.open)  # type: ignore[assignment]
    return asked


def preview() -> tuple[PreviewSession, Preview]:
    """Returns a preview that shows nothing yet."""
    server = Preview(read_templates())
    place = Project(folder=Path("words"))
    return PreviewSession(place, server, Path("site"), report=report_problems), server


def report_problems(built: Built, seconds: float) -> None:
    for problem in built.problems:
        sys.stderr.write(f"{problem}\n")


def show(previewing: tuple[PreviewSession, Preview]) -> int:
    """Shows what was saved; returns 2 after an error, as other commands do."""
    session, server = previewing
    session.rebuild(fetching=False)
    return 0 if server.answer("/term/tree/").status == HTTPStatus.OK else 2


def run(command: str, fail_at: int, error: int, report: Path) -> None:
    """Runs a command in a copy of this process; the report says what came of it."""
    if (child := os.fork()) == 0:
        with report.open("w+") as file:
            os.dup2(file.fileno(), 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            leave, write, seek = os._exit, os.write, os.lseek
            sys.argv = ["sitegen", *COMMANDS[command]]
            session = preview()
            asked = faulty(fail_at, error)
            status = 99
            try:
                status = show(session) if command == "serve" else main.run()
            except BaseException as raised:
                write(2, f"Traceback: {type(raised).__name__}: {raised}".encode())
            sys.stderr.flush()
            call = asked[fail_at - 1] if len(asked) >= fail_at else ""
            seek(file.fileno(), 0, 2)
            write(file.fileno(), f"\n{json.dumps([status, call, len(asked)])}".encode())
            leave(0)
    os.waitpid(child, 0)


def result(report: Path) -> tuple[int, str, int, str]:
    outcome, _, line = report.read_text().rpartition("\n")
    status, call, asked = json.loads(line)
    return status, call, asked, outcome


def main_(folder: Path, seeds: Sequence[int]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    report = Path("report.txt").absolute()
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    for release in ("1.0", "1.1"):
        Path("words", release).mkdir(parents=True)
        Path("words", release, "GLOSSARY.md").write_text(GLOSSARY)
    run("build", 0, 0, report)
    assert result(report)[0] == 0, result(report)
    Path("words/1.2").mkdir()
    Path("words/1.2/GLOSSARY.md").write_text(GLOSSARY + "\n## Root\n\nHolds a tree.\n")
    keep = (Path("words"), Path("site"), Path("cache"))
    wanted: dict[str, tuple[dict[str, bytes], dict[str, bytes]]] = {}
    saved = {command: folder / f"saved-{command}" for command in COMMANDS}
    most = {}
    for command, state in saved.items():
        if command == "serve":
            restore(saved["build"], keep)
        save(state, keep)
        old = contents(Path("site"))
        run(command, 0, 0, report)
        status, _, most[command], outcome = result(report)
        assert status == 0, outcome
        wanted[command] = old, contents(Path("site"))
        assert (old == wanted[command][1]) == (command == "serve")
        restore(state, keep)
    for seed in seeds:
        random, command = Random(seed), [*COMMANDS][seed % len(COMMANDS)]
        restore(saved[command], keep)
        error = random.choice(ERRORS)
        run(command, random.randrange(1, most[command]), error, report)
        status, call, _, outcome = result(report)
        found = contents(Path("site"))
        which = (
            "old"
            if found == wanted[command][0]
            else "new"
            if found == wanted[command][1]
            else "neither"
        )
        print(
            json.dumps([command, call, errno.errorcode[error], status, outcome.strip(), which]),
            flush=True,
        )


def save(state: Path, kept: tuple[Path, ...]) -> None:
    for path in kept:
        if path.exists():
            shutil.copytree(path, state / path, symlinks=True)


def restore(state: Path, kept: tuple[Path, ...]) -> None:
    for path in kept:
        shutil.rmtree(path, ignore_errors=True)
        if (state / path).exists():
            shutil.copytree(state / path, path, symlinks=True)


if __name__ == "__main__":
    main_(Path(sys.argv[1]).absolute(), [*map(int, sys.argv[2:])])
