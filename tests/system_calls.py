"""Acting between two calls of the system: what may happen at any moment, at a moment by number."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

CALLS = """chmod fchmod link listdir lstat mkdir open rename replace rmdir scandir stat unlink
write""".split()


@contextmanager
def before_call(number: int, act: Callable[[], object]) -> Iterator[list[int]]:
    """Acts once, before the call with a number; yields a list that holds how many there were."""
    count, names = [0], {name: getattr(os, name) for name in CALLS}

    def restore() -> None:
        for name, call in names.items():
            setattr(os, name, call)

    def wrapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def calling(*arguments: Any, **options: Any) -> Any:
            count[0] += 1
            if count[0] == number:
                restore()
                act()
            return call(*arguments, **options)

        return calling

    for name, call in names.items():
        setattr(os, name, wrapped(call))
    try:
        yield count
    finally:
        restore()


@contextmanager
def recorded_calls() -> Iterator[list[str]]:
    """Yields a list of the calls, each with its name and its first argument."""
    calls: list[str] = []
    names = {name: getattr(os, name) for name in CALLS}

    def wrapped(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def calling(*arguments: Any, **options: Any) -> Any:
            calls.append(f"{name} {arguments[:1]}")
            return call(*arguments, **options)

        return calling

    for name, call in names.items():
        setattr(os, name, wrapped(name, call))
    try:
        yield calls
    finally:
        for name, call in names.items():
            setattr(os, name, call)
