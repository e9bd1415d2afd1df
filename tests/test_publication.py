"""`sitegen publish`: one commit on a branch of a real repository, or a folder; no address is
lost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from shutil import copytree
from subprocess import PIPE
from typing import Any

import pytest
from commands import Command, CommandResult
from glossary_folder import FILES, everything, glossary, write
from pages_server import resolve
from repositories import Repository

from sitegen.addresses import urls
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import parse
from sitegen.permanence.archive_union import lost
from sitegen.pipeline.assembly import published_paths
from sitegen.tools.user_git import Remote

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def remote(tmp_path: Path) -> Repository:
    """A bare repository, `site.git`."""
    return Repository(tmp_path / "site.git", "--bare")


@pytest.fixture
def project(
    remote: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: Command,
    built_glossary: Path,
) -> Repository:
    """A glossary of two sources in `words` with its archive, committed, and its site; the current
    folder."""
    for name, value in {"HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)
    project = Repository(tmp_path / "project")
    settle(project)
    monkeypatch.chdir(project.path)
    copytree(built_glossary, "words")
    copytree(built_glossary.parent / "site", "site")
    project.commit({".gitignore": "site/\n"})
    return project


def settle(project: Repository) -> None:
    """Sets git's user and the remote."""
    project.git("config", "user.name", "Ada")
    project.git("config", "user.email", "ada@example.org")
    if not project.git("remote"):
        project.git("remote", "add", "origin", "../site.git")


def commit(command: Command, project: Repository) -> None:
    """Builds, and commits everything including the archive."""
    assert command("build", "words", "--quiet").status == 0
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message=Change")


def leave_out_archive(project: Repository) -> None:
    """Takes the archive out of the only commit."""
    project.git("rm", "--quiet", "--cached", "words/archive.jsonl")
    project.git("commit", "--quiet", "--amend", "--message=Without the archive")


def add_release(release: str, folder: Path = Path("words"), **terms: str) -> None:
    """Adds a release with one more term, in which another one is reworded."""
    kept = {
        "ATen": "A tensor library.",
        "Leaf_node": "Where nothing grows any more.",
        "Root_node": "Where all of it begins.",
    }
    write(folder / "library" / release, {"GLOSSARY.md": glossary(**{**kept, **terms})})


def published(remote: Repository, folder: Path) -> Path:
    """Returns a folder with the files of the branch."""
    folder.mkdir()
    remote.git("--work-tree", str(folder), "checkout", "--force", "gh-pages", "--", ".")
    return folder


def archive_of(remote: Repository) -> Archive:
    return parse(remote.git("show", "gh-pages:archive.jsonl"), "archive.jsonl")


def log(remote: Repository, branch: str = "gh-pages") -> list[str]:
    return remote.git("log", "--format=%s", branch).splitlines()


def state(*repositories: Repository) -> dict[str, bytes]:
    files = everything(*(repository.path for repository in repositories))
    return {path: content for path, content in files.items() if "/.sitegen/" not in path}


def refused(result: CommandResult, *parts: str) -> bool:
    """True if a command ended with status 2 and printed all of these texts."""
    assert result.out == ""
    assert [part for part in parts if part not in result.err] == [], result.err
    return result.status == 2


# To a branch.


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_publish_says_what_a_build_notes(
    options: tuple[str, ...], project: Repository, remote: Repository, command: Command
) -> None:
    """A release that is published and cannot be read now is named before and when the site is
    published."""
    project.git("rm", "-r", "--quiet", "words/library/1.0")
    result = command("publish", "words", *options)
    assert result.status == 0
    assert "note: library 1.0 (library/1.0): not read now; the published words" in result.out


def test_publish_change_publish_again(
    project: Repository, remote: Repository, command: Command
) -> None:
    """Two publications are two commits; the second has every address of the first."""
    assert command("publish", "words").status == 0
    first = archive_of(remote)
    add_release("1.2", Kernel="What runs on a device, once for each thing.", Loop="It goes round.")
    commit(command, project)
    result = command("publish", "words")
    assert log(remote) == ["7 terms, 4 releases", "6 terms, 3 releases"]
    assert log(remote)[0] in result.out
    second = archive_of(remote)
    assert list(lost(second, first)) == []
    assert "term/loop/" in second.by_address.keys() - first.by_address.keys()
    site = published(remote, project.path.parent / "published")
    addresses = [one for one in first.by_address if not urls.is_web(one)]
    assert {resolve(site, f"/{address}")[0] for address in addresses} == {200}


def test_commit_is_all_there_is(project: Repository, remote: Repository, command: Command) -> None:
    """The branch has the files of the site and `.nojekyll`, and nothing else."""
    command("publish", "words")
    entries = [line.split() for line in remote.git("ls-tree", "-r", "gh-pages").splitlines()]
    built = {
        path.relative_to("site").as_posix() for path in Path("site").rglob("*") if path.is_file()
    }
    assert {path for _, _, _, path in entries} == built - {".sitegen"} | {".nojekyll"}
    assert {mode for mode, *_ in entries} == {"100644"}
    assert remote.git("log", "--format=%an %ae %cn", "gh-pages") == "Ada ada@example.org Ada"
    assert remote.git("show", "gh-pages:index.html") == Path("site/index.html").read_text().strip()


def test_unchanged_site_is_not_published_again(
    project: Repository, remote: Repository, command: Command
) -> None:
    """The second time nothing is pushed, and the output says so."""
    command("publish", "words")
    before = state(remote)
    assert "unchanged, there is nothing to publish" in command("publish", "words").out
    assert state(remote) == before


def test_dry_run_changes_nothing(project: Repository, remote: Repository, command: Command) -> None:
    """A dry run counts changed files, and changes nothing on either side."""
    command("publish", "words")
    add_release("1.2", Loop="It goes round.")
    before = state(project, remote)
    result = command("publish", "words", "-n").out
    assert "../site.git, branch gh-pages: 6 terms, 4 releases (" in result
    assert "changed files)\n" in result
    assert state(project, remote) == before


def test_domain_is_kept(project: Repository, remote: Repository, command: Command) -> None:
    """A CNAME on the branch is kept."""
    command("publish", "words")
    clone = Repository(remote.path.parent / "clone")
    clone.git("pull", "--quiet", str(remote.path), "gh-pages")
    clone.commit({"CNAME": "words.example.org"})
    clone.git("push", "--quiet", str(remote.path), "HEAD:gh-pages")
    add_release("1.2", Loop="It goes round.")
    commit(command, project)
    assert command("publish", "words").status == 0
    assert remote.git("show", "gh-pages:CNAME") == "words.example.org"
    assert len(log(remote)) == 3


def test_domain_of_the_project_replaces_the_live_one(
    project: Repository, remote: Repository, command: Command
) -> None:
    """A CNAME in the folder `files` of [theme] counts, also when it changes."""
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write('[theme]\nfiles = "files"\n')
    for domain in ("old.example.org", "new.example.org"):
        write(Path("words"), {"files/CNAME": domain})
        assert command("publish", "words").status == 0
        assert remote.git("show", "gh-pages:CNAME") == domain


# What is not published.


def test_every_command_knows_what_was_published(
    project: Repository, remote: Repository, command: Command
) -> None:
    """After a publication from here, builds, checks and corrections keep to it, although no
    archive is committed."""
    leave_out_archive(project)
    add_release("1.2", Loop="It goes round.")
    before = state(project)
    assert command("publish", "words").status == 0
    changed = {path for path, content in state(project).items() if before.get(path) != content}
    assert [
        path
        for path in changed
        if "/.git/objects/" not in path and "origin/sitegen-ledger" not in path
    ] == []
    edited = FILES["library/1.0/GLOSSARY.md"].replace("A tensor library", "Some tensor library")
    write(Path("words"), {"library/1.0/GLOSSARY.md": edited})
    Path("words/archive.jsonl").unlink()
    for name in ("build", "check", "publish"):
        result = command(name, "words")
        assert "differs from what was published (ATen)" in result.out + result.err, name
    assert "promise nothing new" in command("addresses", "words").out
    assert "1 [[corrected]] added" in command("correct", "words", "--reason", "a typo").out
    assert command("check", "words").status != 1
    assert command("publish", "words").status == 0


@pytest.mark.parametrize("how", [("publish",), ("addresses", "--push")])
def test_withheld_words_leave_the_branch_with_its_history(
    how: tuple[str, ...], project: Repository, remote: Repository, command: Command
) -> None:
    """When words are withheld, the branch with the archive is written anew: no commit on it has
    them. What another repository keeps there stays."""
    leave_out_archive(project)
    add_release("1.2", Loop="It goes round Jane Doe.")
    assert command("publish", "words").status == 0
    add_release("1.3", Loop="It goes round Jane Doe.", Ring="It is round.")
    assert command("publish", "words").status == 0
    before = remote.git("rev-parse", "sitegen-ledger").strip()
    assert len(log(remote, "sitegen-ledger")) == 2
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[withheld]]\ntext = "Jane Doe"\nreason = "asked"\n')
    result = command(how[0], "words", *how[1:])
    assert result.status == 0
    assert f"written anew without history, because words are withheld; commit {before[:10]}" in (
        result.out
    )
    assert len(log(remote, "sitegen-ledger")) == 1
    text = remote.git("show", "sitegen-ledger:words/archive.jsonl")
    assert "Jane Doe" not in text
    assert "/term/loop/" in text
    again = command(how[0], "words", *how[1:])
    assert "written anew" not in again.out


def test_what_a_push_promises_is_said_as_done(
    project: Repository, remote: Repository, command: Command
) -> None:
    """`addresses` says what publishing would promise, with --push what is promised now."""
    leave_out_archive(project)
    add_release("1.2", Loop="It goes round.")
    assert "publishing would promise 18 new" in command("addresses", "words").out
    assert "archive.jsonl: this promises 18 new" in command("addresses", "words", "--push").out
    nothing = command("addresses", "words", "--push").out
    assert "archive.jsonl: this promises nothing new\n" in nothing


def test_damaged_archive_on_the_branch_stops_it(
    project: Repository, remote: Repository, command: Command
) -> None:
    """A damaged live archive is refused with its line and a remedy."""
    command("publish", "words")
    clone = Repository(remote.path.parent / "clone")
    clone.git("pull", "--quiet", str(remote.path), "gh-pages")
    text = (clone.path / "archive.jsonl").read_text()
    clone.commit({"archive.jsonl": text.replace('"ATen"', '"Aten"', 1)})
    clone.git("push", "--quiet", str(remote.path), "HEAD:gh-pages")
    result = command("publish", "words")
    assert refused(
        result,
        "gh-pages: archive.jsonl:",
        "was changed",
        "put the branch back to the commit before",
    )


def test_branch_of_too_many_files_is_left_alone(
    project: Repository, remote: Repository, command: Command
) -> None:
    """A branch with 10^8 folders is not listed, and one line says so."""
    remote.commit_without_end({"index.html": "Words"}, tag="v1.0", branch="gh-pages")
    result = command("publish", "words")
    assert refused(result, "branch gh-pages: cannot be read: more than 200,000 paths")


def test_branch_of_somebody_else_is_left_alone(
    project: Repository, remote: Repository, command: Command
) -> None:
    """A branch with other files is not overwritten, not even the one with the glossary."""
    project.git("push", "--quiet", "origin", "main")
    before = state(remote)
    result = command("publish", "words", "--branch", "main")
    assert refused(
        result, "../site.git, branch main: holds", "files that sitegen did not write", "--branch"
    )
    assert state(remote) == before


def test_branch_of_sources_is_left_alone(
    project: Repository, remote: Repository, command: Command
) -> None:
    """A branch with an archive and a source of the name glossary.json is no site."""
    project.commit({"archive.jsonl": "", "glossary.json": "[]", "main.c": "int x;"})
    project.git("push", "--quiet", "origin", "main")
    before = state(remote)
    assert refused(command("publish", "words", "--branch", "main"), "sitegen did not write")
    assert state(remote) == before


@pytest.mark.parametrize("branch", ["HEAD", "refs/heads/gh-pages", "sitegen-ledger", ""])
def test_name_that_is_no_branch_for_a_site_is_refused(
    branch: str, project: Repository, remote: Repository, command: Command
) -> None:
    """A full name would become a branch `refs/heads/refs/heads/…`, and HEAD an ambiguous one."""
    result = command("publish", "words", "--branch", branch)
    assert refused(result, f"'{branch}': not a branch for a site; name one such as gh-pages")
    assert remote.git("for-each-ref") == ""


@pytest.mark.parametrize("name", ["two\nlines", "a\rreturn"])
def test_line_break_in_the_path_of_a_repository(
    name: str,
    project: Repository,
    remote: Repository,
    monkeypatch: pytest.MonkeyPatch,
    command: Command,
) -> None:
    """Git separates paths by line breaks, so publishing from such a folder is refused; a carriage
    return is a character as any other."""
    monkeypatch.chdir(project.path.rename(project.path.with_name(name)))
    result = command("publish", "words")
    if "\n" in name:
        assert refused(result, "has a line break in its path; rename the folder")
    else:
        assert result.status == 0


def test_temporary_folder_of_another_encoding(
    project: Repository, remote: Repository, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The path of the temporary folder may have bytes that are not UTF-8."""
    folder = project.path.parent / os.fsdecode(b"\xff")
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert command("publish", "words").status == 0


def test_branch_without_site_toml_does_not_replace_a_site(
    project: Repository, remote: Repository, command: Command
) -> None:
    """On a maintenance branch, no command guesses if the default branch has a site.toml."""
    project.git("checkout", "--quiet", "--orphan", "maintenance")
    project.git("rm", "-r", "--quiet", "--force", ".")
    project.release("v1.0", glossary(ATen="A tensor library."))
    for name in ("build", "publish", "check", "addresses", "correct", "diff"):
        result = command(name)
        assert refused(result, "the published site has main:words/site.toml: go to that branch")
        assert "sitegen init" not in result.err
    assert not remote.git("branch", "--list")
    project.git("checkout", "main", "--", "words/site.toml")
    assert command("build").status == 0


# When it fails.


@pytest.mark.parametrize("branch", ["gh-pages", "sitegen-ledger"])
def test_refused_push_leaves_everything_as_it_was(
    branch: str, project: Repository, remote: Repository, command: Command
) -> None:
    """If the remote refuses the site or the archive, its message is printed, and neither is
    pushed."""
    command("publish", "words")
    add_release("1.2", Loop="It goes round.")
    commit(command, project)
    hook = remote.path / "hooks/update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        f"#!/bin/sh\n[ $1 != refs/heads/{branch} ] || {{ echo on Friday >&2; exit 1; }}\n"
    )
    hook.chmod(0o755)
    before = state(project), remote.git("for-each-ref")
    result = command("publish", "words")
    assert refused(result, "site.git: the push was refused", "hook declined", "on Friday")
    assert (state(project), remote.git("for-each-ref")) == before


@pytest.mark.parametrize(
    ("settings", "options", "found"),
    [
        (("remote.origin.url", "https://u:secret@localhost:1/x"), (), "branch gh-pages: cannot be"),
        (
            ("remote.origin.url", "/nowhere"),
            (),
            "; check the address, your rights and the connection",
        ),
        (("user.name", ""), (), "tell me who you are"),
        (("user.name", "Ada"), ("--remote", "nowhere"), "`git remote add` adds one"),
        (("user.name", "Ada"), ("--branch", "a..b"), "a..b'; if another push came first"),
    ],
)
def test_what_cannot_be_published_is_refused(
    settings: tuple[str, str],
    options: tuple[str, ...],
    found: str,
    project: Repository,
    remote: Repository,
    command: Command,
) -> None:
    """A remote that cannot be reached, a missing user name or remote, and a branch that has no
    valid name are one line without passwords, and nothing is pushed."""
    project.git("config", *settings)
    result = command("publish", "words", *options)
    assert refused(result, found)
    assert (result.err.count("\n"), "secret" in result.err) == (1, False)
    assert remote.git("for-each-ref") == ""


def test_repository_of_another_user_is_trusted_by_a_command(
    project: Repository, remote: Repository, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where git refuses a repository because of its owner, the message has the command that trusts
    it."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    result = command("publish", "words")
    assert f"git config --global --add safe.directory {project.path}" in result.err
    assert (result.status, result.err.count("\n")) == (2, 1)


def test_folder_outside_of_git_is_not_published(
    project: Repository, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a repository the message names what works."""
    monkeypatch.chdir(write(project.path.parent / "elsewhere").parent)
    result = command("publish", "elsewhere")
    assert refused(result, "elsewhere: is in no git repository", "--output")


# What runs.


def test_settings_of_the_keeper_are_in_force(
    project: Repository, remote: Repository, command: Command
) -> None:
    """The repository's settings for remotes apply: an abbreviated address, and a push address."""
    project.git("config", f"url.{remote.path.parent}/.insteadOf", "ours:")
    project.git("remote", "set-url", "origin", "../nowhere.git")
    project.git("remote", "set-url", "--push", "origin", "ours:site.git")
    assert command("publish", "words").status == 0
    assert len(log(remote)) == 1


def test_nothing_else_runs(project: Repository, remote: Repository, command: Command) -> None:
    """No hook of the repository runs, and no filter changes the files."""
    project.git("config", "filter.shout.clean", "touch shouted; tr a-z A-Z")
    project.git("config", "core.fsmonitor", "touch shouted")
    (project.path / ".git/info").mkdir()
    (project.path / ".git/info/attributes").write_text("* filter=shout\n")
    (project.path / ".git/hooks").mkdir()
    for name in ("pre-push", "reference-transaction", "pre-commit", "post-index-change"):
        hook = project.path / ".git/hooks" / name
        hook.write_text("#!/bin/sh\ntouch shouted\nexit 1\n")
        hook.chmod(0o755)
    assert command("publish", "words").status == 0
    assert list(project.path.parent.rglob("shouted")) == []
    assert remote.git("show", "gh-pages:index.html") == Path("site/index.html").read_text().strip()


# Several at once.


def clone(project: Repository, remote: Repository, name: str) -> Repository:
    """Returns a clone of the project, from which `origin` is the remote."""
    path = project.path.parent / name
    project.git("push", "--quiet", "origin", "main")
    project.git("clone", "--quiet", "--branch=main", str(remote.path), str(path))
    clone = Repository.at(path)
    settle(clone)
    return clone


def start(project: Repository, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "sitegen", *arguments]
    world = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=project.path, env=world, stderr=PIPE, text=True)


def test_publishers_at_once_lose_nothing(project: Repository, remote: Repository) -> None:
    """Of two publications at once, one may be refused; it is repeated. In the end the live site has
    the words of both, in its archive and on its pages, and a file for each archived address."""
    started = {}
    for name in ("One", "Two"):
        publisher = clone(project, remote, name)
        text = glossary(**{name: f"It is of kind {name}."})
        write(publisher.path / "words", {f"manual/2.0/{name}.md": text})
        started[publisher] = start(publisher, "publish", "words")
    for publisher, process in started.items():
        _, errors = process.communicate()
        if process.returncode:
            assert "if another push came first, run this again" in errors
            again = start(publisher, "publish", "words")
            assert again.wait() == 0
    live, archive = published(remote, project.path.parent / "live"), archive_of(remote)
    assert [path for path in published_paths(archive) if not (live / path).exists()] == []
    for name in ("one", "two"):
        page = (live / f"term/{name}/index.html").read_text()
        assert f"It is of kind {name.title()}." in page
        assert name.title() in archive.names["manual", "2.0"]
    assert len(log(remote)) == 2


def test_overtaken_publisher_is_refused(
    project: Repository,
    remote: Repository,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If another push comes between reading and pushing, nothing is pushed; the next publication
    takes in what is live."""
    other = clone(project, remote, "other")
    add_release("1.2", Loop="It goes round.")
    commit(command, project)
    push, overtaking = Remote.push, []

    def overtaken(*arguments: Any) -> None:
        if not overtaking:
            overtaking.append(start(other, "publish", "words"))
            overtaking[0].communicate()
        push(*arguments)

    monkeypatch.setattr(Remote, "push", overtaken)
    result = command("publish", "words")
    assert (result.status, overtaking[0].returncode) == (2, 0)
    assert "if another push came first, run this again" in result.err
    assert log(remote) == ["6 terms, 3 releases"]
    assert command("publish", "words").status == 0
    assert log(remote) == ["6 terms, 4 releases", "6 terms, 3 releases"]


def test_newest_dated_state_is_open(
    project: Repository, remote: Repository, command: Command
) -> None:
    """No page says that words that a second push of a day changes were edited."""
    toml = '[[source]]\nid = "s"\ngit = ".."\npaths = ["dated/GLOSSARY.md"]\nby = "day"\n'
    pages = []
    for day, unit in (
        (1, "centimeters"),
        (1, "millimeters"),
        (2, "micrometers"),
        (3, "nanometers"),
    ):
        files = {"dated/site.toml": toml, "dated/GLOSSARY.md": glossary(Gap=f"A number of {unit}.")}
        project.commit(files, day=date(2020, 2, day))
        assert command("publish", "dated").status == 0
        page = (
            published(remote, project.path.parent / f"{day} {unit}")
            / "term/gap/2020-02-01/index.html"
        )
        pages.append(page.read_text())
    assert len(log(remote)) == 4
    assert [page.count("edited since it was published") for page in pages] == [0, 0, 0, 0]
    assert ["A number of millimeters." in page for page in pages] == [False, True, True, True]
