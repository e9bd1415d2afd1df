"""Reads templates, styles and scripts: from the installed package, or from the folder next to it in a checkout."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn


def folder() -> Path:
    package = Path(__file__).parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


def read_templates() -> Mapping[str, str]:
    """Returns the text of each file by its path in the folder. Hidden files and editors' backups are ignored."""
    root = folder()
    found = (Path(above, name) for above, _, names in os.walk(root, onerror=_refuse) for name in names)
    files = (path for path in sorted(found) if path.is_file())
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in files
        if not path.name.startswith((".", "#")) and not path.name.endswith("~")
    }


def _refuse(error: OSError) -> NoReturn:
    """Raises the error: otherwise `os.walk` would treat an unreadable folder as empty."""
    raise error
