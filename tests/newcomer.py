"""Tools for tests of a newcomer: an environment with the built wheel, a person, and a forge."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from urllib.error import URLError

import yaml

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 20
DAYS = count()
"""Every command is given on a day of its own."""


def wheel_of(folder: Path) -> Path:
    """Builds the wheel of this project into a folder."""
    command = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        folder,
    ]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def environment_in(folder: Path) -> Path:
    """Creates an environment with the dependencies, and returns its programs."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (folder / "bin/gh").write_text("#!/bin/sh\n# Stands for the program that gives git a token.\n")
    (folder / "bin/gh").chmod(0o755)
    link_packages(next(folder.glob("lib/python*/site-packages")))
    return folder / "bin"


def link_packages(folder: Path) -> None:
    """Links every installed package into a folder, without sitegen."""
    for path in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if not re.match(r"_?sitegen|.*\.pth$", path.name):
            (folder / path.name).symlink_to(path)


@dataclass(frozen=True, kw_only=True)
class CommandResult:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return [*self.out.splitlines(), *self.err.splitlines()]


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person with a shell in a folder."""

    folder: Path
    programs: Path
    wheels: Path

    def __call__(self, command: str, *, fails: bool = False, **more: str) -> CommandResult:
        """Runs a command, which must succeed unless it `fails`, print few lines, and no
        traceback."""
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=self.folder,
            env={**self.world(), **more},
            capture_output=True,
            text=True,
        )
        result = CommandResult(status=done.returncode, out=done.stdout, err=done.stderr)
        assert "Traceback" not in result.err, result.err
        assert (result.status != 0) == fails, f"{command}: {result}"
        if re.search(r"(^|\n|&& )sitegen ", command):
            assert len(result.lines) <= MAX_LINES, "\n".join(result.lines)
        return result

    def world(self) -> Mapping[str, str]:
        names = {
            f"GIT_{who}_{what}": "ada"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        today = date(2026, 1, 1) + timedelta(days=next(DAYS))
        dates = {f"GIT_{who}_DATE": f"{today}T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
        return {
            **names,
            **dates,
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_QUIET": "1",
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def at(self, folder: Path) -> Person:
        return Person(folder=folder, programs=self.programs, wheels=self.wheels)

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")

    def edit(self, name: str, before: str, after: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert before in text
        (self.folder / name).write_text(text.replace(before, after), encoding="utf-8")

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Runs `sitegen serve`, and gives the address that it prints."""
        log = self.folder.parent / f"{self.folder.name}.serve.log"
        with log.open("w") as stream:
            server = subprocess.Popen(
                ["sitegen", "serve", "--port", "0"],
                cwd=self.folder,
                env=self.world(),
                stdout=stream,
                stderr=stream,
                executable=self.programs / "sitegen",
            )
            try:
                yield eventually(lambda: re.findall(r"at (http://\S+) until", log.read_text()))[0]
            finally:
                server.terminate()
                server.wait()
        assert "Traceback" not in log.read_text()


def pull_request(person: Person, forge: Path, fork: Path, branch: str) -> str:
    """Opens a pull request from a branch of a fork: a ref of the forge, as GitHub has it. Returns
    the ref."""
    person(f"git -C {forge} fetch -q {fork} +{branch}:refs/pull/1/head")
    return "refs/pull/1/head"


def shows(address: str, words: str) -> bool:
    with suppress(URLError), urllib.request.urlopen(address) as answer:
        return words in answer.read().decode()
    return False


def eventually(found):  # type: ignore[no-untyped-def]
    """Waits until a function returns a true value, and returns that."""
    while not (value := found()):
        time.sleep(0.2)
    return value


def run_workflow(
    person: Person, remote: Path, place: Path, *, event: str, ref: str, base: str = "main"
) -> Path | None:
    """Runs the steps of the workflow that is on the main branch, one after another, as a forge
    would.

    A pull request is checked out as the merge of `ref` into `base`. Nothing is installed where
    sitegen is already. Returns the folder of the artifact, if any.
    """
    shutil.rmtree(place, ignore_errors=True)
    here = person.at(place)
    subprocess.run(["git", "clone", "--quiet", remote, place], check=True, env=here.world())
    here(f"git fetch -q origin {ref} && git checkout -q FETCH_HEAD")
    workflow = yaml.safe_load(
        (place / ".github/workflows/glossary.yml").read_text(encoding="utf-8")
    )
    artifact = None
    jobs = [
        workflow["jobs"][name]
        for name in ("build", "archive")
        if name == "build" or event != "pull_request"
    ]
    for step in (step for job in jobs for step in job["steps"]):
        if not _is_meant(step.get("if", ""), event):
            continue
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["fetch-depth"] == 0
            if event == "pull_request":
                here(f"git checkout -q origin/{base} && git merge -q --no-ff -m merge FETCH_HEAD")
        elif step.get("uses", "").startswith("actions/upload-pages-artifact@"):
            artifact = place / step["with"]["path"]
            assert (artifact / "index.html").is_file()
        elif step.get("name") == "Install sitegen" and (person.programs / "sitegen").exists():
            continue
        elif "run" in step:
            here(step["run"], GITHUB_STEP_SUMMARY=str(place.parent / "summary.md"), BRANCH=base)
    return artifact


def _is_meant(condition: str, event: str) -> bool:
    """True if a step's condition on the event holds."""
    if not condition:
        return True
    match = re.fullmatch(r"github\.event_name (==|!=) '(\w+)'", condition)
    assert match, condition
    return (match[2] == event) == (match[1] == "==")
