"""Which entries of a document docutils has to read, and which of those say the same wherever they stand.

Most ask nothing of the document around them, and tell it no more than where their links lead. One in which anything
is odd is read again in every document, and so is one whose links have names that are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import docutils
from docutils import nodes

from sitegen.formats.common.glossary_lines import Item
from sitegen.formats.rst import entries
from sitegen.formats.rst.entries import Given, Link, Read
from sitegen.text.known import Known

NAMES_ARE_IMPLICIT = docutils.__version_info__ >= (0, 22)
"""A link in the midst of a text, when it names its address, gives way to others of that name."""
ALONE = frozenset(
    "Change Note Text attribution block_quote bullet_list caption classifier colspec comment definition"
    " definition_list definition_list_item description doctest_block emphasis entry enumerated_list field field_body"
    " field_list field_name image inline line line_block list_item literal literal_block math_block option"
    " option_argument option_group option_list option_list_item option_string paragraph row rubric strong table"
    " tbody term tgroup thead title".split()
)
"""Kinds of nodes that mean the same in every document."""


class Entries:
    """The entries of one document, as docutils comes upon them."""

    def __init__(
        self, known: Known, document: nodes.document, odd: Sequence[object], *, backquotes_are_code: bool
    ) -> None:
        self._known = known
        self._document = document
        self._odd = odd
        self._backquotes_are_code = backquotes_are_code
        self._depth = 0

    def known(self, item: Item, node: nodes.Element) -> bool:
        """True where an entry needs not be read: the node then has what it says."""
        read = entries.told(self._given(item), self._known)
        if not read or self._depth or any(name in self._document.nameids for name, _ in read.links):
            return False
        for name, address in read.links:
            node += (target := nodes.target(names=[name], refuri=address))
            note = self._document.note_implicit_target if NAMES_ARE_IMPLICIT else self._document.note_explicit_target
            note(target)
        node["read"] = read
        return True

    @contextmanager
    def reading(self, item: Item, node: nodes.Element) -> Iterator[None]:
        """While an entry is read into a node, which then knows what it is made of where that is all it depends on."""
        heard = len(self._odd)
        self._depth += 1
        yield
        self._depth -= 1
        if not self._depth and len(self._odd) == heard and all(map(is_alone, node.findall(include_self=False))):
            node["given"] = self._given(item)

    def keep(self, node: nodes.Element, read: Read) -> None:
        """Takes note of what was read from a node."""
        if "given" in node:
            entries.keep(node["given"], read._replace(links=links_in(node)), self._known)

    def _given(self, item: Item) -> Given:
        return entries.given(item, backquotes_are_code=self._backquotes_are_code)


def links_in(node: nodes.Element) -> tuple[Link, ...]:
    """Returns the links that an entry defines, which other texts of its document may refer to."""
    return tuple([(target["names"][0], target["refuri"]) for target in node.findall(nodes.target)])


def is_alone(node: nodes.Node) -> bool:
    """True for what refers to nothing in its document; others may refer to a link that has its address with it."""
    if isinstance(node, nodes.reference):
        return "refuri" in node and not node.get("anonymous")
    if isinstance(node, nodes.target):
        is_with_link = isinstance(node.parent, nodes.TextElement) and "refuri" in node
        return is_with_link and len(node["names"]) == 1 and not node["dupnames"]
    return type(node).__name__ in ALONE
