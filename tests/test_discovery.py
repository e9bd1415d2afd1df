"""Glossaries that are found in a repository by themselves, with every place they had."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from repositories import TODAY, Repository

from sitegen.sources.discovery import Glossary, find_glossaries
from sitegen.sources.git import Clones

WORDS = ("Blob", "Commit", "Index", "Object", "Ref", "Tag", "Tree")


def markdown(words: tuple[str, ...] = WORDS) -> str:
    return "# Glossary\n\n" + "\n\n".join(f"## {word}\n\nWhat is called {word} here." for word in words) + "\n"


def sphinx(words: tuple[str, ...] = WORDS) -> str:
    body = "\n\n".join(f"   {word}\n      A {word}, in other words." for word in words)
    return f"Glossary\n========\n\n.. glossary::\n\n{body}\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "project")


def find(repository: Repository) -> tuple[Glossary, ...]:
    clones = Clones(folder=repository.path.parent / "cache")
    glossaries, problems = find_glossaries(".", root=repository.path, clones=clones)
    assert problems == ()
    return glossaries


def test_a_glossary_is_found_by_its_name_and_its_terms(repository: Repository) -> None:
    """A file is found whose name tells and which defines terms; others with one or the other are not."""
    repository.commit(
        {
            "docs/glossary.md": markdown(),
            "docs/other.md": markdown(),
            "docs/terminology.md": "Nothing is defined here.\n",
            "TERMS-OF-SERVICE.md": markdown(),
            "node_modules/x/GLOSSARY.md": markdown(),
            "tests/glossary/glossary.md": markdown(),
            "src/glossary.py": "x = 1\n",
        }
    )
    repository.git("tag", "v1.0")
    (glossary,) = find(repository)
    assert glossary == Glossary(paths=("docs/glossary.md",), entries=7, last="main", is_current=True)


def test_a_small_glossary_is_found_where_there_is_no_larger_one(repository: Repository) -> None:
    """One with two terms is one, unless there are others that show what it is not."""
    repository.commit({"docs/glossary.md": markdown(WORDS[:2])})
    repository.git("tag", "v1.0")
    assert [glossary.paths for glossary in find(repository)] == [("docs/glossary.md",)]
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.1")
    assert [glossary.paths for glossary in find(repository)] == [("GLOSSARY.md",)]


def test_a_move_that_changed_the_format_is_followed(repository: Repository) -> None:
    """When a glossary moves and changes its format, the names it defines tell that it is the same."""
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"GLOSSARY.md": None, "docs/source/glossary.rst": sphinx((*WORDS, "Worktree"))})
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/source/glossary.rst", "GLOSSARY.md")


def test_names_that_tell_nothing_are_known_from_renames(repository: Repository) -> None:
    """What a glossary was called before is followed, even where no one would have looked."""
    repository.commit({"help/words.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"help/words.md": None, "help/lexikon.md": markdown()})
    repository.commit({"help/lexikon.md": None, "docs/glossary.md": markdown()})
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/glossary.md", "help/lexikon.md", "help/words.md")


def test_a_folder_of_terms_is_one_glossary(repository: Repository) -> None:
    """A telling folder with a file for each term is found as a folder."""
    files = {
        f"docs/glossary/{word.lower()}.md": f"---\ntitle: {word}\n---\n\nWhat is called {word} here.\n"
        for word in WORDS
    }
    repository.commit({**files, "docs/glossary/logo.png": "no text"})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries) == (("docs/glossary",), 7)


def test_glossaries_side_by_side_are_two(repository: Repository) -> None:
    """Two places that exist at once are two glossaries, though they define the same; the larger comes first."""
    repository.commit({"de/glossary.md": markdown(), "en/glossary.md": markdown((*WORDS, "Worktree"))})
    assert [glossary.paths for glossary in find(repository)] == [("en/glossary.md",), ("de/glossary.md",)]


def test_a_glossary_that_is_gone_is_still_found(repository: Repository) -> None:
    """A glossary that was given up is found, with the newest release that has it, after those that are there."""
    repository.commit({"GLOSSARY.md": markdown(), "vocabulary.md": markdown(("Ape", "Bear", "Cat"))})
    repository.git("tag", "v1.0")
    repository.commit({"GLOSSARY.md": None})
    current, gone = find(repository)
    assert (current.paths, current.is_current) == (("vocabulary.md",), True)
    assert (gone.paths, gone.last, gone.is_current) == (("GLOSSARY.md",), "v1.0", False)


def test_what_stood_beside_a_glossary_was_not_its_place(repository: Repository) -> None:
    """A glossary that is gone, and stood beside one that defines the same, is another one, not an earlier place."""
    repository.commit({"GLOSSARY.md": markdown(), "docs/glossary.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"GLOSSARY.md": None})
    assert [glossary.paths for glossary in find(repository)] == [("docs/glossary.md",), ("GLOSSARY.md",)]


def test_many_releases_are_looked_at_in_samples(repository: Repository) -> None:
    """In a repository of many releases the newest is always looked at."""
    for number in range(130):
        repository.git("commit", "--quiet", "--allow-empty", "--message=Change", day=TODAY + timedelta(days=number))
        repository.git("tag", f"v1.{number}")
    repository.commit({"GLOSSARY.md": markdown()}, day=date(2021, 1, 1))
    (glossary,) = find(repository)
    assert glossary.last == "main"


def test_no_repository_is_a_problem(tmp_path: Path) -> None:
    """Where there is no repository, nothing is found, and one line says why."""
    glossaries, problems = find_glossaries(".", root=tmp_path, clones=Clones(folder=tmp_path / "cache"))
    assert glossaries == ()
    assert [problem.found for problem in problems] == ["no git repository here"]


def test_no_command_of_the_repository_runs(repository: Repository, tmp_path: Path) -> None:
    """Looking through history runs neither the repository's signature checker nor its converters of text."""
    canary = tmp_path / "canary"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{canary}'\ncat \"$@\" 2>/dev/null\n", encoding="utf-8")
    script.chmod(0o755)
    repository.commit({"glossary.md": markdown(), ".gitattributes": "*.md diff=trap\n"})
    head = repository.git("cat-file", "commit", "HEAD")
    header, _, message = head.partition("\n\n")
    signed = f"{header}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n{message}\n"
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
