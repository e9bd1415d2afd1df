"""A document in reStructuredText, cut by its lines: what stands around its glossaries, and the entries in each.

What cannot be cut in a way that docutils would agree with stays whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from sitegen.formats.common.fences import OPTION
from sitegen.formats.common.glossary_lines import Line, split
from sitegen.formats.rst import entries as _rst_entries
from sitegen.formats.rst.entries import Given
from sitegen.model import Problem
from sitegen.text.known import Known

MAX_LINE = 20_000
"""docutils refuses a document with a longer line; there, such a line is cut off."""
UNUSUAL = "\r\0\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Characters that docutils takes for ends of lines, and an author's editor does not."""

# Every line stands below the end of another one here, the first as well: ends of lines are found quickly.
DIRECTIVE = re.compile(r"\n(?P<margin> *)\.\. +glossary::(?P<rest>[^\n]*)", re.I)
MARGIN = re.compile(r"\n( *)\S")
OPTION_LINE = re.compile(rf"\n{OPTION.pattern}(?=\n|\Z)")
BETWEEN = re.compile(r"(\n\n+)(?=\S)")
"""Empty lines above a name."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The inside of a glossary."""

    first: int
    """The line of its directive, in what stands around."""
    line: int
    """That of its first line in the document."""
    text: str
    """Without the margin that its lines share."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A document in pieces."""

    around: str
    """Its text as docutils takes it, with glossaries that are empty."""
    glossaries: tuple[Inside, ...]


class Located(NamedTuple):
    """An entry, and the line of its first name."""

    given: Given
    line: int


class Piece(NamedTuple):
    """What stands between empty lines, and is one entry."""

    given: Given
    ends: int
    """How many ends of lines are in it."""


def cut(text: str) -> Cut | None:
    """Returns a document's glossaries and what stands around them; None where lines do not tell them."""
    text = text.replace("\r\n", "\n")
    if any(mark in text for mark in UNUSUAL):
        return None
    lines = [line.rstrip() for line in text.expandtabs().split("\n")]
    if max(map(len, lines)) > MAX_LINE:
        return None
    text = "\n" + "\n".join(lines)
    around: list[str] = []
    glossaries: list[Inside] = []
    past = above = removed = 0  # where the last glossary ends, the lines above that, and those that were taken out
    for found in DIRECTIVE.finditer(text):
        if found.start() < past:  # inside the last one
            continue
        below = re.compile(rf"\n {{0,{len(found['margin'])}}}\S").search(text, found.end())
        end = below.start() if below else len(text)
        margin = "\n" + " " * min(map(len, MARGIN.findall(text, found.end(), end)), default=0)
        inside = text[found.end() : end].replace(margin, "\n")
        begin = _past_options(inside)
        # Empty lines set apart what is inside.
        is_usual = inside.startswith("\n\n", begin) and (not below or inside.endswith("\n"))
        if found["rest"] or not is_usual:
            return None
        above += text.count("\n", past, found.end())
        options = inside.count("\n", 0, begin)
        glossaries.append(Inside(above - removed, above + options + 1, inside[begin + 1 :]))
        around += [text[past : found.end()], inside[:begin].replace("\n", margin), "\n"]
        above, past = above + inside.count("\n"), end
        removed += inside.count("\n", begin) - 1
    return Cut("".join([*around, text[past:]])[1:], tuple(glossaries))


def _past_options(inside: str) -> int:
    """Where the options of a directive end."""
    past = 0
    while option := OPTION_LINE.match(inside, past):
        past = option.end()
    return past


def located(
    glossary: Inside, known: Known, *, path: str, backquotes_are_code: bool
) -> tuple[list[Located], list[Problem]] | None:
    """Returns the entries of a glossary and what is odd in its layout; None where something refers to an entry."""
    text = glossary.text.lstrip("\n")
    line = glossary.line + len(glossary.text) - len(text)
    parts = BETWEEN.split(text.rstrip("\n"))
    piece, entries = known.of(_piece), []
    for part, gap in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if (one := piece[part, backquotes_are_code]) is None:
            return _split(glossary, path=path, backquotes_are_code=backquotes_are_code)
        entries.append(Located(one.given, line))
        line += one.ends + len(gap)
    return entries, []


def _split(glossary: Inside, *, path: str, backquotes_are_code: bool) -> tuple[list[Located], list[Problem]] | None:
    items, problems = split(_lines(glossary.text, glossary.line), path=path)
    if any(item.anchors for item in items):
        return None
    given = (_rst_entries.given(item, backquotes_are_code=backquotes_are_code) for item in items)
    return [Located(one, item.names[0].number) for one, item in zip(given, items, strict=True)], problems


def _piece(given: tuple[str, bool], _known: Known) -> Piece | None:
    """A text between empty lines; None where it is not just one entry, with nothing odd in its layout."""
    text, backquotes_are_code = given
    lines = _lines(text, 1)
    items, problems = split(lines, path="")
    in_margin = sum(not line.text.startswith(" ") for line in lines if line.text)
    if problems or len(items) != 1 or len(items[0].names) != in_margin:
        return None
    return Piece(_rst_entries.given(items[0], backquotes_are_code=backquotes_are_code), text.count("\n"))


def _lines(text: str, first: int) -> list[Line]:
    return [Line(line, number) for number, line in enumerate(text.split("\n"), start=first)]
