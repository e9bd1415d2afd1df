"""The structure of a document: its blocks (headings and texts), and the tree of its headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Literal, NamedTuple

from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import (
    GLOSSARY_HEADING,
    HeadingKind,
    anchors_on_sites,
    heading_kind,
)
from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.text.words import folded_words

HERE = 'href="term:%23'
"""The beginning of the address of a link to another place in the document."""
MAX_INTRODUCTION = 40
"""The maximum number of words of the introduction of a section, if other headings on its level are
terms: about three sentences."""
MIN_SECTIONS = 2
"""The minimum number of sections with terms on a level. Beside fewer, a heading with a text is not
taken for a term that is on the level of the sections by mistake."""


TextForm = Literal["", "paragraph", "list", "table", "rule"]
"""The element of a text. A list of definitions is a "table" too."""


class MarkupProblem(NamedTuple):
    """A problem with the markup of a text."""

    line: int
    found: str
    wanted: str

    def at(self, path: str) -> Problem:
        """Returns the problem in the document at a path."""
        trouble = Trouble(ProblemKind.MARKUP, self.found, self.wanted)
        return trouble.at(path, line=self.line)


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
    repeatable_anchor: str | None = None
    """Another anchor, which is numbered if several headings of the document have it: `example-1` is
    that of the second heading "Example"."""
    candidates: tuple[Candidate, ...] = ()
    """Names with definitions inside this text."""
    guesses: tuple[Candidate, ...] = ()
    """Candidates that are used only if the document has no others."""
    is_legend: bool = False
    """True if the guesses are values that many terms share, such as statuses, or former names."""
    form: TextForm = ""
    """The element of a text that may have candidates, or "rule" for a line between texts."""
    is_contents: bool = False
    """True for a table of contents or a menu: a list of links."""

    @property
    def is_table_of_terms(self) -> bool:
        return self.form == "table" and len(self.candidates) > 0


def heading(
    name: str,
    *,
    level: int,
    line: int,
    anchors: tuple[str, ...] = (),
    repeatable_anchor: str | None = None,
) -> Block:
    """Returns the block of a heading with the text `name`. A colon at the end is shown, but is no
    part of the name. `repeatable_anchor` is numbered later (`tree`)."""
    plain_name = name.rstrip(":： ")
    return Block(
        line=line,
        html=f"<h{level}>{escape(name, quote=False)}</h{level}>",
        level=level,
        name=plain_name,
        kind=heading_kind(plain_name),
        anchors=anchors,
        repeatable_anchor=repeatable_anchor,
    )


def _with_anchors(block: Block, anchors: Sequence[str]) -> Block:
    """Returns a text with more anchors for the first name in it; unchanged if it has no name."""
    if not block.candidates:
        return block
    first, *others = block.candidates
    first = first._replace(anchors=(*first.anchors, *anchors))
    return block._replace(candidates=(first, *others))


def moved(block: Block, lines: int) -> Block:
    """Returns a text with its line numbers raised by `lines`, the number of lines above it."""
    return block._replace(
        line=lines + block.line,
        candidates=_moved(block.candidates, lines),
        guesses=_moved(block.guesses, lines),
    )


def _moved(candidates: Iterable[Candidate], lines: int) -> tuple[Candidate, ...]:
    return tuple([one._replace(line=lines + one.line) for one in candidates])


@dataclass(frozen=True, eq=False)
class HeadingNode:
    """A heading, the text below it, and the headings below it. After `tree`, nothing changes it."""

    heading: Block
    anchors: tuple[str, ...] = ()
    body: list[Block] = field(default_factory=list)
    children: list[HeadingNode] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.heading.name

    @property
    def candidates(self) -> list[Candidate]:
        """The names with definitions in the text."""
        named: list[Candidate] = []
        for block in self.body:
            for candidate in block.candidates:
                if candidate.names:
                    named.append(candidate)
        return named

    @property
    def html(self) -> str:
        """The HTML of all texts."""
        return "".join([block.html for block in self.body])

    @property
    def has_text(self) -> bool:
        """True if there is more than a table of contents."""
        return not all(block.is_contents for block in self.body)

    def with_texts(self, texts_of: Callable[[HeadingNode], list[Block]]) -> HeadingNode:
        """Returns the tree from this heading with other texts. `texts_of` returns the new texts of
        a heading. If nothing changes, the result is the same object."""
        body = texts_of(self)
        node = self if body == self.body else replace(self, body=body)
        return node.with_children([child.with_texts(texts_of) for child in self.children])

    def with_children(self, children: list[HeadingNode]) -> HeadingNode:
        """Returns this heading with other headings below it."""
        return self if children == self.children else replace(self, children=children)

    def walk(self) -> Iterator[HeadingNode]:
        """Yields every heading below this one, in order."""
        for child in self.children:
            yield child
            yield from child.walk()

    def is_auxiliary(self) -> bool:
        """True for a heading that is auxiliary, "See also", or may be, "References", and for one
        with only a menu below it."""
        has_only_menu = bool(self.body) and not self.has_text and not self.children
        return has_only_menu or self.heading.kind in ("auxiliary", "doubtful")

    def is_letter(self) -> bool:
        return self.heading.kind == "letter"

    def is_introduction(self) -> bool:
        """True if the text is short and no list, such as the introduction of a section."""
        return "<li" not in self.html and len(self.html.split()) <= MAX_INTRODUCTION


def tree(blocks: Sequence[Block]) -> HeadingNode:
    """Returns the root: the text above the first heading, with all headings below it.

    A heading is below the last heading of a lower level. Of `# Words`, `## Tools`, `#### Jig` and
    `## Wood`, "Jig" is below "Tools", and "Wood" below "Words".
    """
    root = HeadingNode(Block(line=0, html=""))
    path = [root]  # the headings around the next block, from the root
    times: Counter[str] = Counter()
    anchors_above: list[str] = []
    for block in blocks:
        if not block.html:  # a block without HTML has the anchors of the next one
            anchors_above += block.anchors
            continue
        if block.level:
            node = HeadingNode(block, (*_anchors_of(block, times), *anchors_above))
            while path[-1].heading.level >= block.level:
                path.pop()
            path[-1].children.append(node)
            path.append(node)
        else:
            path[-1].body.append(_with_anchors(block, anchors_above))
        anchors_above = []
    return root


def _anchors_of(heading: Block, times: Counter[str]) -> tuple[str, ...]:
    """Returns the anchors of a heading. Generators of sites number the anchors of headings with one
    name: `example`, `example-1`. `times` counts the headings with each anchor so far."""
    anchor = heading.repeatable_anchor
    if anchor is None:
        return heading.anchors
    earlier_headings = times[anchor]
    times[anchor] += 1
    return (*heading.anchors, *anchors_on_sites(anchor, earlier=earlier_headings))


def with_even_levels(parent: HeadingNode) -> HeadingNode:
    """Returns a heading in which terms that are on the level of sections by mistake are put below
    the sections."""
    children = [with_even_levels(child) for child in _with_terms_in_sections(parent.children)]
    return parent.with_children(children)


def _with_terms_in_sections(headings: Sequence[HeadingNode]) -> Sequence[HeadingNode]:
    """Returns the headings of one level. A term that belongs to the section above it is moved below
    that, to the level of the other terms. Here this is "ballast":

        ## A
        ### adze
        ## B
        ## ballast
        ## C
        ### clamp
    """
    sections = [node for node in headings if _is_section(node) and node.children]
    if len(sections) < MIN_SECTIONS:
        return headings
    first_term = sections[0].children[0]
    level_of_terms = first_term.heading.level

    kept: list[HeadingNode] = []
    moved_terms: dict[HeadingNode, list[HeadingNode]] = defaultdict(list)
    section = None
    for node in headings:
        if section and _belongs_to(section, node):
            # The headings below it are terms as well: `## Saw` above `### Tooth` is two terms.
            heading = node.heading._replace(level=level_of_terms)
            term = replace(node, heading=heading, children=[])
            moved_terms[section] += [term, *node.children]
            continue
        kept.append(node)
        section = node if _is_section(node) else None
    return [node.with_children([*node.children, *moved_terms[node]]) for node in kept]


def _is_section(node: HeadingNode) -> bool:
    """Returns whether a heading is a section: it has no text, and is not "Glossary" or the like."""
    if node.has_text or node.is_auxiliary():
        return False
    return GLOSSARY_HEADING.fullmatch(node.name) is None


def _belongs_to(section: HeadingNode, node: HeadingNode) -> bool:
    """Returns whether a heading with a text is a term of the section above it. The section has no
    subheadings, or is the letter with which the name begins."""
    return node.has_text and (not section.children or _begins_with_letter(node, section))


def _begins_with_letter(node: HeadingNode, section: HeadingNode) -> bool:
    """Returns whether the section is a letter, or letters such as "A–C", and the name begins with
    it."""
    if not section.is_letter():
        return False
    letters = folded_words(section.name).split()
    first_letter = folded_words(node.name)[:1]
    return letters[0] <= first_letter <= letters[-1]
