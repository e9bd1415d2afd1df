"""Parses XML without document types, entities or network, so that a document cannot expand or load anything."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from lxml import etree

from sitegen.formats.common.entries import check_tags
from sitegen.model import Document

Element = Any
"""An lxml element; lxml-stubs has too few of its attributes."""
DOCTYPE = re.compile(r"<!DOCTYPE\b[^>\[]*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*+\]\s*)?>", re.I)
ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\w+);)([A-Za-z][\w.-]*);")
DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class DamagedError(Exception):
    """Raised for a text that is not well-formed XML from a line on."""

    def __init__(self, line: int, found: str) -> None:
        super().__init__(found)
        self.line = line


def parse(document: Document) -> Element:
    """Returns the root of a document. Entities of HTML become characters, others are replaced with their names.

    Raises DamagedError, and TooMuchWorkError for a document with too many tags.
    """
    check_tags(document)
    text = DECLARATION.sub("", UNREADABLE.sub("", document.text))
    text = DOCTYPE.sub(lambda found: "\n" * found[0].count("\n"), text, count=1)
    text = ENTITY.sub(lambda found: html5.get(f"{found[1]};", found[1]), text)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line = (error.position or (1, 0))[0]
        raise DamagedError(line or 1, f"this is no XML: {str(error.msg).split(', line')[0]}") from None


def name_of(element: Element) -> str:
    """Returns the name of an element without its namespace, in lower case; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def attribute(element: Element, *names: str) -> str:
    """Returns the value of the first of these attributes that an element has, in any namespace."""
    # The time that lxml takes for each value grows with the number of attributes.
    found = {key.rpartition("}")[2].lower(): key for key in element.attrib}
    return next((element.get(found[name]) for name in names if name in found), "")


def words(element: Element) -> str:
    """Returns an element's text on one line."""
    return " ".join("".join(element.itertext()).split())
