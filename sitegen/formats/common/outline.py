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
from sitegen.formats.common.headed_terms import headed_terms, without_labels
from sitegen.formats.common.headings import (
    GLOSSARY,
    GLOSSARY_HEADING,
    could_be_name,
    may_be_label,
    without_pictures,
)
from sitegen.formats.common.structure import HERE, Block, HeadingNode, tree, with_even_levels
from sitegen.model import Document, Entry, Problem, Reading
from sitegen.text.words import folded_words

LINK_HERE = re.compile(rf'<a [^>]*{HERE}(?P<anchor>[^"]*)"[^>]*>(?P<words>.*?)</a>', re.S)
NUMBERED = re.compile(r"\d{1,3}[.)] +(?=\S)")
"""The number of a name: "1. Jig"."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The result of reading a document."""

    reading: Reading
    is_convincing: bool
    """True if the document is a glossary, and not another document with headings, such as a
    manual. A document that is not convincing is left to the formats after this one."""

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
    # Sections are known by the kinds of headings.
    root = with_even_levels(without_labels(tree(blocks)))
    if document.section:
        return _section(document, root)
    first = _title(root)
    titled = GLOSSARY.search(title) is not None
    if first and GLOSSARY.search(first.name):
        titled = True
    if not titled and (part := _glossary_part(root)):
        return _outline(document, part, titled=True)
    if first is None:
        return _outline(document, root, titled=titled)
    return _below_title(document, root, first, titled=titled)


def _below_title(
    document: Document, root: HeadingNode, title: HeadingNode, *, titled: bool
) -> Outline:
    """Returns the outline of a document whose first heading is its title.

    The headings below the title, and those on its level, become children of one node: `# Words`,
    `## Jig`, `# Saw` are two terms. It has the texts above and below the title.
    """
    later_titles = _later_titles(root, title)
    kept = len(root.children) - len(later_titles)
    others = root.children[1:kept]
    body = [*root.body, *title.body]
    top = replace(title, body=body, children=[*title.children, *others])
    outline = _outline(document, top, titled=titled)
    problems = passed_over.later_titles(later_titles).problems(document)
    return outline.with_problems(below=problems)


def _later_titles(root: HeadingNode, title: HeadingNode) -> list[HeadingNode]:
    """Returns the headings at the end, on the level of the title, with a text and nothing below
    them, if they are fewer than the headings below the title, which are then the terms: `# License`
    below `# Words`, `## Jig`, `## Saw`. An auxiliary heading above them is none of them."""
    later: list[HeadingNode] = []
    for node in reversed(root.children):
        if node.children or not node.has_text or node.is_auxiliary():
            break
        later.insert(0, node)
    return later if len(later) < len(title.children) else []


def _section(document: Document, root: HeadingNode) -> Outline:
    """Returns the outline of the section that the document names."""
    wanted = folded_words(document.section)
    nodes = [*root.walk()]
    for node in nodes:
        if folded_words(node.name) == wanted:
            return _outline(document, node, titled=True)
    error = entries.no_section(document.section, [node.name for node in nodes])
    return Outline(Reading(problems=(error.problem(document.path),)), is_convincing=bool(nodes))


def _title(root: HeadingNode) -> HeadingNode | None:
    """Returns the first heading, unless it is a term or a section itself: a title is alone on its
    level, has a table of contents below it, or says glossary."""
    if not root.children:
        return None
    first = root.children[0]
    is_alone = len(root.children) == 1
    has_contents = any(block.is_contents for block in first.body)
    if is_alone or has_contents or GLOSSARY.search(first.name):
        return first
    return None


def _glossary_part(root: HeadingNode) -> HeadingNode | None:
    """Returns the section of a larger document that is headed "Glossary", or "📖 Key terms", if
    there is only one and it has terms."""
    named = []
    for node in root.walk():
        if GLOSSARY_HEADING.fullmatch(without_pictures(node.name)):
            named.append(node)
    if len(named) != 1:
        return None
    part = named[0]
    has_terms = part.children or len(part.candidates) > 1
    return part if has_terms else None


def _outline(document: Document, top: HeadingNode, *, titled: bool) -> Outline:
    """Returns the outline of the text of a heading, and of the headings below it."""
    if titled:
        top = with_guesses(top)
    problems: list[Problem] = []
    if terms_are_in_lists(top):
        top = without_asides(top)
        problems += passed_over.between_names([*texts_left_out(top)], document)
        terms = [*candidates_below(top)]
        not_read = [passed_over.outside_lists(top.walk())]
    else:
        terms, not_read = headed_terms(top)
    elsewhere = _anchors_elsewhere((top, *top.walk()), terms)
    candidates = [_without_links(one, elsewhere) for one in _without_numbers(terms)]
    reading = entries.read(document, candidates)
    for headings in not_read:
        problems += headings.problems(document)
    is_convincing = _is_convincing(top, reading.entries, titled=titled)
    return Outline(reading, is_convincing).with_problems(below=problems)


def _anchors_elsewhere(
    nodes: Iterable[HeadingNode], candidates: Iterable[Candidate]
) -> Collection[str]:
    """Returns the anchors of headings that are not those of terms, such as `tools` of the section
    "Tools"."""
    anchors: set[str] = set()
    for node in nodes:
        anchors.update(node.anchors)
    for candidate in candidates:
        anchors.difference_update(candidate.anchors)
    return anchors


def _without_links(candidate: Candidate, elsewhere: Collection[str]) -> Candidate:
    """Returns the candidate with links to anchors in `elsewhere` (the title or a section) converted
    to text: the site has no page to which `<a href="term:%23tools">tools</a>` could lead."""

    def shown(link: re.Match[str]) -> str:
        if unquote(link["anchor"]) in elsewhere:
            return link["words"]
        return link[0]

    return candidate._replace(html=LINK_HERE.sub(shown, candidate.html))


def _without_numbers(candidates: list[Candidate]) -> list[Candidate]:
    """Returns the candidates without the numbers of their names, if most names have one: "1. Jig",
    "2. Saw".

    A new name without a number must not change the other names.
    """
    named = numbered = 0
    for candidate in candidates:
        if not candidate.names:
            continue
        named += 1
        if NUMBERED.match(candidate.names[0]):
            numbered += 1
    if 2 * numbered <= named:
        return candidates
    result = []
    for candidate in candidates:
        names = tuple([NUMBERED.sub("", name) for name in candidate.names])
        result.append(candidate._replace(names=names))
    return result


def _is_convincing(top: HeadingNode, found: Sequence[Entry], *, titled: bool) -> bool:
    """True if the title says glossary; or if fewer than one in four names are headings of a manual,
    such as "Installation", and fewer than one in four definitions have headings."""
    if titled:
        return len(found) > 0
    if len(found) < 2:
        return False
    no_names = 0
    names = [*[node.name for node in top.children], *[entry.name for entry in found]]
    for name in names:
        if not could_be_name(name) or may_be_label(name):
            no_names += 1
    with_headings = [entry for entry in found if re.search("<h[34]>", entry.definition.html)]
    return 4 * no_names < len(names) and 4 * len(with_headings) < len(found)
