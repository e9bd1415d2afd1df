"""Git repositories for tests, with fixed dates and no settings of the machine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

TODAY = date(2020, 1, 1)


class Repository:
    """A repository to commit to and to tag."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main", "--template=", *options)

    @classmethod
    def at(cls, path: Path) -> Repository:
        """Returns the repository that is in a folder already."""
        found = cls.__new__(cls)
        found.path = path
        return found

    def git(
        self, *arguments: str, given: bytes = b"", day: date = TODAY, check: bool = True
    ) -> str:
        """Runs git without our protections and returns its output."""
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
        # Without maintenance, a commit starts no other process.
        command = ["git", "-C", str(self.path), "-c", "maintenance.auto=false", *arguments]
        done = subprocess.run(
            command, input=given, capture_output=True, env=environment, check=check
        )
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
        return self._head()

    def _head(self) -> str:
        """Returns the id of the last commit, which is in a file: a process for each commit would
        take a quarter of its time."""
        folder = self.path / ".git"
        if folder.is_file():
            folder = Path(folder.read_text(encoding="utf-8").removeprefix("gitdir: ").strip())
        head = (folder / "HEAD").read_text(encoding="utf-8").strip()
        if head.startswith("ref: "):
            head = (folder / head.removeprefix("ref: ")).read_text(encoding="utf-8").strip()
        return head

    def release(self, tag: str, text: str, *, day: date = TODAY) -> None:
        """Commits a GLOSSARY.md with this text, and tags it."""
        self.commit({"GLOSSARY.md": text}, day=day)
        self.git("tag", tag)

    def write(self, kind: str, data: bytes) -> str:
        """Writes a raw object, which git would refuse, and returns its id."""
        return self.git("hash-object", "-t", kind, "-w", "--literally", "--stdin", given=data)

    def commit_tree(self, entries: list[tuple[str, bytes, str]], *, tag: str) -> str:
        """Tags a commit of a tree with exactly these entries: mode, name, object id."""
        data = b"".join(
            f"{mode} ".encode() + name + b"\0" + bytes.fromhex(id) for mode, name, id in entries
        )
        tree = self.write("tree", data)
        commit = self.git("commit-tree", tree, "-m", "Change")
        self.git("update-ref", f"refs/tags/{tag}", commit)
        return tree

    def commit_without_end(self, files: Mapping[str, str], *, tag: str, branch: str = "") -> None:
        """Tags a commit, and sets a branch to it, that has these files at its top, and a folder
        `bomb` of 10^8 empty folders."""
        folder = self.write("tree", b"")
        for _ in range(8):
            entries = [("40000", f"d{number}".encode(), folder) for number in range(10)]
            folder = self.commit_tree(entries, tag=tag)
        top = [
            ("100644", name.encode(), self.write("blob", text.encode()))
            for name, text in files.items()
        ]
        self.commit_tree(
            sorted([*top, ("40000", b"bomb", folder)], key=lambda one: one[1]), tag=tag
        )
        if branch:
            self.git("update-ref", f"refs/heads/{branch}", f"refs/tags/{tag}")


Wording = Mapping[str, str]

SIGNED = "Release\n\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAdFiEE\n-----END PGP SIGNATURE-----"


def markdown(wording: Wording) -> str:
    return "# Glossary\n\n" + "".join(f"**{name}**\n: {text}\n\n" for name, text in wording.items())


def myst(wording: Wording) -> str:
    body = "\n".join(f"{name}\n  {text}\n" for name, text in wording.items())
    return f"# Glossary\n\n```{{glossary}}\n{body}```\n"


def sphinx(wording: Wording) -> str:
    body = "\n".join(f"   {name}\n      {text}\n" for name, text in wording.items())
    return f"Glossary\n========\n\n.. glossary::\n\n{body}"


PLACES = (
    ("GLOSSARY.md", markdown),
    ("docs/glossary.md", myst),
    ("docs/source/glossary.rst", sphinx),
)


def sixty_releases(repository: Repository) -> None:
    """Releases 0.0 to 5.9: the file moves and changes its format at 2.0 and 4.0, and is missing at
    5.0."""
    wording = {
        "Blob": "A file's *content*.",
        "Commit": "A point in *time*.",
        "Index": "A *list*.",
        "Tree": "A folder.",
    }
    for number in range(60):
        if number == 5:
            wording["Blob"] = "What a file *holds*."
        if number == 25:
            del wording["Index"]
        if number == 45:
            wording["Worktree"] = "Files to work with."
        path, written = PLACES[number // 20]
        files: dict[str, str | None] = {
            name: None for name, _ in PLACES if (repository.path / name).exists()
        }
        repository.commit(
            files | ({} if number == 50 else {path: written(wording)}),
            day=date(2015, 1, 1) + timedelta(days=30 * number),
        )
        annotated = [
            "--annotate",
            "--cleanup=verbatim",
            f"--message={SIGNED if number % 3 else 'Release'}",
        ]
        repository.git("tag", *(annotated if number % 2 else []), f"v{number // 10}.{number % 10}")
        if number % 10 == 9:
            repository.git("tag", f"v{number // 10 + 1}.0rc1")
    for odd in ("nightly", "--output=x", "<b>bold</b>"):
        repository.git("update-ref", f"refs/tags/{odd}", "HEAD~30")


SIXTY_CHANGES = (
    ("Blob", "first-read", "0.0", "v0.0:GLOSSARY.md"),
    ("Blob", "reworded", "0.5", "v0.5:GLOSSARY.md"),
    ("Commit", "first-read", "0.0", "v0.0:GLOSSARY.md"),
    ("Index", "first-read", "0.0", "v0.0:GLOSSARY.md"),
    ("Index", "removed", "2.5", "v2.4:docs/glossary.md"),
    ("Tree", "first-read", "0.0", "v0.0:GLOSSARY.md"),
    ("Worktree", "added", "4.5", "v4.5:docs/source/glossary.rst"),
)
"""(term, kind, release, file) of all that happened in them."""


def configure(folder: Path, *source: str, more: str = "") -> None:
    """Writes a site.toml with one source of these lines."""
    folder.mkdir(exist_ok=True)
    text = "\n".join([more, "[[source]]", 'id = "words"', *source])
    (folder / "site.toml").write_text(text, encoding="utf-8")
