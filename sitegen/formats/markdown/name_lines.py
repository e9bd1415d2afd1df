"""Reads a line of names above a definition in a definition list, which may be one of Spec-Up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.token import Token

from sitegen.formats.markdown.commonmark import plain
from sitegen.formats.markdown.inline_html import leading_anchors
from sitegen.text.names import heading_id

SPEC_UP = re.compile(r"\[\[def:\s*(?P<names>[^\[\]]+)\]\]:?")
"""The name of a definition in Spec-Up: `[[def: wallet, digital wallet]]`."""


class NameLine(NamedTuple):
    """The names in a line above a definition, and their anchors."""

    names: Sequence[str]
    anchors: Sequence[str]


def read_name_line(element: Sequence[Token]) -> NameLine:
    """Returns the names and anchors in a line above a definition."""
    _opening, inline, _closing = element
    text = inline.children or []
    anchors, _ = leading_anchors(text)
    line_text = plain(text)
    spec_up = SPEC_UP.fullmatch(line_text)
    if spec_up is None:
        return NameLine([line_text], anchors)

    first, *others = [name.strip() for name in spec_up["names"].split(",")]
    for name in others:
        # The first of `[[def: table-saw, Table saw]]` is an id, which becomes an anchor.
        is_first_an_id = name != first and heading_id(name) == first
        if is_first_an_id:
            others.remove(name)
            return NameLine([name, *others], [*anchors, first])
    return NameLine([first, *others], anchors)
