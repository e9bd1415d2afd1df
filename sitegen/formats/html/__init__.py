"""HTML: definition lists, or headings with text below them, in a page with navigation.

`clean` removes everything but the text, `html_blocks` finds headings, texts and lists, and
`formats.common.outline` decides which of them are terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from lxml import etree

from sitegen.formats.common import entries
from sitegen.formats.common import outline as outlines
from sitegen.formats.common.elements import Element
from sitegen.formats.common.fences import without_front_matter
from sitegen.formats.common.outline import Outline
from sitegen.formats.html import clean
from sitegen.formats.html.html_blocks import blocks
from sitegen.model import Document, Problem, ProblemKind, Reading, Trouble
from sitegen.text.file_names import HTML_PAGE, HTML_SUFFIXES
from sitegen.text.memo import memo

PART_OF_LIST = re.compile(r"\s*<dt\b", re.I)
"""A file that others include in a definition list, often of one term."""
MARKDOWN = re.compile(r"^(?:#{1,6} |```|(?:[-*] )?\*\*|---$)|\n[ \t]*\n[^\s<]", re.M)
"""Signs of Markdown, such as a paragraph that begins without a tag: a text with HTML in it."""
GENERATOR_TAG = re.compile(r"\{[{%][^{}\n]*[%}]\}")
"""A tag of Jekyll or Hugo, as in `{{ site.baseurl }}`."""
MAX_DEPTH = 250
"""The maximum nesting that is read; libxml2 supports 256 levels."""
LEVELS_ABOVE_CONTENT = 10
"""The number of levels that the content may be below the root of its page."""


def looks_like(document: Document) -> bool:
    """Returns whether the document is an HTML page, or a part of one, that looks like a
    glossary."""
    text = _html(document)
    # A part of a list often has a single term, so one term is enough.
    if PART_OF_LIST.match(text):
        return bool(_outline_of(document).reading.entries)
    is_html = document.name.lower().endswith(HTML_SUFFIXES) or HTML_PAGE.match(text)
    if not is_html and MARKDOWN.search(text):
        return False
    return _outline_of(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of an HTML page."""
    wanted = "wanted a definition list, or headings with definitions below them"
    return _outline_of(document).checked_reading(wanted)


def _html(document: Document) -> str:
    """Returns the HTML of a document. Tags of a site generator are removed:
    `<a href="{{ site.baseurl }}/jig">` is `<a href="/jig">`."""
    has_front_matter = document.text.startswith("---")
    if not has_front_matter:
        return document.text  # without front matter, no generator fills in tags
    lines = without_front_matter(document.text.split("\n"))
    return GENERATOR_TAG.sub("", "\n".join(lines))


@memo
def _outline_of(document: Document) -> Outline:
    """Returns the outline of the content of a page, without its navigation."""
    entries.check_tags(document)
    text = _html(document)
    if PART_OF_LIST.match(text):
        text = f"<dl>{text}</dl>"
    page = clean.parsed(text)
    if page is None:
        return Outline(Reading(), is_convincing=False)
    content = clean.content(page)
    clean.tidy(content, own_name=PurePosixPath(document.name).name)
    outline = outlines.read(document, [*blocks(content)], title=clean.title(document))
    return outline.with_problems(_too_deep(document, content))


def _too_deep(document: Document, content: Element) -> Iterator[Problem]:
    """Yields a problem for the first element at the maximum depth, if there is one."""
    depth = 0
    for event, element in etree.iterwalk(content, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH - LEVELS_ABOVE_CONTENT:
            found = "elements nest too deep from here on"
            wanted = f"what is deeper than {MAX_DEPTH} levels was not read"
            trouble = Trouble(ProblemKind.LIMIT, found, wanted)
            yield trouble.at(document.path, line=element.sourceline or 0)
            return
