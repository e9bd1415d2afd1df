"""How the command line speaks: to a terminal, to a pipe, or to a pipe that nobody reads any more.

Results go to standard output, problems and progress to standard error. Text that came from an input is shown in full
and can do nothing to the terminal that shows it.
"""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from sitegen.model import Problem

Tell = Callable[[str], None]


def say(text: str) -> None:
    """Writes a line of the result."""
    _write(sys.stdout, visible(text))


def say_text(text: str) -> None:
    """Writes a text just as it is, for whoever takes it from us."""
    _write(sys.stdout, text, end="")


def say_data(data: object) -> None:
    """Writes the result as a line of JSON."""
    _write(sys.stdout, json.dumps(data))


def complain(text: str) -> None:
    """Writes what is wrong, line by line."""
    for line in text.splitlines():
        _write(sys.stderr, visible(line))


def complain_of(problems: Iterable[Problem]) -> None:
    for problem in problems:
        _write(sys.stderr, visible(str(problem)))


def visible(text: str) -> str:
    """Returns a text on one line, with whatever a terminal would obey or hide spelled out.

    >>> visible("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return "".join(char if char.isprintable() else _spelled(char) for char in text)


def _spelled(char: str) -> str:
    return " " if unicodedata.category(char) == "Zs" else char.encode("unicode_escape", "surrogatepass").decode()


def _write(stream: TextIO | None, line: str, *, end: str = "\n") -> None:
    """Writes a line at once; where nobody reads any more, this and all that follows goes nowhere."""
    if stream is None:
        return
    try:
        print(line, file=stream, end=end, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def progress(*, shown: bool) -> Iterator[Tell]:
    """Gives a way to tell what is being done: one line that changes, on a terminal; elsewhere nothing."""
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        yield lambda doing: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("") as status:
        yield lambda doing: status.update(Text(doing))
