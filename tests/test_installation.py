"""What a host installs is what this copy of sitegen was installed from."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from repositories import Repository

from sitegen import __version__
from sitegen.model import SitegenError
from sitegen.tools.installation import TO_EDIT, Installation, installation, named_installation

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PUBLIC = "https://example.org/tools/sitegen.git"


def came_from(record: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """Returns how to install a copy with this `direct_url.json`."""
    text = json.dumps(record) if record else None
    found = SimpleNamespace(read_text=lambda name: text)
    with monkeypatch.context() as patch:
        patch.setattr(metadata, "distribution", lambda name: found)
        return installation()


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    """A clone whose only commit is on the main branch of its remote."""
    clone = Repository(tmp_path / "clone of sitegen")
    commit = clone.commit({"pyproject.toml": ""})
    clone.git("remote", "add", "origin", PUBLIC)
    clone.git("update-ref", "refs/remotes/origin/main", commit)
    return clone


def test_a_version_from_an_index_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy from an index is installed by its version, outside of the current folder."""
    installed = came_from(None, monkeypatch)
    assert installed.command == f"python -I -m pip install sitegen-glossary=={__version__}"
    assert installed.note == f"it installs sitegen-glossary=={__version__}"


@pytest.mark.parametrize("url", [PUBLIC, "http://127.0.0.1:8000/sitegen"])
def test_a_commit_from_git_is_installed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy from a git repository is installed by its commit, and not by a name."""
    record = {"url": url, "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
    installed = came_from(record, monkeypatch)
    assert installed.command == f"python -I -m pip install git+{url}@{COMMIT}"
    assert installed.note == f"it installs {url} at 0123456789"


@pytest.mark.parametrize(
    "record",
    [
        {"url": "ssh://git@example.org/sitegen", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
        {"url": "https://u:p@example.org/x", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
        {"url": f"{PUBLIC}$(id)", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
        {"url": PUBLIC, "vcs_info": {"vcs": "git", "commit_id": "main"}},
        {"url": "file:///x/sitegen_glossary-0.2.0-py3-none-any.whl", "archive_info": {}},
        {"url": "https://example.org/sitegen.whl", "archive_info": {}},
        {"url": "file:///gone", "dir_info": {}},
    ],
)
def test_what_others_cannot_install_is_a_line_to_edit(
    record: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy from a file, a missing folder or an address with a user gives a line to edit."""
    installed = came_from(record, monkeypatch)
    assert installed.command == TO_EDIT
    assert "this copy came from" in installed.note
    assert "u:p@" not in installed.note


@pytest.mark.parametrize("editable", [True, False])
def test_a_clone_is_installed_from_its_remote(
    editable: bool, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy from a clone is installed by the commit of the clone, from its remote."""
    record = {"url": clone.path.as_uri(), "dir_info": {"editable": editable}}
    commit = clone.git("rev-parse", "HEAD")
    installed = came_from(record, monkeypatch)
    assert installed.command == f"python -I -m pip install git+{PUBLIC}@{commit}"


def test_a_clone_named_by_git_is_installed_from_its_remote(
    clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that git took out of a clone on this machine is installed from its remote."""
    commit = clone.git("rev-parse", "HEAD")
    clone.commit({"later.txt": ""})
    record = {"url": clone.path.as_uri(), "vcs_info": {"vcs": "git", "commit_id": commit}}
    installed = came_from(record, monkeypatch)
    assert installed.command == f"python -I -m pip install git+{PUBLIC}@{commit}"


@pytest.mark.parametrize(
    "address",
    [
        "git@example.org:tools/sitegen.git",
        "ssh://git@example.org/tools/sitegen.git",
        "https://user:secret@example.org/tools/sitegen.git",
        "https://user@example.org/tools/sitegen.git",
        "http://example.org/tools/sitegen.git",
        "https://example.org/tools/`id`",
        "/srv/git/sitegen.git",
        "../sitegen.git",
    ],
)
def test_a_remote_that_is_not_public_is_not_used(
    address: str, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A remote without an https address, or with a user in it, is not what a host installs."""
    clone.git("remote", "set-url", "origin", address)
    record = {"url": clone.path.as_uri(), "dir_info": {}}
    installed = came_from(record, monkeypatch)
    assert installed.command == TO_EDIT
    assert "no remote with an https address has its commit" in installed.note
    clone.git("remote", "add", "public", PUBLIC)
    assert came_from(record, monkeypatch).command == TO_EDIT
    clone.git("update-ref", "refs/remotes/public/main", "HEAD")
    assert PUBLIC in came_from(record, monkeypatch).command


def test_a_commit_that_is_not_pushed_is_not_used(
    clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that the remote does not have cannot be installed from it."""
    clone.commit({"mine.txt": ""})
    record = {"url": clone.path.as_uri(), "dir_info": {}}
    assert came_from(record, monkeypatch).command == TO_EDIT


def test_a_repository_around_the_folder_is_not_used(
    clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy from a folder within the repository of another project is not its commit."""
    folder = clone.path / "vendor"
    folder.mkdir()
    installed = came_from({"url": folder.as_uri(), "dir_info": {}}, monkeypatch)
    assert installed.command == TO_EDIT


@pytest.mark.parametrize(
    ("requirement", "quoted"),
    [
        ("sitegen-glossary==0.2.0", "sitegen-glossary==0.2.0"),
        ("sitegen_glossary[rdf] >= 0.2", "'sitegen_glossary[rdf]>=0.2'"),
        (f"git+{PUBLIC}@v0.2.0", f"git+{PUBLIC}@v0.2.0"),
        (f"git+{PUBLIC}@{COMMIT}#egg=x", f"'git+{PUBLIC}@{COMMIT}#egg=x'"),
        ("https://example.org/sitegen.whl", "https://example.org/sitegen.whl"),
    ],
)
def test_what_a_host_installs_can_be_named(requirement: str, quoted: str) -> None:
    """A version or an address is installed as named, quoted for a shell."""
    installed = named_installation(requirement)
    assert installed.command == f"python -I -m pip install {quoted}"


@pytest.mark.parametrize(
    "requirement",
    [
        "sitegen==0.2.0",
        ".",
        "./clone",
        "/srv/clone",
        "--requirement=x.txt",
        "sitegen-glossary==0.2.0; id",
        f"sitegen-glossary @ git+{PUBLIC}",
        "git+https://user:secret@example.org/x@main",
        "git+ssh://git@example.org/x",
        "https://example.org/$(id).whl",
        "https://example.org/tools/sitegen",
        "",
    ],
)
def test_what_is_not_sitegen_is_refused(requirement: str) -> None:
    """A folder, another distribution, options and addresses with a user are refused in one line."""
    with pytest.raises(SitegenError, match=r"^--install .*; write git\+https://HOST/PATH@COMMIT"):
        named_installation(requirement)
