"""Parses reStructuredText with docutils, which cannot read files, run programs or be configured by
a document.

Directives and roles are replaced by ours (`directives`, `formats.common.sphinx_markup`); of unknown
ones the text is shown. `machines` has the classes of docutils that we use instead of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cache
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states
from docutils.statemachine import string2lines
from docutils.utils import Reporter

from sitegen.formats.common import sphinx_markup
from sitegen.formats.rst.html_writer import NodeRenderer
from sitegen.formats.rst.machines import PARSER_STATES, LimitedDocument, Lines, Steps
from sitegen.model import Problem, ProblemKind, TooMuchWorkError, Trouble

MAX_LINE = 20_000
"""Longer lines are truncated, because docutils refuses a document that has any."""
# docutils splits lines like Python's `splitlines`, but line numbers have to be those of an editor.
OTHER_ENDS = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
MARKDOWN_LINK = re.compile(
    r"\[(?P<words>[^\]\[\x00]+)\]\((?P<address>(?:[^()\s\x00]|\([^()\s\x00]*\))+)\)"
)
MIN_STEPS = 150_000
"""Enough for 5,000 short entries. A step takes about 12 µs."""
CHARACTERS_FOR_A_STEP = 4
"""A long document may take a step for as many of its characters. Real ones have 2 to 80."""
STEPS_FOR_A_MESSAGE = 16


def parse(
    text: str,
    *,
    path: str,
    backquotes_are_code: bool = False,
    includes: Iterable[tuple[str, str]] = (),
) -> NodeRenderer:
    """Returns the renderer of a document, which has its problems so far. A document that docutils
    cannot parse is empty, and has a problem. Raises TooMuchWorkError."""
    # docutils would also break lines at other ends, and has NUL as its own mark.
    lines = OTHER_ENDS.sub(" ", text).replace("\x00", "").rstrip().split("\n")
    settings = copy(_settings())
    settings.includes = dict(includes)
    settings.unread_includes = []  # the lines of directives whose file is not read
    # The steps that parsing may take.
    settings.steps = Steps(max(MIN_STEPS, len(text) / CHARACTERS_FOR_A_STEP))
    inliner = _inliner(default_role="literal" if backquotes_are_code else "title")
    try:
        tree, problems = _tree([line[:MAX_LINE] for line in lines], path, settings, inliner)
    except TooMuchWorkError:
        raise
    except Exception:
        # Nested too deeply, or a docutils bug.
        tree = utils.new_document(path, settings)
        problems = [NOT_PARSED.at(path)]
    return NodeRenderer(tree, [*_long_lines(lines, path), *problems])


NOT_PARSED = Trouble(
    ProblemKind.MARKUP, "this document cannot be parsed", "have fewer blocks inside others"
)


def _long_lines(lines: Sequence[str], path: str) -> Iterator[Problem]:
    """Yields a problem for each line that is truncated."""
    for number, line in enumerate(lines, start=1):
        if len(line) > MAX_LINE:
            found = f"a line of {len(line)} characters"
            trouble = Trouble(ProblemKind.LIMIT, found, f"at most {MAX_LINE} are read")
            yield trouble.at(path, line=number)


def _tree(
    lines: Sequence[str], path: str, settings: Any, inliner: states.Inliner
) -> tuple[nodes.document, list[Problem]]:
    """Returns the tree of a document, and the problems of docutils with it. Raises
    TooMuchWorkError, and anything that docutils raises."""
    document = LimitedDocument(settings, utils.new_reporter(path, settings), source=path)
    messages: list[nodes.system_message] = []
    document.reporter.attach_observer(messages.append)
    document.reporter.attach_observer(lambda _: settings.steps.take(STEPS_FOR_A_MESSAGE))

    expanded = string2lines("\n".join(lines), tab_width=settings.tab_width, convert_whitespace=True)
    text = Lines(expanded, source=path, steps=settings.steps)
    machine = states.RSTStateMachine(PARSER_STATES, "Body")
    machine.run(text, document, inliner=inliner)  # adds the nodes to the document

    warnings = [one for one in messages if one["level"] >= Reporter.WARNING_LEVEL]
    return document, [_problem(warning, path) for warning in warnings]


@cache
def _settings() -> Any:
    """Returns settings of docutils with which it reads no file and writes nothing."""
    settings = frontend.get_default_settings(Parser)
    vars(settings).update(
        _disable_config=True,
        file_insertion_enabled=False,
        raw_enabled=False,
        # Above all levels: docutils neither stops nor prints a message.
        halt_level=5,
        report_level=5,
        warning_stream=False,
        line_length_limit=MAX_LINE,
    )
    return settings


def _inliner(*, default_role: str) -> states.Inliner:
    """Returns an inline parser that knows our roles only, and also reads Markdown links,
    `[words](address)`, which are a common mistake."""

    def interpreted(source: str, text: str, name: str, _line: int) -> tuple[Any, list[Any]]:
        """Returns the nodes of a role in backquotes, and no messages."""
        role_text = sphinx_markup.role(name or default_role, text)
        return [nodes.inline(source, role_text.text, html=role_text.html())], []

    def implicit_inline(text: str, line: int) -> list[Any]:
        """Returns the nodes of a text that may have addresses, for which docutils searches long."""
        has_address = ":" in text or "@" in text or "](" in text
        if has_address or not text:
            return states.Inliner.implicit_inline(inliner, text, line)
        return [nodes.Text(text)]

    inliner = states.Inliner()
    # No subclass is made: docutils reads patterns from the dict of the class, which would be empty.
    inliner.interpreted = interpreted  # type: ignore[method-assign, assignment]
    inliner.implicit_inline = implicit_inline  # type: ignore[method-assign, assignment]
    inliner.implicit_dispatch.append((MARKDOWN_LINK, _markdown_link))
    return inliner


def _markdown_link(match: re.Match[str], _line: int) -> list[nodes.Node]:
    return [nodes.reference(match[0], match["words"], refuri=match["address"])]


CLOSE = "close it, or write a backslash before it"
# The beginnings of messages of docutils, and what we say instead: what is there, and what to do.
WORDINGS = {
    "File and URL access": ("the file of a table is not read", "write its rows here"),
    "Inline emphasis": ("an asterisk that is never closed", CLOSE),
    "Inline internal target": ("an inline target that is never closed", CLOSE),
    "Inline interpreted text": ("a backquote that is never closed", CLOSE),
    "Inline literal": ("a double backquote that is never closed", CLOSE),
    "Inline strong": ("a double asterisk that is never closed", CLOSE),
    "Inline substitution": ("a bar that is never closed", CLOSE),
    "Malformed table": ("a table whose lines do not meet", "align its columns"),
    "Unexpected section title": ("a heading inside a definition", "write it as a rubric"),
}


def _problem(message: nodes.system_message, path: str) -> Problem:
    """Translates a message of docutils, or of our directives, which also say what is wanted."""
    text = message.children[0].astext() if message.children else ""
    first_paragraph, _, _ = text.partition("\n\n")
    found = " ".join(first_paragraph.split()).removesuffix(".")[:200]
    wanted = message.get("wanted", "")
    if not wanted:  # docutils says only what it found
        for beginning, wording in WORDINGS.items():
            if found.startswith(beginning):
                found, wanted = wording
                break
    kind = message.get("kind", ProblemKind.MARKUP)
    trouble = Trouble(kind, found[:1].lower() + found[1:], wanted)
    return trouble.at(path, line=message.get("line", 0))
