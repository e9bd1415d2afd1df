"""Decides which headings of a document are terms, which are the sections of these, and which are
neither.

`outline` decides that the terms are headings, and not in lists. Before that,
`decide_doubtful_names` decides about names that are terms in one glossary and not in another.
"References" at the end of a glossary is a list of books; between two terms it is a term.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

from sitegen.formats.common import passed_over
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.glossary_lists import candidates_in
from sitegen.formats.common.headings import HeadingKind, is_label
from sitegen.formats.common.passed_over import PassedOver
from sitegen.formats.common.structure import HERE, HeadingNode
from sitegen.model import grouped

LINK_LIST = re.compile(
    rf"\s*<ul>(?:\s*<li>\s*(?:<p>)?\s*(?:<(?:strong|em)>)?<a "
    rf"(?![^<>]*{HERE})(?:(?!</?li>).)*</li>)+\s*</ul>\s*",
    re.S,
)
"""Matches a list in which each item begins with a link to another document."""
MIN_LETTERS = 4
"""The minimum number of letters in an index of names."""
AWAY = re.compile(rf"<a (?![^<>]*{HERE})")
"""The beginning of a link to another document."""


class HeadedTerm(NamedTuple):
    """A heading that is a term, or a letter above a list of terms."""

    node: HeadingNode
    section: str


def headed_terms(
    top: HeadingNode, nodes: Sequence[HeadingNode]
) -> tuple[list[Candidate], list[PassedOver]]:
    """Returns the terms that are headings, and the headings that are none."""
    sections = _section_ids(nodes)
    headed = _without_appendix([*_below_sections(top.children, "", sections)])
    headings = [node for node, _ in headed]
    letters = _letters_of_index(headings)
    candidates: list[Candidate] = []
    for node, section in headed:
        if node not in letters:
            candidates += _candidates_at(node, section)
    not_read = [
        passed_over.letters(letters),
        *passed_over.in_doubt(headings),
        passed_over.below_terms(headings),
        passed_over.sections_with_text(top, headings),
    ]
    return candidates, not_read


def _letters_of_index(headings: Sequence[HeadingNode]) -> list[HeadingNode]:
    """Returns the letters above texts without names, if most headings are the first letter of their
    text. A letter above another text is a term, and so are a few letters."""
    letters = [node for node in headings if node.is_letter() and node.has_text]
    number = sum(map(_is_first_letter, letters))
    if number < MIN_LETTERS or 2 * number <= len(headings):
        return []
    return [node for node in letters if not node.candidates]


def _is_first_letter(node: HeadingNode) -> bool:
    text = re.sub("<[^>]*>", "", node.html)
    return text.lstrip().casefold().startswith(node.name.casefold())


def _section_ids(nodes: Sequence[HeadingNode]) -> set[int]:
    """Returns the ids of the headings that are sections if they have subheadings."""
    labels = _labels(nodes)
    ids: set[int] = set()
    for of_level in grouped((node.heading.level, node) for node in nodes).values():
        sections = _sections(of_level, labels)
        for node in of_level:
            is_bare_section = sections == "bare" and not node.has_text
            if node.is_letter() or sections == "all" or is_bare_section:
                ids.add(id(node))
    return ids


def _labels(nodes: Iterable[HeadingNode]) -> set[str]:
    """Returns the names of headings inside definitions: "Example", and those below several other
    headings."""
    parents: Counter[str] = Counter()
    for node in nodes:
        if not node.is_letter():
            parents.update({child.name for child in node.children})
    labels: set[str] = set()
    for name, number in parents.items():
        if number > 1 or is_label(name):
            labels.add(name)
    return labels


def _sections(
    nodes: Sequence[HeadingNode], labels: Collection[str]
) -> Literal["none", "bare", "all"]:
    """Returns which headings of one level are sections, if they have subheadings: all, or those
    without a text.

    There are sections if most headings with subheadings have subheadings that are not labels. All
    are sections if most headings have subheadings, and few (or all) of these a text, or a short
    one.
    """
    parents = [node for node in nodes if node.children]
    bare = [node for node in parents if not node.has_text]
    above_terms = above_one_term = 0
    for node in parents:
        terms = _number_of_terms(node.children, labels)
        if 2 * terms >= len(node.children):
            above_terms += 1
        if terms < 2:
            above_one_term += 1
    if not parents or 2 * above_terms < len(parents):
        return "none"
    if 2 * len(parents) <= len(nodes):
        return "bare"
    if 2 * len(bare) >= len(parents):
        return "all"
    if len(nodes) == 1 or above_one_term:
        return "bare"
    all_are_parents = len(parents) == len(nodes)
    have_introductions = all(node.is_introduction() for node in parents)
    if bare or all_are_parents or have_introductions:
        return "all"
    return "bare"


def _number_of_terms(headings: Iterable[HeadingNode], labels: Collection[str]) -> int:
    terms = 0
    for node in headings:
        if node.name not in labels and not node.is_auxiliary():
            terms += 1
    return terms


def _below_sections(
    nodes: Iterable[HeadingNode], section: str, sections: Collection[int]
) -> Iterator[HeadedTerm]:
    """Yields the headings that are no sections, with the section of each; `sections` has ids."""
    for node in nodes:
        has_list = node.is_letter() and node.candidates
        is_section = id(node) in sections and not node.is_auxiliary() and not has_list
        if not node.children or not is_section:
            yield HeadedTerm(node, section)
            continue
        inner = section if node.is_letter() else node.name
        yield from _below_sections(node.children, inner, sections)


def _without_appendix(headed: list[HeadedTerm]) -> list[HeadedTerm]:
    """Returns the headings without those at the end that define nothing, unless these are most
    headings."""
    end = len(headed)
    while end and _defines_nothing(headed[end - 1].node):
        end -= 1
    remaining = headed[:end]
    for one in headed[end:]:
        if one.node.is_auxiliary():
            remaining.append(one)
    if 2 * len(remaining) > len(headed):
        return remaining
    return headed


def _defines_nothing(node: HeadingNode) -> bool:
    """True for an auxiliary heading, and for a list of links to other documents."""
    return node.is_auxiliary() or LINK_LIST.fullmatch(node.html) is not None


def _candidates_at(node: HeadingNode, section: str) -> Iterable[Candidate]:
    """Returns the candidate of a heading, with everything below it; for a letter, the candidates
    below it."""
    is_empty_letter = node.is_letter() and not node.has_text and not node.children
    if node.is_auxiliary() or is_empty_letter:
        return ()
    if node.is_letter() and node.candidates:
        return candidates_in(node, section)
    texts = [*node.texts]
    anchors = [*node.anchors]
    for below in node.walk():
        texts += below.heading.html, *below.texts
        anchors += below.anchors
    names = (node.name,) if node.name else ()
    return (Candidate(names, "".join(texts), node.heading.line, tuple(anchors), section),)


def decide_doubtful_names(root: HeadingNode) -> None:
    """Decides which headings that may be auxiliary are, in place.

    A heading at an end that reads like a term stays doubtful.
    """
    for node in (root, *root.walk()):
        headings = node.children
        doubtful = [one for one in headings if one.heading.kind == "doubtful"]
        first = takewhile(HeadingNode.is_auxiliary, headings)
        last = takewhile(HeadingNode.is_auxiliary, reversed(headings))
        at_an_end = {id(one) for one in (*first, *last)}
        for one in doubtful:
            one.heading = one.heading._replace(kind=_kind_of_doubtful(one, at_an_end))


def _kind_of_doubtful(node: HeadingNode, at_an_end: Collection[int]) -> HeadingKind:
    """Returns the kind of a heading that may be auxiliary. `at_an_end` has the ids of the first and
    the last headings."""
    if not re.match(r"\s*<p\b", node.html):
        return "auxiliary"
    if id(node) not in at_an_end:
        return ""
    if AWAY.search(node.html):
        return "auxiliary"
    return "doubtful"
