"""Hostile repositories. Each test first shows that its trap works with plain git."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from glossaries import unread
from repositories import Repository

from sitegen.config.tables import SourceTable
from sitegen.model import Source
from sitegen.sources import trees
from sitegen.sources.git.repositories import Clones
from sitegen.sources.git_source import read_git
from sitegen.sources.parsed_sources import parsed

SECRET = "what no repository should get at\n"


def read(repository: Repository, path: str = "GLOSSARY.md", **choice: tuple[str, ...]) -> Source:
    source = SourceTable(id="s", git=str(repository.path), paths=(path,), **choice)  # type: ignore[arg-type]
    return read_git(source, {}, root=Path(), clones=Clones(folder=repository.path.parent / "cache"))


def found(gathered: Source) -> str:
    return "\n".join(map(str, gathered.problems))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "project")
    repository.release("v1.0", "one\n")
    return repository


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """The path of a file that exists once a command of the repository's choice has run."""
    return tmp_path / "canary"


def script(path: Path, canary: Path, then: str = "exit 1") -> str:
    path.write_text(f"#!/bin/sh\ntouch '{canary}'\n{then}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


# Names of tags


def test_a_tag_that_looks_like_an_option_is_a_name(repository: Repository) -> None:
    """`--output=pwned` is a legal tag, and with plain `git log TAG` it writes a file; here it is a
    release."""
    repository.git("update-ref", "refs/tags/--output=pwned", "HEAD")
    for tag in repository.git("tag").splitlines():
        repository.git("log", "-1", tag)
    assert (repository.path / "pwned").exists()
    (repository.path / "pwned").unlink()

    gathered = read(repository, tags=("*",))
    assert [release.name for release in gathered.releases] == ["1.0", "--output=pwned"]
    assert not (repository.path / "pwned").exists()
    assert not Path("pwned").exists()


def test_markup_in_a_tag_is_quoted_in_links(repository: Repository) -> None:
    """A tag may hold markup: as a name it stays what it is, and in an address it is quoted."""
    tag = "1.0<script>alert(1)</script>\"'&"
    repository.git("update-ref", f"refs/tags/{tag}", "HEAD")
    repository.git("config", "remote.origin.url", "https://github.com/o/r")
    release = read(repository, tags=("1.0*",)).releases[0]
    assert release.name == tag
    assert release.link == (
        "https://github.com/o/r/releases/tag/1.0%3Cscript%3Ealert%281%29%3C/script%3E%22%27%26"
    )


def test_tags_that_cannot_be_shown_are_left_out(repository: Repository) -> None:
    """A tag that is not text, has direction marks, or is very long is no release."""
    packed = repository.path / ".git" / "packed-refs"
    commit = repository.git("rev-parse", "HEAD").encode()
    odd = (b"v1.1\xff", "v1.2\u202e3".encode(), b"v1.3" + b"x" * 500)
    packed.write_bytes(b"".join(commit + b" refs/tags/" + tag + b"\n" for tag in odd))
    gathered = read(repository)
    assert [release.name for release in gathered.releases] == ["1.0"]
    assert "3 tags" in found(gathered)
    assert "v1.2\\u202e3" in found(gathered)
    assert "\u202e" not in found(gathered)


# Commands in the configuration


def test_no_file_system_monitor_runs(repository: Repository, canary: Path, tmp_path: Path) -> None:
    """`core.fsmonitor` is a command that plain `git status` runs and we do not."""
    repository.git("config", "core.fsmonitor", script(tmp_path / "monitor", canary))
    repository.git("status")
    assert canary.exists()
    canary.unlink()

    assert len(read(repository).documents) == 1
    assert not canary.exists()


def test_nothing_is_fetched_for_a_missing_object(
    repository: Repository, canary: Path, tmp_path: Path
) -> None:
    """In a partial clone, plain `git cat-file` runs the remote's command for what is missing; we do
    not."""
    repository.release("v2.0", "two\n")
    id = repository.git("rev-parse", "v2.0:GLOSSARY.md")
    (repository.path / ".git" / "objects" / id[:2] / id[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": str(tmp_path / "project"),
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": script(tmp_path / "pack", canary),
    }.items():
        repository.git("config", key, value)
    repository.git("cat-file", "-p", id, check=False)
    assert canary.exists()
    canary.unlink()

    gathered = read(repository)
    assert not canary.exists()
    assert not gathered.documents
    assert (
        "a partial clone lacks files of releases; `git fetch --refetch --no-filter --tags`"
        in found(gathered)
    )


def test_no_object_is_replaced(repository: Repository) -> None:
    """A `refs/replace/` entry makes plain git show another text; we read what the tag really leads
    to."""
    real = repository.git("rev-parse", "v1.0:GLOSSARY.md")
    repository.git("update-ref", f"refs/replace/{real}", repository.write("blob", b"another\n"))
    assert repository.git("show", "v1.0:GLOSSARY.md") == "another"
    assert read(repository).documents[0].text == "one\n"


def test_git_variables_lead_nowhere(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIT_ variables, as in a hook of another repository, do not change what is read."""
    other = Repository(tmp_path / "other")
    other.release("v9.0", "other\n")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git" / "objects"))
    plain = subprocess.run(
        ["git", "-C", str(repository.path), "tag"], capture_output=True, check=True
    )
    assert plain.stdout == b"v9.0\n"
    assert [release.name for release in read(repository).releases] == ["1.0"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away"
)
def test_a_repository_of_another_user_is_read(repository: Repository) -> None:
    """Plain git refuses a repository that somebody else owns; we can read it, since nothing of it
    runs."""
    for path in (repository.path, *repository.path.rglob("*")):
        os.chown(path, 65534, 65534)
    assert repository.git("tag", check=False) == ""
    assert len(read(repository).documents) == 1


# Places of the repository


def test_git_file_names_a_worktree_or_a_submodule(repository: Repository, tmp_path: Path) -> None:
    """A `.git` file is followed to a worktree, a submodule, and a repository that names the folder
    in turn."""
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "beside"))
    repository.git("worktree", "add", "--quiet", "--detach", str(repository.path / "inside"))
    outer = Repository(tmp_path / "outer")
    outer.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "--quiet",
        str(repository.path),
        "module",
    )
    apart = Repository(tmp_path / "apart", "--separate-git-dir", str(tmp_path / "kept"))
    apart.release("v1.0", "one\n")
    moved = tmp_path / "moved"
    repository.git("clone", "--quiet", "--bare", ".", str(moved / ".bare"))
    (moved / ".git").write_text("gitdir: ./.bare\n")
    repository.git("-C", str(moved), "worktree", "add", "--quiet", "main")
    for place in (
        tmp_path / "beside",
        repository.path / "inside",
        outer.path / "module",
        moved / "main",
    ):
        assert len(read(SimpleNamespace(path=place)).documents) == 1, place  # type: ignore[arg-type]
    assert (
        "which is no repository of this folder; if that is your repository, say so with"
        in found(read(apart))
    )
    apart.git("config", "core.worktree", str(apart.path))
    assert len(read(apart).documents) == 1


@pytest.mark.parametrize(
    "text", ["", "gitdir: ../project/.git", "gitdir: /nowhere", "gitdir: .", "\0", "gitdir: \0/etc"]
)
def test_git_file_that_names_another_repository_is_refused(
    repository: Repository, tmp_path: Path, text: str
) -> None:
    """A `.git` file of an unpacked archive does not lead to a repository that is not the
    folder's."""
    (tmp_path / "unpacked").mkdir()
    (tmp_path / "unpacked/.git").write_text(f"{text}\n")
    gathered = read(SimpleNamespace(path=tmp_path / "unpacked"))  # type: ignore[arg-type]
    assert gathered.documents == ()
    assert "no repository of this folder" in found(gathered)


def test_bare_repository_of_a_checkout_is_not_read(repository: Repository, tmp_path: Path) -> None:
    """A bare repository is read, but not if git tracks its files."""
    repository.git("clone", "--quiet", "--bare", ".", "copy")
    assert len(read(SimpleNamespace(path=repository.path / "copy")).documents) == 1  # type: ignore[arg-type]
    repository.git("add", "--all")
    assert "no git repository here" in found(read(SimpleNamespace(path=repository.path / "copy")))  # type: ignore[arg-type]


# Trees


def test_names_that_lead_out_are_refused(repository: Repository, tmp_path: Path) -> None:
    """A file name such as `../../escaped` in a tree is refused."""
    blob = repository.write("blob", b"out\n")
    repository.commit_tree(
        [("100644", b"../../escaped", blob), ("100644", b"..", blob), ("100644", b"a.md", blob)],
        tag="v2.0",
    )
    target = tmp_path / "some" / "where"
    target.mkdir(parents=True)
    listed = [
        line.partition("\t")[2] for line in repository.git("ls-tree", "-z", "v2.0").split("\0")
    ]
    (target / listed[0]).write_text("out\n", encoding="utf-8")
    assert (tmp_path / "escaped").exists()
    (tmp_path / "escaped").unlink()

    gathered = read(repository, ".", tags=("v2.0",))
    assert [document.name for document in gathered.documents] == ["a.md"]
    assert "v2.0:../../escaped: no file or folder may have this name" in found(gathered)
    assert "v2.0:..: no file or folder may have this name" in found(gathered)
    assert not (tmp_path / "escaped").exists()


def test_symbolic_links_are_not_followed(repository: Repository, tmp_path: Path) -> None:
    """A symbolic link in a repository, which may lead to any file of the machine, is not
    followed."""
    (tmp_path / "secret").write_text(SECRET, encoding="utf-8")
    link = repository.write("blob", str(tmp_path / "secret").encode())
    repository.commit_tree([("120000", b"GLOSSARY.md", link)], tag="v2.0")
    repository.git("checkout", "--quiet", "--force", "v2.0")
    assert (repository.path / "GLOSSARY.md").read_text(encoding="utf-8") == SECRET

    gathered = read(repository)
    assert "v2.0:GLOSSARY.md: a symbolic link, which is not followed" in found(gathered)
    assert unread(gathered) == (("2.0", "GLOSSARY.md"),)
    assert all(SECRET not in document.text for document in gathered.documents)


def test_links_off_the_path_are_nobodys_business(repository: Repository) -> None:
    """Only links and submodules on a configured path are reported."""
    blob, commit = repository.write("blob", b"one\n"), repository.git("rev-parse", "HEAD")
    entries = [
        ("120000", b"link", blob),
        ("160000", b"module", commit),
        ("100644", b"terms.md", blob),
    ]
    repository.commit_tree(entries, tag="v2.0")
    assert read(repository, "**/terms.md", tags=("v2.0",)).problems == ()
    assert len(read(repository, ".", tags=("v2.0",)).problems) == 2


def test_submodules_are_not_entered(repository: Repository) -> None:
    """A submodule on the path is another repository, and a problem."""
    commit = repository.git("rev-parse", "HEAD")
    repository.commit_tree([("160000", b"docs", commit)], tag="v2.0")
    gathered = read(repository, "docs/GLOSSARY.md", tags=("v2.0",))
    assert "v2.0:docs: a submodule, which is another repository" in found(gathered)


def test_a_name_that_is_no_text_is_refused(repository: Repository) -> None:
    """A file name that cannot be shown is refused, and escaped in the message."""
    blob = repository.write("blob", b"one\n")
    repository.commit_tree(
        [("100644", b"a\xff.md", blob), ("100644", "b\u202e.md".encode(), blob)], tag="v2.0"
    )
    gathered = read(repository, ".", tags=("v2.0",))
    assert gathered.documents == ()
    assert "v2.0:a\\xff.md: a name that cannot be shown" in found(gathered)
    assert "v2.0:b\\u202e.md: a name that" in found(gathered)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([("100644", b"GLOSSARY.md", "tree")], "a tree, not a file"),
        ([("40000", b"GLOSSARY.md", "blob")], "a folder that is missing, damaged or too large"),
        ([("777", b"GLOSSARY.md", "blob")], "neither a file nor a folder"),
    ],
)
def test_trees_that_lie_are_problems(
    repository: Repository, entries: list[tuple[str, bytes, str]], message: str
) -> None:
    """A tree with wrong object types is one problem."""
    ids = {
        "tree": repository.git("rev-parse", "HEAD^{tree}"),
        "blob": repository.write("blob", b"one\n"),
    }
    repository.commit_tree([(mode, name, ids[kind]) for mode, name, kind in entries], tag="v2.0")
    gathered = read(repository)
    assert message in found(gathered)
    assert gathered.documents[0].text == "one\n"


def test_a_tree_that_is_cut_off_is_damaged(repository: Repository) -> None:
    """A truncated tree is not read at all."""
    tree = repository.write("tree", b"100644 GLOSSARY.md\0short")
    repository.git(
        "update-ref", "refs/tags/v2.0", repository.git("commit-tree", tree, "-m", "Change")
    )
    gathered = read(repository)
    assert unread(gathered) == (("2.0", ""),)
    assert "a folder that is missing, damaged or too large" in found(gathered)


def test_a_repository_that_unfolds_without_end_is_refused(repository: Repository) -> None:
    """Twelve objects that expand to 10^10 files are refused in one line."""
    id, mode = repository.write("blob", b"lol\n"), "100644"
    for _ in range(10):
        entries = [(mode, f"d{number}".encode(), id) for number in range(10)]
        id, mode = repository.commit_tree(entries, tag="v2.0"), "40000"
    gathered = read(repository, ".", tags=("v2.0",))
    assert ".: more than 20,000 files are meant; name a smaller folder" in found(gathered)
    assert gathered.documents == ()


def test_folders_without_end_are_refused(repository: Repository) -> None:
    """Folders nested a hundred deep are a problem, without recursion."""
    id, mode = repository.write("blob", b"deep\n"), "100644"
    for _ in range(100):
        id, mode = repository.commit_tree([(mode, b"d", id)], tag="v2.0"), "40000"
    assert "folders too deep within each other" in found(read(repository, ".", tags=("v2.0",)))


@pytest.mark.parametrize("below", [0, 3])
def test_a_folder_that_is_too_deep_is_read_where_it_is_not(
    repository: Repository, below: int
) -> None:
    """A folder object that is too deep in one place is still read near the top."""
    folder = repository.commit_tree(
        [("100644", b"deep.md", repository.write("blob", b"deep\n"))], tag="v2.0"
    )
    for _ in range(below):
        folder = repository.commit_tree([("40000", b"d", folder)], tag="v2.0")
    deep = folder
    for _ in range(trees.MAX_DEPTH):
        deep = repository.commit_tree([("40000", b"d", deep)], tag="v2.0")
    repository.commit_tree([("40000", b"a", deep), ("40000", b"b", folder)], tag="v2.0")
    gathered = read(repository, "**/deep.md", tags=("v2.0",))
    assert [document.name for document in gathered.documents] == ["b/" + "d/" * below + "deep.md"]
    assert [problem.found for problem in gathered.problems] == [
        "folders too deep within each other"
    ]


def test_a_link_with_hundreds_of_folders_is_followed(repository: Repository) -> None:
    """The path of a link may have any number of folders."""
    path = "a/" * 600 + "saw.md"
    repository.release("v2.0", f"# Glossary\n\n**Saw**\n: Cuts, see [this]({path}).\n")
    newest = parsed(read(repository)).releases[-1]
    assert [entry.name for entry in newest.entries] == ["Saw"]


def test_the_memory_of_git_may_be_limited_more(repository: Repository) -> None:
    """A lower limit of the system stays as it is."""
    limited = "import resource as r; r.setrlimit(r.RLIMIT_DATA, (400 << 20, 400 << 20)); "
    run = "from pathlib import Path; from sitegen.sources.git.process import lines; "
    call = f"print(lines(Path({str(repository.path / '.git')!r}), 'tag'))"
    done = subprocess.run(
        [sys.executable, "-c", limited + run + call], capture_output=True, text=True, check=True
    )
    assert done.stdout == "['v1.0']\n"


def test_oddities_without_end_are_cut_short(repository: Repository) -> None:
    """A folder of ten thousand links gives at most a page of problems."""
    blob = repository.write("blob", b"/etc/passwd")
    repository.commit_tree(
        [("120000", f"{number:05}".encode(), blob) for number in range(10_000)], tag="v2.0"
    )
    assert len(read(repository, ".", tags=("v2.0",)).problems) <= trees.MAX_REFUSED + 1


# Places that are no repositories


def test_a_folder_without_a_repository_is_a_problem(tmp_path: Path) -> None:
    """A folder that is no repository, or does not exist, is one line; where one is near, the line
    says so."""
    Repository(tmp_path / "project").commit({"docs/a.md": "a\n"})
    for place in ("project/docs", "nowhere"):
        source = SourceTable(id="s", git=place, paths=("a.md",))
        (problem,) = read_git(
            source, {}, root=tmp_path, clones=Clones(folder=tmp_path / "cache")
        ).problems
        assert problem.found.startswith("no git repository here")
        assert ("but there is one at" in problem.found) == (place == "project/docs")


def test_a_tag_that_leads_nowhere_is_left_out(repository: Repository) -> None:
    """A tag with a missing or invalid object is left out; the others are read."""
    for name, text in (("v2.0", "1" * 40), ("v3.0", "nonsense"), ("v4.0", "ref: refs/tags/v4.0")):
        (repository.path / ".git" / "refs" / "tags" / name).write_text(
            f"{text}\n", encoding="utf-8"
        )
    assert [release.name for release in read(repository).releases] == ["1.0"]


def test_what_is_no_repository_inside_is_a_problem(tmp_path: Path) -> None:
    """A `.git` that git does not recognize is one line with git's message."""
    (tmp_path / ".git").mkdir()
    source = SourceTable(id="s", git=".", paths=("a.md",))
    (problem,) = read_git(source, {}, root=tmp_path, clones=Clones(folder=tmp_path)).problems
    assert "git says: fatal: not a git repository" in problem.found


def test_without_git_there_is_a_problem(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without git installed, one line says what to install."""
    monkeypatch.setenv("PATH", "/nonexistent")
    assert "git cannot be started" in found(read(repository))


def test_an_old_git_is_a_problem(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git without the batch commands we use is too old, and one line says so."""
    real = subprocess.run(
        ["which", "git"], capture_output=True, text=True, check=True
    ).stdout.strip()
    (tmp_path / "bin").mkdir()
    old = tmp_path / "bin" / "git"
    old.write_text(
        f'#!/bin/sh\ncase "$*" in *batch-command*) exit 129;; esac\nexec {real} "$@"\n',
        encoding="utf-8",
    )
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert "this git is too old; install git 2.36 or newer" in found(read(repository))
