"""The anchors that Markdown headings get where they are published, so that links to them can be followed."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_REMEMBERED = 100_000
"""Headings whose anchors are remembered: one release after another has the same."""


def heading_anchor(heading: str) -> str:
    """Returns the anchor that GitHub gives a heading: its letters, digits, hyphens and underscores in lower case."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class HeadingAnchors:
    """The anchors of one document, where headings of the same name are numbered."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def of(self, anchor: str) -> tuple[str, ...]:
        """Returns the next heading's anchors: as on GitHub, and as on sites that never write two hyphens in a row.

        `anchor` is what `heading_anchor` says.
        """
        self._seen[anchor] = number = self._seen.get(anchor, -1) + 1
        return numbered(anchor, number)


@lru_cache(maxsize=MAX_REMEMBERED)
def numbered(anchor: str, number: int = 0) -> tuple[str, ...]:
    """Returns the anchors of a heading that so many others of its name stand above."""
    anchor = f"{anchor}-{number}" if number else anchor
    plain = re.sub("-{2,}", "-", anchor).strip("-")
    return tuple(filter(None, dict.fromkeys((anchor, plain))))
