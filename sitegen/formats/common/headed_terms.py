"""Decides which headings of a document are terms, which are the sections of these, and which are
neither.

`outline` decides that the terms are headings, and not in lists. Before that, `without_labels` and
`with_decided_kinds` decide about names that are terms in one glossary and not in another.
"References" at the end of a glossary is a list of books; between two terms it is a term. "Source"
is a label in a definition if it is repeated, or if its text is only "RFC 2119"; if it has a
definition, it is a term.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import takewhile
from typing import NamedTuple

from sitegen.formats.common import passed_over
from sitegen.formats.common.entries import Candidate, text_of_html
from sitegen.formats.common.headings import (
    ABBREVIATIONS,
    GLOSSARY_HEADING,
    HeadingKind,
    is_see_also,
    may_be_label,
)
from sitegen.formats.common.listed_terms import is_table_of_terms
from sitegen.formats.common.passed_over import PassedOver
from sitegen.formats.common.structure import HERE, Block, HeadingNode
from sitegen.formats.common.texts_below_headings import candidates_in
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
MAX_REMARK = 8
"""The maximum number of words of a remark beside a table: "More words of the shop:"."""
MIN_WORDS = 3
"""The minimum number of words of a definition, without links to other documents. "Source: RFC 2119"
and "Disclaimer: No guarantee." have fewer, "References: Names that point to commits." more."""


class HeadedTerm(NamedTuple):
    """A heading that is a term, or is above tables of terms."""

    node: HeadingNode
    section: str


def headed_terms(top: HeadingNode) -> tuple[list[Candidate], list[PassedOver]]:
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

    not_read = [
        *passed_over.in_doubt(headings),
        passed_over.below_terms(headings),
        passed_over.sections_with_text(top, headings),
    ]
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
    for node in nodes:
        if len(node.children) > 1 and GLOSSARY_HEADING.fullmatch(node.name):
            sections.add(node)
    return {node for node in sections if node.children}


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
    """Returns none of the headings of one level, all, or those without a text. Of these, the ones
    with subheadings are sections."""
    parents = [node for node in nodes if node.children]
    parents_of_terms = 0
    for node in parents:
        if 2 * _count_terms(node, labels) >= len(node.children):
            parents_of_terms += 1
    if 2 * parents_of_terms < len(parents):
        return ()  # most subheadings are labels, such as "Example"
    most_are_parents = 2 * len(parents) > len(nodes)
    if most_are_parents and _are_all_sections(parents, labels, number_on_level=len(nodes)):
        return nodes
    return [node for node in nodes if not node.has_text]


def _are_all_sections(
    parents: Sequence[HeadingNode], labels: Collection[str], *, number_on_level: int
) -> bool:
    """Returns whether headings with subheadings are sections even where they have a text.

    `parents` are the headings with subheadings on a level, and most headings on it.
    """
    with_text = [node for node in parents if node.has_text]
    have_few_texts = 2 * len(with_text) <= len(parents)
    if have_few_texts:
        return True

    # A term may have a text, and parts below it. A section has several terms.
    if number_on_level == 1:
        return False
    for node in parents:
        if _count_terms(node, labels) < 2:
            return False

    # A text is then an introduction: "Tools: What we work with."
    has_parent_without_text = len(with_text) < len(parents)
    have_all_subheadings = len(parents) == number_on_level
    if has_parent_without_text or have_all_subheadings:
        return True
    return all(node.is_introduction() for node in parents)


def _count_terms(node: HeadingNode, labels: Collection[str]) -> int:
    """Returns how many headings right below a heading are not labels."""
    return sum(1 for child in node.children if child.name not in labels)


def _below_sections(
    nodes: Iterable[HeadingNode], section: str, sections: Collection[HeadingNode]
) -> Iterator[HeadedTerm]:
    """Yields the headings that are not sections, each with the section that it is in.

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
            continue  # it stays, and may be reported (`passed_over.in_doubt`)
        if LINK_LIST.fullmatch(node.html) is None:
            break
        del kept[index]
    if 2 * len(kept) > len(headed):
        return kept
    return headed  # a glossary of links


def _candidates_at(node: HeadingNode, section: str) -> Iterable[Candidate]:
    """Returns the term that a heading is, with everything below it as its definition.

    The heading of a table of terms, or of a list of abbreviations, is their section: the result is
    the terms below it.
    """
    if node.is_auxiliary():
        return ()
    is_empty_letter = node.is_letter() and not node.has_text and not node.children
    if is_empty_letter:
        return ()
    if _lists_terms(node):
        return candidates_in(node, section=node.name)

    texts = [*node.texts]
    anchors = [*node.anchors]
    for below in node.walk():
        texts += [below.heading.html, *below.texts]
        anchors += below.anchors
    names = (node.name,) if node.name else ()
    return (Candidate(names, "".join(texts), node.heading.line, tuple(anchors), section),)


def _lists_terms(node: HeadingNode) -> bool:
    """Returns whether a heading is above tables of terms, or above a list of abbreviations. An
    example is "To be sorted" above a table with the title "Term".

    Short remarks may be beside the tables.
    """
    if len(node.candidates) < 2 or node.children:
        return False
    if re.match(ABBREVIATIONS, node.name):
        return True
    for block in node.body:
        is_short = len(text_of_html(block.html).split()) <= MAX_REMARK
        is_remark = is_short and not block.candidates
        if not is_remark and not is_table_of_terms(block.html):
            return False
    return True


def without_labels(root: HeadingNode) -> HeadingNode:
    """Returns the headings with candidates that are labels turned back to text. "Type" is a label
    if two paragraphs begin with `**Type**: …`, and a term if only one does."""
    times = _count_possible_labels((root, *root.walk()))  # `walk` leaves out the root itself

    def texts_without_labels(node: HeadingNode) -> list[Block]:
        blocks: list[Block] = []
        for block in node.body:
            blocks += _with_labels_as_text(block, times)
        return blocks

    return root.with_texts(texts_without_labels)


def _count_possible_labels(nodes: Iterable[HeadingNode]) -> Counter[str]:
    """Returns how often each name that may be a label is the name of a candidate."""
    times: Counter[str] = Counter()
    for node in nodes:
        for candidate in node.candidates:
            name = candidate.names[0]
            if may_be_label(name):
                times[name.lower()] += 1
    return times


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
    """Returns the kind of a heading that may be auxiliary. It is empty for a term, and stays
    `doubtful` for a heading at an end that reads like a term."""
    begins_with_paragraph = re.match(r"\s*<p\b", node.html)
    has_definition = begins_with_paragraph and not _says_little(node.html)
    if not has_definition:
        return "auxiliary"
    if not at_an_end:
        return ""
    if AWAY.search(node.html):
        return "auxiliary"
    return "doubtful"


def _says_little(html: str) -> bool:
    """Returns whether HTML has at most two words beside links to other documents."""
    text_beside_links = without_tags(AWAY.sub(" ", html), instead=" ")
    return len(re.findall(r"\w+", text_beside_links)) < MIN_WORDS


def _with_labels_as_text(block: Block, times: Counter[str]) -> Iterator[Block]:
    """Yields a block in which labels are text: the lines `**Jig**: Holds.` and
    `**Source**: RFC 2119` are one term. A label above the first name is a text of its own. `times`
    says how often each possible label is used."""
    if not block.candidates:
        yield block
        return
    terms: list[Candidate] = []
    for candidate in block.candidates:
        # In a list, only "See also" is a label.
        is_label = block.form == "paragraph" and _is_label(candidate, times)
        is_reference = len(candidate.names) == 1 and is_see_also(candidate.names[0])
        if not is_label and not is_reference:
            terms.append(candidate)
            continue
        html = _label_html(candidate)
        if terms:
            terms[-1] = terms[-1]._replace(html=terms[-1].html + html)
        else:
            yield block._replace(html=html, candidates=(), form="")
    if terms:
        yield block._replace(candidates=tuple(terms))


def _is_label(candidate: Candidate, times: Counter[str]) -> bool:
    """Returns whether a name is a label: it may be one, and is repeated or has at most two words as
    its definition."""
    number = times[candidate.names[0].lower()]
    if number == 0:  # it is never a label
        return False
    says_little = candidate.html != "" and _says_little(candidate.html)
    return number > 1 or says_little


def _label_html(candidate: Candidate) -> str:
    """Returns the HTML of a label and the text after it."""
    name = escape(candidate.names[0], quote=False)
    return f"<p><strong>{name}</strong>: {candidate.html.removeprefix('<p>')}"
