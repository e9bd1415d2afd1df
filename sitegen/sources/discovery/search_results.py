"""What a search for glossaries finds."""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.config.patterns import literal, one_matches
from sitegen.model import Problem


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundTranslation:
    """The files of a glossary in another language."""

    language: str
    patterns: tuple[str, ...]
    """The newest first; empty if all languages are in one file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundGlossary:
    """A glossary in a repository."""

    paths: tuple[str, ...]
    """Its paths, newest first: a file, or a folder with a file for each term."""
    entries: int
    """The number of its terms."""
    last: str
    """The newest tag or branch that contains it."""
    is_current: bool
    """True if the newest searched state of the repository contains it."""
    section: str = ""
    """The heading of the section, if the glossary is part of a larger file."""
    versions: str = ""
    """The path of the version folders, with `{version}`."""
    format: str = ""
    """The format of its files, if it cannot be detected from their content."""
    translations: tuple[FoundTranslation, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """Its paths as patterns."""
        return tuple(map(literal, self.paths))

    def has(self, path: str) -> bool:
        """True if a path is one of the glossary, or of a translation of it."""
        if path in self.paths:
            return True
        for translation in self.translations:
            if one_matches(translation.patterns, f"{path}/x.md"):
                return True
        return False


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """A file whose name suggests a glossary, but that is not proposed."""

    path: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResult:
    """The result of searching a repository."""

    glossaries: tuple[FoundGlossary, ...] = ()
    """Sorted: current ones first, then by size."""
    left_out: tuple[LeftOut, ...] = ()
    problems: tuple[Problem, ...] = ()
