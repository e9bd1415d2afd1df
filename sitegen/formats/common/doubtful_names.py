"""Decides about headings and bold names that are terms in one glossary and not in another.

"References" at the end of a glossary is a list of books; between two terms it is a term. "Source"
is a label in a definition if it is repeated, or if its text is only "RFC 2119"; if it has a
definition, it is a term.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import takewhile

from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import HeadingKind, may_be_label
from sitegen.formats.common.structure import HERE, Block, HeadingNode

AWAY = re.compile(rf"<a (?![^<>]*{HERE})[^<>]*>[^<]*(?:<(?!/?a\b)[^<]*)*</a>")
"""A link to another document."""
MIN_WORDS = 3
"""The minimum number of words of a definition, without links to other documents."""


def decide_doubtful_names(root: HeadingNode) -> None:
    """Separates terms from auxiliary headings and labels, in place.

    A heading at an end that reads like a term stays doubtful.
    """
    nodes = (root, *root.walk())
    times = _possible_labels(nodes)
    if times:
        for node in nodes:
            blocks: list[Block] = []
            for block in node.body:
                blocks += _without_labels(block, times)
            node.body = blocks
    for node in nodes:
        _decide_headings(node.children)


def _possible_labels(nodes: Iterable[HeadingNode]) -> Counter[str]:
    """Returns how often each name is that of a candidate, if it may be a label."""
    times: Counter[str] = Counter()
    for node in nodes:
        for candidate in node.candidates:
            name = candidate.names[0]
            if may_be_label(name):
                times[name.lower()] += 1
    return times


def _decide_headings(headings: Sequence[HeadingNode]) -> None:
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
    if AWAY.search(node.html):
        return "auxiliary"
    return "doubtful"


def _says_little(html: str) -> bool:
    """True if this HTML is only one or two words, or links to other documents."""
    beside_links = re.sub("<[^<>]*>", " ", AWAY.sub(" ", html))
    return HERE not in html and len(re.findall(r"\w+", beside_links)) < MIN_WORDS


def _without_labels(block: Block, times: Counter[str]) -> Iterator[Block]:
    """Yields the block with labels converted to text. In a list, labels are treated as names.

    `times` says how often each name is used that may be a label.
    """
    if block.form != "paragraph":
        yield block
        return
    named: list[Candidate] = []
    has_labels = False
    for candidate in block.candidates:
        if not _is_label(candidate, times):
            named.append(candidate)
            continue
        has_labels = True
        html = _label_html(candidate)
        if named:
            named[-1] = named[-1]._replace(html=named[-1].html + html)
        else:
            yield block._replace(html=html, candidates=(), form="")
    if named or not has_labels:
        yield block._replace(candidates=tuple(named))


def _is_label(candidate: Candidate, times: Counter[str]) -> bool:
    if not candidate.names:
        return False
    number = times[candidate.names[0].lower()]
    is_little = candidate.html != "" and _says_little(candidate.html)
    return number > 1 or (number == 1 and is_little)


def _label_html(candidate: Candidate) -> str:
    """Returns the HTML of a label and the text after it."""
    label = f"<p><strong>{escape(candidate.names[0], quote=False)}</strong>: "
    if candidate.html:
        return label + candidate.html.removeprefix("<p>")
    return f"{label}</p>"
