"""Determines where the running sitegen was installed from, and how a build service can install the same version.

pip records the origin of a distribution in `direct_url.json` (PEP 610), unless it came from an index.
"""

from __future__ import annotations

import json
from contextlib import suppress
from importlib import metadata
from typing import NamedTuple

from sitegen import DISTRIBUTION, __version__


class Installation(NamedTuple):
    """How to install the running version of sitegen."""

    command: str
    """A shell command."""
    origin: str
    """A phrase for messages: `sitegen-glossary 0.2.0 from PyPI`."""


def installation() -> Installation:
    """Returns how to install the running version: its commit if it came from a repository, else its release."""
    origin = {}
    with suppress(metadata.PackageNotFoundError, ValueError):
        origin = json.loads(metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    if vcs := origin.get("vcs_info"):
        url, commit = origin["url"], vcs["commit_id"]
        command = f'python -m pip install "{DISTRIBUTION} @ git+{url}@{commit}"'
        return Installation(command, f"{url} at {commit[:10]}")
    return Installation(
        f"python -m pip install {DISTRIBUTION}=={__version__}", f"{DISTRIBUTION} {__version__} from PyPI"
    )
