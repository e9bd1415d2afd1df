"""Reads front matter (the YAML above a text), and files with one term, whose name and status are in
it.

Of front matter, only single values and plain lists of them are read. If the YAML is damaged, the
lines `key: value` are still read.

The definition of a term file is the text below. Links to other files of the folder (`/service/`,
`service.md`, `../service/`) are references, and the file's own name is an anchor of its entry.
Files whose names begin with an underscore, and pages with a layout and no text, are not terms.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import PurePosixPath

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import Candidate, entry, incomplete
from sitegen.formats.common.glossary_lists import count_terms
from sitegen.formats.common.headings import GLOSSARY, term_asked_for
from sitegen.formats.common.record_values import (
    Record,
    RecordField,
    RecordList,
    RecordText,
    RecordValue,
    value_of,
)
from sitegen.formats.common.structure import Block, MarkupProblem
from sitegen.formats.markdown import site_markup
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.markdown_html import Context
from sitegen.model import Document, Reading, UnreadableError
from sitegen.text import words
from sitegen.text.names import heading_id
from sitegen.text.prose import reference_href

FENCED = re.compile(r"\A\s*^---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
PLAIN_LINE = r"""(?m)^(?P<key>\w[\w-]*)[ \t]*:[ \t]+["']?(?P<value>.*?)["']?[ \t]*$"""
MAX_LENGTH = 8_000
"""The maximum number of characters in front matter."""
DAMAGED = ("the front matter is not YAML from here on", "quote values that contain a colon")
SIBLING = (
    r"(?i)(?:\.{0,2}/)*(?:[a-z]{2}(?:-[a-z]{2})?/)?(?P<stem>[\w-]+)"
    r"(?:\.(?:md|mdx|markdown|html))?/?(?:[#?].*)?"
)
TRANSLATED = "l10n"
"""The key of a mapping that is read too: a translation names the commit of its original in it, as
in MDN."""
TITLE = ("title", "term", "name")
DEFINITION = ("definition", "description", "summary")
RELATED = ("see_also", "see-also", "seealso", "related", "related_terms", "related-terms")
TRUE = frozenset({"true", "yes", "on", "1"})
WITHHELD = frozenset({"draft", "private", "unlisted", "hidden", "unpublished", "rejected"})
"""Values of the status of a term that is not published."""
HEADING = re.compile(r"^#{2,6} ", re.M)
MIN_SAME = 4
"""The number of words that a text and its summary share at their beginning if the text repeats the
summary."""
ADDRESS = re.compile(r"https?://|/")
AVOIDED = ("avoid", "do_not_use", "deprecated_names")
PRONUNCIATION = ("pronunciation", "ipa")
SECTION = ("category", "categories", "section")
WITHHOLDING = ("draft", "private", "unlisted", "hidden")
"""Keys of a term that is not published if one is true."""
FLAGS = (*WITHHOLDING, "published", "status", "visibility", "deprecated")
SYNONYMS = ("aliases", "alias", "synonyms", "synonym", "aka", "abbreviation", "acronym")
READ = {*TITLE, *RELATED, *SYNONYMS, *AVOIDED, *PRONUNCIATION, *SECTION, *FLAGS}
READ |= {"id", "slug", "layout"}
"""Keys from which names, definition, section and status are read. The others are kept as
metadata."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FrontMatter:
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By key in lower case: one value, or the values of a list."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """1-based line of each key in the document."""
    damage: tuple[MarkupProblem, ...] = ()
    """The problem of the first line that is not YAML."""

    def first(self, *keys: str) -> str:
        """Returns the first value of the keys that is not blank."""
        for value in self.all(*keys):
            return value
        return ""

    def all(self, *keys: str) -> tuple[str, ...]:
        """Returns the values of the keys that are not blank."""
        values: list[str] = []
        for key in keys:
            values += [" ".join(value.split()) for value in self.values.get(key, ())]
        return tuple(filter(None, values))


def split_front_matter(document: Document) -> tuple[FrontMatter, str]:
    """Returns the front matter, and the document with blank lines in its place, which keeps the
    line numbers."""
    text = document.text
    fenced = FENCED.match(text[:MAX_LENGTH])
    if fenced is None:
        return FrontMatter(), text
    lines_above = text.count("\n", 0, fenced.start("yaml"))
    yaml = replace(document, text=fenced["yaml"], max_entries=MAX_LENGTH)
    matter = _front_matter(yaml, lines_above)
    if not matter.values:
        return FrontMatter(), text
    return matter, "\n" * text.count("\n", 0, fenced.end()) + text[fenced.end() :]


def _front_matter(document: Document, lines_above: int) -> FrontMatter:
    try:
        record = value_of(document)
    except UnreadableError as error:
        return _damaged_front_matter(document.text, lines_above, error.line)
    values: defaultdict[str, list[str]] = defaultdict(list)
    lines: dict[str, int] = {}
    for one in _fields(record):
        key = one.key.lower()
        several = one.value.items if isinstance(one.value, RecordList) else [one.value]
        for value in several:
            if isinstance(value, RecordText):
                lines.setdefault(key, lines_above + one.line)
                values[key].append(value.text)
    return FrontMatter(values={key: tuple(texts) for key, texts in values.items()}, lines=lines)


def _fields(record: RecordValue) -> Iterator[RecordField]:
    """Yields the fields of front matter, then those in the mapping `TRANSLATED`."""
    if not isinstance(record, Record):
        return
    yield from record.fields
    for outer in record.fields:
        if outer.key == TRANSLATED and isinstance(outer.value, Record):
            for inner in outer.value.fields:
                yield inner._replace(key=f"{TRANSLATED}.{inner.key}")


def _damaged_front_matter(text: str, lines_above: int, damaged_line: int) -> FrontMatter:
    """Returns what lines `key: value` say in front matter that is not YAML from a line on."""
    values: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    for match in re.finditer(PLAIN_LINE, text):
        key = match["key"].lower()
        values[key] = (match["value"],)
        lines[key] = lines_above + text.count("\n", 0, match.start()) + 1
    damage = MarkupProblem(lines_above + damaged_line, *DAMAGED)
    return FrontMatter(values=values, lines=lines, damage=(damage,))


def is_auxiliary(document: Document, matter: FrontMatter, body: str) -> bool:
    """Returns whether this is a template, a section page without terms or a page that only has a
    layout."""
    stem = _stem(document)
    is_in_glossary = GLOSSARY.search(PurePosixPath(document.name).parent.name)
    is_glossary = is_in_glossary and len(HEADING.findall(body)) > 1
    if not matter.values or (stem == "_index" and is_glossary):
        return False
    if stem.startswith("_"):
        return True
    has_definition = matter.first(*TITLE) and matter.first(*DEFINITION)
    is_term = _is_in_glossary(document) and has_definition
    return matter.first("layout") != "" and not body.strip() and not is_term


def is_named_glossary(document: Document) -> bool:
    """Returns whether the name of the file is that of a glossary, and not of one term.

    In the folder of a glossary, only a single word says so: `glossary-cache.md` is the page of a
    term there.
    """
    path = PurePosixPath(document.name)
    is_word = path.stem.isalpha() or not GLOSSARY.search(str(path.parent))
    return is_word and bool(GLOSSARY.search(path.stem))


def may_be_term_file(document: Document, matter: FrontMatter) -> bool:
    """Returns whether the front matter has a title, and not that of a glossary, or the folder is
    named glossary."""
    title = matter.first(*TITLE)
    if title:
        return not GLOSSARY.search(title)
    return _is_in_glossary(document)


def _is_in_glossary(document: Document) -> bool:
    path = PurePosixPath(document.name)
    is_index = path.stem.lower() in {"index", "readme", "contents", "glossary"}
    return bool(GLOSSARY.search(path.parent.name)) and not is_index


def is_term_file(document: Document, matter: FrontMatter, blocks: Sequence[Block]) -> bool:
    """Returns whether the text is one term and not a glossary, by its title, or by its file's name
    and headings."""
    top = _title(blocks)
    if top and GLOSSARY.search(top.name):
        return False
    headings = sum(block.level > 0 for block in blocks) - (top is not None)
    candidates = count_terms(blocks)
    if not matter.first(*TITLE):
        return bool(blocks) and not headings and not candidates
    folder = PurePosixPath(document.name).parent
    if GLOSSARY.search(str(folder)) and matter.first(*DEFINITION):
        return True
    return not is_named_glossary(document) or (headings < 2 and candidates < 2)


def _title(blocks: Sequence[Block]) -> Block | None:
    """Returns the heading that is the title of the file: the first on level 1, or else the only
    one, at the top."""
    headings = [block for block in blocks if block.level]
    for heading in headings:
        if heading.level == 1:
            return heading
    if len(headings) == 1 and blocks[0].level:
        return blocks[0]
    return None


def read(document: Document, matter: FrontMatter, blocks: Sequence[Block]) -> Reading:
    """Returns the one entry of a term file; none if its front matter marks it as not published."""
    if _is_withheld(matter):
        return Reading(is_auxiliary=True)
    top = blocks[0] if blocks and blocks[0] is _title(blocks) else None
    title = matter.first(*TITLE)
    if not title:
        title = top.name if top else re.sub("[-_]", " ", _stem(document))
    if top and words.fold(top.name) == words.fold(title):
        blocks = blocks[1:]
    name = term_asked_for(title)
    text = "".join(block.html for block in blocks)
    synonyms = [other for other in matter.all(*SYNONYMS) if not other.startswith("/")]
    identifiers = [PurePosixPath(id).name for id in matter.all("aliases", "id", "slug")]
    candidate = Candidate(
        names=(name, *synonyms),
        html=_definition(document, matter, text) + text + _additions(matter),
        line=_line_of_title(matter) or (top.line if top else 1),
        anchors=(_stem(document), heading_id(name), *identifiers),
        deprecated=_is_deprecated(matter),
    )
    section = matter.first(*SECTION)
    # Files of one folder may spell it with or without a capital.
    section = section[:1].upper() + section[1:]
    others = [key for key in matter.values if key not in READ and matter.all(key)]
    metadata = tuple([(key, matter.all(key)) for key in others])
    term = entry(document, candidate, section=section, metadata=metadata)
    if term.definition.text:
        return Reading(entries=(term,))
    return Reading(problems=(incomplete(document, candidate),))


def _line_of_title(matter: FrontMatter) -> int:
    for key in TITLE:
        if matter.first(key):
            return matter.lines[key]
    return 0


def _definition(document: Document, matter: FrontMatter, text: str) -> str:
    """Returns the HTML of the definition in front matter; empty if the text below it defines the
    term."""
    definition = "\n\n".join(filter(None, (matter.first(*DEFINITION), matter.first("details"))))
    # Docsy, a theme that reads `linkTitle`, shows the description above the text.
    is_lead = _is_in_glossary(document) and matter.first("definition", "summary") != ""
    is_lead = is_lead or matter.first("linkTitle", "linktitle") != ""
    if not definition or _has_definition(text, definition, is_lead=is_lead):
        return ""
    markdown, _ = site_markup.translated(definition, is_mdx=False)
    return Context(address=to_reference).html(markdown)


def _has_definition(html: str, definition: str, *, is_lead: bool) -> bool:
    """Returns whether the text below the front matter defines the term, and does not only add links
    and remarks.

    If the site shows what the front matter says as the lead of the text, the text has it if it
    begins with the same words. Else a text that is shorter than the definition in the front matter
    adds to it, unless it is a part of it.
    """
    words_in_text = words.fold(words.without_tags(html, instead=" ")).split()
    words_of_definition = words.fold(definition).split()
    if is_lead:
        start = words_of_definition[:MIN_SAME]
        return words_in_text[: len(start)] == start
    is_part = words_in_text == words_of_definition[: len(words_in_text)]
    is_shorter = len(words_in_text) < len(words_of_definition) and not is_part
    return html.lstrip().startswith("<p") and not is_shorter


def _is_withheld(matter: FrontMatter) -> bool:
    """Returns whether a term is not published. Deprecated terms are published, also if they are
    drafts."""
    if _is_deprecated(matter):
        return False
    is_marked = any(matter.first(key).lower() in TRUE for key in WITHHOLDING)
    is_unpublished = matter.first("published").lower() in {"false", "no"}
    return is_marked or is_unpublished or matter.first("status", "visibility").lower() in WITHHELD


def _additions(matter: FrontMatter) -> str:
    """Returns the HTML of pronunciation, related terms and names to avoid, which is added to the
    definition."""
    html = ""
    if pronunciation := matter.first(*PRONUNCIATION):
        html += f"<p>Pronunciation: {escape(pronunciation)}</p>"
    links = []
    for name in matter.all(*RELATED):
        href = name if ADDRESS.match(name) else reference_href(name)
        links.append(f'<a href="{escape(href)}">{escape(name, quote=False)}</a>')
    html += sphinx_markup.see_also(links)
    if avoided := matter.all(*AVOIDED):
        html += f"<p><em>Avoid</em>: {escape(', '.join(avoided))}</p>"
    return html


def _stem(document: Document) -> str:
    path = PurePosixPath(document.name)
    if path.stem.lower() == "index" and path.parent.name:
        return path.parent.name
    return path.stem


def _is_deprecated(matter: FrontMatter) -> bool:
    return (
        words.fold(matter.first("status")) == "deprecated"
        or matter.first("deprecated").lower() in TRUE
    )


def address(href: str) -> str:
    """Returns the address of a link; if it leads to another file of the folder, a reference."""
    sibling = re.fullmatch(SIBLING, href)
    return reference_href("#" + sibling["stem"]) if sibling else href
