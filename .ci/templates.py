"""A build hook of hatchling: adds the compiled templates to the wheel, also to that of an editable
installation."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TemplatesHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from sitegen.site import compiled

        root = Path(self.root, "templates")
        self.folder = tempfile.mkdtemp()
        texts = {
            path.relative_to(root).as_posix(): path.read_text("utf-8")
            for path in root.rglob("*.html")
        }
        compiled.write(texts, Path(self.folder))
        build_data["force_include_editable" if version == "editable" else "force_include"][
            self.folder
        ] = compiled.PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.folder)
