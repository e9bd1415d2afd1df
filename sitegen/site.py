"""Everything the pages, the search and the exports are made from, gathered and indexed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sitegen.model import Change, Edition, Life, Problem, Release, Source


@dataclass(frozen=True, kw_only=True)
class Site:
    """The result of reading, merging and history. Pages only look things up in it."""

    title: str
    base_url: str
    """Absolute, ends with a slash; empty when not configured."""
    language: str
    repository: str = ""
    note: str = ""
    """What the about page says about where the wording comes from."""
    sources: tuple[Source, ...]
    editions: Mapping[str, tuple[Edition, ...]]
    """Source id to its editions, oldest first."""
    lives: tuple[Life, ...]
    """Every term, sorted by name."""
    slugs: Mapping[str, str]
    """Term key to slug."""
    references: Mapping[tuple[str, str], str]
    """(source id, target of a `term:` reference) to the key of the term meant. Dangling ones are missing."""
    former_slugs: Mapping[str, str] = field(default_factory=dict)
    """Slug of a name a term no longer has, to the key of that term: a page there says what it is called now."""
    problems: tuple[Problem, ...] = ()
    by_key: Mapping[str, Life] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_key", {life.key: life for life in self.lives})

    def source(self, id: str) -> Source:
        return next(source for source in self.sources if source.id == id)

    def release_names(self) -> tuple[str, ...]:
        """Every release of every dated source once, in the order of the sources, oldest first."""
        names = (release.name for source in self.sources if not source.undated for release in source.releases)
        return tuple(dict.fromkeys(names))

    def releases(self, name: str) -> tuple[tuple[Source, Release], ...]:
        """The sources that have a release of this name, each with its own facts about it."""
        return tuple(
            (source, release)
            for source in self.sources
            if not source.undated
            for release in source.releases
            if release.name == name
        )

    def changes(self, release: str) -> tuple[tuple[Life, Change], ...]:
        """What happened to which term in a release, by term name."""
        return tuple((life, change) for life in self.lives for change in life.changes if change.release == release)
