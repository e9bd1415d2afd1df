"""Typical mistakes.

`mistakes.txt` has a title and a shell script for each, which runs in an empty folder; its last line
is the command that has to say what to do next. `glossary FOLDER` in it writes a glossary of two releases, `project`
makes the current folder a repository with a tagged glossary.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from loaded_program import sitegen, temporary_folder

TOOLS = r"""
glossary() {
    mkdir -p "$1/1.0" "$1/1.1"
    printf '# Glossary\n\n## Kernel\n\nA loop.\n\n## Tensor\n\nA grid of numbers.\n' > "$1/1.0/glossary.md"
    cp "$1/1.0/glossary.md" "$1/1.1/glossary.md"
}
project() {
    git init -q -b main .
    git config user.name Ada; git config user.email ada@example.org
    mkdir -p docs
    printf '# Glossary\n\n## Kernel\n\nA loop.\n\n## Tensor\n\nA grid of numbers.\n' > docs/glossary.md
    git add docs && git commit -qm 'A glossary' && git tag v1.0
}
source_in_git() { printf '[[source]]\nid = "words"\ngit = "."\n%s\n' "$1" > site.toml; }
toml() { printf '%s\n' "$1" > words/site.toml; }
"""


@dataclass(frozen=True, kw_only=True)
class Mistake:
    title: str
    script: str

    def play(self, folder: Path) -> tuple[int, list[str]]:
        """Makes the mistake in an empty folder; returns the status and the lines on standard
        error."""
        names = {
            f"GIT_{who}_{what}": "ada"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        world = {
            **names,
            "PATH": f"{programs()}:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder.parent / f"{folder.name}.cache"),
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        command = ["bash", "-c", f"{TOOLS}\n{self.script}"]
        done = subprocess.run(command, cwd=folder, env=world, capture_output=True, text=True)
        return done.returncode, done.stderr.splitlines()


@cache
def programs() -> Path:
    """Returns a folder with the program `sitegen`."""
    return sitegen(temporary_folder()).parent


def mistakes() -> list[Mistake]:
    """Returns every mistake, in the order of the page."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    parts = re.split(r"^# (.*)\n", text, flags=re.MULTILINE)[1:]
    return [
        Mistake(title=title, script=script.strip())
        for title, script in zip(parts[::2], parts[1::2], strict=True)
    ]
