"""The anchors that Markdown headings get where they are published, so that links to them can be followed."""

from __future__ import annotations

import re


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
        number = self._seen.get(anchor, 0)
        self._seen[anchor] = number + 1
        anchor = f"{anchor}-{number}" if number else anchor
        if "-" not in anchor:
            return (anchor,) if anchor else ()
        plain = re.sub("-{2,}", "-", anchor) if "--" in anchor else anchor
        return tuple(filter(None, dict.fromkeys((anchor, plain.strip("-")))))
