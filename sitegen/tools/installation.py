"""Determines where the running sitegen was installed from, and how a build service can install the same version.

pip records the origin of a distribution in `direct_url.json` (PEP 610), unless it came from an index.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sitegen import DISTRIBUTION, __version__
from sitegen.config.forges import web_of
from sitegen.sources.git.process import GitError, git_folder, run
from sitegen.sources.git.repositories import remote_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The commands that install the running version of sitegen."""

    commands: tuple[str, ...]
    """Shell commands."""
    origin: str
    """A phrase for messages: `sitegen-glossary 0.2.0 from PyPI`."""


def installation() -> Installation:
    """Returns how to install the running version from its origin.

    A release is installed with its exact version, a repository at its commit.
    """
    try:
        origin = json.loads(metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return _of_folder(Path(__file__).parents[2])
    if vcs := origin.get("vcs_info"):
        return _at_commit(origin["url"], vcs["commit_id"])
    if "dir_info" in origin:
        return _of_folder(Path(unquote(urlsplit(origin["url"]).path)))
    return _released()


def _released() -> Installation:
    """Returns how to install this version from the index."""
    command = f"python -m pip install {DISTRIBUTION}=={__version__}"
    return Installation(commands=(command,), origin=f"{DISTRIBUTION} {__version__} from PyPI")


def _at_commit(url: str, commit: str) -> Installation:
    return Installation(
        commands=(f'python -m pip install "{DISTRIBUTION} @ git+{url}@{commit}"',),
        origin=f"{url} at {commit[:10]}",
    )


def _of_folder(folder: Path) -> Installation:
    """Returns how to install a checkout: from its remote if that is on a forge, else the released version."""
    if web := web_of(remote_of(".", root=folder)):
        with suppress(GitError, OSError):
            return _at_commit(f"{web.base}.git", run(git_folder(folder), "rev-parse", "HEAD").decode().strip())
    released = _released()
    note = f"{released.origin}; yours is a folder without a public remote, which a build service cannot install"
    return replace(released, origin=note)
