"""Sets up a repository for a host: writes the configuration of its build service, and ignores the
built site in git.

If the repository publishes a site already (`existing_site`), or has a file of that name, nothing is
written, so that no live site is replaced by accident. The lines to add by hand are returned
instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from sitegen import safe_files
from sitegen.config.hosts import SUBFOLDER, Host, setup
from sitegen.model import SitegenError
from sitegen.site.templates import read_templates
from sitegen.sources.git.repositories import default_branch_name
from sitegen.tools.existing_site import MAX_SETTINGS_BYTES, ExistingSite, PublishedPlace
from sitegen.tools.installation import Installation


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
    yield from _add_to_gitignore(folder, output)
    if existing.live:
        yield from _lines_to_add(host, installed, existing, existing.live, archive=archive)
        return
    if not host.file:
        return
    path = folder / host.file
    branch = default_branch_name(folder)
    text = setup(host, read_templates(), branch=branch, install=installed.command, output=output)
    if not write_new(path, text):
        yield f"{path}: is there already, and was not changed"
        return
    yield f"{path}: {host.effect}"
    yield f"  {installed.note}"
    if existing.docs:
        yield (
            f"  to publish it inside the documentation of {existing.docs.settings} instead, see "
            f"docs/publish.md of sitegen"
        )


def _lines_to_add(
    host: Host,
    installed: Installation,
    existing: ExistingSite,
    live: PublishedPlace,
    *,
    archive: str,
) -> Iterator[str]:
    """Yields instructions for adding the glossary to the site that the repository publishes
    already. `archive` is the address of the glossary's archive, if that is known."""
    yield f"{live.place}: {live.effect}"
    if live.command:
        yield f"  {live.command}"
        return
    output = host.folder or live.output
    if not output and existing.docs:
        output = existing.docs.output

    # `host.archive` is an address such as `$URL/glossary/archive.jsonl`, with the usual folder.
    archive_on_host = host.archive.replace(f"/{SUBFOLDER}/", f"/{existing.subfolder}/")
    archive_address = archive_on_host or archive

    # A placeholder in capitals stands for an unknown value, and a line explains it.
    placeholders = []
    if not output:
        output = "FOLDER"
        placeholders.append("  FOLDER is the folder that it publishes")
    if not archive_address:
        archive_address = "ADDRESS/archive.jsonl"
        placeholders.append("  ADDRESS is the address at which the glossary will be")
    build = f"sitegen build --output {output}/{existing.subfolder} --ledger {archive_address}"
    yield f"  {live.where_to_add}"
    if live.is_workflow:
        yield "    - run: |"
        yield f"        {installed.command}"
        yield f"        {build}"
    else:
        yield f"    - {installed.command}"
        yield f"    - {build}"
    yield f"  {installed.note}"
    yield from placeholders


def advice(host: Host, installed: Installation, *, output: str) -> Iterator[str]:
    """Yields the remaining steps, which the user has to do on the host's web pages."""
    if not host.advice:
        return
    yield host.advice.replace("@INSTALL@", installed.command).replace("@OUTPUT@", output)
    if "@INSTALL@" in host.advice:
        yield installed.note


def _add_to_gitignore(folder: Path, output: str) -> Iterator[str]:
    """Adds the folder of the built site to .gitignore, and the folders that a killed build leaves.
    Yields the message about it. If a line ignores the folder already, does nothing."""
    path = folder / ".gitignore"
    content = b""
    try:
        if path.exists():
            content = safe_files.read(path, limit=MAX_SETTINGS_BYTES)
    except OSError as error:
        raise SitegenError(f"{path}: cannot be read: {error.strerror}") from None
    spellings = {output, f"{output}/", f"/{output}", f"/{output}/"}
    is_ignored = not spellings.isdisjoint(os.fsdecode(content).splitlines())
    if is_ignored:
        return
    if content and not content.endswith(b"\n"):
        content += b"\n"
    lines = f"/{output}/\n/.{output}.new-*/\n"
    try:
        safe_files.replace(path, content + os.fsencode(lines))
    except OSError as error:
        raise _not_written(path, error) from None
    yield f"{path}: ignores /{output}/, the built site"


def write_new(path: Path, text: str) -> bool:
    """Writes a new file, and returns True. If there is a file or a link of that name, writes
    nothing, and returns False."""
    try:
        return safe_files.create(path, text.encode())
    except OSError as error:
        raise _not_written(path, error) from None


def _not_written(path: Path, error: OSError) -> SitegenError:
    """Returns the error for a file that cannot be written."""
    return SitegenError(f"{path}: cannot be written: {error.strerror}")
