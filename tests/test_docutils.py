"""reStructuredText is read alike with every docutils that pyproject.toml allows.

The environment of the tests has one of them, because Sphinx is in it too. Users get the newest.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
OLDEST, NEWEST = "0.21.2", "0.23"


def installed(version: str, config: pytest.Config) -> Path:
    """Returns a folder with a version of docutils, downloaded once; skips the test without a connection."""
    assert config.cache is not None
    cache = config.cache.mkdir(f"docutils-{version}")
    folder = cache / "installed"
    if not folder.is_dir():
        staging = Path(tempfile.mkdtemp(dir=cache))
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", staging]
        run = subprocess.run([*command, f"docutils=={version}"], capture_output=True, text=True, timeout=100)
        if run.returncode:
            pytest.skip(f"pip gives no docutils {version} here: {run.stderr.strip()[:200]}")
        with contextlib.suppress(OSError):  # another worker was first
            staging.rename(folder)
    return folder


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_documents_are_read_alike(version: str, pytestconfig: pytest.Config) -> None:
    """The cases of reStructuredText pass with the oldest and the newest one."""
    world = {**os.environ, "PYTHONPATH": str(installed(version, pytestconfig))}
    cases = ["test_formats.py", "test_rst.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-k", "sphinx"]
    done = subprocess.run([*command, *cases], cwd=TESTS, env=world, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_range_ends_with_these_versions() -> None:
    """pyproject.toml allows no docutils beyond the two that are tried."""
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [one for one in project["dependencies"] if one.startswith("docutils")] == ["docutils>=0.21,<0.24"]
