"""reStructuredText is read alike with every docutils that pyproject.toml allows.

The environment of the tests has one of them, because Sphinx is in it too. Users get the newest.
`make setup` puts the oldest and the newest into folders of the environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from format_cases import cases

TESTS = Path(__file__).resolve().parent
OLDEST, NEWEST = "0.21.2", "0.23"

READ = """
import json, docutils
from format_cases import cases, outcome
print(json.dumps([docutils.__version__, [outcome(case) for case in cases("sphinx")]]))
"""


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_documents_are_read_alike(version: str) -> None:
    """The cases of reStructuredText pass with the oldest and the newest one."""
    folder = Path(sys.prefix, "docutils", version)
    if not folder.is_dir():
        pytest.skip(f"no docutils {version} here: `make setup` downloads it")
    world = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, TESTS, TESTS.parent)))}
    done = subprocess.run(
        [sys.executable, "-c", READ], env=world, stdout=subprocess.PIPE, check=True
    )
    assert json.loads(done.stdout) == [version, [case.expected for case in cases("sphinx")]]


def test_range_ends_with_these_versions() -> None:
    """pyproject.toml allows no docutils beyond the two that are tried, and the set-up downloads
    these."""
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert [one for one in project["dependencies"] if one.startswith("docutils")] == [
        "docutils>=0.21,<0.24"
    ]
    assert f"\nDOCUTILS := {OLDEST} {NEWEST}\n" in (TESTS.parent / "Makefile").read_text(
        encoding="utf-8"
    )
