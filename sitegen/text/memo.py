"""Memoizes pure functions in memory: a function decorated with `memo` computes its result once for equal arguments.

Most texts of a glossary are the same in every release, and in most saves of a preview. Memoized functions must be
pure: their result depends only on their arguments and on the program. So a result never becomes invalid; `forget`
only frees memory.

Measured gain with 1,000 terms at 10 releases of reStructuredText: a first build takes 3.1 s of CPU instead of 4.1 s.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
Result = TypeVar("Result")


class Memo(Generic[P, Result]):
    """A function that computes its result once for the same arguments."""

    every: ClassVar[list[Memo[Any, Any]]] = []
    """All memoized functions of this process."""

    def __init__(self, function: Callable[P, Result]) -> None:
        self._function = function
        self._results: dict[tuple[Hashable, ...], Result] = {}
        update_wrapper(self, function)
        Memo.every.append(self)

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> Result:
        key = (*arguments, *named.items()) if named else arguments
        try:  # a single lookup, because each lookup compares long texts
            return self._results[key]
        except KeyError:
            result = self._results[key] = self._function(*arguments, **named)
            return result

    def forget(self, is_over: Callable[[Hashable], bool]) -> None:
        """Evicts the results that have an argument for which `is_over` is true."""
        for arguments in [*self._results]:
            if any(map(is_over, arguments)):
                self._results.pop(arguments, None)

    def clear(self) -> None:
        self._results.clear()


def memo(function: Callable[P, Result]) -> Memo[P, Result]:
    """Memoizes a pure function of hashable arguments."""
    return Memo(function)


def forget(is_over: Callable[[Hashable], bool]) -> None:
    """Evicts the results that have an argument for which `is_over` is true. Other threads may run concurrently."""
    for function in Memo.every:
        function.forget(is_over)


def clear() -> None:
    """Evicts all results in memory."""
    for function in Memo.every:
        function.clear()
