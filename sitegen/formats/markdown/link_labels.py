"""Which of the links and footnotes that a Markdown document defines a part of it may use.

What a part is given decides what it says, so it is given no more than that: however many others a document defines,
none of them makes this part another. More may be found here than markdown-it finds, never less.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from sitegen.formats.common.passages import Footnotes

LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]", re.S)
FOOTNOTE = re.compile(r"\[\^([^\] \n]+)\]")
QUOTED = re.compile(r"\n(?:[ \t]*>)+")
"""Where a label goes on in the next line of a quotation."""
UNSURE = re.compile(r"\\\||\0")
"""With these, markdown-it sees other labels than stand in the text: in a table's cell, `\\|` is one character."""

Link = tuple[str, str, str]
"""Label, address and title of a link."""
Links = tuple[Link, ...]


class Labelled:
    """The links and footnotes that a document defines."""

    def __init__(self, links: Links, footnotes: Footnotes = ()) -> None:
        self._links, self._footnotes = links, footnotes
        self._by_label: dict[str, list[Link]] = defaultdict(list)
        for link in links:
            self._by_label[_folded(link[0])].append(link)
        self._by_mark = dict(footnotes)

    def links_in(self, text: str) -> Links:
        """Returns the links that a text may use, or defines."""
        if not self._links or "[" not in text:
            return ()
        if UNSURE.search(text):
            return self._links
        labels = dict.fromkeys(_labels(text))
        return tuple(chain.from_iterable(self._by_label[label] for label in labels if label in self._by_label))

    def footnotes_in(self, text: str) -> Footnotes:
        """Returns the footnotes that a text may refer to, or defines."""
        if not self._footnotes or "[^" not in text:
            return ()
        if UNSURE.search(text):
            return self._footnotes
        marks: Iterable[str] = dict.fromkeys(FOOTNOTE.findall(text))
        return tuple([(mark, self._by_mark[mark]) for mark in marks if mark in self._by_mark])


def _labels(text: str) -> Iterator[str]:
    for written in LABEL.findall(text):
        yield _folded(written)
        if "\n" in written:
            yield _folded(QUOTED.sub("\n", written))


def _folded(label: str) -> str:
    """A label without what never tells two apart: markdown-it compares them so, but for rarer white space."""
    return " ".join(label.split()).lower().upper()
