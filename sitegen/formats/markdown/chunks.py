"""A Markdown document cut into pieces, each of which is read once, whatever else changes around it.

A piece begins with a heading, or with a bold name, below an empty line. It is read by itself with a heading below it:
when that is read as one, nothing in the piece was left open, and it means the same wherever it stands. Otherwise what
follows is read along. Links and footnotes that are defined anywhere in the document are given to every piece that may
use them (`_labels`). What took a parser (`_markdown_parser`) is kept from one build to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any

from sitegen.formats.common import chunks
from sitegen.formats.common.entries import item_of
from sitegen.formats.common.passages import Block, Footnotes, Located, Passage, passages
from sitegen.formats.markdown import plain_markdown
from sitegen.formats.markdown.inline_html import Address
from sitegen.formats.markdown.link_labels import Labelled, Links
from sitegen.model.digests import digest_of
from sitegen.text import compact_json
from sitegen.text.known import Form, Known

DEFINITION = r" {0,3}[:~][ \t]"
A_DEFINITION = re.compile(rf"\n{DEFINITION}")
CUT = re.compile(r"\n\n(?=#{1,6}[ \t]|\*\*\w)")
CUT_AROUND_DEFINITIONS = re.compile(rf"\n\n(?=#{{1,6}}[ \t])(?![^\n]*\n\n?{DEFINITION})")
"""A definition list goes on through bold names, and through headings that a definition follows."""
MAX_KEPT = 20_000
"""Bytes. What is longer differs at most releases, and keeping it at each would take more room than they do."""
LONG = 4_000
"""Characters of a text that may be worth reading row by row; what does that loads the parser."""
MARKUP = re.compile(r"\{\{|:<code>|\.\. \w")
"""What a shortcode, a role or a directive has, as HTML shows it."""
NOTHING = b"null"

NAMES = tuple(field.name for field in fields(Block))
VALUES = attrgetter(*NAMES)
"""Those of the fields that have these names."""

Given = tuple[str, Links, Footnotes, Address]
"""A text, those links and footnotes of the document that it may use, and how addresses are read."""
Odd = tuple[int, str, str]
"""Line, what was found, and what would have worked."""
Env = dict[str, dict[str, Any]]
"""What the parser knows beside the text: under "references", links by label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]
    """What the blocks make."""
    has_rule: bool
    has_markup: bool
    """It may show markup of something else as it is written."""
    links: Links
    """Those that are defined here, and were not given."""
    footnotes: Footnotes = ()
    """Those that are defined here."""
    odd: tuple[Odd, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """A document that has been read."""

    pieces: tuple[tuple[int, Piece], ...]
    """Each with the number of lines before it."""

    def blocks(self) -> list[tuple[int, Block]]:
        """Returns the headings and texts, without the document's last words, each with the lines before its piece."""
        blocks = [(lines, block) for lines, piece in self.pieces for block in piece.blocks]
        return blocks[: _end([block for _, block in blocks])]

    def passages(self) -> list[Located]:
        """Returns the same by headings."""
        if not any(piece.has_rule for _, piece in self.pieces):
            return [(lines, passage) for lines, piece in self.pieces for passage in piece.passages]
        by_piece = groupby(self.blocks(), key=lambda located: located[0])
        return [(lines, passage) for lines, blocks in by_piece for passage in passages(block for _, block in blocks)]

    @property
    def has_markup(self) -> bool:
        return any(piece.has_markup for _, piece in self.pieces)

    def problems(self) -> Iterator[Odd]:
        """Yields what was opened and never closed: it is in the last piece, for nothing can follow it."""
        lines, last = self.pieces[-1]
        return ((lines + line, found, wanted) for line, found, wanted in last.odd)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pieces, or remembers them."""

    known: Known
    address: Address

    def read(self, text: str) -> Markdown:
        """Returns a document, cut where it can be cut."""
        texts = (CUT_AROUND_DEFINITIONS if A_DEFINITION.search(text) else CUT).split(text)
        pieces = self._pieces(texts)
        links = _links(pieces)
        if footnotes := _footnotes(pieces):  # which may say something with links, and refer to each other
            footnotes = _footnotes(self._pieces(texts, links, footnotes))
        return Markdown(pieces=self._pieces(texts, links, footnotes) if links or footnotes else pieces)

    def read_whole(self, text: str) -> Markdown:
        """Returns a document in one piece."""
        return Markdown(pieces=((0, self.known.of(_last)[text, (), (), self.address]),))

    def _pieces(
        self, texts: Sequence[str], links: Links = (), footnotes: Footnotes = ()
    ) -> tuple[tuple[int, Piece], ...]:
        closed, last, defined = self.known.of(_closed), self.known.of(_last), Labelled(links, footnotes)

        def given(text: str) -> Given:
            return text, defined.links_in(text), defined.footnotes_in(text), self.address

        return tuple(chunks.read(texts, lambda text: closed[given(text)], lambda text: last[given(text)]))


def _links(pieces: Iterable[tuple[int, Piece]]) -> Links:
    """All links of a document: of several with one label, the first."""
    defining = [piece for _, piece in pieces if piece.links]
    return tuple({link[0]: link for piece in reversed(defining) for link in reversed(piece.links)}.values())


def _footnotes(pieces: Iterable[tuple[int, Piece]]) -> Footnotes:
    """All footnotes of a document: of several with one label, the last that says something."""
    found: dict[str, str | None] = {}
    for piece in [piece for _, piece in pieces if piece.footnotes]:
        found |= {label: html for label, html in piece.footnotes if html is not None or label not in found}
    return tuple(found.items())


def _closed(given: Given, known: Known) -> Piece | None:
    """A piece that leaves nothing open; None when something is."""
    return _plain(given) or _by_rows(given, _alone, known) or known.of(_parsed, PARSED)[given]


def _plain(given: Given) -> Piece | None:
    """A piece that takes no parser."""
    text, *_, address = given
    blocks = plain_markdown.blocks(text, address)
    return _piece(blocks) if blocks else None


def _parsed(given: Given, _known: Known) -> Piece | None:
    return _alone(given)


def _last(given: Given, known: Known) -> Piece:
    """All that is left of a document."""
    return _plain(given) or _by_rows(given, _whole, known) or _whole(given)


def _by_rows(given: Given, read: Callable[[Given], Piece | None], known: Known) -> Piece | None:
    """What a text says whose rows were read one by one; None where that cannot be."""
    text, links, footnotes, address = given
    if len(text) < LONG:
        return None
    from sitegen.formats.markdown import rows

    long = rows.cut(text)
    piece = read((long.short, links, footnotes, address)) if long else None
    filled = long.filled(piece.blocks, links, address, known) if long and piece else None
    if not (long and piece and filled):
        return None
    odd = tuple(
        [(line + (long.removed if line > long.line else 0), found, wanted) for line, found, wanted in piece.odd]
    )
    return _piece(filled, piece.links, odd=odd)


def _alone(given: Given) -> Piece | None:
    """A text that leaves nothing open."""
    from sitegen.formats.markdown import chunk_parser

    text, links, footnotes, address = given
    env = _env(links)
    parsed = chunk_parser.alone(text, env, footnotes, address)
    return parsed and _piece(parsed.blocks, _defined(env, links), parsed.footnotes)


def _whole(given: Given) -> Piece:
    """A text that nothing follows."""
    from sitegen.formats.markdown import chunk_parser

    text, links, footnotes, address = given
    env = _env(links)
    parsed = chunk_parser.whole(text, env, footnotes, address)
    return _piece(parsed.blocks, _defined(env, links), parsed.footnotes, odd=parsed.odd)


def _piece(
    blocks: tuple[Block, ...], links: Links = (), footnotes: Footnotes = (), *, odd: tuple[Odd, ...] = ()
) -> Piece:
    return Piece(
        blocks=blocks,
        passages=passages(blocks),
        has_rule=any(block.form == "rule" for block in blocks),
        has_markup=any(MARKUP.search(block.html) for block in blocks),
        links=links,
        footnotes=footnotes,
        odd=odd,
    )


def _defined(env: Env, given: Links) -> Links:
    """The links that a text has added to those that were given."""
    links = tuple((label, link["href"], link["title"]) for label, link in env["references"].items())
    return links[len(given) :]


def _key(given: Given) -> bytes:
    *plain, address = given
    return digest_of((*plain, address.__name__))


def _dump(piece: Piece | None, _known: Known) -> bytes:
    plain = piece and (piece.links, piece.footnotes, [VALUES(block) for block in piece.blocks])
    data = compact_json.dump(plain)
    return data if len(data) <= MAX_KEPT else NOTHING


def _load(data: bytes, _known: Known) -> Piece | None:
    if not (plain := compact_json.load(data)):
        return None
    links, footnotes = (tuple(map(tuple, pairs)) for pairs in plain[:2])
    return _piece(tuple([_block(values) for values in plain[2]]), links, footnotes)


def _block(values: Iterable[Any]) -> Block:
    given = dict(zip(NAMES, values, strict=True))
    return Block(**given | {"anchors": tuple(given["anchors"]), "items": tuple(map(item_of, given["items"]))})


PARSED: Form[Given, Piece | None] = Form("markdown", _key, _dump, _load)
"""How a piece is kept that took the parser."""


def _env(links: Links) -> Env:
    return {"references": {label: {"href": href, "title": title} for label, href, title in links}}


def _end(blocks: Sequence[Block]) -> int:
    """Where the document's last words begin, which belong to no term: below a rule, where no other text is."""
    below_rules = [
        number
        for number, (block, following) in enumerate(pairwise(blocks))
        if block.form == "rule" and following.form != "rule" and not following.level
    ]
    headings = [number for number, block in enumerate(blocks) if block.level]
    has_last_words = len(headings) > 2 and below_rules and below_rules[0] > headings[-1]
    return below_rules[0] if has_last_words else len(blocks)
