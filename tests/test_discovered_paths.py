"""The earlier paths of a glossary, its folders of versions, and repositories that are too large."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from discovered import WORDS, find, left_out, markdown, sphinx
from repositories import TODAY, Repository

from sitegen.sources.discovery import find_glossaries
from sitegen.sources.git.repositories import Clones


def test_a_small_glossary_is_found_where_there_is_no_larger_one(repository: Repository) -> None:
    """A file with two terms is found, unless larger glossaries are there."""
    repository.commit({"docs/glossary.md": markdown(WORDS[:2])})
    repository.git("tag", "v1.0")
    assert [glossary.paths for glossary in find(repository)] == [("docs/glossary.md",)]
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.1")
    assert [glossary.paths for glossary in find(repository)] == [("GLOSSARY.md",)]


def test_a_move_that_changed_the_format_is_followed(repository: Repository) -> None:
    """A glossary that moved and changed its format is recognized by the names it defines."""
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit(
        {"GLOSSARY.md": None, "docs/source/glossary.rst": sphinx((*WORDS, "Worktree"))}
    )
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/source/glossary.rst", "GLOSSARY.md")


def test_a_glossary_that_was_left_behind_is_the_earlier_one(repository: Repository) -> None:
    """A glossary that was copied to another place and format began where the first one still is."""
    repository.commit({"docs/v2/glossary.rst": sphinx(WORDS)})
    repository.git("tag", "v1.0")
    repository.commit({"docs/content/glossary.md": markdown((*WORDS, "Worktree"))})
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/content/glossary.md", "docs/v2/glossary.rst")


def test_the_newest_of_former_versions_is_tried_first(repository: Repository) -> None:
    """A glossary that left its folders of versions has all of them as earlier paths, of which a
    release has the newest: first the versions from new to old, then the draft."""
    folders = [f"spec/{version}/glossary.md" for version in ("v1.9", "v1.10", "draft")]
    repository.commit(dict.fromkeys(folders, markdown()))
    repository.git("tag", "v1.10")
    moved = {"spec/glossary.md": markdown()}
    repository.commit(dict.fromkeys(folders, None) | moved)
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    newest_first = ("spec/v1.10/glossary.md", "spec/v1.9/glossary.md", "spec/draft/glossary.md")
    assert glossary.paths == ("spec/glossary.md", *newest_first)


def test_names_that_tell_nothing_are_known_from_renames(repository: Repository) -> None:
    """An earlier path of a glossary is found through git's renames, even if its name suggests
    nothing."""
    repository.commit({"help/words.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"help/words.md": None, "help/lexikon.md": markdown()})
    for _ in range(2):  # a move that was taken back, and done again
        repository.commit({"help/lexikon.md": None, "docs/glossary.md": markdown()})
        repository.commit({"help/lexikon.md": markdown(), "docs/glossary.md": None})
    repository.commit({"help/lexikon.md": None, "docs/glossary.md": markdown()})
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/glossary.md", "help/lexikon.md", "help/words.md")


def test_any_file_can_be_named(repository: Repository) -> None:
    """A file that the user names needs no suffix of a format."""
    repository.commit({"words.log": markdown()})
    clones = Clones(folder=repository.path.parent / "cache")
    named = find_glossaries(".", root=repository.path, clones=clones, paths=["words.log"])
    assert [one.entries for one in named.glossaries] == [len(WORDS)]


def test_folders_with_the_end_of_another_name_are_versions(repository: Repository) -> None:
    """`rev2` is no version, and the folders `v1` and `v2` in it are."""
    repository.commit({f"rev2/v{number}/glossary.md": markdown() for number in (1, 2)})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.versions) == (
        ("rev2/v2/glossary.md",),
        "rev2/{version}/glossary.md",
    )


def test_a_list_beside_a_folder_of_pages_is_no_earlier_path(tmp_path: Path) -> None:
    """A repository that is a glossary has its terms in a folder; a document beside it stays one of
    its own, and what is not read is named."""
    repository = Repository(tmp_path / "glossary")
    pages = {f"pages/{word}.md": f"# {word}\n\nThe meaning of {word} here.\n" for word in WORDS}
    repository.commit(pages)
    repository.git("tag", "v1.0")
    repository.commit({"docs/glossary.md": markdown(WORDS[:4]), "docs/terms.pdf": "%PDF"})
    assert [one.paths for one in find(repository)] == [("pages",)]
    assert left_out(repository) == {
        "docs/glossary.md": "it has fewer terms than pages",
        "docs/terms.pdf": "PDF is not read; read the document that it was made from",
    }


def test_a_folder_that_cannot_be_decoded_is_no_glossary(tmp_path: Path) -> None:
    """Pages without a readable text are no terms, whatever their files are called."""
    repository = Repository(tmp_path / "glossary")
    (repository.path / "pages").mkdir()
    for number in range(4):
        (repository.path / f"pages/{number}.md").write_bytes(b"\x81\x8d\x00\xff" * 20)
    repository.commit({"n": ""})
    assert find(repository) == ()


def test_folders_of_versions_are_one_glossary(repository: Repository) -> None:
    """Folders of versions are one source, with the pattern of their paths."""
    for version in ("v1.9", "v1.10"):
        repository.commit({f"content/{version}/learn/glossary.md": markdown()})
    (glossary,) = find(repository)
    assert glossary.versions == "content/{version}/learn/glossary.md"
    assert glossary.paths == ("content/v1.10/learn/glossary.md",)


def test_folders_of_versions_may_be_in_one_of_a_major_version(repository: Repository) -> None:
    """Of `v2/2.9`, the inner folder is that of the version."""
    for version in ("2.0", "2.9", "2.10"):
        repository.commit({f"docs/v2/{version}/learn/glossary.md": markdown()})
    (glossary,) = find(repository)
    assert glossary.versions == "docs/v2/{version}/learn/glossary.md"
    assert glossary.paths == ("docs/v2/2.10/learn/glossary.md",)


@pytest.mark.parametrize(
    ("layout", "folders"),
    [
        ("{version}/glossary/index.html", "1.0 1.1 latest dev"),  # mike
        ("{version}/glossary.html", "v1.0 v1.1 main"),  # sphinx-multiversion
        ("en/{version}/glossary.html", "1.0 2.0 latest stable"),  # Read the Docs
    ],
)
def test_published_versions_are_one_glossary(
    repository: Repository, layout: str, folders: str
) -> None:
    """The folders that a tool publishes, one for each version, are one source."""
    terms = "".join(f"<dt>{word}</dt><dd>The meaning of {word}.</dd>" for word in WORDS)
    page = f"<html><head><title>Glossary</title></head><body><h1>Glossary</h1><dl>{terms}</dl></body></html>"
    repository.commit({layout.replace("{version}", name): page for name in folders.split()})
    assert [glossary.versions for glossary in find(repository)] == [layout]


def test_a_larger_copy_for_a_version_is_not_the_glossary(repository: Repository) -> None:
    """What Docusaurus keeps of an older version is left out beside a smaller glossary of today at
    another path."""
    copy = "versioned_docs/version-1.0/glossary.md"
    repository.commit({copy: markdown(), "docs/words/glossary.md": markdown(WORDS[:4])})
    assert [one.paths for one in find(repository)] == [("docs/words/glossary.md",)]
    assert left_out(repository) == {copy: "older versions of docs/words/glossary.md"}


def test_of_equal_files_the_one_called_glossary_is_found(repository: Repository) -> None:
    repository.commit({"docs/begriffe.md": markdown(), "docs/glossary.md": markdown()})
    assert [one.paths for one in find(repository)] == [("docs/glossary.md",)]


@pytest.mark.parametrize(
    ("path", "number", "is_found"),
    [
        ("docs/glossary.md", 1, True),
        ("docs/glossary/terms.md", 1, True),
        ("docs/terminology.md", 2, False),
        ("docs/terminology.md", 3, True),
    ],
)
def test_one_or_two_terms_are_a_glossary_if_the_file_or_its_folder_is_named_so(
    repository: Repository, path: str, number: int, is_found: bool
) -> None:
    """A page with a heading or two is left out, with the reason, if its path only suggests a
    glossary."""
    repository.commit({path: markdown(WORDS[:number])})
    assert [glossary.paths for glossary in find(repository)] == [(path,)] * is_found
    reasons = {} if is_found else {path: "it has fewer than 3 terms"}
    assert left_out(repository) == reasons


def test_a_single_name_in_common_is_no_sign_of_an_earlier_path(repository: Repository) -> None:
    """A sample of a table has one row, whose name is also a term of an older glossary."""
    repository.commit({"docs/glossary.md": markdown()})
    repository.git("tag", "1.0")
    table = "name,description\nBlob,A thing.\n"
    repository.commit({"docs/glossary.md": None, "rows/glossary.csv": table})
    assert [glossary.paths for glossary in find(repository)] == [("rows/glossary.csv",)]


def test_a_glossary_that_is_gone_is_found_if_it_is_named(repository: Repository) -> None:
    """Only the newest state is searched. A glossary that the user names is read from the newest
    release that has it."""
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"GLOSSARY.md": None})
    assert find(repository) == ()
    clones = Clones(folder=repository.path.parent / "cache")
    found = find_glossaries(".", root=repository.path, clones=clones, paths=["GLOSSARY.md"])
    (gone,) = found.glossaries
    assert (gone.paths, gone.last_release, gone.is_current) == (("GLOSSARY.md",), "v1.0", False)


def test_what_stood_beside_a_glossary_was_not_its_place(repository: Repository) -> None:
    """A deleted file that existed beside a glossary with the same terms is not an earlier path of
    it."""
    repository.commit({"GLOSSARY.md": markdown(), "docs/glossary.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"GLOSSARY.md": None})
    assert [glossary.paths for glossary in find(repository)] == [("docs/glossary.md",)]


def test_many_releases_are_looked_at_in_samples(repository: Repository) -> None:
    """In a repository with many releases a sample is read, which contains the newest."""
    for number in range(130):
        repository.git(
            "commit",
            "--quiet",
            "--allow-empty",
            "--message=Change",
            day=TODAY + timedelta(days=number),
        )
        repository.git("tag", f"v1.{number}")
    repository.commit({"GLOSSARY.md": markdown()}, day=date(2021, 1, 1))
    (glossary,) = find(repository)
    assert glossary.last_release == "main"


def test_a_repository_of_too_many_paths_is_not_searched(repository: Repository) -> None:
    """Of a repository with 10^8 folders, one line says to write the path, and a named path is
    read."""
    repository.commit({"GLOSSARY.md": markdown()})
    repository.commit_without_end({"GLOSSARY.md": markdown()}, tag="v1.0", branch="main")
    assert find(repository) == ()
    (why,) = left_out(repository).values()
    assert why.startswith("more than 200,000 paths")
    assert "in `paths`" in why
    clones = Clones(folder=repository.path.parent / "cache")
    named = find_glossaries(".", root=repository.path, clones=clones, paths=["GLOSSARY.md"])
    assert [one.entries for one in named.glossaries] == [len(WORDS)]


def test_a_path_that_looks_like_a_pattern_is_a_path(repository: Repository) -> None:
    """A glossary in a folder such as `[lang]` is found by its path."""
    path = "app/[lang]/words.md"
    repository.commit({path: markdown()})
    clones = Clones(folder=repository.path.parent / "cache")
    (glossary,) = find_glossaries(".", root=repository.path, clones=clones, paths=[path]).glossaries
    assert (glossary.paths, glossary.entries) == ((path,), len(WORDS))


def test_releases_of_too_many_paths_are_not_searched(repository: Repository) -> None:
    """A glossary is found where an older release has too many paths."""
    repository.commit_without_end({"words.md": markdown()}, tag="v1.0")
    repository.release("v2.0", markdown())
    assert [one.paths for one in find(repository)] == [("GLOSSARY.md",)]


def test_no_repository_is_a_problem(tmp_path: Path) -> None:
    """Outside a repository nothing is found, and one line gives the reason."""
    found = find_glossaries(".", root=tmp_path, clones=Clones(folder=tmp_path / "cache"))
    assert found.glossaries == ()
    assert [problem.found for problem in found.problems] == [
        "no git repository here; name the folder of one, or make one with `git init`"
    ]


def test_no_command_of_the_repository_runs(repository: Repository, tmp_path: Path) -> None:
    """Discovery runs neither the repository's signature checker nor its text converters."""
    canary = tmp_path / "canary"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{canary}'\ncat \"$@\" 2>/dev/null\n", encoding="utf-8")
    script.chmod(0o755)
    repository.commit({"glossary.md": markdown(), ".gitattributes": "*.md diff=trap\n"})
    head = repository.git("cat-file", "commit", "HEAD")
    header, _, message = head.partition("\n\n")
    signed = (
        f"{header}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP "
        f"SIGNATURE-----\n\n{message}\n"
    )
    repository.git("update-ref", "HEAD", repository.write("commit", signed.encode()))
    for key, value in {
        "log.showSignature": "true",
        "gpg.program": str(script),
        "diff.trap.textconv": str(script),
        "diff.external": str(script),
    }.items():
        repository.git("config", key, value)
    repository.git("log", "--follow", "--", "glossary.md", check=False)
    assert canary.exists()
    canary.unlink()
    repository.git("config", "log.showSignature", "false")
    repository.git("log", "--patch", "--", "glossary.md", check=False)
    assert canary.exists()
    canary.unlink()
    repository.git("config", "log.showSignature", "true")

    assert len(find(repository)) == 1
    assert not canary.exists()
