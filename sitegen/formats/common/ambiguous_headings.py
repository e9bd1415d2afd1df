"""Words that are furniture or a label in one glossary and a term in the next: what the document shows settles it.

"References" at the end of a glossary lists books; between two terms it is one. "Source" opens a part of a definition
where it returns, or says no more than "RFC 2119"; where it is explained, it is a term.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from itertools import chain, takewhile

from sitegen.formats.common.entries import Item
from sitegen.formats.common.passages import HERE, Block, Node
from sitegen.formats.common.signposts import Signpost, may_be_label

AWAY = re.compile(rf"<a (?![^<>]*{HERE})[^<>]*>[^<]*(?:<(?!/?a\b)[^<]*)*</a>")
"""A link to another document."""
MIN_WORDS = 3
"""Of a definition, beside links to other documents."""


def settle(root: Node) -> None:
    """Tells terms from furniture and labels. A heading at an end that reads like a term is left in doubt."""
    nodes = (root, *root.walk())
    items = [item for node in nodes for item in node.items if may_be_label(item.names[0])]
    if items:
        times = Counter(item.names[0].lower() for item in items)
        for node in nodes:
            _settle_labels(node, lambda item: _is_label(item, times))
    for node in nodes:
        doubtful = [child for child in node.children if child.heading.signpost == "doubtful"]
        if doubtful:
            both_ways = (takewhile(Node.is_furniture, others) for others in (node.children, reversed(node.children)))
            at_an_end = {id(child) for child in chain.from_iterable(both_ways)}
            for child in doubtful:
                child.heading = replace(child.heading, signpost=_settled(child, at_an_end=id(child) in at_an_end))


def _settled(node: Node, *, at_an_end: bool) -> Signpost:
    """What a heading tells that may be furniture, first or last among its neighbours or between them."""
    html = "".join(node.html)
    if node.children or not re.match(r"\s*<p\b", html) or _says_little(html):
        return "furniture"
    if not at_an_end:
        return ""
    return "furniture" if AWAY.search(html) else "doubtful"


def _says_little(html: str) -> bool:
    """True for a word or two, and for links to other documents."""
    beside_links = re.sub("<[^<>]*>", " ", AWAY.sub(" ", html))
    return HERE not in html and len(re.findall(r"\w+", beside_links)) < MIN_WORDS


def _is_label(item: Item, times: Counter[str]) -> bool:
    name = next(iter(item.names), "").lower()
    return name in times and (times[name] > 1 or (item.html != "" and _says_little(item.html)))


def _settle_labels(node: Node, is_label: Callable[[Item], bool]) -> None:
    """Makes the labels in a text part of the definitions that they stand in."""
    node.body = [part for block in node.body for part in _without_labels(block, is_label)]
    node.items = [item for block in node.body for item in block.items if item.names]


def _without_labels(block: Block, is_label: Callable[[Item], bool]) -> Iterator[Block]:
    """A block, or what it is without names that are labels; in a list they are names like the others."""
    if block.form != "paragraph" or not any(map(is_label, block.items)):
        yield block
        return
    named: list[Item] = []
    for item in block.items:
        if not is_label(item):
            named.append(item)
        elif named:
            named[-1] = named[-1]._replace(html=named[-1].html + _labelled(item))
        else:
            yield replace(block, html=_labelled(item), items=(), form="")
    if named:
        yield replace(block, items=tuple(named))


def _labelled(item: Item) -> str:
    return f"<p><strong>{escape(item.names[0], quote=False)}</strong>: {item.html.removeprefix('<p>') or '</p>'}"
