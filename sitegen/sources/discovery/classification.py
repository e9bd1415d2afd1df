"""Finds the terms of a file, or its section of terms, whatever the file is called.

Also recognizes folders in which every page defines one term, whatever headings the page has below
its title.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.formats.common import columns
from sitegen.formats.common.headings import Heading, title_of, without_pictures
from sitegen.model import Document, Entry, ProblemKind
from sitegen.sources import glossary_names as names
from sitegen.text import labels
from sitegen.text.file_names import MARKDOWN_SUFFIXES, UNREAD_DOCUMENTS
from sitegen.text.words import folded_words, without_tags

RECORDS = (".json", ".yaml", ".yml")
"""Suffixes of files of records."""
TERM_FILE = "page"
"""The name of the format that reads a whole file as one term."""
FENCE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)", re.MULTILINE | re.DOTALL)
"""Matches a block of code: "```", lines, and "```"."""
TITLED = re.compile(
    r"\A\s*---\n.*?^(?:title|term|name):[ \t]*\S.*?^---[ \t]*$", re.MULTILINE | re.DOTALL
)
"""Matches front matter with a title: "---", "title: Cache", and "---"."""
HEADING = re.compile(
    r"^(?P<marks>#{1,6})[ \t]+(?P<marked>.+?)[ \t]*#*[ \t]*$"
    r"|^(?P<lined>\S.*)\n(?P<line>[=\-~^*+\"'.#])(?P=line){2,}[ \t]*$"
    r"|<[hH](?P<level>[1-6])\b[^<>]*>(?P<html>(?s:.{1,400}?))</[hH](?P=level)>",
    re.MULTILINE,
)
"""Matches a heading of Markdown, reStructuredText or HTML."""
TABLE_HEAD = re.compile(r"^ {0,3}\|([^\n]+)\|[ \t]*\n {0,3}\|(?=[-: |]+$)", re.MULTILINE)
"""Matches the head of a table in Markdown: "| Term | Definition |", above "|------|-----|"."""
FRONT_MATTER = re.compile(r"\A\s*(---|\+\+\+)\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
"""Matches front matter in YAML or TOML: "---" or "+++", lines, and the same again."""

ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
"""Matches the article of "A saw cuts"."""
AVOID = re.compile(
    rf"(?:^\W*|[._*\s]_?)(?:{labels.pattern(labels.AVOID)})[\W_]*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
"""Matches the label of the names to avoid: `_Avoid_: user`."""


def unread_reason(path: str) -> str:
    """Returns why a file is not read, by its suffix, such as "PDF is not read; read the document
    that it was made from"; empty if a format may read it."""
    ending = PurePosixPath(path).suffix.lower()
    format = UNREAD_DOCUMENTS.get(ending)
    if format is None or ending in names.readable():
        return ""
    return "; ".join(filter(None, (f"{format.name} is not read", format.wanted)))


def no_terms_reason(document: Document) -> str:
    """Returns the reason why a file with the name of a glossary has no terms: its format is not
    read, it has a mistake in its markup, or it is too large."""
    for problem in formats.read(document).problems:
        if problem.kind in (ProblemKind.FORMAT, ProblemKind.MARKUP, ProblemKind.LIMIT):
            if problem.line:
                return f"{problem.found} (line {problem.line})"
            return problem.found
    return "no terms are recognized in it"


def defined(document: Document) -> frozenset[str]:
    """Returns the folded names of the terms that a file defines."""
    return frozenset([folded_name(entry.name) for entry in formats.read(document).entries])


def folded_name(name: str) -> str:
    """Returns a name without case and punctuation: "load balancer" for "Load-Balancer"."""
    return folded_words(name) or name.casefold()  # `+` has no words


def headings(text: str) -> list[Heading]:
    """Returns the headings of a text, in their order and without their lines."""
    # In reStructuredText, the first underline that occurs is that of level 1, the next of level 2.
    levels: dict[str, int] = {}
    result = []
    for match in HEADING.finditer(FENCE.sub("", FRONT_MATTER.sub("", text))):
        if match["marked"]:
            result.append(Heading(len(match["marks"]), match["marked"]))
        elif match["lined"]:
            level = levels.setdefault(match["line"], len(levels) + 1)
            result.append(Heading(level, match["lined"].strip()))
        else:
            name = without_tags(match["html"]).strip(" \n¶#")
            result.append(Heading(int(match["level"]), name))
    return result


def is_clearly_glossary(document: Document) -> bool:
    """True if a file is a glossary by its content, whatever its name.

    One of these is enough: a table with the titles "Term" and "Definition", a line such as
    `_Avoid_: user`, or three quarters of definitions that begin with the name of their term.
    """
    for row in TABLE_HEAD.findall(document.text):
        if _is_head_of_terms(row):
            return True
    if AVOID.search(document.text):
        return True
    terms = formats.read(document).entries
    begin_with_name = list(filter(_begins_with_name, terms))
    most_begin_with_name = 4 * len(begin_with_name) >= 3 * len(terms)
    return len(terms) > 0 and most_begin_with_name


def _is_head_of_terms(row: str) -> bool:
    """True for ` Term | Definition `: the head of a table, without its first and last "|"."""
    cells = [cell.strip(" *") for cell in row.split("|")]
    has_terms = columns.folded_title(cells[0]) in columns.TERMS
    return has_terms and bool(columns.column(cells, columns.DEFINITIONS, excluded=0))


def _begins_with_name(entry: Entry) -> bool:
    """True for a definition whose first words are the name: "Saw: A saw cuts wood."."""
    text = folded_words(ARTICLE.sub("", entry.definition.text))
    return f"{text} ".startswith(f"{folded_words(entry.name)} ")


def section_of(text: str) -> str:
    """Returns the first heading of a glossary section in a text; empty if there is none.

    >>> section_of("# Guide\\n## 3. Key terms:")
    '3. Key terms:'
    """
    for heading in headings(text):
        plain_name = names.plain(without_pictures(heading.name)).rstrip(": ")
        if re.fullmatch(names.SECTION_HEADING, plain_name):
            return heading.name
    return ""


def are_pages(documents: Iterable[Document]) -> bool:
    """True if three quarters of these files are pages that define one term each.

    Such a page has a title. Below it are no headings, or one that three pages have, such as
    "Examples". Headings that fewer pages have are probably terms.
    """
    number_of_files = 0
    headings_of_pages = []
    pages_with_heading: Counter[str] = Counter()
    for document in documents:
        is_markdown = document.path.lower().endswith(MARKDOWN_SUFFIXES)
        if is_markdown and not names.is_beside_terms(document.path):
            number_of_files += 1
            below = _headings_below_title(document.text)
            if below is not None:
                headings_of_pages.append(below)
                pages_with_heading.update({*below})
    pages = [below for below in headings_of_pages if _is_page(below, pages_with_heading)]
    return number_of_files > 0 and 4 * len(pages) >= 3 * number_of_files


def _is_page(below: Sequence[str], pages_with_heading: Mapping[str, int]) -> bool:
    """True for a page without headings below its title, or with one that at least three pages
    have."""
    for heading in below:
        if pages_with_heading[heading] >= 3:
            return True
    return not below


def _headings_below_title(text: str) -> Sequence[str] | None:
    """Returns the headings below the title of a page, which may be the name of the file; None for
    an empty page."""
    all_headings = headings(text)
    below = [folded_words(heading.name) for heading in all_headings]
    if folded_words(title_of(all_headings)):
        return below[1:]  # The first heading is the title.
    if TITLED.match(text):
        return below  # The title is in the front matter.
    return below if text.strip() else None  # The name of the file is the title.
