"""Limits for markdown-it, which takes time that grows with the square of some texts.

All count work, not time, so that a text has the same result on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from sitegen.model import TooMuchWorkError

MAX_SEARCH = 3_000_000
"""The characters of a paragraph, times the brackets in it that are open at once: so many are searched for links."""
MAX_PENDING = 4_000
"""Characters without markup before the `://` of a web address, which are searched for its beginning."""
STEPS_AT_LEAST = 5_000
STEPS_FOR_A_CHARACTER = 0.5
"""How often the parser may look whether a line begins a block; an ordinary text has a step for 20 characters."""

BRACKET = re.compile(r"[\[\]]")
SCHEME = re.compile(r"(?:^|[^a-z])(?:https?|ftp)$", re.I)
LINKS = ("link", "image", "footnote_ref")
STEPS = "sitegen steps"
"""The key of the steps that are left, in the environment of a parse."""

InlineRule = Callable[[StateInline, bool], bool]


def limit(parser: MarkdownIt) -> None:
    """Adds the limits to a parser that has all its rules."""
    rules = {rule.name: rule.fn for rule in parser.inline.ruler.__rules__}
    for name in LINKS:
        if name in rules:
            parser.inline.ruler.at(name, _limited(rules[name]))
    if "linkify" in rules:
        parser.inline.ruler.at("linkify", _near(rules["linkify"]))
    first = parser.block.ruler.__rules__[0].name
    parser.block.ruler.before(first, "steps", _count, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _count(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Counts the lines that are looked at. Matches nothing."""
    left = state.env.get(STEPS)
    if left is None:
        left = max(STEPS_AT_LEAST, int(len(state.src) * STEPS_FOR_A_CHARACTER))
    state.env[STEPS] = left - 1
    if left <= 0:
        raise TooMuchWorkError("too many small blocks, such as lists, notes and definitions")
    return False


def _limited(rule: InlineRule) -> InlineRule:
    """Reads no links in a paragraph with too many brackets inside brackets."""

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


def _near(rule: InlineRule) -> InlineRule:
    """Searches for web addresses only right behind a known scheme."""

    def near(state: StateInline, silent: bool) -> bool:
        if len(state.pending) > MAX_PENDING or not SCHEME.search(state.pending[-6:]):
            return False
        return rule(state, silent)

    return near
