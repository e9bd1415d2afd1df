"""Packages from npm for tests: `make setup` installs those that package.json pins into .venv."""

from __future__ import annotations

from pathlib import Path

import pytest

MODULES = Path(__file__).resolve().parent.parent / ".venv/npm/node_modules"


def installed(package: str) -> Path:
    """Returns the folder of a package, or skips the test with a reason."""
    folder = MODULES / package
    if not folder.is_dir():
        pytest.skip(f"{package} is not installed: `make setup` fetches it with npm")
    return folder
