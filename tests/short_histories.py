"""Texts, sources and checks for the tests of histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from glossaries import (
    UNREADABLE,
    Glossary,
    change_lines,
    elsewhere,
    lives_of,
    source,
    with_entries,
)

from sitegen.model import Source
from sitegen.model.terms import Life, Term

LONG = "A named pointer to the state of a volume at one moment."


def check(
    glossary: dict[str, dict[str, str] | None], name: str, *expected: str, complete: bool = False
) -> None:
    life = lives_of(source("s", glossary, complete=complete))[name]
    assert change_lines(life) == list(expected)


def states(term: Term) -> list[str]:
    """Returns the state of a term at each release of its first source."""
    course = term.courses[0]
    return [course.span_at(number).state for number in range(len(course.releases))]


def in_files(glossary: Glossary, unread: Mapping[str, str], *, complete: bool = False) -> Source:
    """Returns a source with a file for each term, named like it; `unread` has the unreadable ones
    by release."""
    src = source("s", glossary, complete=complete)
    releases = []
    for release in src.releases:
        entries = [elsewhere(entry, name=entry.name) for entry in release.entries]
        gaps = dict.fromkeys(unread.get(release.name, "").split(), UNREADABLE)
        documents = with_entries(release, "s", entries).documents if entries else ()
        releases.append(replace(release, documents=documents, unread=gaps))
    return replace(src, releases=tuple(releases))


def life_in_files(glossary: dict[str, dict[str, str]], files: dict[str, str]) -> Life:
    """Returns the life of `new`; each term is in the file of its name, or in the one that `files`
    names."""
    src = source("s", {**glossary})
    releases = []
    for release in src.releases:
        entries = [
            elsewhere(entry, name=files.get(entry.name, entry.name)) for entry in release.entries
        ]
        releases.append(with_entries(release, "s", entries))
    return lives_of(replace(src, releases=tuple(releases)))["new"]


REST = {"w": "W.", "x": "X.", "y": "Y."}
