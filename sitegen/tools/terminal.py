"""How the command line speaks: to a terminal, to a pipe, or to a pipe that nobody reads any more.

Results go to standard output, problems and progress to standard error. Text that came from an input is shown in full
and can do nothing to the terminal that shows it.
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

_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tabs and ends of lines, what turns the direction, and half characters."""


def say(text: str) -> None:
    """Writes a line of the result."""
    _write(sys.stdout, visible(text))


def give(text: str) -> None:
    """Writes lines for somebody to paste or a program to read: every letter as it is, and nothing to obey."""
    _write(sys.stdout, harmless(text.removesuffix("\n")))


def say_text(text: str) -> None:
    """Writes a file just as it is; to a terminal, with nothing to obey."""
    is_shown = sys.stdout is not None and sys.stdout.isatty()
    _write(sys.stdout, harmless(text.replace("\r\n", "\n")) if is_shown else text, end="")


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


def harmless(text: str) -> str:
    """Returns lines with only that spelled out which a terminal would obey: other invisible letters mean something.

    >>> harmless("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return _OBEYED.sub(lambda match: _spelled(match[0]), text)


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
