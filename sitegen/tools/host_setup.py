"""Sets a repository up for a host: writes the file that its build service reads, and ignores the built site in git.

A site that is live already is never replaced by accident. Where the repository publishes one, or has a file of that
name, nothing is written, and the lines to add are returned instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sitegen.config.hosts import HOSTS, Host, chain, setup
from sitegen.model import SitegenError
from sitegen.site.templates import read_templates
from sitegen.sources import safe_files
from sitegen.sources.git import main_branch
from sitegen.sources.git.process import GitError, git_folder
from sitegen.sources.git.refs import BRANCHES, TRACKED, read_refs
from sitegen.tools.installation import installation

PUBLISHING = re.compile(
    rb"actions/deploy-pages|actions-gh-pages|github-pages-deploy-action|mkdocs gh-deploy|mike deploy|gh-pages"
)
"""What a workflow has that publishes a site on GitHub Pages."""

MAX_BYTES = 256 * 1024
"""The largest workflow or .gitignore that is read."""


def set_up(host: Host, folder: Path, *, output: str) -> Iterator[str]:
    """Writes what a host's build service reads, and yields what was written, or the lines to add by hand."""
    yield from _ignore(folder, output)
    if not host.file:
        return
    installed = installation()
    live = _live(folder) if host is HOSTS["github"] else ""
    if live:
        yield f"{live}, which a workflow of its own would replace; {host.file} is not written"
        yield from _steps(installed.commands, output)
        return
    branch = main_branch(".", root=folder)
    text = setup(host, read_templates(), branch=branch, install=installed.commands, output=output)
    path = folder / host.file
    if write_new(path, text):
        yield f"{path}: {host.effect}"
        yield f"  it installs {installed.origin}"
        return
    yield f"{path}: is there already, and is kept"
    if host is HOSTS["gitlab"]:
        yield '  add to the script of its job `pages`, which needs GIT_DEPTH: "0":'
        yield f"    - {chain(installed.commands)}"
        yield "    - sitegen build --locked --output public/glossary"
    elif host is HOSTS["netlify"]:
        yield "  add to its build command, with the folder that it publishes:"
        yield f"    {chain(installed.commands)} && sitegen build --locked --output FOLDER/glossary"


def _steps(commands: Sequence[str], output: str) -> Iterator[str]:
    """Yields the steps for a workflow that publishes other things too."""
    yield "  add these steps to it, before its upload, with fetch-depth: 0 for its checkout:"
    yield "    - run: |"
    yield from (f"        {command}" for command in commands)
    yield "        sitegen build --locked --output FOLDER/glossary"
    yield "  or publish below a folder of the branch: sitegen publish --prefix glossary"
    yield "  and say in site.toml at which base_url the glossary will be"


def _live(folder: Path) -> str:
    """Returns what publishes a site on GitHub Pages already, as the beginning of a sentence; empty for nothing."""
    with suppress(OSError):
        for path in sorted((folder / ".github/workflows").glob("*.y*ml")):
            with suppress(OSError):
                if path.name != "glossary.yml" and PUBLISHING.search(safe_files.read(path, limit=MAX_BYTES)):
                    return f"{path}: publishes a site on GitHub Pages already"
    with suppress(GitError, OSError):
        refs = read_refs(git_folder(folder))
        if f"{TRACKED}gh-pages" in refs or f"{BRANCHES}gh-pages" in refs:
            return "the branch gh-pages: holds a site already"
    return ""


def _ignore(folder: Path, output: str) -> Iterator[str]:
    """Adds the folder of the built site to .gitignore, unless a line ignores it."""
    path = folder / ".gitignore"
    try:
        text = safe_files.read(path, limit=MAX_BYTES).decode("utf-8", "surrogateescape") if path.exists() else ""
        if {output, f"{output}/", f"/{output}", f"/{output}/"} & set(text.splitlines()):
            return
        before = text if not text or text.endswith("\n") else f"{text}\n"
        safe_files.replace(path, f"{before}/{output}/\n".encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise SitegenError(f"{path}: cannot be written: {error.strerror}") from None
    yield f"{path}: ignores /{output}/, the built site"


def write_new(path: Path, text: str) -> bool:
    """Writes a new file; returns False where anything has its name, even a link that leads nowhere."""
    try:
        return safe_files.create(path, text.encode())
    except OSError as error:
        raise SitegenError(f"{path}: cannot be written: {error.strerror}") from None
