"""Output to terminals and pipes: no input can control the terminal."""

from __future__ import annotations

import io
import json
import os
import sys

import pytest

from sitegen.model import Problem, ProblemKind
from sitegen.tools import terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("naïve Größe 词", "naïve Größe 词"),
        ("a\x1b[2Jb", r"a\x1b[2Jb"),
        ("one\ntwo\r", r"one\ntwo\r"),
        ("right \u202eto left", r"right \u202eto left"),
        ("half \ud800", r"half \ud800"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_a_terminal_would_obey_is_spelled_out(
    text: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line has letters of any script, and the joiners in words; control characters, direction
    marks and line ends are escaped."""
    terminal.print_line(text)
    assert capsys.readouterr().out == f"{shown}\n"


def test_what_is_taken_on_keeps_its_letters(capsys: pytest.CaptureFixture[str]) -> None:
    """Text to paste or pipe keeps its lines and invisible letters; control characters are
    escaped."""
    terminal.print_text("@\u200bme\u00a0می\u200cخواهم\n\ttwo \x1b[2J\x9b \u202e\r\x07\n")
    assert (
        capsys.readouterr().out
        == "@\u200bme\u00a0می\u200cخواهم\n\ttwo \\x1b[2J\\x9b \\u202e\\r\\x07\n"
    )


def problem(path: str, found: str, *, wanted: str = "", line: int = 0) -> Problem:
    return Problem(kind=ProblemKind.ENTRY, path=path, line=line, found=found, wanted=wanted)


def test_problem_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A problem is one line: place, found, wanted."""
    terminal.print_problems([problem("a\n.md", "an odd\x07 name", wanted="a plain one", line=3)])
    assert capsys.readouterr() == ("", "a\\n.md:3: an odd\\x07 name; a plain one\n")


def test_a_long_message_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """A message with a name as long as its file has only its beginning."""
    terminal.print_problems([problem("a.md", "odd: " + "=" * 200_000)])
    assert capsys.readouterr().err == f"a.md: odd: {'=' * 1989}…\n"


def test_file_with_the_name_of_a_workflow_command_is_a_path(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A line that begins as a command of GitHub's workflows does is printed as a path; one of the
    older kind, which may be anywhere in a line, is spelled otherwise."""
    terminal.print_problems([problem("::add-mask::a.md", "odd"), problem("a:b.md", "odd too")])
    terminal.print_error("one\n ::stop-commands::x: two ##[add-mask]y")
    terminal.print_line("::add-mask::z")
    terminal.print_data({"found": "##[add-mask]x"})
    printed = capsys.readouterr()
    line, data = printed.out.splitlines()
    assert line == "./::add-mask::z"
    assert "##[" not in data
    assert json.loads(data) == {"found": "##[add-mask]x"}
    assert printed.err.splitlines() == [
        "./::add-mask::a.md: odd",
        "a:b.md: odd too",
        "one",
        "./ ::stop-commands::x: two ## [add-mask]y",
    ]


def test_error_of_several_lines_keeps_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Several mistakes are one line each."""
    terminal.print_error("site.toml:1: one\nsite.toml:2: two")
    assert capsys.readouterr().err == "site.toml:1: one\nsite.toml:2: two\n"


def test_data_is_one_line_of_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """Data is one line of ASCII."""
    terminal.print_data({"term": "naïve\n"})
    assert capsys.readouterr().out == '{"term": "na\\u00efve\\n"}\n'


def test_nobody_reads_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed pipe is no error, and later output is dropped."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        terminal.print_line("one")
        terminal.print_line("two")


def test_nothing_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without standard output a process prints nothing and continues."""
    monkeypatch.setattr(sys, "stdout", None)
    terminal.print_line("one")


def test_progress_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe, or with --quiet, no progress is printed."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with terminal.progress(shown=True) as notify:
        notify("Reading")
    assert stream.getvalue() == ""


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal shows the current step, and markup in its text has no effect."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with terminal.progress(shown=True) as notify:
        notify("Reading [bold]vocabulary")
    assert "Reading [bold]vocabulary" in stream.getvalue()


def test_one_finding_at_many_places_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Problems with the same text are one line with a count and the last place."""
    problems = [problem(f"v{number}:g.md", "odd", wanted="even", line=3) for number in range(101)]
    elsewhere = problem("y.md", "odd", wanted="even here")
    terminal.print_problems([*problems, problem("x.md", "other"), elsewhere])
    assert capsys.readouterr().err.splitlines() == [
        "v0:g.md:3: odd; even (and at 100 more places, last v100:g.md:3)",
        "x.md: other",
        "y.md: odd; even here",
    ]


def test_many_findings_with_one_remedy_are_twenty_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of more than twenty findings that want the same, the twentieth line has the number of the
    others. Other findings stay where they are."""
    problems = [problem("g.md", f"{n} is odd", wanted="even", line=n) for n in range(1, 41)]
    problems.insert(18, problem("g.md", "other", wanted="none"))
    terminal.print_problems(problems)
    lines = capsys.readouterr().err.splitlines()
    assert lines[18:] == [
        "g.md: other; none",
        "g.md:19: 19 is odd; even",
        "and 21 more: even; `--json` lists every problem",
    ]
    terminal.print_problems(problems[:20])
    assert len(capsys.readouterr().err.splitlines()) == 20
    terminal.print_problems([problem("g.md", f"{n} is odd") for n in range(30)])
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[-1]) == (20, "and 11 more; `--json` lists every problem")
