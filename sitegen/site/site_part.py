"""`SitePart`: files of a site, or pages, that are made together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True, slots=True)
class SitePart(Generic[Made]):
    """Files of a site, or pages before they are rendered, that are made together, independently of
    other parts.

    A build makes all parts. The preview makes the one that has the file that was asked for.
    """

    prefixes: tuple[str, ...]
    """What the paths of its files begin with, or these paths. Other parts may have files with the
    same prefixes."""
    make: Callable[[], Iterable[Made]]
