"""Classifies words that are auxiliary headings or labels in one glossary and terms in another.

"References" at the end of a glossary is a list of books; between two terms it is a term. "Source" is a label in a
definition if it is repeated, or if its text is only "RFC 2119"; if it has a definition, it is a term.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from itertools import chain, takewhile

from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import HeadingKind, may_be_label
from sitegen.formats.common.passages import HERE, Block, HeadingNode

AWAY = re.compile(rf"<a (?![^<>]*{HERE})[^<>]*>[^<]*(?:<(?!/?a\b)[^<]*)*</a>")
"""A link to another document."""
MIN_WORDS = 3
"""The minimum number of words of a definition, without links to other documents."""


def classify_headings(root: HeadingNode) -> None:
    """Separates terms from auxiliary headings and labels, in place.

    A heading at an end that reads like a term is doubtful.
    """
    nodes = (root, *root.walk())
    labels = [one.names[0].lower() for node in nodes for one in node.candidates if may_be_label(one.names[0])]
    if labels:
        times = Counter(labels)
        for node in nodes:
            _merge_labels(node, lambda candidate: _is_label(candidate, times))
    for node in nodes:
        doubtful = [child for child in node.children if child.heading.kind == "doubtful"]
        if doubtful:
            both_ways = (
                takewhile(HeadingNode.is_auxiliary, others) for others in (node.children, reversed(node.children))
            )
            at_an_end = {id(child) for child in chain.from_iterable(both_ways)}
            for child in doubtful:
                child.heading = replace(child.heading, kind=_kind_of(child, at_an_end=id(child) in at_an_end))


def _kind_of(node: HeadingNode, *, at_an_end: bool) -> HeadingKind:
    """Returns the kind of a heading that may be auxiliary."""
    html = "".join(node.html)
    if node.children or not re.match(r"\s*<p\b", html) or _says_little(html):
        return "auxiliary"
    if not at_an_end:
        return ""
    return "auxiliary" if AWAY.search(html) else "doubtful"


def _says_little(html: str) -> bool:
    """True if this HTML is only one or two words, or links to other documents."""
    beside_links = re.sub("<[^<>]*>", " ", AWAY.sub(" ", html))
    return HERE not in html and len(re.findall(r"\w+", beside_links)) < MIN_WORDS


def _is_label(candidate: Candidate, times: Counter[str]) -> bool:
    name = next(iter(candidate.names), "").lower()
    return name in times and (times[name] > 1 or (candidate.html != "" and _says_little(candidate.html)))


def _merge_labels(node: HeadingNode, is_label: Callable[[Candidate], bool]) -> None:
    """Adds labels to the definitions that contain them."""
    node.body = [part for block in node.body for part in _without_labels(block, is_label)]
    node.candidates = [one for block in node.body for one in block.candidates if one.names]


def _without_labels(block: Block, is_label: Callable[[Candidate], bool]) -> Iterator[Block]:
    """Yields the block with labels converted to text. In a list, labels are treated as names."""
    if block.form != "paragraph" or not any(map(is_label, block.candidates)):
        yield block
        return
    named: list[Candidate] = []
    for candidate in block.candidates:
        if not is_label(candidate):
            named.append(candidate)
        elif named:
            named[-1] = named[-1]._replace(html=named[-1].html + _labelled(candidate))
        else:
            yield replace(block, html=_labelled(candidate), candidates=(), form="")
    if named:
        yield replace(block, candidates=tuple(named))


def _labelled(candidate: Candidate) -> str:
    name, html = escape(candidate.names[0], quote=False), candidate.html.removeprefix("<p>")
    return f"<p><strong>{name}</strong>: {html or '</p>'}"
