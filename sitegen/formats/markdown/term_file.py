"""Reads a file that holds one term: its name and status are in the front matter, its definition is the text below.

Links to other files of the folder (`/service/`, `service.md`, `../service/`) are references, and the file's own name
is an anchor of its entry. Files whose names begin with an underscore, and pages with a layout and no text, are no
terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from sitegen.formats.common.entries import Candidate, entry, incomplete
from sitegen.formats.common.headings import GLOSSARY, heading_anchor
from sitegen.formats.common.passages import Block
from sitegen.formats.markdown.front_matter import FrontMatter
from sitegen.model import Document, Reading
from sitegen.text import words
from sitegen.text.prose import reference_href

SIBLING = re.compile(
    r"(?:\.{0,2}/)*(?:[a-z]{2}(?:-[a-z]{2})?/)?(?P<stem>[\w-]+)(?:\.(?:md|mdx|markdown|html))?/?(?:[#?].*)?", re.I
)
TITLE = ("title", "term", "name")
SYNONYMS = ("aliases", "alias", "synonyms", "synonym", "aka", "abbreviation", "acronym")


def is_furniture(document: Document, matter: FrontMatter, body: str) -> bool:
    """Returns whether this is a template, a section page or a page that only has a layout."""
    if not matter.values:
        return False
    return _stem(document).startswith("_") or bool(matter.first("layout") and not body.strip())


def is_titled(matter: FrontMatter) -> bool:
    """Returns whether the front matter has a title, and it does not say that a glossary follows."""
    title = matter.first(*TITLE)
    return title != "" and not GLOSSARY.search(title)


def is_term_file(document: Document, blocks: Sequence[Block]) -> bool:
    """Returns whether the text is no glossary, by its own title, or by the file's name and its headings."""
    top = next((block.name for block in blocks if block.level == 1), "")
    has_terms = sum(block.level > 1 for block in blocks) > 1 or sum(len(block.candidates) for block in blocks) > 1
    return not GLOSSARY.search(top) and not (has_terms and GLOSSARY.search(PurePosixPath(document.name).stem))


def read(document: Document, matter: FrontMatter, blocks: Iterable[Block]) -> Reading:
    """Returns the one entry of a term file."""
    title = matter.first(*TITLE)
    parts = tuple(blocks)
    repeats_title = bool(parts) and parts[0].level == 1 and words.fold(parts[0].name) == words.fold(title)
    candidate = Candidate(
        names=(title, *(name for name in matter.all(*SYNONYMS) if not name.startswith("/"))),
        html="".join(part.html for part in parts[repeats_title:]),
        line=next(matter.lines[key] for key in TITLE if matter.first(key)),
        anchors=(
            _stem(document),
            heading_anchor(title),
            *(PurePosixPath(name).name for name in matter.all("aliases", "id", "slug")),
        ),
    )
    section = _capitalised(matter.first("category", "categories", "section"))
    read = entry(document, candidate, section=section, deprecated=_is_deprecated(matter))
    if read.definition.text:
        return Reading(entries=(read,))
    return Reading(problems=(incomplete(document, candidate),))


def _stem(document: Document) -> str:
    path = PurePosixPath(document.name)
    return path.parent.name if path.stem.lower() == "index" and path.parent.name else path.stem


def _capitalised(text: str) -> str:
    """Returns a section name with a capital: files of one folder differ in that."""
    return text[:1].upper() + text[1:]


def _is_deprecated(matter: FrontMatter) -> bool:
    return words.fold(matter.first("status")) == "deprecated" or matter.first("deprecated").lower() in {"true", "yes"}


def address(href: str) -> str:
    """Returns the address of a link; if it leads to another file of the folder, a reference."""
    sibling = SIBLING.fullmatch(href)
    return reference_href("#" + sibling["stem"]) if sibling else href
