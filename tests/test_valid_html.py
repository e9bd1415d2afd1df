"""Pages are valid HTML according to the Nu Html Checker."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import npm
import pytest
import views
from views import SITES, VIEWS

POLICY = "violates Content Security Policy"
"""Said of everything that a page loads: the checker knows no digests, and takes no file to be from
the same place."""
QUICK_JAVA = ["-XX:TieredStopAtLevel=1", "-Xss8m"]
"""Compiles a little and at once: a few seconds are too short for more. Such code takes more stack."""


def test_pages_are_valid(tmp_path: Path) -> None:
    """The checker finds no error and no warning on any kind of page."""
    java = shutil.which("java")
    if java is None:
        pytest.skip("java is not installed, which the Nu Html Checker needs")
    checker = npm.installed("vnu-jar") / "build" / "dist" / "vnu.jar"
    for name, site in SITES.items():
        views.write(site(), tmp_path / name)
    options = ["--format", "json", "--exit-zero-always"]
    command = [java, *QUICK_JAVA, "-jar", checker, *options, *pages(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    result = (one for one in json.loads(run.stderr)["messages"] if POLICY not in one["message"])
    assert [f"{one['url']}:{one.get('lastLine')} {one['message']}" for one in result] == []


def pages(folder: Path) -> list[str]:
    """Returns the files of the views, each once."""
    paths = {
        f"{view.site}/{view.path.partition('#')[0].partition('?')[0]}index.html" for view in VIEWS
    }
    return sorted(
        str(folder / path) for path in (*paths, "golden/404.html") if (folder / path).is_file()
    )
