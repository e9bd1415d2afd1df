"""Reads Markdown: a glossary as headings, bold words, lists or tables, or a file for each term.

`site_markup` translates the markup of site generators; `blocks` and `candidates` find headings and
names with definitions in what the parser (`commonmark`) returns; `formats.common.outline` decides
which of them are terms; `term_file` reads files that hold one term.

A document is parsed in chunks, each once, also if the text around it changes. A chunk begins with a
heading, or with a bold name below an empty line. It is parsed alone, with a heading added below it:
if that is parsed as a heading, the chunk leaves no construct open, and means the same in any
document. Otherwise the whole document is one chunk, as is one with footnotes. Links that are
defined anywhere in the document are passed to all chunks that may use them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from pathlib import PurePosixPath

from markdown_it.common.utils import normalizeReference

from sitegen.formats.common import entries
from sitegen.formats.common import outline as outlines
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.fences import fences
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.structure import Block, MarkupProblem, moved
from sitegen.formats.markdown import site_markup, term_file
from sitegen.formats.markdown.blocks import ParsedText, parse_text
from sitegen.formats.markdown.commonmark import LinkDefinition, LinkDefinitions
from sitegen.formats.markdown.inline_html import Address, references_in
from sitegen.formats.markdown.leads import SPEC_UP
from sitegen.formats.markdown.term_file import FrontMatter
from sitegen.model import Document, Reading
from sitegen.text.file_names import HTML_PAGE, MARKDOWN_SUFFIXES, RST_SUFFIXES
from sitegen.text.memo import memo

ABBREVIATION = re.compile(r"\*\[(?P<name>[^\]]+)\]:\s*(?P<text>\S.*)")
BESIDE_ABBREVIATIONS = re.compile(r"#|<!--.*-->$")
"""A heading or a comment among abbreviations."""
MIN_ABBREVIATIONS = 2
WANTED = (
    "wanted a glossary as headings, **bold** names, a definition list or a table, or a title in "
    "front matter"
)
COMMENTS = re.compile(r"^#(?: .*)?\n#(?: .*|-.*)?$", re.M)
"""Comments, one right below the other, in a text file such as a list of words."""
DEFINITION = r" {0,3}[:~][ \t]"
A_DEFINITION = re.compile(rf"\n{DEFINITION}")
BOUNDARY = re.compile(r"\n(?:(?=##{1,5}[ \t])|\n(?=#[ \t]|\*\*\w))")
"""The end of a chunk: before `## Jig`, or below an empty line before `# Jig` or `**Jig**`. `# x`
without an empty line above it is often a comment in code."""
BOUNDARY_AROUND_DEFINITIONS = re.compile(rf"\n\n(?=#{{1,6}}[ \t])(?![^\n]*\n\n?{DEFINITION})")
"""The end of a chunk in a text with definition lists: these continue through bold names, and
through headings that a definition follows."""
HEADING = re.compile(r"^#{1,6}[ \t]", re.M)
HEADING_WITHOUT_SPACE = re.compile(r"^(#{2,6}|#(?=[A-Z]))(?=[^\W\d_][^#\n]*$)", re.M)
"""The marks of `##Jig`. `#wood` and `#Tool #wood` are tags."""
LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]", re.S)
"""The label of a link, in brackets."""
FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
MIN_HEADINGS = 3
"""The minimum number of headings that show whether texts below rules belong to terms."""
QUOTED_LINE = re.compile(r"\n[ \t]*>[ \t>]*")
"""The beginning of a line of a quotation."""


def looks_like(document: Document) -> bool:
    """Returns whether the document, read as Markdown, is convincingly a glossary."""
    name = document.name.lower()
    if name.endswith(RST_SUFFIXES) or HTML_PAGE.match(document.text):
        return False
    # `parse` would refuse a document of this length. Only a Markdown file is left to it: formats
    # that take less work may read the others.
    if len(document.text) > document.max_entries * entries.CHARACTERS_OF_AN_ENTRY:
        return name.endswith(MARKDOWN_SUFFIXES)
    # Comments with # would be headings in Markdown.
    if name.endswith(".txt") and COMMENTS.search(document.text):
        return False
    return _outlined(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of a Markdown document, or of the one section that it is set to read.
    Raises UnreadableError, also for a document that is too long."""
    entries.check_length(document, len(document.text), "Markdown")
    return _outlined(document).checked_reading(WANTED)


@memo
def _outlined(document: Document) -> Outline:
    """Returns the outline of a document, which may be a list of abbreviations, one term, or a
    glossary of headings and texts."""
    matter, text = term_file.split_front_matter(document)

    # 1. A list of abbreviations.
    abbreviations = _abbreviations(document, text)
    if abbreviations:
        damage = [problem.at(document.path) for problem in matter.damage]
        return Outline(abbreviations, is_convincing=True).with_problems(damage)

    # 2. A page without terms. It is not tried in other formats.
    entries.check_tags(document, marks="<{")
    body, left_out = site_markup.translated(_with_spaced_headings(text))
    if term_file.is_auxiliary(document, matter, body):
        return Outline(Reading(is_auxiliary=True), is_convincing=True)

    # 3. The file of one term, or else a glossary.
    markdown = _parse_term_file(document, matter, body)
    if markdown:
        outline = Outline(term_file.read(document, matter, markdown.blocks), is_convincing=True)
    else:
        own_name = PurePosixPath(document.name).name
        markdown = parse_chunks(body, references_in(own_name), document)
        title = _title_outside_text(document, matter, markdown)
        outline = outlines.read(document, markdown.blocks, title=title)
        if SPEC_UP.search(body):  # only glossaries have the markup of Spec-Up
            outline = replace(outline, is_convincing=True)
        elif matter.damage and not outline.is_convincing and not document.format:
            # It may be the file of one term, whose title could not be read. Its headings are none.
            outline = Outline(Reading(), is_convincing=True)

    problems = (*matter.damage, *markdown.problems, *left_out)
    return outline.with_problems([problem.at(document.path) for problem in problems])


def _with_spaced_headings(text: str) -> str:
    """Returns a text in which headings have a space after their marks. GitHub showed `##Jig` as a
    heading until 2017. A text with other headings, or with one such line, is unchanged."""
    if HEADING.search(text) or len(HEADING_WITHOUT_SPACE.findall(text)) < 2:
        return text
    lines = text.split("\n")
    in_code: set[int] = set()
    for fence in fences(lines):
        in_code.update(range(fence.first, fence.past))
    for number, line in enumerate(lines):
        if number not in in_code:
            lines[number] = HEADING_WITHOUT_SPACE.sub(r"\1 ", line)
    return "\n".join(lines)


def _title_outside_text(document: Document, matter: FrontMatter, markdown: Markdown) -> str:
    """Returns the title in front matter, and the name of the file if the text has no title: "Words
    of our trade glossary" for `title: Words of our trade` in `glossary.md`."""
    title = matter.first("title")
    has_title_in_text = any(block.level == 1 for block in markdown.blocks)
    if has_title_in_text:
        return title
    # Either may have the word "glossary".
    return f"{title} {PurePosixPath(document.name).stem}"


def _abbreviations(document: Document, body: str) -> Reading | None:
    """Returns the terms of a file that consists of abbreviations, `*[CNC]: Computer numerical
    control`; None for other files."""
    candidates = []
    for number, line in enumerate(body.split("\n"), start=1):
        text = line.strip()
        if not text or BESIDE_ABBREVIATIONS.match(text):
            continue
        abbreviation = ABBREVIATION.fullmatch(text)
        if abbreviation is None:
            return None
        html = f"<p>{escape(abbreviation['text'], quote=False)}</p>"
        candidates.append(Candidate((abbreviation["name"],), html, number))
    if len(candidates) < MIN_ABBREVIATIONS:
        return None
    return entries.read(document, candidates)


def _parse_term_file(document: Document, matter: FrontMatter, body: str) -> Markdown | None:
    """Returns the text of a file that holds one term; None for other files."""
    is_set_in_site_toml = document.format == "page"
    if is_set_in_site_toml and not term_file.is_named_glossary(document):
        return parse_chunks(body, term_file.address, document)
    # If site.toml names a section to read, the file is a glossary.
    if document.section or not term_file.may_be_term_file(document, matter):
        return None
    markdown = parse_chunks(body, term_file.address, document)
    if term_file.is_term_file(document, matter, markdown.blocks):
        return markdown
    return None


LocatedText = tuple[int, ParsedText]
"""The number of lines above a chunk, and the parsed chunk."""


@dataclass(frozen=True, kw_only=True)
class Markdown:
    """A parsed document."""

    blocks: Sequence[Block]
    """Without the closing text."""
    problems: Sequence[MarkupProblem]
    """The markup that is never closed."""


def parse_chunks(text: str, address: Address, document: Document) -> Markdown:
    """Returns a text, parsed chunk by chunk, without the closing text of the document. `address`
    maps each link to the address that it gets.

    Raises TooMuchWorkError for more chunks than the entries that `document` may have.
    """
    texts = _split(text)
    # The first text may be above the first name.
    if len(texts) > document.max_entries + 1:
        raise entries.too_many(document, "headings and bold names")

    # The first time, the chunks are parsed to find the links that they define for each other.
    chunks = _parsed_chunks(texts, address, links={})
    links = _links(chunks)
    if links:
        chunks = _parsed_chunks(texts, address, links=links)

    blocks: list[Block] = []
    problems: list[MarkupProblem] = []
    for lines_above, chunk in chunks:
        blocks += [moved(block, lines_above) for block in chunk.blocks]
        for problem in chunk.unclosed:
            problems.append(problem._replace(line=lines_above + problem.line))
    return Markdown(blocks=_without_closing_text(blocks), problems=problems)


def _split(text: str) -> list[str]:
    """Splits a text into chunks, which begin with headings or bold names. A text with footnotes is
    one chunk.

    >>> _split("# Words\\n## Jig\\nHolds.\\n## Saw\\n")
    ['# Words\\n', '## Jig\\nHolds.\\n', '## Saw\\n']
    """
    if FOOTNOTE.search(text):
        return [text]
    boundary = BOUNDARY
    may_have_definitions = ":" in text or "~" in text  # a sign is found faster than the pattern
    # In a definition list, a bold name may be part of a definition.
    if may_have_definitions and A_DEFINITION.search(text):
        boundary = BOUNDARY_AROUND_DEFINITIONS
    chunks = []
    start = 0
    for line_end in boundary.finditer(text):
        chunks.append(text[start : line_end.end()])
        start = line_end.end()
    return [*chunks, text[start:]]


def _parsed_chunks(
    texts: Sequence[str], address: Address, *, links: Mapping[str, LinkDefinition]
) -> list[LocatedText]:
    """Returns the chunk of each text, or the whole document as one chunk if a text leaves a
    construct open. `links` are those of the document, by their labels."""
    chunks: list[LocatedText] = []
    lines_above = 0
    for number, text in enumerate(texts, start=1):
        chunk = parse_text(text, _links_used_in(text, links), address)
        is_last = number == len(texts)
        if chunk.is_open and not is_last:
            # The whole document needs no links from elsewhere: they are defined in it.
            return [(0, parse_text("".join(texts), (), address))]
        chunks.append((lines_above, chunk))
        lines_above += text.count("\n")
    return chunks


def _links_used_in(text: str, links: Mapping[str, LinkDefinition]) -> LinkDefinitions:
    """Returns the links of the document that a text may use: their labels are in brackets in the
    text."""
    used: dict[str, LinkDefinition] = {}
    for label in LABEL.findall(text):
        # In a quotation, the second line of a label begins with `>`.
        name = normalizeReference(QUOTED_LINE.sub("\n", label))
        if name in links:
            used[name] = links[name]
    return tuple(used.values())


def _links(chunks: Iterable[LocatedText]) -> Mapping[str, LinkDefinition]:
    """Returns all links that a document defines, by their labels. If several have one label, the
    first counts."""
    links: dict[str, LinkDefinition] = {}
    for _, chunk in chunks:
        for link in chunk.links:
            links.setdefault(link.label, link)
    return links


def _without_closing_text(blocks: Sequence[Block]) -> Sequence[Block]:
    """Returns the blocks without the closing text of the document: what is below a rule (`---`)
    that is below the last heading. The first rule above text decides."""
    headings = [number for number, block in enumerate(blocks) if block.level]
    if len(headings) < MIN_HEADINGS:
        return blocks
    for number, (block, following) in enumerate(pairwise(blocks)):
        is_rule_above_text = block.form == "rule" and not following.level
        if not is_rule_above_text:
            continue
        is_below_last_heading = number > headings[-1]
        if is_below_last_heading:
            return blocks[:number]
        return blocks  # in this document, the texts below rules are parts of terms
    return blocks
