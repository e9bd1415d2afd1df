"""How this copy of sitegen was installed, and the command that installs the same on another
computer.

pip and other installers record where a distribution came from in `direct_url.json` (PEP 610),
unless it came from an index. The command names only what this copy came from: another name on an
index can be registered by anyone.
"""

from __future__ import annotations

import json
import re
import shlex
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from sitegen import DISTRIBUTION, __version__
from sitegen.model import SitegenError
from sitegen.sources.git.git_folders import git_folder
from sitegen.sources.git.process import GitError, run
from sitegen.sources.git.repositories import SHORT, remotes
from sitegen.text.credentials import shown_address

PIP = "python -I -m pip install"
"""Without -I, Python would run a `pip.py` or `types.py` of the checkout."""
TO_EDIT = f'echo "EDIT THIS LINE, as in {PIP} git+https://HOST/PATH@COMMIT" && exit 1'
"""The command if it is unknown how to install this copy."""
PUBLIC_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]+)?/[\w./~%+-]+", re.ASCII)
"""Matches an address without a user, and without characters that a shell or YAML interprets."""
NAMED_ADDRESS = re.compile(
    rf"(git\+{PUBLIC_ADDRESS.pattern}(@[\w./+-]+)?|{PUBLIC_ADDRESS.pattern}\.(whl|tar\.gz|zip))(#[\w=&.-]+)?",
    re.ASCII,
)
COMMIT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Installation(NamedTuple):
    """The way to install sitegen on another computer."""

    command: str
    """A shell command."""
    note: str
    """A line for messages: what the command installs, or why that is unknown."""


def named_installation(requirement: str) -> Installation:
    """Returns how to install what the user names: a version, or an address. Raises `SitegenError`
    for anything else, such as a folder or another distribution."""
    if NAMED_ADDRESS.fullmatch(requirement):
        return _with_pip(requirement)
    try:
        version = Requirement(requirement)
    except InvalidRequirement:
        version = None
    is_version_of_sitegen = (
        version is not None and not version.url and canonicalize_name(version.name) == DISTRIBUTION
    )
    if not is_version_of_sitegen:
        raise SitegenError(
            f"--install {shown_address(requirement)}: sitegen cannot be installed from this; write "
            f"git+https://HOST/PATH@COMMIT, or a version such as {DISTRIBUTION}=={__version__}"
        )
    return _with_pip(str(version))


def installation() -> Installation:
    """Returns how to install this copy on another computer, from where it came: an index, a git
    repository, or a remote of the clone. If that is unknown, the command says to edit the line."""
    record = _direct_url()
    if not record:  # it came from an index
        return _with_pip(f"{DISTRIBUTION}=={__version__}")
    address = str(record.get("url", ""))
    commit = str(record.get("vcs_info", {}).get("commit_id", ""))
    if PUBLIC_ADDRESS.fullmatch(address) and COMMIT_ID.fullmatch(commit):
        return _installation_of_commit(address, commit)
    is_folder_here = urlsplit(address).scheme == "file" and "archive_info" not in record
    if not is_folder_here:
        return _unknown(f"this copy came from {shown_address(address)}")
    clone = Path(url2pathname(urlsplit(address).path))
    return _installation_of_clone(clone, commit)


def _direct_url() -> dict[str, Any]:
    """Returns the record of where this copy came from; empty if that was an index."""
    try:
        text = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    except metadata.PackageNotFoundError:  # it runs from its source code
        return {"url": Path(__file__).parents[2].as_uri(), "dir_info": {}}
    record: dict[str, Any] = json.loads(text or "{}")
    return record


def _installation_of_clone(clone: Path, commit: str) -> Installation:
    """Returns how to install a commit of a clone from one of its remotes. If `commit` is empty, it
    is the one that is checked out."""
    try:
        git = git_folder(clone)
        commit = commit or run(git, "rev-parse", "--verify", "HEAD").decode().strip()
        for name, address in remotes(git).items():
            is_public = address.startswith("https://") and PUBLIC_ADDRESS.fullmatch(address)
            if is_public and _is_on_remote(git, name, commit):
                return _installation_of_commit(address, commit)
    except GitError as error:
        return _unknown(f"this copy came from {clone}: {error}")
    wanted = f"no remote with an https address has its commit {commit[:SHORT]}"
    return _unknown(f"this copy came from {clone}, and {wanted}")


def _is_on_remote(git: Path, name: str, commit: str) -> bool:
    """Returns whether a branch of a remote had a commit when it was last fetched or pushed."""
    options = ("--count=1", f"--contains={commit}", "--end-of-options")
    return bool(run(git, "for-each-ref", *options, f"refs/remotes/{name}/"))


def _installation_of_commit(address: str, commit: str) -> Installation:
    """Returns how to install a commit of a public repository."""
    # Not "NAME @ ADDRESS": pip would install a folder of the checkout that is called that.
    return _with_pip(f"git+{address}@{commit}", shown=f"{address} at {commit[:SHORT]}")


def _with_pip(requirement: str, *, shown: str = "") -> Installation:
    """Returns the command for a requirement as pip has it, such as `sitegen-glossary==0.2`. Its
    note has `shown`, or else the requirement."""
    note = f"it installs {shown or requirement}"
    return Installation(f"{PIP} {shlex.quote(requirement)}", note)


def _unknown(reason: str) -> Installation:
    """Returns that it is unknown how to install this copy, and why."""
    advice = "edit each marked line, or run init with --install"
    return Installation(TO_EDIT, f"how to install sitegen is unknown: {reason}; {advice}")
