"""What counts as published: in a git work tree, what is on the default branch or the workflow's
branch."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from commands import Command, CommandResult
from glossary_folder import FILES, write
from repositories import Repository

from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import dump, parse

ARCHIVE, TOML = Path("words/archive.jsonl"), Path("words/site.toml")


@pytest.fixture
def project(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a glossary that was built and not committed."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    write(Path("words"))
    assert command("build", "words").status == 0
    return project


def edit(old: str, new: str, path: Path = TOML) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


OLD = Path("words/library/1.0/GLOSSARY.md")


def newer(name: str) -> str:
    """Returns a newer release with one more term."""
    return FILES["library/1.1/GLOSSARY.md"] + f"## {name}\n\nIt goes round.\n"


def reword(words: str = "Some tensor") -> None:
    """Changes words of a release that was published."""
    edit("A tensor", words, OLD)


def published() -> Archive:
    return parse(ARCHIVE.read_text(), "archive.jsonl")


def commit_all(project: Repository) -> None:
    project.git("add", "-A")
    project.commit({})


def differs(result: CommandResult) -> bool:
    """True if a build says that a source has other words than were published."""
    return "differs from what was published" in result.err or "differ from what" in result.err


def test_what_was_only_built_binds_nobody(project: Repository, command: Command) -> None:
    """Words and names can change until the archive is committed to the default branch."""
    reword()
    edit("## Kernel", "## Colonel", OLD)
    result = command("build", "words")
    assert (result.status, differs(result)) == (0, False), result.err
    assert "term/kernel/1.0/" not in published().by_address
    assert command("build", "words", "--locked").status == 0


@pytest.mark.parametrize("option", [["--locked"], ["--ledger", "other.jsonl"]])
def test_options_about_an_archive_need_one(command: Command, option: list[str]) -> None:
    """An option that needs an archive is refused beside the one that turns it off."""
    result = command("build", "words", "--no-ledger", *option)
    assert result.status == 2
    assert result.err.startswith("--no-ledger: no archive is read or written with it")


def test_what_is_committed_to_the_default_branch_is_published(
    project: Repository, command: Command
) -> None:
    """The committed archive counts on other branches, whatever the working copy contains."""
    commit_all(project)
    project.git("checkout", "-q", "-b", "other")
    ARCHIVE.unlink()
    reword()
    result = command("build", "words")
    assert (result.status, differs(result)) == (0, True), result.err
    assert "Some tensor" not in Path("site/term/aten/1.0/index.html").read_text()


def test_archive_of_another_branch_binds_nobody(project: Repository, command: Command) -> None:
    """What a branch has is published once it is merged."""
    commit_all(project)
    project.git("checkout", "-q", "-b", "other")
    write(Path("words"), {"library/1.2/GLOSSARY.md": newer("Loop")})
    assert command("build", "words").status == 0
    project.commit({"words/more.txt": "x"})
    write(Path("words"), {"library/1.2/GLOSSARY.md": newer("Ring")})
    assert command("build", "words").status == 0
    assert "term/ring/" in published().by_address
    assert "term/loop/" not in published().by_address


def test_archive_on_the_branch_of_workflows_is_published(
    project: Repository, command: Command
) -> None:
    """The archive on the branch `sitegen-ledger` counts like the committed one."""
    archive = ARCHIVE.read_text()
    project.git("checkout", "-q", "--orphan", "sitegen-ledger")
    project.commit({"words/archive.jsonl": archive})
    project.git("symbolic-ref", "HEAD", "refs/heads/main")
    reword()
    assert differs(command("build", "words"))


def test_clone_of_one_branch_says_how_to_fetch_the_archive(
    project: Repository, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build in a clone that fetches one branch names the command that brings the others; then
    they count."""
    archive = ARCHIVE.read_text()
    project.git("checkout", "-q", "--orphan", "sitegen-ledger")
    project.commit({"words/archive.jsonl": archive})
    project.git("symbolic-ref", "HEAD", "refs/heads/main")
    project.git("rm", "--quiet", "--cached", "words/archive.jsonl")
    project.commit(
        {**{f"words/{name}": text for name, text in FILES.items()}, ".gitignore": "site/\n"}
    )
    project.git("clone", "--quiet", "--depth=1", f"file://{project.path}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    found = re.search(
        r"note: this clone fetches one branch; `(.*)` brings sitegen-ledger",
        command("build", "words").out,
    )
    assert found
    subprocess.run(found[1], shell=True, check=True, capture_output=True)
    reword()
    result = command("build", "words")
    assert (differs(result), "note" in result.out) == (True, False)


def put_back(result: CommandResult, project: Repository) -> None:
    """Runs the command by which a refused build says that lines are put back, and commits them."""
    cure = re.search(r"to put them back: `([^`]+)`, and commit it", result.err)
    assert result.status == 2 and cure, result.err
    subprocess.run(cure[1], shell=True, check=True, capture_output=True)
    commit_all(project)


def test_lines_lost_from_the_committed_archive_are_noticed(
    project: Repository, command: Command
) -> None:
    """An archive on the default branch that lost a line is refused with the command that puts it
    back, beside the lines that the same commit has added."""
    whole = ARCHIVE.read_text()
    commit_all(project)
    lines = whole.splitlines(keepends=True)
    project.commit({str(ARCHIVE): "".join(one for one in lines if "/term/widget/" not in one)})
    put_back(command("build", "words", "--locked"), project)
    assert command("build", "words").status == 0
    assert ARCHIVE.read_text() == whole


def test_a_committed_archive_is_repaired_as_the_message_says(
    project: Repository, command: Command
) -> None:
    """A line that a commit changed, or a conflict that it left, is refused until the repaired file
    is committed, and the message says both."""
    commit_all(project)
    whole = ARCHIVE.read_text()
    edit("A tensor", "No tensor", ARCHIVE)
    commit_all(project)
    result = command("build", "words")
    cure = "`git checkout COMMIT -- words/archive.jsonl` takes it back from a commit before"
    assert result.status == 2
    assert f"{cure}; then commit it" in result.err
    project.git("checkout", "HEAD^", "--", "words/archive.jsonl")
    commit_all(project)
    project.commit({str(ARCHIVE): f"<<<<<<< HEAD\n{whole}"})
    result = command("build", "words")
    assert result.status == 2
    assert "keep the lines of both sides, drop the marks, and commit it" in result.err
    project.commit({str(ARCHIVE): whole})
    assert command("build", "words").status == 0


@pytest.mark.parametrize("damaged", [b"no archive\n", b""])
def test_the_archive_of_the_branch_of_workflows_is_repaired_there(
    project: Repository, command: Command, damaged: bytes
) -> None:
    """A damaged archive on `sitegen-ledger`, or one that lost lines, is repaired by putting that
    branch back, not by a commit on the present branch."""
    commit_all(project)
    project.git("checkout", "-q", "-b", "sitegen-ledger")
    project.commit({str(ARCHIVE): damaged.decode()})
    project.git("checkout", "-q", "main")
    result = command("build", "words")
    assert result.status == 2
    assert (
        "put the branch sitegen-ledger back to the commit before, and run `git fetch`" in result.err
    )
    assert "commit it" not in result.err
    project.git("branch", "-f", "sitegen-ledger", "sitegen-ledger^")
    assert command("build", "words").status == 0


def test_an_archive_that_a_commit_deleted_is_missed(project: Repository, command: Command) -> None:
    """Deleting the committed archive forgets nothing: the message has the command that puts it
    back."""
    commit_all(project)
    project.commit({str(ARCHIVE): None})
    reword()
    put_back(command("build", "words"), project)
    assert differs(command("build", "words"))


def test_a_branch_may_change_what_it_alone_has(project: Repository, command: Command) -> None:
    """A line that only a branch had is no published line, before and after the branch is merged;
    one that the default branch has is missed on the branch too."""
    commit_all(project)
    project.git("checkout", "-q", "-b", "other")
    for name in ("Loop", "Ring"):
        write(Path("words"), {"library/1.2/GLOSSARY.md": newer(name)})
        assert command("build", "words").status == 0
        commit_all(project)
    assert command("build", "words").status == 0
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--no-ff", "-m", "merge", "other")
    assert command("build", "words").status == 0
    project.git("checkout", "-q", "other")
    lines = ARCHIVE.read_text().splitlines(keepends=True)
    project.commit({str(ARCHIVE): "".join(one for one in lines if "/term/widget/" not in one)})
    put_back(command("build", "words"), project)
    assert command("build", "words").status == 0


def test_the_archive_of_the_default_branch_is_not_in_a_partial_clone(
    project: Repository, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive that is published, but not fetched, is no reason to publish as if there were
    none."""
    project.git("add", "-A")
    project.commit({})
    project.git("config", "uploadpack.allowFilter", "true")
    copy = Repository(project.path.parent / "copy")
    copy.git("clone", "--quiet", "--filter=blob:none", f"file://{project.path}", "clone")
    write(Path("words"), {"library/1.2/GLOSSARY.md": newer("Loop")})
    assert command("build", "words").status == 0
    project.git("add", "-A")
    project.commit({})
    copy.git("-C", "clone", "fetch", "--quiet")
    monkeypatch.chdir(copy.path / "clone")
    result = command("build", "words")
    assert (result.status, "git fetch --refetch --no-filter --tags" in result.err) == (2, True), (
        result.err
    )
    copy.git("-C", "clone", "fetch", "--quiet", "--refetch", "--no-filter", "--tags")
    assert command("build", "words").status == 0
    assert "term/loop/" in published().by_address


def test_default_branch_of_a_clone(
    project: Repository, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a clone the default branch counts as origin has it, and as it was committed here since: a
    later build keeps its addresses."""
    project.git("add", "-A")
    project.commit({})
    copy = Repository(project.path.parent / "copy")
    copy.git("pull", "--quiet", str(project.path), "main")
    copy.git("fetch", "--quiet", str(project.path), "main:refs/remotes/origin/main")
    monkeypatch.chdir(copy.path)
    write(Path("words"), {"library/1.2/GLOSSARY.md": newer("Loop")})
    assert command("build", "words").status == 0
    copy.git("add", "-A")
    copy.commit({})
    (Path("words/library/1.2/GLOSSARY.md")).write_text(newer("Ring"))
    for _ in range(2):
        assert command("build", "words").status == 0
        assert "term/loop/" in published().by_address
        copy.git("add", "-A")
        copy.commit({"words/more.txt": "x"})


def test_slug_can_be_chosen_before_publication(project: Repository, command: Command) -> None:
    """A [[slug]] gives a new name its address; for a published one it is a problem without
    effect."""
    table = '\n[[slug]]\nname = "Kernel"\nslug = "core"\n'
    TOML.write_text(TOML.read_text() + table)
    assert command("build", "words", "--strict").status == 0
    assert Path("site/term/core/index.html").exists()
    project.git("add", "-A")
    project.commit({})
    edit('slug = "core"', 'slug = "colonel"')
    result = command("build", "words", "--strict")
    assert result.status == 1
    assert "words/site.toml:13: [[slug]] 'Kernel' is published as /term/core/ already" in result.err
    assert Path("site/term/core/index.html").exists()


def test_outside_git_the_file_counts(command: Command, tmp_path: Path) -> None:
    """Without git the archive beside site.toml counts as published."""
    write(Path("words"))
    assert command("build", "words").status == 0
    reword()
    assert differs(command("build", "words"))
    assert dump(published()) == ARCHIVE.read_text()


def test_the_waiting_archive_of_another_site_is_deleted(command: Command) -> None:
    """The next archive of a build that was killed before it exchanged its site is not taken: the
    current site has another archive."""
    for folder in ("words", "next"):
        write(Path(folder))
    write(Path("next"), {"library/1.2/GLOSSARY.md": newer("Loop")})
    for folder, site in (("words", "site"), ("next", "next-site")):
        assert command("build", folder, "-o", site).status == 0
    archive = ARCHIVE.read_bytes()
    waiting = ARCHIVE.with_name(f".{ARCHIVE.name}.next")
    Path("next", ARCHIVE.name).rename(waiting)
    assert command("build", "words").status == 0
    assert (ARCHIVE.read_bytes() == archive, waiting.exists()) == (True, False)


def test_an_archive_that_cannot_be_read_stops_a_build(command: Command) -> None:
    """A build does without an archive at a web address that does not answer, and not without a
    file."""
    write(Path("words"))
    Path("other.jsonl").write_bytes(b"\xff")
    result = command("build", "words", "--ledger", "other.jsonl")
    assert (result.status, "other.jsonl: the archive cannot be read" in result.err) == (2, True)
    result = command("build", "words", "--ledger", "http://127.0.0.1:1/archive.jsonl")
    assert (result.status, "this build promises nothing" in result.out) == (0, True)


@pytest.mark.parametrize("place", ["none.jsonl", "words", "."])
def test_another_archive_is_a_file_that_is_there(command: Command, place: str) -> None:
    """A folder in place of another archive, or no such file, is one line."""
    write(Path("words"))
    result = command("build", "words", "--ledger", place)
    assert result.status == 2
    assert result.err == (
        f"{place}: no such archive; name a file such as archive.jsonl that is there, or leave out "
        "--ledger\n"
    )
    assert not Path("site").exists()


def test_what_publishing_would_add(project: Repository, command: Command) -> None:
    """`sitegen addresses` lists what is not published yet."""
    assert "  /term/kernel/  Kernel\n" in command("addresses", "words").out
    commit_all(project)
    assert "/term/kernel/" not in command("addresses", "words").out


def test_workflow_keeps_the_archive(project: Repository, command: Command, tmp_path: Path) -> None:
    """Each push adds to the archive on its branch, and later builds keep what it has."""
    remote = Repository(tmp_path / "remote", "--bare")
    project.git("remote", "add", "origin", str(remote.path))
    project.commit({str(ARCHIVE): None})
    assert command("addresses", "words", "--push").status == 0
    write(Path("words"), {"library/1.2/GLOSSARY.md": newer("Loop")})
    assert command("addresses", "words", "--push").status == 0
    assert "unchanged" in command("addresses", "words", "--push").out
    assert len(remote.git("log", "--format=%s", "sitegen-ledger").splitlines()) == 2
    kept = parse(remote.git("show", f"sitegen-ledger:{ARCHIVE}"), "archive.jsonl")
    assert {"term/loop/", "term/aten/"} <= kept.by_address.keys()
    project.git("fetch", "--quiet", "origin")
    Path("words/library/1.2/GLOSSARY.md").unlink()
    assert command("build", "words").status == 0
    assert "It goes round." in Path("site/term/loop/index.html").read_text()


@pytest.mark.parametrize("name", ["my archive.jsonl", "#1.jsonl"])
def test_git_unites_the_lines_of_an_archive_with_any_name(
    command: Command, project: Repository, name: str
) -> None:
    """git is told once to unite the lines of an archive that were added on two branches, also if
    its name has signs that mean something in `.gitattributes`."""
    commit_all(project)
    for _ in range(2):
        options = ("--path", str(OLD), "--ledger", name, "--output", "other")
        assert command("build", "--git", ".", *options).status == 0
    assert len(Path(".gitattributes").read_text().splitlines()) == 1
    asked = subprocess.run(["git", "check-attr", "merge", name], capture_output=True, check=True)
    assert asked.stdout.endswith(b"merge: union\n")
