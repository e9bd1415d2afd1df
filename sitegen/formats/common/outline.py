"""Decides which parts of a document are terms, for Markdown and HTML.

A format converts its document to passages (headings with text), and finds the names with definitions inside each
text. This module decides for the whole document which heading is the title, which headings are sections, and whether
the terms are headings or are in lists and tables below headings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, starmap, takewhile
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
    numbered,
)
from sitegen.formats.common.listed_terms import has_only_terms, is_comparison
from sitegen.formats.common.passages import (
    LINK_HERE,
    LINK_LIST,
    NUMBERED,
    Block,
    HeadingNode,
    LocatedPassage,
    classify_headings,
    linked,
    tree,
)
from sitegen.model import Document, Entry, Problem, Reading, entries_at
from sitegen.text import words

MAX_INTRODUCTION = 40
"""The maximum number of words of the introduction of a section, if other headings on its level are terms."""
ROWS = 4
"""The minimum ratio of rows to texts for which all terms are in tables."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The result of reading a document."""

    reading: Reading
    is_convincing: bool
    """True if the document is a glossary, and not another document with headings, such as a manual."""


def read(document: Document, passages: Sequence[LocatedPassage], *, title: str = "") -> Outline:
    """Returns the entries in the passages of a document, and whether it looks like a glossary.

    `title` is the title that the document has outside its text, such as in front matter. Only one section is read if
    the document names it, or if it is headed "Glossary" and the document has another title.
    """
    if plain := _simple_entries(document, passages, title=title):
        return Outline(Reading(entries=plain), is_convincing=True)
    return _weighed(document, passages, title=title)


def _weighed(document: Document, passages: Sequence[LocatedPassage], *, title: str) -> Outline:
    """Returns the outline of any document."""
    root = tree(passages)
    classify_headings(root)
    if document.section:
        found = _section(root, document.section)
        if found is None:
            return _no_section(document, root)
        return _read(document, found, intro=found, titled=True)
    first = _title(root)
    titled = any(GLOSSARY.search(name) for name in (title, first.name if first else ""))
    part = definitions_part(root, first) if titled else glossary_part(root)
    if part:
        return _read(document, part, intro=part, titled=True)
    if first is None:
        return _read(document, root, intro=root, titled=titled)
    rest = beside_title(root, first) if titled else [child for child in root.children if child is not first]
    top = HeadingNode(first.heading, anchors=first.anchors, children=[*first.children, *rest])
    intro = HeadingNode(
        root.heading, body=[*root.body, *first.body], candidates=[*root.candidates, *first.candidates]
    )
    intro.has_guesses = root.has_guesses or first.has_guesses
    return _read(document, top, intro=intro, titled=titled)


def _title(root: HeadingNode) -> HeadingNode | None:
    """Returns the first heading, unless it is a term or a section itself."""
    if not root.children:
        return None
    first = root.children[0]
    is_alone = len(root.children) == 1
    is_bare = not first.has_text and not first.children
    has_contents = any(block.is_contents for block in first.body)
    return first if is_alone or is_bare or has_contents or GLOSSARY.search(first.name) else None


def _section(root: HeadingNode, name: str) -> HeadingNode | None:
    wanted = words.fold(name)
    return next((node for node in root.walk() if node.name == name or words.fold(node.name) == wanted), None)


def _no_section(document: Document, root: HeadingNode) -> Outline:
    names = [node.name for node in root.walk()]
    known = f"headings here: {', '.join(names[:20])}" if names else "the document has no headings"
    problem = Problem(path=document.path, found=f"no section '{document.section}' here", wanted=known)
    return Outline(Reading(problems=(problem,)), is_convincing=bool(names))


def _read(document: Document, top: HeadingNode, *, intro: HeadingNode, titled: bool) -> Outline:
    """Returns the outline of the headings below `top`. `intro` has the text before the first of these."""
    nodes = tuple(top.walk())
    if titled:
        _accept_guesses(nodes, intro)
    in_lists = _terms_are_in_lists(nodes, intro)
    if in_lists:
        _drop_asides((intro, *nodes))
    headed = () if in_lists else without_appendix(without_index(tuple(_headed(top, nodes))))
    candidates = list(_listed(top, intro) if in_lists else chain.from_iterable(starmap(_candidates_below, headed)))
    anchors = {anchor for node in (top, *nodes) for anchor in node.anchors}
    elsewhere = anchors - {anchor for candidate in candidates for anchor in candidate.anchors}
    candidates = [
        candidate if elsewhere.isdisjoint(linked(candidate.html)) else _without_links(candidate, elsewhere)
        for candidate in candidates
    ]
    reading = entries.read(document, without_numbers(candidates))
    passed_over = _outside_lists(document, nodes) if in_lists else _in_doubt(document, headed)
    reading = replace(reading, problems=(*reading.problems, *passed_over))
    return Outline(reading, is_convincing=_is_convincing(top, reading.entries, titled=titled))


def _accept_guesses(nodes: Sequence[HeadingNode], intro: HeadingNode) -> None:
    """Converts guesses to candidates in place: those in tables with more terms than the lists, or in lists alone."""
    texts = [node for node in (intro, *nodes) if node.has_guesses]
    blocks = [block for node in (intro, *nodes) for block in node.body] if texts else []
    listed = sum(len(block.candidates) for block in blocks if block.form != "table")
    rows = sum(len(block.guesses) for block in blocks if not block.html.startswith("<ul"))
    if not texts or (listed and rows <= listed):
        return
    only_tables = any(block.candidates for block in blocks)
    before = [(node, node.body, node.candidates) for node in texts]
    for node in texts:
        node.body = [
            replace(block, candidates=block.guesses, form="list" if block.html.startswith("<ul") else "table")
            if block.guesses and not (only_tables and block.html.startswith("<ul"))
            else block
            for block in node.body
        ]
        node.candidates = [one for block in node.body for one in block.candidates if one.names]
    if not _terms_are_in_lists(nodes, intro):
        for node, body, candidates in before:
            node.body, node.candidates = body, candidates


def _terms_are_in_lists(nodes: Iterable[HeadingNode], intro: HeadingNode) -> bool:
    """True if most texts of the document are lists of names with definitions.

    Each heading with such a list, and each item of a list right under the title, outweighs one heading with another
    text. A few lists among many definitions are part of those definitions.
    """
    if not intro.candidates and not any(node.candidates for node in nodes):
        return False
    texts = [node for node in nodes if node.has_text and not node.is_auxiliary()]
    if not texts:
        return len(intro.candidates) > 0
    with_lists = [node for node in texts if node.candidates]
    named = ({name for candidate in node.candidates for name in candidate.names} for node in with_lists)
    headings_with = Counter(chain.from_iterable(named))
    lists = sum(_is_list(node, headings_with) for node in with_lists)
    if lists and all(_is_list(node, headings_with) or _is_lone_item(node, headings_with) for node in texts):
        return True
    listed = sum(not may_be_label(candidate.names[0]) for candidate in intro.candidates) + lists
    rows = sum(len(node.candidates) for node in with_lists if any(block.form == "table" for block in node.body))
    others = len(texts) - lists
    return listed > 0 and (listed >= others or rows >= ROWS * len(texts))


def _drop_asides(nodes: Sequence[HeadingNode]) -> None:
    """Converts candidates outside of tables to text, in place, if most terms are in tables.

    Lists of abbreviations, and texts that are mostly names with definitions, are not converted. Numbered lists are
    usually rules: candidates in them do not count.
    """
    rows = sum(len(block.candidates) for node in nodes for block in node.body if block.form == "table")
    others = [node for node in nodes if any(one.form in ("paragraph", "list") for one in node.body)]
    if rows <= sum(len(block.candidates) for node in others for block in node.body if block.form != "table"):
        return
    for node in others:
        beside = [block for block in node.body if block.form != "table"]
        named = sum(len(block.candidates) for block in beside if not block.html.startswith("<ol"))
        if not ABBREVIATIONS.match(node.name) and (named * 2 < len(beside) or named == 0):
            node.body = [
                block if block.form == "table" else replace(block, candidates=(), form="") for block in node.body
            ]
            node.candidates = [one for block in node.body for one in block.candidates if one.names]


def _is_list(node: HeadingNode, headings_with: Counter[str]) -> bool:
    """Returns whether the text is a list of terms after at most a few words.

    Names that repeat under other headings are labels; so are those that may be labels, unless below a letter.
    """
    candidates = node.candidates
    first = next((number for number, block in enumerate(node.body) if block.candidates), 0)
    names = [candidate.names[0] for candidate in candidates]
    labels = sum(headings_with[name] > 1 or (may_be_label(name) and not node.is_letter()) for name in names)
    one_is_enough = node.is_letter() or all(block.form == "table" for block in node.body)
    return len(candidates) > (not one_is_enough) and first < 2 and labels * 2 <= len(candidates)


def _is_lone_item(node: HeadingNode, headings_with: Counter[str]) -> bool:
    """Returns whether the text is a list of one term after at most a few words, where other sections have more."""
    names = [candidate.names[0] for candidate in node.candidates]
    is_list = [block.form for block in node.body][-2:] in (["list"], ["", "list"]) and len(node.body) < 3
    return is_list and len(names) == 1 and headings_with[names[0]] == 1 and not may_be_label(names[0])


def _listed(top: HeadingNode, intro: HeadingNode) -> Iterator[Candidate]:
    """Yields the candidates in the texts of a document. Their section is the nearest heading that is not a letter."""
    yield from _candidates(intro, "")
    yield from _listed_below(top, "")


def _listed_below(node: HeadingNode, section: str) -> Iterator[Candidate]:
    for child in node.children:
        if child.heading.kind != "auxiliary":
            inner = section if child.is_letter() else child.name
            yield from _candidates(child, inner)
            yield from _listed_below(child, inner)


def _candidates(node: HeadingNode, section: str) -> Iterator[Candidate]:
    """Yields the candidates in one text. A name without a definition, above other names, is their section."""
    past = 0
    for number, block in enumerate(node.body):
        if number >= past > 0 and block.html.startswith("<p><strong>") and not block.candidates:
            yield Candidate(names=(), html=block.html, line=block.line)
        if number < past or not block.candidates:
            continue
        *complete, last = block.candidates
        past = number + 1
        if block.form == "paragraph":
            past = _end_of_definition(node.body, past, begun=last.html != "")
            last = last._replace(html=last.html + "".join(more.html for more in node.body[number + 1 : past]))
        yield from (candidate._replace(section=section) for candidate in complete)
        if block.form == "paragraph" and not last.html and past < len(node.body):
            section = last.names[0]
        else:
            yield last._replace(section=section)


def _end_of_definition(body: list[Block], start: int, *, begun: bool) -> int:
    """Returns the index of the next name. A list belongs to a definition that begins before it."""
    for number in range(start, len(body)):
        goes_on = body[number].form == "list" and (begun or number > start)
        if body[number].candidates and not goes_on:
            return number
    return len(body)


def _outside_lists(document: Document, nodes: Iterable[HeadingNode]) -> Iterator[Problem]:
    """Yields one problem for the headings that could be terms, in a document whose terms are in lists."""
    passed_over = []
    for node in nodes:
        is_in_doubt = heading_kind(node.name) == "doubtful" and node.heading.kind != "auxiliary"
        may_be_term = is_in_doubt or could_be_name(node.name)
        if node.has_text and not node.candidates and not node.children and may_be_term:
            passed_over.append(node)
    if passed_over:
        first, *others = passed_over
        found = f"'{first.name}' was not read: it has a heading of its own, while other terms stand in lists"
        more = f" (and {len(others)} more like it)" if others else ""
        terms = tuple(node.name for node in passed_over)
        wanted = "write all terms in one way"
        yield Problem(path=document.path, line=first.line, found=found + more, wanted=wanted, terms=terms)


def _headed(top: HeadingNode, nodes: Iterable[HeadingNode]) -> Iterator[Headed]:
    """Returns the headings of a document that are not sections."""
    labels = _labels(nodes)
    levels: dict[int, list[HeadingNode]] = defaultdict(list)
    for node in nodes:
        levels[node.heading.level].append(node)
    holding = {level for level, alike in levels.items() if _hold_terms(alike, labels)}
    sectional = {level for level in holding if _is_sectional(levels[level], labels)}

    def is_section(node: HeadingNode) -> bool:
        level = node.heading.level
        return node.is_letter() or level in sectional or (level in holding and not node.has_text)

    return _below_sections(top.children, "", is_section)


def _labels(nodes: Iterable[HeadingNode]) -> set[str]:
    """Returns the headings that are labels in a definition: "Example", and those below several headings."""
    above = [node for node in nodes if node.children and not node.is_letter()]
    parents = Counter(chain.from_iterable({child.name for child in node.children} for node in above))
    return {name for name, number in parents.items() if number > 1 or is_label(name)}


def _hold_terms(nodes: list[HeadingNode], labels: set[str]) -> bool:
    """True if most headings of a level that have subheadings have subheadings that are not labels."""
    holders = [node for node in nodes if node.children]
    with_terms = [node for node in holders if len(_below(node, labels)) * 2 >= len(node.children)]
    return 0 < len(holders) <= len(with_terms) * 2


def _is_sectional(nodes: list[HeadingNode], labels: set[str]) -> bool:
    """True if most headings of a level have subheadings, and few (or all) of these a text, or a short one."""
    holders = [node for node in nodes if node.children]
    bare = [node for node in holders if not node.has_text]
    introduced = len(nodes) > 1 and all(len(_below(node, labels)) > 1 for node in holders)
    short = len(holders) == len(nodes) or bool(bare) or all(_is_introduction(node) for node in holders)
    return len(holders) * 2 > len(nodes) and (len(bare) * 2 >= len(holders) or (introduced and short))


def _is_introduction(node: HeadingNode) -> bool:
    """True if the text of a heading is at most a short paragraph, such as the introduction of a section."""
    html = "".join(node.html)
    return html.count("<p") <= 1 and "<li" not in html and len(html.split()) <= MAX_INTRODUCTION


def _below(node: HeadingNode, labels: set[str]) -> list[HeadingNode]:
    """Returns the direct subheadings that are neither labels nor auxiliary."""
    return [child for child in node.children if child.name not in labels and not child.is_auxiliary()]


def _below_sections(
    nodes: Iterable[HeadingNode], section: str, is_section: Callable[[HeadingNode], bool]
) -> Iterator[Headed]:
    for node in nodes:
        has_list = node.is_letter() and node.candidates
        if node.children and not node.is_auxiliary() and not has_list and is_section(node):
            yield from _below_sections(node.children, section if node.is_letter() else node.name, is_section)
        else:
            yield node, section


def _candidates_below(node: HeadingNode, section: str) -> Iterable[Candidate]:
    """Returns the candidate of a heading, with everything below it; for a letter, the candidates below it."""
    if node.is_auxiliary() or (node.is_letter() and not node.has_text and not node.children):
        return ()
    may_be_list = len(node.candidates) > 1 and not node.children
    is_list = may_be_list and (ABBREVIATIONS.match(node.name) or has_only_terms("".join(node.html)))
    if is_list or (node.is_letter() and node.candidates):
        return _candidates(node, node.name if is_list else section)
    return (_headed_candidate(node, section),)


def _in_doubt(document: Document, headed: Iterable[Headed]) -> Iterator[Problem]:
    """Yields a problem for each heading that was classified as auxiliary but reads like a term."""
    for node, _ in headed:
        if node.heading.kind == "doubtful":
            found = f"'{node.name}' was not read: headings like this, first or last, seldom are terms"
            wanted = "put it between two terms if it is one"
            yield Problem(path=document.path, line=node.line, found=found, wanted=wanted, terms=(node.name,))


def _headed_candidate(node: HeadingNode, section: str) -> Candidate:
    name = node.heading.name
    return Candidate((name,) if name else (), _definition(node), node.line, _anchors(node), section)


def _definition(node: HeadingNode) -> str:
    """Returns the HTML of everything below a heading."""
    text = "".join(node.html)
    if not node.children:
        return text
    return text + "".join(child.heading.html + _definition(child) for child in node.children)


def _anchors(node: HeadingNode) -> tuple[str, ...]:
    """Returns the anchors of a heading and of all headings below it."""
    if not node.children:
        return node.anchors
    return (*node.anchors, *(anchor for child in node.children for anchor in _anchors(child)))


def _without_links(candidate: Candidate, elsewhere: set[str]) -> Candidate:
    """Returns the candidate with links to anchors in `elsewhere` (the title or a section) converted to text."""
    html = LINK_HERE.sub(lambda link: link[2] if unquote(link[1]) in elsewhere else link[0], candidate.html)
    return candidate._replace(html=html)


def _is_convincing(top: HeadingNode, found: Sequence[Entry], *, titled: bool) -> bool:
    """True if the title says glossary, or most names are not headings of a manual."""
    if titled or len(found) < 2:
        return titled and len(found) > 0
    names = [entry.name for entry in found] + [node.name for node in top.children]
    long = sum("<h3>" in entry.definition.html or "<h4>" in entry.definition.html for entry in found)
    others = sum(not could_be_name(name) or may_be_label(name) for name in names)
    return others * 4 < len(names) and long * 4 < len(found)


# Most glossaries have this outline, and most of their terms do not change from one release to the next, so only
# cached results are looked up. Measured gain: reading 1,000 terms at 100 releases of Markdown takes 1.5 s of CPU
# instead of 2.7 s.
def _simple_entries(document: Document, passages: Sequence[LocatedPassage], *, title: str) -> tuple[Entry, ...]:
    """Returns the entries of a document with the simplest outline; none of any other.

    It has a title that says glossary, and a heading for each term, all on one level.
    """
    terms = [passage.term for _, passage in passages[1:] if passage.term]
    if document.section or not terms or len(terms) < len(passages) - 1:
        return ()
    first = passages[0][1]
    top = first.heading
    if not top or first.has_candidates or first.has_guesses or first.below:
        return ()
    headings = [term.heading for term in terms]
    if headings[0].level <= top.level or len({heading.level for heading in headings}) > 1:
        return ()
    has_own_anchors = len({top.anchor, *[heading.anchor for heading in headings]}) == len(passages)
    elsewhere = {*top.anchors, *numbered(top.anchor or ""), *first.above}
    last = terms[-1].html
    if (
        not (GLOSSARY.search(title) or GLOSSARY.search(top.name))
        or not has_own_anchors
        or not elsewhere.isdisjoint(chain.from_iterable([term.links for term in terms]))
        or LINK_LIST.fullmatch(last)
        or last.startswith("<table")
    ):
        return ()
    texts = [text for term in terms if (text := term.text)]
    if len(texts) < len(terms):
        return ()
    lines = [above + heading.line for (above, _), heading in zip(passages[1:], headings, strict=True)]
    return entries_at(document.place, texts, lines)


INDEX = 5
"""The minimum number of letters as headings that are an index."""

MIN_NUMBERED = 3

Headed = tuple[HeadingNode, str]
"""A heading, and the name of its section."""


def beside_title(root: HeadingNode, title: HeadingNode) -> list[HeadingNode]:
    """Returns the headings on the level of the title, each before its subheadings if these are on the level of terms.

    Where the terms are right below the title, a heading with a text that is on the title's own level is a term, too.
    """
    levels = {child.heading.level for child in title.children}
    found = []
    for node in root.children:
        if node is not title:
            found.append(node)
            alike = len(levels) == 1 and {child.heading.level for child in node.children} == levels
            if alike and node.has_text and len(node.children) > 1 and not node.is_auxiliary():
                found += node.children
                node.children = []
    return found


def without_index(headed: tuple[Headed, ...]) -> tuple[Headed, ...]:
    """Returns the headings without letters that have no terms below them, if there are enough for an index."""
    letters = sum(node.is_letter() for node, _ in headed)
    return tuple([one for one in headed if letters < INDEX or not one[0].is_letter() or one[0].candidates])


def without_appendix(headed: tuple[Headed, ...]) -> tuple[Headed, ...]:
    """Returns the headings without those at the end that define nothing, unless these are most headings.

    These are lists of links to other documents, and a table whose columns are other headings.
    """
    names = {words.fold(node.name) for node, _ in headed}
    ends = (
        node.is_auxiliary() or LINK_LIST.fullmatch(html := "".join(node.html)) or is_comparison(html, names)
        for node, _ in reversed(headed)
    )
    end = sum(1 for _ in takewhile(bool, ends))
    kept = (*headed[: len(headed) - end], *(one for one in headed[len(headed) - end :] if one[0].is_auxiliary()))
    return kept if len(kept) * 2 > len(headed) else headed


def glossary_part(root: HeadingNode) -> HeadingNode | None:
    """Returns the section of a larger document that is headed "Glossary", if there is only one."""
    named = [node for node in root.walk() if GLOSSARY_HEADING.fullmatch(node.name)]
    return named[0] if len(named) == 1 and (named[0].children or len(named[0].candidates) > 1) else None


def definitions_part(root: HeadingNode, title: HeadingNode | None) -> HeadingNode | None:
    """Returns the section of a glossary that is headed "Definitions", if few of the other sections have terms."""
    nodes = [node for node in root.walk() if node is not title]
    named = [node for node in nodes if GLOSSARY_HEADING.fullmatch(node.name) and words.fold(node.name) != "language"]
    others = [node for node in nodes if node.has_text and not node.is_auxiliary() and node not in named]
    counts = [sum(len(block.candidates) for block in node.body) for node in others]
    is_only = len(counts) > 2 and sum(map(bool, counts)) * 3 <= len(counts)
    if len(named) != 1 or named[0].children or not is_only:
        return None
    listed = sum(len(block.candidates or block.guesses) for block in named[0].body)
    return named[0] if listed > max(2, sum(counts)) else None


def without_numbers(candidates: list[Candidate]) -> list[Candidate]:
    """Returns the candidates without the numbers of their names, if most names have one: "1. Jig", "2. Saw".

    A new name without a number must not change the other names.
    """
    has_number = [NUMBERED.match(one.names[0]) is not None for one in candidates if one.names]
    if sum(has_number) < MIN_NUMBERED or 2 * sum(has_number) <= len(has_number):
        return candidates
    return [one._replace(names=tuple([NUMBERED.sub("", name) for name in one.names])) for one in candidates]
