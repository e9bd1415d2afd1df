"""What an entry in reStructuredText says by itself: read once, whatever document it stands in.

What takes no parser is told here (`_plain_rst`). The rest is told by docutils when it is first met, and known from
then on, unless it refers to something else in its document (`_rst_alone`).
"""

from __future__ import annotations

from typing import NamedTuple

from sitegen.formats.common.glossary_lines import Item, without_classifier
from sitegen.formats.rst import plain_rst
from sitegen.model.digests import digest_of
from sitegen.text import compact_json
from sitegen.text.known import Form, Known

Given = tuple[tuple[str, ...], str, bool]
"""Names, the text of a definition, and whether backquotes mean code."""
Link = tuple[str, str]
"""Name and address of a link that other texts of its document may refer to."""


class Read(NamedTuple):
    """What names and a definition say."""

    names: tuple[str, ...]
    html: str
    deprecated: bool = False
    links: tuple[Link, ...] = ()


DEPENDS = Read((), "")
"""Stands for what has to be read with its document."""


def given(item: Item, *, backquotes_are_code: bool) -> Given:
    """Returns all that decides what an entry says by itself."""
    names = tuple([without_classifier(name.text) for name in item.names])
    return names, "\n".join([line.text for line in item.body]), backquotes_are_code


def told(given: Given, known: Known) -> Read | None:
    """Returns what an entry says by itself; None where that takes docutils."""
    return known.of(_plain)[given] or known.at(digest_of(given), READ)


def keep(given: Given, read: Read, known: Known) -> None:
    """Takes note of what docutils read."""
    known.keep(digest_of(given), read, READ)


def _plain(given: Given, _known: Known) -> Read | None:
    names, text, _ = given
    html = plain_rst.html(text)
    told = [*filter(None, map(plain_rst.name, names))] if html else []
    return Read(tuple(told), html) if html and len(told) == len(names) else None


def _dump(read: Read, _known: Known) -> bytes:
    return compact_json.dump(read)


def _load(data: bytes, _known: Known) -> Read:
    names, html, deprecated, links = compact_json.load(data)
    return Read(tuple(names), html, deprecated, tuple([(name, address) for name, address in links]))


READ: Form[Given, Read] = Form("entries", digest_of, _dump, _load)
