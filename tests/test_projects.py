"""The folders of a command line, and which changes affect them."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import Repository

from sitegen.config.parsing import parse
from sitegen.model import SitegenError
from sitegen.preview import watching
from sitegen.sources.projects import Project, project_in, watched

SOURCE = '[[source]]\nid = "s"\npaths = "GLOSSARY.md"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository, `project`, in the current folder."""
    monkeypatch.chdir(tmp_path)
    repository = Repository(tmp_path / "project")
    repository.release("v1.0", "# Glossary\n")
    return repository


def trial(git: str) -> Project:
    """Returns a repository on the command line."""
    config = parse(f"{SOURCE}git = {git!r}\n", path="site.toml")
    return Project(folder=Path(), config=config)


def folders(project: Project) -> list[str]:
    """Returns the folders that are watched."""
    return [str(one) for one in watched(project)]


def test_content_is_read_where_it_has_a_site_toml(project: Repository) -> None:
    """Without a folder it is `content` if that has a site.toml, else the current one."""
    Path("1.0").mkdir()
    assert project_in(None).folder == Path()
    Path("content").mkdir()
    assert project_in(None).folder == Path()
    Path("content/site.toml").write_text("")
    assert project_in(None).folder == Path("content")


def test_site_toml_above_is_named(project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of a repository without a site.toml, one further up is named, but none outside
    the repository."""
    Path("site.toml").touch()
    deep = project.path / "docs/deep"
    deep.mkdir(parents=True)
    (deep / "GLOSSARY.md").touch()
    monkeypatch.chdir(deep)
    assert project_in(None).folder == Path()
    (project.path / "site.toml").touch()
    with pytest.raises(SitegenError, match=r"there is one at \.\./\.\.; go there"):
        project_in(None)


def test_hidden_files_are_no_glossary(project: Repository) -> None:
    """A folder with nothing but a hidden file, which a system put there, is no project."""
    Path("words").mkdir()
    Path("words/.DS_Store").touch()
    with pytest.raises(SitegenError, match=r"no site\.toml here"):
        project_in(Path("words"))
    Path("words/glossary.md").touch()
    assert project_in(Path("words")).folder == Path("words")


def test_a_repository_is_watched_for_tags_and_branches(project: Repository) -> None:
    """Of a repository on the command line only refs are watched; with a site.toml the folder is
    too."""
    assert folders(trial("project")) == ["project/.git/refs", "project"]
    Path("content").mkdir()
    Path("content/site.toml").write_text(SOURCE + 'git = "../project"\n')
    assert folders(project_in(Path("content"))) == [
        "content",
        "content/../project/.git/refs",
        "content/../project",
    ]


def test_tags_of_a_worktree_are_watched(project: Repository) -> None:
    """A linked worktree has the tags and branches of its repository."""
    project.git("worktree", "add", "--quiet", "../beside")
    refs = project.path.resolve() / ".git/refs"
    assert folders(trial("beside")) == [str(refs), "beside"]


def test_pages_beside_content_are_watched(project: Repository) -> None:
    """The folder of additional pages is watched, also where it is outside the folder of
    site.toml."""
    Path("content").mkdir()
    Path("content/site.toml").write_text('[theme]\npages = "../docs"\n')
    assert folders(project_in(Path("content"))) == ["content", "content/../docs"]


def test_what_is_elsewhere_is_not_watched(project: Repository) -> None:
    """An address, a folder without a repository and an invalid site.toml add nothing to watch."""
    assert folders(trial("https://example.org/x.git")) == []
    for text in (
        SOURCE + 'git = "git@example.org:x.git"\n',
        SOURCE + 'git = "nowhere"\n',
        "[sit]\n",
    ):
        Path("site.toml").write_text(text)
        assert folders(project_in(Path())) == ["."]


def test_a_new_tag_is_a_change(project: Repository) -> None:
    """A tag that is created during a preview is noticed."""
    changes = watching.changes(
        watched(trial("project")),
        ignore=Path("site"),
    )
    next(changes)
    project.git("tag", "v1.1")
    assert next(changes, "no change") is None
    changes.close()
