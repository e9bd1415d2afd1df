"""Helpers for unparsed text: signs of a format, and paragraphs that need no parser."""

from __future__ import annotations

import re
from collections.abc import Callable

LABEL = r"[^\W_](?:(?:[^\W_]|[ ,.'-])*[^\W_])?"
"""A few words without punctuation other than commas, periods, apostrophes and hyphens."""
STRESS = r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*"
BLANK_LINES = re.compile(r"\n{2,}")


def has_sign(text: str, sign: re.Pattern[str]) -> bool:
    """True if a line of the text begins with a sign. The pattern starts with the end of the line above."""
    end = text.find("\n")
    first = text if end < 0 else text[:end]
    # Adding a line end to a long text would copy it, which takes longer than the search.
    return sign.match(f"\n{first}") is not None or sign.search(text) is not None


def paragraphs(text: str, plain: re.Pattern[str]) -> list[str]:
    """Returns the paragraphs of a text; an empty list if one of them does not match `plain`."""
    found = BLANK_LINES.split(text)
    return found if all(map(plain.fullmatch, found)) else []


def inline(
    paragraph: str, marks: re.Pattern[str], render: Callable[[re.Match[str]], str], escaped: Callable[[str], str]
) -> str:
    """Returns the HTML of a paragraph: its rendered marks, and the escaped words between them."""
    parts, past = [], 0
    for mark in marks.finditer(paragraph):
        parts += [escaped(paragraph[past : mark.start()]), render(mark)]
        past = mark.end()
    return "".join([*parts, escaped(paragraph[past:])])


def stressed(mark: re.Match[str]) -> str:
    """Returns the HTML of a match of `STRESS`."""
    return f"<em>{mark['emphasis']}</em>" if mark["strong"] is None else f"<strong>{mark['strong']}</strong>"
