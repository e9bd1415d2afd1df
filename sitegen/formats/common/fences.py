"""Fenced blocks, options of directives and front matter in the lines of a text, and signs of
Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

OPENING = re.compile(r"(?P<margin> {0,3})(?P<fence>`{3,}|~{3,}|:{3,})(?P<info>[^`\n]*)")
DIRECTIVE = re.compile(r"\{(?P<name>[\w:+.-]+)\}(?P<argument>.*)")
"""What follows the fence of a directive: `{note} Words`."""
OPTION = re.compile(r":(?P<name>[\w-]+):[ \t]*(?P<value>.*)")
MYST_GLOSSARY = re.compile(r"\{glossary\}", re.I)
"""The name of the directive in MyST, which every text with such a glossary has."""
MARKDOWN = re.compile(r"\n(?:#{1,6} +\S| {0,3}(?:`{3}|~{3}\w|:{3}\{)|<!--)")
"""A line end and a heading, a fence or a comment of Markdown, which never begin a line of
reStructuredText."""


@dataclass(frozen=True, kw_only=True)
class Fence:
    """A fenced block. Lines are counted from 0; `first` opens the block and `past` is the line
    after it."""

    first: int
    past: int
    mark: str
    """The backquotes, tildes or colons that open the block."""
    is_closed: bool
    directive: str = ""
    """The directive's name in lower case: `note` for `{note}`. Empty for code and plain
    containers."""
    info: str = ""
    """The text after the fence, `python`, or after the name of the directive: `Words` for
    `{note} Words`."""
    is_code: bool = False
    body: tuple[str, ...]


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """Yields the outermost fenced blocks in order. An unclosed block extends to the end, as in
    CommonMark."""
    past = 0
    for first, line in enumerate(lines):
        is_inside_fence = first < past
        if is_inside_fence:
            continue
        opening = OPENING.fullmatch(line)
        if opening:
            fence = _fence(lines, first, opening)
            yield fence
            past = fence.past


def _fence(lines: Sequence[str], first: int, opening: re.Match[str]) -> Fence:
    """Returns the fenced block that the line `first` opens.

    A line of the same signs, at least as many, closes the block. If no line does, the block
    ends with the text.
    """
    mark = opening["fence"]
    closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*")
    margin = len(opening["margin"])
    body = []
    past, is_closed = len(lines), False
    for index in range(first + 1, len(lines)):
        line = lines[index]
        if closing.fullmatch(line):
            past, is_closed = index + 1, True
            break
        # A line that is indented less than the fence loses all of its indentation.
        body.append(line[min(margin, indentation(line)) :])

    fence = Fence(first=first, past=past, mark=mark, is_closed=is_closed, body=tuple(body))
    info = opening["info"].strip()
    directive = DIRECTIVE.fullmatch(info)
    if directive:
        name, argument = directive["name"].lower(), directive["argument"].strip()
        return replace(fence, directive=name, info=argument)
    return replace(fence, info=info, is_code=not mark.startswith(":"))


def indentation(line: str) -> int:
    """Returns the number of spaces and tabs that a line begins with."""
    return len(line) - len(line.lstrip())


def options(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """Returns the options at the start of a directive, and the number of their lines.

    Options are lines such as `:name: value`, or YAML between dashes: the three lines `---`,
    `name: value`, `---`.
    """
    values: dict[str, str] = {}
    if lines and lines[0].strip() == "---":
        for number, line in enumerate(lines[1:], start=2):
            if line.strip() == "---":
                return values, number
            if line.strip():
                name, _, value = line.partition(":")
                values[name.strip()] = value.strip()
        return {}, 0  # the dashes are never closed

    for number, line in enumerate(lines):
        option = OPTION.fullmatch(line.strip())
        if option is None:
            return values, number
        values[option["name"]] = option["value"]
    return values, len(lines)


def without_front_matter(lines: Sequence[str]) -> list[str]:
    """Returns the lines with front matter replaced by empty lines, so that the others keep their
    numbers. Front matter that is not closed is text."""
    if not lines or lines[0].rstrip() != "---":
        return list(lines)
    for number, line in enumerate(lines[1:], start=2):
        if line.rstrip() in {"---", "..."}:
            return [""] * number + list(lines[number:])
    return list(lines)
