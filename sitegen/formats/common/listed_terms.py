"""Finds names with definitions in lists, paragraphs and tables, and decides whether they are a
document's terms.

Items of a list begin with a name, paragraphs with a bold name; the columns of a table are
identified by their titles or their content. Terms that are headings are found in `outline`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, NamedTuple

from sitegen.formats.common.columns import (
    ATTRIBUTES,
    AVOID,
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
from sitegen.formats.common.entries import Candidate, without_asterisks, without_math, words_of
from sitegen.formats.common.headings import ABBREVIATIONS, is_label, may_be_label
from sitegen.formats.common.structure import Block, HeadingNode
from sitegen.text import words

ITEM = re.compile(r"<li>\s*(.*?)\s*</li>", re.S)
LEAD = (
    r"(?:<p>)?(?P<name>[^<>]{1,80}?|<(?P<tag>strong|em|b)>[^<>]{1,80}</(?P=tag)>)"
    r"(?:\s+[-–—](?:\s+|$)|:(?:\s+|$))"
)
PARAGRAPH = (
    r"(?s)<p><strong>(?P<name>.{1,80}?)</strong>"
    r"(?P<aside>(?:,?\s?(?:\((?:[^()<>]|<[^<>]*>){1,160}\)|<(?P<tag>em|code|sup|a)\b[^<>]*>[^<>]{1,80}</(?P=tag)>)"
    r"|\s/\s<strong>[^<>]{1,80}</strong>){1,3}"
    r"(?=\s*[:—–]|\s-{1,2}\s))?"
    r"(?P<separator>\s*(?::|[—–]|\s-{1,2}(?=\s))\s*|)(?P<rest>.*)</p>"
)
"""A paragraph that begins with a bold name. A colon inside or after the name, or a dash, may
separate it.

Between them may be another bold name, or an aside in brackets or with markup.
"""
NOTE_MARK = re.compile(r"<sup>\[[^<>]*\]</sup>")


def list_terms(html: str, lines: Sequence[int]) -> tuple[Candidate, ...]:
    """Returns the items of a list as terms if all are `Name - text`; `lines` are the first lines of
    the items."""
    items = ITEM.findall(html)
    if len(items) != len(lines):
        return ()
    candidates = []
    for item, line in zip(items, lines, strict=True):
        lead = re.match(LEAD, item)
        name = words_of(lead["name"]) if lead else ""
        if lead is None or not name or len(name.split()) > MAX_WORDS or is_label(name):
            return ()
        text = item[lead.end() :].removesuffix("</p>")
        candidates.append(Candidate((name,), f"<p>{text}</p>", line))
    return tuple(candidates)


def bold_name(html: str, line: int) -> Candidate | None:
    """Returns the bold name that a paragraph begins with, with an aside, and the rest of the
    paragraph."""
    match = re.fullmatch(PARAGRAPH, html)
    if match is None:
        return None
    name_html = match["name"] + NOTE_MARK.sub("", match["aside"] or "")
    name = words_of(name_html).rstrip(":")
    rest = f"<p>{match['rest']}</p>" if match["rest"] else ""
    is_separate = match["separator"] or match["name"].endswith(":") or not rest
    return Candidate(names=(name,), html=rest, line=line) if name and is_separate else None


MIN_LISTED = 3
"""Below this number of names, a list is read as terms only where it is all that there is."""
MAX_REMARK = 8
"""The maximum number of words beside tables that may be just a remark: "To be completed"."""
TABLE = re.compile(r"<table\b(?:(?!</?table\b).)*</table>", re.S)
ROWS = 4
"""The minimum ratio of rows to texts for which all terms are in tables."""
BETWEEN_NAMES = r"[,;](?![^()<>]*[)>])"
"""The separators of other names in a cell."""
ANCHOR = r"(?<=\s)(?:id|name)=[\"']?([^\"'\s>]+)"
TITLE = re.compile(r"<th\b[^<>]*>(.*?)</th>", re.S)

TableRow = tuple[int, Sequence[str]]
"""A line, and the HTML of the cells of a row that begins there."""


class ListedTerms(NamedTuple):
    """The rows of a table as candidates, or as guesses where its titles are unknown."""

    candidates: tuple[Candidate, ...] = ()
    guesses: tuple[Candidate, ...] = ()
    is_legend: bool = False
    """True if the guesses are values, such as statuses, or former names."""


def text_block(
    html: str, line: int, form: Literal["paragraph", "list", "table"], listed: ListedTerms
) -> Block:
    """Returns the block of a text with the terms in it; `form` is the element that has the
    candidates."""
    return Block(
        line=line,
        html=html,
        candidates=listed.candidates,
        guesses=listed.guesses,
        is_legend=listed.is_legend,
        form=form if listed.candidates else "",
    )


def table_terms(rows: Sequence[TableRow]) -> ListedTerms:
    """Returns the terms in the rows of a table; the first row has the titles."""
    if not rows:
        return ListedTerms()
    titles, *texts = [_cell_texts(cells) for _, cells in rows]
    found = columns_by_title(titles)
    if found:
        return ListedTerms(candidates=_row_candidates(rows[1:], titles, found))
    guessed = columns_by_content(titles, texts)
    if guessed is None:
        return ListedTerms()
    guesses = _row_candidates(rows[1:], titles, guessed)
    is_legend = folded_title(titles[guessed.name]) in ATTRIBUTES
    return ListedTerms(guesses=guesses, is_legend=is_legend)


def is_comparison(html: str, names: Collection[str]) -> bool:
    """Returns whether a text is only a table in which most titles of columns are among these folded
    names."""
    tables = _table_titles(html)
    if len(tables) != 1:
        return False
    titles = [words.fold(title) for title in tables[0][1:]]
    return sum(title in names for title in titles) * 2 > len(titles) > 1


def has_only_terms(html: str) -> bool:
    """Returns whether a text is only tables whose titles are like "Term" and "Definition", and at
    most a remark."""
    tables = _table_titles(html)
    return bool(tables) and all(map(_are_titles_of_terms, tables))


def _are_titles_of_terms(titles: Sequence[str]) -> bool:
    if not titles or folded_title(titles[0]) not in TERMS:
        return False
    return columns_by_title(titles) is not None


def _table_titles(html: str) -> list[list[str]]:
    """Returns the titles of each table in a text; none if there is more in it than a remark."""
    if not html.startswith("<table") or len(_cell_text(TABLE.sub("", html)).split()) > MAX_REMARK:
        return []
    return [_cell_texts(TITLE.findall(table)) for table in TABLE.findall(html)]


def _row_candidates(
    rows: Sequence[TableRow], titles: Sequence[str], columns: Columns
) -> tuple[Candidate, ...]:
    """Returns a candidate for each row. Columns without a use are added to the definition, but for
    a row's number."""
    labels: dict[int, str] = {}
    others: list[int] = []
    for number, title in enumerate(titles):
        if number in columns:
            continue
        if folded_title(title) in OTHER_NAMES:
            others.append(number)
        elif not _has_numbers(rows, number):
            labels[number] = _label(title)
    candidates = []
    for line, cells in rows:
        if len(cells) <= max(columns) or not any(cells):
            continue
        cells = [*cells, *[""] * (len(titles) - len(cells))]
        name, html = cells[columns.name], cells[columns.definition].strip()
        names = _names(name)
        for number in others:
            for part in re.split(BETWEEN_NAMES, cells[number]):
                names += _names(part)
        if not html.startswith("<p"):
            html = f"<p>{html}</p>"
        for number, label in labels.items():
            if cells[number].strip():
                html += f"<p>{label}{cells[number]}</p>"
        candidates.append(Candidate(tuple(names), html, line, tuple(re.findall(ANCHOR, name))))
    return tuple(candidates)


def _label(title: str) -> str:
    """Returns the HTML above the cells of a column in a definition."""
    if folded_title(title) in AVOID:
        return "<em>Avoid</em>: "
    return f"<strong>{escape(title)}</strong>: " if title else ""


def _names(cell: str) -> list[str]:
    """Returns the names in a cell, without markup."""
    return [*filter(None, _cell_texts(names_in_cell(cell)))]


def _has_numbers(rows: Sequence[TableRow], column: int) -> bool:
    """Returns whether the cells of a column are 1, 2, 3 and so on."""
    texts = [_cell_text(cells[column]).strip(" .)") for _, cells in rows if column < len(cells)]
    return texts == [str(number) for number in range(1, len(texts) + 1)]


def _cell_texts(cells: Iterable[str]) -> list[str]:
    return [_cell_text(cell) for cell in cells]


def _cell_text(cell: str) -> str:
    return without_asterisks(words_of(without_math(BREAK.sub(" ", cell))))


def accept_guesses(nodes: Sequence[HeadingNode], intro: HeadingNode) -> None:
    """Converts guesses to candidates in place: those in tables with more terms than the lists, or
    in lists alone."""
    _drop_side_tables((intro, *nodes))
    blocks = [block for node in (intro, *nodes) for block in node.body]
    listed = count_terms(block for block in blocks if block.form != "table")
    rows = sum(len(block.guesses) for block in blocks if not _is_bulleted(block))
    if 0 < listed >= rows:
        return
    only_tables = any(block.candidates for block in blocks)
    is_only_text = not any(node.has_text for node in nodes)

    def is_accepted(block: Block) -> bool:
        if not block.guesses or not _is_bulleted(block):
            return bool(block.guesses)
        return not only_tables and (is_only_text or len(block.guesses) >= MIN_LISTED)

    bodies = [(node, node.body) for node in (intro, *nodes)]
    for node, body in bodies:
        node.body = [_accepted(block) if is_accepted(block) else block for block in body]
    if not terms_are_in_lists(nodes, intro):
        for node, body in bodies:
            node.body = body


def _accepted(block: Block) -> Block:
    """Returns a text whose guesses are its terms."""
    form: Literal["list", "table"] = "list" if _is_bulleted(block) else "table"
    return block._replace(candidates=block.guesses, form=form)


def _is_bulleted(block: Block) -> bool:
    return block.html.startswith("<ul")


def count_terms(blocks: Iterable[Block]) -> int:
    """Returns the number of names with definitions in texts."""
    return sum(len(block.candidates) for block in blocks)


def _drop_side_tables(nodes: Sequence[HeadingNode]) -> None:
    """Removes the guesses in tables that are about terms, in place, if others have terms.

    These are tables of statuses and former names, overviews of the headings, and tables that lead
    from a name to a term of another table.
    """
    blocks = [block for node in nodes for block in node.body if block.html.startswith("<table")]
    tables = [block for block in blocks if block.candidates or block.guesses]
    headings = {words.fold(node.name) for node in nodes}
    terms: set[str] = set()
    for table in tables:
        terms.update(_folded_names(table))
    guessed = [table for table in tables if table.guesses]
    side = {id(table) for table in guessed if _is_side_table(table, headings, terms)}
    if not side or len(side) == len(tables):
        return
    for node in nodes:
        for number, block in enumerate(node.body):
            if id(block) in side:
                node.body[number] = block._replace(guesses=())


def _is_side_table(block: Block, headings: Collection[str], terms: Collection[str]) -> bool:
    if block.is_legend:
        return True
    named = sum(name in headings for name in _folded_names(block))
    defined = sum(words.fold(_cell_text(guess.html)) in terms for guess in block.guesses)
    return 2 * max(named, defined) >= len(block.guesses)


def _folded_names(block: Block) -> list[str]:
    rows = block.candidates or block.guesses
    return [words.fold(row.names[0]) for row in rows if row.names]


@dataclass(slots=True)
class TextCounts:
    """How many texts below headings are lists of terms."""

    lists: int = 0
    lone_items: int = 0
    """Lists of one term."""
    others: int = 0
    rows: int = 0
    """The terms in texts with a table of terms."""


def terms_are_in_lists(nodes: Sequence[HeadingNode], intro: HeadingNode) -> bool:
    """True if most texts of the document are lists of names with definitions.

    Each heading with such a list, and each item of a list right under the title, outweighs one
    heading with another text. A few lists among many definitions are part of those definitions.
    """
    if not intro.candidates and not any(node.candidates for node in nodes):
        return False
    texts = [node for node in nodes if node.has_text and not node.is_auxiliary()]
    if not texts:
        return len(intro.candidates) > 0
    counts = _counted(texts)
    if counts.lists and not counts.others:
        return True
    items = [one for one in intro.candidates if not may_be_label(one.names[0])]
    in_lists = len(items) + counts.lists
    if not in_lists:
        return False
    outweigh_texts = in_lists >= counts.lone_items + counts.others
    are_mostly_rows = counts.rows >= ROWS * len(texts)
    return outweigh_texts or are_mostly_rows


def _counted(texts: Sequence[HeadingNode]) -> TextCounts:
    headings_with: Counter[str] = Counter()
    for node in texts:
        names: set[str] = set()
        for candidate in node.candidates:
            names.update(candidate.names)
        headings_with.update(names)
    counts = TextCounts()
    for node in texts:
        if _is_list(node, headings_with):
            counts.lists += 1
        elif _is_lone_item(node, headings_with):
            counts.lone_items += 1
        else:
            counts.others += 1
        if any(block.form == "table" for block in node.body):
            counts.rows += len(node.candidates)
    return counts


def _is_list(node: HeadingNode, headings_with: Counter[str]) -> bool:
    """Returns whether the text is a list of terms after at most a few words.

    Names that repeat under other headings are labels; so are those that may be labels, unless below
    a letter. One term is enough in a table, below a letter, and if its name is a target of links.
    """
    names = [candidate.names[0] for candidate in node.candidates]
    are_rows = all(block.form == "table" for block in node.body)
    are_targets = all(candidate.anchors for candidate in node.candidates)
    one_is_enough = node.is_letter() or are_rows or are_targets
    if len(names) < (1 if one_is_enough else 2):
        return False
    first = next(number for number, block in enumerate(node.body) if block.candidates)
    labels = 0
    for name in names:
        is_repeated = headings_with[name] > 1
        if is_repeated or (may_be_label(name) and not node.is_letter()):
            labels += 1
    return first < 2 and labels * 2 <= len(names)


def _is_lone_item(node: HeadingNode, headings_with: Counter[str]) -> bool:
    """Returns whether the text is a list of one term after at most a few words, where other
    sections have more."""
    names = [candidate.names[0] for candidate in node.candidates]
    is_list = [block.form for block in node.body] in (["list"], ["", "list"])
    if not is_list or len(names) != 1:
        return False
    return headings_with[names[0]] == 1 and not may_be_label(names[0])


def drop_asides(nodes: Sequence[HeadingNode]) -> None:
    """Converts candidates outside of tables to text, in place, if most terms are in tables.

    Lists of abbreviations, and texts that are mostly names with definitions, are not converted.
    Numbered lists are usually rules: candidates in them do not count.
    """
    rows = items = 0
    for node in nodes:
        for block in node.body:
            if block.form == "table":
                rows += len(block.candidates)
            else:
                items += len(block.candidates)
    if rows <= items:
        return
    for node in nodes:
        beside = [block for block in node.body if block.form != "table"]
        named = count_terms(block for block in beside if not block.html.startswith("<ol"))
        is_list = named > 0 and named * 2 >= len(beside)
        if is_list or re.match(ABBREVIATIONS, node.name):
            continue
        for number, block in enumerate(node.body):
            if block.form != "table":
                node.body[number] = block._replace(candidates=(), form="")


def candidates_below(node: HeadingNode, section: str) -> Iterator[Candidate]:
    """Yields the candidates in the texts below a heading. Their section is the nearest heading that
    is no letter."""
    for child in node.children:
        if child.heading.kind != "auxiliary":
            inner = section if child.is_letter() else child.name
            yield from candidates_in(child, inner)
            yield from candidates_below(child, inner)


def candidates_in(node: HeadingNode, section: str) -> Iterator[Candidate]:
    """Yields the candidates in one text. A name without a definition, above other names, is their
    section."""
    past = 0
    body = node.body
    for number, block in enumerate(body):
        if number >= past > 0 and block.html.startswith("<p><strong>") and not block.candidates:
            yield Candidate(names=(), html=block.html, line=block.line)
        if number < past or not block.candidates:
            continue
        *complete, last = block.candidates
        past = number + 1
        if block.form == "paragraph":
            past = _end_of_definition(body, past, has_begun=last.html != "")
            more = "".join(text.html for text in body[number + 1 : past])
            last = last._replace(html=last.html + more)
        for candidate in complete:
            yield candidate._replace(section=candidate.section or section)
        if block.form == "paragraph" and not last.html and past < len(body):
            section = last.names[0]
        else:
            yield last._replace(section=last.section or section)


def _end_of_definition(body: list[Block], start: int, *, has_begun: bool) -> int:
    """Returns the index of the next name. A list belongs to a definition that begins before it."""
    for number in range(start, len(body)):
        continues = body[number].form == "list" and (has_begun or number > start)
        if body[number].candidates and not continues:
            return number
    return len(body)
