"""Decides whether the lists and tables of a document have its terms, and returns these terms.

`listed_terms` finds names with definitions inside one list, paragraph or table. This module looks
at all of them: whether most texts are lists of terms, which guesses are accepted, which tables are
only about terms, and which text continues the definition above it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sitegen.formats.common.entries import Candidate, text_of_html
from sitegen.formats.common.headings import GLOSSARY_HEADING, LETTER
from sitegen.formats.common.listed_terms import cell_text
from sitegen.formats.common.structure import Block, HeadingNode
from sitegen.text.words import folded_words

MIN_LISTED = 3
"""The minimum number of paragraphs that begin with a plain name: "Left: the west of it." and
"Right: the east of it." below the heading of a term are its parts."""
PARAGRAPH, BOLD_PARAGRAPH, LIST, TABLE = "<p>", "<p><strong>", "<ul", "<table"
"""The beginnings of texts whose guesses can be accepted. A table with a title of its own begins as
a paragraph: it is about something else."""
MIN_LETTERS = 4
"""The minimum number of letters in an index of names. Fewer may be terms: the languages C and R."""
TERMS_FOR_A_TEXT = 4
"""If tables, or lists below a heading "Glossary", have at least this many terms for each text of a
document, they have all its terms: a table of twelve words, where there are two texts more, on how
to write and help."""


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
    has_plain_names = with_plain_names is not top  # the same object if nothing changed
    if has_plain_names and terms_are_in_lists(with_plain_names):
        return with_plain_names

    # 3. A short list, if the document has no texts. Among texts, a list may be about anything.
    if not any(node.has_text for node in top.walk()):
        top = top.with_texts(lambda node: _with_guesses_in(node.body, LIST))

    # 4. The rows of tables, unless more names are elsewhere: a table is then part of a definition.
    top = _without_side_tables(top)
    names = rows = 0
    for block in _texts(top):
        if block.form != "table":
            names += len(block.candidates)
        if block.html.startswith(TABLE):
            rows += len(block.guesses)
    if names > rows:
        return top
    return top.with_texts(lambda node: _with_guesses_in(node.body, TABLE))


def _with_guesses_in(body: Iterable[Block], *beginnings: str) -> list[Block]:
    """Returns texts with their guesses as candidates, if the HTML of the text has one of these
    beginnings. Other texts are unchanged."""
    accepted = []
    for block in body:
        if block.guesses and block.html.startswith(beginnings):
            block = block._replace(candidates=block.guesses)
        accepted.append(block)
    return accepted


def _with_subjects_below_letter(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading. Below a letter, the bold subjects of paragraphs are names,
    "Jig" of `**Jig** is a frame.`, and those of a short list: `- Jig - a frame`."""
    if node.is_letter():
        return _with_guesses_in(node.body, BOLD_PARAGRAPH, LIST)
    return node.body


def _with_plain_names(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading, with the plain names at the start of paragraphs.

    The names are only accepted if most paragraphs, and at least three, begin with one."""
    paragraphs = [block for block in node.body if block.html.startswith(PARAGRAPH)]
    with_name = [block for block in paragraphs if block.guesses]
    if len(with_name) >= MIN_LISTED and 2 * len(with_name) > len(paragraphs):
        return _with_guesses_in(node.body, PARAGRAPH)
    return node.body


def _texts(top: HeadingNode) -> list[Block]:
    """Returns the texts below all headings."""
    texts = [*top.body]
    for node in top.walk():
        texts += node.body
    return texts


def _without_side_tables(top: HeadingNode) -> HeadingNode:
    """Returns the headings without the guesses in side tables, which do not define terms. If all
    tables are side tables, nothing changes."""
    headings = {folded_words(node.name) for node in (top, *top.walk())}
    tables = [block for block in _texts(top) if block.html.startswith(TABLE)]
    names_in_tables: set[str] = set()
    for block in tables:
        names_in_tables.update(_folded_names(block.candidates or block.guesses))

    side_tables = [one for one in tables if _is_side_table(one, headings, names_in_tables)]
    if len(side_tables) == len(tables):
        return top

    def without_guesses(node: HeadingNode) -> list[Block]:
        """Returns the texts below a heading, its side tables without their guesses."""
        body = []
        for block in node.body:
            if block in side_tables:
                block = block._replace(guesses=())
            body.append(block)
        return body

    return top.with_texts(without_guesses)


def _is_side_table(
    table: Block, headings: Collection[str], names_in_tables: Collection[str]
) -> bool:
    """Returns whether a table does not define terms, but says something about them: it explains
    statuses ("draft | may still change"), repeats the headings, or lists former names with the
    present ones ("Work holder | Jig")."""
    rows = table.guesses
    is_overview = _half_are_known(rows, _folded_names(rows), headings)
    # The present name stands where other tables have a definition.
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

    # 1. Tables, or lists below "Glossary", with far more terms than there are texts: they are no
    #    part of definitions.
    terms = 0
    for node in list_nodes:
        has_table = any(block.is_table_of_terms for block in node.body)
        if has_table or GLOSSARY_HEADING.fullmatch(node.name):
            terms += len(node.candidates)
    if terms >= TERMS_FOR_A_TEXT * len(nodes_with_text):
        return True

    # 2. Otherwise, the lists below headings, with each item that is right below the title, have to
    #    be as many as the other texts.
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
    is_only_tables = all(block.is_table_of_terms for block in node.body)
    is_one_term_enough = is_only_tables or node.is_letter()
    if len(terms) < 2 and not is_one_term_enough:
        return False
    # Labels, such as "Use" below every heading, are no terms.
    labels = [term for term in terms if headings_by_name[term.names[0]] > 1]
    return 2 * len(labels) <= len(terms)


def without_asides(top: HeadingNode) -> HeadingNode:
    """Returns the headings without the names outside tables, if most names are in tables. A name
    outside is a remark, such as "Note: ask first.", and stays as text."""
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
            block = block._replace(candidates=())
        body.append(block)
    return body


def _is_mostly_list(node: HeadingNode) -> bool:
    """Returns whether the texts outside tables are mostly names with definitions. Items of numbered
    lists do not count: they usually are rules."""
    text_count = name_count = 0
    for block in node.body:
        if block.is_table_of_terms:
            continue
        text_count += 1
        if not block.html.startswith("<ol"):
            name_count += len(block.candidates)
    return 2 * name_count >= text_count


def candidates_below(node: HeadingNode, section: str = "") -> Iterator[Candidate]:
    """Yields the candidates in the text of a heading, and in the texts of the headings below it,
    without auxiliary ones. Their section is the nearest heading above them that is no letter."""
    yield from candidates_in(node, section)
    for child in node.children:
        if child.heading.kind == "auxiliary":
            continue
        section_of_child = section if child.is_letter() else child.name
        yield from candidates_below(child, section_of_child)


def candidates_in(node: HeadingNode, section: str) -> Iterator[Candidate]:
    """Yields the candidates in the text of one heading.

    A name without a definition is the section of the names below it: the paragraphs `**Tools**`,
    `**Jig**: Holds.`, `**Saw**: Cuts.` are two terms in the section "Tools".
    """
    texts = _with_continuations(node.body)
    for number, (block, below) in enumerate(texts, start=1):
        if not block.candidates:
            continue
        *candidates_before, last = block.candidates
        for candidate in candidates_before:
            yield candidate._replace(section=candidate.section or section)

        html = last.html + "".join(below)
        is_lone_name = html == "" and block.form == "paragraph"
        is_above_texts = number < len(texts)
        if is_lone_name and is_above_texts:
            section = last.names[0]
        else:
            yield last._replace(html=html, section=last.section or section)


def texts_left_out(top: HeadingNode) -> Iterator[Block]:
    """Yields the texts that are between two names but part of no definition."""
    for node in (top, *top.walk()):
        # The text below a title is read, whatever the title is.
        if node is not top and node.heading.kind == "auxiliary":
            continue
        is_below_name = False
        texts_since_name: list[Block] = []  # left out only if another name follows
        for block, _ in _with_continuations(node.body):
            if block.candidates:
                yield from texts_since_name
                texts_since_name = []
                is_below_name = True
            elif is_below_name and _is_plain_text(block):
                texts_since_name.append(block)


def _is_plain_text(block: Block) -> bool:
    """Returns whether a text is not empty, and neither a letter nor a menu."""
    if block.is_contents or _is_letter(block):
        return False
    return text_of_html(block.html) != ""


class ContinuedText(NamedTuple):
    """A text below a heading, and the texts that continue its last definition."""

    block: Block
    below: list[str]
    """The HTML of the texts that continue the definition."""


def _with_continuations(body: Iterable[Block]) -> list[ContinuedText]:
    """Returns the texts below a heading. A text that continues a definition is put with it: of
    `**Jig**: Holds.`, a list, and `**Saw**: Cuts.`, the list is put with "Jig"."""
    texts: list[ContinuedText] = []
    for block in body:
        if texts and _continues(block, texts[-1]):
            texts[-1].below.append(block.html)
        else:
            texts.append(ContinuedText(block, below=[]))
    return texts


def _continues(block: Block, above: ContinuedText) -> bool:
    """Returns whether a text continues the definition in the paragraph above it. A text without
    names does, and a list of names once the definition has begun."""
    if above.block.form != "paragraph" or not above.block.candidates:
        return False
    if _is_letter(block):
        return False  # a letter belongs to the names below it
    if not block.candidates:
        return True
    last_name = above.block.candidates[-1]
    has_definition_begun = last_name.html != "" or len(above.below) > 0
    return block.form == "list" and has_definition_begun


def _is_letter(block: Block) -> bool:
    """Returns whether a text is a letter of the alphabet, as above the names in an index."""
    return block.html.startswith("<p>") and LETTER.fullmatch(text_of_html(block.html)) is not None
