"""Finds what a document has beside the terms that `outline` reads, and reports it: headings that
could be terms, and texts between terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from sitegen.formats.common.entries import text_of_html
from sitegen.formats.common.headings import could_be_name, is_label
from sitegen.formats.common.structure import Block, HeadingNode
from sitegen.model import Document, Problem, ProblemKind, Trouble, and_more
from sitegen.text.words import folded_words

MAX_QUOTED = 8
"""The maximum number of words of a text that a problem quotes."""


def problems(nodes: Iterable[HeadingNode], document: Document) -> Iterator[Problem]:
    """Yields one problem about headings that are not read as terms, at the line of the first. If
    none of them has a name, there is no problem."""
    named_nodes = sorted([node for node in nodes if node.name], key=lambda node: node.heading.line)
    if not named_nodes:
        return
    first, *others = named_nodes
    found = f"'{first.name}' is not read as a term{and_more(others)}"
    wanted = "if it is one, put it between the terms, on their level, and write all in one way"
    problem = Trouble(ProblemKind.ENTRY, found, wanted).at(document.path, line=first.heading.line)
    yield replace(problem, terms=tuple([node.name for node in named_nodes]))


def outside_lists(nodes: Iterable[HeadingNode]) -> list[HeadingNode]:
    """Returns the headings that could be terms, in a document whose terms are in lists."""
    outside = []
    for node in nodes:
        has_only_text = node.has_text and not node.candidates and not node.children
        if has_only_text and could_be_name(node.name):
            outside.append(node)
    return outside


def between_names(texts: Sequence[Block], document: Document) -> Iterator[Problem]:
    """Yields one problem about the texts that are left out between names in lists, at the line of
    the first text."""
    if not texts:
        return
    first, *others = texts
    # A space separates the last word of a paragraph from the next paragraph.
    words = text_of_html(first.html.replace("</p>", "</p> ")).split()
    beginning = " ".join(words[:MAX_QUOTED])
    if len(words) > MAX_QUOTED:
        beginning += " …"
    found = f"'{beginning}' is left out: it is between two terms, and in no definition"
    found += and_more(others)
    trouble = Trouble(ProblemKind.ENTRY, found, "indent it if it belongs to the term above it")
    yield trouble.at(document.path, line=first.line)


def below_terms(headed: Iterable[HeadingNode]) -> list[HeadingNode]:
    """Returns the headings right below terms that could be terms themselves.

    A heading that several terms have, such as "Example", or a label is a part of a definition.
    """
    subheadings: list[HeadingNode] = []
    for node in headed:
        if not node.is_auxiliary():
            subheadings += [child for child in node.children if child.has_text]
    times = Counter([folded_words(node.name) for node in subheadings])

    possible_terms = []
    for node in subheadings:
        is_repeated = times[folded_words(node.name)] > 1
        is_part = is_repeated or is_label(node.name)
        if not is_part and could_be_name(node.name):
            possible_terms.append(node)
    return possible_terms


def sections_with_text(top: HeadingNode, headed: Collection[HeadingNode]) -> list[HeadingNode]:
    """Returns the sections with a longer text than an introduction. This text is left out."""
    with_text = []
    for node in _sections_below(top, set(headed)):
        if could_be_name(node.name) and not node.is_introduction():
            with_text.append(node)
    return with_text


def _sections_below(parent: HeadingNode, terms: Collection[HeadingNode]) -> Iterator[HeadingNode]:
    """Yields the sections below a heading, at any depth."""
    for node in parent.children:
        if node.children and node not in terms:
            yield node
            yield from _sections_below(node, terms)
