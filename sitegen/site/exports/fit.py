"""Text made fit for formats that cannot hold every character."""

from __future__ import annotations

import re

from markupsafe import escape

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# What XML 1.0 cannot hold (section 2.2) or advises against, and what UTF-8 cannot say.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def text(value: str) -> str:
    """Returns a text without characters that some format cannot hold; a mark stands in the place of each.

    Line ends are single newlines, which is what a reader of XML makes of them.
    """
    if value.isprintable():
        return value
    return _UNFIT.sub(REPLACEMENT, value.replace("\r\n", "\n").replace("\r", "\n"))


def line(value: str) -> str:
    """Returns a text as `text` does, on one line."""
    return text(" ".join(value.split()))


def xml(value: str) -> str:
    """Returns a text for use in XML, between tags or between quotes."""
    return str(escape(text(value)))
