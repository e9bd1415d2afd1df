"""Reads a file with one term: its name and status are in the front matter, its definition is the text below.

Links to other files of the folder (`/service/`, `service.md`, `../service/`) are references, and the file's own name
is an anchor of its entry. Files whose names begin with an underscore, and pages with a layout and no text, are not
terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import PurePosixPath

from sitegen.formats.common.entries import Candidate, entry, incomplete
from sitegen.formats.common.headings import GLOSSARY, heading_anchor, term_asked_for
from sitegen.formats.common.passages import Block
from sitegen.formats.markdown import site_markup
from sitegen.formats.markdown.front_matter import FrontMatter
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.model import Document, Reading
from sitegen.text import words
from sitegen.text.prose import reference_href

SIBLING = re.compile(
    r"(?:\.{0,2}/)*(?:[a-z]{2}(?:-[a-z]{2})?/)?(?P<stem>[\w-]+)(?:\.(?:md|mdx|markdown|html))?/?(?:[#?].*)?", re.I
)
TITLE = ("title", "term", "name")
DEFINITION = ("definition", "description", "summary")
RELATED = ("see_also", "see-also", "seealso", "related", "related_terms", "related-terms")
TRUE = frozenset({"true", "yes", "on", "1"})
WITHHELD = frozenset({"draft", "private", "unlisted", "hidden", "unpublished", "rejected"})
"""Values of the status of a term that is not published."""
HEADING = re.compile(r"^#{2,6} ", re.M)
MIN_SAME = 4
"""The number of words that a text and its summary share at their beginning if the text repeats the summary."""
ADDRESS = re.compile(r"https?://|/")
AVOIDED = ("avoid", "do_not_use", "deprecated_names")
PRONUNCIATION = ("pronunciation", "ipa")
SECTION = ("category", "categories", "section")
FLAGS = ("draft", "private", "unlisted", "hidden", "published", "status", "visibility", "deprecated")
SYNONYMS = ("aliases", "alias", "synonyms", "synonym", "aka", "abbreviation", "acronym")
READ = frozenset({*TITLE, *RELATED, *SYNONYMS, *AVOIDED, *PRONUNCIATION, *SECTION, *FLAGS, "id", "slug", "layout"})
"""Keys from which names, definition, section and status are read. The others are kept as metadata."""


def is_auxiliary(document: Document, matter: FrontMatter, body: str) -> bool:
    """Returns whether this is a template, a section page without terms or a page that only has a layout."""
    is_glossary = GLOSSARY.search(PurePosixPath(document.name).parent.name) and len(HEADING.findall(body)) > 1
    if not matter.values or (_stem(document) == "_index" and is_glossary):
        return False
    is_empty = bool(matter.first("layout")) and not body.strip()
    has_definition = _is_in_glossary(document) and matter.first(*TITLE) and matter.first(*DEFINITION)
    return _stem(document).startswith("_") or (is_empty and not has_definition)


def is_named_glossary(document: Document) -> bool:
    """Returns whether the name of the file is that of a glossary, and not of one term.

    In the folder of a glossary, only a single word says so: `glossary-cache.md` is the page of a term there.
    """
    path = PurePosixPath(document.name)
    is_word = path.stem.isalpha() or not GLOSSARY.search(str(path.parent))
    return is_word and bool(GLOSSARY.search(path.stem))


def may_be_term_file(document: Document, matter: FrontMatter) -> bool:
    """Returns whether the front matter has a title, and not that of a glossary, or the folder is named glossary."""
    title = matter.first(*TITLE)
    return not GLOSSARY.search(title) if title else _is_in_glossary(document)


def _is_in_glossary(document: Document) -> bool:
    path = PurePosixPath(document.name)
    is_index = path.stem.lower() in {"index", "readme", "contents", "glossary"}
    return bool(GLOSSARY.search(path.parent.name)) and not is_index


def is_term_file(document: Document, matter: FrontMatter, blocks: Sequence[Block]) -> bool:
    """Returns whether the text is one term and not a glossary, by its title, or by its file's name and headings."""
    top = _title(blocks)
    headings = sum(block.level > 0 for block in blocks) - (top is not None)
    candidates = sum(len(block.candidates) for block in blocks)
    if top and GLOSSARY.search(top.name):
        return False
    if matter.first(*TITLE):
        above = PurePosixPath(document.name).parent
        is_among_terms = GLOSSARY.search(str(above)) is not None and matter.first(*DEFINITION) != ""
        return is_among_terms or not (is_named_glossary(document) and (headings > 1 or candidates > 1))
    return bool(blocks) and not headings and not candidates


def _title(blocks: Sequence[Block]) -> Block | None:
    """Returns the heading that is the title of the file: the first on level 1, or else the only one, at the top."""
    headings = [block for block in blocks if block.level]
    only = blocks[0] if len(headings) == 1 and blocks[0].level else None
    return next((block for block in headings if block.level == 1), only)


def read(document: Document, matter: FrontMatter, blocks: Sequence[Block]) -> Reading:
    """Returns the one entry of a term file; none if its front matter marks it as not published."""
    if _is_withheld(matter):
        return Reading(is_auxiliary=True)
    top = blocks[0] if blocks and blocks[0] is _title(blocks) else None
    title = matter.first(*TITLE) or (top.name if top else _stem(document).replace("_", " ").replace("-", " "))
    repeats_title = top is not None and words.fold(top.name) == words.fold(title)
    title = term_asked_for(title)
    html = "".join(block.html for block in blocks[repeats_title:])
    said = "\n\n".join(filter(None, (matter.first(*DEFINITION), matter.first("details"))))
    # Docsy, a theme that reads `linkTitle`, shows the description above the text.
    is_lead = _is_in_glossary(document) and matter.first("definition", "summary") != ""
    is_lead = is_lead or matter.first("linkTitle", "linktitle") != ""
    if said and not (_repeats(html, said) if is_lead else _is_definition(html, said)):
        from sitegen.formats.markdown import commonmark  # the parser: not loaded for documents that do not need it

        html = (
            commonmark.render(commonmark.tokens(site_markup.translated(said, is_mdx=False)[0]), to_reference) + html
        )
    candidate = Candidate(
        names=(title, *(name for name in matter.all(*SYNONYMS) if not name.startswith("/"))),
        html=html + "".join(_additions(matter)),
        line=next((matter.lines[key] for key in TITLE if matter.first(key)), top.line if top else 1),
        anchors=(
            _stem(document),
            heading_anchor(title),
            *(PurePosixPath(name).name for name in matter.all("aliases", "id", "slug")),
        ),
    )
    section = _capitalised(matter.first(*SECTION))
    metadata = tuple([(key, matter.all(key)) for key in matter.values if key not in READ and matter.all(key)])
    read = entry(document, candidate, section=section, deprecated=_is_deprecated(matter), metadata=metadata)
    if read.definition.text:
        return Reading(entries=(read,))
    return Reading(problems=(incomplete(document, candidate),))


def _repeats(html: str, said: str) -> bool:
    """True if the text begins with the words that the front matter begins with."""
    text, start = words.fold(re.sub(r"<[^<>]*>", " ", html)).split(), words.fold(said).split()[:MIN_SAME]
    return text[: len(start)] == start


def _is_definition(html: str, said: str) -> bool:
    """Returns whether the text below the front matter defines the term, and does not only add links and remarks.

    A text that is shorter than the definition in the front matter adds to it, unless it is a part of it.
    """
    words_in_text, words_said = words.fold(re.sub("<[^>]*>", " ", html)).split(), words.fold(said).split()
    is_shorter = len(words_in_text) < len(words_said) and words_in_text != words_said[: len(words_in_text)]
    return html.lstrip().startswith("<p") and not is_shorter


def _is_withheld(matter: FrontMatter) -> bool:
    """Returns whether a term is not published. Deprecated terms are published, also if they are drafts."""
    if _is_deprecated(matter):
        return False
    is_marked = any(matter.first(key).lower() in TRUE for key in FLAGS[:4])
    is_unpublished = matter.first("published").lower() in {"false", "no"}
    return is_marked or is_unpublished or matter.first("status", "visibility").lower() in WITHHELD


def _additions(matter: FrontMatter) -> Iterator[str]:
    """Yields the HTML of pronunciation, related terms and names to avoid, which is added to the definition."""
    if pronunciation := matter.first(*PRONUNCIATION):
        yield f"<p>Pronunciation: {escape(pronunciation)}</p>"
    related = [(name, name if ADDRESS.match(name) else reference_href(name)) for name in matter.all(*RELATED)]
    links = [f'<a href="{escape(href)}">{escape(name, quote=False)}</a>' for name, href in related]
    if links:
        yield f"<p>See also: {', '.join(links)}</p>"
    if avoided := matter.all(*AVOIDED):
        yield f"<p><em>Avoid</em>: {escape(', '.join(avoided))}</p>"


def _stem(document: Document) -> str:
    path = PurePosixPath(document.name)
    return path.parent.name if path.stem.lower() == "index" and path.parent.name else path.stem


def _capitalised(text: str) -> str:
    """Returns a section name with a capital, because files of one folder may spell it with or without one."""
    return text[:1].upper() + text[1:]


def _is_deprecated(matter: FrontMatter) -> bool:
    return words.fold(matter.first("status")) == "deprecated" or matter.first("deprecated").lower() in TRUE


def address(href: str) -> str:
    """Returns the address of a link; if it leads to another file of the folder, a reference."""
    sibling = SIBLING.fullmatch(href)
    return reference_href("#" + sibling["stem"]) if sibling else href
