"""Marks runs of words in a definition's HTML, also across the boundaries of elements.

The HTML comes from `definitions`, in the sanitiser's normal form, and its text equals that of the definition except
for white space. So positions are found by counting non-space characters, and existing HTML is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

# The title of a note is not part of the definition's text.
_TOKEN = re.compile(r'<p class="note-title">.*?</p>|<math\b.*?</math>|<[^>]*>|[^<]+', re.S)
_REPLACED = re.compile('<(?:math data-tex|img alt)="([^"]*)"')
"""Elements without text of their own, and the text of the definition that they stand for."""
_CHARACTER = re.compile(r"&[^;\s]+;|\S")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A run of the text. It begins where the previous run ends."""

    text: str
    name: str
    """The class of the elements around its words."""
    label: str
    """HTML that follows the run."""


def marked(html: Markup, marks: Sequence[Mark]) -> Markup:
    """Returns the HTML with each run of its text wrapped in elements of its class. The joined runs are the text."""
    # No-break spaces are not counted either.
    return Markup("".join(_marked(html.replace("&nbsp;", "\xa0"), marks)))  # noqa: S704  (its pieces and ours)


def _marked(html: str, marks: Sequence[Mark]) -> Iterator[str]:
    rest = iter([(mark, len("".join(mark.text.split()))) for mark in marks])
    mark, left = next(rest, (None, 0))
    for token in _TOKEN.findall(html):
        replaced = _REPLACED.match(token) if token[0] == "<" else None
        text, count = token, _length(replaced[1]) if replaced else 0 if token[0] == "<" else _length(token)
        while mark and count >= left:
            end = len(text) if replaced else _place(text, left)  # it belongs to the run in which it begins
            yield f"{_within(mark, text[:end])}{mark.label}"
            text, count = text[end:], count - left
            mark, left = next(rest, (None, 0))
        left -= count
        yield _within(mark, text) if mark and count and text else text


def _length(text: str) -> int:
    """Returns the number of characters in some HTML text, without white space."""
    return len(_CHARACTER.findall(text)) if "&" in text else len("".join(text.split()))


def _place(text: str, count: int) -> int:
    """Returns the position after `count` characters, without white space."""
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
