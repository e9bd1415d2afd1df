"""Decides which headings of a document are terms, which are the sections of these, and which are
neither.

`outline` decides that the terms are headings, and not in lists. Before that, `with_decided_kinds`
decides about headings that are terms in one glossary and not in another: "References" at the end of
a glossary is a list of books; between two terms it is a term.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from sitegen.formats.common import passed_over
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.glossary_lists import candidates_in
from sitegen.formats.common.headings import (
    ABBREVIATIONS,
    GLOSSARY_HEADING,
    HeadingKind,
)
from sitegen.formats.common.structure import HERE, HeadingNode
from sitegen.model import grouped
from sitegen.text.words import without_tags

LINK_LIST = re.compile(
    rf"\s*<ul>(?:\s*<li>\s*(?:<p>)?\s*(?:<(?:strong|em)>)?<a "
    rf"(?![^<>]*{HERE})(?:(?!</?li>).)*</li>)+\s*</ul>\s*",
    re.S,
)
"""Matches a list in which each item begins with a link to another document: books to read."""
AWAY = re.compile(rf"<a (?![^<>]*{HERE})[^<>]*>[^<]*(?:<(?!/?a\b)[^<]*)*</a>")
"""A link to another document."""
MIN_WORDS = 3
"""The minimum number of words of a definition, without links to other documents. "Source: RFC 2119"
and "Disclaimer: No guarantee." have fewer, "References: Names that point to commits." more."""


class HeadedTerm(NamedTuple):
    """A heading that is no section, and the section that it is in."""

    node: HeadingNode
    section: str


def headed_terms(top: HeadingNode) -> tuple[list[Candidate], list[HeadingNode]]:
    """Returns the terms that are headings below `top`, and the headings to report because they are
    not read as terms.

    Below `# Words`, `## Tools`, `### Jig` and `### Saw`, the terms are "Jig" and "Saw".
    """
    sections = _sections([*top.walk()])
    headed = _without_link_lists([*_below_sections(top.children, "", sections)])
    headings = [node for node, _ in headed]
    candidates: list[Candidate] = []
    for node, section in headed:
        candidates += _candidates_at(node, section)

    not_read = [node for node in headings if node.heading.kind == "doubtful"]
    not_read += passed_over.below_terms(headings)
    not_read += passed_over.sections_with_text(top, headings)
    return candidates, not_read


def _sections(nodes: Sequence[HeadingNode]) -> set[HeadingNode]:
    """Returns the headings that are sections.

    The headings on a level are decided together: if `## Tools` above `### Jig` and `### Saw` is a
    section, so is `## Glue` above `### Hide glue`.
    """
    labels = _labels(nodes)
    sections: set[HeadingNode] = set()
    for on_level in grouped((node.heading.level, node) for node in nodes).values():
        sections.update(_sections_on_level(on_level, labels))
    # A heading such as "Glossary" is a section, whatever else is on its level.
    for node in nodes:
        if len(node.children) > 1 and GLOSSARY_HEADING.fullmatch(node.name):
            sections.add(node)
    return sections


def _labels(nodes: Iterable[HeadingNode]) -> set[str]:
    """Returns the names that are below more than one heading. "Example" below "Jig" and below "Saw"
    is a part of their definitions, and no term."""
    parents: Counter[str] = Counter()
    for node in nodes:
        parents.update({child.name for child in node.children})
    return {name for name, number in parents.items() if number > 1}


def _sections_on_level(
    nodes: Sequence[HeadingNode], labels: Collection[str]
) -> Sequence[HeadingNode]:
    """Returns the sections among the headings of one level. The sections are all headings with
    subheadings, or only those without a text, or none. A heading without subheadings is a term."""
    parents = [node for node in nodes if node.children]
    parents_of_terms = 0
    for node in parents:
        if 2 * _count_terms(node, labels) >= len(node.children):
            parents_of_terms += 1
    if 2 * parents_of_terms < len(parents):
        return []  # most subheadings are labels, such as "Example"
    most_are_parents = 2 * len(parents) > len(nodes)
    if most_are_parents and _are_all_sections(parents, labels, number_on_level=len(nodes)):
        return parents
    return [node for node in parents if not node.has_text]


def _are_all_sections(
    parents: Sequence[HeadingNode], labels: Collection[str], *, number_on_level: int
) -> bool:
    """Returns whether `parents`, the headings with subheadings on a level, are all sections. The
    text of a section is an introduction: "Tools: What we work with."

    `number_on_level` counts all headings on the level. Most of them are parents.
    """
    with_text = sum(node.has_text for node in parents)
    if 2 * with_text <= len(parents):
        return True  # most have no text, as only sections do

    # 1. A heading with a text may be a term with parts below it. A section is not alone, and has
    #    several terms.
    if number_on_level == 1:
        return False
    for node in parents:
        if _count_terms(node, labels) < 2:
            return False

    # 2. If all headings of the level look the same, or one is surely a section, all are sections.
    all_have_subheadings = len(parents) == number_on_level
    one_has_no_text = with_text < len(parents)
    if all_have_subheadings or one_has_no_text:
        return True

    # 3. Beside terms without subheadings, only short texts are introductions.
    return all(node.is_introduction() for node in parents)


def _count_terms(node: HeadingNode, labels: Collection[str]) -> int:
    """Returns how many headings right below a heading are not labels."""
    return sum(1 for child in node.children if child.name not in labels)


def _below_sections(
    nodes: Iterable[HeadingNode], section: str, sections: Collection[HeadingNode]
) -> Iterator[HeadedTerm]:
    """Yields the headings that are not sections, each with the section that it is in. Auxiliary
    headings are among them, as they may be reported.

    A letter does not name a section: below `## Tools` and `### J`, the heading `#### Jig` is in the
    section "Tools".
    """
    for node in nodes:
        if node not in sections or node.is_auxiliary():
            yield HeadedTerm(node, section)
            continue
        section_below = section if node.is_letter() else node.name
        yield from _below_sections(node.children, section_below, sections)


def _without_link_lists(headed: list[HeadedTerm]) -> list[HeadedTerm]:
    """Returns the headings without those at the end that only have links to other documents, such
    as "Books"."""
    kept = [*headed]
    for index in reversed(range(len(headed))):
        node = headed[index].node
        if node.is_auxiliary():
            continue  # an auxiliary heading stays, and may be reported
        if LINK_LIST.fullmatch(node.html) is None:
            break
        del kept[index]
    if 2 * len(kept) > len(headed):
        return kept
    return headed  # most headings have only links: a glossary of links


def _candidates_at(node: HeadingNode, section: str) -> Iterable[Candidate]:
    """Returns the term that a heading is, with everything below it as its definition.

    The heading of a list of abbreviations is their section: the result is the terms below it.
    """
    if node.is_auxiliary():
        return ()
    is_empty_letter = node.is_letter() and not node.has_text and not node.children
    if is_empty_letter:
        return ()
    lists_abbreviations = len(node.candidates) > 1 and re.match(ABBREVIATIONS, node.name)
    if lists_abbreviations and not node.children:
        return candidates_in(node, section=node.name)

    html = node.html
    anchors = [*node.anchors]
    for below in node.walk():
        html += below.heading.html + below.html
        anchors += below.anchors
    names = (node.name,) if node.name else ()
    return (Candidate(names, html, node.heading.line, tuple(anchors), section),)


def with_decided_kinds(parent: HeadingNode) -> HeadingNode:
    """Returns a heading in which the doubtful headings below it are decided: "References" between
    two terms is a term."""
    headings = parent.children
    # The auxiliary headings above the first term and below the last one, doubtful ones among them.
    first = takewhile(HeadingNode.is_auxiliary, headings)
    last = takewhile(HeadingNode.is_auxiliary, reversed(headings))
    at_an_end = {*first, *last}

    children = []
    for node in headings:
        heading = node.heading
        if heading.kind == "doubtful":
            kind = _kind_of_doubtful(node, at_an_end=node in at_an_end)
            node = replace(node, heading=heading._replace(kind=kind))
        children.append(with_decided_kinds(node))
    return parent.with_children(children)


def _kind_of_doubtful(node: HeadingNode, *, at_an_end: bool) -> HeadingKind:
    """Returns the kind of a heading that may be auxiliary. The kind is empty for a term, and stays
    `doubtful` for a heading at an end that reads like a term."""
    begins_with_paragraph = re.match(r"\s*<p\b", node.html)
    text_beside_links = without_tags(AWAY.sub(" ", node.html), instead=" ")
    says_little = len(re.findall(r"\w+", text_beside_links)) < MIN_WORDS
    if not begins_with_paragraph or says_little:
        return "auxiliary"
    if not at_an_end:
        return ""
    has_link_away = AWAY.search(node.html) is not None  # as a list of books has
    return "auxiliary" if has_link_away else "doubtful"
