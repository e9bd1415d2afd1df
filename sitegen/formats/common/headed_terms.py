"""Decides which headings of a document are terms, which are the sections of these, and which are
neither.

`outline` decides that the terms are headings, and not in lists. Before that, `without_labels`
decides about names that are terms in one glossary and not in another.
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
from sitegen.formats.common.glossary_lists import (
    MIN_LETTERS,
    are_most,
    candidates_in,
    folded_names,
)
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
from sitegen.model import grouped
from sitegen.text.words import folded_words, without_tags

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
    """Returns the terms that are headings below `top`, and the headings that are none, which are
    reported.

    Of `# Words`, `## Tools`, `### Jig` and `### Saw`, the terms are "Jig" and "Saw"; `top` is
    "Words".
    """
    sections = _sections([*top.walk()])
    headed = _without_link_lists([*_below_sections(top.children, "", sections)])
    headings = [node for node, _ in headed]
    letters = _letters_of_index(headings)
    overviews = _overviews(headings)
    candidates: list[Candidate] = []
    for node, section in headed:
        if node not in letters and node not in overviews:
            candidates += _candidates_at(node, section)
    not_read = [
        passed_over.letters(letters),
        passed_over.overviews(overviews),
        *passed_over.in_doubt(headings),
        passed_over.below_terms(headings),
        passed_over.sections_with_text(top, headings),
    ]
    return candidates, not_read


def _letters_of_index(headings: Sequence[HeadingNode]) -> list[HeadingNode]:
    """Returns the letters above texts without names, if most texts begin with the letter that is
    their heading: `## A` above "Anvil! It bears blows.". A letter above another text is a term, and
    so are a few letters."""
    letters = [node for node in headings if node.is_letter()]
    number = sum(map(_is_first_letter, letters))
    texts = sum(node.has_text for node in headings)
    if number < MIN_LETTERS or 2 * number <= texts:
        return []
    return [node for node in letters if not node.candidates]


def _is_first_letter(node: HeadingNode) -> bool:
    text = without_tags(node.html)
    return text.lstrip().casefold().startswith(node.name.casefold())


def _overviews(headings: Sequence[HeadingNode]) -> list[HeadingNode]:
    """Returns the headings above tables of terms of which most have headings of their own: "Quick
    reference"."""
    names = {folded_words(node.name) for node in headings}
    overviews = []
    for node in headings:
        rows = node.candidates
        if _lists_terms(node) and are_most(rows, folded_names(rows), names):
            overviews.append(node)
    return overviews


def _sections(nodes: Sequence[HeadingNode]) -> set[HeadingNode]:
    """Returns the headings that are sections if they have subheadings.

    All headings on a level are decided together: `## Tools` above `### Jig` and `### Saw`, each
    with a text, is a section, and so is `## Glue` above `### Hide glue`.
    """
    labels = _labels(nodes)
    sections: set[HeadingNode] = set()
    for on_level in grouped((node.heading.level, node) for node in nodes).values():
        sections.update(_sections_on_level(on_level, labels))
    for node in nodes:
        if len(node.children) > 1 and GLOSSARY_HEADING.fullmatch(node.name):
            sections.add(node)
    return sections


def _labels(nodes: Iterable[HeadingNode]) -> set[str]:
    """Returns the names of headings that are below several other headings: "Example" below "Jig"
    and below "Saw" is a part of their definitions."""
    parents: Counter[str] = Counter()
    for node in nodes:
        parents.update({child.name for child in node.children})
    return {name for name, number in parents.items() if number > 1}


def _sections_on_level(
    nodes: Sequence[HeadingNode], labels: Collection[str]
) -> Sequence[HeadingNode]:
    """Returns the headings of one level that are sections if they have subheadings: all, those
    without a text, or none. None are, if below most of them are labels, such as "Example"."""
    parents = [node for node in nodes if node.children]
    above_terms = 0
    for node in parents:
        if 2 * _number_of_terms(node, labels) >= len(node.children):
            above_terms += 1
    if 2 * above_terms < len(parents):
        return ()
    most_are_parents = 2 * len(parents) > len(nodes)
    if most_are_parents and _are_all_sections(parents, labels, number_on_level=len(nodes)):
        return nodes
    return [node for node in nodes if not node.has_text]


def _are_all_sections(
    parents: Sequence[HeadingNode], labels: Collection[str], *, number_on_level: int
) -> bool:
    """Returns whether the headings with subheadings, which are most on their level, are sections
    even where they have a text.

    They are if most have none; or if each is above several terms, and some heading has no text, or
    all on the level have subheadings, or all texts are introductions: "Tools: What we work with."
    """
    with_text = [node for node in parents if node.has_text]
    if 2 * len(with_text) <= len(parents):
        return True
    if number_on_level == 1:
        return False
    for node in parents:
        if _number_of_terms(node, labels) < 2:
            return False
    if len(with_text) < len(parents) or len(parents) == number_on_level:
        return True
    return all(node.is_introduction() for node in parents)


def _number_of_terms(node: HeadingNode, labels: Collection[str]) -> int:
    """Returns the number of headings right below a heading that are no labels."""
    return sum(1 for child in node.children if child.name not in labels)


def _below_sections(
    nodes: Iterable[HeadingNode], section: str, sections: Collection[HeadingNode]
) -> Iterator[HeadedTerm]:
    """Yields the headings that are none of the sections, with the section of each. A letter is no
    name of a section: below `## Tools`, `### J`, the heading `#### Jig` has the section "Tools"."""
    for node in nodes:
        is_section = node in sections and not node.is_auxiliary()
        if not node.children or not is_section:
            yield HeadedTerm(node, section)
            continue
        inner = section if node.is_letter() else node.name
        yield from _below_sections(node.children, inner, sections)


def _without_link_lists(headed: list[HeadedTerm]) -> list[HeadedTerm]:
    """Returns the headings without those at the end, such as "Books", below which are only links to
    other documents, unless they are most headings. Auxiliary headings among them stay, as those
    that read like terms are reported (`passed_over.in_doubt`)."""
    kept = [*headed]
    for index in reversed(range(len(headed))):
        node = headed[index].node
        if node.is_auxiliary():
            continue
        if LINK_LIST.fullmatch(node.html) is None:
            break
        del kept[index]
    if 2 * len(kept) > len(headed):
        return kept
    return headed


def _candidates_at(node: HeadingNode, section: str) -> Iterable[Candidate]:
    """Returns the candidate of a heading, with everything below it; for the heading of tables of
    terms or of a list of abbreviations, the candidates below it. An auxiliary heading has none."""
    if node.is_auxiliary():
        return ()
    if node.is_letter() and not node.has_text and not node.children:
        return ()
    if _lists_terms(node):
        return candidates_in(node, node.name)
    texts = [*node.texts]
    anchors = [*node.anchors]
    for below in node.walk():
        texts += [below.heading.html, *below.texts]
        anchors += below.anchors
    names = (node.name,) if node.name else ()
    return (Candidate(names, "".join(texts), node.heading.line, tuple(anchors), section),)


def _lists_terms(node: HeadingNode) -> bool:
    """Returns whether a heading has tables of terms, with remarks at most, or a list of
    abbreviations below it: "To be sorted" above a table with the title "Term"."""
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
    """Returns the headings without the candidates that are labels, each with its kind.

    "Type" is a label in two paragraphs `**Type**: …`, and a term in one. A heading at an end that
    reads like a term stays doubtful.
    """
    times = _possible_labels((root, *root.walk()))

    def texts_without_labels(node: HeadingNode) -> list[Block]:
        blocks: list[Block] = []
        for block in node.body:
            blocks += _without_labels(block, times)
        return blocks

    return _with_kinds_below(root.with_texts(texts_without_labels))


def _possible_labels(nodes: Iterable[HeadingNode]) -> Counter[str]:
    """Returns how often each name is that of a candidate, if it may be a label."""
    times: Counter[str] = Counter()
    for node in nodes:
        for candidate in node.candidates:
            name = candidate.names[0]
            if may_be_label(name):
                times[name.lower()] += 1
    return times


def _with_kinds_below(parent: HeadingNode) -> HeadingNode:
    """Returns a heading, with the kinds of the doubtful headings below it: "References" between two
    terms is a term."""
    headings = parent.children
    # A heading is at an end also if only auxiliary ones are before or after it.
    first = takewhile(HeadingNode.is_auxiliary, headings)
    last = takewhile(HeadingNode.is_auxiliary, reversed(headings))
    at_an_end = {*first, *last}
    children = []
    for node in headings:
        heading = node.heading
        if heading.kind == "doubtful":
            kind = _kind_of_doubtful(node, at_an_end=node in at_an_end)
            node = replace(node, heading=heading._replace(kind=kind))
        children.append(_with_kinds_below(node))
    return parent.with_children(children)


def _kind_of_doubtful(node: HeadingNode, *, at_an_end: bool) -> HeadingKind:
    """Returns the kind of a heading that may be auxiliary: empty for a term, `doubtful` for one
    that reads like a term but is at an end."""
    begins_with_paragraph = re.match(r"\s*<p\b", node.html)
    if not begins_with_paragraph or _says_little(node.html):
        return "auxiliary"
    if not at_an_end:
        return ""
    if AWAY.search(node.html):
        return "auxiliary"
    return "doubtful"


def _says_little(html: str) -> bool:
    """True if this HTML is only one or two words, or links to other documents."""
    beside_links = without_tags(AWAY.sub(" ", html), instead=" ")
    return len(re.findall(r"\w+", beside_links)) < MIN_WORDS


def _without_labels(block: Block, times: Counter[str]) -> Iterator[Block]:
    """Yields the block with labels converted to text. In a list, labels are treated as names, but
    for "See also".

    `times` says how often each name is used that may be a label. A label is added to the definition
    above it: the lines `**Jig**: Holds.`, `**Source**: RFC 2119` are one term. Above the first
    name, it is a block of its own.
    """
    if not block.candidates:
        yield block
        return
    named: list[Candidate] = []
    for candidate in block.candidates:
        is_label = block.form == "paragraph" and _is_label(candidate, times)
        is_reference = len(candidate.names) == 1 and is_see_also(candidate.names[0])
        if not is_label and not is_reference:
            named.append(candidate)
            continue
        html = _label_html(candidate)
        if named:
            named[-1] = named[-1]._replace(html=named[-1].html + html)
        else:
            yield block._replace(html=html, candidates=(), form="")
    if named:
        yield block._replace(candidates=tuple(named))


def _is_label(candidate: Candidate, times: Counter[str]) -> bool:
    """Returns whether a name that may be a label is repeated, or has two words at most as its
    definition."""
    number = times[candidate.names[0].lower()]
    is_little = candidate.html != "" and _says_little(candidate.html)
    return number > 1 or (number == 1 and is_little)


def _label_html(candidate: Candidate) -> str:
    """Returns the HTML of a label and the text after it."""
    name = escape(candidate.names[0], quote=False)
    return f"<p><strong>{name}</strong>: {candidate.html.removeprefix('<p>')}"
