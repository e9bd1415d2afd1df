"""Finds names with definitions in a table whose cells are HTML, by the titles or by the content of its columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from html import unescape
from typing import NamedTuple

from sitegen.formats.common import columns
from sitegen.formats.common.columns import BREAK, Columns, folded
from sitegen.formats.common.entries import Candidate
from sitegen.text import words

MAX_REMARK = 8
"""The maximum number of words beside tables that may be just a remark: "To be completed"."""
TABLE = re.compile(r"<table\b(?:(?!</?table\b).)*</table>", re.S)
TITLE = re.compile(r"<th\b[^<>]*>(.*?)</th>", re.S)

TableRow = tuple[int, Sequence[str]]
"""A line, and the HTML of the cells of a row that begins there."""


class Tabled(NamedTuple):
    """The rows of a table as candidates, or as guesses where its titles are unknown."""

    candidates: tuple[Candidate, ...] = ()
    guesses: tuple[Candidate, ...] = ()


def read(rows: Sequence[TableRow]) -> Tabled:
    """Returns the terms in the rows of a table; the first row has the titles."""
    titles, *texts = [[_text(cell) for cell in cells] for _, cells in rows] or [[]]
    found = columns.titled(titles)
    if found:
        return Tabled(candidates=_candidates(rows[1:], titles, found))
    guessed = columns.guessed(titles, texts)
    return Tabled(guesses=_candidates(rows[1:], titles, guessed)) if guessed else Tabled()


def is_comparison(html: str, names: Collection[str]) -> bool:
    """Returns whether a text is only a table in which most titles of columns are among these folded names."""
    first, *others = _tables(html) or [[]]
    titles = [words.fold(title) for title in first[1:]]
    return not others and sum(title in names for title in titles) * 2 > len(titles) > 1


def has_only_terms(html: str) -> bool:
    """Returns whether a text is only tables whose titles are like "Term" and "Definition", and at most a remark."""
    found = _tables(html)
    return bool(found) and all(
        titles and folded(titles[0]) in columns.TERMS and columns.titled(titles) for titles in found
    )


def _tables(html: str) -> list[list[str]]:
    """Returns the titles of each table in a text; none if there is more in it than a remark."""
    if not html.startswith("<table") or len(_text(TABLE.sub("", html)).split()) > MAX_REMARK:
        return []
    return [[_text(title) for title in TITLE.findall(table)] for table in TABLE.findall(html)]


def _candidates(rows: Sequence[TableRow], titles: Sequence[str], found: Columns) -> tuple[Candidate, ...]:
    others = [n for n, title in enumerate(titles) if folded(title) in columns.OTHER_NAMES and n not in found]
    candidates = []
    for line, cells in rows:
        if len(cells) <= max(found) or not _text(cells[found.name]):
            continue
        named = [cells[n] for n in (found.name, *others) if n < len(cells)]
        names = (_text(name) for cell in named for name in columns.lines(cell))
        remaining = [
            n for n in range(min(len(titles), len(cells))) if n not in {*found, *others} and cells[n].strip()
        ]
        notes = "".join(f"<p><strong>{titles[n]}</strong>: {cells[n]}</p>" for n in remaining)
        html = cells[found.definition].strip()
        html = html if html.startswith("<p") else f"<p>{html}</p>"
        candidates.append(Candidate(tuple(filter(None, names)), html + notes, line))
    return tuple(candidates)


def _text(cell: str) -> str:
    return " ".join(unescape(re.sub("<[^<>]*>", "", BREAK.sub(" ", cell))).split())
