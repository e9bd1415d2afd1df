"""Which parts of a document are terms: the same question for Markdown and for HTML.

A format turns its document into passages (`_passages`), headings with text, and says which names with definitions it
saw inside a text. Here they are seen as a whole: what is the title, what is a section, and whether the terms are the
headings or stand below them in lists and tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, starmap
from urllib.parse import unquote

from sitegen.formats.common import entries as _entries
from sitegen.formats.common.ambiguous_headings import settle
from sitegen.formats.common.entries import Item
from sitegen.formats.common.heading_anchors import numbered
from sitegen.formats.common.passages import LINK_HERE, Block, Located, Node, Passage, linked, tree
from sitegen.formats.common.signposts import (
    GLOSSARY,
    GLOSSARY_HEADING,
    could_be_name,
    is_label,
    may_be_label,
    signpost,
)
from sitegen.model import Document, Entry, Problem, Reading
from sitegen.text import words
from sitegen.text.known import Known

NOTHING = Passage(heading=None, body=(), html="", above=(), below=(), has_items=False, has_text=False, term=None)


Headed = tuple[Node, str]
"""A heading, and the section that it stands in."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a document's blocks hold."""

    reading: Reading
    is_convincing: bool
    """The document is a glossary, and not a manual that happens to have headings."""


def read(document: Document, passages: Sequence[Located], known: Known, *, title: str = "") -> Outline:
    """Returns the entries in the passages of a document, and whether it looks like a glossary at all.

    `title` is what the document calls itself outside its text. Where the document names a section, or has one headed
    "Glossary" and another title of its own, only that section is read.
    """
    return plain(document, passages, known, title=title) or weighed(document, passages, known, title=title)


def plain(document: Document, passages: Sequence[Located], known: Known, *, title: str) -> Outline | None:
    """Returns the outline of a title with a heading below it for each term, where nothing has to be weighed.

    None of any other. Most glossaries are like that, and most of their terms are what they were a release ago.
    """
    (_, first), *others = passages or [(0, NOTHING)]
    top, terms = first.heading, [passage.term for _, passage in others if passage.term]
    if document.section or not top or first.has_items or first.below or not terms or len(terms) < len(others):
        return None
    given, levels, lines, anchors, links = zip(*terms, strict=True)
    is_flat = len({*levels}) == 1 and levels[0] > top.level and len({top.anchor, *anchors}) == len(passages)
    elsewhere = {*top.anchors, *numbered(top.anchor or ""), *first.above}
    is_titled = GLOSSARY.search(title) or GLOSSARY.search(top.name)
    if not (is_flat and is_titled and all(map(elsewhere.isdisjoint, links))):
        return None
    places = [above + line for (above, _), line in zip(others, lines, strict=True)]
    reading = _entries.read_plain(document, given, places, known)
    return Outline(reading, is_convincing=len(reading.entries) > 0)


def weighed(document: Document, passages: Sequence[Located], known: Known, *, title: str) -> Outline:
    """Returns the outline of any document."""
    root = tree(passages)
    settle(root)
    if document.section:
        found = _section(root, document.section)
        if found is None:
            return _no_section(document, root)
        return _read(document, found, known, intro=found, titled=True)
    first = _title(root)
    titled = any(GLOSSARY.search(name) for name in (title, first.name if first else ""))
    part = None if titled else _glossary_part(root)
    if part:
        return _read(document, part, known, intro=part, titled=True)
    if first is None:
        return _read(document, root, known, intro=root, titled=titled)
    rest = [child for child in root.children if child is not first]
    top = Node(first.heading, anchors=first.anchors, children=[*first.children, *rest])
    intro = Node(root.heading, body=[*root.body, *first.body], items=[*root.items, *first.items])
    return _read(document, top, known, intro=intro, titled=titled)


def _title(root: Node) -> Node | None:
    """The first heading, unless it is a term or a section itself."""
    if not root.children:
        return None
    first = root.children[0]
    is_alone = len(root.children) == 1
    is_bare = not first.has_text and not first.children
    has_contents = any(block.is_contents for block in first.body)
    return first if is_alone or is_bare or has_contents or GLOSSARY.search(first.name) else None


def _section(root: Node, name: str) -> Node | None:
    wanted = words.fold(name)
    return next((node for node in root.walk() if node.name == name or words.fold(node.name) == wanted), None)


def _no_section(document: Document, root: Node) -> Outline:
    names = [node.name for node in root.walk()]
    known = f"headings here: {', '.join(names[:20])}" if names else "the document has no headings"
    problem = Problem(path=document.path, found=f"no section '{document.section}' here", wanted=known)
    return Outline(Reading(problems=(problem,)), is_convincing=bool(names))


def _glossary_part(root: Node) -> Node | None:
    """The one section of a larger document that is headed "Glossary"."""
    named = [node for node in root.walk() if GLOSSARY_HEADING.fullmatch(node.name)]
    return named[0] if len(named) == 1 and (named[0].children or len(named[0].items) > 1) else None


def _read(document: Document, top: Node, known: Known, *, intro: Node, titled: bool) -> Outline:
    """Reads what stands under a title; `intro` holds the text before the first heading below it."""
    nodes = tuple(top.walk())
    by_items = _stands_in_lists(nodes, intro)
    headed = () if by_items else tuple(_headed(top, nodes))
    items = list(_listed(top, intro) if by_items else chain.from_iterable(starmap(_said_below, headed)))
    anchors = {anchor for node in (top, *nodes) for anchor in node.anchors}
    elsewhere = anchors - {anchor for item in items for anchor in item.anchors}
    linked = known.of(_linked)
    items = [item if elsewhere.isdisjoint(linked[item.html]) else _without_links(item, elsewhere) for item in items]
    reading = _entries.read(document, items, known)
    passed_over = _outside_lists(document, nodes) if by_items else _in_doubt(document, headed)
    reading = replace(reading, problems=(*reading.problems, *passed_over))
    return Outline(reading, is_convincing=_is_convincing(top, reading.entries, titled=titled))


def _stands_in_lists(nodes: Iterable[Node], intro: Node) -> bool:
    """True when most texts of the document are lists of names with definitions.

    One heading's text that is such a list outweighs one that is not; so does every item of a list right under the
    title. A few lists among many definitions are part of those definitions.
    """
    if not intro.items and not any(node.items for node in nodes):
        return False
    texts = [node for node in nodes if node.has_text and not node.is_furniture()]
    if not texts:
        return len(intro.items) > 0
    with_items = [node for node in texts if node.items]
    named = ({name for item in node.items for name in item.names} for node in with_items)
    headings_with = Counter(chain.from_iterable(named))
    lists = sum(_is_list(node, headings_with) for node in with_items)
    in_lists = sum(not may_be_label(item.names[0]) for item in intro.items) + lists
    return in_lists > 0 and in_lists >= len(texts) - lists


def _is_list(node: Node, headings_with: Counter[str]) -> bool:
    """True for a list of terms after at most a few words.

    Labels are not names: what returns under other headings, and what may be one, unless a letter stands above it.
    """
    items = node.items
    first = next((number for number, block in enumerate(node.body) if block.items), 0)
    names = [item.names[0] for item in items]
    labels = sum(headings_with[name] > 1 or (may_be_label(name) and not node.is_letter()) for name in names)
    one_is_enough = node.is_letter() or all(block.form == "table" for block in node.body)
    return len(items) > (not one_is_enough) and first < 2 and labels * 2 <= len(items)


def _listed(top: Node, intro: Node) -> Iterator[Item]:
    """The items in the texts of a document, each with the nearest heading that is no letter of the alphabet."""
    yield from _items(intro, "")
    yield from _listed_below(top, "")


def _listed_below(node: Node, section: str) -> Iterator[Item]:
    for child in node.children:
        inner = section if child.is_letter() else child.name
        yield from _items(child, inner)
        yield from _listed_below(child, inner)


def _items(node: Node, section: str) -> Iterator[Item]:
    """The items in one text; a name above other names, without a definition, is their section."""
    past = 0
    for number, block in enumerate(node.body):
        if number >= past > 0 and block.html.startswith("<p><strong>") and not block.items:
            yield Item(names=(), html=block.html, line=block.line)
        if number < past or not block.items:
            continue
        *complete, last = block.items
        past = number + 1
        if block.form == "paragraph":
            past = _end_of_definition(node.body, past, begun=last.html != "")
            last = last._replace(html=last.html + "".join(more.html for more in node.body[number + 1 : past]))
        yield from (item._replace(section=section) for item in complete)
        if block.form == "paragraph" and not last.html and past < len(node.body):
            section = last.names[0]
        else:
            yield last._replace(section=section)


def _end_of_definition(body: list[Block], start: int, *, begun: bool) -> int:
    """Where the next name stands below one; a list belongs to a definition that has begun before it."""
    for number in range(start, len(body)):
        goes_on = body[number].form == "list" and (begun or number > start)
        if body[number].items and not goes_on:
            return number
    return len(body)


def _outside_lists(document: Document, nodes: Iterable[Node]) -> Iterator[Problem]:
    """What stands under its own heading where terms stand in lists, and could have been a term."""
    for node in nodes:
        is_in_doubt = signpost(node.name) == "doubtful" and node.heading.signpost != "furniture"
        may_be_term = is_in_doubt or could_be_name(node.name)
        if node.has_text and not node.items and not node.children and may_be_term:
            found = f"'{node.name}' was not read: it has a heading of its own, while other terms stand in lists"
            wanted = "write all terms in one way"
            yield Problem(path=document.path, line=node.line, found=found, wanted=wanted)


def _headed(top: Node, nodes: Iterable[Node]) -> Iterator[Headed]:
    """The headings of a document that are no sections."""
    labels = _labels(nodes)
    levels: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        levels[node.heading.level].append(node)
    holding = {level for level, alike in levels.items() if _hold_terms(alike, labels)}
    sectional = {level for level in holding if _is_sectional(levels[level], labels)}

    def is_section(node: Node) -> bool:
        level = node.heading.level
        return node.is_letter() or level in sectional or (level in holding and not node.has_text)

    return _below_sections(top.children, "", is_section)


def _labels(nodes: Iterable[Node]) -> set[str]:
    """The headings that stand for a part of a term: "Example", and every one that returns below another heading."""
    above = [node for node in nodes if node.children and not node.is_letter()]
    parents = Counter(chain.from_iterable({child.name for child in node.children} for node in above))
    return {name for name, number in parents.items() if number > 1 or is_label(name)}


def _hold_terms(nodes: list[Node], labels: set[str]) -> bool:
    """True for a level on which most headings that hold others hold more than labels."""
    holders = [node for node in nodes if node.children]
    with_terms = [node for node in holders if len(_below(node, labels)) * 2 >= len(node.children)]
    return 0 < len(holders) <= len(with_terms) * 2


def _is_sectional(nodes: list[Node], labels: set[str]) -> bool:
    """True for a level on which most headings hold headings, and few (or all alike) have a text of their own."""
    holders = [node for node in nodes if node.children]
    bare = [node for node in holders if not node.has_text]
    alike = len(nodes) > 1 and all(len(_below(node, labels)) > 1 for node in nodes)
    return len(holders) * 2 > len(nodes) and (len(bare) * 2 >= len(holders) or alike)


def _below(node: Node, labels: set[str]) -> list[Node]:
    """The headings below one that are neither labels nor furniture."""
    return [child for child in node.children if child.name not in labels and not child.is_furniture()]


def _below_sections(nodes: Iterable[Node], section: str, is_section: Callable[[Node], bool]) -> Iterator[Headed]:
    for node in nodes:
        has_items = node.is_letter() and node.items
        if node.children and not node.is_furniture() and not has_items and is_section(node):
            yield from _below_sections(node.children, section if node.is_letter() else node.name, is_section)
        else:
            yield node, section


def _said_below(node: Node, section: str) -> Iterable[Item]:
    """A heading that is a term, with everything below it; or the terms below a letter."""
    if node.is_furniture():
        return ()
    return _items(node, section) if node.is_letter() and node.items else (_item(node, section),)


def _in_doubt(document: Document, headed: Iterable[Headed]) -> Iterator[Problem]:
    """What was taken for furniture and reads like a term."""
    for node, _ in headed:
        if node.heading.signpost == "doubtful":
            found = f"'{node.name}' was not read: headings like this, first or last, seldom are terms"
            wanted = "put it between two terms if it is one"
            yield Problem(path=document.path, line=node.line, found=found, wanted=wanted)


def _item(node: Node, section: str) -> Item:
    name = node.heading.name
    return Item((name,) if name else (), _definition(node), node.line, _anchors(node), section)


def _definition(node: Node) -> str:
    """The HTML of everything below a heading."""
    text = "".join(node.html)
    if not node.children:
        return text
    return text + "".join(child.heading.html + _definition(child) for child in node.children)


def _anchors(node: Node) -> tuple[str, ...]:
    """Those of a heading and of all headings below it."""
    if not node.children:
        return node.anchors
    return (*node.anchors, *(anchor for child in node.children for anchor in _anchors(child)))


def _without_links(item: Item, elsewhere: set[str]) -> Item:
    """Links to headings that are no terms, the title or a section, become their words."""
    html = LINK_HERE.sub(lambda link: link[2] if unquote(link[1]) in elsewhere else link[0], item.html)
    return item._replace(html=html)


def _linked(html: str, _known: Known) -> frozenset[str]:
    """The places in the same document that HTML links to."""
    return linked(html)


def _is_convincing(top: Node, entries: Sequence[Entry], *, titled: bool) -> bool:
    """True when the title says glossary, or the names look like names and not like the headings of a manual."""
    if titled or len(entries) < 2:
        return titled and len(entries) > 0
    names = [entry.name for entry in entries] + [node.name for node in top.children]
    long = sum("<h3>" in entry.definition.html or "<h4>" in entry.definition.html for entry in entries)
    others = sum(not could_be_name(name) or may_be_label(name) for name in names)
    return others * 4 < len(names) and long * 4 < len(entries)
