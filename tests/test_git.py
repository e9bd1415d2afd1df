"""Glossaries in git: what is read at every tag, and what a hostile repository cannot do."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from glossaries import unread
from repositories import Repository

from sitegen.config.tables import ReleaseTable, SourceTable
from sitegen.model import Source
from sitegen.sources.git.repositories import Clones
from sitegen.sources.git_source import read_git


def read(
    repository: Repository | str, *paths: str, head: str = "", update: bool = True, **choice: object
) -> Source:
    """Reads a repository, by default its GLOSSARY.md at every tag that is a version."""
    place = str(repository.path) if isinstance(repository, Repository) else repository
    cache = Path(place).parent / "cache"
    source = SourceTable(id="s", git=place, paths=paths or ("GLOSSARY.md",), head=head, **choice)  # type: ignore[arg-type]
    return read_git(source, {}, root=Path(), clones=Clones(folder=cache, update=update))


def names(gathered: Source) -> list[str]:
    return [release.name for release in gathered.releases]


def texts(gathered: Source) -> dict[str, str]:
    """Maps each release to the texts of its documents."""
    return {document.release: document.text for document in gathered.documents}


def found(gathered: Source) -> str:
    """Returns all problems, one on a line."""
    return "\n".join(map(str, gathered.problems))


# Releases


def test_each_tag_is_a_release_in_order_of_version(repository: Repository) -> None:
    """Releases are in version order, whatever the order of their tags and commits."""
    for tag in ("v1.10", "v1.9", "v2.0", "v1.9.1"):
        repository.release(tag, f"text of {tag}\n")
    gathered = read(repository)
    assert names(gathered) == ["1.9", "1.9.1", "1.10", "2.0"]
    assert texts(gathered)["1.9"] == "text of v1.9\n"
    assert gathered.problems == ()


def test_a_letter_after_a_version_is_the_next_release(repository: Repository) -> None:
    """Neither 1.0.2a nor 2.0a is a maintenance release, whether it follows its version or precedes
    it."""
    tags = ("1.0.2", "1.0.2a", "1.0.3", "2.0a", "2.0b", "2.0")
    for number, tag in enumerate(tags):
        repository.release(tag, f"text of {tag}\n", day=date(2020, 1, 1 + number))
    gathered = read(repository)
    assert names(gathered) == [*tags]
    assert gathered.problems == ()


def test_a_declared_order_wins(repository: Repository) -> None:
    """Releases listed in site.toml are in that order, beginning with the first that has the
    glossary."""
    repository.commit({"README.md": "nothing yet\n"})
    repository.git("tag", "v9.0")
    for tag in ("v1.0", "v0.5"):
        repository.release(tag, f"{tag}\n")
    declared = {name: ReleaseTable(name=name) for name in ("9.0", "1.0", "0.5")}
    source = SourceTable(id="s", git=".", paths=("GLOSSARY.md",))
    clones = Clones(folder=repository.path.parent)
    assert names(read_git(source, declared, root=repository.path, clones=clones)) == [
        "1.0",
        "0.5",
    ]


def test_a_document_says_where_it_was_found(repository: Repository) -> None:
    """A document's path is in git's notation, and its name is the path within the repository."""
    repository.commit({"docs/terms.md": "here\n"})
    repository.git("tag", "v1.0")
    (document,) = read(repository, "docs/terms.md").documents
    assert (document.path, document.name) == ("v1.0:docs/terms.md", "docs/terms.md")
    assert (document.source, document.release) == ("s", "1.0")


def test_every_kind_of_tag_is_followed(repository: Repository) -> None:
    """Lightweight, annotated and signed-looking tags, and tags of tags, all lead to their
    commit."""
    repository.release("v1.0", "one\n")
    repository.commit({"GLOSSARY.md": "two\n"})
    repository.git("tag", "--annotate", "v2.0", "--message=Two")
    signed = "Three\n\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAAB\n-----END PGP SIGNATURE-----\n"
    repository.commit({"GLOSSARY.md": "three\n"})
    repository.git("tag", "--annotate", "v3.0", f"--message={signed}", "--cleanup=verbatim")
    repository.commit({"GLOSSARY.md": "four\n"})
    repository.git("tag", "--annotate", "signed", "--message=A tag")
    repository.git("tag", "--annotate", "v4.0", "signed", "--message=A tag of a tag")
    assert texts(read(repository)) == {
        "1.0": "one\n",
        "2.0": "two\n",
        "3.0": "three\n",
        "4.0": "four\n",
    }


def test_tags_of_something_else_are_left_out(repository: Repository) -> None:
    """A tag of a file or a folder, and one that leads nowhere, is a problem and no release."""
    repository.release("v1.0", "one\n")
    repository.git("tag", "v1.1", "HEAD:GLOSSARY.md")
    repository.git("tag", "--annotate", "v1.2", "HEAD^{tree}", "--message=A folder")
    lost = repository.write("tag", b"object " + b"1" * 40 + b"\ntype commit\ntag v1.3\n\nGone\n")
    repository.git("update-ref", "refs/tags/v1.3", lost)
    gathered = read(repository)
    assert names(gathered) == ["1.0"]
    for line in (
        "v1.1: leads to a blob",
        "v1.2: leads to a tree",
        "v1.3: what it leads to is missing",
    ):
        assert line in found(gathered)


def test_a_long_chain_of_tags_is_followed(repository: Repository) -> None:
    """A tag of a tag of a tag, and so on, leads to its commit."""
    repository.release("v1.0", "one\n")
    target, kind = repository.commit({"GLOSSARY.md": "two\n"}), "commit"
    for _ in range(12):
        target = repository.write("tag", f"object {target}\ntype {kind}\ntag deep\n\n".encode())
        kind = "tag"
    repository.git("update-ref", "refs/tags/v2.0", target)
    assert texts(read(repository)) == {"1.0": "one\n", "2.0": "two\n"}


def test_a_release_has_the_day_of_its_commit(repository: Repository) -> None:
    """A release has the date of its commit, not of its tag."""
    repository.commit({"GLOSSARY.md": "one\n"}, day=date(2019, 5, 17))
    repository.git("tag", "--annotate", "v1.0", "--message=Tagged later", day=date(2024, 1, 1))
    assert read(repository).releases[0].date == date(2019, 5, 17)


@pytest.mark.parametrize(
    "moment", ["99999999999999999", "999999999999 +0000", "-999999999999 +0000", "soon +0000"]
)
def test_an_impossible_date_is_no_date(repository: Repository, moment: str) -> None:
    """A commit from a day that does not exist is read, and its release has no date."""
    repository.release("v0.1", "one\n")
    tree = repository.git("rev-parse", "HEAD^{tree}")
    commit = repository.write(
        "commit", f"tree {tree}\nauthor A <a@b> 0 +0000\ncommitter A <a@b> {moment}\n\nx\n".encode()
    )
    repository.git("update-ref", "refs/tags/v1.0", commit)
    assert [release.date for release in read(repository).releases] == [date(2020, 1, 1), None]


def test_prereleases_are_left_out_unless_asked_for(repository: Repository) -> None:
    """Pre-releases are skipped silently; `prereleases` reads all, and a tag that is named exactly
    is read."""
    for tag in ("v1.0", "v2.0rc1", "v2.0.0-beta.1", "v2.0.dev3", "1.0.2c"):
        repository.release(tag, f"{tag}\n")
    assert names(read(repository)) == ["1.0", "1.0.2c"]
    assert read(repository).problems == ()
    assert len(names(read(repository, prereleases=True))) == 5
    assert "2.0rc1" in names(read(repository, tags=("v2.0rc1", "v1*")))


def test_nothing_but_prereleases_is_said(repository: Repository) -> None:
    """If only pre-releases exist, the problem says how to read them."""
    repository.release("v1.0a1", "one\n")
    assert "v1.0a1): nothing but pre-releases; say prereleases = true" in found(read(repository))


def test_patterns_choose_tags(repository: Repository) -> None:
    """Only tags that match a pattern and no exclusion are releases, with or without a number."""
    for tag in ("v1.0", "v1.1", "w1.0", "spring", "v1.0-docs"):
        repository.release(tag, f"{tag}\n")
    assert names(read(repository, tags=("v*", "spring"), exclude=("*-docs",))) == [
        "1.0",
        "1.1",
        "spring",
    ]
    assert "no tag matches 'x*'; the repository has 5 tags (spring, v1.0" in found(
        read(repository, tags=("x*",))
    )


def test_tags_that_tell_no_version_are_named(repository: Repository) -> None:
    """Without patterns, tags without a version are left out in one problem; excluded ones
    silently."""
    for tag in ("v1.0", "nightly", "build/trunk/1234"):
        repository.release(tag, f"{tag}\n")
    gathered = read(repository)
    assert names(gathered) == ["1.0"]
    assert "tags of something else are left out: build/trunk/1234" in found(gathered)
    assert read(repository, exclude=("nightly", "build/*")).problems == ()


def test_where_no_tag_tells_a_version_all_are_releases(repository: Repository) -> None:
    """If no tag is a version, all tags are releases."""
    for tag in ("spring", "autumn"):
        repository.release(tag, f"{tag}\n")
    assert sorted(names(read(repository))) == ["autumn", "spring"]


def test_tags_with_the_id_of_a_commit_are_no_releases(repository: Repository) -> None:
    """A tag with the id of its commit is no release; a pattern chooses it."""
    repository.release("v1.0", "one\n")
    commit = repository.commit({"GLOSSARY.md": "two\n"})
    for tag in (f"ann_{commit[:8]}", f"v1.0-1-g{commit[:7]}"):
        repository.git("tag", tag)
    assert names(read(repository)) == ["1.0"]
    assert names(read(repository, tags=("ann_*",))) == [f"ann_{commit[:8]}"]


@pytest.mark.parametrize(
    "tags", [("v1.0", "release-1.0", "v1.1"), ("release-1.0", "v1.0", "release-1.1")]
)
def test_of_tags_with_one_name_the_most_usual_is_a_release(
    repository: Repository, tags: tuple[str, ...]
) -> None:
    """Of two tags with the same release name, the one in the most common form is the release."""
    for tag in tags:
        repository.release(tag, f"{tag}\n")
    assert names(read(repository)) == ["1.0", "1.1"]
    assert texts(read(repository))["1.0"] == f"{tags[0]}\n"


def test_a_branch_is_a_release_still_to_come(repository: Repository) -> None:
    """The head of a branch comes after all tags, and is unreleased."""
    repository.release("v1.0", "one\n")
    repository.commit({"GLOSSARY.md": "next\n"}, day=date(2020, 2, 2))
    gathered = read(repository, head="main")
    assert names(gathered) == ["1.0", "main"]
    assert [release.unreleased for release in gathered.releases] == [False, True]
    assert texts(gathered)["main"] == "next\n"
    assert names(read(repository, head="HEAD")) == ["1.0", "main"]


def test_a_branch_that_only_the_remote_has_is_found(repository: Repository, tmp_path: Path) -> None:
    """In a checkout of a tag, as CI makes it, the remote's branch is found."""
    repository.release("v1.0", "one\n")
    repository.git("clone", "--quiet", str(repository.path), str(tmp_path / "copy"))
    copy = Repository.at(tmp_path / "copy")
    copy.git("checkout", "--quiet", "--detach")
    copy.git("branch", "--quiet", "--delete", "main")
    assert names(read(copy, head="main")) == ["1.0", "main"]


def test_an_unknown_branch_is_a_problem(repository: Repository) -> None:
    """The problem of a missing branch names an existing one."""
    repository.release("v1.0", "one\n")
    assert "no branch 'mian'; did you mean 'main'?" in found(read(repository, head="mian"))


def test_a_repository_without_tags_is_read_as_it_is_now(repository: Repository) -> None:
    """Without any tag, the current branch is the one release, still to come."""
    repository.commit({"GLOSSARY.md": "now\n"})
    gathered = read(repository)
    assert [(release.name, release.unreleased) for release in gathered.releases] == [("main", True)]


def test_a_repository_with_no_tag_but_nightly_is_read_as_it_is_now(repository: Repository) -> None:
    """A tag that can be no release changes nothing: the newest commit is read, or dated states."""
    repository.release("nightly", "now\n")
    assert texts(read(repository)) == {"main": "now\n"}
    assert names(read(repository, by="auto")) == ["2020-01-01"]


def test_a_shallow_clone_is_a_problem(repository: Repository, tmp_path: Path) -> None:
    """A clone without its history is read, and the problem says how to fetch the rest."""
    repository.release("v1.0", "one\n")
    repository.release("v1.1", "two\n")
    repository.git(
        "clone", "--quiet", "--depth=1", f"file://{repository.path}", str(tmp_path / "copy")
    )
    gathered = read(str(tmp_path / "copy"))
    assert names(gathered) == ["1.1"]
    assert "a shallow clone, which lacks older releases; `git fetch --unshallow --tags`" in found(
        gathered
    )


def test_object_ids_may_be_long(tmp_path: Path) -> None:
    """A repository with SHA-256 object ids is read."""
    repository = Repository(tmp_path / "project", "--object-format=sha256")
    repository.commit({"docs/a.md": "one\n"})
    repository.git("tag", "--annotate", "v1.0", "--message=One")
    assert texts(read(repository, "docs")) == {"1.0": "one\n"}


def test_an_empty_repository_is_a_problem(repository: Repository) -> None:
    """A repository without a commit has no releases, which is a problem."""
    gathered = read(repository)
    assert gathered.releases == ()
    assert len(gathered.problems) == 1


# Files


def test_a_file_that_moves_keeps_one_history(repository: Repository) -> None:
    """Sixty tags, a file that moves and changes its format twice, and a branch are read as the
    script made them."""
    places = ("GLOSSARY.md", "docs/glossary.md", "docs/source/glossary.rst")
    expected = {}
    for number in range(60):
        place, before = places[number // 20], places[(number - 1) // 20] if number else ""
        text = f"release {number // 3}\n"
        moved: dict[str, str | None] = {before: None} if before not in ("", place) else {}
        day = date(2015, 1, 1) + timedelta(days=30 * number)
        repository.commit({**moved, place: text}, day=day)
        message = ["--annotate", f"--message=Release {number}"] if number % 2 else []
        repository.git("tag", *message, f"v{number // 10}.{number % 10}")
        expected[f"{number // 10}.{number % 10}"] = (place, text, day)
    gathered = read(repository, *reversed(places))
    read_as = {
        document.release: (document.name, document.text, release.date)
        for document, release in zip(gathered.documents, gathered.releases, strict=True)
    }
    assert read_as == expected
    assert list(read_as) == list(expected)
    assert gathered.problems == ()


def test_paths_are_tried_in_order(repository: Repository) -> None:
    """Of several existing paths the first is read."""
    repository.commit({"a.md": "first\n", "b.md": "second\n"})
    repository.git("tag", "v1.0")
    assert texts(read(repository, "b.md", "a.md")) == {"1.0": "second\n"}


def test_a_folder_is_read_with_all_below(repository: Repository) -> None:
    """A path to a folder means every file below it, except hidden files and assets of pages."""
    files = (
        "terms/a.md",
        "terms/deep/er/b.md",
        "terms/.hidden.md",
        "terms/.git2/c.md",
        "terms/logo.png",
        "x.md",
    )
    repository.commit({name: f"{name}\n" for name in files})
    repository.git("tag", "v1.0")
    assert [document.name for document in read(repository, "terms").documents] == [
        "terms/a.md",
        "terms/deep/er/b.md",
    ]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("docs/**/glossary.rst", ["docs/glossary.rst", "docs/x/y/glossary.rst"]),
        ("docs/*/glossary.*", ["docs/x/glossary.md"]),
        ("**/glossary.md", ["docs/x/glossary.md"]),
        ("./docs/x/", ["docs/x/glossary.md", "docs/x/y/glossary.rst"]),
        (".", ["docs/glossary.rst", "docs/x/glossary.md", "docs/x/y/glossary.rst"]),
        ("docs/[xy]", ["docs/x/glossary.md", "docs/x/y/glossary.rst"]),
    ],
)
def test_patterns_find_files(repository: Repository, pattern: str, expected: list[str]) -> None:
    """`*` matches part of a name, `**` any folders."""
    files = ("docs/glossary.rst", "docs/x/glossary.md", "docs/x/y/glossary.rst")
    repository.commit({name: f"{name}\n" for name in files})
    repository.git("tag", "v1.0")
    assert [document.name for document in read(repository, pattern).documents] == expected


def test_releases_before_the_glossary_are_left_out(repository: Repository) -> None:
    """A source begins with the first release that has the glossary."""
    repository.commit({"README.md": "nothing yet\n"})
    repository.git("tag", "v0.1")
    repository.release("v0.2", "one\n")
    gathered = read(repository)
    assert (names(gathered), gathered.problems) == (["0.2"], ())


def test_a_release_without_the_glossary_is_a_gap(repository: Repository) -> None:
    """A later release without the glossary is a gap and no removal, and is reported once."""
    repository.release("v1.0", "one\n")
    repository.commit({"GLOSSARY.md": None, "elsewhere.md": "one\n"})
    repository.git("tag", "v1.1")
    repository.commit({})
    repository.git("tag", "v1.2")
    gathered = read(repository)
    assert names(gathered) == ["1.0", "1.1", "1.2"]
    assert unread(gathered) == (("1.1", ""), ("1.2", ""))
    assert (
        "2 releases after the first with the glossary have no GLOSSARY.md: v1.1, v1.2; if the "
        "glossary is elsewhere there, add that place to `paths`; else `exclude` leaves such a tag out"
    ) in found(gathered)
    assert found(read(repository, exclude=("v1.1", "v1.2"))) == ""


def test_a_path_that_is_nowhere_is_said_once(repository: Repository) -> None:
    """A path that no release has is one problem."""
    repository.release("v1.0", "one\n")
    assert [problem.found for problem in read(repository, "x.md").problems] == [
        "no release has x.md"
    ]


def test_a_glossary_that_no_release_can_read_is_not_missing(repository: Repository) -> None:
    """Of a glossary that cannot be read in the only release that has it, nothing says that no
    release has it."""
    repository.commit({"README.md": "nothing yet\n"})
    repository.git("tag", "v0.1")
    (repository.path / "GLOSSARY.md").write_bytes(bytes(range(256)))
    repository.commit({})
    repository.git("tag", "v1.0")
    assert [problem.path for problem in read(repository).problems] == ["v1.0:GLOSSARY.md"]


def test_an_unreadable_file_is_unread(repository: Repository) -> None:
    """A binary or too large file is a gap at its releases and one problem."""
    repository.release("v1.0", "fine\n")
    (repository.path / "GLOSSARY.md").write_bytes(bytes(range(256)) * 8)
    repository.git("commit", "--quiet", "--all", "--message=Change")
    repository.git("tag", "v1.1")
    repository.commit({})
    repository.git("tag", "v1.2")
    repository.release("v1.3", "long\n" * 2_000_000)
    gathered = read(repository)
    assert unread(gathered) == (
        ("1.1", "GLOSSARY.md"),
        ("1.2", "GLOSSARY.md"),
        ("1.3", "GLOSSARY.md"),
    )
    assert [problem.path for problem in gathered.problems] == [
        "v1.1:GLOSSARY.md",
        "v1.3:GLOSSARY.md",
    ]
    assert texts(gathered) == {"1.0": "fine\n"}


def test_what_did_not_change_is_one_text(repository: Repository) -> None:
    """Releases with the same file share one text in memory."""
    repository.release("v1.0", "same\n")
    repository.commit({})
    repository.git("tag", "v1.1")
    one, two = read(repository).documents
    assert one.text is two.text


def test_damaged_objects_cost_only_themselves(repository: Repository) -> None:
    """A damaged object is a gap at its release; the other releases are read."""
    for number in range(3):
        repository.release(f"v{number}.0", f"release {number} {'.' * 500}\n")
    id = repository.git("rev-parse", "v1.0:GLOSSARY.md")
    damaged = repository.path / ".git" / "objects" / id[:2] / id[2:]
    damaged.chmod(0o644)
    damaged.write_bytes(damaged.read_bytes()[:-12])
    gathered = read(repository)
    assert unread(gathered) == (("1.0", "GLOSSARY.md"),)
    assert "v1.0:GLOSSARY.md: missing or damaged in the repository" in found(gathered)
    assert list(texts(gathered)) == ["0.0", "2.0"]
