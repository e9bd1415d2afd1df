"""Sets up a repository for a host: writes the configuration of its build service, and ignores the
built site in git.

The documentation of the repository is detected, and the site that it publishes already. If there is
one, or a file of that name, nothing is written, so that no live site is replaced by accident. The
lines to add by hand are returned instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from sitegen import safe_files
from sitegen.config.hosts import DOCS_TOOLS, HOSTS, OTHER_SUBFOLDER, SUBFOLDER, Docs, Host, setup
from sitegen.model import SitegenError
from sitegen.site.templates import read_templates
from sitegen.sources.git.process import GitError, git_folder
from sitegen.sources.git.repositories import BRANCHES, TRACKED, main_branch, read_refs
from sitegen.tools.installation import Installation

MAX_BYTES = 256 * 1024
"""The maximum size of a .gitignore or a workflow that is read."""
PUBLISHING = re.compile(
    rb"actions/deploy-pages|actions-gh-pages|github-pages-deploy-action|mkdocs gh-deploy|mike "
    rb"deploy|gh-pages"
)
"""Matches a workflow that publishes a site on GitHub Pages."""
PAGES_FILES = ("CNAME", ".nojekyll", "_config.yml")
"""Files that indicate a folder that GitHub Pages publishes without a build."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LiveSite:
    """A site that the repository publishes already."""

    place: str
    """The file, folder or branch that publishes it, for messages."""
    found: str
    kind: Literal["workflow", "branch", "folder", "file"]
    """`folder` is published from the main branch without a build; `file` configures the host's
    build service."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExistingSite:
    """The documentation and the live site of a repository."""

    docs: Docs | None = None
    live: LiveSite | None = None
    is_combined: bool = False
    """True if the documentation and the glossary are to be built as one site."""

    @property
    def place(self) -> str:
        """The folder of the glossary in the published site; empty for a site of its own."""
        if not self.is_combined and not self.live:
            return ""
        return self.docs.subfolder if self.docs else SUBFOLDER


def existing_site(host: Host, folder: Path, *, into: str | None = None) -> ExistingSite:
    """Returns the documentation and the live site of a repository.

    `into` is the tool of the documentation that is to be built as one site with the glossary.
    Raises `SitegenError` for a bare repository.
    """
    if (folder / "objects").is_dir() and git_folder(folder) == folder:
        raise SitegenError(
            f"{folder}: a bare repository, which has no files; run `sitegen init` in a clone of it"
        )
    docs = docs_of(into, folder) if into else _docs(DOCS_TOOLS, folder)
    live = _live_site(folder) if host is HOSTS["github"] else None
    if host is not HOSTS["github"] and host.file and (folder / host.file).exists():
        live = LiveSite(
            place=str(folder / host.file),
            found="is there already, and was not changed",
            kind="file",
        )
    return ExistingSite(docs=docs, live=live, is_combined=bool(into))


def docs_of(tool: str, folder: Path) -> Docs:
    """Returns the documentation that a tool makes. Raises `SitegenError` if it has no settings
    there."""
    if docs := _docs([tool], folder):
        return docs
    settings = " or ".join(DOCS_TOOLS[tool].settings)
    raise SitegenError(
        f"{folder}: no {DOCS_TOOLS[tool].title} documentation: there is no {settings}"
    )


def _docs(tools: Iterable[str], folder: Path) -> Docs | None:
    """Returns the documentation that the first of the tools with settings in a repository makes."""
    found = (
        (name, path)
        for name in tools
        for path in DOCS_TOOLS[name].settings
        if (folder / path).is_file()
    )
    name, settings = next(found, ("", ""))
    if not name:
        return None
    tool, parent = DOCS_TOOLS[name], PurePosixPath(settings).parent
    commands = [command.replace("@DIR@", str(parent)) for command in tool.commands]
    requirements = (parent / "requirements.txt", PurePosixPath("docs/requirements.txt"))
    if path := next((path for path in requirements if (folder / path).is_file()), None):
        commands[0] += f" --requirement {path}"
    is_taken = any((folder / parent / path).exists() for path in tool.taken_by)
    return Docs(
        tool=name,
        settings=settings,
        commands=tuple(commands),
        output=str(PurePosixPath(tool.output.replace("@DIR@", str(parent)))),
        subfolder=OTHER_SUBFOLDER if is_taken else SUBFOLDER,
    )


def _live_site(folder: Path) -> LiveSite | None:
    """Returns the site that a repository publishes on GitHub Pages already, or None."""
    with suppress(OSError):
        for path in sorted((folder / ".github/workflows").glob("*.y*ml")):
            with suppress(OSError):
                if path.name != "glossary.yml" and PUBLISHING.search(
                    safe_files.read(path, limit=MAX_BYTES)
                ):
                    return LiveSite(
                        place=str(path),
                        found="publishes a site on GitHub Pages already",
                        kind="workflow",
                    )
    with suppress(GitError, OSError):
        refs = read_refs(git_folder(folder))
        if f"{TRACKED}gh-pages" in refs or f"{BRANCHES}gh-pages" in refs:
            return LiveSite(
                place="the branch gh-pages", found="holds a site already", kind="branch"
            )
    for place in ("docs", "."):
        for name in PAGES_FILES:
            if (folder / place / name).is_file():
                found = f"has {name}, so GitHub Pages seems to publish it"
                return LiveSite(place=str(folder / place), found=found, kind="folder")
    return None


def set_up(
    host: Host,
    folder: Path,
    *,
    installed: Installation,
    output: str,
    existing: ExistingSite,
    archive: str = "",
) -> Iterator[str]:
    """Writes the configuration of a host's build service, and yields messages, or the lines to add
    by hand.

    `installed` is how the build service installs sitegen, `output` the folder of the built site on
    the user's machine, `archive` the address of the published archive.
    """
    yield from _ignore(folder, output)
    if not host.file:
        return
    path = folder / host.file
    if existing.live or (existing.is_combined and not host.builds_docs):
        yield from _lines_to_add(host, path, installed, existing=existing, archive=archive)
        return
    docs = existing.docs if existing.is_combined else None
    branch = main_branch(".", root=folder)
    text = setup(
        host, read_templates(), branch=branch, install=installed.command, output=output, docs=docs
    )
    if not write_new(path, text):
        yield f"{path}: is there already, and was not changed"
        return
    yield f"{path}: {host.effect}"
    yield f"  {installed.note}"
    if docs:
        place = f"{host.folder or docs.output}/{docs.subfolder}"
        yield f"  it builds the documentation of {docs.settings}, and the glossary into {place}"
    elif existing.docs and host.builds_docs:
        yield (
            f"  to build the glossary into the documentation of {existing.docs.settings} "
            f"instead, delete site.toml"
        )
        yield f"  and this file, and run sitegen init --into {existing.docs.tool}"


def _lines_to_add(
    host: Host, path: Path, installed: Installation, *, existing: ExistingSite, archive: str
) -> Iterator[str]:
    """Yields instructions for adding the glossary to the site that the repository publishes
    already."""
    if live := existing.live:
        yield f"{live.place}: {live.found}"
    if not path.exists():
        yield f"{path}: is not written"
    if live and live.kind == "branch":
        yield f"  publish in a folder of it: sitegen publish --prefix {existing.place}"
        return
    if live and live.kind == "folder":
        place = PurePosixPath(live.place, existing.place)
        yield f"  build into a folder of it, and commit that: sitegen build --output {place}"
        return
    output = host.folder or (existing.docs.output if existing.docs else "FOLDER")
    archive = archive or host.archive.replace(f"/{SUBFOLDER}/", f"/{existing.place}/")
    commands = [
        installed.command,
        f"sitegen build --output {output}/{existing.place}"
        + (f" --ledger {archive}" if archive else ""),
    ]
    if live and live.kind == "workflow":
        yield "  add this step to it, before its upload, with fetch-depth: 0 for its checkout:"
        yield "    - run: |"
        yield from (f"        {command}" for command in commands)
    else:
        yield f"  {host.lines_go}"
        yield from (f"    - {command}" for command in commands)
    yield f"  {installed.note}"
    if output == "FOLDER":
        yield "  FOLDER is the folder that it publishes"


def advice(host: Host, installed: Installation, *, output: str) -> Iterator[str]:
    """Yields the remaining steps on the host's web pages."""
    if host.advice:
        yield host.advice.replace("@INSTALL@", installed.command).replace("@OUTPUT@", output)
    if "@INSTALL@" in host.advice:
        yield installed.note


def _ignore(folder: Path, output: str) -> Iterator[str]:
    """Adds the folder of the built site, and what a killed build leaves, to .gitignore, unless a
    line ignores it."""
    path = folder / ".gitignore"
    try:
        text = (
            safe_files.read(path, limit=MAX_BYTES).decode("utf-8", "surrogateescape")
            if path.exists()
            else ""
        )
        if {output, f"{output}/", f"/{output}", f"/{output}/"} & set(text.splitlines()):
            return
        existing = text if not text or text.endswith("\n") else f"{text}\n"
        lines = f"{existing}/{output}/\n/.{output}.new-*/\n"
        safe_files.replace(path, lines.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise SitegenError(f"{path}: cannot be written: {error.strerror}") from None
    yield f"{path}: ignores /{output}/, the built site"


def write_new(path: Path, text: str) -> bool:
    """Writes a new file; returns False if the name exists, even as a dangling link."""
    try:
        return safe_files.create(path, text.encode())
    except OSError as error:
        raise SitegenError(f"{path}: cannot be written: {error.strerror}") from None
