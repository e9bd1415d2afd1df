"""The hosts that `sitegen init` sets up a repository for.

The rules of GitHub Pages for files are in `addresses.github_pages`, the files for Netlify and Cloudflare in
`site.host_files`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sitegen.config.forges import Web


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A service that builds and publishes a site from a repository."""

    name: str
    file: str = ""
    """The configuration file of its build service in the repository; empty if it is configured on its web pages."""
    template: str = ""
    effect: str = ""
    """A short description of what that file does."""
    advice: str = ""
    """The remaining steps on the host's web pages. `@INSTALL@` is replaced with the commands that install sitegen."""
    reads_site: bool = False
    """True if the host reads `_headers` and `_redirects` from the site."""


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
                "on Cloudflare Pages: build command “@INSTALL@ && sitegen build”, build output directory “@OUTPUT@”"
            ),
            reads_site=True,
        ),
        Host(name="none"),
    )
}

OF_FORGES = {"github.com": "github", "gitlab.com": "gitlab"}
"""The host for each forge, by the first of the forge's host names."""


def usual(web: Web | None) -> Host:
    """Returns the default host for a repository: that of its forge, or GitHub if there is no remote."""
    return HOSTS[OF_FORGES.get(web.forge.hosts[0], "none") if web else "github"]


def address(host: Host, web: Web | None) -> str:
    """Returns the default address of a repository's site on a host, or an empty string if it is unknown."""
    if host.name != "github" or web is None or not web.base.startswith("https://github.com/"):
        return ""
    owner, _, name = web.base.removeprefix("https://github.com/").partition("/")
    home = f"{owner.lower()}.github.io"
    return f"https://{home}/" if name.lower() == home else f"https://{home}/{name}/"


def setup(host: Host, templates: Mapping[str, str], *, branch: str, install: Sequence[str], output: str) -> str:
    """Returns the text of a host's configuration file, with the main branch and the commands that install sitegen.

    `output` is the folder that the site is written to.
    """
    named = branch if re.fullmatch(r"[\w./-]+", branch) else "main"
    text = templates[host.template].replace("@BRANCH@", json.dumps(named)).replace("@INSTALL_CHAIN@", chain(install))
    text = text.replace("@OUTPUT@", output)
    lines = (indented for line in text.splitlines() for indented in _with_commands(line, install))
    return "\n".join(lines) + "\n"


def chain(commands: Sequence[str]) -> str:
    """Joins commands into one shell line, in which each runs only if the previous one succeeded."""
    return " && ".join(commands)


def advice(host: Host, *, install: Sequence[str], output: str = "site") -> str:
    """Returns the remaining steps on the host's web pages, or an empty string."""
    return host.advice.replace("@INSTALL@", chain(install)).replace("@OUTPUT@", output)


def _with_commands(line: str, commands: Sequence[str]) -> Iterable[str]:
    """Returns the line, or one line per command if it contains `@INSTALL@`."""
    before, found, _ = line.partition("@INSTALL@")
    return [f"{before}{command}" for command in commands] if found else [line]
