"""From the tags of a repository to the history of its terms: exactly the scripted changes."""

from __future__ import annotations

from pathlib import Path

from glossaries import unread
from repositories import PLACES, SIXTY_CHANGES, Repository, sixty_releases

from sitegen.config.tables import SourceTable
from sitegen.history import lives as history
from sitegen.history.merging import merge
from sitegen.history.references import Resolver
from sitegen.model import Source
from sitegen.sources.git.repositories import Clones
from sitegen.sources.git_source import read_git
from sitegen.sources.parsed_sources import parsed


def changes(gathered: Source) -> list[tuple[str, str, str, str]]:
    """Returns (term, kind, release, file) of every change."""
    source = parsed(gathered)
    terms = merge([source]).terms
    lives = history.lives(terms, resolver=Resolver(terms))
    return [
        (life.name, change.kind, change.release, change.entry.place.path)
        for life in lives
        for change in life.changes
    ]


def test_the_history_is_what_was_scripted(tmp_path: Path) -> None:
    """Over sixty tags of every kind, two moves with a new format each and a gap, only real changes
    are found."""
    repository = Repository(tmp_path / "project")
    sixty_releases(repository)
    paths = tuple(path for path, _ in reversed(PLACES))
    source = SourceTable(id="s", git="project", paths=paths)
    gathered = read_git(source, root=tmp_path, clones=Clones(folder=tmp_path / "cache"))
    assert len(gathered.releases) == 60
    assert unread(gathered) == (("5.0", ""),)
    assert changes(gathered) == list(SIXTY_CHANGES)
