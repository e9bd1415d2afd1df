"""Glossaries that are kept in git, read at every release straight from the repository's objects.

`door` is the only way to the git command line; `clones` brings repositories that are elsewhere; `refs` and `tags`
tell the releases; `trees` finds the files; `forges` knows the web's addresses of them; `reading` puts it together.
"""

from sitegen.git.clones import is_address
from sitegen.git.forges import line_link
from sitegen.git.reading import GitSource, read_git
from sitegen.git.tags import Choice

__all__ = ["Choice", "GitSource", "is_address", "line_link", "read_git"]
