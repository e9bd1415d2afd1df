"""Prints to a terminal or a pipe. A pipe that was closed is ignored.

Results go to standard output, problems and progress to standard error. Control characters in text from an input are
escaped, so that they have no effect on the terminal.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from sitegen.model import Problem

Tell = Callable[[str], None]

MAX_LINES = 20
"""Lines of problems on a terminal."""

_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters except tabs and line ends, direction marks, and surrogates."""


def say(text: str) -> None:
    """Writes one line of the result."""
    _write(sys.stdout, visible(text))


def give(text: str) -> None:
    """Writes lines to paste or to pipe: only control characters are escaped."""
    _write(sys.stdout, harmless(text.removesuffix("\n")))


def say_text(text: str) -> None:
    """Writes a file unchanged; on a terminal, control characters are escaped."""
    is_shown = sys.stdout is not None and sys.stdout.isatty()
    _write(sys.stdout, harmless(text.replace("\r\n", "\n")) if is_shown else text, end="")


def say_data(data: object) -> None:
    """Writes the result as a line of JSON."""
    _write(sys.stdout, json.dumps(data))


def complain(text: str) -> None:
    """Writes an error message, line by line."""
    for line in text.splitlines():
        _write(sys.stderr, visible(line))


def complain_of(problems: Iterable[Problem], *, every: bool = False) -> None:
    """Writes problems, one line for all with the same finding; on a terminal only the first lines."""
    lines = [str(problem) for problem in problems] if every else [*_collapsed(problems)]
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    shown = lines if every or not is_terminal or len(lines) <= MAX_LINES else lines[: MAX_LINES - 1]
    for line in shown:
        _write(sys.stderr, visible(line))
    if len(shown) < len(lines):
        _write(sys.stderr, f"and {len(lines) - len(shown):,} more; --all-problems lists every problem")


def _collapsed(problems: Iterable[Problem]) -> Iterator[str]:
    """Yields a line for the problems at which the same was found, with how many there are, and the last place."""
    same: dict[str, list[Problem]] = {}
    for problem in problems:
        same.setdefault(problem.found, []).append(problem)
    for group in same.values():
        first, last = group[0], group[-1]
        place = f"{last.path}:{last.line}" if last.line else last.path
        yield str(first) if len(group) == 1 else f"{first} (and at {len(group) - 1:,} more places, last {place})"


def visible(text: str) -> str:
    """Returns a text on one line, with every character escaped that a terminal would obey or not show.

    >>> visible("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def harmless(text: str) -> str:
    """Returns lines with those characters escaped that a terminal would obey. Other invisible ones have a meaning.

    >>> harmless("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return _OBEYED.sub(lambda match: _escaped(match[0]), text)


def _escaped(char: str) -> str:
    return " " if unicodedata.category(char) == "Zs" else char.encode("unicode_escape", "surrogatepass").decode()


def _write(stream: TextIO | None, line: str, *, end: str = "\n") -> None:
    """Writes and flushes a line. If the pipe is closed, this and all later output is discarded."""
    if stream is None:
        return
    try:
        print(line, file=stream, end=end, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def progress(*, shown: bool) -> Iterator[Tell]:
    """Yields a function that shows the current step: on a terminal as a status line, elsewhere not at all."""
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        yield lambda doing: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("") as status:
        yield lambda doing: status.update(Text(doing))


def refusal(error: Exception) -> str:
    """Returns what the system refused, in one line, where no function has said more."""
    match error:
        case MemoryError():
            return "there is not enough memory; build on a machine with more, or with --jobs 1"
        case OSError(filename=None):
            return f"standard output: the result could not be written: {error.strerror or error}"
        case OSError():
            return f"{error.filename}: {error.strerror or error}"
        case _:
            return f"a file of the program cannot be read; install it again ({error})"
