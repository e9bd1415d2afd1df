"""Detects the documentation of a repository, and the site that the repository publishes already."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from sitegen.config.docs_tools import DOCS_TOOLS, Docs, DocsTool
from sitegen.config.hosts import OTHER_SUBFOLDER, SUBFOLDER
from sitegen.model import SitegenError
from sitegen.sources import safe_files
from sitegen.sources.git.process import GitError, git_folder
from sitegen.sources.git.refs import BRANCHES, TRACKED, read_refs

PUBLISHING = re.compile(
    rb"actions/deploy-pages|actions-gh-pages|github-pages-deploy-action|mkdocs gh-deploy|mike deploy|gh-pages"
)
"""Matches a workflow that publishes a site on GitHub Pages."""
PAGES_FILES = ("CNAME", ".nojekyll", "_config.yml")
"""Files that indicate a folder that GitHub Pages publishes without a build."""

MAX_BYTES = 256 * 1024
"""The maximum size of a workflow that is read."""


def docs_in(folder: Path) -> Docs | None:
    """Returns the documentation of a repository, or None without any."""
    return next((docs for tool in DOCS_TOOLS if (docs := _docs_of_tool(tool, folder))), None)


def docs_of(tool: str, folder: Path) -> Docs:
    """Returns the documentation that a tool makes. Raises `SitegenError` if it has no settings there."""
    if docs := _docs_of_tool(tool, folder):
        return docs
    settings = " or ".join(DOCS_TOOLS[tool].settings)
    raise SitegenError(f"{folder}: no {DOCS_TOOLS[tool].title} documentation: there is no {settings}")


def _docs_of_tool(tool: str, folder: Path) -> Docs | None:
    settings_of_tool = DOCS_TOOLS[tool]
    settings = next((path for path in settings_of_tool.settings if (folder / path).is_file()), None)
    if settings is None:
        return None
    parent = PurePosixPath(settings).parent
    requirements = next(
        (
            path
            for path in (parent / "requirements.txt", PurePosixPath("docs/requirements.txt"))
            if (folder / path).is_file()
        ),
        None,
    )
    commands = [command.replace("@DIR@", str(parent)) for command in _commands(settings_of_tool, folder, parent)]
    if requirements and commands and "pip install" in commands[0]:
        commands[0] += f" --requirement {requirements}"
    output = str(PurePosixPath(settings_of_tool.output.replace("@DIR@", str(parent))))
    is_taken = any((folder / parent / path).exists() for path in settings_of_tool.taken_by)
    return Docs(
        tool=tool,
        settings=settings,
        commands=tuple(commands),
        output=output,
        subfolder=OTHER_SUBFOLDER if is_taken else SUBFOLDER,
        needs=settings_of_tool.needs,
    )


def _commands(tool: DocsTool, folder: Path, parent: PurePosixPath) -> Sequence[str]:
    """Returns the commands of a tool, for the package manager that has a file of exact versions here or above."""
    for place in (parent, *parent.parents):
        for name, commands in tool.locked.items():
            if (folder / place / name).is_file():
                return [command.replace("@LOCK@", str(place)) for command in commands]
    return tool.commands


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSite:
    """A site that the repository publishes already."""

    place: str
    """The file, folder or branch that publishes it, for messages."""
    found: str
    kind: Literal["workflow", "branch", "folder", "file"]
    """`folder` is published from the main branch without a build; `file` configures the host's build service."""


def live_site(folder: Path) -> LiveSite | None:
    """Returns the site that a repository publishes on GitHub Pages already, or None."""
    with suppress(OSError):
        for path in sorted((folder / ".github/workflows").glob("*.y*ml")):
            with suppress(OSError):
                if path.name != "glossary.yml" and PUBLISHING.search(safe_files.read(path, limit=MAX_BYTES)):
                    return LiveSite(
                        place=str(path), found="publishes a site on GitHub Pages already", kind="workflow"
                    )
    with suppress(GitError, OSError):
        refs = read_refs(git_folder(folder))
        if f"{TRACKED}gh-pages" in refs or f"{BRANCHES}gh-pages" in refs:
            return LiveSite(place="the branch gh-pages", found="holds a site already", kind="branch")
    for place in ("docs", "."):
        for name in PAGES_FILES:
            if (folder / place / name).is_file():
                found = f"has {name}, so GitHub Pages seems to publish it"
                return LiveSite(place=str(folder / place), found=found, kind="folder")
    return None
