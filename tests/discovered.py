"""Glossaries of made-up words, and what is found of them in a repository."""

from __future__ import annotations

from repositories import Repository

from sitegen.sources.discovery import find_glossaries
from sitegen.sources.discovery.searched_repository import FoundGlossary
from sitegen.sources.git.repositories import Clones

WORDS = ("Blob", "Commit", "Index", "Object", "Ref", "Tag", "Tree")


def markdown(words: tuple[str, ...] = WORDS) -> str:
    return (
        "# Glossary\n\n"
        + "\n\n".join(f"## {word}\n\nThe meaning of {word} here." for word in words)
        + "\n"
    )


def sphinx(words: tuple[str, ...] = WORDS) -> str:
    body = "\n\n".join(f"   {word}\n      A {word}, in other words." for word in words)
    return f"Glossary\n========\n\n.. glossary::\n\n{body}\n"


def find(repository: Repository) -> tuple[FoundGlossary, ...]:
    clones = Clones(folder=repository.path.parent / "cache")
    found = find_glossaries(".", root=repository.path, clones=clones)
    assert found.problems == ()
    return found.glossaries


def left_out(repository: Repository) -> dict[str, str]:
    """Maps the path of each file that is not proposed to the reason."""
    clones = Clones(folder=repository.path.parent / "cache")
    return {
        one.path: one.why
        for one in find_glossaries(".", root=repository.path, clones=clones).left_out
    }


def page(name: str, *, below: str = "") -> str:
    return f"# {name}\n\nThe meaning of {name} here.\n{below}"


def translations(glossary: FoundGlossary) -> dict[str, tuple[str, ...]]:
    """Returns the patterns of a glossary's translations by their languages."""
    return {one.language: one.patterns for one in glossary.translations}
