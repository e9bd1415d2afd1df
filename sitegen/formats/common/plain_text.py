"""What texts that need no parser have in common, whatever their markup: paragraphs, with marks among their words."""

from __future__ import annotations

import re
from collections.abc import Callable

LABEL = r"[^\W_](?:(?:[^\W_]|[ ,.'-])*[^\W_])?"
"""A few words that hold no mark."""
STRESS = r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*"
BETWEEN = re.compile(r"\n{2,}")


def paragraphs(text: str, plain: re.Pattern[str]) -> list[str]:
    """Returns the paragraphs of a text; none where one is not plain."""
    found = BETWEEN.split(text)
    return found if all(map(plain.fullmatch, found)) else []


def inline(
    paragraph: str, marks: re.Pattern[str], shown: Callable[[re.Match[str]], str], escaped: Callable[[str], str]
) -> str:
    """Returns the HTML of a paragraph: what is shown of its marks, and the words between them."""
    parts, past = [], 0
    for mark in marks.finditer(paragraph):
        parts += [escaped(paragraph[past : mark.start()]), shown(mark)]
        past = mark.end()
    return "".join([*parts, escaped(paragraph[past:])])


def stressed(mark: re.Match[str]) -> str:
    """Returns the HTML of a mark of `STRESS`."""
    return f"<em>{mark['emphasis']}</em>" if mark["strong"] is None else f"<strong>{mark['strong']}</strong>"
