"""Marks runs of words in the HTML of a definition, without breaking its elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

# The title of a note is not part of the definition's text.
_TOKEN = re.compile(r'<p class="note-title">.*?</p>|<math\b.*?</math>|<[^>]*>|[^<]+', re.S)
_REPLACED = re.compile('<(?:math data-tex|img alt)="([^"]*)"')
"""Matches elements that replace a part of the definition's text, which is in an attribute."""
_INLINE = re.compile(
    "</?(?:a|abbr|b|cite|code|em|i|kbd|q|s|samp|small|span|strong|sub|sup|u|var)\\b"
)
_CHARACTER = re.compile(r"&[^;\s]+;|\S")


class MarkedRun(NamedTuple):
    """A run of the text. It begins where the previous run ends."""

    text: str
    tag: str = ""
    """The start tag of the elements around its words; empty for none."""
    end_tag: str = ""
    before: str = ""
    """HTML before its first word."""
    after: str = ""
    """HTML after its last word."""


def marked(html: Markup, runs: Iterable[MarkedRun]) -> Markup:
    """Returns the HTML with each run of its text wrapped in elements. The joined runs are the
    text."""
    marker = _Marker(runs)
    # No-break spaces are not counted either.
    for token in _TOKEN.findall(html.replace("&nbsp;", "\xa0")):
        marker.read(token)
    return Markup("".join([*marker.pieces, marker.after]))  # noqa: S704  (pieces of the HTML, and of runs)


class _Marker:
    """Reads HTML token by token, and writes it with its runs marked. The HTML before and after a
    run is outside of inline elements such as code."""

    def __init__(self, runs: Iterable[MarkedRun]) -> None:
        self.pieces: list[str] = []
        """The HTML so far."""
        self.opened = ""
        """Start tags of inline elements that are not written yet, as a run may begin with them."""
        self.after = ""
        """The HTML that follows the last run."""
        self._runs = iter(runs)
        self._begin_run()

    def _begin_run(self) -> None:
        self.run = next(self._runs, None)
        self.missing = 0
        """The number of the characters of the run that are not read yet."""
        if self.run:
            self.missing = len("".join(self.run.text.split()))

    def read(self, token: str) -> None:
        """Reads a tag, an element, or a text between tags."""
        replaced = _REPLACED.match(token)
        if _INLINE.match(token):
            self._read_inline_tag(token)
        elif replaced:
            # An element is part of the run in which it begins.
            count = len(_CHARACTER.findall(replaced[1]))
            self._read_text(token, ends=[len(token)] * count)
        elif token.startswith("<"):
            self.pieces += [self.after, self.opened, token]
            self.opened = self.after = ""
        else:
            ends = [character.end() for character in _CHARACTER.finditer(token)]
            self._read_text(token, ends=ends)

    def _read_inline_tag(self, tag: str) -> None:
        if tag.startswith("</"):
            self.pieces += [self.opened, tag]
            self.opened = ""
        else:
            self.pieces.append(self.after)
            self.after = ""
            self.opened += tag

    def _read_text(self, text: str, *, ends: Sequence[int]) -> None:
        """Reads a text, or an element in its place; `ends` are where its characters end."""
        start = past = 0
        while self.run and past + self.missing <= len(ends):
            past += self.missing
            end = ends[past - 1]
            after = self.run.after
            self._write(text[start:end], self.run)
            start, self.after = end, after
            self._begin_run()
        left = len(ends) - past
        self.missing -= left
        if start == len(text):
            return
        if self.run and left:
            self._write(text[start:], self.run)
            self.run = self.run._replace(before="")
        else:
            self._write(text[start:], None)

    def _write(self, text: str, run: MarkedRun | None) -> None:
        """Writes a text, as part of a run if it is in one."""
        if run:
            words = text.lstrip()
            space = text[: len(text) - len(words)]
            text = f"{space}{run.before}{self.opened}{run.tag}{words}{run.end_tag}"
        else:
            text = self.opened + text
        self.pieces += [self.after, text]
        self.opened = self.after = ""
