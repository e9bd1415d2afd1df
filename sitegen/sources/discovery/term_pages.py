"""Recognises folders in which every page defines one term, whatever headings the page has below its title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from sitegen.sources.glossary_names import is_beside_terms
from sitegen.text import words

FORMAT = "page"
"""The format that reads a whole file as one term."""
SUFFIXES = (".md", ".mdx", ".markdown", ".qmd", ".rmd")
FENCE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)", re.MULTILINE | re.DOTALL)
TITLED = re.compile(r"\A\s*---\n.*?^(?:title|term|name):[ \t]*\S.*?^---[ \t]*$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


def are_pages(texts: Iterable[tuple[str, str]]) -> bool:
    """True if most of these files are pages that define one term each; `texts` has their paths and texts.

    Such a page begins with a title. It has no headings below, or headings that other pages have as well (`Examples`),
    or that contain the title (`Why unit testing matters`). Headings that are all different are terms of their own.
    """
    pages = [_headings(text) for path, text in texts if path.lower().endswith(SUFFIXES) and not is_beside_terms(path)]
    common = Counter(heading for _, below in pages for heading in {*below})
    single = [page for page in pages if page[0] and _is_one_term(*page, common=common)]
    return bool(pages) and 4 * len(single) >= 3 * len(pages)


def _headings(text: str) -> tuple[str, Sequence[str]]:
    """Returns the title of a page, and the headings below it."""
    found = [(len(marks), words.fold(name)) for marks, name in HEADING.findall(FENCE.sub("", text))]
    matter = TITLED.match(text)
    if matter:
        return "title", [name for _, name in found]
    if not found or any(level <= found[0][0] for level, _ in found[1:]):
        return "", ()
    return found[0][1], [name for _, name in found[1:]]


def _is_one_term(title: str, below: Sequence[str], *, common: Counter[str]) -> bool:
    return not below or any(common[heading] > 2 or title in heading for heading in below)
