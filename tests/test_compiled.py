"""Templates that are compiled when sitegen is installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from jinja2 import Environment, ModuleLoader
from sites import files_of, glossary

from sitegen.site import compiled, rendering
from sitegen.site.templates import read_templates

GLOSSARY = {
    "1.0": {"Boat": "Floats, see Anchor.", "Anchor": "Holds."},
    "1.1": {"Boat": "Swims.", "Ship": "Is large."},
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The compiled templates, as an installation has them."""
    compiled.write(read_templates(), tmp_path / compiled.PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop(compiled.PACKAGE, None)
    yield tmp_path / compiled.PACKAGE
    sys.modules.pop(compiled.PACKAGE, None)
    rendering._loader.cache_clear()  # or other tests load templates that are gone


@pytest.mark.parametrize("language", ["en", "de"])
def test_pages_are_the_same(package: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled templates give the same bytes in every language."""

    def files() -> dict[str, bytes]:
        rendering._loader.cache_clear()
        return {file.path: file.content for file in files_of(site, read_templates())}

    site = glossary(GLOSSARY, language=language)
    assert isinstance(compiled.loader(read_templates()), ModuleLoader)
    found = files()
    monkeypatch.setattr(compiled, "PACKAGE", "nowhere")
    assert isinstance(compiled.loader(read_templates()), compiled.CompilingLoader)
    assert found == files()


@pytest.mark.parametrize("prefix", ["", "sitegen/"])
def test_each_template_is_compiled_once_for_all_languages(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sites of two languages have the same templates, each with its own words; also those of a
    theme."""
    ours = read_templates()
    templates = {
        **ours,
        **{prefix + path: text for path, text in ours.items() if path.endswith(".html")},
    }
    monkeypatch.setattr(compiled, "PACKAGE", "nowhere")
    compile, names = Environment.compile, list[str]()

    def counted(self: Environment, source: str, name: str, *more: Any) -> CodeType:
        names.append(name)
        return compile(self, source, name, *more)

    monkeypatch.setattr(Environment, "compile", counted)
    rendering._loader.cache_clear()
    sites = [glossary(GLOSSARY, language=language) for language in ("en", "de")]
    english, german = (
        {file.path: file.content for file in files_of(one, templates)} for one in sites
    )
    assert sorted(names) == sorted(set(names)) != []
    assert b">History<" in english["term/boat/index.html"]
    assert b">Verlauf<" in german["term/boat/index.html"]


def test_other_templates_are_compiled_when_they_are_used(package: Path) -> None:
    """A template that was edited since, and any template of another version of Jinja, is compiled
    anew."""
    templates = read_templates()
    assert isinstance(
        compiled.loader({**templates, "layout.html": "edited"}), compiled.CompilingLoader
    )
    init = package / "__init__.py"
    init.write_text('DIGEST = ""\n')
    sys.modules.pop(compiled.PACKAGE)
    assert isinstance(compiled.loader(templates), compiled.CompilingLoader)
