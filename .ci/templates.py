"""A build hook of hatchling: adds the compiled templates to the wheel, also to that of an editable
installation."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TemplatesHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from sitegen.site import compiled

        root, folder = Path(self.root, "templates"), tempfile.mkdtemp()
        texts = {
            path.relative_to(root).as_posix(): path.read_text("utf-8")
            for path in root.rglob("*.html")
        }
        compiled.write(texts, Path(folder))
        build_data["force_include_editable" if version == "editable" else "force_include"][
            folder
        ] = compiled.PACKAGE
