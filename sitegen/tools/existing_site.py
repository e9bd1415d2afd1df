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


DOMAIN_FILES = ("CNAME", "docs/CNAME", "static/CNAME", "website/static/CNAME", "docs/public/CNAME")
"""Files with the domain of a site on GitHub Pages."""
DOCS_ADDRESS = r"(https?://[\w.-]+(?:/[\w./~-]*)?)"
MKDOCS = "mkdocs.yml"
DOCUSAURUS = tuple(
    f"{folder}docusaurus.config.{suffix}"
    for folder in ("", "website/", "docs/")
    for suffix in ("js", "ts")
)
SITE_URL = rf"(?m)^site_url: *[\"']?{DOCS_ADDRESS}"
DOCS_DIR = re.compile(r"(?m)^docs_dir: *[\"']?([\w./-]+)")
PLAIN_ADDRESSES = re.compile(r"(?m)^use_directory_urls: *false")
ADDRESS_RULES = (
    (MKDOCS, SITE_URL),
    *(
        (path, rf"(?m)^html_baseurl *= *[\"']{DOCS_ADDRESS}")
        for path in DOCS_TOOLS["sphinx"].settings
    ),
    ("pyproject.toml", rf"(?mi)^[\"']?(?:documentation|docs)[\"']? *= *[\"']{DOCS_ADDRESS}"),
    ("setup.cfg", rf"(?mi)^ *documentation *= *{DOCS_ADDRESS}"),
    *((path, r"^([\w-]+(?:\.[\w-]+)+)\s*$") for path in DOMAIN_FILES),
)
"""Files, and regular expressions for the address of the documentation in them."""
TITLE_RULES = (
    (MKDOCS, r"(?m)^site_name: *[\"']?([^\s\"'!#].{0,99}?)[\"']? *(?:#.*)?$"),
    *((path, r"(?m)^project *= *u?[\"']([^\"'\n]+)") for path in DOCS_TOOLS["sphinx"].settings),
    *((path, r"(?m)^  title: *[\"'`]([^\"'`\n]+)") for path in DOCUSAURUS),
)
"""Files, and regular expressions for the title of the documentation in them. Names of packages are
not used: many are those of a template."""
VERSION_FOLDER = r"(/[a-z]{2}/)[^/]+/$"
"""Matches the end of an address of Read the Docs, with its version: `/en/1.0/`."""


@dataclass(frozen=True, kw_only=True, slots=True)
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


@dataclass(frozen=True, kw_only=True, slots=True)
class ExistingSite:
    """The documentation and the live site of a repository."""

    docs: Docs | None = None
    live: PublishedPlace | None = None
    address: str = ""
    """The address of the documentation; empty if unknown."""
    title: str = ""
    """Its title, which is the name of the project in most; empty if unknown."""

    @property
    def place(self) -> str:
        """The folder of the glossary in the published site; empty for a site of its own."""
        if not self.live:
            return ""
        return self.docs.subfolder if self.docs else SUBFOLDER


def existing_site(
    folder: Path, *, host: Host | None, default: Host = HOSTS["github"]
) -> ExistingSite:
    """Returns the documentation and the live site of a repository.

    Sites of other hosts than `host`, if it is given, do not count; `default` is the host for a
    repository without a live site. Raises `SitegenError` for a bare repository.
    """
    if (folder / "objects").is_dir() and git_folder(folder) == folder:
        raise SitegenError(
            f"{folder}: a bare repository, which has no files; run `sitegen init` in a clone of it"
        )
    docs = _docs(folder)
    subfolder = docs.subfolder if docs else SUBFOLDER
    live = _configured_site(folder, host) or _other_site(folder, subfolder, host or default)
    address = _docs_address(folder)
    if live and live.host == "readthedocs":
        # Read the Docs builds the default branch as `latest`.
        address = re.sub(VERSION_FOLDER, r"\1latest/", address)
    title = next(_found(TITLE_RULES, folder), "")
    return ExistingSite(docs=docs, live=live, address=address, title=title)


# What publishes a site.


def _configured_site(folder: Path, host: Host | None) -> PublishedPlace | None:
    """Returns the site that a file of the repository says is published, or None."""
    for rule in PUBLISHING_RULES:
        if host and rule.host != host.name:
            continue
        of_host = HOSTS[rule.host].where_to_add
        for path in _matching(rule, folder):
            return PublishedPlace(
                place=path,
                effect=rule.effect,
                host=rule.host,
                where_to_add=rule.where_to_add or of_host or "add to its build command:",
                is_workflow=rule.paths == (WORKFLOWS,),
                output=_published_folder(rule, path),
            )
    return None


def _other_site(folder: Path, subfolder: str, host: Host) -> PublishedPlace | None:
    """Returns what else takes the place of the files for a host, or None."""
    if host.name in ("github", "none"):
        return _pages_branch(folder, subfolder) or _pages_folder(folder, subfolder)
    if not host.file or not (folder / host.file).exists():
        return None
    effect = "is there already, and was not changed"
    place = str(folder / host.file)
    return PublishedPlace(
        place=place, effect=effect, host=host.name, where_to_add=host.where_to_add
    )


def _matching(rule: PublishingRule, folder: Path) -> Iterator[str]:
    """Yields the files that a rule is about."""
    for pattern in rule.paths:
        for path in sorted(folder.glob(pattern)):
            if path.name == "glossary.yml":  # which init writes
                continue
            text = text_of(path)
            if all(re.search(sign, text) for sign in rule.signs):
                yield str(path)


def _published_folder(rule: PublishingRule, path: str) -> str:
    """Returns the folder that a file says is published; empty if it says none."""
    if not rule.output:
        return ""
    found = re.search(rule.output, text_of(Path(path)))
    if found is None:
        return ""
    (folder,) = filter(None, found.groups())  # an alternative of the expression has one group
    return str(PurePosixPath(folder))


def _pages_branch(folder: Path, subfolder: str) -> PublishedPlace | None:
    """Returns the site on a branch `gh-pages`, or None."""
    with suppress(GitError, OSError):
        refs = read_refs(git_folder(folder)).ids
        if f"{TRACKED}gh-pages" in refs or f"{BRANCHES}gh-pages" in refs:
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


def _docs(folder: Path) -> Docs | None:
    """Returns the documentation of the first tool that has settings in a repository, or None."""
    read_the_docs = "".join(text_of(folder / name) for name in READ_THE_DOCS)
    for name, tool in DOCS_TOOLS.items():
        named = _setting(read_the_docs, name, "configuration")
        has_folders = _setting(read_the_docs, name, "builder") == "dirhtml"
        for path in (named, *tool.settings):
            if path and (folder / path).is_file():
                return _docs_of(tool, folder, path, has_folders=has_folders)
    return None


def _docs_of(tool: DocsTool, folder: Path, path: str, *, has_folders: bool) -> Docs:
    """Returns the documentation whose tool has these settings. `has_folders` says that each page is
    published in a folder of its own."""
    parent = PurePosixPath(path).parent
    # A page `glossary.md` is published as `glossary.html`, or in the folder `glossary`.
    sources = (*tool.taken_by, *tool.pages) if has_folders else tool.taken_by
    is_taken = any((folder / parent / source).exists() for source in sources)
    return Docs(
        settings=path,
        output=str(PurePosixPath(tool.output.replace("@DIR@", str(parent)))),
        subfolder=OTHER_SUBFOLDER if is_taken else SUBFOLDER,
    )


def _setting(text: str, tool: str, key: str) -> str:
    """Returns what the settings of Read the Docs say of a tool: of `sphinx:` and below it
    `configuration: docs/conf.py`, the path; empty if they do not have the key."""
    below = r"(?:[ \t#].*\n|\n)*?"
    found = re.search(rf"(?ma)^{tool}:.*\n{below}[ \t]+{key}: *[\"']?([\w./-]+)", text)
    return found[1] if found else ""


def _docs_address(folder: Path) -> str:
    """Returns the address of the documentation; empty if no file says it. The page of a repository
    on a forge is none."""
    for found in _found(ADDRESS_RULES, folder):
        address = found.rstrip("/")
        if not web_of(address):
            return f"{address}/" if "://" in address else f"https://{address}/"
    return ""


def _found(rules: Iterable[tuple[str, str]], folder: Path) -> Iterator[str]:
    """Yields what the files that rules name say, in the order of the rules."""
    for path, pattern in rules:
        if found := re.search(pattern, text_of(folder / path)):
            yield found[1]


def mkdocs_page(folder: Path, path: str) -> str:
    """Returns the address of the page that MkDocs makes of a file: `…/guide/terms/` of
    `docs/guide/terms.md`. Empty if it makes none, or the address of its site is unknown."""
    settings = text_of(folder / MKDOCS)
    site = re.search(SITE_URL, settings)
    if not site:
        return ""
    home = site[1].rstrip("/")
    docs_dir = DOCS_DIR.search(settings)
    docs = docs_dir[1].strip("./") if docs_dir else "docs"
    file = PurePosixPath(path)
    if file.suffix != ".md" or not file.is_relative_to(docs):
        return ""
    page = file.relative_to(docs).with_suffix("")
    if page.name == "README":
        page = page.with_name("index")
    if PLAIN_ADDRESSES.search(settings):
        return f"{home}/{page}.html"
    if page.name == "index":
        page = page.parent  # "." in the top folder
    return f"{home}/{page}/".replace("/./", "/")


def text_of(path: Path) -> str:
    """Returns the text of a file; empty if it cannot be read."""
    with suppress(OSError):
        return safe_files.read(path, limit=MAX_SETTINGS_BYTES).decode("utf-8", "replace")
    return ""
