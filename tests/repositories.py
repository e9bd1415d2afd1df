"""Git repositories made by tests: with dates that are always the same, and nothing of the machine's own settings."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import date
from pathlib import Path

TODAY = date(2020, 1, 1)


class Repository:
    """A repository to commit to and to tag."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main", "--template=", *options)

    def git(self, *arguments: str, given: bytes = b"", day: date = TODAY, check: bool = True) -> str:
        """Runs git as anyone would who trusts the repository, and returns what it prints."""
        moment = f"{day.isoformat()}T12:00:00+0000"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.path.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_COMMITTER_DATE": moment,
        }
        command = ["git", "-C", str(self.path), *arguments]
        done = subprocess.run(command, input=given, capture_output=True, env=environment, check=check)
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def commit(self, files: Mapping[str, str | None], *, day: date = TODAY) -> str:
        """Writes these files (None: deletes), commits them, and returns the commit's id."""
        for name, text in files.items():
            file = self.path / name
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=Change", day=day)
        return self.git("rev-parse", "HEAD")

    def release(self, tag: str, text: str, *, day: date = TODAY) -> None:
        """Commits a GLOSSARY.md with this text, and tags it."""
        self.commit({"GLOSSARY.md": text}, day=day)
        self.git("tag", tag)

    def write(self, kind: str, data: bytes) -> str:
        """Writes an object as it is, which git would not do by itself, and returns its id."""
        return self.git("hash-object", "-t", kind, "-w", "--literally", "--stdin", given=data)

    def commit_tree(self, entries: list[tuple[str, bytes, str]], *, tag: str) -> str:
        """Tags a commit of a tree with exactly these entries: mode, name, object id."""
        data = b"".join(f"{mode} ".encode() + name + b"\0" + bytes.fromhex(id) for mode, name, id in entries)
        tree = self.write("tree", data)
        commit = self.git("commit-tree", tree, "-m", "Change")
        self.git("update-ref", f"refs/tags/{tag}", commit)
        return tree
