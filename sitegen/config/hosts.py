"""The hosts for which `sitegen init` sets up a repository, and by which files it recognizes hosts
and documentation tools.

The file for Netlify and Cloudflare is in `site.exports`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sitegen.config.forges import Web

SUBFOLDER = "glossary"
"""The folder of a glossary in a site that has other pages too."""
OTHER_SUBFOLDER = "terms"
"""The folder if another page of the site is in `SUBFOLDER`."""


@dataclass(frozen=True, kw_only=True)
class Host:
    """A service that builds and publishes a site from a repository."""

    name: str
    file: str = ""
    """The configuration file of its build service in the repository; empty if it is configured on
    its web pages."""
    template: str = ""
    effect: str = ""
    """A short description of what that file does."""
    advice: str = ""
    """The remaining steps on the host's web pages. `@INSTALL@` is replaced with the command that
    installs sitegen."""
    reads_headers: bool = False
    """True if the host reads `_headers` from the site."""
    archive: str = ""
    """The address of the published archive of a glossary in `SUBFOLDER`, with variables of the
    build service."""
    folder: str = ""
    """The folder that the host publishes, if it prescribes one."""
    where_to_add: str = ""
    """Says where in an existing configuration file to add the lines for a glossary."""


HOSTS = {
    host.name: host
    for host in (
        Host(
            name="github",
            file=".github/workflows/glossary.yml",
            template="hosts/github.yml",
            effect="builds the site on every push, and puts it on GitHub Pages",
            advice="on GitHub: Settings, Pages, Source: choose GitHub Actions",
        ),
        Host(
            name="gitlab",
            file=".gitlab-ci.yml",
            template="hosts/gitlab.yml",
            effect="builds the site on every push, and puts it on GitLab Pages",
            archive='"$CI_PAGES_URL/glossary/archive.jsonl"',
            where_to_add='add to the script of its job `pages`, which needs GIT_DEPTH: "0" and the '
            "artifact public:",
            folder="public",
        ),
        Host(
            name="netlify",
            file="netlify.toml",
            template="hosts/netlify.toml",
            effect="builds the site on Netlify",
            advice="on Netlify: import the repository",
            reads_headers=True,
            archive='"$URL/glossary/archive.jsonl"',
            where_to_add="add to its build command, joined with &&:",
        ),
        Host(
            name="readthedocs",
            file=".readthedocs.yaml",
            template="hosts/readthedocs.yaml",
            effect="builds the site on Read the Docs",
            advice="on Read the Docs: add the project, which reads this file",
            archive='"${READTHEDOCS_CANONICAL_URL%/}/glossary/archive.jsonl"',
            folder="$READTHEDOCS_OUTPUT/html",
            where_to_add="add `git fetch --unshallow --tags || true` to build.jobs.post_checkout, "
            "and to build.jobs.post_build (where the file has build.commands, all to these):",
        ),
        Host(
            name="cloudflare",
            advice=(
                "on Cloudflare Pages: build command “@INSTALL@ && sitegen build”, build output "
                "directory “@OUTPUT@”"
            ),
            reads_headers=True,
        ),
        Host(name="none"),
    )
}

HOST_OF_FORGE = {"github.com": "github", "gitlab.com": "gitlab"}
"""The host for each forge, by the first of the forge's host names."""


class PublishingRule(NamedTuple):
    """A file that says that something publishes a site, and the host that this is."""

    paths: tuple[str, ...]
    """Patterns for the file, the usual one first."""
    host: str
    effect: str
    signs: tuple[str, ...] = ()
    """Regular expressions, all of which the text has to have."""
    where_to_add: str = ""
    """Says where to add the lines for a glossary; empty if `Host.where_to_add` says it."""
    output: str = ""
    """A regular expression for the folder that is published."""


READ_THE_DOCS = (".readthedocs.yaml", ".readthedocs.yml", "readthedocs.yml")
WORKFLOWS = ".github/workflows/*.y*ml"
GITHUB_PAGES = (
    r"actions/deploy-pages|actions-gh-pages|github-pages-deploy-action|mkdocs gh-deploy|mike deploy"
    r"|ghp-import|push [^\n]{0,99}gh-pages|gh-pages (-d|--dist)|branch: *[\"']?gh-pages"
)
UPLOAD = (
    r"cloudflare/(wrangler|pages)-action|wrangler pages|netlify deploy|actions-netlify|vercel"
    r"|aws s3 (sync|cp)|s3-sync-action|firebase|surge |rsync "
)
DOCS_BUILD = r"sphinx|mkdocs|docusaurus|vitepress|antora|zensical|hugo|docs"
UPLOADED = (
    r"upload-pages-artifact@(?:.|\n){0,300}?path: *[\"']?([\w./-]+)"
    r"|(?:publish_dir|folder): *[\"']?([\w./-]+)"
)
BEFORE_UPLOAD = "add after the docs are built, with fetch-depth: 0 for the checkout:"

PUBLISHING_RULES = (
    PublishingRule(READ_THE_DOCS, "readthedocs", "builds documentation on Read the Docs"),
    PublishingRule(
        ("netlify.toml", "*/netlify.toml"),
        "netlify",
        "builds a site on Netlify",
        output=r"(?m)^ *publish *= *[\"']([\w./-]+)",
    ),
    PublishingRule(
        (".gitlab-ci.yml",),
        "gitlab",
        "publishes a site on GitLab Pages",
        signs=(r"(?m)^pages:|^ +pages: *(true)?$",),
    ),
    PublishingRule(
        (WORKFLOWS,),
        "github",
        "publishes a site on GitHub Pages already",
        (GITHUB_PAGES,),
        BEFORE_UPLOAD,
        UPLOADED,
    ),
    PublishingRule(
        (WORKFLOWS,), "none", "publishes documentation", (DOCS_BUILD, UPLOAD), BEFORE_UPLOAD
    ),
    PublishingRule(
        ("vercel.json", "*/vercel.json"),
        "none",
        "publishes a site on Vercel",
        output=r'"outputDirectory": *"([\w./-]+)"',
    ),
)
"""The rules by which `init` recognizes the host of a site. The first rule that fits counts."""


@dataclass(frozen=True, kw_only=True)
class DocsTool:
    """A documentation tool. `@DIR@` is replaced by the folder of the tool's settings in a
    repository."""

    settings: tuple[str, ...]
    """The possible paths of the settings file, the usual one first."""
    output: str
    """The folder to which the documentation is built."""
    taken_by: tuple[str, ...] = ()
    """Files and folders beside the settings that are published in a folder `glossary`. If there is
    one, our glossary needs another folder."""
    pages: tuple[str, ...] = ()
    """Further such files, if each page is published in a folder of its own."""


DOCS_TOOLS = {
    "sphinx": DocsTool(
        settings=tuple(
            f"{folder}/conf.py" for folder in ("docs", "doc", "docs/source", "doc/source", "source")
        ),
        output="@DIR@/_build/html",
        taken_by=("glossary",),
        pages=("glossary.rst", "glossary.md", "glossary.txt"),
    ),
    "mkdocs": DocsTool(
        settings=("mkdocs.yml",),
        output="site",
        taken_by=("docs/glossary.md", "docs/glossary"),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Docs:
    """The documentation of a repository. Paths are relative to the repository."""

    settings: str
    """The file with its settings."""
    output: str
    """The folder to which it is built."""
    subfolder: str
    """The folder of the output to which the glossary is written."""


def default_host(web: Web | None) -> Host:
    """Returns the default host for a repository: that of its forge, which may be `none`, or GitHub
    if it has no remote on a known forge."""
    if web is None:
        return HOSTS["github"]
    return HOSTS[HOST_OF_FORGE.get(web.forge.hosts[0], "none")]


def default_address(host: Host, web: Web | None) -> str:
    """Returns the default address of a repository's site on GitHub Pages; an empty string for
    other hosts and repositories."""
    github = "https://github.com/"
    if host.name != "github" or web is None or not web.base.startswith(github):
        return ""
    owner, _, name = web.base.removeprefix(github).partition("/")
    home = f"{owner.lower()}.github.io"
    if name.lower() == home:  # a repository of this name is the owner's own site
        return f"https://{home}/"
    return f"https://{home}/{name}/"


def setup(
    host: Host, templates: Mapping[str, str], *, branch: str, install: str, output: str
) -> str:
    """Returns the text of a host's configuration file.

    `branch` is the branch that is published, `install` the command that installs sitegen, and
    `output` the folder to which the site is written.
    """
    is_safe_in_template = re.fullmatch(r"[\w./-]+", branch) is not None
    branch_name = branch if is_safe_in_template else "main"  # else it could change the YAML
    text = templates[host.template].replace("@BRANCH@", json.dumps(branch_name))
    return text.replace("@INSTALL@", install).replace("@OUTPUT@", output)
