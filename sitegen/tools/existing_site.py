"""The site that a repository publishes already.

The files by which a host is recognized are in `PUBLISHING_RULES`. Files of the checkout are only
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sitegen import safe_files
from sitegen.config.forges import web_of
from sitegen.config.hosts import (
    DOCS_TOOLS,
    HOSTS,
    OTHER_SUBFOLDER,
    PUBLISHING_RULES,
    READ_THE_DOCS,
    SUBFOLDER,
    WORKFLOWS,
    Docs,
    DocsTool,
    Host,
    PublishingRule,
)
from sitegen.model import SitegenError
from sitegen.sources.git.git_folders import git_folder
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import BRANCHES, TRACKED, read_refs

MAX_SETTINGS_BYTES = 256 * 1024
"""The maximum size of a configuration file that is read."""
PAGES_FILES = ("CNAME", ".nojekyll", "_config.yml")
"""Files that indicate a folder that GitHub Pages publishes without a build."""
DOMAIN_FILES = ("CNAME", "docs/CNAME", "static/CNAME")
"""Files with the domain of a site on GitHub Pages."""
DOCS_ADDRESS = r"(https?://[\w.-]+(?:/[\w./~-]*)?)"
MKDOCS = "mkdocs.yml"
DOCUSAURUS = tuple(
    f"{folder}docusaurus.config.{suffix}"
    for folder in ("", "website/", "docs/")
    for suffix in ("js", "ts")
)
# A text with or without quotes, then a remark: `"People's words"  # of the site`.
TITLE_TEXT = r"[\"']?([^\s\"'!#].{0,99}?)[\"']?\s*(?:\s#.*)?$"
HUGO_TITLE = rf"(?mi)^title *[=:] *{TITLE_TEXT}"
ADDRESS_RULES = (
    (MKDOCS, rf"(?m)^site_url: *[\"']?{DOCS_ADDRESS}"),
    *(
        (path, rf"(?m)^html_baseurl *= *[\"']{DOCS_ADDRESS}")
        for path in DOCS_TOOLS["sphinx"].settings
    ),
    ("pyproject.toml", rf"(?mi)^[\"']?(?:documentation|docs)[\"']? *= *[\"']{DOCS_ADDRESS}"),
    *((path, r"^([\w-]+(?:\.[\w-]+)+)\s*$") for path in DOMAIN_FILES),
)
"""Files, and regular expressions for the address of the documentation in them."""
TITLE_RULES = (
    (MKDOCS, rf"(?m)^site_name: *{TITLE_TEXT}"),
    *((path, r"(?m)^project *= *u?[\"']([^\"'\n]+)") for path in DOCS_TOOLS["sphinx"].settings),
    *((path, r"(?m)^  title: *[\"'`]([^\"'`\n]+)") for path in DOCUSAURUS),
    ("hugo.toml", HUGO_TITLE),
    ("hugo.yaml", HUGO_TITLE),
    ("config.toml", HUGO_TITLE),
    ("config.yaml", HUGO_TITLE),
)
"""Files, and regular expressions for the title of the documentation in them. Names of packages are
not used, as many come from a template."""
VERSION_FOLDER = r"(/[a-z]{2}/)[^/]+/$"
"""Matches the end of an address of Read the Docs, with its version: `/en/1.0/`."""


@dataclass(frozen=True, kw_only=True)
class PublishedPlace:
    """A site that the repository publishes already."""

    place: str
    """The file, folder or branch that publishes it, for messages."""
    effect: str
    host: str
    """The name of its host."""
    where_to_add: str = ""
    """Where to add the lines for a glossary; empty for a folder or a branch."""
    is_workflow: bool = False
    """True if these lines are a step of a workflow of GitHub."""
    output: str = ""
    """The folder that is published; empty if unknown."""
    command: str = ""
    """How to publish a glossary in a folder or on a branch; empty elsewhere."""


@dataclass(frozen=True, kw_only=True)
class ExistingSite:
    """The documentation and the live site of a repository."""

    docs: Docs | None = None
    live: PublishedPlace | None = None
    address: str = ""
    """The address of the documentation; empty if unknown."""
    title: str = ""
    """Its title, which is the name of the project in most; empty if unknown."""
    subfolder: str = ""
    """The folder of the glossary in the live site; empty without a live site."""


def existing_site(
    folder: Path, *, host: Host | None, default: Host = HOSTS["github"]
) -> ExistingSite:
    """Returns the documentation and the live site of a repository.

    If `host` is given, sites on other hosts do not count. `default` is the host for a repository
    without a live site. Raises `SitegenError` for a bare repository.
    """
    if (folder / "objects").is_dir() and git_folder(folder) == folder:
        raise SitegenError(
            f"{folder}: a bare repository, which has no files; run `sitegen init` in a clone of it"
        )
    docs = _documentation(folder)
    subfolder = docs.subfolder if docs else SUBFOLDER
    live = _configured_site(folder, host) or _other_site(folder, subfolder, host or default)
    address = _docs_address(folder)
    if live and live.host == "readthedocs":
        # Read the Docs builds the default branch as `latest`.
        address = re.sub(VERSION_FOLDER, r"\1latest/", address)
    title = next(_values_in_files(TITLE_RULES, folder), "")
    return ExistingSite(
        docs=docs, live=live, address=address, title=title, subfolder=subfolder if live else ""
    )


# What publishes a site.


def _configured_site(folder: Path, host: Host | None) -> PublishedPlace | None:
    """Returns the site that is published by a file of the repository, such as a workflow; None if
    there is no such file."""
    for rule in PUBLISHING_RULES:
        if host and rule.host != host.name:
            continue
        where_of_host = HOSTS[rule.host].where_to_add or "add to its build command:"
        is_workflow_of_github = rule.paths == (WORKFLOWS,)
        for path in _matching_files(rule, folder):  # the first one counts
            return PublishedPlace(
                place=path,
                effect=rule.effect,
                host=rule.host,
                where_to_add=rule.where_to_add or where_of_host,
                is_workflow=is_workflow_of_github,
                output=_published_folder(rule, path),
            )
    return None


def _other_site(folder: Path, subfolder: str, host: Host) -> PublishedPlace | None:
    """Returns a live site that no rule recognizes: on a branch `gh-pages`, in a folder, or of the
    host whose file is there already. None if there is none."""
    if host.name in ("github", "none"):  # with "none", `sitegen publish` pushes to GitHub Pages
        return _pages_branch(folder, subfolder) or _pages_folder(folder, subfolder)
    if not host.file or not (folder / host.file).exists():
        return None
    effect = "is there already, and was not changed"
    place = str(folder / host.file)
    return PublishedPlace(
        place=place, effect=effect, host=host.name, where_to_add=host.where_to_add
    )


def _matching_files(rule: PublishingRule, folder: Path) -> Iterator[str]:
    """Yields the files that publish a site by a rule: their path and their text match it."""
    for pattern in rule.paths:
        for path in sorted(folder.glob(pattern)):
            if path.name == "glossary.yml":  # `sitegen init` writes it for the glossary
                continue
            text = text_of(path)
            if all(re.search(sign, text) for sign in rule.signs):
                yield str(path)


def _published_folder(rule: PublishingRule, path: str) -> str:
    """Returns the folder that a file says is published; empty if it says none."""
    if not rule.output:
        return ""
    match = re.search(rule.output, text_of(Path(path)))
    if match is None:
        return ""
    # Each alternative of the expression has a group; only that of the matching one is set.
    (folder,) = filter(None, match.groups())
    return str(PurePosixPath(folder))


def _pages_branch(folder: Path, subfolder: str) -> PublishedPlace | None:
    """Returns the site on a branch `gh-pages`, here or on the remote; None if there is none."""
    with suppress(GitError, OSError):  # the folder may be in no repository
        refs, _ = read_refs(git_folder(folder))
        is_on_remote = f"{TRACKED}gh-pages" in refs
        is_here = f"{BRANCHES}gh-pages" in refs
        if is_on_remote or is_here:
            return PublishedPlace(
                place="the branch gh-pages",
                effect="holds a site already",
                host="github",
                command="build into a folder of what is pushed there: "
                f"sitegen build --output FOLDER/{subfolder}",
            )
    return None


def _pages_folder(folder: Path, subfolder: str) -> PublishedPlace | None:
    """Returns the folder that GitHub Pages seems to publish as it is, or None."""
    for place in ("docs", "."):
        for name in PAGES_FILES:
            if (folder / place / name).is_file():
                output = PurePosixPath(folder / place, subfolder)
                return PublishedPlace(
                    place=str(folder / place),
                    effect=f"has {name}, so GitHub Pages seems to publish it",
                    host="github",
                    command="build into a folder of it, and commit that: "
                    f"sitegen build --output {output}",
                )
    return None


# The documentation.


def _documentation(folder: Path) -> Docs | None:
    """Returns the documentation of the first tool that has settings in a repository, or None."""
    read_the_docs = "".join(text_of(folder / name) for name in READ_THE_DOCS)
    for name, tool in DOCS_TOOLS.items():
        configured_path = _setting(read_the_docs, name, "configuration")
        has_folders = _setting(read_the_docs, name, "builder") == "dirhtml"
        for path in (configured_path, *tool.settings):
            if path and (folder / path).is_file():
                return _docs_of(tool, folder, path, has_folders=has_folders)
    return None


def _docs_of(tool: DocsTool, folder: Path, path: str, *, has_folders: bool) -> Docs:
    """Returns the documentation with the settings of a tool at `path`. `has_folders` is True if
    each page is published in a folder of its own."""
    parent = PurePosixPath(path).parent
    # If one of these files exists, the documentation has a page of its own in `glossary`.
    files_at_subfolder = tool.taken_by
    if has_folders:  # `glossary.md` becomes `glossary/index.html`
        files_at_subfolder += tool.pages
    is_taken = any((folder / parent / file).exists() for file in files_at_subfolder)
    return Docs(
        settings=path,
        output=str(PurePosixPath(tool.output.replace("@DIR@", str(parent)))),
        subfolder=OTHER_SUBFOLDER if is_taken else SUBFOLDER,
    )


def _setting(text: str, tool: str, key: str) -> str:
    """Returns the value of a key in the settings of Read the Docs, below the name of a tool; empty
    if there is none.

    In `sphinx:` with `configuration: docs/conf.py` below it, the value is `docs/conf.py`.
    """
    indented_lines = r"(?:[ \t#].*\n|\n)*?"
    value = r"[\"']?([\w./-]+)"
    match = re.search(rf"(?ma)^{tool}:.*\n{indented_lines}[ \t]+{key}: *{value}", text)
    return match[1] if match else ""


def _docs_address(folder: Path) -> str:
    """Returns the address of the documentation, with a slash at the end; empty if no file has
    it."""
    for value in _values_in_files(ADDRESS_RULES, folder):
        address = value.removesuffix("index.html").rstrip("/")
        is_repository_page = web_of(address) is not None
        if is_repository_page:
            continue
        has_scheme = "://" in address
        return f"{address}/" if has_scheme else f"https://{address}/"
    return ""


def _values_in_files(rules: Iterable[tuple[str, str]], folder: Path) -> Iterator[str]:
    """Yields what the regular expression of each rule finds in its file, in the order of the
    rules."""
    for path, pattern in rules:
        match = re.search(pattern, text_of(folder / path))
        if match:
            yield match[1]


def text_of(path: Path) -> str:
    """Returns the text of a file; empty if it cannot be read, is a link or is too large."""
    with suppress(OSError, SitegenError):
        return safe_files.read(path, limit=MAX_SETTINGS_BYTES).decode("utf-8", "replace")
    return ""
