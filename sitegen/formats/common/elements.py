"""Elements of HTML and XML."""

from __future__ import annotations

from typing import Any

Element = Any
"""An lxml element; lxml-stubs has too few of its attributes."""


def text_of(element: Element) -> str:
    """Returns an element's text on one line."""
    return " ".join("".join(element.itertext()).split())
