"""Reads front matter, and files with one term, whose name and status are in it.

Of nested values in front matter only names are read. Damaged YAML is left out, and reported.

The definition of a term file is the text below. Links to other files of the folder (`/service/`,
`service.md`, `../service/`) are references, and the file's own name is an anchor of its entry.
Files whose names begin with an underscore, and pages with a layout and no text, are not terms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.columns import (
    AVOID,
    DEPRECATED,
    OTHER_NAMES,
    RELATED,
    REPLACED,
    TITLES_OF_PAGES,
    WITHHELD,
)
from sitegen.formats.common.entries import Candidate, Metadata, distinct, entry, incomplete
from sitegen.formats.common.headings import GLOSSARY, is_label, term_asked_for
from sitegen.formats.common.record_values import (
    Record,
    RecordList,
    RecordText,
    RecordValue,
    is_deprecated,
    is_withheld,
    listed_names,
    names_in_lists,
    replacements,
    value_of,
    values_by_title,
)
from sitegen.formats.common.structure import Block, MarkupProblem
from sitegen.formats.markdown.markdown_html import html_of
from sitegen.model import Document, Reading, UnreadableError
from sitegen.text.decoding import visible
from sitegen.text.file_names import MARKDOWN_SUFFIXES
from sitegen.text.names import heading_ids
from sitegen.text.prose import reference_href
from sitegen.text.words import folded_words, without_tags

FENCED = re.compile(r"\A\s*^---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
KEY = re.compile(r"^\w[\w-]*[ \t]*:[ \t]", re.M)
MAX_LENGTH = 50_000
"""The maximum number of characters in front matter."""
DAMAGED = (
    "the front matter cannot be read as YAML",
    "quote values that contain a colon, and write out what `<<` merges",
)
SIBLING = (
    r"(?i)(?:\.{0,2}/)*(?:[a-z]{2}(?:-[a-z]{2})?/)?(?P<stem>[\w-]+)"
    rf"(?:{'|'.join(map(re.escape, (*MARKDOWN_SUFFIXES, '.html')))})?/?(?:[#?].*)?"
)
"""A link to another file of the folder: `jig.md`, `../jig/#use`, `/de/jig`."""
DEFINITION_KEYS = ("definition", "description", "summary")
TERM = re.compile(r"^(?:#{2,6} |:[ \t]|\||\*\*[^*\n]+(?::\*\*|\*\* ?[:–—-]))", re.M)
"""The beginning of a line that may have a term, in a text of several: a heading, a definition of a
list, a row of a table, a bold name with a separator."""
MIN_SAME = 4
"""The number of words that a text and its summary share at their beginning if the text repeats the
summary."""
SECTION_KEYS = ("category", "categories", "section")
STATUS_KEYS = (*WITHHELD, *DEPRECATED, "status", "visibility", "published")
KEYS_READ = frozenset(
    {
        *TITLES_OF_PAGES,
        *RELATED,
        *REPLACED,
        *OTHER_NAMES,
        *AVOID,
        *SECTION_KEYS,
        *STATUS_KEYS,
        "id",
        "slug",
        "layout",
    }
)
"""Titles of keys from which names, definition, section and status are read. The others are kept as
metadata."""


class FrontMatter(NamedTuple):
    record: Record = Record(0, [])
    damage: tuple[MarkupProblem, ...] = ()
    """The problem of the first line that is not YAML."""

    def texts(self, *titles: str) -> list[RecordText]:
        """Returns the texts of the keys with these titles (folded keys), in the order of `titles`.
        The key `tags: [a, b]` has two. Blank texts are left out."""
        texts = []
        for value in values_by_title(self.record, titles):
            texts += _texts_of(value)
        return texts

    def first(self, *titles: str) -> str:
        """Returns the first text of the keys with these titles; empty if there is none."""
        for _, text in self.texts(*titles):
            return text
        return ""


def split_front_matter(document: Document) -> tuple[FrontMatter, str]:
    """Returns the front matter, and the document with blank lines in its place, which keeps the
    line numbers. YAML without a single text is no front matter: `---`, `Words`, `---` are lines of
    the document."""
    text = document.text
    fenced = FENCED.match(text[:MAX_LENGTH])
    if fenced is None:
        return FrontMatter(), text
    lines_above = "\n" * text.count("\n", 0, fenced.start("yaml"))
    # Front matter may have any number of entries, as its length is limited.
    yaml = replace(document, text=lines_above + fenced["yaml"], max_entries=MAX_LENGTH)
    matter = _front_matter(yaml)
    if not _has_texts(matter) and not matter.damage:
        return FrontMatter(), text
    return matter, "\n" * text.count("\n", 0, fenced.end()) + text[fenced.end() :]


def _front_matter(yaml: Document) -> FrontMatter:
    """Returns the front matter in a YAML text."""
    try:
        value = value_of(yaml)
    except UnreadableError as error:
        if not KEY.search(yaml.text):  # no front matter, but a text between two rules
            return FrontMatter()
        return FrontMatter(damage=(MarkupProblem(error.line, *DAMAGED),))
    return FrontMatter(value if isinstance(value, Record) else Record(0, []))


def _has_texts(matter: FrontMatter) -> bool:
    return any(_texts_of(field.value) for field in matter.record.fields)


def _texts_of(value: RecordValue) -> list[RecordText]:
    """Returns a text, or the texts of a list, each on one line. Blank texts are left out."""
    items = value.items if isinstance(value, RecordList) else [value]
    texts = []
    for item in items:
        if isinstance(item, RecordText) and (words := visible(item.text).split()):
            texts.append(RecordText(item.line, " ".join(words)))
    return texts


def is_auxiliary(document: Document, matter: FrontMatter, body: str) -> bool:
    """Returns whether a file with front matter is no term: a template (`_template.md`), the page of
    a section without terms (`glossary/_index.md`), or a page that only has a layout."""
    if not _has_texts(matter):
        return False
    path = PurePosixPath(document.name)
    is_page_of_glossary = path.stem == "_index" and GLOSSARY.search(path.parent.name)
    if is_page_of_glossary:
        has_terms = len(TERM.findall(body)) > 1
        return not has_terms
    if path.stem.startswith("_"):
        return True
    has_only_layout = matter.first("layout") != "" and not body.strip()
    # The definition of a term may be in its front matter.
    is_term = _is_in_glossary(document) and matter.first(*DEFINITION_KEYS) != ""
    return has_only_layout and not is_term


def is_named_glossary(document: Document) -> bool:
    """Returns whether the file is named as a glossary: `glossary.md`, `docs/our-glossary.md`. Among
    pages, `glossary-cache.md` is that of a term."""
    path = PurePosixPath(document.name)
    is_among_pages = document.format == "page" or GLOSSARY.search(str(path.parent))
    says_glossary = GLOSSARY.search(path.stem) is not None
    return says_glossary and (path.stem.isalpha() or not is_among_pages)


def may_be_term_file(document: Document, matter: FrontMatter) -> bool:
    """Returns whether a file may be one term: its title does not say "glossary", or it has no title
    and is in the folder of a glossary."""
    title = matter.first(*TITLES_OF_PAGES)
    if title:
        return not GLOSSARY.search(title)
    return _is_in_glossary(document)


def _is_in_glossary(document: Document) -> bool:
    """Returns whether a file is in the folder of a glossary, other than the index of the folder."""
    path = PurePosixPath(document.name)
    is_index = path.stem.lower() in {"index", "readme", "contents", "glossary"}
    return bool(GLOSSARY.search(path.parent.name)) and not is_index


def is_term_file(document: Document, matter: FrontMatter, blocks: Sequence[Block]) -> bool:
    """Returns whether a file that may be one term is one, by its text."""
    top = _title(document, blocks)
    if top and GLOSSARY.search(top.name):
        return False
    # A title in front matter is enough, but for a file such as `glossary.md`.
    if matter.first(*TITLES_OF_PAGES):
        return not is_named_glossary(document)
    # Without a title in front matter, the file must have only plain text below its heading.
    other_headings = [block for block in blocks if block.level and block is not top]
    has_candidates = any(block.candidates for block in blocks)
    return bool(blocks) and not other_headings and not has_candidates


def _title(document: Document, blocks: Sequence[Block]) -> Block | None:
    """Returns the heading that is the title of the file; None if there is none.

    The title is the first heading on level 1 (`# Jig`). On another level, it must be the only
    heading, and at the top."""
    headings = [block for block in blocks if block.level]
    for heading in headings:
        if heading.level == 1:
            return heading
    if len(headings) != 1 or not blocks[0].level:
        return None
    # A label, such as "Definition", is no title, but in the file of that term.
    is_name_of_file = folded_words(blocks[0].name) == folded_words(_stem(document))
    is_title = is_name_of_file or not is_label(blocks[0].name)
    return blocks[0] if is_title else None


def read(document: Document, matter: FrontMatter, blocks: Sequence[Block]) -> Reading:
    """Returns the one entry of a term file. There is none if its front matter marks it as not
    published, and a problem if it has no definition."""
    if is_withheld(matter.record):
        return Reading(is_auxiliary=True)
    candidate = _candidate(document, matter, blocks)
    section = matter.first(*SECTION_KEYS)
    # Files of one folder may spell a section with or without a capital.
    section = section[:1].upper() + section[1:]
    term = entry(document, candidate, section=section, metadata=_metadata(matter))
    if term.definition.text:
        return Reading(entries=(term,))
    return Reading(problems=(incomplete(document, candidate),))


def _candidate(document: Document, matter: FrontMatter, blocks: Sequence[Block]) -> Candidate:
    """Returns the term of a file. A heading at the top that repeats the name is left out."""
    begins_with_title = bool(blocks) and blocks[0] is _title(document, blocks)
    top = blocks[0] if begins_with_title else None
    title, line = _title_and_line(document, matter, top)
    name = term_asked_for(title)  # a title may be a question

    blocks_of_definition = blocks
    if top and folded_words(top.name) == folded_words(title):
        blocks_of_definition = blocks[1:]
    text = "".join([block.html for block in blocks_of_definition])
    html = _definition(matter, text) + text
    html += sphinx_markup.use_instead(html, replacements(matter.record))

    # Aliases are other names, or in Hugo other addresses of the page: `/glossary/jig/`.
    listed = names_in_lists(matter.record)
    synonyms = [other for other in listed.used if not other.startswith("/")]
    # The last part of an address becomes an anchor.
    identifiers = []
    for _, id in matter.texts("aliases", "id", "slug"):
        is_name_with_slash = "/" in id and id in synonyms  # such as TCP/IP
        if not is_name_with_slash:
            identifiers.append(PurePosixPath(id).name)

    return Candidate(
        names=(name, *synonyms),
        html=html + _see_also(matter),
        line=line,
        anchors=(_stem(document), *heading_ids(name), *identifiers),
        deprecated=is_deprecated(matter.record),
        avoided=distinct(listed.avoided),
    )


def _title_and_line(document: Document, matter: FrontMatter, top: Block | None) -> tuple[str, int]:
    """Returns the title of a file, and its line. The title is in front matter, in the heading at
    the top, or else in the file's name: "table saw" of `table-saw.md`."""
    for line, title in matter.texts(*TITLES_OF_PAGES):
        return title, line
    if top:
        return top.name, top.line
    return re.sub("[-_]", " ", _stem(document)), 1


def _metadata(matter: FrontMatter) -> Metadata:
    """Returns the keys of front matter that have no other use."""
    metadata = []
    for field in matter.record.fields:
        texts = _texts_of(field.value)
        if texts and field.title not in KEYS_READ:
            metadata.append((field.key.lower(), tuple([text for _, text in texts])))
    return tuple(metadata)


def _definition(matter: FrontMatter, text: str) -> str:
    """Returns the HTML of the definition in front matter. The HTML is empty without a definition,
    and if the text below makes the definition needless."""
    definition = matter.first(*DEFINITION_KEYS)
    if not definition:
        return ""
    # Docsy, a theme that reads `linkTitle`, shows the description above the text. Others show it
    # in lists of pages.
    is_shown_above_text = matter.first("linktitle") != ""
    if is_shown_above_text:
        is_needless = _begins_alike(text, definition)
    else:
        is_needless = _is_full_definition(text, definition)
    return "" if is_needless else html_of(definition)


def _begins_alike(html: str, definition: str) -> bool:
    """Returns whether a text begins with the first words of the definition in front matter."""
    first_words = folded_words(definition).split()[:MIN_SAME]
    return _words(html)[: len(first_words)] == first_words


def _is_full_definition(html: str, definition: str) -> bool:
    """Returns whether a text replaces the definition in front matter: it begins with a paragraph,
    and is at least as long. "See also saws." only adds to "A frame that holds wood."."""
    if not html.lstrip().startswith("<p"):
        return False
    return len(_words(html)) >= len(folded_words(definition).split())


def _words(html: str) -> list[str]:
    return folded_words(without_tags(html, instead=" ")).split()


def _see_also(matter: FrontMatter) -> str:
    """Returns the HTML of links to related terms. `related: [saw]` becomes
    `<p>See also: <a href="term:saw">saw</a></p>`."""
    names = filter(None, listed_names(matter.record, RELATED))
    return sphinx_markup.see_also(map(sphinx_markup.link, names))


def _stem(document: Document) -> str:
    """Returns the name of a file without its suffix: "jig" of `glossary/jig.md`. A file that is
    named index has the name of its folder: "jig" of `glossary/jig/index.md`."""
    path = PurePosixPath(document.name)
    if path.stem.lower() == "index" and path.parent.name:
        return path.parent.name
    return path.stem


def address(href: str) -> str:
    """Returns the address of a link. A link to another file of the folder becomes a reference:
    `../saw/` is `term:%23saw`."""
    sibling = re.fullmatch(SIBLING, href)
    if sibling:
        return reference_href("#" + sibling["stem"])
    return href
