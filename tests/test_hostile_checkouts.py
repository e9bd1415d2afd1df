"""Checkouts that contain a repository whose settings run programs: no command of sitegen runs them.

Each checkout has one kind of setting in one place of the repository. Plain git runs the program in
the same checkout.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest
from commands import Command
from repositories import Repository
from soaking import IS_SOAK

SECRET = "Words of a repository that is none of the checkout's business"
GLOSSARY = "# Glossary\n\n## Leaf\n\nA leaf of the tree.\n\n## Tree\n\nA tree of leaves.\n"


@dataclass(frozen=True)
class Setting:
    """A setting that runs the program `{run}`."""

    text: str
    control: tuple[str, ...]
    """The git command that runs it."""


SSH = '[remote "origin"]\nurl = ssh://git@host.invalid/x.git\n'
REMOTE = ("ls-remote", "origin")
TREE = "--work-tree=."
SETTINGS = {
    "ssh": Setting(f"[core]\nsshCommand = {{run}}\n{SSH}", REMOTE),
    "address": Setting('[protocol]\nallow = always\n[remote "origin"]\nurl = ext::{run}\n', REMOTE),
    "address that is replaced": Setting(
        f'[protocol]\nallow = always\n[url "ext::{{run}} "]\ninsteadOf = ssh://\npushInsteadOf = '
        f"ssh://\n{SSH}",
        REMOTE,
    ),
    "program of a remote": Setting(
        '[remote "origin"]\nurl = {top}\nuploadpack = {run}\nreceivepack = {run}\n', REMOTE
    ),
    "helper of a remote": Setting(
        '[protocol]\nallow = always\n[remote "origin"]\nurl = {run}\nvcs = ext\nproxy = x\n', REMOTE
    ),
    "proxy": Setting(
        '[core]\ngitProxy = {run}\n[remote "origin"]\nurl = git://host.invalid/x.git\n', REMOTE
    ),
    "included settings": Setting(f"[include]\npath = more\n{SSH}", REMOTE),
    "settings included if": Setting(f'[includeIf "gitdir:**"]\npath = more\n{SSH}', REMOTE),
    "file system monitor": Setting("[core]\nbare = false\nfsmonitor = {run}\n", (TREE, "status")),
    "hooks": Setting("[core]\nhooksPath = {hooks}\n", ("update-ref", "refs/heads/new", "HEAD")),
    "filter": Setting(
        '[core]\nbare = false\n[filter "bad"]\nclean = {run}\nsmudge = {run}\nrequired = true\n',
        (TREE, "hash-object", "--path=x.bad", "GLOSSARY.md"),
    ),
    "difference": Setting("[diff]\nexternal = {run}\n", ("diff", "HEAD~", "HEAD")),
    "alias and editor": Setting(
        "[core]\neditor = {run}\npager = {run}\n[alias]\nevil = !{run}\nlog = !{run}\n", ("evil",)
    ),
    "credentials": Setting("[credential]\nhelper = !{run}\n", ("credential", "fill")),
    "signature": Setting(
        "[gpg]\nprogram = {run}\n[user]\nsigningKey = x\n[tag]\ngpgSign = true\n[push]\ngpgSign "
        "= true\n",
        ("tag", "-s", "-m", "x", "signed"),
    ),
}


def bare(project: Path, evil: Path) -> None:
    """The folder of the glossary is a bare repository."""
    shutil.copytree(evil, project / "content", dirs_exist_ok=True)


def bare_with_hooks(project: Path, evil: Path) -> None:
    """The same, with hooks, and with the objects of another repository."""
    bare(project, evil)
    secret = evil.parent / "secret/.git"
    shutil.copytree(evil.parent / "hooks", project / "content/hooks", dirs_exist_ok=True)
    (project / "content/objects/info").mkdir(exist_ok=True)
    (project / "content/objects/info/alternates").write_text(f"{secret}/objects\n")
    (project / "content/refs/heads").mkdir(parents=True, exist_ok=True)
    shutil.copy(secret / "refs/heads/main", project / "content/refs/heads/main")


def submodule(project: Path, evil: Path) -> None:
    """The same, beside a submodule that is not checked out and whose settings run the program."""
    bare(project, evil)
    run = evil.parent / "run"
    (project / ".gitmodules").write_text(
        f'[submodule "sub"]\npath = sub\nurl = ext::{run}\nupdate = !{run}\n'
    )
    (project / "sub").mkdir()


def git_file(names: str, **files: str) -> Callable[[Path, Path], None]:
    """The folder of the glossary has a file `.git` that names a repository in the checkout, which
    has more files."""

    def place(project: Path, evil: Path) -> None:
        shutil.copytree(
            evil, project / "content/evil" if names == "gitdir: evil" else project / "evil"
        )
        (project / "content/.git").write_text(f"{names}\n")
        for name, text in files.items():
            path = project / "evil" / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("a").write(text)

    return place


WORKTREE = "evil/worktrees/x"
PLACES: dict[str, Callable[[Path, Path], None]] = {
    "bare": bare,
    "bare with hooks": bare_with_hooks,
    "bare beside a submodule": submodule,
    ".git file": git_file("gitdir: ../evil"),
    ".git file into its folder": git_file("gitdir: evil"),
    ".git file like that of a submodule": git_file(
        "gitdir: ../evil", config="[core]\nworktree = ../content\n"
    ),
    ".git file like that of a worktree": git_file(
        f"gitdir: ../{WORKTREE}",
        worktrees__x__gitdir="../../../content/.git\n",
        worktrees__x__commondir="../..\n",
        worktrees__x__HEAD="ref: refs/heads/main\n",
    ),
}

COMMANDS = [
    "publish {} --dry-run",
    "addresses {} --push",
    "init {}",
    "build {} -q",
    "diff {} HEAD..HEAD",
    "check {}",
    "publish {} --dry-run --remote origin",
]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, hooks that are it, a repository with a secret, and the user's own
    one."""
    for name, value in {"HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)
    run = tmp_path / "run"
    run.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    run.chmod(0o755)
    (tmp_path / "hooks").mkdir()
    for hook in (
        "reference-transaction",
        "post-index-change",
        "pre-push",
        "pre-commit",
        "pre-receive",
        "update",
    ):
        shutil.copy(run, tmp_path / "hooks" / hook)
    project = Repository(tmp_path / "project")
    project.commit({"content/GLOSSARY.md": GLOSSARY})
    project.commit(
        {
            "content/GLOSSARY.md": GLOSSARY.replace("leaves", "many leaves"),
            "content/.gitattributes": "*.bad filter=bad\n",
        }
    )
    project.git("clone", "--quiet", "--bare", ".", str(tmp_path / "evil"))
    project.git("--git-dir", str(tmp_path / "evil"), "remote", "remove", "origin")
    shutil.rmtree(tmp_path / "evil/hooks", ignore_errors=True)
    (tmp_path / "evil/more").write_text(f"[core]\nsshCommand = {run}\n")
    Repository(tmp_path / "site.git", "--bare")
    secret = Repository(tmp_path / "secret")
    secret.commit({"GLOSSARY.md": "# Glossary\n"})
    secret.commit({"GLOSSARY.md": f"# Glossary\n\n## Secret\n\n{SECRET}.\n"})
    for key, value in {
        "user.name": "Ada",
        "user.email": "ada@example.org",
        "remote.origin.url": str(tmp_path / "site.git"),
    }.items():
        project.git("config", key, value)
    return tmp_path


def checkout(world: Path, place: str, setting: Setting) -> Repository:
    """Returns a checkout with a repository in one place."""
    shutil.rmtree(world / "checkout", ignore_errors=True)
    shutil.copytree(world / "project", world / "checkout")
    shutil.rmtree(world / "evil copy", ignore_errors=True)
    evil = shutil.copytree(world / "evil", world / "evil copy")
    with (evil / "config").open("a") as config:
        config.write(
            setting.text.format(run=world / "run", hooks=world / "hooks", top=world / "project")
        )
    project = Repository.at(world / "checkout")
    PLACES[place](project.path, evil)
    if place.startswith("bare"):
        project.git("add", "--all", "--force")
        project.git("commit", "--quiet", "--message=Change")
    return project


@pytest.mark.parametrize("place", PLACES)
def test_plain_git_runs_it(world: Path, place: str) -> None:
    """Each program runs when plain git is started in the folder of the glossary."""
    still = []
    for name, setting in SETTINGS.items():
        project = checkout(world, place, setting)
        project.git(
            "-C", "content", *setting.control, given=b"protocol=https\nhost=x\n\n", check=False
        )
        if not (world / "ran").exists():
            still.append(name)
        (world / "ran").unlink(missing_ok=True)
    assert still == []


@pytest.mark.soak
@pytest.mark.parametrize("place", PLACES)
def test_nothing_of_a_checkout_runs(
    world: Path, place: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command runs a program of a repository in the checkout, prints a traceback, or reads what
    is outside."""
    commands = cycle(COMMANDS)
    found: list[str] = []
    for name, setting in SETTINGS.items():
        for _ in range(2 * len(COMMANDS) if IS_SOAK else 1):
            line, project = next(commands), checkout(world, place, setting)
            inside = len(found) % 2 == 1
            monkeypatch.chdir(project.path / "content" if inside else project.path)
            result = command(
                *line.replace("{} ", "" if inside else "content ")
                .replace(" {}", "" if inside else " content")
                .split()
            )
            found.append(f"{name}: {line}: {result.status} {result.out}{result.err}")
            written = [path for path in project.path.rglob("site/**/*") if path.is_file()]
            assert not (world / "ran").exists(), found[-1]
            assert result.status in (0, 1, 2) and "Traceback" not in result.err, found[-1]
            assert SECRET not in result.out + result.err + "".join(
                path.read_text() for path in written
            ), found[-1]
    if place.startswith(".git"):
        assert any("its .git leads to" in one for one in found), found
