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
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import GLOSSARY, could_be_name, is_label, may_be_label
from sitegen.formats.common.outline import Outline
from sitegen.formats.common.raw_text import has_sign
from sitegen.model import Document, Problem, Reading
from sitegen.text.memo import memo

MAX_NAME = 60
"""Characters."""
MAX_WORDS = 8
NEAR_TOP = 12
"""Pieces of text among which a title stands, if there is one."""
MAX_PARAGRAPHS = 2
"""To a definition, on the average, in a text that does not call itself a glossary."""
BULLET = re.compile(r"\s*[-*•◦▪–]\s+")
SENTENCE_END = re.compile(r"""[.!?:;,。！？…]["'”’»)\]]*$""")
MARKUP = re.compile(r"\n(?:#{1,6} |```|~~~|\.\. |:\w+:|<[!/a-z?]|[-=~*+|]{3,}|[{\[]$)", re.M | re.I)
"""At the beginning of a line."""
INLINE_MARKUP = tuple(map(re.compile, (r"\]\(", r"\{\{", r"&\w+;")))
BLANK = re.compile(r"(\n(?:[^\S\n]*\n)+)")
"""What stands between paragraphs."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, or a name on a line of its own."""

    line: int
    """Counted from 0 in the paragraph that it is cut from."""
    text: str
    html: str
    is_name: bool
    is_sentence: bool
    """It ends like one."""


Located = tuple[int, Piece]
"""A piece, and the line where its paragraph begins."""


def looks_like(document: Document) -> bool:
    """True for text without markup in which at least two names have definitions that read like ones."""
    return not _has_markup(document.text) and _outlined(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of a plain text."""
    return _outlined(document).reading


def _has_markup(text: str) -> bool:
    return has_sign(text, MARKUP) or any(mark.search(text) for mark in INLINE_MARKUP)


@memo()
def _outlined(document: Document) -> Outline:
    pieces, is_titled = _below_title(_without_labels(_pieces(document.text)))
    items = _items(pieces)
    defined = [item for item in items if item.html]
    if not defined:
        wanted = "wanted names on lines of their own, each with a definition below it"
        problem = Problem(path=document.path, found="no terms found", wanted=wanted)
        return Outline(Reading(problems=(problem,)), is_convincing=False)
    reading = entries.read(document, items)
    return Outline(reading, is_convincing=len(defined) > 1 and (is_titled or _is_convincing(pieces, defined)))


def _is_convincing(pieces: Sequence[Located], items: Sequence[Candidate]) -> bool:
    """True when names and texts read like those of a glossary, though no title says so."""
    texts = [piece for _, piece in pieces if not piece.is_name]
    sentences = sum(piece.is_sentence for piece in texts)
    names = sum(could_be_name(item.names[0]) and not may_be_label(item.names[0]) for item in items)
    return names * 4 > len(items) * 3 and sentences * 2 > len(texts) and len(texts) <= MAX_PARAGRAPHS * len(items)


def _pieces(text: str) -> list[Located]:
    """The paragraphs of a text, cut into pieces. What a paragraph says, it says wherever it stands."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    parts = BLANK.split(f"\n\n{lines}\n\n")
    pieces: list[Located] = []
    line = -1
    for paragraph, blank in zip(parts[::2], parts[1::2], strict=False):
        if paragraph:
            pieces += [(line, piece) for piece in _split(paragraph)]
        line += paragraph.count("\n") + blank.count("\n")
    return pieces


@memo()
def _split(paragraph: str) -> tuple[Piece, ...]:
    """One paragraph as it is, or cut at the names that stand in it right above their definitions."""
    lines = paragraph.split("\n")
    cuts = {number for number in range(len(lines) - 1) if _is_name(lines[number]) and _is_above(lines, number)}
    bounds = sorted({0, len(lines), *cuts, *(number + 1 for number in cuts)})
    is_name = len(lines) == 1 and _is_name(paragraph)
    return tuple(_piece(start, lines[start:end], is_name=is_name or start in cuts) for start, end in pairwise(bounds))


def _piece(line: int, lines: list[str], *, is_name: bool) -> Piece:
    text = " ".join(" ".join(lines).split())
    html = "" if is_name else _html(lines, text)
    return Piece(line, text, html, is_name, is_sentence=SENTENCE_END.search(text) is not None)


def _is_name(line: str) -> bool:
    words_in_line = line.split()
    return (
        len(line.strip()) <= MAX_NAME
        and len(words_in_line) <= MAX_WORDS
        and not BULLET.match(line)
        and ": " not in line
        and (not SENTENCE_END.search(line) or not re.search(r"\w", line))
        and not is_label(line)
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


def _below_title(pieces: list[Located]) -> tuple[list[Located], bool]:
    """What stands below a title that says glossary, and whether there is one."""
    for number, (_, piece) in enumerate(pieces[:NEAR_TOP]):
        if piece.is_name and GLOSSARY.search(piece.text):
            is_heading = number + 1 < len(pieces) and pieces[number + 1][1].is_name
            if number == 0 or is_heading or re.search(r"\bgloss?ar", piece.text, re.I):
                return pieces[number + 1 :], True
    return pieces, False


def _without_labels(pieces: list[Located]) -> list[Located]:
    """The same, where names that may be labels and return are text."""
    times = Counter(piece.text.lower() for _, piece in pieces if piece.is_name and may_be_label(piece.text))
    labels = {text for text, number in times.items() if number > 1}
    if not labels:
        return pieces
    return [
        (line, replace(piece, html=f"<p>{escape(piece.text)}</p>", is_name=False))
        if piece.is_name and piece.text.lower() in labels
        else (line, piece)
        for line, piece in pieces
    ]


def _items(pieces: Sequence[Located]) -> list[Candidate]:
    """The names with their definitions and sections. Names that have none and are no sections come last."""
    items: list[Candidate] = []
    undefined: list[Located] = []
    section = ""
    for names, texts in entries.pairs(pieces, lambda located: located[1].is_name):
        if not names or not texts:
            undefined += names
            continue
        *above, (line, name) = names
        undefined += above[:-1] if items else []
        section = above[-1][1].text if above else section
        html = "".join([text.html for _, text in texts])
        items.append(Candidate(names=(name.text,), html=html, line=line + name.line, section=section))
    known = {item.names[0] for item in items} | {item.section for item in items}
    lost = (located for located in undefined if located[1].text not in known)
    return items + [Candidate(names=(name.text,), html="", line=line + name.line) for line, name in lost]


def _html(lines: list[str], text: str) -> str:
    if not BULLET.match(lines[0]):
        return f"<p>{escape(text)}</p>"
    points = re.split(r"\n(?=\s*[-*•◦▪–]\s)", "\n".join(lines))
    items = (escape(BULLET.sub("", point, count=1)) for point in points)
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
