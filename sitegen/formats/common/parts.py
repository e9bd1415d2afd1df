"""Separates headings that are terms from the others: a part with all terms, an index, an appendix."""

from __future__ import annotations

import re
from itertools import takewhile

from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import GLOSSARY_HEADING
from sitegen.formats.common.passages import LINK_LIST, HeadingNode
from sitegen.formats.common.tables import is_comparison
from sitegen.text import words

INDEX = 5
"""The minimum number of letters as headings that are an index."""

NUMBERED = re.compile(r"\d{1,3}[.)] +(?=\S)")
MIN_NUMBERED = 3

Headed = tuple[HeadingNode, str]
"""A heading, and the name of its section."""


def beside_title(root: HeadingNode, title: HeadingNode) -> list[HeadingNode]:
    """Returns the headings on the level of the title, each before its subheadings if these are on the level of terms.

    Where the terms are right below the title, a heading with a text that is on the title's own level is a term, too.
    """
    levels = {child.heading.level for child in title.children}
    found = []
    for node in root.children:
        if node is not title:
            found.append(node)
            alike = len(levels) == 1 and {child.heading.level for child in node.children} == levels
            if alike and node.has_text and len(node.children) > 1 and not node.is_auxiliary():
                found += node.children
                node.children = []
    return found


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


def glossary_part(root: HeadingNode) -> HeadingNode | None:
    """Returns the section of a larger document that is headed "Glossary", if there is only one."""
    named = [node for node in root.walk() if GLOSSARY_HEADING.fullmatch(node.name)]
    return named[0] if len(named) == 1 and (named[0].children or len(named[0].candidates) > 1) else None


def definitions_part(root: HeadingNode, title: HeadingNode | None) -> HeadingNode | None:
    """Returns the section of a glossary that is headed "Definitions", if few of the other sections have terms."""
    nodes = [node for node in root.walk() if node is not title]
    named = [node for node in nodes if GLOSSARY_HEADING.fullmatch(node.name) and words.fold(node.name) != "language"]
    others = [node for node in nodes if node.has_text and not node.is_auxiliary() and node not in named]
    counts = [sum(len(block.candidates) for block in node.body) for node in others]
    is_only = len(counts) > 2 and sum(map(bool, counts)) * 3 <= len(counts)
    if len(named) != 1 or named[0].children or not is_only:
        return None
    listed = sum(len(block.candidates or block.guesses) for block in named[0].body)
    return named[0] if listed > max(2, sum(counts)) else None


def without_numbers(candidates: list[Candidate]) -> list[Candidate]:
    """Returns the candidates without the numbers of their names, if most names have one: "1. Jig", "2. Saw".

    A new name without a number must not change the other names.
    """
    has_number = [NUMBERED.match(one.names[0]) is not None for one in candidates if one.names]
    if sum(has_number) < MIN_NUMBERED or 2 * sum(has_number) <= len(has_number):
        return candidates
    return [one._replace(names=tuple([NUMBERED.sub("", name) for name in one.names])) for one in candidates]
