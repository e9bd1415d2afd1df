"""Compiles the templates of the package when it is installed, which takes a sixth of the time of a small build.

The build hook `.ci/templates.py` writes a Python module for each template into the package `sitegen_templates`. The
modules are used if the version of Jinja and the texts of all templates are the same. Otherwise templates are compiled
when they are used, as those of a theme always are.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import BaseLoader, DictLoader, Environment, ModuleLoader

PACKAGE = "sitegen_templates"
OPTIONS: Mapping[str, Any] = {
    "autoescape": True,
    "auto_reload": False,
    "cache_size": -1,
    "trim_blocks": True,
    "lstrip_blocks": True,
}
"""The options with which templates are compiled and rendered."""


def write(templates: Mapping[str, str], folder: Path) -> None:
    """Writes the package of compiled templates. `templates` maps paths below the templates folder to texts."""
    environment = Environment(loader=DictLoader(templates), **OPTIONS)  # noqa: S701  (autoescape is in the options)
    environment.filters["say"] = _say
    environment.compile_templates(folder, extensions=["html"], zip=None, ignore_errors=False)
    (folder / "__init__.py").write_text(f'DIGEST = "{_digest(templates)}"\n', encoding="utf-8")


def loader(templates: Mapping[str, str]) -> BaseLoader:
    """Returns the loader of compiled templates if these are the same, else one that compiles them."""
    try:
        package = import_module(PACKAGE)
    except ImportError:
        return DictLoader(templates)
    return ModuleLoader([*package.__path__]) if _digest(templates) == package.DIGEST else DictLoader(templates)


def _digest(templates: Mapping[str, str]) -> str:
    texts = [text for item in sorted(templates.items()) if item[0].endswith(".html") for text in item]
    return sha256("\0".join([metadata.version("jinja2"), *texts]).encode()).hexdigest()


def _say(key: str) -> NoReturn:
    """Stands for the filter of that name, whose result Jinja would compute now: the language is not known yet."""
    raise LookupError(key)
