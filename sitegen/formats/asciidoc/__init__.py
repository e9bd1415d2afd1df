"""Reads AsciiDoc: terms are the labels of `[glossary]` lists, or of other labeled lists, or the
titles of sections.

If a file has several languages in regions (`// tag::EN[]`), one of them is read: the one that the
document's section names, else English, else the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

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
"""Asciidoctor wants two colons, and no language has a region with one: it is a mistake that a later
commit mends."""
LANGUAGE_TAG = re.compile(r"[A-Z]{2}|[a-z]{2}")
BETWEEN_REGIONS = "-"
"""Stands for the language of lines between two regions, which are in none."""
CONDITION = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[]*)\[(.*)\]")
ALWAYS_DEFINED = frozenset(
    {"asciidoctor", "asciidoctor-version", "backend-html5", "basebackend-html", "backend"}
)
"""The attributes that every build of a web page sets."""
TARGET = re.compile(
    r"^(?:\[\[([\w:][^\],\n]*+)[^\]\n]*+\]\]|\[#([\w:.-]+)[^\]\n]*\])[ \t]*\n*(?:={1,6} "
    r"+)?([^\n:;=\[|]+)",
    re.M,
)
"""An anchor, and the title or label after it: `[[jig]]` above `== Jig`, `[#jig]` above
`Jig:: Holds.`"""
INCLUDE = re.compile(r"include::([^\[\s{]+)\[")
ATTRIBUTE_ENTRY = re.compile(r":([\w-]+):.*")
WANTED = "wanted a labeled list (`term:: definition`), or sections with text"


def parse(document: Document) -> Reading:
    """Returns the entries of an AsciiDoc document."""
    text = document.text
    titles: dict[str, str] = {}
    for id_in_double_brackets, id_in_brackets, title in TARGET.findall(text):
        titles[id_in_double_brackets or id_in_brackets] = title.strip()
    markup = Markup(titles)
    lines = entries.limited(document, _included(text, dict(document.includes)), of="lines")
    lines_read = [*_under_conditions(_in_language(lines, document.section))]
    blocks = [*BlockReader(lines_read, markup).blocks()]
    reading = _reading(document, blocks, text)
    problems = {*reading.problems}
    for problem in _problems(markup, text):
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
    """Returns the problem of an attribute without a value with which links begin: `docs` in
    `{docs}/jig.html[jig]`."""
    above, written, _ = text.partition(f"{{{name}}}")
    line = above.count("\n") + 1 if written else 0  # or it is in an included file
    found = f"links that begin with '{{{name}}}' are shown as text: nothing sets this attribute"
    return MarkupProblem(line, found, f"set it in the document, as in ':{name}: https://…'")


def _in_language(lines: Sequence[tuple[int, str]], section: str) -> Iterator[tuple[int, str]]:
    """Yields the lines of one language: that of the section, such as `DE`, or English, or the
    first.

    Lines above the first region are for all languages; those below a region are for none, as in
    Asciidoctor. If the section is empty, the lines of `= Words`, `// tag::DE[]`, `Holz`,
    `// end::DE[]`, `// tag::EN[]`, `Wood`, `// end::EN[]` are `= Words` and `Wood`.
    """
    tags = language_tags([line for _, line in lines])
    wanted = _wanted_language(tags, section)
    language_here = wanted
    for number, line in lines:
        tag = TAG.fullmatch(line)
        if tag is None:
            if language_here == wanted:
                yield number, line
        elif tag["name"] in tags:
            is_beginning = tag["side"] == "tag"
            language_here = tag["name"].lower() if is_beginning else BETWEEN_REGIONS


def _wanted_language(tags: Sequence[str], section: str) -> str:
    """Returns the language of the section, or English, or the first one; empty if there is none."""
    if LANGUAGE_TAG.fullmatch(section):
        return section.lower()
    languages = [tag.lower() for tag in tags]
    if "en" in languages:
        return "en"
    return next(iter(languages), "")


def _under_conditions(lines: Iterable[tuple[int, str]]) -> Iterator[AsciidocLine]:
    """Yields the lines but for those that no build of the project has.

    Which attributes a build sets is unknown, so the text under `ifdef` and `ifeval` is read. Only
    `ifndef` of an attribute that is always set, or that the document sets, leaves its text out: of
    `ifndef::asciidoctor[]`, `Old.`, `endif::[]`, `ifdef::pdf[New.]` only `New.` is yielded.
    """
    left_out = 0
    """How many conditions are open in a text that is left out; 0 outside of one."""
    defined = set(ALWAYS_DEFINED)
    for number, line in lines:
        condition = CONDITION.fullmatch(line.strip())
        if condition is None:
            if left_out:
                continue
            if entry := ATTRIBUTE_ENTRY.fullmatch(line):
                defined.add(entry[1].lower())
            yield AsciidocLine(number, line.rstrip())
            continue
        directive, names, content = condition.groups()
        if directive == "endif":
            left_out = max(0, left_out - 1)
            continue
        is_any_defined = not defined.isdisjoint(re.split("[,+]", names.lower()))
        is_left_out = left_out > 0 or (directive == "ifndef" and is_any_defined)
        # `ifdef::pdf[Words]` ends on its line; the brackets of `ifeval` have its condition.
        has_own_words = content != "" and directive != "ifeval"
        if is_left_out and not has_own_words:
            left_out += 1
        elif has_own_words and not is_left_out:
            yield AsciidocLine(number, content)


def language_tags(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns the tags of regions that are languages: two capital letters, or small ones if one of
    them is `en`. Those of `// tag::EN[]`, `// end::EN[]` and `// tag::short[]` are `EN`."""
    names: dict[str, None] = {}
    for line in lines:
        tag = TAG.fullmatch(line)
        if tag and LANGUAGE_TAG.fullmatch(tag["name"]):
            names[tag["name"]] = None
    return tuple([name for name in names if name.isupper() or "en" in names])


def _included(text: str, includes: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yields the lines with their numbers, and those of included files in place of the directives.

    If line 3 is `include::words.adoc[]`, all lines of that file have the number 3.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        contents = [line]
        directive = INCLUDE.match(line)
        if directive and directive[1] in includes:
            contents = includes[directive[1]].split("\n")
        for content in contents:
            yield number, content


def _reading(document: Document, all_blocks: Sequence[Block], text: str) -> Reading:
    """Returns the terms of labeled lists, or that of a file for one term (`= Jig` above a text), or
    those of sections."""
    blocks = all_blocks
    if GLOSSARY_LIST.search(text):
        blocks = _headings_and_lists(all_blocks) or all_blocks
    headings = [block for block in blocks if block.level]
    texts = [block for block in blocks if block.html and not block.level]
    only_title = headings[0] if len(headings) == 1 else None
    # A list in the file of one term is a part of its definition.
    has_names = any(block.candidates for block in texts if block.form != "list")
    if only_title and not has_names and not GLOSSARY.search(only_title.name):
        return _term_file(document, only_title, blocks)
    reading = outline.read(document, blocks).reading
    if reading.entries or reading.problems:
        return reading
    if not texts:
        return Reading(is_auxiliary=True)
    if only_title and only_title.level > 1:  # the term "Glossary", not a document of this title
        return _term_file(document, only_title, blocks)
    return Reading(problems=(entries.no_terms(WANTED).problem(document.path),))


def _headings_and_lists(blocks: Sequence[Block]) -> list[Block]:
    """Returns the headings, anchors and lists of terms; none if there is no such list."""
    if not any(block.form == "table" for block in blocks):
        return []
    return [block for block in blocks if block.level or block.form == "table" or not block.html]


def _term_file(document: Document, title: Block, blocks: Sequence[Block]) -> Reading:
    """Returns the term of a file with one title and a text below it."""
    html = ""
    anchors = [*title.anchors]
    for block in blocks:
        if not block.html:
            anchors += block.anchors
        elif not block.level:
            html += block.html
    if not html:
        return Reading(is_auxiliary=True)
    return entries.read(document, [Candidate((title.name,), html, title.line, tuple(anchors))])
