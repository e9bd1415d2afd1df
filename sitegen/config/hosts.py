"""The hosts that `sitegen init` sets a repository up for, so that a site gets there by itself.

Which files GitHub Pages takes and sends is told by `hosting`, and what Netlify and Cloudflare read from the site by
`host_files`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sitegen import __version__
from sitegen.config.forges import Web


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A place where sites are built from a repository and shown."""

    name: str
    file: str = ""
    """What its build service reads, in the repository; empty where everything is said on its own pages."""
    template: str = ""
    effect: str = ""
    """What that file does, in a few words."""
    advice: str = ""
    """What is left to do there."""
    reads_site: bool = False
    """It wants `_headers` and `_redirects` in the site."""


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
        ),
        Host(
            name="netlify",
            file="netlify.toml",
            template="hosts/netlify.toml",
            effect="builds the site on Netlify",
            advice="on Netlify: import the repository",
            reads_site=True,
        ),
        Host(
            name="cloudflare",
            advice=(
                f"on Cloudflare Pages: build command “pip install sitegen=={__version__} && sitegen build --locked”, "
                "build output directory “site”"
            ),
            reads_site=True,
        ),
        Host(name="none"),
    )
}

OF_FORGES = {"github.com": "github", "gitlab.com": "gitlab"}
"""The host that goes with a forge, which is named by the first of its addresses."""


def usual(web: Web | None) -> Host:
    """Returns the host for a repository: that of its forge; GitHub where there is nothing to go by."""
    return HOSTS[OF_FORGES.get(web.forge.hosts[0], "none") if web else "github"]


def address(host: Host, web: Web | None) -> str:
    """Returns where a host will show the site of a repository, unless told otherwise; empty where nobody can know."""
    if host.name != "github" or web is None or not web.base.startswith("https://github.com/"):
        return ""
    owner, _, name = web.base.removeprefix("https://github.com/").partition("/")
    home = f"{owner.lower()}.github.io"
    return f"https://{home}/" if name.lower() == home else f"https://{home}/{name}/"


def setup(host: Host, templates: Mapping[str, str], *, branch: str) -> str:
    """Returns the text of a host's file. `branch` is the repository's main one."""
    named = branch if re.fullmatch(r"[\w./-]+", branch) else "main"
    return templates[host.template].replace("@VERSION@", __version__).replace("@BRANCH@", json.dumps(named))
