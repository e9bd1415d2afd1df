"""Decides whether the lists and tables of a document have its terms, and yields these.

`listed_terms` finds names with definitions inside one list, paragraph or table. This module looks
at all of them: whether most texts are lists of terms, which guesses are accepted, and which tables
are only about terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sitegen.formats.common.entries import Candidate, text_of_html
from sitegen.formats.common.headings import LETTER, may_be_label
from sitegen.formats.common.listed_terms import cell_text
from sitegen.formats.common.structure import Block, HeadingNode, TextForm
from sitegen.text.words import folded_words

MIN_LISTED = 3
"""Below this number of names, a list is read as terms only where it is all that there is: "Left:
the west of it." and "Right: the east of it." below the heading of a term are its parts."""
MIN_LETTERS = 4
"""The minimum number of letters in an index of names. Fewer may be terms: the languages C and R."""
ROWS_FOR_A_TEXT = 4
"""The minimum ratio of rows to texts for which all terms are in tables: below three headings on how
to write and help there may be a table of twelve words."""


def with_guesses(top: HeadingNode) -> HeadingNode:
    """Returns the headings with guesses as candidates: those in lists below letters, bold ones in
    paragraphs among other names, and those in most paragraphs below a heading, if the terms are
    then in lists, or else those in tables and lists, unless other lists have as many terms.

    Guesses are made where nothing but its form says that a text is a name: the paragraph
    `Jig: Holds a part.`, a row of a table with unknown titles.
    """
    if sum(node.is_letter() for node in top.walk()) >= MIN_LETTERS:
        top = top.with_texts(_with_lists_below_letter)
    top = top.with_texts(_with_bold_subjects)
    with_plain_names = top.with_texts(_with_plain_names)
    if with_plain_names is not top and terms_are_in_lists(with_plain_names):
        return with_plain_names
    top = _without_side_tables(top)
    if _are_terms_listed(top):
        return top
    has_texts_below = any(node.has_text for node in top.walk())
    min_listed = MIN_LISTED if has_texts_below else 1  # a short list may be about anything
    least: dict[TextForm, int] = {"table": 1, "list": min_listed}
    return top.with_texts(lambda node: [_accepted(block, least) for block in node.body])


def _are_terms_listed(top: HeadingNode) -> bool:
    """Returns whether there are names outside of tables, and not more guesses in tables."""
    listed = guessed_rows = 0
    for block in _texts(top):
        if block.form != "table":
            listed += len(block.candidates)
        if _form_of_guesses(block) == "table":
            guessed_rows += len(block.guesses)
    return listed > 0 and listed >= guessed_rows


def _with_lists_below_letter(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading, with the guesses in lists if it is a letter."""
    if node.is_letter():
        return [_accepted(block, {"list": 1}) for block in node.body]
    return node.body


def _with_bold_subjects(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading with the bold names that are the subjects of paragraphs,
    `**Jig** is a frame.`, if three other paragraphs at least begin with a name."""
    names = 0
    for block in node.body:
        if block.form == "paragraph":
            names += len(block.candidates)
    if names < MIN_LISTED:
        return node.body
    body = []
    for block in node.body:
        if _begins_bold(block):
            block = _accepted(block, {"paragraph": 1})
        body.append(block)
    return body


def _with_plain_names(node: HeadingNode) -> list[Block]:
    """Returns the texts below a heading with the plain names that paragraphs begin with, if most
    paragraphs do, and three at least."""
    paragraphs = named = 0
    body: list[Block] = []
    for block in node.body:
        if block.html.startswith("<p>"):
            paragraphs += 1
            if block.guesses:
                named += 1
                block = _accepted(block, {"paragraph": 1})
        body.append(block)
    if named >= MIN_LISTED and 2 * named > paragraphs:
        return body
    return node.body


def _accepted(block: Block, least: Mapping[TextForm, int]) -> Block:
    """Returns a text with its guesses as candidates, if these are at least as many as `least` has
    for their form."""
    form = _form_of_guesses(block)
    if form in least and len(block.guesses) >= least[form]:
        return block._replace(candidates=block.guesses, form=form)
    return block


def _form_of_guesses(block: Block) -> TextForm:
    """Returns in what the guesses of a text are, by its first element."""
    if block.html.startswith("<p>"):
        return "paragraph"
    if block.html.startswith("<ul"):
        return "list"
    return "table"


def _texts(top: HeadingNode) -> list[Block]:
    """Returns the texts below all headings."""
    texts = [*top.body]
    for node in top.walk():
        texts += node.body
    return texts


def _without_side_tables(top: HeadingNode) -> HeadingNode:
    """Returns the headings without the guesses in tables that are about terms, if other tables have
    terms.

    These are tables of statuses ("draft | may still change"), overviews of the headings, and tables
    from an earlier name to a term ("Work holder | Jig").
    """
    headings = {folded_words(node.name) for node in (top, *top.walk())}
    tables = [block for block in _texts(top) if block.html.startswith("<table")]
    terms: set[str] = set()
    for block in tables:
        terms.update(folded_names(block.candidates or block.guesses))
    side_tables: list[Block] = []
    for block in tables:
        rows = block.guesses
        definitions = [folded_words(cell_text(row.html)) for row in rows]
        is_overview = are_most(rows, folded_names(rows), headings)
        leads_to_terms = are_most(rows, definitions, terms)
        if block.is_legend or is_overview or leads_to_terms:
            side_tables.append(block)
    if len(side_tables) == len(tables):
        return top

    def without_guesses(block: Block) -> Block:
        return block._replace(guesses=()) if block in side_tables else block

    return top.with_texts(lambda node: [*map(without_guesses, node.body)])


def folded_names(rows: Iterable[Candidate]) -> list[str]:
    """Returns the first name of each row of a table, as `folded_words` has it."""
    return [folded_words(row.names[0]) for row in rows if row.names]


def are_most(rows: Sequence[Candidate], texts: Iterable[str], known: Collection[str]) -> bool:
    """Returns whether at least half of the rows have one of the known texts. `texts` has one for
    each row: its name, or its definition."""
    number = 0
    for text in texts:
        if text in known:
            number += 1
    return number > 0 and 2 * number >= len(rows)


def terms_are_in_lists(top: HeadingNode) -> bool:
    """True if most texts below the headings are lists of names with definitions.

    Each heading with such a list, and each item of a list right under the title, outweighs one
    heading with another text. A few lists among many definitions are part of those definitions,
    but a large table is not.
    """
    nodes_with_text = [node for node in top.walk() if node.has_text and not node.is_auxiliary()]
    if not nodes_with_text:
        return bool(top.candidates)
    headings_with = _headings_with(nodes_with_text)
    list_nodes = [node for node in nodes_with_text if _is_list(node, headings_with)]
    lone_items = [node for node in nodes_with_text if _is_lone_item(node)]
    # 1. All texts are lists: `## A`, `## B`, each above a list.
    if list_nodes and len(list_nodes) + len(lone_items) >= len(nodes_with_text):
        return True
    # 2. Tables have far more terms than there are texts.
    rows = 0
    for node in list_nodes:
        if any(block.form == "table" for block in node.body):
            rows += len(node.candidates)
    if rows >= ROWS_FOR_A_TEXT * len(nodes_with_text):
        return True
    # 3. Lists, and items below the title, are as many as other texts.
    items_below_title = 0
    for candidate in top.candidates:
        if not may_be_label(candidate.names[0]):
            items_below_title += 1
    other_texts = len(nodes_with_text) - len(list_nodes)
    return len(list_nodes) + items_below_title >= max(1, other_texts)


def _headings_with(nodes_with_text: Iterable[HeadingNode]) -> Counter[str]:
    """Returns the number of headings below which each name is listed: 2 for "Use" in lists below
    "Jig" and below "Saw"."""
    headings: Counter[str] = Counter()
    for node in nodes_with_text:
        names: set[str] = set()
        for candidate in node.candidates:
            names.update(candidate.names)
        headings.update(names)
    return headings


def _is_list(node: HeadingNode, headings_with: Counter[str]) -> bool:
    """Returns whether the text is a list of terms after at most one other block.

    Names that repeat under other headings are labels. One term is enough in a table, and below a
    letter.
    """
    terms = node.candidates
    if not any(block.candidates for block in node.body[:2]):
        return False
    are_rows = all(block.form == "table" for block in node.body)
    if len(terms) < 2 and not (are_rows or node.is_letter()):
        return False
    labels = [term for term in terms if headings_with[term.names[0]] > 1]
    return 2 * len(labels) <= len(terms)


def _is_lone_item(node: HeadingNode) -> bool:
    """Returns whether the text is a list of one term after at most one other block."""
    forms = [block.form for block in node.body]
    return len(node.candidates) == 1 and forms in (["list"], ["", "list"])


def without_asides(top: HeadingNode) -> HeadingNode:
    """Returns the headings with the candidates outside of tables as text, if most terms are in
    tables: "Note: ask first." below a table is a remark."""
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
    """Returns the texts below a heading, those outside tables without candidates, unless they are
    mostly names with definitions."""
    if _is_mostly_list(node):
        return node.body
    body = []
    for block in node.body:
        if block.form != "table":
            block = block._replace(candidates=(), form="")
        body.append(block)
    return body


def _is_mostly_list(node: HeadingNode) -> bool:
    """Returns whether the texts that are no tables are mostly names with definitions. Those in
    numbered lists, which usually are rules, do not count."""
    text_count = name_count = 0
    for block in node.body:
        if block.form == "table":
            continue
        text_count += 1
        if not block.html.startswith("<ol"):
            name_count += len(block.candidates)
    return 2 * name_count >= text_count


def candidates_below(node: HeadingNode, section: str = "") -> Iterator[Candidate]:
    """Yields the candidates in the text of a heading, and in those below it. The section of the
    latter is the nearest heading that is no letter."""
    yield from candidates_in(node, section)
    for child in node.children:
        if child.heading.kind != "auxiliary":
            inner = section if child.is_letter() else child.name
            yield from candidates_below(child, inner)


def candidates_in(node: HeadingNode, section: str) -> Iterator[Candidate]:
    """Yields the candidates in one text. A name without a definition, above other names, is their
    section: `**Tools**`, `**Jig**: Holds.`, `**Saw**: Cuts.` are two terms of the section
    "Tools"."""
    is_below_name = False
    texts = _with_continuations(node.body)
    for number, (block, below) in enumerate(texts, start=1):
        if not block.candidates:
            if is_below_name and _begins_bold(block) and not _is_letter(block):
                # A name that was not understood is reported.
                yield Candidate(names=(), html=block.html, line=block.line)
            continue
        is_below_name = True
        *complete, last = block.candidates
        for candidate in complete:
            yield candidate._replace(section=candidate.section or section)
        html = last.html + "".join(below)
        is_defined = html != "" or block.form != "paragraph"
        is_last = number == len(texts)
        if is_defined or is_last:
            yield last._replace(html=html, section=last.section or section)
        else:
            section = last.names[0]


def texts_left_out(top: HeadingNode) -> Iterator[Block]:
    """Yields the texts between names that are part of no definition."""
    for node in (top, *top.walk()):
        # The text below a title is read, whatever the title is.
        if node is not top and node.heading.kind == "auxiliary":
            continue
        is_below_name = False
        since_name: list[Block] = []
        for block, _ in _with_continuations(node.body):
            if block.candidates:
                yield from since_name
                since_name = []
                is_below_name = True
            elif is_below_name and _is_text_of_its_own(block):
                since_name.append(block)


def _is_text_of_its_own(block: Block) -> bool:
    """Returns whether a text is no letter, no menu and no name that was not understood."""
    if block.is_contents or _is_letter(block) or _begins_bold(block):
        return False
    return text_of_html(block.html) != ""


def _begins_bold(block: Block) -> bool:
    return block.html.startswith("<p><strong>")


class ContinuedText(NamedTuple):
    """A text below a heading, and the texts below it that continue its last definition."""

    block: Block
    below: list[str]
    """The HTML of the latter."""


def _with_continuations(body: Iterable[Block]) -> list[ContinuedText]:
    """Returns the texts that do not continue a definition, with those that do: of
    `**Jig**: Holds.`, a list, `**Saw**: Cuts.`, the list is with "Jig"."""
    texts: list[ContinuedText] = []
    for block in body:
        if texts and _continues(block, texts[-1]):
            texts[-1].below.append(block.html)
        else:
            texts.append(ContinuedText(block, below=[]))
    return texts


def _continues(block: Block, above: ContinuedText) -> bool:
    """Returns whether a text continues the definition of the last name in a paragraph above it. A
    letter does not: it belongs to the names below it. A list of names does if the definition has
    begun."""
    if above.block.form != "paragraph" or _is_letter(block):
        return False
    if not block.candidates:
        return True
    has_begun = above.block.candidates[-1].html != "" or len(above.below) > 0
    return block.form == "list" and has_begun


def _is_letter(block: Block) -> bool:
    """Returns whether a text is a letter of the alphabet, which belongs to the names below it."""
    return block.html.startswith("<p>") and LETTER.fullmatch(text_of_html(block.html)) is not None
