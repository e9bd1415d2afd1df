"""What a build says besides problems."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest
from commands import Command
from repositories import Repository

GLOSSARY = "# Glossary\n\n## A\n\nOne thing.\n\n## B\n\nTwo things.\n"


def test_edits_that_no_release_has_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """A build names the number of terms that were changed since the newest tag, unless the branch
    is read."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    settings = '[[source]]\nid = "words"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
    project.commit({"site.toml": settings})
    project.release("v1.0", GLOSSARY)
    assert "not shown" not in command("build").out
    project.commit({"GLOSSARY.md": f"{GLOSSARY}\n"})
    assert "not shown" not in command("build").out
    project.commit({"GLOSSARY.md": GLOSSARY.replace("One", "Some").replace("Two", "Few")})
    note = (
        'note: words: 2 terms changed since 1.0 are not shown; head = "main" in [[source]] '
        "shows unreleased changes\n"
    )
    assert note in command("build").out
    assert note in command("build").out
    assert "Few" not in (project.path / "site/term/b/index.html").read_text(encoding="utf-8")
    project.git("branch", "--quiet", "next")
    project.git("checkout", "--quiet", "--force", "v1.0")
    assert "not shown" not in command("build").out
    (project.path / "site.toml").write_text(f'{settings}head = "next"\n', encoding="utf-8")
    assert "not shown" not in command("build").out


def build(command: Command) -> str:
    """Builds a new site of the current folder, and returns what was printed."""
    rmtree("site", ignore_errors=True)
    return command("build").out
