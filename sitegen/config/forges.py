"""Addresses of repositories, and links to well-known forges: to tags, files, lines, editing and
problem reports.

Repositories on other servers get no links. A remote's address is configuration of a repository that
may be hostile, so it is never copied to a page: links are built here, with https only, from
recognized and quoted parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from sitegen.text.credentials import shown_address

PROTOCOLS = ("https", "ssh", "git", "file")
"""Protocols that transfer only git data."""

REPOSITORY_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.+|[\w.-]+@[\w.-]+:[^:].*", re.DOTALL)


def is_address(repository: str) -> bool:
    """True for `https://host/path` and `user@host:path`; anything else is a local folder."""
    return bool(REPOSITORY_ADDRESS.fullmatch(repository))


def protocol(address: str) -> str:
    """Returns the protocol of an address in lower case."""
    if "://" in address:
        return address.partition("://")[0].lower()
    return "ssh"  # `git@host:path`


def last_name(place: str) -> str:
    """Returns the short name of a repository.

    >>> last_name("https://example.org/a/b.git")
    'b'
    """
    name = re.split(r"[/:\\]", shown_address(place).rstrip("/"))[-1]
    return name.removesuffix(".git") or name  # a folder may be called ".git"


REMOTE = re.compile(
    r"(?: (?:(?P<web>https?)|ssh|git|git\+ssh)://(?:[^/@]*@)?(?P<host>[A-Za-z0-9.-]+)(?P<port>:[0-9]+)?/+"
    r"  | (?:[A-Za-z0-9_.-]+@)(?P<scp_host>[A-Za-z0-9.-]+): )"
    r"(?P<path>[A-Za-z0-9_.~/-]+)",
    re.VERBOSE,
)

FOLDER = re.compile(
    r"(?P<base>https://[^/]+/[^/]+/.+?)/(?:(?:-/)?tree|src/branch)/(?P<branch>[^/]+)(?:/(?P<folder>.+))?"
)
"""The URL of a folder on a branch. On every forge, branch and folder follow one of these words."""


RefKind = Literal["tag", "branch", "commit"]


@dataclass(frozen=True, kw_only=True)
class Forge:
    """The URL patterns of one kind of forge, relative to a repository's address.

    `{ref}` is replaced with the name of a tag or branch, or the id of a commit, and `{kind}` with
    what it is.
    """

    hosts: tuple[str, ...]
    """Host names. One that ends with a dot, as `gitlab.`, stands for all hosts that begin so."""
    page: Mapping[RefKind, str]
    """The pattern of the page of a tag, a branch or a commit."""
    line: str
    edit: str
    issue: str
    default: str = ""
    """The name that means the default branch in edit URLs; empty if there is none."""

    def has(self, host: str) -> bool:
        """True for the name of one of its hosts."""
        for name in self.hosts:
            is_beginning = name.endswith(".")
            if host == name or (is_beginning and host.startswith(name)):
                return True
        return False


FORGES = (
    Forge(
        hosts=("github.com",),
        page={"tag": "releases/tag/{ref}", "branch": "tree/{ref}", "commit": "commit/{ref}"},
        # `plain=1` shows Markdown and reStructuredText as text, with lines to point to.
        line="blob/{ref}/{path}?plain=1#L{line}",
        edit="edit/{ref}/{path}",
        issue="issues/new?title={title}&body={body}",
        default="HEAD",
    ),
    Forge(
        hosts=("gitlab.com", "gitlab."),
        page={"tag": "-/tags/{ref}", "branch": "-/tree/{ref}", "commit": "-/commit/{ref}"},
        line="-/blob/{ref}/{path}?plain=1#L{line}",
        edit="-/edit/{ref}/{path}",
        issue="-/issues/new?issue%5Btitle%5D={title}&issue%5Bdescription%5D={body}",
    ),
    Forge(
        hosts=("codeberg.org", "gitea.", "forgejo."),
        page={"tag": "src/tag/{ref}", "branch": "src/branch/{ref}", "commit": "commit/{ref}"},
        line="src/{kind}/{ref}/{path}?display=source#L{line}",
        edit="_edit/{ref}/{path}",
        issue="issues/new?title={title}&body={body}",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Web:
    """The web pages of a repository on a forge."""

    base: str
    forge: Forge

    def page(self, kind: RefKind, ref: str) -> str:
        """Returns the address of a tag, a branch or a commit."""
        return self._link(self.forge.page[kind], kind, ref)

    def lines(self, kind: RefKind, ref: str) -> str:
        """Returns a URL pattern that still contains `{path}` and `{line}`, for `line_link`. Lines
        of a branch move, so it is for a tag or a commit."""
        return self._link(self.forge.line, kind, ref)

    def _link(self, pattern: str, kind: RefKind, ref: str) -> str:
        """Returns the address for a tag, a branch or a commit, by a pattern of the forge."""
        # Not str.format: `{path}` and `{line}` must remain. Quoting removes braces from the ref.
        place = pattern.replace("{kind}", kind).replace("{ref}", quote(ref, safe="/"))
        return f"{self.base}/{place}"


@dataclass(frozen=True, kw_only=True)
class WebFolder:
    """The folder of a repository on a forge that contains the site's sources."""

    web: Web
    branch: str
    """Empty for the default branch."""
    folder: str
    """Empty, or ends with a slash."""

    def edit(self, path: str) -> str:
        """Returns the URL for editing a file; empty if the branch is unknown."""
        branch = self.branch or self.web.forge.default
        if not branch:
            return ""
        return self._filled(self.web.forge.edit, ref=branch, path=path)

    def report(self, *, title: str, body: str) -> str:
        """Returns the URL for reporting a problem with title and text filled in."""
        return self._filled(self.web.forge.issue, title=title, body=body)

    def _filled(self, pattern: str, **values: str) -> str:
        """Returns the address with these values, which are quoted, by a pattern of the forge."""
        for name, value in values.items():
            unquoted = "/" if name == "path" else ""
            pattern = pattern.replace(f"{{{name}}}", quote(value, safe=unquoted))
        return f"{self.web.base}/{pattern}"


def web_folder(address: str) -> WebFolder | None:
    """Parses the address of a repository, or of a folder on one of its branches. Returns None for
    unknown forges.

    `https://github.com/a/b/tree/main/docs` is the folder `docs/` on the branch `main` of the
    repository `https://github.com/a/b`.
    """
    web = web_of(address)
    if web is None:
        return None
    match = FOLDER.fullmatch(web.base)  # `web_of` has taken the whole path as that of a repository
    if match is None:
        return WebFolder(web=web, branch="", folder="")
    folder = f"{match['folder']}/" if match["folder"] else ""
    repository = Web(base=match["base"], forge=web.forge)
    return WebFolder(web=repository, branch=match["branch"], folder=folder)


def web_of(remote: str) -> Web | None:
    """Returns the web pages of a repository, or None for an unknown forge.

    The pages of `git@github.com:a/b.git` are at `https://github.com/a/b`: user names and passwords
    are dropped.
    """
    match = REMOTE.fullmatch(remote.strip())
    if match is None:
        return None
    # An ssh port says nothing about the web server. An http(s) address with a port is not a known
    # forge.
    if match["web"] and match["port"]:
        return None
    host = (match["host"] or match["scp_host"]).lower()
    path = match["path"].strip("/").removesuffix(".git")
    if any(name in ("", ".", "..") for name in path.split("/")):
        return None
    if path.endswith(".wiki"):
        return None  # it has no pages for commits and lines of its files
    for forge in FORGES:
        if forge.has(host):
            return Web(base=f"https://{host}/{quote(path, safe='/~')}", forge=forge)
    return None


def file_link(lines: str, *, path: str) -> str:
    """Returns the URL of a file, from a pattern for lines; empty if the pattern is empty."""
    return re.split("[?#]", lines)[0].replace("{path}", quote(path, safe="/"))


def line_link(lines: str, *, path: str, line: int) -> str:
    """Returns the URL of a line, from the pattern of `Web.lines`; empty if the pattern is
    empty."""
    return lines.replace("{path}", quote(path, safe="/")).replace("{line}", str(line))
