"""The values that docutils keeps for the whole process, to compare them before and after a text is
read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType, SimpleNamespace

Values = dict[str, object]
"""Values by their paths."""


def changed_by(action: Callable[[], object]) -> list[str]:
    """Returns the paths of the values that are others after an action than before it."""
    modules = [name for name in sys.modules if _is_of_docutils(name)]
    before = _values(modules)
    action()
    after = _values(modules)
    paths = sorted(before.keys() | after.keys())
    return [path for path in paths if before.get(path) is not after.get(path)]


def _is_of_docutils(module: str) -> bool:
    return module.partition(".")[0] == "docutils"


def _values(modules: Iterable[str]) -> Values:
    """Returns each value that can be reached from these modules.

    Modules in them are left out, as the first use of a part of docutils imports it. So are names
    like `__warningregistry__`, which belong to Python.
    """
    found: Values = {}
    seen: set[int] = set()
    waiting: list[tuple[str, object]] = [(name, sys.modules[name]) for name in modules]
    while waiting:
        path, value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        for key, inner in _parts(value):
            if not isinstance(inner, ModuleType):
                found[f"{path}.{key}"] = inner
                waiting.append((f"{path}.{key}", inner))
    return found


def _parts(value: object) -> Iterator[tuple[str, object]]:
    """Yields the values in a module, a class, an object of docutils or a collection."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield repr(key), inner
    elif isinstance(value, list | tuple | set | frozenset):
        for number, inner in enumerate(value):
            yield str(number), inner
    elif isinstance(value, ModuleType | SimpleNamespace) or _is_of_docutils(
        str(getattr(value, "__module__", ""))
    ):
        for name, inner in [*vars(value).items()] if hasattr(value, "__dict__") else ():
            if not name.startswith("__"):
                yield name, inner
