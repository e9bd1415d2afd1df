"""Web addresses on the well-known forges: of a repository's tags, files and lines, and of where to edit a file or to
report a problem. Anything else gets no link.

A remote's address is configuration of a repository that may be hostile, so no part of it reaches a page as it is:
links are built here, over https only, from parts that were recognised and quoted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

REMOTE = re.compile(
    r"(?: (?:(?P<web>https?)|ssh|git|git\+ssh)://(?:[^/@]*@)?(?P<host>[A-Za-z0-9.-]+)(?P<port>:[0-9]+)?/+"
    r"  | (?:[A-Za-z0-9_.-]+@)(?P<scp_host>[A-Za-z0-9.-]+): )"
    r"(?P<path>[A-Za-z0-9_.~/-]+)",
    re.VERBOSE,
)

FOLDER = re.compile(
    r"(?P<base>https://[^/]+/[^/]+/.+?)/(?:(?:-/)?tree|src/branch|src)/(?P<branch>[^/]+)(?:/item)?(?:/(?P<folder>.+))?"
)
"""A folder on a branch: on every forge, the branch and the folder follow on one of these words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forge:
    """How one kind of forge addresses what it holds, below the address of a repository.

    `{kind}` is filled with tag, branch or commit, and `{ref}` with its name.
    """

    hosts: tuple[str, ...]
    """A host is recognised by its whole name or, where the entry ends with a dot, by its beginning."""
    tag: str
    branch: str
    commit: str
    line: str
    edit: str = ""
    """Empty where files are not edited on the web."""
    issue: str = ""
    default: str = ""
    """What stands for the default branch in the address for editing, where anything does."""


FORGES = (
    Forge(
        hosts=("github.com",),
        tag="releases/tag/{ref}",
        branch="tree/{ref}",
        commit="commit/{ref}",
        # `plain=1` shows Markdown and reStructuredText as text, with lines to point to.
        line="blob/{ref}/{path}?plain=1#L{line}",
        edit="edit/{ref}/{path}",
        issue="issues/new?title={title}&body={body}",
        default="HEAD",
    ),
    Forge(
        hosts=("gitlab.com", "gitlab."),
        tag="-/tags/{ref}",
        branch="-/tree/{ref}",
        commit="-/commit/{ref}",
        line="-/blob/{ref}/{path}?plain=1#L{line}",
        edit="-/edit/{ref}/{path}",
        issue="-/issues/new?issue%5Btitle%5D={title}&issue%5Bdescription%5D={body}",
    ),
    Forge(
        hosts=("codeberg.org", "gitea.", "forgejo."),
        tag="src/{kind}/{ref}",
        branch="src/{kind}/{ref}",
        commit="commit/{ref}",
        line="src/{kind}/{ref}/{path}?display=source#L{line}",
        edit="_edit/{ref}/{path}",
        issue="issues/new?title={title}&body={body}",
    ),
    Forge(
        hosts=("bitbucket.org",),
        tag="src/{ref}/",
        branch="branch/{ref}",
        commit="commits/{ref}",
        line="src/{ref}/{path}#lines-{line}",
        issue="issues/new",
    ),
    Forge(
        hosts=("git.sr.ht",),
        tag="refs/{ref}",
        branch="tree/{ref}",
        commit="commit/{ref}",
        line="tree/{ref}/item/{path}#L{line}",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """A repository's pages on a forge."""

    base: str
    forge: Forge

    def tag(self, name: str) -> str:
        return self._link(self.forge.tag, "tag", name)

    def branch(self, name: str) -> str:
        return self._link(self.forge.branch, "branch", name)

    def commit(self, id: str) -> str:
        return self._link(self.forge.commit, "commit", id)

    def lines_at_tag(self, name: str) -> str:
        """Returns an address in which `{path}` and `{line}` are still to be filled in, with `line_link`."""
        return self._link(self.forge.line, "tag", name)

    def lines_at_commit(self, id: str) -> str:
        """The same for a commit: the lines of a branch move, those of a commit stay."""
        return self._link(self.forge.line, "commit", id)

    def _link(self, pattern: str, kind: str, ref: str) -> str:
        # Not str.format: `{path}` and `{line}` have to stay. Quoting leaves no brace in the ref.
        return f"{self.base}/{pattern.replace('{kind}', kind).replace('{ref}', quote(ref, safe='/'))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where a site is made: a folder of a repository on a forge."""

    web: Web
    branch: str
    """Empty: the default branch, whatever it is called."""
    folder: str
    """Empty, or ends with a slash."""

    def edit(self, path: str) -> str:
        """Returns where a file is edited; empty where that cannot be known."""
        branch = self.branch or self.web.forge.default
        if not branch or not self.web.forge.edit:
            return ""
        return self._filled(self.web.forge.edit, ref=branch, path=path)

    def below(self, folder: str) -> str:
        """Returns the address of a folder in this one; empty where the branch cannot be known."""
        branch = self.branch or self.web.forge.default
        return f"{self.web.branch(branch)}/{quote(self.folder + folder)}" if branch else ""

    def report(self, *, title: str, body: str) -> str:
        """Returns where a problem is reported, with what is known of it filled in; empty where nobody could."""
        return self._filled(self.web.forge.issue, title=title, body=body) if self.web.forge.issue else ""

    def _filled(self, pattern: str, **values: str) -> str:
        for name, value in values.items():
            pattern = pattern.replace(f"{{{name}}}", quote(value, safe="/" if name == "path" else ""))
        return f"{self.web.base}/{pattern}"


def home_of(address: str) -> Home | None:
    """Returns what is known of a place on a forge: a repository, or a folder of it on a branch, by its address."""
    web = web_of(address)
    if web is None:
        return None
    match = FOLDER.fullmatch(web.base)
    if match is None:
        return Home(web=web, branch="", folder="")
    folder = f"{match['folder']}/" if match["folder"] else ""
    return Home(web=Web(base=match["base"], forge=web.forge), branch=match["branch"], folder=folder)


def web_of(remote: str) -> Web | None:
    """Returns the pages of a repository whose remote is on a known forge. Names and passwords in it are dropped."""
    match = REMOTE.fullmatch(remote.strip())
    if match is None:
        return None
    # A port of ssh is not one of the web; what stands at another port of the web is not known.
    if match["web"] and match["port"]:
        return None
    host = (match["host"] or match["scp_host"]).lower()
    path = match["path"].strip("/").removesuffix(".git")
    forge = next((forge for forge in FORGES if _is_at(host, forge)), None)
    if forge is None or not path or set(path.split("/")) & {"", ".", ".."}:
        return None
    return Web(base=f"https://{host}/{quote(path, safe='/~')}", forge=forge)


def _is_at(host: str, forge: Forge) -> bool:
    return any(host.startswith(known) if known.endswith(".") else host == known for known in forge.hosts)


def line_link(lines: str, *, path: str, line: int) -> str:
    """Returns the address of a line, from what `Web.lines_at_tag` gave; empty where that is."""
    return lines.replace("{path}", quote(path, safe="/")).replace("{line}", str(line))
