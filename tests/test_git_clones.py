"""Remote repositories. `file://` stands in for the network."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from commands import Command
from repositories import Repository

from sitegen.config.tables import SourceTable
from sitegen.model import Source
from sitegen.sources.git.process import GitError, error_message
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.git_source import read_git


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "project")
    repository.release("v1.0", "one\n")
    return repository


def read(
    address: str, cache: Path, *, update: bool = True, result: list[str] | None = None
) -> Source:
    source = SourceTable(id="s", git=address, paths=("GLOSSARY.md",))
    clones = Clones(
        folder=cache, update=update, progress=(result if result is not None else []).append
    )
    return read_git(source, {}, root=Path(), clones=clones)


def address(repository: Repository) -> str:
    return f"file://{repository.path}"


def names(gathered: Source) -> list[str]:
    return [release.name for release in gathered.releases]


def test_an_address_is_cloned_once_and_updated_after(
    repository: Repository, tmp_path: Path
) -> None:
    """The first reading clones with progress, the next fetches; nothing is checked out."""
    result: list[str] = []
    assert names(read(address(repository), tmp_path / "cache", result=result)) == ["1.0"]
    assert result
    repository.release("v2.0", "two\n")
    assert names(read(address(repository), tmp_path / "cache")) == ["1.0", "2.0"]
    (clone,) = (tmp_path / "cache").iterdir()
    assert clone.name.startswith("project-")
    assert not list(clone.rglob("GLOSSARY.md"))


def test_a_clone_is_updated_once_for_all_sources(repository: Repository, tmp_path: Path) -> None:
    """The sources of one build read one state of a remote, and each has the problem with it."""
    read(address(repository), tmp_path / "cache")
    clones = Clones(folder=tmp_path / "cache")
    source = SourceTable(id="s", git=address(repository), paths=("GLOSSARY.md",))
    repository.path.rename(tmp_path / "gone")
    first = read_git(source, {}, root=Path(), clones=clones)
    (tmp_path / "gone").rename(repository.path)
    repository.release("v2.0", "two\n")
    second = read_git(source, {}, root=Path(), clones=clones)
    assert names(first) == names(second) == ["1.0"]
    assert first.problems == second.problems != ()
    assert names(read(address(repository), tmp_path / "cache")) == ["1.0", "2.0"]


def test_what_a_killed_clone_left_is_deleted(repository: Repository, tmp_path: Path) -> None:
    """The unfinished clone of a process that was killed is no clone, and the next one deletes
    it."""
    read(address(repository), tmp_path / "cache")
    (clone,) = (tmp_path / "cache").iterdir()
    clone.rename(clone.with_suffix(".new"))
    (clone.with_suffix(".new") / "HEAD").unlink()
    assert names(read(address(repository), tmp_path / "cache")) == ["1.0"]
    assert [*(tmp_path / "cache").iterdir()] == [clone]


def test_a_git_that_outlives_its_build_stops_no_clone(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the git of a killed process still writes, its folder cannot be deleted: the next clone
    is in another one."""
    read(address(repository), tmp_path / "cache")
    (clone,) = (tmp_path / "cache").iterdir()
    unfinished = clone.rename(clone.with_suffix(".new"))
    monkeypatch.setattr(shutil, "rmtree", lambda *_args, **_options: None)
    assert names(read(address(repository), tmp_path / "cache")) == ["1.0"]
    assert {*(tmp_path / "cache").iterdir()} == {clone, unfinished}


def test_a_cache_below_a_folder_of_a_group_is_used(repository: Repository, tmp_path: Path) -> None:
    """Below a folder with the set-group-id bit, the cache has that bit too; only the user can read
    it."""
    tmp_path.chmod(0o2755)
    assert names(read(address(repository), tmp_path / "cache")) == ["1.0"]


def test_builds_at_once_share_a_clone(repository: Repository, tmp_path: Path) -> None:
    """Concurrent builds that clone or update one repository all read its newest state."""
    for number in range(2, 7):
        repository.release(f"v{number}.0", f"{number}\n")
        with ThreadPoolExecutor(4) as builds:
            readings = list(
                builds.map(lambda _: read(address(repository), tmp_path / "cache"), range(4))
            )
        wanted = [f"{release}.0" for release in range(1, number + 1)]
        assert [(names(gathered), gathered.problems) for gathered in readings] == [(wanted, ())] * 4


def test_no_network_is_needed_for_a_clone_that_is_there(
    repository: Repository, tmp_path: Path
) -> None:
    """If the repository is unreachable, the existing clone is read, and the problem says so."""
    read(address(repository), tmp_path / "cache")
    repository.path.rename(tmp_path / "gone")
    gathered = read(address(repository), tmp_path / "cache")
    assert names(gathered) == ["1.0"]
    (problem,) = gathered.problems
    assert problem.path == address(repository)
    assert problem.wanted.startswith("read as of last time, from ")
    assert read(address(repository), tmp_path / "cache", update=False).problems == ()


def test_a_repository_that_cannot_be_reached_is_a_problem(tmp_path: Path) -> None:
    """Without a clone, an unreachable address is one line, and no partial clone stays behind."""
    gathered = read(f"file://{tmp_path}/nowhere", tmp_path / "cache")
    (problem,) = gathered.problems
    assert problem.found.startswith("git says: fatal: ")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_message_of_git_goes_on() -> None:
    """What git says is one line without its period, as advice follows it."""
    said = b"ssh: refused\nfatal: Could not read from remote repository.\n\nPlease make sure.\n"
    assert error_message(said) == "git says: fatal: Could not read from remote repository"


def test_what_was_published_stays(repository: Repository, tmp_path: Path) -> None:
    """A deleted tag stays in the clone; a moved one is updated."""
    repository.release("v2.0", "two\n")
    read(address(repository), tmp_path / "cache")
    repository.git("tag", "--delete", "v1.0")
    repository.commit({"GLOSSARY.md": "two, mended\n"})
    repository.git("tag", "--force", "v2.0")
    documents = read(address(repository), tmp_path / "cache").documents
    assert [document.text for document in documents] == ["one\n", "two, mended\n"]


def test_a_hook_of_the_repository_does_not_run(repository: Repository, tmp_path: Path) -> None:
    """A clone has no hooks, not even those of the machine's template."""
    read(address(repository), tmp_path / "cache")
    (clone,) = (tmp_path / "cache").iterdir()
    assert not list(clone.glob("hooks/*"))


def test_the_repository_one_stands_in_has_no_say(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ssh command configured in the current repository is used by a plain fetch, and not by
    ours."""
    canary, script = tmp_path / "canary", tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{canary}'\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    repository.git("config", "core.sshCommand", str(script))
    repository.git("fetch", "ssh://nobody@localhost/x", check=False)
    assert canary.exists()
    canary.unlink()

    monkeypatch.chdir(repository.path)
    monkeypatch.setenv("GIT_SSH", "false")  # which a configured command would come before
    assert len(read("ssh://nobody@localhost/x", tmp_path / "cache").problems) == 1
    assert not canary.exists()


def test_a_cache_that_cannot_be_made_is_a_problem(repository: Repository, tmp_path: Path) -> None:
    """A file in place of the cache folder is one line that names it."""
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    (problem,) = read(address(repository), tmp_path / "cache").problems
    assert str(tmp_path / "cache") in problem.found


@pytest.mark.parametrize(
    "bad", ["ext::sh -c true", "ext://x/y", "http://example.org/x.git", "fd://3/x"]
)
def test_other_protocols_are_refused(bad: str, tmp_path: Path) -> None:
    """Protocols that run commands, or are unencrypted, are refused without starting git."""
    clones = Clones(folder=tmp_path / "cache")
    refused = pytest.raises(GitError, match=r"is not used|no git repository here")
    with refused, open_repository(bad, root=tmp_path, clones=clones):
        pass
    assert not (tmp_path / "cache").exists()


def test_an_address_that_looks_like_an_option_is_none(tmp_path: Path) -> None:
    """A host that begins with a hyphen is refused by git, whose message is the problem."""
    (problem,) = read("ssh://-oProxyCommand=touch${IFS}pwned/x", tmp_path / "cache").problems
    assert "strange hostname" in problem.found
    assert not Path("pwned").exists()


def test_a_password_is_never_shown(tmp_path: Path) -> None:
    """User names and passwords of an address appear in no message."""
    gathered = read(f"file://me:secret@{tmp_path}/nowhere", tmp_path / "cache")
    assert gathered.problems
    assert "secret" not in "".join(map(str, gathered.problems))


def test_password_is_in_no_output_and_no_file(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The password of an address is neither printed nor in clone, cache or site, and still reaches
    git."""
    repository.release("v2.0", "# Glossary\n\n## Leaf\n\nA leaf.\n")
    ssh = tmp_path / "ssh"
    ssh.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/hosts\nshift $(($# - 1))\nexec sh -c "$1"\n'
    )
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    remote = f"ssh://ada:hunter2@host.invalid{repository.path}"
    for _ in range(2):
        result = command("build", "--git", remote, "--no-ledger")
        assert result.status == 0
        assert "hunter2" not in result.out + result.err
    assert "ada:hunter2@host.invalid" in (tmp_path / "hosts").read_text()
    table = SourceTable(id="s", git=remote, paths=("GLOSSARY.md",), head="gone")
    for program in (str(ssh), "false"):  # a clone, and then an update that fails
        monkeypatch.setenv("GIT_SSH_COMMAND", program)
        gathered = read_git(table, {}, root=Path(), clones=Clones(folder=tmp_path / "clones"))
        problems = "\n".join(map(str, gathered.problems))
        assert ("read as of last time" in problems) == (program == "false")
        assert "ssh://host.invalid/" in problems
        assert "hunter2" not in problems
    (tmp_path / "hosts").unlink()
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in written if b"hunter2" in path.read_bytes()] == []
    for bad in (
        "ada:hunter2@127.0.0.1:9/x.git",
        "ada:hun/ter2@127.0.0.1:9/x",
        "ada:hunter2@host.invalid",
    ):
        for line in (["build", "--path", "GLOSSARY.md"], ["build", "--json"]):
            result = command(*line, "--git", f"https://{bad}")
            assert result.status == 2
            assert "ter2" not in result.out + result.err
    result = command("build", "--git", "ada:hunter2@host.invalid:x.git", "--path", "GLOSSARY.md")
    assert "hunter2" not in result.out + result.err
