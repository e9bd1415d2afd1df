"""Parses reStructuredText with docutils, which cannot read files, run programs or be configured by
a document.

Directives and roles are replaced by ours (`directives`, `formats.common.sphinx_markup`); of unknown
ones the text is shown. This is done by states of our own (`_State`). Nothing that docutils keeps
for the whole process is changed, because the process may use docutils itself: Sphinx does, with our
extension.

The work of docutils can grow with the square of the length of a text, so it is limited. It is
counted, not timed, so that a text has the same result on every computer. A step is a move of a
docutils state machine to a line; nested blocks visit a line several times. Other work is converted
to steps by the time it takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cache
from typing import Any, ClassVar

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states
from docutils.statemachine import StateMachineWS, StringList, string2lines
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
SEARCHED_IN_A_STEP = 250
# docutils splits lines like Python's `splitlines`, but line numbers have to be those of an editor.
OTHER_ENDS = re.compile(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
MARKDOWN_LINK = re.compile(
    r"\[(?P<words>[^\]\[\x00]+)\]\((?P<address>(?:[^()\s\x00]|\([^()\s\x00]*\))+)\)"
)
INLINE_MARK = re.compile(r"[*`|_\[]")
MIN_STEPS = 150_000
"""Enough for 5,000 short entries. A step takes about 12 µs."""
CHARACTERS_FOR_A_STEP = 4
"""The maximum number of steps grows with the length of a longer document. Real ones have 8 to 60
characters for a step."""
STEPS_FOR_A_BLOCK = 1
STEPS_FOR_A_MESSAGE = 16
CHECKED_IN_A_STEP = 40
"""The number of blocks: docutils checks all blocks around a name that is used twice."""
COPIED_IN_A_STEP = 750
"""The number of lines: docutils copies all lines below each list, and all lines of a block for each
block in it."""
PADDED_IN_A_STEP = 100
"""The number of characters: docutils checks each character below the beginning of a table."""


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

    A document that docutils cannot parse is empty, and has a problem. Raises TooMuchWorkError.
    """
    problems: list[Problem] = []
    lines = [*_limited_lines(text, path, problems)]
    steps = Steps(max(MIN_STEPS, len(text) / CHARACTERS_FOR_A_STEP))
    settings = copy(_settings())
    settings.backquotes_are_code = backquotes_are_code
    settings.includes = dict(includes)
    settings.unread_includes = []  # the lines of the directives
    settings.parse_entry = parse_entry
    settings.steps = steps
    try:
        tree = _tree(lines, path, problems, settings)
    except TooMuchWorkError:
        raise
    except Exception:
        # Nested too deeply, or a docutils bug.
        problems.append(NOT_PARSED.at(path))
        tree = utils.new_document(path, settings)
    return NodeRenderer(tree, problems), int(steps.taken)


NOT_PARSED = Trouble(
    ProblemKind.MARKUP, "this document cannot be parsed", "have fewer blocks inside others"
)


def _limited_lines(text: str, path: str, problems: list[Problem]) -> Iterator[str]:
    """Yields the lines of a text, truncated at `MAX_LINE` characters, and adds a problem for each
    that is longer."""
    cleaned = OTHER_ENDS.sub(" ", text).replace("\x00", "").rstrip()
    for number, line in enumerate(cleaned.split("\n"), start=1):
        if len(line) > MAX_LINE:
            found = f"a line of {len(line)} characters"
            trouble = Trouble(ProblemKind.LIMIT, found, f"at most {MAX_LINE} are read")
            problems.append(trouble.at(path, line=number))
        yield line[:MAX_LINE]


def _tree(lines: list[str], path: str, problems: list[Problem], settings: Any) -> nodes.document:
    """Returns the tree, and adds its problems. Raises TooMuchWorkError, and anything that docutils
    raises."""
    document = LimitedDocument(settings, utils.new_reporter(path, settings), source=path)
    messages: list[nodes.system_message] = []
    document.reporter.attach_observer(messages.append)
    document.reporter.attach_observer(lambda _: settings.steps.take(STEPS_FOR_A_MESSAGE))
    expanded = string2lines("\n".join(lines), tab_width=settings.tab_width, convert_whitespace=True)
    text = Lines(expanded, source=path, steps=settings.steps)
    default_role = "literal" if settings.backquotes_are_code else "title"
    inliner = _inliner(default_role=default_role)
    _DocumentMachine(STATES, "Body").run(text, document, inliner=inliner)
    for message in messages:
        if message["level"] >= Reporter.WARNING_LEVEL:
            problems.append(_problem(message, path))
    return document


@cache
def _settings() -> Any:
    """Returns settings of docutils with which it reads no file and writes nothing."""
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


def _inliner(*, default_role: str) -> states.Inliner:
    """Returns an inline parser that knows our roles only, and also reads Markdown links,
    `[words](address)`, which are a common mistake."""

    def interpreted(source: str, text: str, name: str, _line: int) -> tuple[Any, list[Any]]:
        """Returns the nodes of a role in backquotes, and no messages."""
        role_text = sphinx_markup.role(name or default_role, text)
        return [nodes.inline(source, role_text.text, html=role_text.html())], []

    inliner = states.Inliner()
    # docutils reads its patterns from the class of this object: a subclass would have none.
    inliner.interpreted = interpreted  # type: ignore[method-assign, assignment]
    inliner.implicit_dispatch.append((MARKDOWN_LINK, _markdown_link))
    return inliner


def _markdown_link(match: re.Match[str], _line: int) -> list[nodes.Node]:
    return [nodes.reference(match[0], match["words"], refuri=match["address"])]


CLOSE = "close it, or write a backslash before it"
# The beginnings of messages of docutils, and our wording of them.
WORDINGS = {
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
    """Translates a message of docutils, or of our directives."""
    text = message.children[0].astext() if message.children else ""
    trouble = _trouble(text, message)
    return trouble.at(path, line=message.get("line", 0))


def _trouble(text: str, message: nodes.system_message) -> Trouble:
    """Returns what a message with a text says: in our words for a directive of ours, or one that is
    in `WORDINGS`; else the first paragraph of docutils' words."""
    kind = message.get("kind", ProblemKind.MARKUP)
    if "wanted" in message:
        return Trouble(kind, text, message["wanted"])
    for beginning, (found, wanted) in WORDINGS.items():
        if text.startswith(beginning):
            return Trouble(kind, found, wanted)
    paragraph, _, _ = text.partition("\n\n")
    found = " ".join(paragraph.split()).removesuffix(".")
    return Trouble(kind, found[:1].lower() + found[1:200])


class Steps:
    """The number of steps that parsing a document has taken, and the maximum."""

    def __init__(self, most: float) -> None:
        self.taken, self.most = 0.0, most

    def take(self, steps: float) -> None:
        """Counts more steps. Raises TooMuchWorkError above the maximum."""
        self.taken += steps
        if self.taken > self.most:
            raise TooMuchWorkError(
                "too many small blocks, such as lists, fields, tables and notes",
                "nothing of it is read; divide the document, or have fewer blocks",
            )


class LimitedDocument(nodes.document):
    """A document that counts the steps of its parser."""

    def note_source(self, source: str, offset: int) -> None:
        """Every state machine calls this for each line that it moves to."""
        self.settings.steps.take(1)
        super().note_source(source, offset)

    def set_duplicate_name(self, *arguments: Any) -> None:
        """docutils calls this for a name that is used twice."""
        self._count_checked(arguments)
        super().set_duplicate_name(*arguments)

    def set_duplicate_name_id(self, *arguments: Any) -> None:
        """docutils before 0.23 calls this instead."""
        self._count_checked(arguments)
        super().set_duplicate_name_id(*arguments)  # type: ignore[misc]

    def _count_checked(self, arguments: Any) -> None:
        """Counts the steps for a name that is used twice: docutils checks all blocks in the node to
        which it adds a message."""
        *_, message_node, _explicit = arguments
        self.settings.steps.take(len(message_node or ()) / CHECKED_IN_A_STEP)


class Lines(StringList):
    """Lines of a document; slices have the same type. Copying lines takes steps."""

    def __init__(
        self, lines: Any = None, *, steps: Steps | None = None, parent: Any = None, **options: Any
    ) -> None:
        super().__init__(lines, parent=parent, **options)
        self.steps: Steps = parent.steps if steps is None else steps

    def __add__(self, other: StringList) -> Lines:
        return Lines(self.data + other.data, items=self.items + other.items, steps=self.steps)

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


def _directive(state: Any, match: re.Match[str], **presets: Any) -> Any:
    name = match[1]
    return state.run_directive(directive_class(name), match, name, presets)


def _explicit() -> Any:
    """Returns what can begin with two dots, as docutils has it, with our directives."""
    explicit = copy(states.Body.explicit)
    constructs = []
    for method, pattern in explicit.constructs:
        is_directive = method is states.Body.directive
        constructs.append((_directive if is_directive else method, pattern))
    explicit.constructs = constructs
    return explicit


class _StatesOfMachine(dict[str, Any]):
    """The states of a machine by their names. Each is made when the machine first moves to it:
    docutils makes all fifteen for each list, which takes half of its time."""

    def __init__(self, machine: Any, state_classes: Iterable[type[Any]]) -> None:
        super().__init__()
        self.machine = machine
        self.classes = {state.__name__: state for state in state_classes}

    def __missing__(self, name: str) -> Any:
        state = self[name] = self.classes[name](self.machine)
        is_running = self.machine.memo is not None
        if is_running:
            state.runtime_init()
        return state


class _Machine(StateMachineWS):  # type: ignore[type-arg]
    """What our machines have in common: states that are made when they are needed."""

    memo: Any = None

    def add_states(self, state_classes: Iterable[type[Any]]) -> None:
        self.states = _StatesOfMachine(self, state_classes)


class _DocumentMachine(_Machine, states.RSTStateMachine):
    """Parses a document."""


class _NestedMachine(_Machine, states.NestedStateMachine):
    """Parses a block or a list."""


class _State(states.RSTState):
    """What each of our states has instead of what docutils keeps for the whole process: directives,
    and state machines, which are used again for other nested blocks. It counts steps."""

    nested_sm = _NestedMachine
    nested_sm_cache: ClassVar[list[Any]] = []  # type: ignore[misc]
    explicit: ClassVar[Any] = _explicit()
    directive = _directive

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.nested_sm_kwargs = {"state_classes": STATES, "initial_state": "Body"}

    def nested_parse(self, *arguments: Any, **options: Any) -> Any:
        self.document.settings.steps.take(STEPS_FOR_A_BLOCK)
        return super().nested_parse(*arguments, **options)

    def nested_list_parse(self, *arguments: Any, **options: Any) -> Any:
        self.document.settings.steps.take(STEPS_FOR_A_BLOCK)
        return super().nested_list_parse(*arguments, **options)

    def explicit_list(self, blank_finish: bool) -> None:
        """Parses the constructs that begin with two dots right below another one. docutils copies
        all lines below for it, also if the next line is blank, which ends the list."""
        machine = self.state_machine
        if not (machine.at_eof() or machine.is_next_line_blank()):
            super().explicit_list(blank_finish)  # type: ignore[misc]

    def inline_text(self, text: str, lineno: int) -> Any:
        """Returns the nodes of a paragraph with its markup, and messages; of one with too many
        marks, its text. A long word, such as data in base64, is searched for addresses at each of
        its signs."""
        searched = 0
        for word in LONG_WORD.findall(text):
            searched += len(word) * len(BEFORE_ADDRESS.findall(word))
        self.document.settings.steps.take(searched / SEARCHED_IN_A_STEP)
        if len(text) * len(INLINE_MARK.findall(text)) < MAX_SEARCH:
            return super().inline_text(text, lineno)
        found = "a paragraph with too many marks"
        wanted = "it is shown as plain text"
        return [nodes.Text(text)], [self.reporter.warning(found, line=lineno, wanted=wanted)]


def _states() -> Iterator[type[states.RSTState]]:
    """Yields our state for each state of docutils. Each has patterns of its own, because docutils
    compiles them in place."""
    for state in states.state_classes:
        yield type(state.__name__, (_State, state), {"patterns": dict(state.patterns or {})})


STATES = [*_states()]
