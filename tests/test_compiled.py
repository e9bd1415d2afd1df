"""Templates that are compiled when sitegen is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import DictLoader, ModuleLoader
from sites import glossary

from sitegen.pipeline import assembly
from sitegen.site import compiled, rendering
from sitegen.site.templates import read_templates

GLOSSARY = {
    "1.0": {"Boat": "Floats, see Anchor.", "Anchor": "Holds."},
    "1.1": {"Boat": "Swims.", "Ship": "Is large."},
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The compiled templates, as an installation has them."""
    compiled.write(read_templates(), tmp_path / compiled.PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, compiled.PACKAGE, raising=False)
    return tmp_path / compiled.PACKAGE


@pytest.mark.parametrize("language", ["en", "de"])
def test_pages_are_the_same(package: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled templates give the same bytes in every language."""

    def files() -> dict[str, bytes]:
        rendering._environment.cache_clear()
        return {file.path: file.content for file in assembly.files(site, read_templates())}

    site = glossary(GLOSSARY, language=language)
    assert isinstance(compiled.loader(read_templates()), ModuleLoader)
    found = files()
    monkeypatch.setattr(compiled, "PACKAGE", "nowhere")
    assert isinstance(compiled.loader(read_templates()), DictLoader)
    assert found == files()


def test_other_templates_are_compiled_when_they_are_used(package: Path) -> None:
    """A template that was edited since, and any template of another version of Jinja, is compiled anew."""
    templates = read_templates()
    assert isinstance(compiled.loader({**templates, "layout.html": "edited"}), DictLoader)
    init = package / "__init__.py"
    init.write_text('DIGEST = ""\n')
    sys.modules.pop(compiled.PACKAGE)
    assert isinstance(compiled.loader(templates), DictLoader)
