"""GitHub Pages: the file that it sends for an address, and what it does not accept.

Each rule below names its source: GitHub's documentation (docs.github.com,
under Pages), the action that uploads a site (github.com/actions/upload-pages-artifact), or, where GitHub is silent,
what others observed (github.com/slorber/trailing-slash-guide, a table of what hosts do with slashes and endings).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote

from sitegen.model import Problem, ProblemKind, Trouble

INDEX = "index.html"

SITE_LIMIT = 1_000_000_000
"""Bytes in a published site ("GitHub Pages limits")."""
FILE_LIMIT = 100_000_000
"""Bytes in one file; git may bring no larger one to GitHub ("About large files on GitHub")."""


class PublishedSite:
    """A published site: the paths of its files, and its base path."""

    def __init__(self, files: Iterable[str], *, base: str = "/") -> None:
        self.files = frozenset(files)
        self.base = base
        """Begins and ends with a slash; a project's site is below `/<repository>/` ("What is GitHub Pages?")."""

    def file(self, path: str) -> str:
        """Returns the file that is sent for a path, if need be after a redirect; empty for an error."""
        path = unquote(path.partition("?")[0])
        if f"{path}/" == self.base:
            path = self.base
        if not path.startswith(self.base):
            return ""
        path = path.removeprefix(self.base)
        # A folder is answered by its index.html, spelled just so: the host distinguishes small letters from capitals
        # ("Troubleshooting 404 errors"). The ending may be left out, and the page of that name comes before the
        # folder, to which a redirect leads. With a slash at its end a file is not found (trailing-slash-guide: /file,
        # /both, /file/).
        is_folder = path == "" or path.endswith("/")
        found = (path + INDEX,) if is_folder else (path, f"{path}.html", f"{path}/{INDEX}")
        return next((file for file in found if file in self.files), "")


def unfit(sizes: Mapping[str, int]) -> Iterator[Problem]:
    """Yields what GitHub Pages does not accept in a site. `sizes` are the numbers of bytes of its files, by path."""
    for path, size in sizes.items():
        if size > FILE_LIMIT:
            found = f"it has {size:,} bytes, and GitHub accepts at most {FILE_LIMIT:,} in one file"
            yield Trouble(ProblemKind.HOST, found, "split it").at(path)
    total = sum(sizes.values())
    if total > SITE_LIMIT:
        found = f"the site has {total:,} bytes, and GitHub Pages accepts at most {SITE_LIMIT:,}"
        yield Trouble(ProblemKind.HOST, found, "build fewer releases or sources into one site").at(INDEX)
