"""Decides which parts of a document are terms, for all formats whose terms can be headings.

A format converts its document to blocks (headings and texts), and finds the names with definitions
inside each text. This module decides for the whole document which heading is the title, which
headings are sections, and whether the terms are headings. `listed_terms` decides whether they are
in lists and tables below headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import unquote

from sitegen.formats.common import entries, passed_over
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.glossary_lists import (
    accept_guesses,
    candidates_below,
    candidates_in,
    count_terms,
    drop_asides,
    terms_are_in_lists,
)
from sitegen.formats.common.headings import (
    ABBREVIATIONS,
    GLOSSARY,
    GLOSSARY_HEADING,
    could_be_name,
    is_label,
    may_be_label,
)
from sitegen.formats.common.listed_terms import has_only_terms, is_comparison
from sitegen.formats.common.passed_over import PassedOver
from sitegen.formats.common.structure import (
    HERE,
    LINK_HERE,
    LINK_LIST,
    NUMBERED,
    Block,
    HeadingNode,
    even,
    tree,
)
from sitegen.model import Document, Entry, Problem, ProblemKind, Reading, Trouble, grouped
from sitegen.text import words

MIN_NUMBERED = 3
MIN_SECTIONS = 3
"""The minimum number of sections beside one that is headed "Definitions", and before headings that
are no terms."""
MIN_BELOW = 3
"""The minimum number of terms below a heading that introduces them."""

HeadingInSection = tuple[HeadingNode, str]
"""A heading, and the name of its section."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The result of reading a document."""

    reading: Reading
    is_convincing: bool
    """True if the document is a glossary, and not another document with headings, such as a
    manual."""

    def with_problems(
        self, above: Iterable[Problem] = (), below: Iterable[Problem] = ()
    ) -> Outline:
        """Returns the outline with more problems, above and below its own."""
        problems = (*above, *self.reading.problems, *below)
        return replace(self, reading=replace(self.reading, problems=problems))

    def checked_reading(self, wanted: str) -> Reading:
        """Returns the reading. Raises UnreadableError if there is nothing in it; `wanted` says what
        would have been read."""
        if self.reading.entries or self.reading.problems or self.is_convincing:
            return self.reading
        raise entries.no_terms(wanted)


def read(document: Document, blocks: Sequence[Block], *, title: str = "") -> Outline:
    """Returns the entries in the blocks of a document, and whether it looks like a glossary.

    `title` is the title that the document has outside its text, such as in front matter. Only one
    section is read if the document names it, or if it is headed "Glossary" and the document has
    another title.
    """
    root = tree(blocks)
    even(root)
    _join_titles(root)
    if document.section:
        return _section(document, root)
    first = _title(root)
    titles = [title, first.name] if first else [title]
    titled = any(map(GLOSSARY.search, titles))
    part = _definitions_part(root, first) if titled else _glossary_part(root)
    if part:
        return _outline(document, part, intro=part, titled=True)
    if first is None:
        return _outline(document, root, intro=root, titled=titled)
    later_titles: list[HeadingNode] = []
    others = root.children[1:]
    if titled:
        later_titles = _later_titles(root, first)
        root.children = root.children[: len(root.children) - len(later_titles)]
        others = _beside_title(root, first)
    top = HeadingNode(first.heading, anchors=first.anchors, children=[*first.children, *others])
    intro = HeadingNode(root.heading, body=[*root.body, *first.body])
    outline = _outline(document, top, intro=intro, titled=titled)
    problems = passed_over.later_titles(later_titles).problems(document)
    return outline.with_problems(below=problems)


def _join_titles(root: HeadingNode) -> None:
    """Makes one title of several headings without a text at the beginning, the last of which says
    glossary, in place. A single heading on their level, such as "Scope", introduces the terms below
    it."""
    bare = 0
    for node in root.children:
        if node.has_text or node.children:
            break
        bare += 1
    title, others = root.children[bare - 1] if bare else root, root.children[bare:]
    if not GLOSSARY_HEADING.fullmatch(title.name):
        return
    if len(others) == 1 and others[0].has_text and len(others[0].children) >= MIN_BELOW:
        introduction = others[0]
        title.body, title.texts, title.has_text = introduction.body, introduction.texts, True
        title.children = introduction.children
        others = []
    root.children = [title, *others]


def _later_titles(root: HeadingNode, title: HeadingNode) -> list[HeadingNode]:
    """Returns the headings at the end, on the level of the title, that have a text of their own and
    no terms below them, if the terms are below the title."""
    later = _leaves_at_end(root)
    if len(later) < len(title.children):
        return later
    return []


def _leaves_at_end(parent: HeadingNode) -> list[HeadingNode]:
    """Returns the last headings below another that have a text of their own and nothing below
    them."""
    leaves: list[HeadingNode] = []
    for node in reversed(parent.children):
        if node.children or not node.has_text or node.is_auxiliary():
            break
        leaves.insert(0, node)
    return leaves


def _section(document: Document, root: HeadingNode) -> Outline:
    """Returns the outline of the section that the document names."""
    wanted = words.fold(document.section)
    nodes = [*root.walk()]
    for node in nodes:
        if node.name == document.section or words.fold(node.name) == wanted:
            return _outline(document, node, intro=node, titled=True)
    names = ", ".join(node.name for node in nodes[:20])
    hint = f"headings here: {names}" if nodes else "the document has no headings"
    trouble = Trouble(ProblemKind.NO_TERMS, f"no section '{document.section}' here", hint)
    return Outline(Reading(problems=(trouble.at(document.path),)), is_convincing=bool(nodes))


def _title(root: HeadingNode) -> HeadingNode | None:
    """Returns the first heading, unless it is a term or a section itself."""
    if not root.children:
        return None
    first = root.children[0]
    is_alone = len(root.children) == 1
    is_bare = not first.has_text and not first.children
    has_contents = any(block.is_contents for block in first.body)
    is_title = is_alone or is_bare or has_contents or GLOSSARY.search(first.name)
    return first if is_title else None


def _definitions_part(root: HeadingNode, title: HeadingNode | None) -> HeadingNode | None:
    """Returns the section of a glossary that is headed "Definitions", if few of the other sections
    have terms."""
    named: list[HeadingNode] = []
    others: list[HeadingNode] = []
    for node in root.walk():
        if node is title:
            continue
        if GLOSSARY_HEADING.fullmatch(node.name) and words.fold(node.name) != "language":
            named.append(node)
        elif node.has_text and not node.is_auxiliary():
            others.append(node)
    if len(named) != 1 or named[0].children or len(others) < MIN_SECTIONS:
        return None
    with_terms = terms = 0
    for node in others:
        count = count_terms(node.body)
        with_terms += count > 0
        terms += count
    listed = sum(len(block.candidates or block.guesses) for block in named[0].body)
    has_most_terms = with_terms * 3 <= len(others) and listed > max(2, terms)
    return named[0] if has_most_terms else None


def _glossary_part(root: HeadingNode) -> HeadingNode | None:
    """Returns the section of a larger document that is headed "Glossary", if there is only one."""
    named = [node for node in root.walk() if GLOSSARY_HEADING.fullmatch(node.name)]
    if len(named) != 1:
        return None
    has_terms = named[0].children or len(named[0].candidates) > 1
    return named[0] if has_terms else None


def _beside_title(root: HeadingNode, title: HeadingNode) -> list[HeadingNode]:
    """Returns the headings on the level of the title, each before its subheadings if these are on
    the level of terms.

    Where the terms are right below the title, a heading with a text that is on the title's own
    level is a term, too.
    """
    term_levels = {child.heading.level for child in title.children}
    headings = []
    for node in root.children:
        if node is title:
            continue
        levels_below = {child.heading.level for child in node.children}
        has_terms_below = len(term_levels) == 1 and levels_below == term_levels
        is_term = node.has_text and len(node.children) > 1 and not node.is_auxiliary()
        if has_terms_below and is_term:
            headings += [replace(node, children=[]), *node.children]
        else:
            headings.append(node)
    return headings


def _outline(document: Document, top: HeadingNode, *, intro: HeadingNode, titled: bool) -> Outline:
    """Returns the outline of the headings below `top`. `intro` has the text before the first of
    these."""
    nodes = tuple(top.walk())
    if titled:
        accept_guesses(nodes, intro)
    not_read: list[PassedOver]
    if terms_are_in_lists(nodes, intro):
        drop_asides((intro, *nodes))
        candidates = [*candidates_in(intro, ""), *candidates_below(top, "")]
        not_read = [passed_over.outside_lists(nodes)]
    else:
        candidates, not_read = _headed_terms(top, nodes)
    elsewhere: set[str] = set()
    for node in (top, *nodes):
        elsewhere.update(node.anchors)
    for candidate in candidates:
        elsewhere.difference_update(candidate.anchors)
    candidates = [_without_links(candidate, elsewhere) for candidate in candidates]
    reading = entries.read(document, _without_numbers(candidates))
    problems: list[Problem] = []
    for headings in not_read:
        problems += headings.problems(document)
    is_convincing = _is_convincing(top, reading.entries, titled=titled)
    return Outline(reading, is_convincing).with_problems(below=problems)


def _headed_terms(
    top: HeadingNode, nodes: Sequence[HeadingNode]
) -> tuple[list[Candidate], list[PassedOver]]:
    """Returns the terms that are headings, and the headings that are none. Removes the headings
    after the sections from `top`."""
    after = _after_sections(top)
    top.children = top.children[: len(top.children) - len(after)]
    sections = _section_ids(nodes)
    headed = _without_appendix([*_below_sections(top.children, "", sections)])
    candidates: list[Candidate] = []
    for node, section in headed:
        candidates += _candidates_at(node, section)
    headings = [node for node, _ in headed]
    not_read = [
        passed_over.after_sections(after),
        *passed_over.in_doubt(headings),
        passed_over.below_terms(headings),
        passed_over.sections_with_text(top, headings),
    ]
    return candidates, not_read


def _section_ids(nodes: Sequence[HeadingNode]) -> set[int]:
    """Returns the ids of the headings that are sections if they have subheadings."""
    # Labels in a definition: "Example", and headings below several others.
    parents: Counter[str] = Counter()
    for node in nodes:
        if not node.is_letter():
            parents.update({child.name for child in node.children})
    labels = {name for name, number in parents.items() if number > 1 or is_label(name)}
    ids: set[int] = set()
    for of_level in grouped((node.heading.level, node) for node in nodes).values():
        sections = _sections(of_level, labels)
        for node in of_level:
            is_bare_section = sections == "bare" and not node.has_text
            if node.is_letter() or sections == "all" or is_bare_section:
                ids.add(id(node))
    return ids


def _sections(nodes: Sequence[HeadingNode], labels: set[str]) -> Literal["none", "bare", "all"]:
    """Returns which headings of one level are sections, if they have subheadings: all, or those
    without a text.

    There are sections if most headings with subheadings have subheadings that are not labels. All
    are sections if most headings have subheadings, and few (or all) of these a text, or a short
    one.
    """
    parents = [node for node in nodes if node.children]
    with_terms = with_one_term = 0
    for node in parents:
        terms = [one for one in node.children if one.name not in labels and not one.is_auxiliary()]
        if len(terms) * 2 >= len(node.children):
            with_terms += 1
        if len(terms) < 2:
            with_one_term += 1
    if not parents or with_terms * 2 < len(parents):
        return "none"
    if len(parents) * 2 <= len(nodes):
        return "bare"
    bare = [node for node in parents if not node.has_text]
    if len(bare) * 2 >= len(parents):
        return "all"
    if len(nodes) == 1 or with_one_term:
        return "bare"
    if bare or len(parents) == len(nodes) or all(map(HeadingNode.is_introduction, parents)):
        return "all"
    return "bare"


def _below_sections(
    nodes: Iterable[HeadingNode], section: str, sections: Collection[int]
) -> Iterator[HeadingInSection]:
    """Yields the headings that are no sections, with the section of each; `sections` has ids."""
    for node in nodes:
        has_list = node.is_letter() and node.candidates
        is_section = id(node) in sections and not node.is_auxiliary() and not has_list
        if not node.children or not is_section:
            yield node, section
            continue
        inner = section if node.is_letter() else node.name
        yield from _below_sections(node.children, inner, sections)


def _without_appendix(headed: list[HeadingInSection]) -> list[HeadingInSection]:
    """Returns the headings without those at the end that define nothing, unless these are most
    headings."""
    names = {words.fold(node.name) for node, _ in headed}
    end = len(headed)
    while end and _defines_nothing(headed[end - 1][0], names):
        end -= 1
    remaining = headed[:end]
    remaining += [one for one in headed[end:] if one[0].is_auxiliary()]
    if len(remaining) * 2 > len(headed):
        return remaining
    return headed


def _defines_nothing(node: HeadingNode, names: Collection[str]) -> bool:
    """True for an auxiliary heading, a list of links to other documents, and a table whose columns
    are other headings, which have these names."""
    if node.is_auxiliary() or LINK_LIST.fullmatch(node.html):
        return True
    return is_comparison(node.html, names)


def _candidates_at(node: HeadingNode, section: str) -> Iterable[Candidate]:
    """Returns the candidate of a heading, with everything below it; for a letter, the candidates
    below it."""
    if node.is_auxiliary() or (node.is_letter() and not node.has_text and not node.children):
        return ()
    may_be_list = not node.children and len(node.candidates) > 1
    is_list = may_be_list and (re.match(ABBREVIATIONS, node.name) or has_only_terms(node.html))
    if is_list or (node.is_letter() and node.candidates):
        return candidates_in(node, node.name if is_list else section)
    texts, anchors = [*node.texts], [*node.anchors]
    for below in node.walk():
        texts += below.heading.html, *below.texts
        anchors += below.anchors
    names = (node.name,) if node.name else ()
    return (Candidate(names, "".join(texts), node.heading.line, tuple(anchors), section),)


def _after_sections(top: HeadingNode) -> list[HeadingNode]:
    """Returns the headings at the end, with a text and nothing below them, that are on the level of
    the sections of terms: "Scope note"."""
    after = _leaves_at_end(top)
    sections = top.children[: len(top.children) - len(after)]
    if len(sections) < max(MIN_SECTIONS, 2 * len(after)):
        return []
    bare = 0
    for section in sections:
        if not section.children or section.is_letter():
            return []
        if not section.has_text:
            bare += 1
    if 2 * bare >= len(sections):
        return after
    return []


def _without_links(candidate: Candidate, elsewhere: set[str]) -> Candidate:
    """Returns the candidate with links to anchors in `elsewhere` (the title or a section) converted
    to text."""

    def shown(link: re.Match[str]) -> str:
        if unquote(link[1]) in elsewhere:
            return link[2]
        return link[0]

    if HERE not in candidate.html:
        return candidate
    return candidate._replace(html=LINK_HERE.sub(shown, candidate.html))


def _without_numbers(candidates: list[Candidate]) -> list[Candidate]:
    """Returns the candidates without the numbers of their names, if most names have one: "1. Jig",
    "2. Saw".

    A new name without a number must not change the other names.
    """
    named = [candidate for candidate in candidates if candidate.names]
    numbers = sum(NUMBERED.match(candidate.names[0]) is not None for candidate in named)
    if numbers < MIN_NUMBERED or 2 * numbers <= len(named):
        return candidates
    result = []
    for candidate in candidates:
        names = tuple([NUMBERED.sub("", name) for name in candidate.names])
        result.append(candidate._replace(names=names))
    return result


def _is_convincing(top: HeadingNode, found: Sequence[Entry], *, titled: bool) -> bool:
    """True if the title says glossary, or most names are not headings of a manual."""
    if titled or len(found) < 2:
        return titled and len(found) > 0
    names = [node.name for node in top.children]
    long = 0
    for entry in found:
        names.append(entry.name)
        html = entry.definition.html
        long += "<h3>" in html or "<h4>" in html
    others = sum(not could_be_name(name) or may_be_label(name) for name in names)
    return others * 4 < len(names) and long * 4 < len(found)
