"""Stencils: what all pages of a shape have in common is drawn once, with gaps for what each page has for itself.

A template that is given a gap in the place of a value can place it, say a message around it, ask for a part of it, or
hand it to a filter; all of that is done with a page's own value when the gap is filled. It cannot look into a gap. So
whether there is a value at all is the one thing that it can decide by, and that is the same for all pages of a shape.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import chain
from operator import itemgetter
from typing import Any

from markupsafe import Markup, escape

HALF = "\ud800"
"""Half a character, which no text has for long: pages are written without."""

DRAWN = 1024
"""Stencils that are kept: where shapes are more than that, few pages share one."""

Values = Mapping[Any, Any]
"""What a page is made from, or a part of one, by name or by number."""
Find = Callable[[Values], Any]
"""Finds among the values of a page what goes into a gap."""


class Stencils:
    """The stencils that have been drawn."""

    def __init__(self, *, waits: bool = False) -> None:
        """Those who wait draw one when a shape is met again: of a kind that has very many shapes, most are not."""
        self._waits = waits
        self._drawn: dict[Hashable, Stencil | None] = {}
        """None for a shape that was met once."""

    def filled(self, kind: Hashable, values: Values, draw: Callable[[Values], str]) -> str:
        """Returns what is drawn from some values; `kind` tells all else that it is drawn from."""
        shape = kind, tuple([name for name, value in values.items() if value])
        stencil = self._drawn.get(shape)
        if stencil is None:
            if self._is_new(shape):
                return draw(values)
            stencil = self._drawn[shape] = Stencil(draw, values)
        return stencil.filled(values)

    def _is_new(self, shape: Hashable) -> bool:
        """True for a shape that may not be worth a stencil."""
        if shape in self._drawn:
            return False
        if len(self._drawn) == DRAWN:
            self._drawn.clear()
        self._drawn[shape] = None
        return self._waits


class Stencil:
    """What pages of one shape have in common."""

    def __init__(self, draw: Callable[[Values], str], values: Values) -> None:
        """`values` are those of a page of that shape; what is empty there leaves no gap."""
        self._begun = f"{HALF}{id(self)}:"
        self._finds: list[Find] = []
        gaps = {name: value and Gap(itemgetter(name), self._place) for name, value in values.items()}
        first, *others = str(draw(gaps)).split(self._begun)
        cut = [other.split(HALF, 1) for other in others]
        self._texts = [first, *(text for _, text in cut)]
        self._finds = [self._finds[int(number)] for number, _ in cut]

    def _place(self, find: Find) -> str:
        """What stands in the text for a gap until that is cut there; nobody else can have written it."""
        self._finds.append(find)
        return f"{self._begun}{len(self._finds) - 1}{HALF}"

    def filled(self, values: Values) -> str:
        """Returns the text of the page that has these values."""
        own = [placed(find(values)) for find in self._finds]
        return "".join(chain.from_iterable(zip(self._texts, [*own, ""], strict=True)))


class Gap:
    """Stands for a value that every page of a shape has."""

    __slots__ = ("_place", "find")

    def __init__(self, find: Find, place: Callable[[Find], str]) -> None:
        """`place` gives what stands for the gap in a text."""
        self.find = find
        self._place = place

    def __html__(self) -> str:
        return self._place(self.find)

    def __format__(self, _: str) -> str:
        """A message can be said around a gap."""
        return self.__html__()

    def __getattr__(self, name: str) -> Gap:
        return _Made(lambda values: getattr(self.find(values), name), self._place)

    def filtered(self, draw: Callable[..., object], more: tuple[object, ...]) -> Gap:
        """Returns the gap for what a filter makes of the value, and of what more it is given for all pages alike."""
        if any(isinstance(one, Gap) for one in more):
            raise TypeError("a filter waits for one value, not for several")
        return _Made(lambda values: draw(self.find(values), *more), self._place)


class _Made(Gap):
    """Stands for what is made of a value: it is not known whether there is anything to it."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise TypeError("whether there is such a part is for each page to say")


def patient(draw: Callable[..., object]) -> Callable[..., object]:
    """Returns a filter that waits for what fills its gaps."""

    def drawn(value: object, *more: object) -> object:
        return value.filtered(draw, more) if isinstance(value, Gap) else draw(value, *more)

    return drawn


def placed(value: object) -> Markup:
    """Returns a value as it is placed. Most are markup, which need not be made markup again."""
    return value if type(value) is Markup else escape(value)
