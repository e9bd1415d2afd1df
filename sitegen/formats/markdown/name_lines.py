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
    """Returns the names and anchors in a line above a definition. A line of Spec-Up may have
    several names.

    Spec-Up also allows an id before a name: `[[def: table-saw, Table saw]]` is the name "Table saw"
    with the anchor `table-saw`.
    """
    _opening, inline, _closing = element
    text = inline.children or []
    anchors, _ = leading_anchors(text)
    line_text = plain(text)
    spec_up = SPEC_UP.fullmatch(line_text)
    if spec_up is None:
        return NameLine([line_text], anchors)

    first, *others = [name.strip() for name in spec_up["names"].split(",")]
    for name in others:
        is_first_its_id = name != first and heading_id(name) == first
        if is_first_its_id:
            others.remove(name)
            return NameLine([name, *others], [*anchors, first])
    return NameLine([first, *others], anchors)
