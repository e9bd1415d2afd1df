"""Finds names with definitions in the HTML of lists, paragraphs and tables.

Items of a list begin with a name, paragraphs with a bold name; the columns of a table are identified by their titles
or their content. Whether these names are the terms of a document is decided in `outline`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from html import unescape
from typing import NamedTuple

from sitegen.formats.common.columns import (
    BREAK,
    MAX_WORDS,
    OTHER_NAMES,
    TERMS,
    Columns,
    columns_by_content,
    columns_by_title,
    folded_title,
    names_in_cell,
)
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import is_label
from sitegen.text import words

ITEM = re.compile(r"<li>\s*(.*?)\s*</li>", re.S)
LEAD = re.compile(
    r"(?:<p>)?(?P<name>[^<>]{1,80}?|<(?P<tag>strong|em|b)>[^<>]{1,80}</(?P=tag)>)(?:\s+[-–—](?:\s+|$)|:(?:\s+|$))"
)
PARAGRAPH = re.compile(
    r"<p><strong>(?P<name>.{1,80}?)</strong>(?P<short> ?\([^()<>]{1,40}\)(?=\s*[:—–]))?"
    r"(?P<separator>\s*(?::|[—–]|\s-{1,2}(?=\s))\s*|)(?P<rest>.*)</p>",
    re.S,
)
"""A paragraph that begins with a bold name. A colon inside or after the name, or a dash, may separate it."""


def list_terms(html: str, lines: Sequence[int]) -> tuple[Candidate, ...]:
    """Returns the items of a list as terms if all are `Name - text`; `lines` are the first lines of the items."""
    leads = [LEAD.match(item) for item in ITEM.findall(html)]
    names = [unescape(re.sub("<[^<>]*>", "", lead["name"])).strip() if lead else "" for lead in leads]
    if len(leads) != len(lines) or not all(name and len(name.split()) <= MAX_WORDS for name in names):
        return ()
    if any(map(is_label, names)):
        return ()
    texts = [lead.string[lead.end() :].removesuffix("</p>") for lead in leads if lead]
    found = zip(names, texts, lines, strict=True)
    return tuple([Candidate((name,), f"<p>{text}</p>", line) for name, text, line in found])


def bold_name(html: str, line: int) -> Candidate | None:
    """Returns the bold name that a paragraph begins with, with its short form, and the rest of the paragraph."""
    found = PARAGRAPH.fullmatch(html)
    if found is None:
        return None
    shown = f"{found['name']}{found['short'] or ''}"
    name = " ".join(unescape(re.sub(r"<[^>]*>", "", shown)).split()).rstrip(":")
    rest = f"<p>{found['rest']}</p>" if found["rest"] else ""
    is_separate = found["separator"] or found["name"].endswith(":") or not rest
    return Candidate(names=(name,), html=rest, line=line) if name and is_separate else None


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


def table_terms(rows: Sequence[TableRow]) -> Tabled:
    """Returns the terms in the rows of a table; the first row has the titles."""
    titles, *texts = [[_text(cell) for cell in cells] for _, cells in rows] or [[]]
    found = columns_by_title(titles)
    if found:
        return Tabled(candidates=_candidates(rows[1:], titles, found))
    guessed = columns_by_content(titles, texts)
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
        titles and folded_title(titles[0]) in TERMS and columns_by_title(titles) for titles in found
    )


def _tables(html: str) -> list[list[str]]:
    """Returns the titles of each table in a text; none if there is more in it than a remark."""
    if not html.startswith("<table") or len(_text(TABLE.sub("", html)).split()) > MAX_REMARK:
        return []
    return [[_text(title) for title in TITLE.findall(table)] for table in TABLE.findall(html)]


def _candidates(rows: Sequence[TableRow], titles: Sequence[str], found: Columns) -> tuple[Candidate, ...]:
    others = [n for n, title in enumerate(titles) if folded_title(title) in OTHER_NAMES and n not in found]
    candidates = []
    for line, cells in rows:
        if len(cells) <= max(found) or not _text(cells[found.name]):
            continue
        named = [cells[n] for n in (found.name, *others) if n < len(cells)]
        names = (_text(name) for cell in named for name in names_in_cell(cell))
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
