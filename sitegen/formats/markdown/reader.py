"""Reads Markdown: a glossary as headings, bold words, lists or tables, or a file for each term.

`site_markup` translates the markup of site generators; `chunks` splits a document into chunks and parses each once;
`blocks` and `candidates` find headings and names with definitions in what the parser (`commonmark`) returns;
`formats.common.outline` decides which of them are terms; `term_file` reads files that hold one term.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from pathlib import PurePosixPath

from sitegen.formats.common import entries
from sitegen.formats.common import outline as outlines
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.outline import Outline
from sitegen.formats.markdown import chunks, site_markup, term_file
from sitegen.formats.markdown.chunks import Markdown
from sitegen.formats.markdown.inline_html import references_in
from sitegen.formats.markdown.term_file import FrontMatter
from sitegen.model import Document, ProblemKind, Reading, Trouble
from sitegen.text.memo import memo

ABBREVIATION = re.compile(r"\*\[(?P<name>[^\]]+)\]:\s*(?P<text>\S.*)")
ASIDE = re.compile(r"#|<!--.*-->$")
"""A heading or a comment among abbreviations."""
MIN_ABBREVIATIONS = 2
UNSPACED_HEADING = re.compile(r"^(#{1,6})(?=[^\W\d_])", re.M)
SPACED_HEADING = re.compile(r"^#{1,6}\s", re.M)
MARKED_BELOW = re.compile(r"^(#{1,6} [^\n]+\n\n?):[ \t]+([^\n]*(?:\n(?:[ \t]*\n)*(?=[ \t])[^\n]+)*)", re.M)
"""A heading, and the definition below it that is marked as in a definition list, with its indented lines."""
MARGIN = re.compile(r"^(?: {4}|\t)", re.M)


def looks_like(document: Document) -> bool:
    """Returns whether the document, read as Markdown, is convincingly a glossary."""
    return _outlined(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of a Markdown document, or of the section of it that the document names."""
    outline = _outlined(document)
    if outline.reading.entries or outline.reading.problems or outline.is_convincing:
        return outline.reading
    wanted = "a glossary as headings, **bold** names, a definition list or a table, or a title in front matter"
    return Reading(problems=(entries.no_terms(f"wanted {wanted}").problem(document.path),))


@memo
def _outlined(document: Document) -> Outline:
    text = document.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    matter, body = term_file.split_front_matter(document, text)
    if reading := _abbreviations(document, body):
        return Outline(reading, is_convincing=True)
    entries.check_tags(document, marks="<{")
    body = _plain_headings(body)
    body, left_out = site_markup.translated(body, is_mdx=document.name.lower().endswith(".mdx"))
    if term_file.is_auxiliary(document, matter, body):
        return Outline(Reading(is_auxiliary=True), is_convincing=True)
    markdown = _term_file_of(document, matter, body)
    if markdown:
        outline = Outline(term_file.read(document, matter, markdown.blocks), is_convincing=True)
    else:
        markdown = chunks.parse(body, references_in(PurePosixPath(document.name).name), document)
        has_heading = any(block.level == 1 for block in markdown.blocks)
        own_title = matter.first("title")
        title = own_title if has_heading else f"{own_title} {PurePosixPath(document.name).stem}"
        outline = outlines.read(document, markdown.blocks, title=title)
    problems = [
        Trouble(ProblemKind.MARKUP, found, wanted).at(document.path, line=line)
        for line, found, wanted in (*matter.damage, *markdown.problems, *left_out)
    ]
    return replace(outline, reading=replace(outline.reading, problems=(*problems, *outline.reading.problems)))


def _plain_headings(body: str) -> str:
    """Adds missing spaces after the marks of headings, and removes `:` from definitions right below headings."""
    if "\n: " in body:
        body = MARKED_BELOW.sub(lambda match: match[1] + MARGIN.sub("", match[2]), body)
    if SPACED_HEADING.search(body) or not UNSPACED_HEADING.search(body):  # most texts begin with one
        return body
    return UNSPACED_HEADING.sub(r"\1 ", body)


def _abbreviations(document: Document, body: str) -> Reading | None:
    """Returns the terms of a file that consists of abbreviations: `*[CNC]: Computer numerical control`."""
    if "*[" not in body:
        return None
    lines = [(number, line.strip()) for number, line in enumerate(body.split("\n"), start=1) if line.strip()]
    matches = [(number, ABBREVIATION.fullmatch(line)) for number, line in lines if not ASIDE.match(line)]
    if len(matches) < MIN_ABBREVIATIONS or not all(match for _, match in matches):
        return None
    candidates = [
        Candidate((match["name"],), f"<p>{escape(match['text'], quote=False)}</p>", number)
        for number, match in matches
        if match
    ]
    return entries.read(document, candidates)


def _term_file_of(document: Document, matter: FrontMatter, body: str) -> Markdown | None:
    """Returns the text of a file that holds one term; None for others."""
    if document.format == "page" and not term_file.is_named_glossary(document):
        return chunks.parse(body, term_file.address, document)
    if document.section or not term_file.may_be_term_file(document, matter):
        return None
    markdown = chunks.parse(body, term_file.address, document)
    return markdown if term_file.is_term_file(document, matter, markdown.blocks) else None
