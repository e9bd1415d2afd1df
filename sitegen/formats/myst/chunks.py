"""The inside of a MyST glossary, cut into pieces, each of which is read once, whatever document it stands in.

A piece begins with a name in the first column, or the labels above it, below an empty line. It is read by itself
where it ends with a definition; otherwise what follows is read along. The links that the document defines are given
to every piece that may use them. What a piece says is kept from one build to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sitegen.formats.common import chunks
from sitegen.formats.common.entry_text import marked, said
from sitegen.formats.common.glossary_lines import Item, Line, split, without_classifier
from sitegen.formats.myst.html_writer import Links, Odd, Rendered, render, words
from sitegen.model import Problem, Said
from sitegen.model.digests import digest_of
from sitegen.text import compact_json
from sitegen.text.known import Form, Known

LABEL_LINE = re.compile(r"^\([^()\n]+\)=", re.M)
CUT = re.compile(r"\n\n(?=\S)(?!:[ \t]|(?:\([^()\n]+\)=[^\n]*\n)+[\s:])")
"""Definitions, and labels without a name below them, are not what a piece begins with."""

Given = tuple[str, Links]
"""A text, and the links that are defined elsewhere."""


class Piece(NamedTuple):
    """What a text says about terms, with the line of each name, and what is odd in it."""

    said: tuple[tuple[Said, int], ...]
    odd: tuple[Odd, ...]


def read(text: str, links: Links, known: Known) -> Iterator[tuple[int, Piece]]:
    """Yields what a glossary's text says, piece by piece, each with the number of lines before it."""
    closed, last = known.of(_closed, PIECE), known.of(_last)
    has_comments = "\n.." in text or text.startswith("..")  # which may hide what stands below

    def of(text: str) -> Given:
        return text, links if "[" in text else ()

    return chunks.read(
        [text] if has_comments else CUT.split(text),
        lambda text: closed[of(text)],
        lambda text: closed[of(text)] or last[of(text)],
    )


def _closed(given: Given, known: Known) -> Piece | None:
    """What a text says that leaves nothing open; None when something is."""
    text, links = given
    items, problems = _split(text)
    labels = LABEL_LINE.findall(text) if ")=" in text else ()
    is_closed = items and items[-1].body and sum([len(item.anchors) for item in items]) == len(labels)
    return _piece(items, problems, links, known) if is_closed else None


def _last(given: Given, known: Known) -> Piece:
    """All that is left of a glossary."""
    text, links = given
    return _piece(*_split(text), links, known)


def _split(text: str) -> tuple[list[Item], list[Problem]]:
    return split([*_lines(text)], path="")


def _lines(text: str) -> Iterator[Line]:
    """The lines of a text. What begins a definition in a definition list, `: words`, begins an indented block."""
    for number, line in enumerate(text.split("\n"), start=1):
        is_definition = line.startswith((": ", ":\t"))
        if is_definition:
            yield Line("", number)
        yield Line(f" {line[1:]}" if is_definition else line, number)


def _piece(items: Sequence[Item], problems: Sequence[Problem], links: Links, known: Known) -> Piece:
    odd = [(problem.line, problem.found, problem.wanted) for problem in problems]
    made = []
    for item in items:
        body = "\n".join([line.text for line in item.body])
        rendered = known.of(_rendered)[body, links if "[" in body else ()]
        made.append((_said(item, rendered, known), item.names[0].number))
        odd += [(item.body[: line + 1][-1].number, found, wanted) for line, found, wanted in rendered.odd]
    return Piece(tuple(made), tuple(odd))


def _said(item: Item, rendered: Rendered, known: Known) -> Said:
    given = [without_classifier(name.text) for name in item.names]
    names = tuple([known.of(_words)[name] or name for name in given])
    about = said(names, tuple(item.anchors), rendered.html)
    return marked(about, section="", deprecated=rendered.is_deprecated)


def _words(name: str, _known: Known) -> str:
    return words(name)


def _rendered(given: Given, _known: Known) -> Rendered:
    return render(*given)


def _dump(piece: Piece | None, _known: Known) -> bytes:
    if piece is None:
        return b""
    said = [(about.key.hex(), about.deprecated, line) for about, line in piece.said]
    return compact_json.dump((said, piece.odd))


def _load(data: bytes, _known: Known) -> Piece | None:
    if not data:
        return None
    read, odd = compact_json.load(data)
    made = []
    for key, deprecated, line in read:
        about = said.at(bytes.fromhex(key))
        if about is None:
            return None
        made.append((marked(about, section="", deprecated=deprecated), line))
    return Piece(tuple(made), tuple([(line, found, wanted) for line, found, wanted in odd]))


PIECE: Form[Given, Piece | None] = Form("myst", digest_of, _dump, _load)
"""How a piece is kept: by reference to what it says."""
