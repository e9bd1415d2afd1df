"""Names with definitions in a table whose cells are HTML: by the titles of its columns, or by what is in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

from sitegen.formats.common import columns
from sitegen.formats.common.columns import BREAK, Columns, folded
from sitegen.formats.common.entries import Candidate

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
