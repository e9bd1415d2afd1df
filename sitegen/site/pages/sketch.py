"""A small version of the matrix of changes: on the first page as SVG, and as a PNG for previews of links.

A PNG needs no library: it is a header and compressed rows of pixels (W3C, PNG Specification, third edition).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from sitegen.model import Source
from sitegen.site.pages import matrix
from sitegen.site.pages.spans import DEFINED, spans
from sitegen.site.pages.timeline import kind_of
from sitegen.site.site import Site

ROWS, COLUMNS = 24, 40
"""The largest size, in terms and releases."""
WIDTH, PITCH, DOT = 480, 10, 7
"""The width of a vector graphic, the height of a row, and the size of a mark, in units of its own."""
CARD_WIDTH, CARD_HEIGHT, MARGIN, EDGE = 1200, 630, 64, 20
"""The size of the PNG, its margins, and the height of the bar at its top, in pixels."""

_BACKGROUND, _LINE, _ACCENT = 0, 1, 2
_COLOURS = ["ffffff", "7a818d", "1e4eac", "145a47", "234993", "5f3389", "6c4701", "8b3111", "4f5661"]
"""The palette, as in tokens.css."""
_INKS = {
    **dict.fromkeys(("added", "first-read", "restored"), 3),
    "reworded": 4,
    **dict.fromkeys(("renamed", "merged", "split", "names-changed"), 5),
    "deprecated": 6,
    "removed": 7,
}
_OTHER_INK = 8


class Sketch(NamedTuple):
    """Some terms of a source as rows and its newest releases as columns."""

    rows: int
    columns: int
    lines: tuple[tuple[int, int, int], ...]
    """Row, first column and the column after the last of each run of releases with a definition."""
    marks: tuple[tuple[int, int, str], ...]
    """Row, column and kind of each change."""

    @property
    def pitch(self) -> int:
        return max(PITCH, WIDTH // self.columns)

    @property
    def width(self) -> int:
        return self.columns * self.pitch

    @property
    def height(self) -> int:
        return self.rows * PITCH

    @property
    def line_path(self) -> str:
        return "".join(
            f"M{first * self.pitch} {row * PITCH + DOT // 2}h{(past - first) * self.pitch}"
            for row, first, past in self.lines
        )

    @property
    def mark_paths(self) -> Mapping[str, str]:
        """Kind of change to the path of its marks."""
        paths = dict[str, str]()
        for row, column, kind in self.marks:
            mark = f"M{column * self.pitch} {row * PITCH}h{DOT}v{DOT}h-{DOT}z"
            paths[kind] = paths.get(kind, "") + mark
        return paths


def sketch(source: Source, site: Site) -> Sketch | None:
    """Returns the terms with the most changes, in the matrix's order; None if there are no changes to show."""
    shown = matrix.most_changed(matrix.tracks(source, site.lives))[:ROWS]
    shown.sort(key=lambda track: track.place(site.language))
    begins = max(0, len(source.releases) - COLUMNS)
    lines, marks = [], []
    for row, track in enumerate(shown):
        for span in spans(track.course):
            first, past = max(0, span.number - begins), span.past - begins
            if past > 0 and span.state in DEFINED:
                lines.append((row, first, past))
            if span.is_event and span.number >= begins:
                marks.append((row, first, kind_of(span.kinds)))
    columns = len(source.releases) - begins
    return Sketch(rows=len(shown), columns=columns, lines=tuple(lines), marks=tuple(marks)) if marks else None


def card(drawn: Sketch | None) -> bytes:
    """Returns the sketch as a PNG, or lines alone if there is none."""
    if drawn is None:
        drawn = Sketch(rows=8, columns=1, lines=tuple((row, 0, 1) for row in range(8)), marks=())
    canvas = [bytearray(CARD_WIDTH) for _ in range(CARD_HEIGHT)]

    def fill(left: int, top: int, width: int, height: int, colour: int) -> None:
        for pixels in canvas[top : top + height]:
            pixels[left : left + width] = bytes([colour]) * width

    fill(0, 0, CARD_WIDTH, EDGE, _ACCENT)
    wide = (CARD_WIDTH - 2 * MARGIN) // drawn.columns
    high = (CARD_HEIGHT - EDGE - 2 * MARGIN) // drawn.rows
    dot = min(high * 3 // 4, wide * 3 // 4, 48)
    top = (CARD_HEIGHT + EDGE - drawn.rows * high) // 2
    for row, first, past in drawn.lines:
        fill(MARGIN + first * wide, top + row * high + dot // 2 - 1, (past - first) * wide, 3, _LINE)
    for row, column, kind in drawn.marks:
        fill(MARGIN + column * wide, top + row * high, dot, dot, _INKS.get(kind, _OTHER_INK))
    return _png(canvas)


def _png(canvas: list[bytearray]) -> bytes:
    header = struct.pack(">IIBBBBB", CARD_WIDTH, CARD_HEIGHT, 8, 3, 0, 0, 0)
    pixels = b"".join(b"\0" + row for row in canvas)
    chunks = {"IHDR": header, "PLTE": bytes.fromhex("".join(_COLOURS)), "IDAT": zlib.compress(pixels, 9), "IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name.encode(), data) for name, data in chunks.items())


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
