"""Plain text: a glossary of which an archive or a mail kept the words and lost the markup.

Nothing but length and punctuation tells what is what, so the rules are few and said here:

- A name is one short line (at most eight words) that does not end like a sentence. It may stand by itself, or right
  above its definition where the line ends though the next word had room, or where the definition is indented.
- What follows a name and is no name is its definition, however many paragraphs.
- A name followed by a name is a section, or the title. What stands above a title that says glossary is furniture of
  the archive, and so is text before the first name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from sitegen import words
from sitegen.formats import _entries
from sitegen.formats._entries import Item
from sitegen.formats._signposts import GLOSSARY, LABELS, could_be_name
from sitegen.known import Known
from sitegen.model import Document, Problem, Reading

MAX_NAME = 60
"""Characters."""
MAX_WORDS = 8
NEAR_TOP = 12
"""Pieces of text among which a title stands, if there is one."""
MAX_PARAGRAPHS = 2
"""To a definition, on the average, in a text that does not call itself a glossary."""
BULLET = re.compile(r"\s*[-*•◦▪–]\s+")
SENTENCE_END = re.compile(r"""[.!?:;,。！？…]["'”’»)\]]*$""")
MARKUP = re.compile(r"^(?:#{1,6} |```|~~~|\.\. |:\w+:|<[!/a-z?]|[-=~*+|]{3,}|[{\[]$)|\]\(|\{\{|&\w+;", re.M | re.I)


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, or a name on a line of its own."""

    line: int
    lines: tuple[str, ...]
    is_name: bool

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.lines).split())


def looks_like(document: Document, _known: Known) -> bool:
    """True for text without markup in which at least two names have definitions that read like ones."""
    if MARKUP.search(document.text):
        return False
    pieces, titled = _below_title(_pieces(document.text))
    items = [item for item in _items(pieces) if item.html]
    if titled or len(items) < 2:
        return len(items) > 1
    texts = [piece for piece in pieces if not piece.is_name]
    sentences = sum(SENTENCE_END.search(piece.text) is not None for piece in texts)
    names = sum(could_be_name(item.names[0]) for item in items)
    return names * 4 > len(items) * 3 and sentences * 2 > len(texts) and len(texts) <= MAX_PARAGRAPHS * len(items)


def parse(document: Document, known: Known) -> Reading:
    """Returns the entries of a plain text."""
    pieces, _ = _below_title(_pieces(document.text))
    items = _items(pieces)
    if not any(item.html for item in items):
        wanted = "wanted names on lines of their own, each with a definition below it"
        return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=wanted),))
    return _entries.read(document, items, known)


def _pieces(text: str) -> list[Piece]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    pieces: list[Piece] = []
    start = 0
    for number, line in enumerate((*lines, "")):
        if not line.strip():
            pieces += _split(start + 1, lines[start:number]) if number > start else []
            start = number + 1
    return pieces


def _split(line: int, lines: list[str]) -> Iterator[Piece]:
    """One paragraph as it is, or cut at the names that stand in it right above their definitions."""
    cuts = {number for number in range(len(lines) - 1) if _is_name(lines[number]) and _is_above(lines, number)}
    bounds = sorted({0, len(lines), *cuts, *(number + 1 for number in cuts)})
    for start, end in pairwise(bounds):
        is_name = start in cuts or (end - start == 1 == len(lines) and _is_name(lines[0]))
        yield Piece(line + start, tuple(lines[start:end]), is_name)


def _is_name(line: str) -> bool:
    words_in_line = line.split()
    return (
        len(line.strip()) <= MAX_NAME
        and len(words_in_line) <= MAX_WORDS
        and not BULLET.match(line)
        and ": " not in line
        and (not SENTENCE_END.search(line) or not re.search(r"\w", line))
        and words.fold(line) not in LABELS
    )


def _is_above(lines: list[str], number: int) -> bool:
    """True when the line below is indented, or (at the top) would have had room on this one and is a sentence."""
    if _indentation(lines[number + 1]) > _indentation(lines[number]):
        return True
    if number > 0 or not SENTENCE_END.search(lines[-1]):
        return False
    room = max(map(len, lines)) - len(lines[0])
    return len(lines[1].split()[0]) < room


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _below_title(pieces: list[Piece]) -> tuple[list[Piece], bool]:
    """What stands below a title that says glossary, and whether there is one."""
    for number, piece in enumerate(pieces[:NEAR_TOP]):
        if piece.is_name and GLOSSARY.search(piece.text):
            is_heading = number + 1 < len(pieces) and pieces[number + 1].is_name
            if number == 0 or is_heading or re.search(r"\bgloss?ar", piece.text, re.I):
                return pieces[number + 1 :], True
    return pieces, False


def _items(pieces: Sequence[Piece]) -> list[Item]:
    """The names with their definitions and sections. Names that have none and are no sections come last."""
    items: list[Item] = []
    undefined: list[Piece] = []
    section = ""
    for names, texts in _entries.pairs(pieces, lambda piece: piece.is_name):
        if not names or not texts:
            undefined += names
            continue
        *above, name = names
        undefined += above[:-1] if items else []
        section = above[-1].text if above else section
        items.append(Item(names=(name.text,), html="".join(map(_html, texts)), line=name.line, section=section))
    known = {item.names[0] for item in items} | {item.section for item in items}
    lost = (name for name in undefined if name.text not in known)
    return items + [Item(names=(name.text,), html="", line=name.line) for name in lost]


def _html(piece: Piece) -> str:
    if not BULLET.match(piece.lines[0]):
        return f"<p>{escape(piece.text)}</p>"
    points = re.split(r"\n(?=\s*[-*•◦▪–]\s)", "\n".join(piece.lines))
    items = (escape(BULLET.sub("", point, count=1)) for point in points)
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
