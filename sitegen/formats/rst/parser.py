"""Parses reStructuredText with docutils, which cannot read files, run programs or be configured by a document.

Directives and roles are replaced by ours (`directives`, `formats.common.roles`); of unknown ones the text is shown.
The module parses the entries of a whole document (`read`), one entry (`parse_entry`), or the frame of a document,
which is the text around its entries (`parse_frame`). With the last two, `reader` parses only text that is new.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, directives, roles, states
from docutils.utils import Reporter

from sitegen.formats.common import entries as common_entries
from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.glossary_directives import (
    GLOSSARY_DIRECTIVE,
    Headings,
    PlacedEntry,
    reading_in_sections,
    sorting_key,
)
from sitegen.formats.rst.directives import EMPTY, GlossaryList, VersionRemark, directive_class
from sitegen.formats.rst.entries import STEPS_FOR_AN_ENTRY, DocumentFrame, RstEntry, RstSection, most_steps
from sitegen.formats.rst.html_writer import Renderer
from sitegen.formats.rst.limits import Lines, Steps, TooManyStepsError, run
from sitegen.model import Document, Entry, Problem, Reading

MAX_LINE = 20_000
"""Longer lines are truncated, because docutils refuses a document that has any."""
MAX_SEARCH = 20_000_000
"""The maximum product of the length of a paragraph and the number of its marks: docutils searches the rest of the
paragraph for the end of each mark."""
LONG_WORD = re.compile(r"\S{100,}")
BEFORE_ADDRESS = re.compile(r"[-/:'\"({<\[]")
"""Where an address may begin inside a word: docutils searches the rest of the word at each."""
SEARCHED_IN_A_STEP = 500
# docutils splits lines like Python's `splitlines`, but line numbers have to be those of an editor.
OTHER_ENDS = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
MARKDOWN_LINK = re.compile(r"\[(?P<words>[^\]\[\x00]+)\]\((?P<address>(?:[^()\s\x00]|\([^()\s\x00]*\))+)\)")
MARK = re.compile(r"[*`|_\[]")
SHARED = re.compile(r"\.\. (?:_|\|)")
"""The beginning of a link target or a substitution, which glossaries may use."""
SELF_CONTAINED = frozenset(
    "LabelledNote Text VersionRemark attribution block_quote bullet_list caption classifier colspec comment"
    " definition definition_list definition_list_item description doctest_block emphasis entry enumerated_list field"
    " field_body field_list field_name image inline line line_block list_item literal literal_block math_block option"
    " option_argument option_group option_list option_list_item option_string paragraph row rubric strong table"
    " tbody term tgroup thead title".split()
)
"""Types of nodes that have the same meaning in every document."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    document: nodes.document
    problems: tuple[Problem, ...]
    """Warnings and errors of docutils and of our directives, anywhere in the document."""
    steps: int


ParseEntry = Callable[[tuple[str, ...], str, bool], RstEntry]
"""Parses one entry, given its names and the text of its definition; the flag is `backquotes_are_code`."""


def read(text: str, document: Document, parse_entry: ParseEntry, *, headings: Headings | None) -> Reading:
    """Returns the entries of all glossaries in a document, or of its definition lists if it has no glossary.

    `headings` are those of the Markdown around the text; None if there is no Markdown.
    """
    common_entries.check_length(document, len(text), "reStructuredText")
    tree = parse(
        text,
        path=document.path,
        backquotes_are_code=headings is not None,
        parse_entry=parse_entry,
        includes=document.includes,
    )
    renderer = Renderer(tree.document)
    glossaries = list(tree.document.findall(GlossaryList))
    placed: list[PlacedEntry] = []
    for found in glossaries or _definition_lists(tree.document):
        entries = [_entry(item, renderer, document) for item in list_items(found)]
        if found.get("sorted"):
            entries.sort(key=lambda entry: sorting_key(entry.name))
        titles = _titles(found, renderer)
        placed += [
            PlacedEntry(entry=entry, headings=headings.above(entry.line) if headings else titles) for entry in entries
        ]
    problems = _inside((*tree.problems, *renderer.problems), glossaries)
    title = headings.title if headings else _section_title(tree.document)
    return reading_in_sections(placed, problems, document=document, title=title)


def parse_entry(names: tuple[str, ...], body: str, backquotes_are_code: bool) -> RstEntry:
    """Parses an entry that does not depend on its document; for other entries, the result has no names."""
    lines = [".. glossary::", "", *(f"   {name}" for name in names)]
    lines += [f"     {line}" if line else "" for line in body.split("\n")]
    tree = parse("\n".join(lines), path="", backquotes_are_code=backquotes_are_code, has_glossaries=False)
    renderer = Renderer(tree.document)
    dependent = RstEntry((), "", steps=tree.steps + STEPS_FOR_AN_ENTRY)
    items = [item for found in tree.document.findall(GlossaryList) for item in list_items(found)]
    parsed = parsed_item(items[0], renderer) if items else dependent
    is_odd = tree.problems or renderer.problems or len(items) != 1 or len(parsed.names) != len(names)
    if is_odd or not all(map(_is_self_contained, items[0].findall(include_self=False))):
        return dependent
    targets = items[0].findall(nodes.target)
    links = tuple([(target["names"][0], target["refuri"]) for target in targets])
    return parsed._replace(links=links, steps=dependent.steps)


def parse_frame(text: str, backquotes_are_code: bool, has_glossary: bool) -> DocumentFrame:
    """Returns the frame of a document whose glossaries are empty, or whose definition lists have one item each.

    If a problem could be with the document as a whole or with where a glossary begins, the frame is empty; any
    problem counts if there is no glossary.
    """
    tree = parse(text, path="", backquotes_are_code=backquotes_are_code)
    renderer = Renderer(tree.document)
    found = [*(tree.document.findall(GlossaryList) if has_glossary else _definition_lists(tree.document))]
    firsts = [one["first"] if has_glossary else line_of(list_items(one)[0]) for one in found]
    problems = [one for one in (*tree.problems, *renderer.problems) if one.found != EMPTY]
    is_odd = any(not has_glossary or one.line in (0, *firsts) for one in problems)
    if is_odd or not (has_glossary or all(len(list_items(one)) == 1 for one in found)):
        return DocumentFrame()
    sections = [
        RstSection(first, bool(one.get("sorted")), _titles(one, renderer))
        for one, first in zip(found, firsts, strict=True)
    ]
    return DocumentFrame(tuple(sections), _section_title(tree.document), frozenset(tree.document.nameids))


def _definition_lists(document: nodes.document) -> Iterator[nodes.definition_list]:
    """Yields the definition lists that are in no other block."""
    for found in document.findall(nodes.definition_list):
        if isinstance(found.parent, nodes.document | nodes.section):
            yield found


def list_items(found: nodes.Element) -> list[nodes.Element]:
    return [item for item in found.children if isinstance(item, nodes.Element)]


def _entry(item: nodes.Element, renderer: Renderer, document: Document) -> Entry:
    parsed: RstEntry = item.get("parsed") or parsed_item(item, renderer)
    anchors = tuple(map(nodes.make_id, item.get("anchors", ())))
    made = common_entries.Candidate(names=parsed.names, html=parsed.html, line=line_of(item), anchors=anchors)
    return common_entries.entry(document, made, deprecated=parsed.deprecated)


def parsed_item(item: nodes.Element, renderer: Renderer) -> RstEntry:
    terms = [child for child in item.children if isinstance(child, nodes.term)]
    definition = next(child for child in item.children if isinstance(child, nodes.definition))
    changes = (child["kind"] for child in definition.children if isinstance(child, VersionRemark))
    names = tuple(renderer.words(term) or term.rawsource for term in terms)
    return RstEntry(names, renderer.inside(definition), deprecated="deprecated" in changes)


def line_of(item: nodes.Element) -> int:
    """Returns the line of the entry's first name."""
    if "first" in item:
        return int(item["first"])
    return next(child.line or 0 for child in item.children if isinstance(child, nodes.term))


def _is_self_contained(node: nodes.Node) -> bool:
    """Returns whether a node does not refer to other nodes of its document, or only to links with an address."""
    if isinstance(node, nodes.reference):
        return "refuri" in node and not node.get("anonymous")
    if isinstance(node, nodes.target):
        is_with_link = isinstance(node.parent, nodes.TextElement) and "refuri" in node
        return is_with_link and len(node["names"]) == 1 and not node["dupnames"]
    return type(node).__name__ in SELF_CONTAINED


def _titles(found: nodes.Node, renderer: Renderer) -> tuple[str, ...]:
    """Returns the titles of the sections around a list, outermost first."""
    titles: list[str] = []
    node: nodes.Node | None = found
    while node is not None:
        if isinstance(node, nodes.section):
            titles.insert(0, renderer.words(node.children[0]))
        node = node.parent
    return tuple(titles)


def _section_title(tree: nodes.document) -> str:
    """Returns the document's own title: its only section at the top level."""
    sections = [child for child in tree.children if isinstance(child, nodes.section)]
    return " ".join(sections[0].children[0].astext().split()) if len(sections) == 1 else ""


def _inside(problems: Sequence[Problem], glossaries: Sequence[GlossaryList]) -> list[Problem]:
    """Returns the problems that are inside glossaries."""
    lines = {line for glossary in glossaries for line in range(glossary["first"], glossary["last"] + 1)}
    return [problem for problem in problems if problem.line in lines or not glossaries or not problem.line]


def parse(
    text: str,
    *,
    path: str,
    backquotes_are_code: bool = False,
    parse_entry: ParseEntry | None = None,
    includes: Iterable[tuple[str, str]] = (),
    has_glossaries: bool = True,
) -> ParsedDocument:
    """Parses a document. Text that docutils cannot parse is left out, and reported."""
    lines = OTHER_ENDS.sub(" ", text).replace("\x00", "").rstrip().split("\n")
    problems = list(_truncate(lines, path))
    settings = copy(_settings())
    settings.includes = dict(includes)
    settings.backquotes_are_code = backquotes_are_code
    if parse_entry:
        settings.parse_entry = lambda names, body: parse_entry(names, body, backquotes_are_code)
    steps = Steps(most_steps(text))
    try:
        return _parse(lines, path, problems, settings, steps)
    except TooManyStepsError:
        found = "too many small blocks, such as lists, fields, tables and notes"
        wanted = "only its glossaries are read; divide the document, or have fewer blocks"
        problems.append(Problem(path=path, found=found, wanted=wanted))
    except Exception:
        # Nested too deeply, or a docutils bug, somewhere around the glossaries: parse these alone.
        found, wanted = "part of this document cannot be parsed", "only its glossaries are read"
        problems.append(Problem(path=path, found=found, wanted=wanted))
    try:
        if has_glossaries:
            return _parse(_only_glossaries(lines), path, problems, settings, Steps(steps.most / 2))
    except Exception:
        problems.append(Problem(path=path, found="its glossaries cannot be parsed either", wanted="nothing is read"))
    return ParsedDocument(utils.new_document(path, settings), tuple(problems), steps.rounded)


def _truncate(lines: list[str], path: str) -> Iterator[Problem]:
    """Truncates lines that are too long, in place, and yields a problem for each."""
    for index, line in enumerate(lines):
        if len(line) > MAX_LINE:
            lines[index] = line[:MAX_LINE]
            found, wanted = f"a line of {len(line)} characters", f"at most {MAX_LINE} are read"
            yield Problem(path=path, line=index + 1, found=found, wanted=wanted)


def _only_glossaries(lines: list[str]) -> list[str]:
    """Blanks all lines but those of glossaries, and of link targets and substitutions."""
    kept = []
    margin: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if margin is not None and line.strip() and indent <= margin:
            margin = None
        if GLOSSARY_DIRECTIVE.match(line):
            margin = indent
        kept.append(line if margin is not None or SHARED.match(line) else "")
    return kept


def _parse(lines: list[str], path: str, problems: Sequence[Problem], settings: Any, steps: Steps) -> ParsedDocument:
    """Returns the tree. Raises TooManyStepsError, and anything that docutils raises."""
    document = utils.new_document(path, copy(settings))
    messages: list[nodes.system_message] = []
    document.reporter.attach_observer(messages.append)
    with _our_directives_and_roles(settings.backquotes_are_code):
        run("\n".join(lines), document, _inliner(), steps)
    found = [_problem(message, path) for message in messages if message["level"] >= Reporter.WARNING_LEVEL]
    return ParsedDocument(document, (*problems, *found), steps.rounded)


@cache
def _settings() -> Any:
    settings = frontend.get_default_settings(Parser)
    vars(settings).update(
        _disable_config=True,
        file_insertion_enabled=False,
        raw_enabled=False,
        halt_level=5,
        report_level=5,
        warning_stream=False,
        line_length_limit=MAX_LINE,
        backquotes_are_code=False,
        includes={},
        parse_entry=None,
    )
    return settings


@contextmanager
def _our_directives_and_roles(backquotes_are_code: bool) -> Iterator[None]:
    """Replaces docutils' directives and roles by ours.

    The tables of docutils are global: only one document can be parsed at a time, and entries of it in between.
    """
    saved = directives.directive, roles.role
    directives.directive = lambda name, *_: (directive_class(name), [])
    roles.role = lambda name, *_: (_role(name, backquotes_are_code), [])  # type: ignore[assignment]
    try:
        yield
    finally:
        directives.directive, roles.role = saved


RoleFunction = Callable[..., tuple[list[nodes.Node], list[nodes.Node]]]


def _role(name: str, backquotes_are_code: bool) -> RoleFunction:
    """Returns a docutils role that renders as `formats.common.roles` says. Single backquotes have no role name."""
    role_name = name or ("literal" if backquotes_are_code else "title")

    def role(_name: str, source: str, text: str, *_: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
        shown = sphinx_markup.role(role_name, text)
        return [nodes.inline(source, shown.text, html=shown.html())], []

    return role


def _inliner() -> states.Inliner:
    """Returns an inline parser that also reads Markdown links, `[words](address)`, which are a common mistake."""
    inliner = states.Inliner()
    inliner.implicit_dispatch.append((MARKDOWN_LINK, _markdown_link))
    parse = inliner.parse

    def parse_within_bounds(text: str, lineno: int, memo: Any, parent: nodes.Element) -> Any:
        searched = sum(len(word) * len(BEFORE_ADDRESS.findall(word)) for word in LONG_WORD.findall(text))
        Lines.steps.take(searched / SEARCHED_IN_A_STEP)
        if len(text) * len(MARK.findall(text)) < MAX_SEARCH:
            return parse(text, lineno, memo, parent)
        found, wanted = "a paragraph with too many marks", "it is shown as plain text"
        return [nodes.Text(text)], [memo.reporter.warning(found, line=lineno, wanted=wanted)]

    inliner.parse = parse_within_bounds  # type: ignore[method-assign]
    return inliner


def _markdown_link(match: re.Match[str], _line: int) -> list[nodes.Node]:
    return [nodes.reference(match[0], match["words"], refuri=match["address"])]


ESCAPE = "close it, or write a backslash before it"
# The beginnings of messages of docutils, and our wording of them.
TRANSLATED = {
    "Inline emphasis": ("an asterisk that is never closed", ESCAPE),
    "Inline internal target": ("an inline target that is never closed", ESCAPE),
    "Inline interpreted text": ("a backquote that is never closed", ESCAPE),
    "Inline literal": ("a double backquote that is never closed", ESCAPE),
    "Inline strong": ("a double asterisk that is never closed", ESCAPE),
    "Inline substitution": ("a bar that is never closed", ESCAPE),
    "Malformed table": ("a table whose lines do not meet", "align its columns"),
    "Unexpected section title": ("a heading inside a definition", "write it as a rubric"),
}


def _problem(message: nodes.system_message, path: str) -> Problem:
    """Translates a message of docutils, or of our directives."""
    line = message.get("line", 0)
    text = message.children[0].astext() if message.children else ""
    if "wanted" in message:
        return Problem(path=path, line=line, found=text, wanted=message["wanted"])
    for beginning, (found, wanted) in TRANSLATED.items():
        if text.startswith(beginning):
            return Problem(path=path, line=line, found=found, wanted=wanted)
    first = " ".join(text.split("\n\n", 1)[0].split()).removesuffix(".")
    return Problem(path=path, line=line, found=first[:1].lower() + first[1:200])
