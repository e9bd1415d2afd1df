"""Sets up a repository for a host: writes the configuration of its build service, and ignores the built site in git.

If the repository already publishes a site, or has a file of that name, nothing is written, so that no live site is
replaced by accident. The lines to add by hand are returned instead.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sitegen.config.docs_tools import Docs
from sitegen.config.hosts import HOSTS, SUBFOLDER, Host, setup
from sitegen.model import SitegenError
from sitegen.site.templates import read_templates
from sitegen.sources import safe_files
from sitegen.sources.git.process import git_folder
from sitegen.sources.git.repositories import main_branch
from sitegen.tools.docs_site import LiveSite, docs_in, docs_of, live_site
from sitegen.tools.installation import installation

MAX_BYTES = 256 * 1024
"""The maximum size of a .gitignore that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The documentation and the live site of a repository."""

    docs: Docs | None = None
    live: LiveSite | None = None
    is_inside: bool = False
    """True if the documentation and the glossary are to be built as one site."""

    @property
    def place(self) -> str:
        """The folder of the glossary in the published site; empty for a site of its own."""
        if not self.is_inside and not self.live:
            return ""
        return self.docs.subfolder if self.docs else SUBFOLDER


def surroundings(host: Host, folder: Path, *, into: str | None = None) -> Surroundings:
    """Returns the documentation and the live site of a repository.

    `into` is the tool of the documentation that is to be built as one site with the glossary. Raises `SitegenError`
    for a bare repository.
    """
    if (folder / "objects").is_dir() and git_folder(folder) == folder:
        raise SitegenError(f"{folder}: a bare repository, which has no files; run `sitegen init` in a clone of it")
    docs = docs_of(into, folder) if into else docs_in(folder)
    live = live_site(folder) if host is HOSTS["github"] else None
    if host is not HOSTS["github"] and host.file and (folder / host.file).exists():
        live = LiveSite(place=str(folder / host.file), found="is there already, and is kept", kind="file")
    return Surroundings(docs=docs, live=live, is_inside=bool(into))


def set_up(host: Host, folder: Path, *, output: str, around: Surroundings, ledger: str = "") -> Iterator[str]:
    """Writes the configuration of a host's build service, and yields messages, or the lines to add by hand.

    `output` is the folder of the built site on the user's machine, `ledger` the address of the published ledger.
    """
    yield from _ignore(folder, output)
    if not host.file:
        return
    installed, path = installation(), folder / host.file
    if around.live or (around.is_inside and not host.builds_docs):
        if around.live:
            yield f"{around.live.place}: {around.live.found}"
        if not path.exists():
            yield f"{path}: is not written"
        yield from _lines_to_add(
            host,
            installed.commands,
            around=around,
            ledger=ledger or host.ledger.replace(f"/{SUBFOLDER}/", f"/{around.place}/"),
        )
        return
    docs = around.docs if around.is_inside else None
    text = setup(
        host,
        read_templates(),
        branch=main_branch(".", root=folder),
        install=installed.commands,
        output=output,
        docs=docs,
    )
    if not write_new(path, text):
        yield f"{path}: is there already, and is kept"
        return
    yield f"{path}: {host.effect}"
    yield f"  it installs {installed.origin}"
    if docs:
        place = f"{host.folder or docs.output}/{docs.subfolder}"
        yield f"  it builds the documentation of {docs.settings}, and the glossary into {place}"
    elif around.docs and host.builds_docs:
        again = f"sitegen init --into {around.docs.tool} {'' if folder == Path() else shlex.quote(str(folder))}"
        yield f"  to build the glossary into the documentation of {around.docs.settings} instead:"
        yield f"    rm {folder / 'site.toml'} {path} && {again}".rstrip()


def _lines_to_add(host: Host, install: Sequence[str], *, around: Surroundings, ledger: str) -> Iterator[str]:
    """Yields instructions for adding the glossary to the site that the repository publishes already."""
    live = around.live
    if live and live.kind == "branch":
        yield f"  publish in a folder of it: sitegen publish --prefix {around.place}"
        return
    if live and live.kind == "folder":
        place = PurePosixPath(live.place, around.place)
        yield f"  build into a folder of it, and commit that: sitegen build --output {place}"
        return
    output = host.folder or (around.docs.output if around.docs else "FOLDER")
    commands = [
        *install,
        f"sitegen build --output {output}/{around.place}" + (f" --ledger {ledger}" if ledger else ""),
    ]
    if live and live.kind == "workflow":
        yield "  add this step to it, before its upload, with fetch-depth: 0 for its checkout:"
        yield "    - run: |"
        yield from (f"        {command}" for command in commands)
    else:
        yield f"  {host.lines_go}"
        yield from (f"    - {command}" for command in commands)
    if output == "FOLDER":
        yield "  FOLDER is the folder that it publishes"


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
    """Writes a new file; returns False if the name exists, even as a dangling link."""
    try:
        return safe_files.create(path, text.encode())
    except OSError as error:
        raise SitegenError(f"{path}: cannot be written: {error.strerror}") from None
