"""Measures whether twice the terms take twice the time, for shapes with many dependencies.

A glossary at work seldom has these: all terms renamed at once, every definition written anew, links
and footnotes all defined at the end, one term to which all others refer. Whoever has one should not
have to wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

import glossary
from glossary import Glossary, Term
from running import build, scratch

SIZES = (300, 600)
"""Within the limits of one file of Markdown with links and footnotes defined at its end
(contributing/limits.md)."""
RELEASES = 2


@dataclass(frozen=True, kw_only=True)
class Growth:
    """The CPU seconds of builds of one shape, by size."""

    shape: str
    small: float
    large: float

    @property
    def ratio(self) -> float:
        """Returns how much longer twice the terms take."""
        return self.large / self.small


Written = Callable[[Glossary, int], str]
"""Returns a glossary as Markdown, as the release of a number has it."""


def _renamed(terms: Glossary, number: int) -> str:
    return _document(
        replace(term, name=f"{term.name} {'of old' if number else 'today'}") for term in terms
    )


def _reworded(terms: Glossary, number: int) -> str:
    random = Random(number)  # noqa: S311  (nothing here is secret)
    return _document(replace(term, sentences=random.choice(terms).sentences) for term in terms)


def _linked_below(terms: Glossary, number: int) -> str:
    """Each definition has a link of its own, whose address stands at the end of the document."""
    last = "".join(
        f"[{term.name} page]: https://example.org/{number}/{term.slug}\n" for term in terms
    )
    return _document(_ending(term, f"[More][{term.name} page].") for term in terms) + last


def _noted_below(terms: Glossary, number: int) -> str:
    """The same with footnotes."""
    last = "".join(
        f"[^{place}]: Note {number} on {term.name}.\n" for place, term in enumerate(terms)
    )
    return _document(_ending(term, f"Noted[^{place}].") for place, term in enumerate(terms)) + last


def _around_one(terms: Glossary, number: int) -> str:
    """All terms refer to the first."""
    hub = terms[0]
    return _document(_ending(term, f"Of [{hub.name}](#{hub.slug}) {number}.") for term in terms)


SHAPES: Mapping[str, Written] = {
    "all terms renamed": _renamed,
    "all definitions reworded": _reworded,
    "links defined at the end": _linked_below,
    "footnotes at the end": _noted_below,
    "all refer to one term": _around_one,
}


def measure() -> list[Growth]:
    """Returns how the time of each shape grows."""
    return [
        Growth(shape=shape, small=small, large=large)
        for shape, written in SHAPES.items()
        for small, large in [[_seconds(written, terms) for terms in SIZES]]
    ]


def _seconds(written: Written, terms: int) -> float:
    ((newest),) = glossary.releases(terms, count=1)
    folder = scratch()
    for number in range(RELEASES):
        place = folder / "content" / f"1.{number}"
        place.mkdir(parents=True)
        (place / "glossary.md").write_text(written(newest.glossary, number), encoding="utf-8")
    return build(folder / "content", folder / "site").cpu_seconds


def _ending(term: Term, words: str) -> Term:
    return replace(term, sentences=(*term.sentences, words))


def _document(terms: Iterable[Term]) -> str:
    entries = (
        f"## {term.name}\n\n{glossary.plain(' '.join(term.sentences))}\n\n" for term in terms
    )
    return "# Glossary\n\n" + "".join(entries)
