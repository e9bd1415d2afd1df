"""Limits for markdown-it, whose time grows with the square of the length of some texts.

They limit work, not time, so that a text has the same result on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from sitegen.model import TooMuchWorkError

MAX_PARAGRAPH = 10_000
"""A paragraph, heading or cell with more characters is shown as it was written."""
MAX_SEARCH = 3_000_000
"""The maximum product of a paragraph's length and the depth of its nested brackets, which are searched for links."""
MAX_ADDRESS = 2_000
"""The maximum length of a web address in a text."""
MAX_PENDING = 4_000
"""The maximum number of characters without markup before `://`, which are searched for the start of an address."""
STEPS_AT_LEAST = 5_000
STEPS_FOR_A_CHARACTER = 0.3
"""The maximum number of tests whether a line begins a block. An ordinary text takes a step for 20 characters."""
STEPS_FOR_A_HEADING = 2
"""In addition to that of its line: a heading takes longer than another line."""
HEADINGS = ("heading", "lheading")

BRACKET = re.compile(r"[\[\]]")
SCHEME = re.compile(r"(?:^|[^a-z])(?:https?|ftp)$", re.I)
LINKS = ("link", "image", "footnote_ref")
STEPS = "sitegen steps"
"""The key of the number of remaining steps in the environment of a parse."""

InlineRule = Callable[[StateInline, bool], bool]
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def limit(parser: MarkdownIt) -> None:
    """Adds the limits to a parser that has all its rules."""
    parse = parser.inline.parse

    def parse_short(text: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        if len(text) <= MAX_PARAGRAPH:
            return parse(text, md, env, tokens)
        tokens.append(Token("text", "", 0, content=text))
        return tokens

    parser.inline.parse = parse_short  # type: ignore[method-assign, assignment]
    if linkify := parser.linkify:
        pretest, match_at_start = linkify.pretest, linkify.match_at_start
        linkify.pretest = lambda text: len(text) <= MAX_PARAGRAPH and pretest(text)
        linkify.match_at_start = lambda text: match_at_start(text[:MAX_ADDRESS])
    for inline in [*parser.inline.ruler.__rules__]:
        if inline.name in LINKS:
            parser.inline.ruler.at(inline.name, _limited_links(inline.fn))
        elif inline.name == "linkify":
            parser.inline.ruler.at(inline.name, _limited_addresses(inline.fn))
    for rule in [*parser.block.ruler.__rules__]:
        if rule.name in HEADINGS:
            parser.block.ruler.at(rule.name, _counted_headings(rule.fn), {"alt": rule.alt})
    first = parser.block.ruler.__rules__[0].name
    parser.block.ruler.before(first, "steps", _count_line, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _count_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule that counts the lines that the parser tests, and matches nothing."""
    _count_steps(state, 1)
    return False


def _count_steps(state: StateBlock, steps: int) -> None:
    steps_left = state.env.get(STEPS)
    if steps_left is None:
        steps_left = max(STEPS_AT_LEAST, int(len(state.src) * STEPS_FOR_A_CHARACTER))
    state.env[STEPS] = steps_left - steps
    if steps_left <= 0:
        found = "too many small blocks, such as lists, notes and headings"
        raise TooMuchWorkError(found, "divide the document; nothing of it is read")


def _counted_headings(rule: BlockRule) -> BlockRule:
    """Returns a rule for headings that counts those that it finds."""

    def counted(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        found = rule(state, start, end, silent)
        if found and not silent:
            _count_steps(state, STEPS_FOR_A_HEADING)
        return found

    return counted


def _limited_links(rule: InlineRule) -> InlineRule:
    """Returns a rule that finds no links in a paragraph with too many nested brackets."""

    def limited(state: StateInline, silent: bool) -> bool:
        return state.src[state.pos] in "[!" and _is_searched(state.src) and rule(state, silent)

    return limited


@lru_cache(maxsize=4)
def _is_searched(text: str) -> bool:
    deepest = depth = 0
    for bracket in BRACKET.findall(text):
        depth = depth + 1 if bracket == "[" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return len(text) * deepest <= MAX_SEARCH


def _limited_addresses(rule: InlineRule) -> InlineRule:
    """Returns a rule that searches for web addresses only directly after a known scheme."""

    def limited(state: StateInline, silent: bool) -> bool:
        if len(state.pending) > MAX_PENDING or not SCHEME.search(state.pending[-6:]):
            return False
        return rule(state, silent)

    return limited
