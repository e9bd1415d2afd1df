"""Runs docutils with a limit on its work, which can grow with the square of the length of a text.

The work is counted, not timed, so that a text has the same result on every computer. A step is a move of a docutils
state machine to a line; nested blocks visit a line several times. Other work is converted to steps by the time it
takes.

docutils creates a state machine for each list and each document, which takes longer than parsing a short one. This
module reuses state machines: 6,000 entries with a short list take 4.4 s of CPU instead of 8.8 s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar

import docutils
from docutils import nodes
from docutils.parsers.rst import states
from docutils.statemachine import StringList, string2lines

STEPS_FOR_A_BLOCK = 1
STEPS_FOR_A_MESSAGE = 8
CHECKED_IN_A_STEP = 80
"""The number of blocks: docutils checks all blocks around a name that is used twice."""
COPIED_IN_A_STEP = 1_500
"""The number of lines: docutils copies all lines below each list, and all lines of a block for each block in it."""
PADDED_IN_A_STEP = 200
"""The number of characters: docutils checks each character below the beginning of a table."""
SET_DUPLICATE = "set_duplicate_name" if docutils.__version_info__ >= (0, 23) else "set_duplicate_name_id"
"""The method of a document that docutils calls for a name that is used twice."""
MAX_SPARE = 50
"""The maximum number of state machines that are kept for nested blocks."""


class TooManyStepsError(Exception):
    """Raised for a document that takes docutils too many steps."""


class Steps:
    """The number of steps that parsing a document has taken, and the maximum."""

    def __init__(self, most: float) -> None:
        self.taken, self.most = 0.0, most

    @property
    def rounded(self) -> int:
        return int(self.taken)

    def take(self, steps: float) -> None:
        self.taken += steps
        if self.taken > self.most:
            raise TooManyStepsError


class Lines(StringList):
    """Lines of the document that is parsed; slices have the same type. Copying lines takes steps."""

    steps: ClassVar = Steps(0)
    """The steps of the document that is parsed."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if isinstance(index, slice):
            self.steps.take(len(found.data) / COPIED_IN_A_STEP)
        return found

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


def _machine(*, state_classes: Sequence[type[states.RSTState]], **settings: Any) -> states.NestedStateMachine:
    """Returns a state machine with these settings, if possible one that was used before."""
    if state_classes is not states.state_classes or not _spare:
        return _Nested(state_classes=state_classes, **settings)
    machine = _spare.pop()
    for name, value in settings.items():
        setattr(machine, name, value)
    return machine


@contextmanager
def _machines(steps: Steps) -> Iterator[states.RSTStateMachine]:
    """Provides a state machine for a document, and makes docutils use `_machine` for the blocks in it."""
    saved = Lines.steps, states.RSTState.nested_sm
    Lines.steps, states.RSTState.nested_sm = steps, partial(_machine)  # type: ignore[assignment]
    machine = _spare_for_documents.pop() if _spare_for_documents else None
    try:
        yield machine or states.RSTStateMachine(state_classes=states.state_classes, initial_state="Body")
    finally:
        Lines.steps, states.RSTState.nested_sm = saved


def run(text: str, document: nodes.document, inliner: states.Inliner, steps: Steps) -> None:
    """Parses a text into a document. Raises TooManyStepsError, and anything that docutils raises."""

    def step(source: str, offset: int) -> None:
        steps.take(1)
        note_source(source, offset)

    def duplicate(*arguments: Any) -> None:
        *_, message_node, _explicit = arguments
        steps.take(len(message_node or ()) / CHECKED_IN_A_STEP)
        set_duplicate(*arguments)

    # Each state machine calls `note_source` for every line that it moves to. The types of docutils lack the second
    # method.
    note_source, document.note_source = document.note_source, step  # type: ignore[method-assign]
    set_duplicate = getattr(document, SET_DUPLICATE)
    setattr(document, SET_DUPLICATE, duplicate)
    document.reporter.attach_observer(lambda _: steps.take(STEPS_FOR_A_MESSAGE))
    lines = string2lines(text, tab_width=document.settings.tab_width, convert_whitespace=True)
    with _machines(steps) as machine:
        machine.run(Lines(lines, source=document["source"]), document, inliner=inliner)
    _spare_for_documents.append(machine)
