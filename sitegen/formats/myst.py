"""MyST's `{glossary}`, in both fence styles and inside other directives.

Names and definitions are told apart as in Sphinx (`_glossary`); what they say is read as MyST (`_myst_html`).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitegen.formats import _blocks, _entries
from sitegen.formats._fences import Fence, fences, options, without_front_matter
from sitegen.formats._glossary import Item, Line, sorting_key, split, without_classifier
from sitegen.formats._myst_html import Links, Rendered, links, render, words
from sitegen.formats._sections import Placed, markdown_headings, reading
from sitegen.known import Known
from sitegen.model import Document, Entry, Problem, Reading

SHOWN = frozenset({*_blocks.CODE, *_blocks.SILENT, *_blocks.INERT, "math"})
"""Directives inside which a glossary is an example."""
MAX_DEPTH = 20
"""Fences around a glossary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    lines: tuple[Line, ...]
    is_sorted: bool
    line: int
    is_closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    entry: Entry
    problems: tuple[Problem, ...]


def looks_like(document: Document, _known: Known) -> bool:
    """True when the document has a fence `{glossary}` that is not itself shown as code."""
    if "{" not in document.text or "{glossary}" not in document.text.lower():
        return False
    return any(_glossaries(without_front_matter(document.text.split("\n"))))


def parse(document: Document, known: Known) -> Reading:
    """Returns the entries of all glossaries in the document."""
    lines = without_front_matter(document.text.split("\n"))
    around = "\n".join(_around(lines))
    headings, defined = markdown_headings(around), links(around)
    placed: list[Placed] = []
    problems: list[Problem] = []
    for glossary in _glossaries(lines):
        items, odd = split(glossary.lines, path=document.path)
        made = [_item(item, defined, document, known) for item in items]
        if glossary.is_sorted:
            made.sort(key=lambda one: sorting_key(one.entry.name))
        placed += [Placed(entry=one.entry, headings=headings.above(one.entry.citation.line)) for one in made]
        problems += [*odd, *_damage(glossary, document.path), *(problem for one in made for problem in one.problems)]
    return reading(placed, problems, known, document=document, title=headings.title)


def _around(lines: Sequence[str]) -> list[str]:
    """The lines with every fence blanked."""
    around = list(lines)
    for fence in fences(lines):
        around[fence.first : fence.past] = [""] * (fence.past - fence.first)
    return around


def _glossaries(lines: Sequence[str], *, before: int = 0, depth: int = 0) -> Iterator[Glossary]:
    """The glossaries among the lines and in their fences; `before` lines of the document precede them."""
    for fence in fences(lines):
        if fence.directive == "glossary":
            yield _glossary(fence, before)
        elif not fence.is_code and fence.directive not in SHOWN and depth < MAX_DEPTH:
            yield from _glossaries(fence.body, before=before + fence.first + 1, depth=depth + 1)


def _glossary(fence: Fence, before: int) -> Glossary:
    given, taken = options(fence.body)
    body = textwrap.dedent("\n".join(fence.body[taken:])).split("\n")
    line = before + fence.first + 1
    lines = tuple(Line(text, line + taken + number) for number, text in enumerate(body, start=1))
    return Glossary(lines=lines, is_sorted="sorted" in given, line=line, is_closed=fence.is_closed)


def _item(item: Item, defined: Links, document: Document, known: Known) -> Read:
    text = "\n".join(line.text for line in item.body)
    first = item.body[0].number if item.body else 0
    rendered = known.of(_rendered)[text, defined if "[" in text else ()]
    names = (without_classifier(name.text) for name in item.names)
    made = _entries.Item(
        names=tuple(known.of(_words)[name] or name for name in names),
        html=rendered.html,
        line=item.names[0].number,
        anchors=tuple(item.anchors),
    )
    entry = _entries.entry(document, made, known, deprecated=rendered.is_deprecated)
    problems = (
        Problem(path=document.path, line=first + line, found=found, wanted=wanted)
        for line, found, wanted in rendered.odd
    )
    return Read(entry=entry, problems=tuple(problems))


def _rendered(given: tuple[str, Links], _known: Known) -> Rendered:
    text, links = given
    return render(text, links)


def _words(name: str, _known: Known) -> str:
    return words(name)


def _damage(glossary: Glossary, path: str) -> Iterator[Problem]:
    if not glossary.is_closed:
        found, wanted = "a glossary whose fence is never closed", "end it with the same fence"
        yield Problem(path=path, line=glossary.line, found=found, wanted=wanted)
    if not any(line.text.strip() for line in glossary.lines):
        found, wanted = "a glossary without entries", "put names and definitions inside its fence"
        yield Problem(path=path, line=glossary.line, found=found, wanted=wanted)
