"""Texts that were read before: what was made of one is not made again.

A glossary says most things in the same words at every release. Whoever makes something of a text, and of nothing
else, asks here first, and gives all that the outcome depends on. So a reading with a memory and one without come to
the same; only the time differs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

Given = TypeVar("Given", bound=Hashable)
Made = TypeVar("Made")


class Known:
    """What was made of texts, and of whatever else decides what is made of them."""

    def __init__(self) -> None:
        self._shelves: dict[Callable[..., Any], _Shelf[Any, Any]] = {}

    def of(self, make: Callable[[Given, Known], Made]) -> Mapping[Given, Made]:
        """Returns what `make` makes, by what it is given: made when it is first asked for, the same from then on.

        What it makes may depend on what it is given alone.
        """
        if make not in self._shelves:
            self._shelves[make] = _Shelf(make, self)
        return self._shelves[make]


class _Shelf(dict[Given, Made]):
    def __init__(self, make: Callable[[Given, Known], Made], known: Known) -> None:
        super().__init__()
        self._make = make
        self._known = known

    def __missing__(self, given: Given) -> Made:
        self[given] = made = self._make(given, self._known)
        return made
