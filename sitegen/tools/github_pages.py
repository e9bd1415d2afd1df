"""GitHub Pages: the file that it sends for an address, and the files that it does not accept.

Each rule below names its source: GitHub's documentation (docs.github.com,
under Pages), the action that uploads a site (github.com/actions/upload-pages-artifact), or, where GitHub is silent,
what others observed (github.com/slorber/trailing-slash-guide, a table of what hosts do with slashes and endings).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.text.names import folded_path, is_portable_name

INDEX = "index.html"

SITE_LIMIT = 1_000_000_000
"""Bytes in a published site ("GitHub Pages limits")."""
FILE_LIMIT = 100_000_000
"""Bytes in one file; git may bring no larger one to GitHub ("About large files on GitHub")."""


class PublishedSite:
    """A published site: the paths of its files, and its base path."""

    def __init__(self, files: Iterable[str], *, base: str = "/") -> None:
        # The step that uploads a site leaves out names that begin with a dot (action.yml, `include-hidden-files`).
        self.files = frozenset(path for path in files if not is_hidden(path))
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


def is_hidden(path: str) -> bool:
    """True for a path with a part that begins with a dot."""
    return any(part.startswith(".") for part in path.split("/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFile:
    """A file, folder or link in a site's folder."""

    path: str
    kind: Literal["file", "folder", "link", "other"] = "file"
    size: int = 0
    mode: int = 0o644
    """Permission bits."""


def unfit(files: Iterable[SiteFile]) -> Iterator[Problem]:
    """Yields the files that GitHub Pages, or a disk on which the site is built or cloned, does not accept."""
    files = sorted(files, key=lambda file: file.path)
    for file in files:
        for found, wanted in _faults(file):
            yield Trouble(ProblemKind.HOST, found, wanted).at(file.path)
    yield from _collisions(files)
    size = sum(file.size for file in files)
    if size > SITE_LIMIT:
        found = f"the site has {size:,} bytes, and GitHub Pages takes {SITE_LIMIT:,}"
        wanted = "build fewer releases or sources into one site"
        yield Trouble(ProblemKind.HOST, found, wanted).at(INDEX)


def _faults(file: SiteFile) -> Iterator[tuple[str, str]]:
    name = file.path.rpartition("/")[2]
    if file.kind == "link":
        # The upload step follows links, so that what they lead to would be published (action.yml, `--dereference`);
        # an archive with links in it is refused (README.md, "Artifact validation").
        yield "a symbolic link", "put what it leads to in its place"
    elif file.kind == "other":
        yield "neither a file nor a folder", "remove it"
    else:
        # Everybody must be able to read files, and to read and enter folders (README.md, "File permissions").
        needed, usual = (0o505, 0o755) if file.kind == "folder" else (0o404, 0o644)
        if file.mode & needed != needed:
            yield f"not everybody may read it: its mode is {file.mode:04o}", f"chmod {usual:o}"
    if name.startswith(".") and file.path != ".nojekyll":
        yield "begins with a dot, and is left out when the site is uploaded", "give it another name"
    elif not is_portable_name(name):
        yield "a name that not every disk can hold", "give it another name"
    if file.size > FILE_LIMIT:
        yield f"it has {file.size:,} bytes, and GitHub takes {FILE_LIMIT:,} in one file", "split it"


def _collisions(files: Iterable[SiteFile]) -> Iterator[Problem]:
    """Yields a problem for each path that equals another one on a disk that ignores case."""
    first: dict[str, str] = {}
    for file in files:
        earlier = first.setdefault(folded_path(file.path), file.path)
        if earlier != file.path:
            found, wanted = f"some disks take it for {earlier}", "keep one, or give it another name"
            yield Trouble(ProblemKind.HOST, found, wanted).at(file.path)
