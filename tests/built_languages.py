"""Sites of a glossary with translations."""

from __future__ import annotations

from pathlib import Path

import pytest
from built_site import BuiltSite, dead_links
from sites import files_of
from translated import (
    SETTINGS,
    both,
)

from sitegen.pipeline.site_build import assembled, read_inputs
from sitegen.sources.git.repositories import Clones

SITE = '[site]\nbase_url = "https://example.org/words/"\n'


def built(folder: Path, settings: str = SITE + SETTINGS) -> dict[str, str]:
    """Returns the files of the site in a folder."""
    (folder / "site.toml").write_text(settings, encoding="utf-8")
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=folder.parent / "cache"))
    found = {file.path: file.content for file in files_of(assembled(inputs), inputs.templates)}
    site = BuiltSite(
        (path, content if path.endswith(".html") else b"") for path, content in found.items()
    )
    assert [*dead_links(site)] == []
    return {path: content.decode(errors="replace") for path, content in found.items()}


def project_to_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder of a project with a translation, which is the current folder then."""
    folder = tmp_path / "project"
    both(folder)
    (folder / "site.toml").write_text(SITE + SETTINGS, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder
