"""Speaking to terminals and pipes: nothing from an input can act on the terminal."""

from __future__ import annotations

import io
import os
import sys

import pytest

from sitegen.model import Problem
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
        ("a\u00a0b\u3000c", "a b c"),
        ("half \ud800", r"half \ud800"),
    ],
)
def test_what_a_terminal_would_obey_is_spelled_out(text: str, shown: str) -> None:
    """Letters of any script stay; control characters, and those that turn the direction, are spelled out."""
    assert terminal.visible(text) == shown


def test_what_is_taken_on_keeps_its_letters(capsys: pytest.CaptureFixture[str]) -> None:
    """What is pasted or piped has its lines and its invisible letters; what a terminal would obey is spelled out."""
    terminal.give("@\u200bme\u00a0می\u200cخواهم\n\ttwo \x1b[2J\x9b \u202e\r\x07\n")
    assert capsys.readouterr().out == "@\u200bme\u00a0می\u200cخواهم\n\ttwo \\x1b[2J\\x9b \\u202e\\r\\x07\n"


def test_file_is_written_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a letter of it is changed, unless a terminal shows it and would obey."""
    text = "one\x1b[2J\r\ntwo\f"
    for stream, shown in ((io.StringIO(), text), (Terminal(), "one\\x1b[2J\ntwo\\x0c")):
        monkeypatch.setattr(sys, "stdout", stream)
        terminal.say_text(text)
        assert stream.getvalue() == shown


def test_problem_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A problem is its place, what was found and what would have worked, whatever its text holds."""
    terminal.complain_of([Problem(path="a\n.md", line=3, found="an odd\x07 name", wanted="a plain one")])
    assert capsys.readouterr() == ("", "a\\n.md:3: an odd\\x07 name; a plain one\n")


def test_error_of_several_lines_keeps_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Several mistakes at once are said one a line."""
    terminal.complain("site.toml:1: one\nsite.toml:2: two")
    assert capsys.readouterr().err == "site.toml:1: one\nsite.toml:2: two\n"


def test_data_is_one_line_of_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """Data comes through any pipe: one line, nothing but ASCII."""
    terminal.say_data({"term": "naïve\n"})
    assert capsys.readouterr().out == '{"term": "na\\u00efve\\n"}\n'


def test_nobody_reads_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that was closed at its other end is no error, and what is said after goes nowhere."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        terminal.say("one")
        terminal.say("two")


def test_nothing_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was started without standard output says nothing and goes on."""
    monkeypatch.setattr(sys, "stdout", None)
    terminal.say("one")


def test_progress_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe, or when asked to be quiet, progress says nothing at all."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with terminal.progress(shown=True) as tell:
        tell("Reading")
    assert stream.getvalue() == ""


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal is told what is being done, in words that no markup changes."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with terminal.progress(shown=True) as tell:
        tell("Reading [bold]vocabulary")
    assert "Reading [bold]vocabulary" in stream.getvalue()


def test_one_finding_at_many_places_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Problems with the same finding are one line with a count and the last place, unless all are asked for."""
    problems = [Problem(path=f"v{number}:g.md", line=3, found="odd", wanted="even") for number in range(101)]
    terminal.complain_of([*problems, Problem(path="x.md", found="other")])
    assert capsys.readouterr().err.splitlines() == [
        "v0:g.md:3: odd; even (and at 100 more places, last v100:g.md:3)",
        "x.md: other",
    ]
    terminal.complain_of(problems, every=True)
    assert len(capsys.readouterr().err.splitlines()) == 101
