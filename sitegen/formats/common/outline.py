"""Decides which parts of a document are terms, for all formats whose terms can be headings.

A format converts its document to blocks (headings and texts), and finds the names with definitions
inside each text. This module decides for the whole document which heading is the title, which
headings are sections, and whether the terms are headings. `listed_terms` decides whether they are
in lists and tables below headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, starmap, takewhile
from typing import Literal
from urllib.parse import unquote

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import (
    ABBREVIATIONS,
    GLOSSARY,
    GLOSSARY_HEADING,
    could_be_name,
    heading_kind,
    is_label,
    may_be_label,
)
from sitegen.formats.common.listed_terms import (
    accept_guesses,
    candidates_below,
    candidates_in,
    count_terms,
    drop_asides,
    has_only_terms,
    is_comparison,
    terms_are_in_lists,
)
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

MAX_INTRODUCTION = 40
"""The maximum number of words of the introduction of a section, if other headings on its level are
terms."""
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
    reason = "it is on the level of the title, and the terms are below that"
    wanted = "put it on the level of the terms if it is one"
    return outline.with_problems(below=_passed_over(document, later_titles, reason, wanted))


def _join_titles(root: HeadingNode) -> None:
    """Makes one title of several headings without a text at the beginning, the last of which says
    glossary, in place. A single heading on their level, such as "Scope", introduces the terms below
    it."""
    bare = [*takewhile(lambda node: not node.has_text and not node.children, root.children)]
    if not bare or not GLOSSARY_HEADING.fullmatch(bare[-1].name):
        return
    title, others = bare[-1], root.children[len(bare) :]
    if len(others) == 1 and others[0].has_text and len(others[0].children) >= MIN_BELOW:
        title.body, title.texts, title.has_text = others[0].body, others[0].texts, True
        title.children = others[0].children
        others = []
    root.children = [title, *others]


def _later_titles(root: HeadingNode, title: HeadingNode) -> list[HeadingNode]:
    """Returns the headings at the end, on the level of the title, that have a text of their own and
    no terms below them, if the terms are below the title."""
    later = _leaves_at_end(root)
    return later if len(later) < len(title.children) else []


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
    if terms_are_in_lists(nodes, intro):
        drop_asides((intro, *nodes))
        candidates = [*candidates_in(intro, ""), *candidates_below(top, "")]
        passed_over = _outside_lists(document, nodes)
    else:
        after_sections = _after_sections(top)
        top.children = top.children[: len(top.children) - len(after_sections)]
        headed = _without_appendix([*_headed(top, nodes)])
        candidates = [*chain.from_iterable(starmap(_candidates_at, headed))]
        passed_over = [
            *_appended(document, after_sections),
            *_in_doubt(document, headed),
            *_below_terms(document, headed),
            *_sections_with_text(document, top, headed),
        ]
    elsewhere: set[str] = set()
    for node in (top, *nodes):
        elsewhere.update(node.anchors)
    for candidate in candidates:
        elsewhere.difference_update(candidate.anchors)
    candidates = [_without_links(candidate, elsewhere) for candidate in candidates]
    reading = entries.read(document, _without_numbers(candidates))
    is_convincing = _is_convincing(top, reading.entries, titled=titled)
    return Outline(reading, is_convincing).with_problems(below=passed_over)


def _outside_lists(document: Document, nodes: Iterable[HeadingNode]) -> list[Problem]:
    """Returns the problem of the headings that could be terms, in a document whose terms are in
    lists."""
    passed_over = []
    for node in nodes:
        is_in_doubt = heading_kind(node.name) == "doubtful" and node.heading.kind != "auxiliary"
        may_be_term = is_in_doubt or could_be_name(node.name)
        if node.has_text and not node.candidates and not node.children and may_be_term:
            passed_over.append(node)
    reason = "it has a heading of its own, while other terms are in lists"
    return _passed_over(document, passed_over, reason, "write all terms in one way")


def _passed_over(
    document: Document, nodes: Sequence[HeadingNode], reason: str, wanted: str
) -> list[Problem]:
    """Returns the problem of headings that are not read as terms, at the line of the first one;
    none without headings."""
    if not nodes:
        return []
    first, *others = nodes
    found = f"'{first.name}' is not read as a term: {reason}"
    if others:
        found += f" (and {len(others)} more like it)"
    trouble = Trouble(ProblemKind.ENTRY, found, wanted)
    problem = trouble.at(document.path, line=first.heading.line)
    return [replace(problem, terms=tuple(node.name for node in nodes))]


def _headed(top: HeadingNode, nodes: Iterable[HeadingNode]) -> Iterator[HeadingInSection]:
    """Returns the headings of a document that are not sections."""
    # Labels in a definition: "Example", and headings below several others.
    parents: Counter[str] = Counter()
    for node in nodes:
        if not node.is_letter():
            parents.update({child.name for child in node.children})
    labels = {name for name, number in parents.items() if number > 1 or is_label(name)}
    levels = grouped((node.heading.level, node) for node in nodes)
    sections = {level: _sections(of_level, labels) for level, of_level in levels.items()}

    def is_section(node: HeadingNode) -> bool:
        sections_with = sections[node.heading.level]
        is_bare_section = sections_with == "bare" and not node.has_text
        return node.is_letter() or sections_with == "all" or is_bare_section

    return _below_sections(top.children, "", is_section)


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
    are_short = all(_is_introduction(node.html) for node in parents)
    return "all" if bare or are_short or len(parents) == len(nodes) else "bare"


def _is_introduction(html: str) -> bool:
    """True if a text is at most a short paragraph, such as the introduction of a section."""
    return html.count("<p") <= 1 and "<li" not in html and len(html.split()) <= MAX_INTRODUCTION


def _below_sections(
    nodes: Iterable[HeadingNode], section: str, is_section: Callable[[HeadingNode], bool]
) -> Iterator[HeadingInSection]:
    for node in nodes:
        has_list = node.is_letter() and node.candidates
        if node.children and not node.is_auxiliary() and not has_list and is_section(node):
            inner = section if node.is_letter() else node.name
            yield from _below_sections(node.children, inner, is_section)
        else:
            yield node, section


def _without_appendix(headed: list[HeadingInSection]) -> list[HeadingInSection]:
    """Returns the headings without those at the end that define nothing, unless these are most
    headings.

    These are lists of links to other documents, and a table whose columns are other headings.
    """
    names = {words.fold(node.name) for node, _ in headed}

    def defines_nothing(heading: HeadingInSection) -> bool:
        node, _ = heading
        is_links = LINK_LIST.fullmatch(node.html) is not None
        return node.is_auxiliary() or is_links or is_comparison(node.html, names)

    appendix = [*takewhile(defines_nothing, reversed(headed))]
    remaining = headed[: len(headed) - len(appendix)]
    remaining += [one for one in reversed(appendix) if one[0].is_auxiliary()]
    return remaining if len(remaining) * 2 > len(headed) else headed


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
    have_terms = all(node.children and not node.is_letter() for node in sections)
    are_bare = 2 * sum(not node.has_text for node in sections) >= len(sections)
    is_clear = have_terms and are_bare and len(sections) >= max(MIN_SECTIONS, 2 * len(after))
    return after if is_clear else []


def _appended(document: Document, nodes: Sequence[HeadingNode]) -> list[Problem]:
    """Returns the problem of the headings after the sections of terms."""
    reason = "it is on the level of the sections, after these"
    return _passed_over(document, nodes, reason, "put it into a section if it is a term")


def _in_doubt(document: Document, headed: Iterable[HeadingInSection]) -> list[Problem]:
    """Returns a problem for each heading that was classified as auxiliary but reads like a term."""
    reason = "headings like this, first or last, seldom are terms"
    problems = []
    for node, _ in headed:
        if node.heading.kind == "doubtful":
            wanted = "put it between two terms if it is one"
            problems += _passed_over(document, [node], reason, wanted)
    return problems


def _below_terms(document: Document, headed: Iterable[HeadingInSection]) -> list[Problem]:
    """Returns the problem of the headings below terms that could be terms, too."""
    below: list[HeadingNode] = []
    for node, _ in headed:
        if not node.is_auxiliary() and not node.is_letter():
            below += [child for child in node.children if child.has_text]
    times = Counter(words.fold(node.name) for node in below)
    alone = [node for node in below if times[words.fold(node.name)] == 1]
    passed_over = [*filter(_may_be_term, alone)]
    reason = "it is below a term, and part of its definition"
    wanted = "put it on the level of the terms if it is one"
    return _passed_over(document, passed_over, reason, wanted)


def _sections_with_text(
    document: Document, top: HeadingNode, headed: Iterable[HeadingInSection]
) -> list[Problem]:
    """Returns the problem of the sections with more than an introduction, which could be terms."""
    terms = {id(node) for node, _ in headed}
    passed_over = []
    parents = [top]
    for parent in parents:
        for node in parent.children:
            if id(node) in terms or not node.children:
                continue
            parents.append(node)
            if node.has_text and not _is_introduction(node.html) and _may_be_term(node):
                passed_over.append(node)
    reason = "it is the section of the terms below it, and its text is left out"
    return _passed_over(document, passed_over, reason, "put it on their level if it is a term")


def _may_be_term(node: HeadingNode) -> bool:
    is_part = is_label(node.name) or may_be_label(node.name) or node.is_auxiliary()
    return could_be_name(node.name) and not is_part


def _without_links(candidate: Candidate, elsewhere: set[str]) -> Candidate:
    """Returns the candidate with links to anchors in `elsewhere` (the title or a section) converted
    to text."""

    def shown(link: re.Match[str]) -> str:
        return link[2] if unquote(link[1]) in elsewhere else link[0]

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
