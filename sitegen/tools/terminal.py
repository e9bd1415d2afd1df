"""Prints to a terminal or a pipe. Output to a closed pipe is discarded.

Results go to standard output, problems and progress to standard error. Control characters in text
from an input are escaped, so that they have no effect on the terminal. Passwords of addresses are
left out of errors and problems.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from sitegen.model import Notify, Problem, Trouble, counted, grouped, silent
from sitegen.text.credentials import without_user

MAX_LINES = 20
"""The maximum number of lines about problems of one cause."""
MAX_LENGTH = 2_000
"""The maximum number of characters of a message: a name in it can be as long as its file."""
ALL = "`--json` lists every problem"

_CONTROLS = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters except tabs and line ends, direction marks, and surrogates."""


def print_line(*lines: str) -> None:
    """Prints lines of the result."""
    for line in lines:
        _write(sys.stdout, _on_one_line(line))


def print_text(text: str) -> None:
    """Prints a text to paste or to pipe, which may have several lines."""
    _write(sys.stdout, escaped(text.removesuffix("\n")))


def print_data(data: object) -> None:
    """Prints the result as a line of JSON."""
    # GitHub would run `##[add-mask]` in the log of a workflow. JSON has another form of the `#`.
    _write(sys.stdout, json.dumps(data).replace("##[", "#\\u0023["))


def print_error(text: str) -> None:
    """Prints an error message, line by line."""
    for line in text.splitlines():
        _print_message(line)


def print_problems(problems: Iterable[Problem]) -> None:
    """Prints problems, one line for all with the same text."""
    for line in collapsed(problems):
        _print_message(line)


def _print_message(line: str) -> None:
    """Prints a line of an error message, without passwords."""
    shown = without_user(line)
    if len(shown) > MAX_LENGTH:
        shown = f"{shown[:MAX_LENGTH]}…"
    _write(sys.stderr, _on_one_line(shown))


def collapsed(problems: Iterable[Problem]) -> Iterator[str]:
    """Yields one line for all problems with the same text: `a.md:3: no text (and at 1 more place,
    last b.md:5)`. Of the lines with one remedy, at most `MAX_LINES` are yielded; the last of them
    is `and 12 more`."""
    groups = grouped((problem.trouble, problem) for problem in problems).values()
    totals = Counter(map(_remedy, groups))
    numbers: Counter[Trouble] = Counter()
    for group in groups:
        remedy = _remedy(group)
        numbers[remedy] += 1
        number, total = numbers[remedy], totals[remedy]
        are_too_many = total > MAX_LINES
        if not are_too_many or number < MAX_LINES:
            yield _line_of(group)
        elif number == MAX_LINES:  # the last line counts this group and all after it
            rest = f"and {total - number + 1:,} more"
            if remedy.wanted:
                rest += f": {remedy.wanted}"
            yield f"{rest}; {ALL}"


def _remedy(group: Sequence[Problem]) -> Trouble:
    """Returns the kind of problems with the same text, and what would have worked."""
    return group[0].trouble._replace(found="")


def _line_of(group: Sequence[Problem]) -> str:
    """Returns the line for problems with the same text."""
    first, last = group[0], group[-1]
    if len(group) == 1:
        return str(first)
    return f"{first} (and at {counted(len(group) - 1, 'more place')}, last {last.place})"


def _on_one_line(text: str) -> str:
    """Returns a text as one line, which neither a terminal nor the log of a workflow obeys."""
    line = escaped(text).replace("\n", "\\n")
    # GitHub would run `##[add-mask]` anywhere in a log, and `::add-mask::` at the start of a line.
    line = line.replace("##[", "## [")
    if line.lstrip().startswith("::"):
        line = f"./{line}"
    return line


def escaped(text: str) -> str:
    """Returns lines with control characters escaped. Other invisible characters are kept, as they
    are parts of words.

    >>> escaped("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return re.sub(_CONTROLS, _spelled_out, text)


def _spelled_out(control: re.Match[str]) -> str:
    """Returns a control character as Python writes it: `\\x1b`."""
    return control[0].encode("unicode_escape", "surrogatepass").decode()


def _write(stream: TextIO | None, line: str) -> None:
    """Writes and flushes a line. If the pipe is closed, this and all later output is discarded."""
    if stream is None:
        return
    try:
        print(line, file=stream, flush=True)
    except BrokenPipeError:
        # From now on, the stream writes to the null device.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def progress(*, shown: bool) -> Iterator[Notify]:
    """Yields a function that shows the current step in a status line, if standard error is a
    terminal."""
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("") as status:
        yield lambda step: status.update(Text(step))


@contextmanager
def ignoring_print_errors() -> Iterator[None]:
    """If printing in the block fails, the command succeeds all the same: its work is done."""
    try:
        yield
    except OSError as error:
        with suppress(OSError):
            print_error(system_error(error))


def system_error(error: OSError | ImportError | MemoryError) -> str:
    """Returns a line for an error that no function has converted to a `SitegenError`: the system
    refused something, or a module of the program cannot be imported."""
    match error:
        case MemoryError():
            return "there is not enough memory; build on a machine with more"
        case OSError(filename=None):  # only printing has no name of a file
            return f"standard output: the result could not be written: {error.strerror or error}"
        case OSError():
            return f"{error.filename}: {error.strerror or error}"
        case ImportError(name="fcntl"):
            return (
                "this command needs Linux or macOS; check-text, link and mcp read a built site "
                "anywhere"
            )
        case ImportError():
            return f"a file of the program cannot be read; install it again ({error})"
