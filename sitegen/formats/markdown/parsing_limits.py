"""Limits the work of the Markdown parser on texts whose time would grow with the square of their
length.

The work is counted, not timed, so that a text has the same result on every machine. The remaining
steps are in the environment of a parse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from sitegen.model import TooMuchWorkError

MAX_PARAGRAPH = 10_000
"""A paragraph, heading or cell with more characters is shown as it was written."""
MAX_SEARCH = 3_000_000
"""The maximum product of a paragraph's length and the depth of its nested brackets, which are
searched for links."""
MAX_ADDRESS = 2_000
"""The maximum length of a web address in a text."""
MAX_PENDING = 4_000
"""The maximum number of characters without markup before `://`, which are searched for the start of
an address."""
STEPS_AT_LEAST = 200_000
STEPS_FOR_A_CHARACTER = 0.35
"""The maximum number of steps, each of about 10 µs. A step is a test whether a line begins a block.
An ordinary text takes a step for 10 characters, and a nested list in short lines one for 4. The
least is enough for 7,500 rows of four cells."""
STEPS_FOR_A_TEXT = 5
"""The number of steps for a paragraph, a heading, a cell or a block of HTML."""
LINK_OR_TAG = re.compile(r"[\[<]")
STEPS_FOR_A_LINK_OR_TAG = 2
STEPS_FOR_A_CHUNK = 5
"""The number of steps for each part of a document that is parsed alone."""
MAX_CONTAINERS = 8
"""The maximum nesting of containers (`::: note`), each of which is searched for its end. Deeper
ones are shown as text."""
OPEN_CONTAINERS = "sitegen containers"
"""The key of the number of open containers in the environment of a parse."""
BRACKET = re.compile(r"[\[\]]")
SCHEME = re.compile(r"(?:^|[^a-z])(?:https?|ftp)$", re.I)
LINKS = ("link", "image", "footnote_ref")
STEPS = "sitegen steps"
"""The key of the number of remaining steps in the environment of a parse."""


def steps_allowed(length: int) -> int:
    """Returns the maximum number of steps for a text of some length."""
    return max(STEPS_AT_LEAST, int(length * STEPS_FOR_A_CHARACTER))


def steps_taken(env: Mapping[str, Any], length: int) -> int:
    """Returns the number of steps that a text of some length took to parse, by its environment,
    which has those that remain."""
    return STEPS_FOR_A_CHUNK + steps_allowed(length) - int(env[STEPS])


def too_many_steps(line: int = 0) -> TooMuchWorkError:
    """Returns the error for a text that takes too many steps."""
    found = "too many small blocks, such as lists, notes, cells and footnotes"
    return TooMuchWorkError(found, "divide the document; nothing of it is read", line=line)


InlineRule = Callable[[StateInline, bool], bool]
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def limit(parser: MarkdownIt) -> None:
    """Adds the limits to a parser that has all its rules."""
    # Long paragraphs.
    parse = parser.inline.parse

    def parse_short(text: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        """Adds the tokens of a text. A long one becomes a single token of plain text."""
        if len(text) <= MAX_PARAGRAPH:
            return parse(text, md, env, tokens)
        tokens.append(Token("text", "", 0, content=text))
        return tokens

    parser.inline.parse = parse_short  # type: ignore[method-assign, assignment]

    # Long addresses.
    if linkify := parser.linkify:
        match_at_start = linkify.match_at_start
        linkify.match_at_start = lambda text: match_at_start(text[:MAX_ADDRESS])

    # Brackets, places where an address may begin, and containers. The rules are replaced under
    # their names, so that their order stays.
    for inline in [*parser.inline.ruler.__rules__]:
        if inline.name in LINKS:
            parser.inline.ruler.at(inline.name, _limited_links(inline.fn))
        elif inline.name == "linkify":
            parser.inline.ruler.at(inline.name, _limited_addresses(inline.fn))
    for rule in [*parser.block.ruler.__rules__]:
        if rule.name == "container_note":
            parser.block.ruler.at(rule.name, _limited_containers(rule.fn), {"alt": rule.alt})

    # Steps.
    parser.core.ruler.after("block", "texts", _count_texts)
    first = parser.block.ruler.__rules__[0].name
    parser.block.ruler.before(
        first, "steps", _count_line, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _count_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule that counts the lines that the parser tests, and matches nothing."""
    _count_steps(state.env, 1)
    return False


def _count_texts(state: StateCore) -> None:
    """Counts paragraphs, headings, cells and blocks of HTML before their texts are parsed."""
    for token in state.tokens:
        if token.type == "html_block":
            _count_steps(state.env, STEPS_FOR_A_TEXT)
        elif token.type == "inline":
            links_and_tags = len(LINK_OR_TAG.findall(token.content))
            _count_steps(state.env, STEPS_FOR_A_TEXT + STEPS_FOR_A_LINK_OR_TAG * links_and_tags)


def _count_steps(env: MutableMapping[str, Any], steps: int) -> None:
    if STEPS in env:  # not for the single line of `Context.inline`
        env[STEPS] -= steps
        if env[STEPS] < 0:
            raise too_many_steps()


def _limited_containers(rule: BlockRule) -> BlockRule:
    """Returns a rule that finds no containers that are nested too deeply."""

    def limited(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        depth = state.env.get(OPEN_CONTAINERS, 0)
        if depth == MAX_CONTAINERS:
            return False
        # The rule parses the blocks in the container, and so calls itself.
        state.env[OPEN_CONTAINERS] = depth + 1
        is_found = rule(state, start, end, silent)
        state.env[OPEN_CONTAINERS] = depth
        return is_found

    return limited


def _limited_links(rule: InlineRule) -> InlineRule:
    """Returns a rule that finds no links in a paragraph with too many nested brackets."""

    def limited(state: StateInline, silent: bool) -> bool:
        # The parser calls the rule at each character.
        may_begin = state.src[state.pos] in "[!"
        if may_begin and _is_cheap_to_search(state.src):
            return rule(state, silent)
        return False

    return limited


@lru_cache(maxsize=4)
def _is_cheap_to_search(text: str) -> bool:
    """Returns whether the nested brackets of a text are few enough to be searched for links."""
    deepest = depth = 0  # 2 for `[[a] [b]]`
    for bracket in BRACKET.findall(text):
        if bracket == "[":
            depth += 1
            deepest = max(deepest, depth)
        elif depth:
            depth -= 1
    # For each open bracket, the rest of the text is searched.
    return len(text) * deepest <= MAX_SEARCH


def _limited_addresses(rule: InlineRule) -> InlineRule:
    """Returns a rule that searches for web addresses only directly after a known scheme."""

    def limited(state: StateInline, silent: bool) -> bool:
        # The rule would search all of the pending text. It ends with a scheme, as `https`, and the
        # character before that shows that a word begins.
        if len(state.pending) > MAX_PENDING or not SCHEME.search(state.pending[-6:]):
            return False
        return rule(state, silent)

    return limited
