"""From a name with its definition, as a format saw it, to an entry: the last step of reading a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from sitegen.formats.common.entry_text import Given, marked, said
from sitegen.model import Document, Entry, Problem, Reading
from sitegen.text.known import Known

Part = TypeVar("Part")


class Item(NamedTuple):
    """Names and the definition they share. There is one for every entry of every document, so it is a tuple."""

    names: tuple[str, ...]
    """Empty where something stands among terms and has no name."""
    html: str
    line: int
    anchors: tuple[str, ...] = ()
    section: str = ""


def item_of(fields: Sequence[Any]) -> Item:
    """Returns an item that was written down as JSON."""
    names, html, line, anchors, section = fields
    return Item(tuple(names), html, line, tuple(anchors), section)


def pairs(parts: Iterable[Part], is_name: Callable[[Part], bool]) -> Iterator[tuple[list[Part], list[Part]]]:
    """Returns each run of names with the run of other parts below it; either may be empty at an end."""
    names: list[Part] = []
    below: list[Part] = []
    for part in parts:
        if not is_name(part):
            below.append(part)
            continue
        if below:
            yield names, below
            names, below = [], []
        names.append(part)
    if names or below:
        yield names, below


def read(document: Document, items: Sequence[Item], known: Known) -> Reading:
    """Returns the entries that items make, and a problem for each that lacks a name or a definition.

    A section is only told where the items have several: the single heading above all terms says nothing about one.
    """
    has_sections = len({item.section for item in items}) > 1
    entries, problems = [], []
    for item in items:
        about = said(item.names, item.anchors, item.html) if item.names else None
        if about and about.definition.text:
            about = marked(about, section=item.section) if has_sections else about
            entries.append(Entry(about, document.place, item.line))
        else:
            problems.append(odd(document, item))
    return Reading(entries=tuple(entries), problems=tuple(problems))


def read_plain(document: Document, given: Sequence[Given], lines: Sequence[int], known: Known) -> Reading:
    """Returns the same of terms without sections, and the lines that they stand at."""
    place = document.place
    entries, problems = [], []
    for one, line in zip(given, lines, strict=True):
        about = said(*one)
        if about.definition.text:
            entries.append(Entry(about, place, line))
        else:
            names, anchors, html = one
            problems.append(odd(document, Item(names, html, line, anchors)))
    return Reading(entries=tuple(entries), problems=tuple(problems))


def entry(document: Document, item: Item, known: Known, *, section: str = "", deprecated: bool = False) -> Entry:
    """Returns what a document says about one term."""
    about = said(item.names, item.anchors, item.html)
    return Entry(marked(about, section=section, deprecated=deprecated), document.place, item.line)


def odd(document: Document, item: Item) -> Problem:
    """Returns why an item is no entry: it has no definition, or no name."""
    if item.names:
        found, wanted = f"'{item.names[0]}' has no definition", "write one below the name"
    else:
        found, wanted = "text without a name among the terms", "begin it with a name, as its neighbours do"
    return Problem(path=document.path, line=item.line, found=found, wanted=wanted)
