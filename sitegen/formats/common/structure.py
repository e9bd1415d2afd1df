"""The structure of a document: its blocks (headings and texts), and the tree of its headings.

The levels of headings are evened: a term that is on the level of sections by mistake gets the level
of terms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import takewhile
from typing import Literal, NamedTuple

from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import (
    GLOSSARY_HEADING,
    HeadingKind,
    heading_kind,
    may_be_label,
    numbered,
)
from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.text import words

HERE = 'href="term:%23'
LINK_HERE = re.compile(rf'<a [^>]*{HERE}([^"]*)"[^>]*>(.*?)</a>', re.S)

LINK_LIST = re.compile(
    rf"\s*<ul>(?:\s*<li>\s*(?:<p>)?\s*(?:<(?:strong|em)>)?<a "
    rf"(?![^<>]*{HERE})(?:(?!</?li>).)*</li>)+\s*</ul>\s*",
    re.S,
)
"""Matches a list in which each item begins with a link to another document."""
NUMBERED = re.compile(r"\d{1,3}[.)] +(?=\S)")
"""The number of a name: "1. Jig"."""

Footnotes = tuple[tuple[str, str | None], ...]
"""The footnotes of a document: label and HTML. The HTML is None if the footnote is inside other
text."""


class MarkupProblem(NamedTuple):
    """A problem with the markup of a text."""

    line: int
    found: str
    wanted: str

    def at(self, path: str) -> Problem:
        """Returns the problem of the document with a path."""
        return Trouble(ProblemKind.MARKUP, self.found, self.wanted).at(path, line=self.line)


class Block(NamedTuple):
    """A top-level part of a document: a heading, a text, or an empty block without HTML, which has
    only anchors."""

    line: int
    html: str
    level: int = 0
    """1 to 6 for a heading, 0 for text."""
    name: str = ""
    """A heading's plain text."""
    kind: HeadingKind = ""
    """The kind of a heading that is not a term."""
    anchors: tuple[str, ...] = ()
    """The targets of links to this block; in a block without HTML, to the block that follows."""
    anchor: str | None = None
    """Another anchor, which is numbered if several headings of the document have it."""
    candidates: tuple[Candidate, ...] = ()
    """Names with definitions inside this text."""
    guesses: tuple[Candidate, ...] = ()
    """Candidates that are used only if the document has no others."""
    is_legend: bool = False
    """True if the guesses are values that many terms share, or former names."""
    form: Literal["", "paragraph", "list", "table", "rule"] = ""
    """The element that contains the candidates. The text below a paragraph with a name continues
    its definition."""
    is_contents: bool = False
    """True for a table of contents or a menu: a list of links."""


def heading(
    name: str, *, level: int, line: int, anchors: tuple[str, ...] = (), anchor: str | None = None
) -> Block:
    """Returns the block of a heading with the text `name`."""
    plain_name = name.rstrip(":： ")
    return Block(
        line=line,
        html=f"<h{level}>{escape(name, quote=False)}</h{level}>",
        level=level,
        name=plain_name,
        kind=heading_kind(plain_name),
        anchors=anchors,
        anchor=anchor,
    )


def _with_anchors(block: Block, anchors: Sequence[str]) -> Block:
    """Returns a text whose first name has more anchors."""
    if not block.candidates or not anchors:
        return block
    first, *others = block.candidates
    return block._replace(candidates=(first._replace(anchors=(*first.anchors, *anchors)), *others))


def moved(block: Block, lines: int) -> Block:
    """Returns a text that is further down by some lines."""
    if not lines:
        return block
    return block._replace(
        line=lines + block.line,
        candidates=_moved(block.candidates, lines),
        guesses=_moved(block.guesses, lines),
    )


def _moved(candidates: Iterable[Candidate], lines: int) -> tuple[Candidate, ...]:
    return tuple([one._replace(line=lines + one.line) for one in candidates])


MAX_INTRODUCTION = 40
"""The maximum number of words of the introduction of a section, if other headings on its level are
terms."""


@dataclass(slots=True)
class HeadingNode:
    """A heading, the text below it, and the headings below it."""

    heading: Block
    anchors: tuple[str, ...] = ()
    body: list[Block] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The HTML of each text as it is in the document; labels and asides are text here, whatever
    `body` has."""
    has_text: bool = False
    """True if there is more than a table of contents."""
    children: list[HeadingNode] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.heading.name

    @property
    def candidates(self) -> list[Candidate]:
        """The names with definitions in the text."""
        named: list[Candidate] = []
        for block in self.body:
            named += [candidate for candidate in block.candidates if candidate.names]
        return named

    @property
    def html(self) -> str:
        """The HTML of all texts."""
        return "".join(self.texts)

    def add(self, block: Block) -> None:
        """Adds a text."""
        self.body.append(block)
        self.texts.append(block.html)
        self.has_text = self.has_text or not block.is_contents

    def last_leaves(self) -> list[HeadingNode]:
        """Returns the last headings below this one that have a text of their own and nothing below
        them."""
        leaves: list[HeadingNode] = []
        for node in reversed(self.children):
            if node.children or not node.has_text or node.is_auxiliary():
                break
            leaves.insert(0, node)
        return leaves

    def drop_last(self, last: Sequence[HeadingNode]) -> None:
        """Removes the last headings below this one."""
        self.children = self.children[: len(self.children) - len(last)]

    def walk(self) -> Iterator[HeadingNode]:
        """Yields every heading below this one, in order."""
        for child in self.children:
            yield child
            yield from child.walk()

    def is_auxiliary(self) -> bool:
        """True for an auxiliary heading: "See also", or a heading with only a menu below it."""
        only_links = bool(self.body) and not self.has_text and not self.children
        return only_links or self.heading.kind in {"auxiliary", "doubtful"}

    def is_letter(self) -> bool:
        return self.heading.kind == "letter"

    def is_introduction(self) -> bool:
        """True if the text is at most a short paragraph, such as the introduction of a section."""
        html = self.html
        is_list = html.count("<p") > 1 or "<li" in html
        return not is_list and len(html.split()) <= MAX_INTRODUCTION


def tree(blocks: Sequence[Block]) -> HeadingNode:
    """Returns the root: the text above the first heading, with all headings below it."""
    root = HeadingNode(Block(line=0, html=""))
    path = [root]
    times: Counter[str] = Counter()
    above: list[str] = []
    for block in blocks:
        if not block.html:
            above += block.anchors
            continue
        if block.level:
            while path[-1].heading.level >= block.level:
                path.pop()
            anchors = block.anchors
            if block.anchor is not None:
                anchors += numbered(block.anchor, times[block.anchor])
                times[block.anchor] += 1
            node = HeadingNode(block, (*anchors, *above))
            path[-1].children.append(node)
            path.append(node)
        else:
            path[-1].add(_with_anchors(block, above))
        above = []
    _classify(root)
    return root


# "References" at the end of a glossary is a list of books; between two terms it is a term. "Source"
# is a label in a definition if it is repeated, or if its text is only "RFC 2119"; if it has a
# definition, it is a term.

AWAY = re.compile(rf"<a (?![^<>]*{HERE})[^<>]*>[^<]*(?:<(?!/?a\b)[^<]*)*</a>")
"""A link to another document."""
MIN_WORDS = 3
"""The minimum number of words of a definition, without links to other documents."""


def _classify(root: HeadingNode) -> None:
    """Separates terms from auxiliary headings and labels, in place.

    A heading at an end that reads like a term is doubtful.
    """
    nodes = (root, *root.walk())
    labels: Counter[str] = Counter()
    for node in nodes:
        for candidate in node.candidates:
            if may_be_label(candidate.names[0]):
                labels[candidate.names[0].lower()] += 1
    if labels:
        for node in nodes:
            body, node.body = node.body, []
            for block in body:
                node.body += _without_labels(block, labels)
    for node in nodes:
        _decide_doubtful(node.children)


def _decide_doubtful(headings: Sequence[HeadingNode]) -> None:
    """Decides which headings that may be auxiliary are, in place."""
    doubtful = [node for node in headings if node.heading.kind == "doubtful"]
    first = takewhile(HeadingNode.is_auxiliary, headings)
    last = takewhile(HeadingNode.is_auxiliary, reversed(headings))
    at_an_end = {id(node) for node in (*first, *last)}
    for node in doubtful:
        kind = _kind_of_doubtful(node, at_an_end=id(node) in at_an_end)
        node.heading = node.heading._replace(kind=kind)


def _kind_of_doubtful(node: HeadingNode, *, at_an_end: bool) -> HeadingKind:
    """Returns the kind of a heading that may be auxiliary."""
    if node.children or not re.match(r"\s*<p\b", node.html) or _says_little(node.html):
        return "auxiliary"
    if not at_an_end:
        return ""
    return "auxiliary" if AWAY.search(node.html) else "doubtful"


def _says_little(html: str) -> bool:
    """True if this HTML is only one or two words, or links to other documents."""
    beside_links = re.sub("<[^<>]*>", " ", AWAY.sub(" ", html))
    return HERE not in html and len(re.findall(r"\w+", beside_links)) < MIN_WORDS


def _without_labels(block: Block, labels: Counter[str]) -> Iterator[Block]:
    """Yields the block with labels converted to text. In a list, labels are treated as names."""

    def is_label(candidate: Candidate) -> bool:
        name = next(iter(candidate.names), "").lower()
        is_little = candidate.html != "" and _says_little(candidate.html)
        return labels[name] > 1 or (labels[name] == 1 and is_little)

    if block.form != "paragraph" or not any(map(is_label, block.candidates)):
        yield block
        return
    named: list[Candidate] = []
    for candidate in block.candidates:
        if not is_label(candidate):
            named.append(candidate)
            continue
        html = f"<p><strong>{escape(candidate.names[0], quote=False)}</strong>: "
        html += candidate.html.removeprefix("<p>") or "</p>"
        if named:
            named[-1] = named[-1]._replace(html=named[-1].html + html)
        else:
            yield block._replace(html=html, candidates=(), form="")
    if named:
        yield block._replace(candidates=tuple(named))


MIN_SECTIONS = 2
"""The minimum number of sections, without a text and with terms, for which a heading among them can
be a term by mistake."""


def even(root: HeadingNode) -> None:
    """Moves the terms that are among sections below these, in place."""
    for node in (root, *root.walk()):
        _move_into_sections(node)
        _lower_strays(node)


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


def _lower_strays(parent: HeadingNode) -> None:
    """Moves headings with a text to the level of the terms before them, from which they stand out:
    `### Jig`, `### Clamp`, `## Saw`."""
    if not parent.children:
        return
    level = parent.children[0].heading.level
    terms = [child for child in parent.children if child.heading.level == level]
    strays = [child for child in parent.children if child.heading.level < level]
    are_few = len(strays) * 2 <= len(terms)
    if not are_few or not all(_is_stray(child, level) for child in strays):
        return
    children: list[HeadingNode] = []
    for child in parent.children:
        if child.heading.level < level:
            children += _split(child, level)
        else:
            children.append(child)
    parent.children = children


def _is_section(node: HeadingNode) -> bool:
    is_title = GLOSSARY_HEADING.fullmatch(node.name) is not None
    return not node.has_text and not node.is_auxiliary() and not is_title


def _is_stray(node: HeadingNode, level: int) -> bool:
    has_terms = all(child.heading.level == level for child in node.children)
    return node.has_text and has_terms and not node.is_auxiliary()


def _begins_with(node: HeadingNode, section: HeadingNode) -> bool:
    """True if the section is a letter, or letters like "A–C", and the name begins with it."""
    letters = words.fold(section.name).split()
    name = words.fold(node.name)
    return section.is_letter() and bool(letters) and letters[0] <= name[:1] <= letters[-1]


def _split(node: HeadingNode, level: int) -> list[HeadingNode]:
    """Returns a heading on another level, and the headings below it, which are on the level of
    terms as well."""
    below = node.children
    node.heading = node.heading._replace(level=level)
    node.children = []
    return [node, *below]
