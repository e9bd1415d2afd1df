"""Which stretches of a document are its words, and not code, addresses or markup.

In Markdown the blocks are found by the parser that reads glossaries, in reStructuredText by `rst`; what stands inside
a line is found by its signs. Any other text is all words. A stretch is a start and an end in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import PurePosixPath

from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from sitegen.tools.annotate import rst

Stretch = tuple[int, int]

_MARKDOWN = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
_WEB = r"[^\s<>()]*[^\s<>().,;:!?]"
_ADDRESS = rf"<[a-z][\w+.-]*:[^\s<>]*> | \b(?:https?|ftp|mailto):{_WEB} | \bwww\.{_WEB}"
_ATTRIBUTES = r"""(?:[^<>"']++|"[^"]*"|'[^']*')*+"""


def _in_markdown(elements: str) -> re.Pattern[str]:
    """What is no words in a paragraph of Markdown, the content of these HTML elements among it."""
    return re.compile(
        rf"""(?P<fence>`+)(?!`).*?(?<!`)(?P=fence)(?!`)  # code
          | \\.
          | \{{[\w:+-]+\}}`[^`]*`                        # a role of MyST
          | !\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?         # a picture
          | <!--.*?-->                                 # HTML
          | <(?P<element>{elements})(?=[\s>]){_ATTRIBUTES}(?<!/)>.*?</(?P=element)\s*>
          | <(?:/?[a-z]|[!?]){_ATTRIBUTES}>
          | ^[ ]{{0,3}}\[[^\]]+\]:.*$                    # what a link is defined as
          | \$[^$\n]+\$
          | {_ADDRESS}""",
        re.S | re.X | re.M | re.I,
    )


_CODE = "code|kbd|pre|samp|script|style|textarea|tt|var"
_NO_WORDS = _in_markdown(_CODE)
_NO_LINKS = _in_markdown(f"a|button|{_CODE}")
_LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])?")
_IN_RST = re.compile(
    rf"""``.*?`` | :[\w:+.-]+:`[^`]*` | `[^`]*`_{{0,2}}
      | \|(?!\s)[^|\n]+(?<!\s)\|                        # what stands for something else
      | ^[ \t]*:[a-z]+[ ][^:\n]+:(?!\S)                 # a parameter
      | ^[ \t]*>>>[ ].*                               # what was typed, and what came of it
      | {_ADDRESS}""",
    re.S | re.X | re.M | re.I,
)
_IN_PLAIN = re.compile(_ADDRESS, re.X | re.I)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")

Hide = Callable[[str, int, int], Iterator[Stretch]]
"""Yields what of a part of a text is no words."""


def words(text: str, *, path: str) -> Iterator[Stretch]:
    """Yields what of a document is words, those of links and headings too. Its path says what it is written in."""
    match PurePosixPath(path).suffix.lower():
        case ".md" | ".markdown" | ".mdx" | ".qmd":
            return _without(text, _markdown_lines(text, headings=True), (_all(_NO_WORDS), _targets))
        case ".rst" | ".rest":
            return _without(text, rst.paragraphs(text), (_all(_IN_RST),))
        case _:
            return _without(text, [(0, len(text))], (_all(_IN_PLAIN),))


def linkable(text: str) -> Iterator[Stretch]:
    """Yields what of a Markdown text can be made a link: its words, without those of links and headings."""
    return _without(text, _markdown_lines(text, headings=False), (_all(_NO_LINKS), _all(_LINK)))


def _markdown_lines(text: str, *, headings: bool) -> Iterator[Stretch]:
    """The lines of paragraphs, items and rows of tables."""
    starts = [0, *accumulate(map(len, _LINE.findall(text)))]
    is_heading = False
    for token in _MARKDOWN.parse(text):
        if token.type in {"inline", "tr_open"} and token.map and (headings or not is_heading):
            first, end = token.map
            yield starts[first], starts[min(end, len(starts) - 1)]
        is_heading = token.type == "heading_open"


def _without(text: str, lines: Iterable[Stretch], hide: Iterable[Hide]) -> Iterator[Stretch]:
    """What is left of these lines without what is hidden in them."""
    for start, end in lines:
        for first, last in sorted(span for one in hide for span in one(text, start, end)):
            if first > start:
                yield start, first
            start = max(start, last)
        if end > start:
            yield start, end


def _all(pattern: re.Pattern[str]) -> Hide:
    return lambda text, start, end: (match.span() for match in pattern.finditer(text, start, end))


def _targets(text: str, start: int, end: int) -> Iterator[Stretch]:
    """Where links lead; the words that they show are words."""
    return ((match.end("text"), match.end()) for match in _LINK.finditer(text, start, end))
