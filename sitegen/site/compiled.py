"""Finds the templates, and compiles them, each once for the sites of all languages.

The templates of the package are compiled when its wheel is built: compiling them takes a third of
the time of a build with few terms. The build hook `.ci/templates.py` writes a Python module for
each template into the package `sitegen_templates`. The modules are used if Jinja's compiler and the
texts of all templates are the same. Otherwise templates are compiled when they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import (
    BaseLoader,
    DictLoader,
    Environment,
    ModuleLoader,
    Template,
    compiler,
    pass_context,
)
from jinja2.runtime import Context

PACKAGE = "sitegen_templates"
OPTIONS: Mapping[str, Any] = {
    "autoescape": True,
    "auto_reload": False,
    "cache_size": -1,
    "trim_blocks": True,
    "lstrip_blocks": True,
}
"""The options with which templates are compiled and rendered."""


def templates_folder() -> Path:
    """Returns the folder of the templates: in the installed package, or next to it in a
    checkout."""
    package = Path(__file__).parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


def write(templates: Mapping[str, str], folder: Path) -> None:
    """Writes the package of compiled templates. `templates` maps paths below the templates folder
    to texts."""
    environment = Environment(loader=DictLoader(templates), **OPTIONS)  # noqa: S701  (autoescape is in the options)
    environment.filters["say"] = say_filter(str)  # must exist, but is not called here
    environment.compile_templates(folder, extensions=["html"], zip=None, ignore_errors=False)
    (folder / "__init__.py").write_text(f'DIGEST = "{_digest(templates)}"\n', encoding="utf-8")


def loader(templates: Mapping[str, str]) -> BaseLoader:
    """Returns a loader of templates. It takes the templates that were compiled when the package was
    installed, unless their texts or Jinja's compiler have changed; then it compiles them."""
    try:
        package = import_module(PACKAGE)
    except ImportError:
        return CompilingLoader(templates)
    if _digest(templates) == package.DIGEST:
        return ModuleLoader([*package.__path__])
    return CompilingLoader(templates)


def _digest(templates: Mapping[str, str]) -> str:
    """Returns the digest of what compiled templates depend on: Jinja's compiler and their texts."""
    paths_and_texts: list[str] = []
    for path, text in sorted(templates.items()):
        if path.endswith(".html"):
            paths_and_texts += [path, text]
    source_of_compiler = Path(compiler.__file__).read_bytes()
    return sha256(source_of_compiler + "\0".join(paths_and_texts).encode()).hexdigest()


class CompilingLoader(DictLoader):
    """Compiles each template once for the environments of all languages."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        super().__init__(templates)
        self._code: dict[str, CodeType] = {}

    def load(self, environment: Environment, name: str, globals: Any = None) -> Template:
        if name not in self._code:
            source, filename, _ = self.get_source(environment, name)
            self._code[name] = environment.compile(source, name, filename)
        return environment.template_class.from_code(environment, self._code[name], globals)


def say_filter(say: Callable[[str], str]) -> Callable[[Context, str], str]:
    """Returns the filter `say`, which gives the message with a key.

    All languages share compiled templates, so these must not have the messages of one language.
    """

    # With a constant key, Jinja calls a filter while it compiles, unless it takes the context.
    @pass_context
    def said(context: Context, key: str) -> str:
        return say(key)

    return said
