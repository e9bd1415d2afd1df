"""XML: DocBook glossaries (`docbook`) and TBX termbases (`tbx`); here, the parser that both use.

It reads no document type, entity or network, so that a document cannot expand or load anything.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from lxml import etree

from sitegen.formats.common.entries import check_tags
from sitegen.model import Document, UnreadableError
from sitegen.text.decoding import NOT_XML

Element = Any
"""An lxml element; lxml-stubs has too few of its attributes."""
DOCTYPE = re.compile(r"<!DOCTYPE\b[^>\[]*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*+\]\s*)?>", re.I)
ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\w+);)([A-Za-z][\w.-]*);")
DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


def parse(document: Document) -> Element:
    """Returns the root of a document. Entities of HTML become characters, others are replaced with
    their names.

    Raises UnreadableError for a document that is not well-formed, or has too many tags.
    """
    check_tags(document)
    text = DECLARATION.sub("", NOT_XML.sub("", document.text))
    text = DOCTYPE.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
    text = ENTITY.sub(lambda match: html5.get(f"{match[1]};", match[1]), text)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line = (error.position or (1, 0))[0] or 1
        raise UnreadableError(
            f"this is no XML: {str(error.msg).split(', line')[0]}", line=line
        ) from None


def name_of(element: Element) -> str:
    """Returns the name of an element without its namespace, in lower case; empty for comments and
    the like."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def parts_of(parent: Element, *names: str) -> list[Element]:
    """Returns the children of an element that have one of these names."""
    return [child for child in parent if name_of(child) in names]


def attribute(element: Element, *names: str) -> str:
    """Returns the value of the first of these attributes that an element has, in any namespace."""
    # The time that lxml takes for each value grows with the number of attributes.
    keys = {key.rpartition("}")[2].lower(): key for key in element.attrib}
    return next((element.get(keys[name]) for name in names if name in keys), "")


def words(element: Element) -> str:
    """Returns an element's text on one line."""
    return " ".join("".join(element.itertext()).split())
