"""Parses reStructuredText with docutils, which cannot read files, run programs or be configured by
a document.

Directives and roles are replaced by ours (`directives`, `formats.common.sphinx_markup`); of unknown
ones the text is shown.

The work of docutils can grow with the square of the length of a text, so it is limited. It is
counted, not timed, so that a text has the same result on every computer. A step is a move of a
docutils state machine to a line; nested blocks visit a line several times. Other work is converted
to steps by the time it takes.

docutils creates a state machine for each list and each document, which takes longer than parsing a
short one. This module reuses state machines: 6,000 entries with a short list take 4.4 s of CPU
instead of 8.8 s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache, partial
from typing import Any, ClassVar

import docutils
from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, directives, roles, states
from docutils.statemachine import StringList, string2lines
from docutils.utils import Reporter

from sitegen.formats.common import sphinx_markup
from sitegen.formats.rst.directives import directive_class
from sitegen.formats.rst.html_writer import NodeRenderer
from sitegen.model import Problem, ProblemKind, TooMuchWorkError, Trouble

MAX_LINE = 20_000
"""Longer lines are truncated, because docutils refuses a document that has any."""
MAX_SEARCH = 20_000_000
"""The maximum product of the length of a paragraph and the number of its marks: docutils searches
the rest of the paragraph for the end of each mark."""
LONG_WORD = re.compile(r"\S{100,}")
BEFORE_ADDRESS = re.compile(r"[-/:'\"({<\[]")
"""Where an address may begin inside a word: docutils searches the rest of the word at each."""
SEARCHED_IN_A_STEP = 500
# docutils splits lines like Python's `splitlines`, but line numbers have to be those of an editor.
OTHER_ENDS = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
MARKDOWN_LINK = re.compile(
    r"\[(?P<words>[^\]\[\x00]+)\]\((?P<address>(?:[^()\s\x00]|\([^()\s\x00]*\))+)\)"
)
MARK = re.compile(r"[*`|_\[]")
MIN_STEPS = 15_000
CHARACTERS_FOR_A_STEP = 4
"""The maximum number of steps grows with the length of a document. Real documents have 8 to 60
characters for a step of about 25 µs."""
STEPS_FOR_A_BLOCK = 1
STEPS_FOR_A_MESSAGE = 8
CHECKED_IN_A_STEP = 80
"""The number of blocks: docutils checks all blocks around a name that is used twice."""
COPIED_IN_A_STEP = 1_500
"""The number of lines: docutils copies all lines below each list, and all lines of a block for each
block in it."""
PADDED_IN_A_STEP = 200
"""The number of characters: docutils checks each character below the beginning of a table."""
SET_DUPLICATE = (
    "set_duplicate_name" if docutils.__version_info__ >= (0, 23) else "set_duplicate_name_id"
)
"""The method of a document that docutils calls for a name that is used twice."""
MAX_SPARE = 50
"""The maximum number of state machines that are kept for nested blocks."""


def parse(
    text: str,
    *,
    path: str,
    backquotes_are_code: bool = False,
    parse_entry: Callable[[tuple[str, ...], str], Any] | None = None,
    includes: Iterable[tuple[str, str]] = (),
) -> tuple[NodeRenderer, int]:
    """Returns the renderer of a document, which has its problems so far, and the steps that parsing
    took.

    A document that docutils cannot parse is empty, and has a problem.
    """
    problems: list[Problem] = []
    lines = [*_limited_lines(text, path, problems)]
    settings = copy(_settings())
    vars(settings).update(
        includes=dict(includes), backquotes_are_code=backquotes_are_code, parse_entry=parse_entry
    )
    steps = Steps(max(MIN_STEPS, len(text) / CHARACTERS_FOR_A_STEP))
    try:
        tree = _tree(lines, path, problems, settings, steps)
    except TooMuchWorkError:
        raise
    except Exception as error:
        # Too many steps, nested too deeply, or a docutils bug.
        problems.append(
            (TOO_MANY_STEPS if isinstance(error, TooManyStepsError) else NOT_PARSED).at(path)
        )
        tree = utils.new_document(path, settings)
    return NodeRenderer(tree, problems), int(steps.taken)


TOO_MANY_STEPS = Trouble(
    ProblemKind.LIMIT,
    "too many small blocks, such as lists, fields, tables and notes",
    "nothing of it is read; divide the document, or have fewer blocks",
)
NOT_PARSED = Trouble(
    ProblemKind.MARKUP, "this document cannot be parsed", "have fewer blocks inside others"
)


def _limited_lines(text: str, path: str, problems: list[Problem]) -> Iterator[str]:
    """Yields the lines of a text, truncated at `MAX_LINE` characters, and adds a problem for each
    that is longer."""
    for number, line in enumerate(
        OTHER_ENDS.sub(" ", text).replace("\x00", "").rstrip().split("\n"), start=1
    ):
        if len(line) > MAX_LINE:
            found, wanted = f"a line of {len(line)} characters", f"at most {MAX_LINE} are read"
            problems.append(Trouble(ProblemKind.LIMIT, found, wanted).at(path, line=number))
        yield line[:MAX_LINE]


def _tree(
    lines: list[str], path: str, problems: list[Problem], settings: Any, steps: Steps
) -> nodes.document:
    """Returns the tree, and adds its problems. Raises TooManyStepsError, and anything that docutils
    raises."""

    def step(source: str, offset: int) -> None:
        steps.take(1)
        note_source(source, offset)

    def duplicate(*arguments: Any) -> None:
        *_, message_node, _explicit = arguments
        steps.take(len(message_node or ()) / CHECKED_IN_A_STEP)
        set_duplicate(*arguments)

    document = utils.new_document(path, copy(settings))
    # Each state machine calls `note_source` for every line that it moves to. The types of docutils
    # lack the second method.
    note_source, document.note_source = document.note_source, step  # type: ignore[method-assign]
    set_duplicate = getattr(document, SET_DUPLICATE)
    setattr(document, SET_DUPLICATE, duplicate)
    messages: list[nodes.system_message] = []
    document.reporter.attach_observer(messages.append)
    document.reporter.attach_observer(lambda _: steps.take(STEPS_FOR_A_MESSAGE))
    text = Lines(
        string2lines("\n".join(lines), tab_width=settings.tab_width, convert_whitespace=True),
        source=path,
    )
    classes = states.state_classes
    machine = (
        _spare_for_documents.pop()
        if _spare_for_documents
        else states.RSTStateMachine(classes, "Body")
    )
    with _docutils_patched(steps, backquotes_are_code=settings.backquotes_are_code):
        machine.run(text, document, inliner=_inliner())
    _spare_for_documents.append(machine)
    problems += [
        _problem(message, path)
        for message in messages
        if message["level"] >= Reporter.WARNING_LEVEL
    ]
    return document


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
def _docutils_patched(steps: Steps, *, backquotes_are_code: bool) -> Iterator[None]:
    """Makes docutils use our directives and roles, reuse its state machines, and count its steps.

    All these are global in docutils: only one document can be parsed at a time, and entries of it
    in between.
    """

    def role(name: str, *_: object) -> tuple[Any, list[Any]]:
        role_name = name or (
            "literal" if backquotes_are_code else "title"
        )  # single backquotes have no role name

        def render(
            _name: str, source: str, text: str, *_: object
        ) -> tuple[list[nodes.Node], list[nodes.Node]]:
            role_text = sphinx_markup.role(role_name, text)
            return [nodes.inline(source, role_text.text, html=role_text.html())], []

        return render, []

    saved = directives.directive, roles.role, states.RSTState.nested_sm, Lines.steps
    directives.directive = lambda name, *_: (directive_class(name), [])
    roles.role = role  # type: ignore[assignment]
    states.RSTState.nested_sm, Lines.steps = partial(_machine), steps  # type: ignore[assignment]
    try:
        yield
    finally:
        directives.directive, roles.role, states.RSTState.nested_sm, Lines.steps = saved


def _inliner() -> states.Inliner:
    """Returns an inline parser that also reads Markdown links, `[words](address)`, which are a
    common mistake."""
    inliner = states.Inliner()
    inliner.implicit_dispatch.append(
        (
            MARKDOWN_LINK,
            lambda match, _: [nodes.reference(match[0], match["words"], refuri=match["address"])],
        )
    )
    parse = inliner.parse

    def parse_within_bounds(text: str, lineno: int, memo: Any, parent: nodes.Element) -> Any:
        searched = sum(
            len(word) * len(BEFORE_ADDRESS.findall(word)) for word in LONG_WORD.findall(text)
        )
        Lines.steps.take(searched / SEARCHED_IN_A_STEP)
        if len(text) * len(MARK.findall(text)) < MAX_SEARCH:
            return parse(text, lineno, memo, parent)
        found, wanted = "a paragraph with too many marks", "it is shown as plain text"
        return [nodes.Text(text)], [memo.reporter.warning(found, line=lineno, wanted=wanted)]

    inliner.parse = parse_within_bounds  # type: ignore[method-assign]
    return inliner


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
    kind, line = message.get("kind", ProblemKind.MARKUP), message.get("line", 0)
    text = message.children[0].astext() if message.children else ""
    if "wanted" in message:
        return Trouble(kind, text, message["wanted"]).at(path, line=line)
    for beginning, (found, wanted) in TRANSLATED.items():
        if text.startswith(beginning):
            return Trouble(kind, found, wanted).at(path, line=line)
    first = " ".join(text.split("\n\n", 1)[0].split()).removesuffix(".")
    return Trouble(kind, first[:1].lower() + first[1:200]).at(path, line=line)


class TooManyStepsError(Exception):
    """Raised for a document that takes docutils too many steps."""


class Steps:
    """The number of steps that parsing a document has taken, and the maximum."""

    def __init__(self, most: float) -> None:
        self.taken, self.most = 0.0, most

    def take(self, steps: float) -> None:
        self.taken += steps
        if self.taken > self.most:
            raise TooManyStepsError


class Lines(StringList):
    """Lines of the document that is parsed; slices have the same type. Copying lines takes
    steps."""

    steps: ClassVar = Steps(0)
    """The steps of the document that is parsed."""

    def __getitem__(self, index: Any) -> Any:
        lines = super().__getitem__(index)
        if isinstance(index, slice):
            self.steps.take(len(lines.data) / COPIED_IN_A_STEP)
        return lines

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __delitem__(self, index: Any) -> None:
        self.steps.take(len(self.data) / COPIED_IN_A_STEP)
        super().__delitem__(index)

    def pad_double_width(self, pad_char: str) -> None:
        self.steps.take(sum(map(len, self.data)) / PADDED_IN_A_STEP)
        super().pad_double_width(pad_char)


class _Nested(states.NestedStateMachine):
    """A state machine for nested blocks, which is reused."""

    def run(self, *arguments: Any, **options: Any) -> Any:
        Lines.steps.take(STEPS_FOR_A_BLOCK)
        return super().run(*arguments, **options)

    def unlink(self) -> None:
        if [*self.states] == STATES and len(_spare) < MAX_SPARE:
            _spare.append(self)
        else:
            super().unlink()


STATES = [state.__name__ for state in states.state_classes]
_spare: list[_Nested] = []
_spare_for_documents: list[states.RSTStateMachine] = []


def _machine(
    *, state_classes: Sequence[type[states.RSTState]], **settings: Any
) -> states.NestedStateMachine:
    """Returns a state machine with these settings, if possible one that was used before."""
    if state_classes is not states.state_classes or not _spare:
        return _Nested(state_classes=state_classes, **settings)
    machine = _spare.pop()
    for name, value in settings.items():
        setattr(machine, name, value)
    return machine
