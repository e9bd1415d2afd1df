"""The working copy of a repository, which a preview shows as the newest state."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import Repository

from sitegen.config.tables import SourceTable
from sitegen.model import Source
from sitegen.sources.git.repositories import Clones
from sitegen.sources.git_source import read_git
from sitegen.sources.projects import Project, watched

PATH = "GLOSSARY.md"
ONE = "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n"
CLONES = Clones(folder=Path("nowhere"))


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    project = Repository(tmp_path / "project")
    project.release("v1.0", ONE)
    return project


def read(project: Repository) -> Source:
    path = PATH
    source = SourceTable(id="words", git=".", paths=(path,))
    return read_git(source, {}, root=project.path, clones=CLONES, working_copy=True)


def test_saved_file_is_the_newest_state(project: Repository) -> None:
    """A saved file that is not committed is an unreleased state, named so in every path."""
    path = PATH
    (project.path / path).write_text(ONE.replace("A loop.", "A fast loop."))
    gathered = read(project)
    assert [(release.name, release.unreleased) for release in gathered.releases] == [
        ("1.0", False),
        ("working copy", True),
    ]
    assert gathered.documents[-1].path == f"working copy:{path}"
    assert "A fast loop." in gathered.documents[-1].text


def test_unchanged_working_copy_is_no_state_of_its_own(project: Repository) -> None:
    """If the saved files are those of the newest release, nothing is added."""
    assert [release.name for release in read(project).releases] == ["1.0"]


def test_a_saved_file_that_cannot_be_read_is_reported(project: Repository) -> None:
    """A new file without text is a problem, also if no other file was saved."""
    (project.path / "words").mkdir()
    (project.path / "words/loop.md").write_bytes(b"")
    source = SourceTable(id="words", git=".", paths=("{words,GLOSSARY.md}",))
    gathered = read_git(source, {}, root=project.path, clones=CLONES, working_copy=True)
    assert [problem.path for problem in gathered.problems] == ["working copy:words/loop.md"]


def test_the_mark_of_a_built_site_is_a_file_like_others(project: Repository) -> None:
    """A pattern may match it, so it is read, and has no terms."""
    (project.path / "site").mkdir()
    (project.path / "site/.sitegen").write_text("This site was built by sitegen.\n")
    source = SourceTable(id="words", git=".", paths=("site/.*", PATH))
    gathered = read_git(source, {}, root=project.path, clones=CLONES, working_copy=True)
    assert [release.name for release in gathered.releases] == ["1.0", "working copy"]


def test_link_in_the_working_copy_is_not_followed(project: Repository) -> None:
    """A symbolic link is not read."""
    path = PATH
    (project.path / "secret.md").write_text(ONE.replace("ATen", "Secret"))
    (project.path / path).unlink()
    (project.path / path).symlink_to("secret.md")
    assert "Secret" not in "".join(document.text for document in read(project).documents)


def test_place_is_watched_where_its_files_are(project: Repository, tmp_path: Path) -> None:
    """The folder and the tags of a repository beside site.toml are watched."""
    (tmp_path / "site.toml").write_text(
        '[[source]]\nid = "a"\ngit = "project"\npaths = "GLOSSARY.md"\n'
    )
    found = watched(Project(folder=tmp_path))
    assert {tmp_path, tmp_path / "project", tmp_path / "project/.git/refs"} == set(found)
