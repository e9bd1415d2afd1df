"""reStructuredText read into docutils' tree, with a glossary directive and neutral roles and directives of our own.

docutils parses; everything it would fetch, run or configure is out of reach. No file is read, no configuration
counts, no role or directive of one document lives on in the next, and what is unknown degrades to its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, directives, roles, states
from docutils.utils import Reporter

from sitegen.formats.common import roles as _roles
from sitegen.formats.common.directive_blocks import GLOSSARY
from sitegen.formats.rst.cutting import MAX_LINE
from sitegen.formats.rst.directives import directive_class
from sitegen.formats.rst.standalone import Entries
from sitegen.model import Problem
from sitegen.text.known import Known

MAX_SEARCH = 20_000_000
"""For the end of each mark docutils searches the rest of its paragraph: so many characters are looked at, at most."""

# docutils ends lines wherever Python does; a line number must mean what it means to an author's editor.
OTHER_ENDS = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
MARKDOWN_LINK = re.compile(r"\[(?P<words>[^\]\[\x00]+)\]\((?P<address>(?:[^()\s\x00]|\([^()\s\x00]*\))+)\)")
MARK = re.compile(r"[*`|_\[]")
SHARED = re.compile(r"\.\. (?:_|\|)")


@dataclass(frozen=True, slots=True)
class Tree:
    document: nodes.document
    problems: tuple[Problem, ...]
    """What docutils or one of our directives found odd, anywhere in the document."""


def parse(text: str, known: Known, *, path: str, backquotes_are_code: bool = False) -> Tree:
    """Returns the document's tree. What docutils cannot bear is left out of it, and reported."""
    lines = OTHER_ENDS.sub(" ", text).replace("\x00", "").split("\n")
    problems = list(_cut(lines, path))
    try:
        return _parse(lines, known, path, backquotes_are_code=backquotes_are_code, problems=problems)
    except Exception:
        # Deep nesting, or a docutils bug, somewhere around the glossaries. They are read by themselves.
        found, wanted = "part of this document cannot be parsed", "only its glossaries are read"
        problems.append(Problem(path=path, found=found, wanted=wanted))
    lines = _only_glossaries(lines)
    try:
        return _parse(lines, known, path, backquotes_are_code=backquotes_are_code, problems=problems)
    except Exception:
        return Tree(_new_document(path), tuple(problems))


def _cut(lines: list[str], path: str) -> Iterator[Problem]:
    """Cuts lines that are too long where they stand, and returns what is said of each."""
    for index, line in enumerate(lines):
        if len(line) > MAX_LINE:
            lines[index] = line[:MAX_LINE]
            found, wanted = f"a line of {len(line)} characters", f"at most {MAX_LINE} are read"
            yield Problem(path=path, line=index + 1, found=found, wanted=wanted)


def _only_glossaries(lines: list[str]) -> list[str]:
    """Blanks every line but those of glossaries, and of the link targets and substitutions they may use."""
    kept = []
    margin: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if margin is not None and line.strip() and indent <= margin:
            margin = None
        if GLOSSARY.match(line):
            margin = indent
        kept.append(line if margin is not None or SHARED.match(line) else "")
    return kept


def _parse(lines: list[str], known: Known, path: str, *, backquotes_are_code: bool, problems: list[Problem]) -> Tree:
    document = _new_document(path)
    odd: list[nodes.system_message] = []

    def hear(message: nodes.system_message) -> None:
        if message["level"] >= Reporter.WARNING_LEVEL:
            odd.append(message)

    document.reporter.attach_observer(hear)
    document.settings.entries = Entries(known, document, odd, backquotes_are_code=backquotes_are_code)
    with _neutral(backquotes_are_code):
        Parser(inliner=_inliner()).parse("\n".join(lines), document)
    return Tree(document, (*problems, *(_problem(message, path) for message in odd)))


def _new_document(path: str) -> nodes.document:
    return utils.new_document(path, copy(_settings()))


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
    )
    return settings


@contextmanager
def _neutral(backquotes_are_code: bool) -> Iterator[None]:
    """Puts our directives and roles in the place of docutils' own.

    Its tables are those of the whole process: only one document can be parsed at a time.
    """
    saved = directives.directive, roles.role
    directives.directive = lambda name, *_: (directive_class(name), [])
    roles.role = lambda name, *_: (_role(name, backquotes_are_code), [])  # type: ignore[assignment]
    try:
        yield
    finally:
        directives.directive, roles.role = saved


Role = Callable[..., tuple[list[nodes.Node], list[nodes.Node]]]


def _role(name: str, backquotes_are_code: bool) -> Role:
    """A docutils role that shows what `_roles` says. Words in single backquotes have no role."""
    known = name or ("code" if backquotes_are_code else "title")

    def role(_name: str, source: str, text: str, *_: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
        shown = _roles.read(known, text)
        return [nodes.inline(source, shown.text, html=shown.html())], []

    return role


def _inliner() -> states.Inliner:
    """Reads `[words](address)` too: Markdown's link is a common slip, and never meant as it stands."""
    inliner = states.Inliner()
    inliner.implicit_dispatch.append((MARKDOWN_LINK, _markdown_link))
    parse = inliner.parse

    def parse_within_bounds(text: str, lineno: int, memo: Any, parent: nodes.Element) -> Any:
        if len(text) * len(MARK.findall(text)) < MAX_SEARCH:
            return parse(text, lineno, memo, parent)
        found, wanted = "a paragraph with too many marks", "it is shown as plain text"
        return [nodes.Text(text)], [memo.reporter.warning(found, line=lineno, wanted=wanted)]

    inliner.parse = parse_within_bounds  # type: ignore[method-assign]
    return inliner


def _markdown_link(match: re.Match[str], _line: int) -> list[nodes.Node]:
    return [nodes.reference(match[0], match["words"], refuri=match["address"])]


ESCAPE = "close it, or write a backslash before it"
# How messages of docutils begin, and what we say instead.
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
    """What a message of docutils, or of our directives, says in our words."""
    line = message.get("line", 0)
    text = message.children[0].astext() if message.children else ""
    if "wanted" in message:
        return Problem(path=path, line=line, found=text, wanted=message["wanted"])
    for beginning, (found, wanted) in TRANSLATED.items():
        if text.startswith(beginning):
            return Problem(path=path, line=line, found=found, wanted=wanted)
    first = " ".join(text.split("\n\n", 1)[0].split()).removesuffix(".")
    return Problem(path=path, line=line, found=first[:1].lower() + first[1:200])
