"""Reads definition lists with several names for one definition, and without blank lines between
entries."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

MAX_NAMES = 8
"""The maximum number of consecutive lines with names that share one definition. A paragraph above a
definition may be longer: it is no list of names."""
DEFINITION = re.compile(r" {0,3}[:~][ \t]+\S")


def several_names(parser: MarkdownIt) -> None:
    """Allows several names for one definition, and names right below a definition.

    The lines `Jig`, `Template`, `: Holds.`, `Saw`, `: Cuts.` are three names with two definitions.
    The plug-in alone allows one name, below a blank line.
    """
    # The plug-in does not export the function that reads a list.
    read_by_plugin: RuleFuncBlockType = next(
        rule for rule in parser.block.ruler.getRules("") if rule.__name__ == "deflist"
    )

    def read_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        """Reads a list that begins with several names. Returns whether there is one.

        This is a block rule of markdown-it: if `silent` is true, it reads nothing, but answers
        whether names end the paragraph above them.
        """
        name_count = _count_names(state, start, end)
        if silent:
            # Names end a paragraph in a definition. Outside, they are further lines of it.
            is_in_definition = state.ddIndent >= 0
            return is_in_definition and name_count > 0
        if name_count < 2:
            return False  # a list with one name is left to the plug-in

        # 1. The plug-in reads the list from its last name on.
        opening_index = len(state.tokens)
        last_name = start + name_count - 1
        if not read_by_plugin(state, last_name, end, False):
            return False

        # 2. The other names are put before that one, right behind the opening of the list.
        other_names: list[Token] = []
        for line in range(start, last_name):
            other_names += _name(state, line)
        opening = state.tokens[opening_index]
        opening.map = [start, state.line]
        state.tokens[opening_index + 1 : opening_index + 1] = other_names
        return True

    parser.block.ruler.before("lheading", "deflist_names", read_list, {"alt": ["paragraph"]})


def _name(state: StateBlock, line: int) -> tuple[Token, Token, Token]:
    """Returns the tokens of a line as the name in a definition list: those that the plug-in makes
    of its own name, `<dt>`, the text and `</dt>`."""
    content = state.getLines(line, line + 1, state.blkIndent, False).strip()
    level = state.level + 1
    lines = [line, line]
    name = Token("inline", "", 0, map=lines, level=level + 1, content=content, children=[])
    name.block = True
    return (
        Token("dt_open", "dt", 1, map=[*lines], level=level, block=True),
        name,
        Token("dt_close", "dt", -1, level=level, block=True),
    )


def _count_names(state: StateBlock, start: int, end: int) -> int:
    """Returns the number of names on the lines from `start` up to a definition: 2 for `Jig`,
    `Template`, `: Holds.` It is 0 if a blank line or more than MAX_NAMES names come before the
    definition."""
    for line in range(start, min(start + MAX_NAMES + 1, end)):
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        if DEFINITION.match(text):
            return line - start
        if not text.strip():
            return 0
    return 0
