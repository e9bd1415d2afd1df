"""Reads AsciiDoc: terms are the labels of `[glossary]` lists, or of other labeled lists, or the
titles of sections.

If a file has several languages in regions (`// tag::EN[]`), one of them is read: the one that the
document's section names, else English, else the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from sitegen.formats.asciidoc.asciidoc_blocks import BlockReader
from sitegen.formats.asciidoc.asciidoc_lines import AsciidocLine
from sitegen.formats.asciidoc.inline import MAX_ADDED, Markup
from sitegen.formats.common import entries, outline
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import GLOSSARY
from sitegen.formats.common.structure import Block, MarkupProblem
from sitegen.model import Document, Reading

GLOSSARY_LIST = re.compile(r"^\[glossary\]\s*$", re.M)
TAG = re.compile(r"\s*//\s*(?P<side>tag|end)::?(?P<name>[\w.-]+)\[\].*")
"""Begins or ends a region: `// tag::EN[]`, `// end::EN[]`. Asciidoctor wants two colons. One colon
is read too, as it is a mistake that a later commit mends."""
LANGUAGE_TAG = re.compile(r"[A-Z]{2}|[a-z]{2}")
BETWEEN_REGIONS = "-"
"""Stands for the language of lines between two regions, which are in none, as in Asciidoctor."""
CONDITION = re.compile(r"(?:ifdef|ifndef)::[^\[]*\[(?P<text>.*)\]|(?:ifeval|endif)::[^\[]*\[.*\]")
"""A condition may have its text on the same line: `ifdef::pdf[Words]`."""
TARGET = re.compile(
    r"^(?:\[\[([\w:][^\],\n]*+)[^\]\n]*+\]\]|\[#([\w:.-]+)[^\]\n]*\])[ \t]*\n*"
    r"(={1,6} [^\n\[|]+|[^\n:;=\[|]+)",
    re.M,
)
"""An anchor, and the title or label after it: `[[jig]]` above `== Jig`, `[#jig]` above
`Jig:: Holds.`"""
INCLUDE = re.compile(r"include::(?P<target>[^\[\s{]+)\[(?!.*\btags?=)")
"""Includes a whole file. A directive with tags, which name regions of the file, is reported."""
WANTED = "wanted a labeled list (`term:: definition`), or sections with text"


def parse(document: Document) -> Reading:
    """Returns the entries of an AsciiDoc document."""
    all_lines = _with_included_lines(document.text, dict(document.includes))
    lines = entries.limited(document, all_lines, of="lines")
    text = "\n".join([line.text for line in lines])
    titles: dict[str, str] = {}
    for id_in_double_brackets, id_in_brackets, title in TARGET.findall(text):
        words = title.replace("`", "").strip("= ")
        titles[id_in_double_brackets or id_in_brackets] = escape(words, quote=False)
    markup = Markup(titles)

    lines_to_read = [*_without_conditions(_in_language(lines, document.section))]
    # Reading adds problems to `markup`.
    blocks = [*BlockReader(lines_to_read, markup).blocks()]
    reading = _reading(document, blocks, text)

    problems = {*reading.problems}
    for problem in _problems(markup, document.text):
        problems.add(problem.at(document.path))
    return replace(reading, problems=tuple(sorted(problems)), is_partial=markup.is_partial)


def _problems(markup: Markup, text: str) -> Iterator[MarkupProblem]:
    """Yields the problems of the markup of a text that was read."""
    yield from markup.problems
    for name in dict.fromkeys(markup.unset):
        yield _unset_attribute(text, name)
    if markup.characters_left < 0:
        wanted = f"{MAX_ADDED:,} characters in all; other attributes stay as they are written"
        yield MarkupProblem(0, "attributes that add too much text", wanted)


def _unset_attribute(text: str, name: str) -> MarkupProblem:
    """Returns the problem of an attribute that has no value, at the beginning of links: `docs` in
    `{docs}/jig.html[jig]`."""
    above, use, _ = text.partition(f"{{{name}}}")
    is_in_included_file = not use
    line = 0 if is_in_included_file else above.count("\n") + 1
    found = f"links that begin with '{{{name}}}' are shown as text: nothing sets this attribute"
    return MarkupProblem(line, found, f"set it in the document, as in ':{name}: https://…'")


def _in_language(lines: Sequence[AsciidocLine], section: str) -> Iterator[AsciidocLine]:
    """Yields the lines above the regions of languages, and in those of the language that is read;
    all lines of a document without regions. Tags are left out."""
    tags = language_tags([line.text for line in lines])
    wanted = _wanted_language(tags, section)
    language_here = wanted  # lines above the first region are for all languages
    for line in lines:
        tag = TAG.fullmatch(line.text)
        if tag is None:
            if language_here == wanted:
                yield line
        elif tag["name"] in tags:
            is_beginning = tag["side"] == "tag"
            language_here = tag["name"].lower() if is_beginning else BETWEEN_REGIONS


def _wanted_language(tags: Sequence[str], section: str) -> str:
    """Returns the language of the section, or else English, or the first language. The result is
    empty for a document without languages."""
    if LANGUAGE_TAG.fullmatch(section):
        return section.lower()
    languages = [tag.lower() for tag in tags]
    if "en" in languages:
        return "en"
    return next(iter(languages), "")


def _without_conditions(lines: Iterable[AsciidocLine]) -> Iterator[AsciidocLine]:
    """Yields the lines, with the text under every condition: which attributes a build sets is
    unknown. Of `ifdef::pdf[]`, `Old.`, `endif::[]`, `ifndef::pdf[New.]` the lines are `Old.` and
    `New.`
    """
    for number, text in lines:
        condition = CONDITION.fullmatch(text.strip())
        if condition is None:
            yield AsciidocLine(number, text.rstrip())
        elif condition["text"]:
            yield AsciidocLine(number, condition["text"])


def language_tags(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns the tags of regions that are languages: `EN` for `// tag::EN[]` and
    `// tag::short[]`.

    The tag of a language has two capital letters. Two small letters count only if one of the tags
    is `en`."""
    names: list[str] = []
    for line in lines:
        tag = TAG.fullmatch(line)
        if tag and LANGUAGE_TAG.fullmatch(tag["name"]) and tag["name"] not in names:
            names.append(tag["name"])
    return tuple([name for name in names if name.isupper() or "en" in names])


def _with_included_lines(text: str, includes: Mapping[str, str]) -> Iterator[AsciidocLine]:
    """Yields the lines with their numbers. The lines of an included file replace the directive, and
    all have its number."""
    for number, line in enumerate(text.split("\n"), start=1):
        contents = [line]
        directive = INCLUDE.match(line)
        if directive and directive["target"] in includes:
            contents = includes[directive["target"]].split("\n")
        for content in contents:
            without_nul = content.replace("\0", "")  # `inline` marks HTML with NUL
            yield AsciidocLine(number, without_nul)


def _reading(document: Document, all_blocks: Sequence[Block], text: str) -> Reading:
    """Returns the terms of a document: those of labeled lists or sections, or the one term of a
    file."""
    blocks = all_blocks
    if GLOSSARY_LIST.search(text):
        blocks = _headings_and_lists(all_blocks) or all_blocks

    headings = [block for block in blocks if block.level]
    texts = [block for block in blocks if block.html and not block.level]
    only_title = headings[0] if len(headings) == 1 else None

    # 1. The file of one term: `= Jig` above a text. A list is a part of its definition.
    has_names = any(block.candidates for block in texts if block.form != "list")
    if only_title and not has_names and not GLOSSARY.search(only_title.name):
        return _term_file(document, only_title, blocks)

    # 2. A document of lists or sections.
    reading = outline.read(document, blocks).reading
    if reading.entries or reading.problems:
        return reading
    if not texts:
        return Reading(is_auxiliary=True)

    # 3. `== Glossary` above a text: the file of the term "Glossary". A glossary has the title
    #    `= Glossary`.
    if only_title and only_title.level > 1:
        return _term_file(document, only_title, blocks)
    return Reading(problems=(entries.no_terms(WANTED).problem(document.path),))


def _headings_and_lists(blocks: Sequence[Block]) -> list[Block]:
    """Returns the headings, anchors and lists of terms, without other texts. If there is no list of
    terms, nothing is returned."""
    if not any(block.is_table_of_terms for block in blocks):  # such as a labeled list
        return []
    kept = []
    for block in blocks:
        is_anchor = not block.html
        if block.level or is_anchor or block.is_table_of_terms:
            kept.append(block)
    return kept


def _term_file(document: Document, title: Block, blocks: Sequence[Block]) -> Reading:
    """Returns the term of a file with one title and a text below it."""
    html = ""
    anchors = [*title.anchors]
    for block in blocks:
        if not block.html:  # the block has only anchors
            anchors += block.anchors
        elif not block.level:
            html += block.html
    if not html:
        return Reading(is_auxiliary=True)
    return entries.read(document, [Candidate((title.name,), html, title.line, tuple(anchors))])
