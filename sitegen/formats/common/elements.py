"""Elements of HTML and XML."""

from __future__ import annotations

import re
from typing import Any

HTML_PAGE = re.compile(
    r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--(?:(?!-->).)*+-->\s*)*+<(?:!doctype\s+html|html)\b",
    re.I | re.S,
)
"""The beginning of a whole page of HTML."""

Element = Any
"""An lxml element; lxml-stubs has too few of its attributes."""


def text_of(element: Element) -> str:
    """Returns an element's text on one line."""
    return " ".join("".join(element.itertext()).split())
