"""Describes the effects of a change, such as a pull request, on a glossary.

`commits` finds the two commits, `states` reads the glossary at each, `comparison` compares them, and `report` writes
the result as Markdown or data. Nothing is checked out, and no command from the repository's configuration is run.
"""

from __future__ import annotations

from sitegen.addresses import urls
from sitegen.build.published_ledger import in_git
from sitegen.config.parsing import Config, ConfigError
from sitegen.model import SitegenError
from sitegen.sources.git.process import GitError, Objects
from sitegen.sources.projects import Project
from sitegen.sources.reading import read_config
from sitegen.tools.review.commits import Commit, repository_of, sides
from sitegen.tools.review.comparison import Review, compare
from sitegen.tools.review.report import data, markdown
from sitegen.tools.review.states import CommitReader

__all__ = ["Review", "data", "markdown", "review"]


def review(change: str, project: Project) -> Review:
    """Returns the effects of a change, `BASE..HEAD`, on the glossary of a project. Raises `SitegenError`.

    Commits without a site.toml are read with the one in the folder. An empty `change` stands for the changes of HEAD
    since it left the default branch, as that was last fetched.
    """
    repository = repository_of(project.folder)
    if not change:
        published = in_git(repository.root / urls.LEDGER)
        change = f"{published.refs[0] if published else 'HEAD'}...HEAD"
    base, head = sides(change, repository.git)
    try:
        with Objects(repository.git) as objects:
            reader = CommitReader(objects, repository, project)
            config = reader.configured(head) or read_config(project.folder)
            after = reader.read(head, config)
            before = reader.read(base, _before(reader, base) or config)
    except GitError as error:
        raise SitegenError(f"{change}: {error}") from None
    if not any(state.documents for side in (before, after) for states in side.states.values() for state in states):
        raise SitegenError(f"{change}: no glossary was found on either side, in {project.folder}")
    return compare(before, after)


def _before(reader: CommitReader, base: Commit) -> Config | None:
    """Returns the earlier configuration, or None if there is none that can be read."""
    try:
        return reader.configured(base)
    except ConfigError:
        return None
