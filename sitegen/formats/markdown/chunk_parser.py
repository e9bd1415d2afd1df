"""A piece of Markdown as markdown-it reads it. It is loaded when there is one that takes a parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from markdown_it.token import Token

from sitegen.formats.common.passages import Block, Footnotes
from sitegen.formats.markdown.blocks import blocks, footnotes_in, leaves_list_open
from sitegen.formats.markdown.commonmark import tokens
from sitegen.formats.markdown.inline_html import Address

BELOW = "\n\n# .\n\n$$\n"
"""A heading, and the end of any formula that is still open above it."""

Env = dict[str, dict[str, Any]]
"""What markdown-it knows beside the text: under "references", links by label. Those that are met are added."""
Odd = tuple[int, str, str]
"""Line, what was found, and what would have worked."""


class Parsed(NamedTuple):
    """What a text says."""

    blocks: tuple[Block, ...]
    footnotes: Footnotes
    """Those that it defines."""
    odd: tuple[Odd, ...] = ()


def alone(text: str, env: Env, footnotes: Footnotes, address: Address) -> Parsed | None:
    """Returns what a text says that leaves nothing open; None when something is."""
    parsed = tokens(text + BELOW, _with(footnotes, env))
    below = text.count("\n") + 2
    for index in range(len(parsed) - 1, -1, -1):
        token = parsed[index]
        if token.type == "heading_open" and token.level == 0 and token.map and token.map[0] == below:
            above = parsed[:index]
            return None if leaves_list_open(above) else _said(above, footnotes, address)
    return None


def whole(text: str, env: Env, footnotes: Footnotes, address: Address) -> Parsed:
    """Returns what a text says that nothing follows, and what is odd in it."""
    parsed = tokens(text, _with(footnotes, env))
    return _said(parsed, footnotes, address)._replace(odd=tuple(_unclosed(parsed)))


def _with(footnotes: Footnotes, env: Env) -> Env:
    env["footnotes"] = {"refs": {f":{label}": -1 for label, _ in footnotes}}
    return env


def _said(parsed: Sequence[Token], footnotes: Footnotes, address: Address) -> Parsed:
    own = footnotes_in(parsed, address)
    return Parsed(tuple(blocks(parsed, address, footnotes or own)), own)


def _unclosed(parsed: Sequence[Token]) -> Iterator[Odd]:
    """What was opened and never closed, and so swallows the rest of the document."""
    last = parsed[-1] if parsed else None
    if last is None or last.map is None:
        return
    opened, end = last.map
    is_open_fence = last.type == "fence" and end - opened - 1 <= last.content.count("\n")
    if is_open_fence:
        yield opened + 1, "this code block is never closed", f"close it with {last.markup}"
    if last.type == "html_block" and "<!--" in last.content.rpartition("-->")[2]:
        yield opened + 1, "this comment is never closed and hides what follows", "close it with -->"
