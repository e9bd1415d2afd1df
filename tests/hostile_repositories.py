"""Checkouts whose repository has settings that run programs, or that lead out of it; used by
`test_hostile.py`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

GLOSSARY = "# Glossary\n\n## Leaf\n\nA leaf of a tree.\n\n## Tree\n\nA tree of leaves.\n"

ATTRIBUTES = "* filter=bad diff=bad merge=bad ident text working-tree-encoding=UTF-8\n"
SETTINGS: dict[str, str] = {
    "file system monitor": "[core]\nfsmonitor = {run}\n",
    "hooks elsewhere": "[core]\nhooksPath = {outside}/hooks\n",
    "ssh": '[core]\nsshCommand = {run}\ngitProxy = {run}\n[remote "origin"]\nurl = '
    "ssh://localhost/x.git\n",
    "filter": '[filter "bad"]\nclean = {run}\nsmudge = {run}\nprocess = {run}\nrequired = true\n',
    "diff and merge drivers": '[diff "bad"]\ntextconv = {run}\ncommand = {run}\n[merge "bad"]\n'
    "driver = {run}\n"
    "[diff]\nexternal = {run}\n",
    "pager, editor and aliases": "[core]\npager = {run}\neditor = {run}\naskPass = {run}\n"
    "[pager]\nlog = {run}\n"
    "[alias]\nlog = !{run}\ncat-file = !{run}\nrev-list = !{run}\n",
    "signatures": "[log]\nshowSignature = true\n[gpg]\nprogram = {run}\n[tag]\ngpgSign = true\n",
    "credentials": '[credential]\nhelper = !{run}\n[remote "origin"]\nurl = '
    "https://localhost:1/x.git\n",
    "partial clone": '[remote "origin"]\nurl = ext::{run}\npromisor = true\npartialCloneFilter = '
    "blob:none\n"
    "uploadpack = {run}\n[extensions]\npartialClone = origin\n[protocol]\nallow = always\n",
    "trace": "[trace2]\nnormalTarget = {outside}/trace\neventTarget = {outside}/trace\n",
    "work tree elsewhere": "[core]\nworktree = {outside}/folder\n",
    "included settings": "[include]\npath = {outside}/settings\n",
    "settings included if": '[includeIf "gitdir:**"]\npath = {outside}/settings\n',
    "background work": "[gc]\nauto = 1\n[maintenance]\nauto = true\nstrategy = incremental\n"
    "[core]\ncommitGraph = true\nuntrackedCache = true\nsplitIndex = true\n[fetch]\n"
    "writeCommitGraph = true\n",
}


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def original(folder: Path, glossary: str) -> Path:
    """Creates a repository with two releases, and a file that has changed since."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for name, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(folder, "config", name, value)
    for tag in ("1.0", "1.1"):
        (folder / "GLOSSARY.md").write_text(f"{glossary}\n## Root\n\nHolds a tree since {tag}.\n")
        (folder / ".gitattributes").write_text(ATTRIBUTES)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", tag)
        git(folder, "tag", "-a", "-m", tag, tag)
    (folder / "GLOSSARY.md").write_text(glossary)
    return folder


def program(outside: Path) -> Path:
    """Creates a program that leaves a file when it runs, and what leads to it."""
    run = outside / "run"
    run.write_text(f"#!/bin/sh\ntouch {outside}/ran\n")
    run.chmod(0o755)
    (outside / "settings").write_text(f"[core]\nfsmonitor = {run}\nsshCommand = {run}\n")
    shutil.copytree(_hooks(outside / "hooks", run), outside / "template/hooks")
    return run


def _hooks(folder: Path, run: Path) -> Path:
    folder.mkdir(parents=True)
    for name in (
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
        "pre-auto-gc",
    ):
        shutil.copy(run, folder / name)
    return folder


def _own_hooks(folder: Path, outside: Path) -> None:
    shutil.rmtree(folder / ".git/hooks")
    _hooks(folder / ".git/hooks", outside / "run")


def _work_tree(folder: Path, outside: Path) -> None:
    """A work tree of a repository outside, whose settings run a program."""
    with (folder / ".git/config").open("a") as config:
        config.write("".join(SETTINGS.values()).format(run=outside / "run", outside=outside))
    (folder / ".git").rename(outside / "repository.git")
    (folder / ".git").write_text(f"gitdir: {outside}/repository.git\n")


def _submodule(folder: Path, outside: Path) -> None:
    (folder / ".gitmodules").write_text(
        f'[submodule "sub"]\npath = sub\nurl = ext::{outside}/run\nupdate = !{outside}/run\n'
    )
    shutil.copytree(folder / ".git", folder / ".git/modules/sub")
    (folder / "sub").mkdir()
    (folder / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")
    (folder / "sub/GLOSSARY.md").write_text("# Glossary\n\n## Sub\n\nBelow.\n")


def _alternates(folder: Path, outside: Path) -> None:
    """Objects that are kept outside."""
    (folder / ".git/objects").rename(outside / "objects")
    (folder / ".git/objects/info").mkdir(parents=True)
    (folder / ".git/objects/info/alternates").write_text(f"{outside}/objects\n")


def _missing_object(folder: Path, outside: Path) -> None:
    """A partial clone whose blobs are missing."""
    _append(folder, SETTINGS["partial clone"], outside)
    for path in sorted((folder / ".git/objects").glob("??/*"))[::2]:
        path.unlink()


def _append(folder: Path, settings: str, outside: Path) -> None:
    with (folder / ".git/config").open("a") as config:
        config.write(settings.format(run=outside / "run", outside=outside))


SHAPES: dict[str, Callable[[Path, Path], None]] = {
    "hooks": _own_hooks,
    "work tree": _work_tree,
    "submodule": _submodule,
    "alternates": _alternates,
    "missing objects": _missing_object,
}


def prepare(checkouts: Path, outside: Path, glossary: str, *, each: bool) -> int:
    """Creates checkouts: one for each shape, and one for each of the settings or, unless `each`,
    for all of them."""
    program(outside)
    source = original(outside / "original", glossary)
    settings = SETTINGS if each else {"all settings": "".join(SETTINGS.values())}
    for name, text in settings.items():
        _append(shutil.copytree(source, checkouts / f"repository with {name}"), text, outside)
    for name, shape in SHAPES.items():
        shape(shutil.copytree(source, checkouts / f"repository with {name}"), outside)
    return len(settings) + len(SHAPES)


def everything(folder: Path) -> dict[str, object]:
    """Returns all metadata and contents of a folder, except link counts."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }
