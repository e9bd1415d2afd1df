"""A part of a site: files, or pages before they are rendered, that are made together.

A build makes all parts. The preview makes the one that has the file that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True, slots=True)
class SitePart(Generic[Made]):
    """Files or pages that are made together, independently of other parts."""

    paths: tuple[str, ...]
    """The paths of all its files, or the beginnings of these paths. Other parts may have files with
    the same beginnings."""
    make: Callable[[], Iterable[Made]]
