"""HTML: definition lists, or headings with text below them, on a page with menus and other noise around.

`_html_groups` cuts a page into what was met before and what is new, `_page` takes the noise away, `_html_blocks` sees
headings, texts and lists in what is left, and `_outline` decides which of them are terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from lxml import etree

from sitegen.formats.common import outline as _outline
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.passages import passages
from sitegen.formats.html import clean, groups
from sitegen.formats.html.blocks import blocks
from sitegen.formats.html.clean import Element
from sitegen.formats.html.groups import Cut
from sitegen.model import Document, Problem, Reading
from sitegen.text.known import Known

PAGE = re.compile(r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S)
FRAGMENT = re.compile(r"\s*<(?:dl|div|section|article|main|h[1-6]|body|header)\b", re.I)
MARKDOWN = re.compile(r"^(?:#{1,6} |```|(?:[-*] )?\*\*|---$)|\n[ \t]*\n[^\s<]", re.M)
"""Also a paragraph that no tag begins: HTML inside Markdown reads better as Markdown."""
MAX_DEPTH = 250
"""The parser reads no deeper than 256 levels."""


def looks_like(document: Document, known: Known) -> bool:
    """True for a page, or a part of one, that reads convincingly as a glossary."""
    is_page = PAGE.match(document.text) is not None
    is_part = FRAGMENT.match(document.text) is not None and not MARKDOWN.search(document.text)
    return (is_page or is_part) and _outlined(document, known).is_convincing


def parse(document: Document, known: Known) -> Reading:
    """Returns the entries of an HTML page."""
    reading = _outlined(document, known).reading
    if reading.entries or reading.problems:
        return reading
    wanted = "wanted a definition list, or headings with definitions below them"
    return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=wanted),))


def _outlined(document: Document, known: Known) -> Outline:
    return known.of(_read)[document]


def _read(document: Document, known: Known) -> Outline:
    own_name = PurePosixPath(document.name).name
    return (
        _read_cut(document, groups.cut(document.text, own_name, known), own_name, known)
        or _read_cut(document, Cut(document.text, ()), own_name, known)
        or Outline(Reading(), is_convincing=False)
    )


def _read_cut(document: Document, cut: Cut, own_name: str, known: Known) -> Outline | None:
    """What a page says; None where it has to be read as a whole, or there is nothing to read."""
    page = clean.parsed(cut.text)
    lines = cut.lines(page) if page is not None else None
    if page is None or lines is None:
        return None
    content = clean.content(page)
    clean.tidy(content, own_name=own_name)
    too_deep = tuple(_too_deep(document, content))
    filled = cut.filled(blocks(content), lines)
    if filled is None:
        return None
    located = [(0, passage) for passage in passages(filled)]
    outline = _outline.read(document, located, known, title=clean.title(document))
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
