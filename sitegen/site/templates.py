"""Reads the templates, styles and scripts: from the package where it is installed, from beside it in a checkout."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def folder() -> Path:
    package = Path(__file__).parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


def read_templates() -> Mapping[str, str]:
    """Returns the text of each file by its path in the folder. What editors leave there is passed over."""
    root = folder()
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in files
        if not path.name.startswith((".", "#")) and not path.name.endswith("~")
    }
