"""HTML: definition lists, or headings with text below them, in a page with navigation.

`groups` splits off groups that can be parsed separately, `clean` removes everything but the text,
`blocks` finds headings, texts and lists, and `formats.common.outline` decides which of them are terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from lxml import etree

from sitegen.formats.common import entries
from sitegen.formats.common import outline as _outline
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.passages import passages
from sitegen.formats.html import clean, groups
from sitegen.formats.html.blocks import blocks
from sitegen.formats.html.clean import Element
from sitegen.formats.html.groups import CutPage
from sitegen.model import Document, Problem, Reading
from sitegen.text.memo import memo

PAGE = re.compile(r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S)
FRAGMENT = re.compile(r"\s*<(?:dl|div|section|article|main|h[1-6]|body|header)\b", re.I)
MARKDOWN = re.compile(r"^(?:#{1,6} |```|(?:[-*] )?\*\*|---$)|\n[ \t]*\n[^\s<]", re.M)
"""Also a paragraph that begins without a tag: that is HTML inside Markdown."""
MAX_DEPTH = 250
"""The maximum nesting that is read; libxml2 supports 256 levels."""


def looks_like(document: Document) -> bool:
    """True if the document is an HTML page, or a part of one, that looks like a glossary."""
    is_page = PAGE.match(document.text) is not None
    is_part = FRAGMENT.match(document.text) is not None and not MARKDOWN.search(document.text)
    return (is_page or is_part) and outline_of(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of an HTML page."""
    reading = outline_of(document).reading
    if reading.entries or reading.problems:
        return reading
    wanted = "wanted a definition list, or headings with definitions below them"
    return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=wanted),))


@memo()
def outline_of(document: Document) -> Outline:
    """Returns the outline of a page whose groups are parsed separately, if possible."""
    entries.check_tags(document)
    cut = groups.cut(document.text, _own_name(document))
    return _read_cut(document, cut) or outline_of_whole(document)


def outline_of_whole(document: Document) -> Outline:
    """Returns the outline of a page that is parsed as a whole."""
    return _read_cut(document, CutPage(document.text, ())) or Outline(Reading(), is_convincing=False)


def _own_name(document: Document) -> str:
    return PurePosixPath(document.name).name


def _read_cut(document: Document, cut: CutPage) -> Outline | None:
    """Returns the outline of a page; None if it has to be parsed as a whole, or is empty."""
    page = clean.parsed(cut.text)
    lines = cut.lines(page) if page is not None else None
    if page is None or lines is None:
        return None
    content = clean.content(page)
    clean.tidy(content, own_name=_own_name(document))
    too_deep = tuple(_too_deep(document, content))
    filled = cut.filled(blocks(content), lines)
    if filled is None:
        return None
    located = [(0, passage) for passage in passages(filled)]
    outline = _outline.read(document, located, title=clean.title(document))
    return replace(outline, reading=replace(outline.reading, problems=(*too_deep, *outline.reading.problems)))


def _too_deep(document: Document, content: Element) -> Iterator[Problem]:
    depth = 0
    for event, element in etree.iterwalk(content, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH - 10:
            found = "elements nest too deep from here on"
            wanted = f"what is deeper than {MAX_DEPTH} levels was not read"
            yield Problem(path=document.path, line=element.sourceline or 0, found=found, wanted=wanted)
            return
