"""Definition lists in Markdown as glossaries write them: several names for one definition, and no blank lines.

The plug-in reads one name to a definition, and takes a name that follows a definition without a blank line for more
of that definition. Two rules around it put that right.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

DEFINITION = re.compile(r" {0,3}[:~][ \t]+\S")
MAX_NAMES = 8
"""Lines in a row that may share one definition."""


def definition_lists(parser: MarkdownIt) -> None:
    """A markdown-it plug-in."""
    parser.use(deflist_plugin)
    single = next(rule for rule in parser.block.ruler.getRules("") if rule.__name__ == "deflist")

    def several(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent:
            return state.ddIndent >= 0 and _names(state, start, end) > 0
        return _several(single, state, start, end)

    parser.block.ruler.before("deflist", "deflist_names", several, {"alt": ["paragraph"]})


def _several(single: RuleFuncBlockType, state: StateBlock, start: int, end: int) -> bool:
    """Reads a definition list whose first definition has several names."""
    extra = _names(state, start, end) - 1
    before = len(state.tokens)
    if extra < 1 or not single(state, start + extra, end, False):
        return False
    first = before + 1  # after the opening of the list
    state.tokens[before].map = [start, state.line]
    state.tokens[first:first] = [token for line in range(start, start + extra) for token in _name(state, line)]
    return True


def _name(state: StateBlock, line: int) -> tuple[Token, Token, Token]:
    content = state.getLines(line, line + 1, state.blkIndent, False).strip()
    level = state.level + 1
    return (
        Token("dt_open", "dt", 1, map=[line, line], level=level, block=True),
        Token("inline", "", 0, map=[line, line], level=level + 1, content=content, children=[], block=True),
        Token("dt_close", "dt", -1, level=level, block=True),
    )


def _names(state: StateBlock, start: int, end: int) -> int:
    """How many lines of names stand here above a line that begins with a colon; 0 where there is no such line."""
    for line in range(start, min(start + MAX_NAMES + 1, end)):
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        if DEFINITION.match(text):
            return line - start
        if not text.strip():
            return 0
    return 0
