"""Texts that were read before: what was made of one is not made again.

A glossary says most things in the same words at every release. Whoever makes something of a text, and of nothing
else, asks here first, and gives all that the outcome depends on. So a reading with a memory and one without come to
the same; only the time differs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Made = TypeVar("Made")


class Known:
    """What was made of texts, and of whatever else decides what is made of them."""

    def __init__(self) -> None:
        self._made: dict[tuple[Hashable, ...], Any] = {}

    def recall(self, kind: str, *given: Hashable, make: Callable[[], Made]) -> Made:
        """Returns what `make` makes of what is `given`; made once, and the same value from then on.

        `kind` says what it is: a format, and which part of one.
        """
        key = (kind, *given)
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made
