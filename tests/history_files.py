"""Writes the glossaries of a random history to the disk, and reads them as a build does.

A glossary is a folder with a folder for each release, or a repository with a commit for each.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from histories import Files, Glossary, Kind, Special, World, day_of

from sitegen.config.parsing import Config, parse
from sitegen.permanence.archive import Archive
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import Glossaries, SourceReader

COMMIT = """commit refs/heads/{branch}
mark :{mark}
committer Ada <ada@example.org> {seconds} +0000
data 6
Change
{parent}deleteall
"""
"""What `git fast-import` reads of a commit, before its files."""
ABSENT = "1" * 40
"""The id of a commit of another repository, which git keeps in the place of a file."""


def write(world: World, folder: Path) -> None:
    """Writes the files of a world into a folder, and nothing else is in it then."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for glossary in world.glossaries:
        _write(glossary, folder / glossary.origin, world.kind)


def read(world: World, folder: Path, archive: Archive) -> tuple[Config, Glossaries]:
    """Returns what a build reads of a world that was written into a folder."""
    config = parse(world.site_toml(), path="site.toml")
    clones = Clones(folder=folder / "cache")
    reader = SourceReader(folder, clones=clones, published=archive.releases)
    return config, reader.read(config)


def _write(glossary: Glossary, folder: Path, kind: Kind) -> None:
    if kind == "folders":
        for release, files in glossary.standing():
            _write_files(files, folder / release)
        return
    whole = folder.with_name(f"{folder.name}.whole") if glossary.depth else folder
    _git("init", "--quiet", "--bare", "--initial-branch=main", "--template=", str(whole))
    commits = "".join(_commits(glossary, has_tags=kind == "tags"))
    unpacked = ("-c", "fastimport.unpackLimit=0")
    _git("-C", str(whole), *unpacked, "fast-import", "--quiet", given=commits.encode("latin-1"))
    if glossary.depth:
        depth = f"--depth={glossary.depth}"
        _git("clone", "--quiet", "--bare", depth, f"file://{whole.absolute()}", str(folder))


def _write_files(files: Files, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is Special.LINK:
            path.symlink_to("elsewhere")
        elif content is Special.DEVICE:
            os.mkfifo(path)
        else:
            path.write_bytes(_bytes(content))


def _bytes(content: str | bytes | Special) -> bytes:
    return content.encode() if isinstance(content, str) else bytes(content)


def _commits(glossary: Glossary, *, has_tags: bool) -> Iterator[str]:
    """Yields what `git fast-import` reads: a commit for each release, with its tag, and before every
    third one a release candidate with the files of the release before it."""
    parent, mark, previous = "", 1, {}
    for number, (release, files) in enumerate(glossary.released, start=1):
        candidates = [(f"{release}rc1", previous)] if has_tags and number % 3 == 0 else []
        for tag, content in (*candidates, (release, files)):
            day = day_of(release) + timedelta(days=glossary.days_later - (tag != release))
            seconds = f"{(day - day_of('1.0')).days * 86400 + 1421323200}"
            facts = {"branch": "main", "seconds": seconds, "parent": parent}
            yield COMMIT.format(mark=mark, **facts) + _tree(content)
            parent, tagged = f"from :{mark}\n", mark
            mark += 1
            if tag in glossary.moved:
                yield COMMIT.format(
                    mark=mark, **{**facts, "branch": f"fix-{tag}", "parent": parent}
                )
                yield _tree(glossary.moved[tag])
                tagged = mark
                mark += 1
            if has_tags and tag not in glossary.untagged | glossary.withdrawn:
                yield f"reset refs/tags/{tag}\nfrom :{tagged}\n\n"
        previous = files


def _tree(files: Files) -> str:
    """Returns the files of a commit, as characters for the bytes."""
    parts = []
    for name, content in files.items():
        if content is Special.DEVICE:
            parts.append(f"M 160000 {ABSENT} docs/{name}\n")
            continue
        mode, data = "100644", b"elsewhere"
        if content is Special.LINK:
            mode = "120000"
        else:
            data = _bytes(content)
        parts.append(f"M {mode} inline docs/{name}\ndata {len(data)}\n{data.decode('latin-1')}\n")
    return "".join(parts)


def _git(*arguments: str, given: bytes = b"") -> None:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nowhere"}
    subprocess.run(["git", *arguments], input=given, env=environment, check=True)
