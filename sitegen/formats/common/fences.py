"""Finds the fenced blocks (``` and :::) of Markdown and MyST, without parsing the Markdown around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitegen.formats.common.raw_text import has_sign

OPENING = re.compile(r"(?P<margin> {0,3})(?P<fence>`{3,}|~{3,}|:{3,})(?P<info>[^`\n]*)")
DIRECTIVE = re.compile(r"\{(?P<name>[\w:+.-]+)\}(?P<argument>.*)")
OPTION = re.compile(r":(?P<name>[\w-]+):[ \t]*(?P<value>.*)")
MARKDOWN = re.compile(r"\n(?:#{1,6} +\S| {0,3}(?:`{3}|~{3}\w|:{3}\{)|<!--)")
"""Matches a line end, and the beginning of a line that never occurs in reStructuredText. Line ends are found fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """A fenced block. Lines are counted from 0; `first` opens the block and `past` is the line after it."""

    first: int
    past: int
    mark: str
    """Its backquotes, tildes or colons."""
    end: str
    """The line that closes the block, without its margin; empty if none does."""
    directive: str
    """The directive's name in lower case: `note` for `{note}`. Empty for code and plain containers."""
    info: str
    """The text after the fence, or after the name of the directive."""
    is_code: bool
    body: tuple[str, ...]

    @property
    def is_closed(self) -> bool:
        return bool(self.end)

    def early_end(self, below: Fence | None) -> tuple[int, str] | None:
        """Returns the line in the body, and the mark, of an inner fence that ends this one too early; else None.

        In CommonMark, the end of an inner fence that is not shorter than the outer one ends the outer one. A bare
        inner fence is itself read as that end: then the end is indented, and the next fence, `below`, is bare too.
        """
        if not self.is_closed:
            return None
        for inner in fences(self.body) if self.mark in "\n".join(self.body) else ():
            if not inner.is_closed and inner.mark.startswith(self.mark):
                return inner.first, inner.mark
        is_bare = below is not None and below.mark.startswith(self.mark) and not (below.directive or below.info)
        return (len(self.body), self.end.strip()) if is_bare and self.end.startswith(" ") else None


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """Yields the outermost fences in order. An unclosed one extends to the end, as in CommonMark."""
    index = 0
    while index < len(lines):
        opening = OPENING.fullmatch(lines[index])
        if opening:
            fence = _fence(lines, index, opening)
            yield fence
            index = fence.past
        else:
            index += 1


def _fence(lines: Sequence[str], first: int, opening: re.Match[str]) -> Fence:
    mark = opening["fence"]
    closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*")
    below = range(first + 1, len(lines))
    past = next((line for line in below if mark in lines[line] and closing.fullmatch(lines[line])), None)
    end = len(lines) if past is None else past
    info = opening["info"].strip()
    directive = DIRECTIVE.fullmatch(info)
    margin = len(opening["margin"])
    return Fence(
        first=first,
        past=end if past is None else past + 1,
        mark=mark,
        end="" if past is None else _without(margin, [lines[past]])[0],
        directive=directive["name"].lower() if directive else "",
        info=directive["argument"].strip() if directive else info,
        is_code=directive is None and mark[0] != ":",
        body=tuple(_without(margin, lines[first + 1 : end])),
    )


def _without(margin: int, lines: Sequence[str]) -> Sequence[str]:
    """Returns the lines without the margin of a fence, or without their own if that is smaller."""
    return [line[min(margin, len(line) - len(line.lstrip())) :] for line in lines] if margin else lines


def options(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """Returns a directive's options and their number of lines. They are `:name: value`, or YAML between dashes."""
    if lines and lines[0].strip() == "---" and "---" in (line.strip() for line in lines[1:]):
        past = next(number for number, line in enumerate(lines) if number and line.strip() == "---") + 1
        pairs = (line.partition(":") for line in lines[1 : past - 1] if line.strip())
        return {name.strip(): value.strip() for name, _, value in pairs}, past
    found: dict[str, str] = {}
    for line in lines:
        option = OPTION.fullmatch(line.strip())
        if not option:
            break
        found[option["name"]] = option["value"]
    return found, len(found)


def is_markdown(text: str) -> bool:
    """True if a text has headings, fences or comments of Markdown, which never occur in reStructuredText."""
    return has_sign(text, MARKDOWN)


def without_front_matter(lines: Sequence[str]) -> list[str]:
    """Returns the lines with front matter replaced by empty lines."""
    if not lines or lines[0].rstrip() != "---":
        return list(lines)
    ends = (number for number, line in enumerate(lines) if number and line.rstrip() in {"---", "..."})
    past = next(ends, -1) + 1
    return [""] * past + list(lines[past:])
