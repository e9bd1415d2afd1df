"""Our classes of documents, lines and states, which docutils uses instead of its own. They count
the work of its parser, and know our directives.

The work of docutils can grow with the square of the length of a text, so it is limited. It is
counted, not timed, so that a text has the same result on every computer. A step is a move of a
docutils state machine to a line; nested blocks visit a line several times. Other work is converted
to steps by the time it takes.

Nothing that docutils keeps for the whole process is changed, because the process may use docutils
itself: Sphinx does, with our extension.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import states
from docutils.statemachine import StringList

from sitegen.formats.rst.directives import directive_class
from sitegen.model import TooMuchWorkError

MAX_SEARCH = 20_000_000
"""The maximum product of the length of a paragraph and the number of its marks: docutils searches
the rest of the paragraph for the end of each mark."""
LONG_WORD = 100
"""The length from which a word is checked for signs before addresses."""
BEFORE_ADDRESS = re.compile(r"[-/:'\"({<\[]")
"""Where an address may begin inside a word: docutils searches the rest of the word at each."""
SEARCHED_IN_A_STEP = 250
"""The number of characters that docutils searches for addresses."""
INLINE_MARK = re.compile(r"[*`|_\[]")
STEPS_FOR_A_BLOCK = 5
"""The steps for a nested block, in addition to those for its lines."""
CHECKED_IN_A_STEP = 40
"""The number of blocks that docutils checks: for a name that is used twice, all blocks around
it."""
COPIED_IN_A_STEP = 750
"""The number of lines that docutils copies: for each list, all lines below it, and for each block
inside another one, all lines of that one."""
PADDED_IN_A_STEP = 100
"""The number of characters that docutils checks: for each table, all below its beginning, and for
each cell of a grid, all on the lines of the cell."""


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
        self._count_search(arguments)
        super().set_duplicate_name(*arguments)

    def set_duplicate_name_id(self, *arguments: Any) -> None:
        """docutils before 0.23 calls this instead."""
        self._count_search(arguments)
        super().set_duplicate_name_id(*arguments)  # type: ignore[misc]

    def _count_search(self, arguments: Any) -> None:
        """Counts the steps for a name that is used twice: docutils checks all blocks in the node to
        which it adds a message about the name."""
        *_, message_node, _is_explicit = arguments
        self.settings.steps.take(len(message_node or ()) / CHECKED_IN_A_STEP)


class Lines(StringList):
    """Lines of a document, which count the steps for copying and checking them. Slices and sums of
    these are such lines, too."""

    def __init__(
        self, lines: Any = None, *, steps: Steps | None = None, parent: Any = None, **options: Any
    ) -> None:
        super().__init__(lines, parent=parent, **options)
        # Of a slice, docutils gives the lines that it is cut from as the parent.
        self.steps: Steps = parent.steps if steps is None else steps

    def __add__(self, other: StringList) -> Lines:
        return Lines(self.data + other.data, items=self.items + other.items, steps=self.steps)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self.data[index]
        lines = super().__getitem__(index)
        self.steps.take(len(lines.data) / COPIED_IN_A_STEP)
        return lines

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)  # docutils has only `__getitem__`, which is slower

    def __delitem__(self, index: Any) -> None:
        self.steps.take(len(self.data) / COPIED_IN_A_STEP)
        super().__delitem__(index)

    def pad_double_width(self, pad_char: str) -> None:
        self.steps.take(sum(map(len, self.data)) / PADDED_IN_A_STEP)
        super().pad_double_width(pad_char)

    def get_2D_block(self, top: int, left: int, bottom: int, *arguments: Any) -> Any:  # noqa: N802
        """Returns the text of a cell."""
        self.steps.take(sum(map(len, self.data[top:bottom])) / PADDED_IN_A_STEP)
        return super().get_2D_block(top, left, bottom, *arguments)


def _directive(state: Any, match: re.Match[str], **presets: Any) -> Any:
    """Parses a directive. docutils has a method for this, which looks for its own directives."""
    name = match[1]
    return state.run_directive(directive_class(name), match, name, presets)


def _explicit_constructs() -> Any:
    """Returns docutils' table of constructs that begin with two dots, in which directives are
    ours."""
    explicit = copy(states.Body.explicit)
    constructs = []
    for method, pattern in explicit.constructs:
        if method is states.Body.directive:
            method = _directive
        constructs.append((method, pattern))
    explicit.constructs = constructs
    return explicit


class _State(states.RSTState):
    """The base of all our states. They count steps, and read our directives."""

    # State machines that docutils uses again for other nested blocks. Its own have its own states.
    nested_sm_cache: ClassVar[list[Any]] = []  # type: ignore[misc]
    explicit: ClassVar[Any] = _explicit_constructs()
    directive = _directive

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.nested_sm_kwargs = {"state_classes": PARSER_STATES, "initial_state": "Body"}

    def nested_parse(self, *arguments: Any, **options: Any) -> Any:
        self.document.settings.steps.take(STEPS_FOR_A_BLOCK)
        return super().nested_parse(*arguments, **options)

    def nested_list_parse(self, *arguments: Any, **options: Any) -> Any:
        self.document.settings.steps.take(STEPS_FOR_A_BLOCK)
        return super().nested_list_parse(*arguments, **options)

    def explicit_list(self, blank_finish: bool) -> None:
        """Parses the constructs that begin with two dots right below another one."""
        machine = self.state_machine
        # Below a blank line there are none, but docutils would copy all lines to find out.
        if not (machine.at_eof() or machine.is_next_line_blank()):
            super().explicit_list(blank_finish)  # type: ignore[misc]

    def inline_text(self, text: str, lineno: int) -> Any:
        """Returns the nodes of a paragraph, and messages. A paragraph with too many marks is plain
        text."""
        # 1. In a long word, such as data in base64, docutils searches the rest of the word for an
        #    address at each sign.
        searched = 0
        for word in text.split():
            if len(word) >= LONG_WORD:
                searched += len(word) * len(BEFORE_ADDRESS.findall(word))
        self.document.settings.steps.take(searched / SEARCHED_IN_A_STEP)

        # 2. docutils searches the rest of the paragraph for the end of each mark. The search is not
        #    counted in steps, as one paragraph could take those of the whole document.
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


PARSER_STATES = [*_states()]
"""The states of our machines, in the place of those of docutils."""
