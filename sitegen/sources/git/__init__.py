"""Glossaries that are kept in git, read at every release straight from the repository's objects.

`door` is the only way to the git command line; `clones` brings repositories that are elsewhere; `refs` and `tags`
tell the releases; `trees` finds the files; `reading` puts it together.
"""

from sitegen.sources.git.clones import Clones
from sitegen.sources.git.reading import GitSource, main_branch, name_of, read_git, refs_folder, remote_of
from sitegen.sources.git.tags import Choice

__all__ = ["Choice", "Clones", "GitSource", "main_branch", "name_of", "read_git", "refs_folder", "remote_of"]
