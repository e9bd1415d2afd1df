"""What an entry in reStructuredText says by itself: read once, whatever document it stands in.

Most entries ask nothing of the document around them, and tell it no more than where their links lead. docutils reads
such an entry when it is first met, if it takes docutils at all (`_plain_rst`); what came of it is known from then on.
One in which anything is odd is read again wherever it stands, and so is one whose links have names that are taken.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import docutils
from docutils import nodes

from sitegen.digests import digest
from sitegen.fingerprints import FORM
from sitegen.formats import _plain_rst
from sitegen.formats._glossary import Item, without_classifier
from sitegen.known import Form, Known

Given = tuple[tuple[str, ...], str, bool]
"""Names, the text of a definition, and whether backquotes mean code."""
Link = tuple[str, str]
"""Name and address of a link that other texts of its document may refer to."""

ALONE = frozenset(
    "Change Note Text attribution block_quote bullet_list caption classifier colspec comment definition"
    " definition_list definition_list_item description doctest_block emphasis entry enumerated_list field field_body"
    " field_list field_name image inline line line_block list_item literal literal_block math_block option"
    " option_argument option_group option_list option_list_item option_string paragraph row rubric strong table"
    " tbody term tgroup thead title".split()
)
"""Kinds of nodes that mean the same in every document."""


NAMES_ARE_IMPLICIT = docutils.__version_info__ >= (0, 22)
"""A link in the midst of a text, when it names its address, gives way to others of that name."""


class Read(NamedTuple):
    """What names and a definition say."""

    names: tuple[str, ...]
    html: str
    deprecated: bool = False
    links: tuple[Link, ...] = ()


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
        given = self._given(item)
        read = self._known.of(_plain)[given] or self._known.at(_key(given), READ)
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
        if not self._depth and len(self._odd) == heard and all(map(_is_alone, node.findall(include_self=False))):
            node["given"] = self._given(item)

    def keep(self, node: nodes.Element, read: Read) -> None:
        """Takes note of what was read from a node."""
        if "given" in node:
            links = tuple((target["names"][0], target["refuri"]) for target in node.findall(nodes.target))
            self._known.keep(_key(node["given"]), read._replace(links=links), READ)

    def _given(self, item: Item) -> Given:
        names = tuple([without_classifier(name.text) for name in item.names])
        return names, "\n".join([line.text for line in item.body]), self._backquotes_are_code


def _is_alone(node: nodes.Node) -> bool:
    """True for what refers to nothing in its document; others may refer to a link that has its address with it."""
    if isinstance(node, nodes.reference):
        return "refuri" in node and not node.get("anonymous")
    if isinstance(node, nodes.target):
        is_with_link = isinstance(node.parent, nodes.TextElement) and "refuri" in node
        return is_with_link and len(node["names"]) == 1 and not node["dupnames"]
    return type(node).__name__ in ALONE


def _plain(given: Given, _known: Known) -> Read | None:
    """What can be told without docutils."""
    names, text, _ = given
    html = _plain_rst.html(text)
    told = [*filter(None, map(_plain_rst.name, names))] if html else []
    return Read(tuple(told), html) if html and len(told) == len(names) else None


def _key(given: Given) -> bytes:
    return digest(marshal.dumps(given, FORM))


def _dump(read: Read, _known: Known) -> bytes:
    return json.dumps(read, ensure_ascii=False).encode(errors="surrogatepass")


def _load(data: bytes, _known: Known) -> Read:
    names, html, deprecated, links = json.loads(data.decode(errors="surrogatepass"))
    return Read(tuple(names), html, deprecated, tuple([(name, address) for name, address in links]))


READ = Form("entries", _key, _dump, _load)
