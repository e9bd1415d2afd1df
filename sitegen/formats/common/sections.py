"""The headings above the entries of a directive glossary.

Sections are kept only if a document has several with terms. The title of the document is not a section.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sitegen.formats.common.entries import marked
from sitegen.model import Document, Entry, Problem, Reading
from sitegen.text import words

ATX = re.compile(r"^ {0,3}(?P<marks>#{1,6})[ \t]+(?P<text>\S.*?)(?:[ \t]+#+)?[ \t]*$", re.M)
SETEXT = re.compile(r"^(?P<text>[^\s#>|`~:-][^\n]*)\n(?P<marks>=+|-+)[ \t]*$", re.M)
MARKUP = re.compile(r"[*`]|\s*\{#[^}]*\}")


class Placed(NamedTuple):
    """An entry, and the headings above it, outermost first."""

    entry: Entry
    headings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Headings:
    """The headings of a Markdown document as (line, level, text)."""

    all: tuple[tuple[int, int, str], ...]

    def above(self, line: int) -> tuple[str, ...]:
        """Returns the headings above a line."""
        return self._paths[bisect_left(self.all, (line,))]

    @cached_property
    def _paths(self) -> tuple[tuple[str, ...], ...]:
        """The headings above the first heading, above the second, and so on; and above the end."""
        paths: list[tuple[tuple[int, str], ...]] = [()]
        for _, level, text in self.all:
            outer = tuple(heading for heading in paths[-1] if heading[0] < level)
            paths.append((*outer, (level, text)))
        return tuple(tuple(text for _, text in path) for path in paths)

    @property
    def title(self) -> str:
        """The title of the document: its first heading, if no other is on its level."""
        if not self.all:
            return ""
        _, first, text = self.all[0]
        return text if all(level > first for _, level, _ in self.all[1:]) else ""


def markdown_headings(text: str) -> Headings:
    """Returns the headings of a Markdown text from which code was removed."""
    found = [(match, len(match["marks"])) for match in ATX.finditer(text)]
    found += [(match, 1 if match["marks"][0] == "=" else 2) for match in SETEXT.finditer(text)]
    ends = [match.start() for match in re.finditer("\n", text)]
    headings = (
        (bisect_left(ends, match.start()) + 1, level, MARKUP.sub("", match["text"]).strip()) for match, level in found
    )
    return Headings(all=tuple(sorted(headings)))


def reading(placed: Sequence[Placed], problems: Sequence[Problem], *, document: Document, title: str) -> Reading:
    """Returns the entries with their sections. If the document asks for a section, returns only the entries there."""
    problems = list(problems)
    if document.section:
        wanted = words.fold(document.section)
        inside = [one for one in placed if wanted in map(words.fold, one.headings)]
        if not inside:
            problems.append(_no_section(document, placed))
        placed = inside
    sections = [_section(one.headings, title) for one in placed]
    several = len(set(sections)) > 1
    entries = (
        _in_section(one.entry, section) if several else one.entry
        for one, section in zip(placed, sections, strict=True)
    )
    return Reading(entries=tuple(entries), problems=tuple(sorted(set(problems))))


def _in_section(entry: Entry, section: str) -> Entry:
    return entry._replace(text=marked(entry.text, section=section, deprecated=entry.deprecated))


def _section(headings: tuple[str, ...], title: str) -> str:
    """Returns the innermost heading below the title; a section may have the same name as the title."""
    below = headings[1:] if headings and headings[0] == title else headings
    return below[-1] if below else ""


def _no_section(document: Document, placed: Sequence[Placed]) -> Problem:
    names = list(dict.fromkeys(name for one in placed for name in one.headings))
    wanted = f"terms stand under: {', '.join(names[:20])}" if names else "no term stands under a heading"
    return Problem(path=document.path, found=f"no terms in a section '{document.section}'", wanted=wanted)
