"""Decides which parts of a document are terms, for all formats whose terms can be headings.

A format converts its document to blocks (headings and texts), and finds the names with definitions
inside each text. This module decides for the whole document which heading is the title, and which
part has the terms. `headed_terms` decides which headings are terms, `glossary_lists` whether the
terms are in lists and tables instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from sitegen.formats.common import entries, passed_over
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.glossary_lists import (
    candidates_below,
    terms_are_in_lists,
    texts_left_out,
    with_guesses,
    without_asides,
)
from sitegen.formats.common.headed_terms import (
    headed_terms,
    with_decided_kinds,
)
from sitegen.formats.common.headings import (
    GLOSSARY,
    GLOSSARY_HEADING,
    NUMBER,
    could_be_name,
    without_pictures,
)
from sitegen.formats.common.structure import HERE, Block, HeadingNode, tree, with_even_levels
from sitegen.model import Document, Entry, Problem, Reading
from sitegen.text.words import folded_words

LINK_HERE = re.compile(rf'<a [^>]*{HERE}(?P<anchor>[^"]*)"[^>]*>(?P<words>.*?)</a>', re.S)


@dataclass(frozen=True)
class Outline:
    """The result of reading a document."""

    reading: Reading
    is_convincing: bool
    """True if the document is a glossary, and not another document with headings, such as a
    manual. A document that is not convincing is left to the formats after this one."""

    def with_problems(self, more: Iterable[Problem]) -> Outline:
        """Returns the outline with more problems, each once, in the order of their lines."""
        problems = sorted({*self.reading.problems, *more})
        return replace(self, reading=replace(self.reading, problems=tuple(problems)))

    def checked_reading(self, wanted: str) -> Reading:
        """Returns the reading. Raises UnreadableError if nothing was read from a document that is
        not convincing; `wanted` tells the user what could have been read."""
        if self.reading.entries or self.reading.problems or self.is_convincing:
            return self.reading
        raise entries.no_terms(wanted)


def read(document: Document, blocks: Sequence[Block], *, title: str = "") -> Outline:
    """Returns the entries in the blocks of a document, and whether it looks like a glossary.

    `title` is a title outside the text, such as in front matter.
    """
    # The kinds of headings are decided first: sections are found by them.
    root = with_decided_kinds(tree(blocks))
    root = with_even_levels(root)

    # 1. The section that the document is set to read.
    if document.section:
        return _section(document, root)

    # 2. A section that is headed "Glossary", if the title does not say so.
    title_heading = _title_heading(root)
    titles = [title, title_heading.name if title_heading else ""]
    is_titled_glossary = any(map(GLOSSARY.search, titles))
    if not is_titled_glossary:
        glossary_section = _glossary_section(root)
        if glossary_section:
            return _outline(document, glossary_section, titled=True)

    # 3. The whole document.
    if title_heading is None:
        return _outline(document, root, titled=is_titled_glossary)
    return _below_title(document, root, title_heading, titled=is_titled_glossary)


def _below_title(
    document: Document, root: HeadingNode, title: HeadingNode, *, titled: bool
) -> Outline:
    """Returns the outline of a document whose first heading is its title.

    Headings on the level of the title may be terms, just as those below it: `# Words`, `## Jig`,
    `# Saw` are two terms.
    """
    later_titles = _later_titles(root, title)
    headings = root.children[1:]  # the title is the first one
    beside_title = headings[: len(headings) - len(later_titles)]
    body = [*root.body, *title.body]
    top = replace(title, body=body, children=[*title.children, *beside_title])
    outline = _outline(document, top, titled=titled)
    problems = passed_over.problems(later_titles, document)
    return outline.with_problems(problems)


def _later_titles(root: HeadingNode, title: HeadingNode) -> list[HeadingNode]:
    """Returns the headings at the end that are further titles, and so no terms: `# License` below
    `# Words`, `## Jig`, `## Saw`.

    Such headings are on the level of the title, and have a text but no subheadings."""
    at_end: list[HeadingNode] = []
    for node in reversed(root.children):
        if node.children or not node.has_text or node.is_auxiliary():
            break
        at_end.insert(0, node)
    # If as many headings as below the title are at the end, these are the terms.
    if len(at_end) >= len(title.children):
        return []
    return at_end


def _section(document: Document, root: HeadingNode) -> Outline:
    """Returns the outline of the section that the document is set to read. If there is no such
    section, the outline has only a problem."""
    wanted = folded_words(document.section)
    nodes = [*root.walk()]
    for node in nodes:
        if folded_words(node.name) == wanted:
            return _outline(document, node, titled=True)
    # Without any heading, the document may be of another format, which has the section.
    error = entries.no_section(document.section, [node.name for node in nodes])
    return Outline(Reading(problems=(error.problem(document.path),)), is_convincing=bool(nodes))


def _title_heading(root: HeadingNode) -> HeadingNode | None:
    """Returns the first heading if it is a title; None if it is a term or a section.

    A title is alone on its level, has a table of contents below it, or says glossary.
    """
    if not root.children:
        return None
    first = root.children[0]
    is_alone = len(root.children) == 1
    has_contents = any(block.is_contents for block in first.body)
    if is_alone or has_contents or GLOSSARY.search(first.name):
        return first
    return None


def _glossary_section(root: HeadingNode) -> HeadingNode | None:
    """Returns the one section that is headed "Glossary", or "📖 Key terms". Returns None if there
    are several or none, and if the section has no terms."""
    sections = []
    for node in root.walk():
        if GLOSSARY_HEADING.fullmatch(without_pictures(node.name)):
            sections.append(node)
    if len(sections) != 1:
        return None
    section = sections[0]
    has_terms = section.children or len(section.candidates) > 1
    return section if has_terms else None


def _outline(document: Document, top: HeadingNode, *, titled: bool) -> Outline:
    """Returns the outline of a heading and everything below it. `titled` says that the heading or
    the document has a title that says glossary."""
    if titled:  # in a manual, guesses would find terms anywhere
        top = with_guesses(top)

    problems: list[Problem] = []
    if terms_are_in_lists(top):
        top = without_asides(top)
        problems += passed_over.between_names([*texts_left_out(top)], document)
        terms = [*candidates_below(top)]
        not_read = passed_over.outside_lists(top.walk())
    else:
        terms, not_read = headed_terms(top)

    anchors_elsewhere = _anchors_elsewhere((top, *top.walk()), terms)
    candidates = [_without_links(term, anchors_elsewhere) for term in _without_numbers(terms)]
    reading = entries.read(document, candidates)

    problems += passed_over.problems(not_read, document)
    is_convincing = _is_convincing(top, reading.entries, titled=titled)
    return Outline(reading, is_convincing).with_problems(problems)


def _anchors_elsewhere(
    nodes: Iterable[HeadingNode], candidates: Iterable[Candidate]
) -> Collection[str]:
    """Returns the anchors of headings that are not terms: `tools` of the section "Tools"."""
    anchors: set[str] = set()
    for node in nodes:
        anchors.update(node.anchors)
    for candidate in candidates:
        anchors.difference_update(candidate.anchors)
    return anchors


def _without_links(candidate: Candidate, elsewhere: Collection[str]) -> Candidate:
    """Returns a candidate in which links to the title or a section are text. `elsewhere` are the
    anchors of these.

    The site has no page to which `<a href="term:%23tools">tools</a>` could lead.
    """

    def text_or_link(link: re.Match[str]) -> str:
        if unquote(link["anchor"]) in elsewhere:
            return link["words"]
        return link[0]

    return candidate._replace(html=LINK_HERE.sub(text_or_link, candidate.html))


def _without_numbers(candidates: list[Candidate]) -> list[Candidate]:
    """Returns the candidates without numbers before their names, if most names have one: "1. Jig",
    "2. Saw".

    Most are enough, so that one new name without a number does not change the others.
    """
    with_name = with_number = 0
    for candidate in candidates:
        if not candidate.names:
            continue
        with_name += 1
        if NUMBER.match(candidate.names[0]):
            with_number += 1
    if 2 * with_number <= with_name:
        return candidates
    result = []
    for candidate in candidates:
        names = tuple([NUMBER.sub("", name) for name in candidate.names])
        result.append(candidate._replace(names=names))
    return result


def _is_convincing(top: HeadingNode, read_entries: Sequence[Entry], *, titled: bool) -> bool:
    """Returns whether the document is a glossary, and not a manual."""
    if titled:
        # "About this glossary" and the like are headings of a page about a glossary.
        about_glossary = [entry for entry in read_entries if GLOSSARY.search(entry.name)]
        return len(read_entries) > 0 and 2 * len(about_glossary) <= len(read_entries)
    if len(read_entries) < 2:
        return False

    # In a glossary, fewer than one in four names, also of sections, are like "Installation".
    names = [node.name for node in top.children]
    names += [entry.name for entry in read_entries]
    # A heading in doubt, such as "Overview", counts twice: it is a sign of a manual too.
    names += [node.name for node in top.children if node.heading.kind == "doubtful"]
    headings_of_manual = 0
    for name in names:
        if not could_be_name(name):
            headings_of_manual += 1

    # Fewer than one in four definitions have headings in them.
    with_headings = 0
    for entry in read_entries:
        if re.search("<h[34]>", entry.definition.html):
            with_headings += 1
    return 4 * headings_of_manual < len(names) and 4 * with_headings < len(read_entries)
