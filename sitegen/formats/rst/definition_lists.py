"""Bare definition lists in reStructuredText, item by item: each is read once, whatever document it stands in.

An item is a name in the first column below an empty line, with indented lines right below it. What stands around is
read with one item in the place of all that follow each other. Where docutils sees anything else there, or an item
depends on its document, the document is read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import dedent
from typing import NamedTuple

from sitegen.formats.common import entries
from sitegen.formats.common.sections import Placed, reading
from sitegen.formats.rst import plain_rst
from sitegen.formats.rst.cutting import BETWEEN
from sitegen.formats.rst.entries import DEPENDS, READ, Read
from sitegen.formats.rst.surroundings import LISTS, Around, Given
from sitegen.model import Document, Reading
from sitegen.model.digests import digest_of
from sitegen.text.known import Form, Known

NAME = rf"(?!{plain_rst.ENUMERATED})[^\W_][^\n]*(?<!::)"
ITEM = re.compile(rf"{NAME}\n [^\n]*(?:\n+ [^\n]*)*")
STAND_IN = "x\n    x"
CLASSIFIER = " : "
"""What follows it in the line of a name is no part of that."""


class Item(NamedTuple):
    """The text of an item, and its line in the document."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Run:
    """Items that follow each other."""

    first: int
    """The line of the one in their place, in what stands around."""
    items: list[Item] = field(default_factory=list)


def read(text: str, document: Document, known: Known) -> Reading | None:
    """Returns the entries of a document's definition lists; None where it has to be read as a whole.

    `text` is that of the document as `_rst_cut` leaves it.
    """
    around, runs = _cut(text)
    if not runs:
        return None
    found = known.of(_around, LISTS)[around, False]
    if [one.first for one in found.glossaries] != [run.first for run in runs]:
        return None
    told = _told([item.text for run in runs for item in run.items], known)
    names = set(found.names)
    placed: list[Placed] = []
    for run, one in zip(runs, found.glossaries, strict=True):
        for item in run.items:
            read = told[item.text]
            if read == DEPENDS or any(name in names for name, _ in read.links):
                return None
            names.update([name for name, _ in read.links])
            made = entries.Item(names=read.names, html=read.html, line=item.line)
            entry = entries.entry(document, made, known, deprecated=read.deprecated)
            placed.append(Placed(entry=entry, headings=one.titles))
    return reading(placed, (), known, document=document, title=found.title)


def _cut(text: str) -> tuple[str, list[Run]]:
    """What stands around the items of a document, and these; none where lines do not tell them."""
    if "glossary::" in text.lower():
        return "", []
    parts = BETWEEN.split(text.rstrip("\n"))
    around: list[str] = []
    runs: list[Run] = []
    line = at = 1
    above, is_in_run = "", False
    for part, below in zip(parts[::2], [*parts[1::2], ""], strict=True):
        is_item = ITEM.fullmatch(part) is not None
        if not (is_item and is_in_run):
            at += len(above)
            if is_item:
                runs.append(Run(at))
            around += [above, shown := STAND_IN if is_item else part]
            at += shown.count("\n")
        if is_item:
            runs[-1].items.append(Item(part, line))
        line += part.count("\n") + len(below)
        above, is_in_run = below, is_item
    return "".join(around), runs


def _around(given: Given, known: Known) -> Around:
    from sitegen.formats.rst import glossaries

    return glossaries.around_lists(given[0], known)


def _told(texts: Sequence[str], known: Known) -> dict[str, Read]:
    """What items say, by their text. Those that were never met are read together."""
    plain = known.of(_plain)
    told = {text: plain[text] or known.at(digest_of(text), ITEMS) for text in texts}
    if new := [text for text, read in told.items() if read is None]:
        from sitegen.formats.rst import glossaries

        for text, read in zip(new, glossaries.of_items(new, known), strict=True):
            known.keep(digest_of(text), read, ITEMS)
            told[text] = read
    return {text: read for text, read in told.items() if read}


def _plain(text: str, _known: Known) -> Read | None:
    """What takes no parser."""
    line, _, body = text.partition("\n")
    name = plain_rst.name(line) if CLASSIFIER not in line else None
    html = plain_rst.html(dedent(body)) if name else None
    return Read((name,), html) if name and html else None


ITEMS: Form[str, Read] = Form("items", digest_of, READ.dump, READ.load)
"""How what an item says is kept; that it depends on its document, too."""
