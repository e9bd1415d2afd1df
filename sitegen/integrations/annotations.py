"""Writes findings as annotations of GitHub."""

from __future__ import annotations


def annotation(
    path: str, line: int, column: int, *, title: str, message: str, level: str = "warning"
) -> str:
    """Returns a workflow command of GitHub, which shows a message beside a line."""
    place = f"file={_property(path)},line={line},col={column}"
    return f"::{level} {place},title={_property(title)}::{_escaped(message)}"


def _escaped(text: str) -> str:
    """Returns a text escaped for the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Returns a text escaped for a property of a workflow command, such as its file."""
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
