"""Published addresses: in a git work tree, only those on the default branch or the workflow's
branch."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from commands import Command
from glossary_folder import FILES, SITE, glossary, write
from repositories import Repository

from sitegen.permanence.ledger import dump, parse

LEDGER, TOML = Path("words/permalinks.json"), Path("words/site.toml")


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


UNPUBLISHED = {
    "id": lambda: edit('id = "library"', 'id = "lib"'),
    "base_url": lambda: edit("org/words", "org/terms"),
    "source": lambda: TOML.write_text(SITE + '[[source]]\nid = "manual"\nfolder = "manual"\n'),
    "name": lambda: [
        edit("Kernel", "Colonel", path) for path in Path("words/library").glob("*/GLOSSARY.md")
    ],
    "words": lambda: edit("A tensor", "Some tensor", Path("words/library/1.0/GLOSSARY.md")),
}


@pytest.mark.parametrize("what", UNPUBLISHED)
def test_what_was_only_built_binds_nobody(project: Repository, command: Command, what: str) -> None:
    """Addresses can change until the ledger is committed to the default branch; a line counts the
    dropped ones."""
    UNPUBLISHED[what]()
    result = command("build", "words")
    assert (result.status, "would break" in result.err) == (0, False), result.err
    assert len(result.out.splitlines()) <= 2
    ledger = parse(LEDGER.read_text(), "")
    assert ledger.keys().isdisjoint(
        re.findall(r"unpublished address(?:es)?, such as (\S+)", result.out)
    )
    if what == "source":
        assert "unpublished address" in result.out
        assert "/term/aten/" not in ledger
    assert command("build", "words", "--locked").status == 0


@pytest.mark.parametrize("what", UNPUBLISHED)
def test_what_is_committed_to_the_default_branch_is_promised(
    project: Repository, command: Command, what: str
) -> None:
    """The committed ledger binds builds on other branches, whatever the working copy contains."""
    project.git("add", "-A")
    project.commit({})
    project.git("checkout", "-q", "-b", "other")
    LEDGER.unlink()
    UNPUBLISHED[what]()
    result = command("build", "words")
    assert (result.status, "would break" in result.err) == (2, True)


def test_ledger_of_another_branch_binds_nobody(project: Repository, command: Command) -> None:
    """Addresses of a branch are promised once it is merged."""
    project.git("add", "-A")
    project.commit({})
    project.git("checkout", "-q", "-b", "other")
    write(Path("words"), {"library/1.2/GLOSSARY.md": glossary(Loop="It goes round.")})
    assert command("build", "words").status == 0
    project.commit({"words/more.txt": "x"})
    write(Path("words"), {"library/1.2/GLOSSARY.md": glossary(Ring="It goes round.")})
    result = command("build", "words")
    assert result.status == 0
    assert "/term/ring/" in parse(LEDGER.read_text(), "")
    assert "/term/loop/" not in parse(LEDGER.read_text(), "")


def test_branch_with_an_older_site_toml_is_told_to_take_the_newer(
    project: Repository, command: Command
) -> None:
    """Where only the default branch names a source, a refusal begins with the command that brings
    its site.toml."""
    write(Path("words"), {"more/1.0/GLOSSARY.md": glossary(Loop="It goes round.")})
    project.git("add", "-A")
    project.commit({})
    project.git("branch", "1.x")
    TOML.write_text(f'{TOML.read_text()}[[source]]\nid = "more"\nfolder = "more"\n')
    assert command("build", "words").status == 0
    project.git("add", "-A")
    project.commit({})
    project.git("checkout", "-q", "1.x")
    cure = "git checkout main -- words/site.toml"
    [first, *_] = command("build", "words").err.splitlines()
    assert first.endswith(f"; build with main:words/site.toml first, which is newer: `{cure}`")
    project.git(*cure.split()[1:])
    assert command("build", "words").status == 0
    UNPUBLISHED["words"]()
    refused = command("build", "words")
    assert (refused.status, "which is newer" in refused.err) == (2, False)


def test_ledger_on_the_branch_of_workflows_is_promised(
    project: Repository, command: Command
) -> None:
    """The ledger on the branch `sitegen-ledger` counts like the committed one."""
    ledger = LEDGER.read_text()
    project.git("checkout", "-q", "--orphan", "sitegen-ledger")
    project.commit({"words/permalinks.json": ledger})
    project.git("symbolic-ref", "HEAD", "refs/heads/main")
    UNPUBLISHED["id"]()
    assert "would break" in command("build", "words").err


def test_clone_of_one_branch_says_how_to_fetch_the_ledger(
    project: Repository, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build in a clone that fetches one branch names the command that brings the others; then
    they count."""
    ledger = LEDGER.read_text()
    project.git("checkout", "-q", "--orphan", "sitegen-ledger")
    project.commit({"words/permalinks.json": ledger})
    project.git("symbolic-ref", "HEAD", "refs/heads/main")
    project.git("rm", "--quiet", "--cached", "words/permalinks.json")
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
    UNPUBLISHED["id"]()
    assert "would break" in command("build", "words").err
    edit('id = "lib"', 'id = "library"')
    assert "note" not in command("build", "words").out


def test_lines_lost_from_the_committed_ledger_are_noticed(
    project: Repository, command: Command
) -> None:
    """A ledger on the default branch that lost a line is refused until the line is back."""
    whole = LEDGER.read_text()
    less = "".join(
        line for line in whole.splitlines(keepends=True) if '"/term/widget/"' not in line
    )
    project.git("add", "-A")
    project.commit({"words/permalinks.json": less})
    result = command("build", "words", "--locked")
    assert (result.status, "addresses, and" in result.err) == (2, True)
    LEDGER.write_text(whole)
    assert command("build", "words").status == 0


def test_a_ledger_that_a_commit_deleted_is_missed(project: Repository, command: Command) -> None:
    """Deleting the committed ledger forgets no address: the message has the command that puts it
    back."""
    project.git("add", "-A")
    project.commit({})
    project.commit({"words/permalinks.json": None})
    UNPUBLISHED["id"]()
    result = command("build", "words")
    cure = re.search(r"`git (checkout [^`]+)`", result.err)
    assert result.status == 2 and cure, result.err
    project.git(*cure[1].split())
    project.commit({})
    assert "would break" in command("build", "words").err


def test_the_ledger_of_the_default_branch_is_not_in_a_partial_clone(
    project: Repository, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger that is published, but not fetched, is no reason to publish as if there were
    none."""
    project.git("add", "-A")
    project.commit({})
    project.git("config", "uploadpack.allowFilter", "true")
    copy = Repository(project.path.parent / "copy")
    copy.git("clone", "--quiet", "--filter=blob:none", f"file://{project.path}", "clone")
    write(Path("words"), {"library/1.2/GLOSSARY.md": glossary(Loop="It goes round.")})
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
    assert "would break" in command("build", "words").err


def test_default_branch_of_a_clone(
    project: Repository, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a clone the default branch of origin counts, not the local one."""
    project.git("add", "-A")
    project.commit({})
    copy = Repository(project.path.parent / "copy")
    copy.git("pull", "--quiet", str(project.path), "main")
    copy.git("fetch", "--quiet", str(project.path), "main:refs/remotes/origin/main")
    monkeypatch.chdir(copy.path)
    write(Path("words"), {"library/1.2/GLOSSARY.md": glossary(Loop="It goes round.")})
    assert command("build", "words").status == 0
    copy.git("add", "-A")
    copy.commit({})
    (Path("words/library/1.2/GLOSSARY.md")).write_text(glossary(Ring="It goes round."))
    assert command("build", "words").status == 0


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
    """Without git the ledger beside site.toml counts as published."""
    write(Path("words"))
    assert command("build", "words").status == 0
    UNPUBLISHED["id"]()
    assert "would break" in command("build", "words").err
    assert dump(parse(LEDGER.read_text(), "")) == LEDGER.read_text()
    assert FILES


def test_addresses_that_publishing_would_promise(project: Repository, command: Command) -> None:
    """`sitegen addresses` lists new addresses, and those of an earlier build that are not
    needed."""
    result = command("addresses", "words")
    assert "  /term/kernel/  Kernel\n" in result.out
    assert "publishing would promise 6 new pages of terms" in result.out
    project.git("add", "-A")
    project.commit({})
    assert "promise 0 new pages of terms, 0 other addresses" in command("addresses", "words").out


def test_workflow_keeps_the_ledger(project: Repository, command: Command, tmp_path: Path) -> None:
    """Each push adds to the ledger on its branch, and later builds keep its promises."""
    remote = Repository(tmp_path / "remote", "--bare")
    project.git("remote", "add", "origin", str(remote.path))
    project.commit({"words/permalinks.json": None})
    assert command("addresses", "words", "--push").status == 0
    write(Path("words"), {"library/1.2/GLOSSARY.md": glossary(Loop="It goes round.")})
    assert command("addresses", "words", "--push").status == 0
    assert "unchanged" in command("addresses", "words", "--push").out
    assert len(remote.git("log", "--format=%s", "sitegen-ledger").splitlines()) == 2
    kept = parse(remote.git("show", "sitegen-ledger:words/permalinks.json"), "")
    assert {"/term/loop/", "/term/aten/"} <= set(kept)
    project.git("fetch", "--quiet", "origin")
    Path("words/library/1.2/GLOSSARY.md").write_text(glossary(Ring="It goes round."))
    assert 'from = "Loop"' in command("build", "words").err


def test_remedy_can_be_followed_although_git_is_on_the_command_line(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --git no site.toml is read: the remedy is to leave --git out, or to write one without
    it."""
    project, other = Repository(tmp_path / "project"), Repository(tmp_path / "other")
    for repository in (project, other):
        repository.release("v1.0", glossary(Kernel="What runs on a device."))
        repository.release("v1.1", glossary(Kernel="What runs on a chip."))
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path / "site")
    arguments = (
        "build",
        "--git",
        "../project",
        "--path",
        "GLOSSARY.md",
        "--ledger",
        "permalinks.json",
    )
    assert command(*arguments).status == 0
    project.git("tag", "--delete", "v1.0")
    result = command(*arguments)
    assert (result.status, "--git reads no site.toml" in result.err) == (2, True)
    Path("site.toml").write_text("")
    result = command("build", "--git", "../other", "--path", "GLOSSARY.md")
    assert (result.status, len(result.err.splitlines())) == (2, 3)
    assert "--git reads no site.toml, which could say so: leave it out" in result.err
    assert command("build", "--git", "../other", "--path", "GLOSSARY.md", "--no-ledger").status == 0
