"""Reads glossaries from git at every release, directly from the repository's objects.

Only `process` and `clones` run the git command line. `clones` clones remote repositories, `refs` and `tags` determine
the releases, `trees` finds the files, and `reading` combines the results.
"""

from sitegen.sources.git.clones import Clones
from sitegen.sources.git.reading import GitSource, main_branch, name_of, read_git, refs_folder, remote_of
from sitegen.sources.git.tags import TagSettings

__all__ = ["Clones", "GitSource", "TagSettings", "main_branch", "name_of", "read_git", "refs_folder", "remote_of"]
