"""Removes headings that are not terms: the letters of an index, and the appendix of a document."""

from __future__ import annotations

from itertools import takewhile

from sitegen.formats.common.passages import LINK_LIST, HeadingNode
from sitegen.formats.common.tables import is_comparison
from sitegen.text import words

INDEX = 5
"""The minimum number of letters as headings that are an index."""

Headed = tuple[HeadingNode, str]
"""A heading, and the name of its section."""


def without_index(headed: tuple[Headed, ...]) -> tuple[Headed, ...]:
    """Returns the headings without letters that have no terms below them, if there are enough for an index."""
    letters = sum(node.is_letter() for node, _ in headed)
    return tuple([one for one in headed if letters < INDEX or not one[0].is_letter() or one[0].candidates])


def without_appendix(headed: tuple[Headed, ...]) -> tuple[Headed, ...]:
    """Returns the headings without those at the end that define nothing, unless these are most headings.

    These are lists of links to other documents, and a table whose columns are other headings.
    """
    names = {words.fold(node.name) for node, _ in headed}
    ends = (
        node.is_auxiliary() or LINK_LIST.fullmatch(html := "".join(node.html)) or is_comparison(html, names)
        for node, _ in reversed(headed)
    )
    end = sum(1 for _ in takewhile(bool, ends))
    kept = (*headed[: len(headed) - end], *(one for one in headed[len(headed) - end :] if one[0].is_auxiliary()))
    return kept if len(kept) * 2 > len(headed) else headed
