"""Evens the levels of headings: a term that is on the level of sections by mistake gets the level
of terms."""

from __future__ import annotations

from sitegen.formats.common.headings import GLOSSARY_HEADING
from sitegen.formats.common.structure import HeadingNode
from sitegen.text import words

MIN_SECTIONS = 2
"""The minimum number of sections, without a text and with terms, for which a heading among them can
be a term by mistake."""


def even_levels(root: HeadingNode) -> None:
    """Moves the terms that are among sections below these, in place."""
    for node in (root, *root.walk()):
        _move_into_sections(node)


def _move_into_sections(parent: HeadingNode) -> None:
    """Moves headings with a text into the section above them: the one that is empty without them
    (`## B`, `## ballast`), or the letter that their names begin with."""
    sections = [child for child in parent.children if _is_section(child) and child.children]
    if len(sections) < MIN_SECTIONS:
        return
    level = sections[0].children[0].heading.level
    children: list[HeadingNode] = []
    section = None
    was_empty = False
    for child in parent.children:
        if child.has_text and section and (was_empty or _begins_with(child, section)):
            section.children += _split(child, level)
            continue
        children.append(child)
        section = child if _is_section(child) else None
        was_empty = not child.children
    parent.children = children


def _is_section(node: HeadingNode) -> bool:
    if node.has_text or node.is_auxiliary():
        return False
    return GLOSSARY_HEADING.fullmatch(node.name) is None


def _begins_with(node: HeadingNode, section: HeadingNode) -> bool:
    """True if the section is a letter, or letters like "A–C", and the name begins with it."""
    letters = words.fold(section.name).split()
    if not section.is_letter() or not letters:
        return False
    return letters[0] <= words.fold(node.name)[:1] <= letters[-1]


def _split(node: HeadingNode, level: int) -> list[HeadingNode]:
    """Returns a heading on another level, and the headings below it, which are on the level of
    terms as well."""
    below = node.children
    node.heading = node.heading._replace(level=level)
    node.children = []
    return [node, *below]
