"""A definition's HTML with marks around runs of its words, whatever elements those run through.

HTML comes from `definitions`, spelled as the sanitiser spells it, and its text is that of the definition but for its
white space. So a place is found by counting characters, and nothing of the HTML itself is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

# The kind of a note is told by its markup and is no part of the text.
_TOKEN = re.compile(r'<p class="note-title">.*?</p>|<[^>]*>|[^<]+', re.S)
_CHARACTER = re.compile(r"&[^;\s]+;|\S")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A run of the text, up to which the one before reaches."""

    text: str
    name: str
    """A class for the elements around its words."""
    label: str
    """HTML that follows the run."""


def marked(html: Markup, marks: Sequence[Mark]) -> Markup:
    """Returns the HTML with each run of its text in elements of its class. The runs, joined, are the text."""
    # A space that keeps words together is one of the characters that do not count.
    return Markup("".join(_marked(html.replace("&nbsp;", "\xa0"), marks)))  # noqa: S704  (its pieces and ours)


def _marked(html: str, marks: Sequence[Mark]) -> Iterator[str]:
    rest = iter([(mark, len("".join(mark.text.split()))) for mark in marks])
    mark, left = next(rest, (None, 0))
    for token in _TOKEN.findall(html):
        text, count = token, 0 if token[0] == "<" else _length(token)
        while mark and count >= left:
            end = _place(text, left)
            yield f"{_within(mark, text[:end])}{mark.label}"
            text, count = text[end:], count - left
            mark, left = next(rest, (None, 0))
        left -= count
        yield _within(mark, text) if mark and count else text


def _length(text: str) -> int:
    """How many of a text's characters count."""
    return len(_CHARACTER.findall(text)) if "&" in text else len("".join(text.split()))


def _place(text: str, count: int) -> int:
    """Where so many of them have been counted."""
    if "&" in text:
        return next(islice(_CHARACTER.finditer(text), count - 1, None)).end()
    for word in _WORD.finditer(text):
        if word.end() - word.start() >= count:
            return word.start() + count
        count -= word.end() - word.start()
    return len(text)


def _within(mark: Mark, html: str) -> str:
    words = html.lstrip()
    return f'{html[: len(html) - len(words)]}<span class="{mark.name}">{words}</span>'
