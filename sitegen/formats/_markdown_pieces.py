"""A Markdown document cut into pieces, each of which is read once, whatever else changes around it.

A piece begins with a heading, or with a bold name, below an empty line. It is read by itself with a heading below it:
when that is read as one, nothing in the piece was left open, and it means the same wherever it stands. Otherwise what
follows is read along. Links that are defined anywhere in the document are given to every piece that may use them; a
document with footnotes is one piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it.token import Token

from sitegen.formats import _plain_markdown
from sitegen.formats._commonmark import tokens
from sitegen.formats._inline_html import Address
from sitegen.formats._markdown_blocks import blocks
from sitegen.formats._outline import Block, Located
from sitegen.known import Known

DEFINITION = r" {0,3}[:~][ \t]"
HAS_DEFINITION = re.compile(f"^{DEFINITION}", re.M)
CUT = re.compile(r"\n\n(?=#{1,6}[ \t]|\*\*\w)")
CUT_AROUND_DEFINITIONS = re.compile(rf"\n\n(?=#{{1,6}}[ \t])(?![^\n]*\n\n?{DEFINITION})")
"""A definition list goes on through bold names, and through headings that a definition follows."""
FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
BELOW = "\n\n# .\n\n$$\n"
"""A heading, and the end of any formula that is still open above it."""

Link = tuple[str, str, str]
"""Label, address and title of a link."""
Links = tuple[Link, ...]
Odd = tuple[int, str, str]
"""Line, what was found, and what would have worked."""
Env = dict[str, dict[str, dict[str, str]]]
"""What markdown-it knows beside the text: under "references", links by label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    blocks: tuple[Block, ...]
    links: Links = ()
    """Those that are defined here."""
    odd: tuple[Odd, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """A document that has been read."""

    pieces: tuple[tuple[int, Piece], ...]
    """Each with the number of lines before it."""

    def blocks(self) -> list[Located]:
        """Returns the headings and texts, without the document's last words."""
        located = [(before, block) for before, piece in self.pieces for block in piece.blocks]
        return located[: _end(located)]

    def problems(self) -> Iterator[Odd]:
        for before, piece in self.pieces:
            yield from ((before + line, found, wanted) for line, found, wanted in piece.odd)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pieces, or remembers them."""

    known: Known
    kind: str
    """What tells apart how addresses are read."""
    address: Address

    def read(self, text: str) -> Markdown:
        """Returns a document, cut where it can be cut."""
        if FOOTNOTE.search(text):
            return self.read_whole(text)
        texts = (CUT_AROUND_DEFINITIONS if HAS_DEFINITION.search(text) else CUT).split(text)
        pieces = tuple(self._pieces(texts, ()))
        links = tuple({link[0]: link for _, piece in reversed(pieces) for link in reversed(piece.links)}.values())
        return Markdown(pieces=tuple(self._pieces(texts, links)) if links else pieces)

    def read_whole(self, text: str) -> Markdown:
        """Returns a document in one piece."""
        return Markdown(pieces=((0, self._last(text, ())),))

    def _pieces(self, texts: Sequence[str], links: Links) -> Iterator[tuple[int, Piece]]:
        before = start = 0
        while start < len(texts):
            text, piece, start = self._next(texts, start, links)
            yield before, piece
            before += text.count("\n") + 2

    def _next(self, texts: Sequence[str], start: int, links: Links) -> tuple[str, Piece, int]:
        """The piece that begins here, its text, and where the next one begins. While it stays open, more is added."""
        past = start + 1
        while past < len(texts):
            text = "\n\n".join(texts[start:past])
            piece = self._closed(text, links if "[" in text else ())
            if piece:
                return text, piece, past
            past += past - start
        text = "\n\n".join(texts[start:])
        return text, self._last(text, links), len(texts)

    def _closed(self, text: str, links: Links) -> Piece | None:
        """A piece that leaves nothing open."""
        return self.known.recall(self.kind, text, links, make=lambda: self._parsed_closed(text, links))

    def _parsed_closed(self, text: str, links: Links) -> Piece | None:
        if plain := _plain_markdown.blocks(text, self.address):
            return Piece(blocks=plain)
        env = _env(links)
        parsed = tokens(text + BELOW, env)
        below = text.count("\n") + 2
        for index in range(len(parsed) - 1, -1, -1):
            token = parsed[index]
            if token.type == "heading_open" and token.level == 0 and token.map and token.map[0] == below:
                return Piece(blocks=tuple(blocks(parsed[:index], self.address)), links=_defined(env))
        return None

    def _last(self, text: str, links: Links) -> Piece:
        """All that is left of a document."""
        return self.known.recall(f"end of {self.kind}", text, links, make=lambda: self._parsed_last(text, links))

    def _parsed_last(self, text: str, links: Links) -> Piece:
        env = _env(links)
        parsed = tokens(text, env)
        return Piece(blocks=tuple(blocks(parsed, self.address)), links=_defined(env), odd=tuple(_unclosed(parsed)))


def _env(links: Links) -> Env:
    return {"references": {label: {"href": href, "title": title} for label, href, title in links}}


def _defined(env: Env) -> Links:
    return tuple((label, link["href"], link["title"]) for label, link in env.get("references", {}).items())


def _end(located: Sequence[Located]) -> int:
    """Where the document's last words begin, which belong to no term: below a rule, where no other text is."""
    below_rules = [
        number
        for number, ((_, block), (_, following)) in enumerate(pairwise(located))
        if block.form == "rule" and following.form != "rule" and not following.level
    ]
    headings = [number for number, (_, block) in enumerate(located) if block.level]
    has_last_words = len(headings) > 2 and below_rules and below_rules[0] > headings[-1]
    return below_rules[0] if has_last_words else len(located)


def _unclosed(parsed: Sequence[Token]) -> Iterator[Odd]:
    """What was opened and never closed, and so swallows the rest of the document."""
    last = parsed[-1] if parsed else None
    if last is None or last.map is None:
        return
    opened, end = last.map
    is_open_fence = last.type == "fence" and end - opened - 1 <= last.content.count("\n")
    if is_open_fence:
        yield opened + 1, "this code block is never closed", f"close it with {last.markup}"
    if last.type == "html_block" and "<!--" in last.content.rpartition("-->")[2]:
        yield opened + 1, "this comment is never closed and hides what follows", "close it with -->"
