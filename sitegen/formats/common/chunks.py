"""A document cut into pieces, each of which is read by itself; where one stays open, with what follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Piece = TypeVar("Piece")
BETWEEN = "\n\n"
"""What is cut away between two pieces."""


def read(
    texts: Sequence[str], closed: Callable[[str], Piece | None], last: Callable[[str], Piece]
) -> Iterator[tuple[int, Piece]]:
    """Yields what is made of each text by itself, with the number of lines before it.

    `closed` says None of one that leaves anything open: more and more of what follows is then read along, at `last`
    all of it.
    """
    lines = enough = 0
    begun: list[str] = []
    for alone in texts[:-1]:
        text = alone
        if begun:
            begun.append(alone)
            if len(begun) < enough:
                continue
            text = BETWEEN.join(begun)
        piece = closed(text)
        if piece is not None:
            yield lines, piece
            lines += text.count("\n") + len(BETWEEN)
            begun.clear()
        else:
            begun = begun or [alone]
            enough = 2 * len(begun)
    yield lines, last(BETWEEN.join((*begun, texts[-1])))
