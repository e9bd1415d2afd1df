"""Decides whether the lists and tables of a document have its terms.

`listed_terms` finds names with definitions inside one list, paragraph or table. This module looks
at all of them: whether most texts are lists of terms, which guesses are accepted, and which tables
are only about terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import GLOSSARY_HEADING
from sitegen.formats.common.listed_terms import cell_text
from sitegen.formats.common.structure import Block, HeadingNode
from sitegen.text.words import folded_words

MIN_LISTED = 3
"""The minimum number of paragraphs that begin with a plain name: "Left: the west of it." and
"Right: the east of it." below the heading of a term are its parts."""
NO_TABLES = ("<p>", "<ul", "<ol")
MIN_LETTERS = 4
"""The minimum number of letters in an index of names. Fewer may be terms: the languages C and R."""
ROWS_FOR_A_TEXT = 4
"""The minimum ratio of rows to texts for which all terms are in tables, or in lists below a heading
"Glossary": below three headings on how to write and help there may be a table of twelve words."""


def with_guesses(top: HeadingNode) -> HeadingNode:
    """Returns the headings, with the guesses that are accepted as candidates.

    A guess is a name that only its form shows: the paragraph `Jig: Holds a part.`, or a row of a
    table with unknown titles.
    """
    # 1. Bold subjects of paragraphs, below the letters of an index.
    letters = sum(node.is_letter() for node in top.walk())
    if letters >= MIN_LETTERS:
        top = top.with_texts(_with_subjects_below_letter)

    # 2. Plain names, if they are most texts. Tables are then part of definitions.
    with_plain_names = top.with_texts(_with_plain_names)
    has_plain_names = with_plain_names is not top  # the same object has the same texts
    if has_plain_names and terms_are_in_lists(with_plain_names):
        return with_plain_names

    # 3. A short list, if it is all that there is: among texts, it may be about anything.
    if not any(node.has_text for node in top.walk()):
        top = top.with_texts(_with_short_lists)

    # 4. The rows of tables, unless more names are elsewhere: a table is then part of a definition.
    top = _without_side_tables(top)
    names = rows = 0
    for block in _texts(top):
        if block.form != "table":
            names += len(block.candidates)
        if not block.html.startswith(NO_TABLES):
            rows += len(block.guesses)
    return top if names > rows else top.with_texts(_with_guessed_rows)


def _with_subjects_below_letter(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading. Below a letter, the bold subjects of paragraphs are names,
    "Jig" of `**Jig** is a frame.`, and those of a short list: `- Jig - a frame`."""
    if not node.is_letter():
        return node.body
    body = []
    for block in node.body:
        if block.guesses and block.html.startswith("<p><strong>"):
            block = block._replace(candidates=block.guesses, form="paragraph")
        elif block.guesses and block.html.startswith("<ul"):
            block = block._replace(candidates=block.guesses, form="list")
        body.append(block)
    return body


def _with_plain_names(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading, with the plain names at the start of paragraphs.

    They are only accepted if most paragraphs, and at least three, begin with one.
    """
    paragraphs = paragraphs_with_name = 0
    body: list[Block] = []
    for block in node.body:
        if block.html.startswith("<p>"):
            paragraphs += 1
            if block.guesses:
                paragraphs_with_name += 1
                block = block._replace(candidates=block.guesses, form="paragraph")
        body.append(block)
    most_have_a_name = 2 * paragraphs_with_name > paragraphs
    if most_have_a_name and paragraphs_with_name >= MIN_LISTED:
        return body
    return node.body


def _with_short_lists(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading, with the guesses in lists as candidates."""
    body = []
    for block in node.body:
        if block.guesses and block.html.startswith("<ul"):
            block = block._replace(candidates=block.guesses, form="list")
        body.append(block)
    return body


def _with_guessed_rows(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading, with the guessed rows of tables as candidates."""
    body = []
    for block in node.body:
        if block.guesses and not block.html.startswith(NO_TABLES):
            block = block._replace(candidates=block.guesses, form="table")
        body.append(block)
    return body


def _texts(top: HeadingNode) -> list[Block]:
    """Returns the texts below all headings."""
    texts = [*top.body]
    for node in top.walk():
        texts += node.body
    return texts


def _without_side_tables(top: HeadingNode) -> HeadingNode:
    """Returns the headings without the guesses in side tables. If all tables are side tables,
    nothing changes."""
    headings = {folded_words(node.name) for node in (top, *top.walk())}
    tables = [block for block in _texts(top) if block.html.startswith("<table")]
    names_in_tables: set[str] = set()
    for block in tables:
        names_in_tables.update(_folded_names(block.candidates or block.guesses))

    side_tables = [one for one in tables if _is_side_table(one, headings, names_in_tables)]
    if len(side_tables) == len(tables):
        return top

    def without_guesses(block: Block) -> Block:
        return block._replace(guesses=()) if block in side_tables else block

    return top.with_texts(lambda node: [*map(without_guesses, node.body)])


def _is_side_table(
    table: Block, headings: Collection[str], names_in_tables: Collection[str]
) -> bool:
    """Returns whether a table says something about the terms: statuses ("draft | may still
    change"), an overview of the headings, or former names of terms ("Work holder | Jig")."""
    rows = table.guesses
    is_overview = _half_are_known(rows, _folded_names(rows), headings)
    definitions = [folded_words(cell_text(row.html)) for row in rows]
    has_former_names = _half_are_known(rows, definitions, names_in_tables)
    return table.is_legend or is_overview or has_former_names


def _folded_names(rows: Iterable[Candidate]) -> list[str]:
    """Returns the first name of each row of a table, folded by `folded_words`."""
    return [folded_words(row.names[0]) for row in rows if row.names]


def _half_are_known(
    rows: Sequence[Candidate], texts: Iterable[str], known: Collection[str]
) -> bool:
    """Returns whether the text of at least half of the rows is known. `texts` has one text for each
    row, its name or its definition."""
    known_rows = sum(text in known for text in texts)
    return known_rows > 0 and 2 * known_rows >= len(rows)


def terms_are_in_lists(top: HeadingNode) -> bool:
    """Returns whether most texts below the headings are lists of names with definitions."""
    nodes_with_text = [node for node in top.walk() if node.has_text and not node.is_auxiliary()]
    if not nodes_with_text:
        return bool(top.candidates)
    headings_by_name = _count_headings_by_name(nodes_with_text)
    list_nodes = [node for node in nodes_with_text if _is_list(node, headings_by_name)]

    # 1. Tables, or lists below "Glossary", have far more terms than there are texts, so they are no
    #    part of definitions.
    rows = 0
    for node in list_nodes:
        has_table = any(block.form == "table" for block in node.body)
        if has_table or GLOSSARY_HEADING.fullmatch(node.name):
            rows += len(node.candidates)
    if rows >= ROWS_FOR_A_TEXT * len(nodes_with_text):
        return True

    # 2. There are at least as many lists, and items right below the title, as other texts.
    other_texts = len(nodes_with_text) - len(list_nodes)
    return len(list_nodes) + len(top.candidates) >= max(1, other_texts)


def _count_headings_by_name(nodes_with_text: Iterable[HeadingNode]) -> Counter[str]:
    """Counts below how many headings each name is listed: 2 for "Use" in lists below "Jig" and
    below "Saw"."""
    headings: Counter[str] = Counter()
    for node in nodes_with_text:
        names: set[str] = set()
        for candidate in node.candidates:
            names.update(candidate.names)
        headings.update(names)
    return headings


def _is_list(node: HeadingNode, headings_by_name: Counter[str]) -> bool:
    """Returns whether the text below a heading is a list of at least two terms. One term is enough
    in a table, and below a letter."""
    # One other block may be above the list.
    has_list_near_start = any(block.candidates for block in node.body[:2])
    if not has_list_near_start:
        return False
    terms = node.candidates
    is_only_tables = all(block.form == "table" for block in node.body)
    is_one_term_enough = is_only_tables or node.is_letter()
    if len(terms) < 2 and not is_one_term_enough:
        return False
    # Labels, such as "Use" below every heading, are no terms.
    labels = [term for term in terms if headings_by_name[term.names[0]] > 1]
    return 2 * len(labels) <= len(terms)


def without_asides(top: HeadingNode) -> HeadingNode:
    """Returns the headings without the names beside tables, if most names are in tables. These are
    remarks, such as "Note: ask first.", and stay as text."""
    rows = items = 0
    for block in _texts(top):
        if block.form == "table":
            rows += len(block.candidates)
        else:
            items += len(block.candidates)
    if rows > items:
        return top.with_texts(_without_remarks)
    return top


def _without_remarks(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading. Only tables keep their candidates.

    Nothing changes below a heading where the other texts are mostly names with definitions.
    """
    if _is_mostly_list(node):
        return node.body
    body = []
    for block in node.body:
        if block.form != "table":
            block = block._replace(candidates=(), form="")
        body.append(block)
    return body


def _is_mostly_list(node: HeadingNode) -> bool:
    """Returns whether the texts outside tables are mostly names with definitions. Items of numbered
    lists do not count: they usually are rules."""
    text_count = name_count = 0
    for block in node.body:
        if block.form == "table":
            continue
        text_count += 1
        if not block.html.startswith("<ol"):
            name_count += len(block.candidates)
    return 2 * name_count >= text_count
