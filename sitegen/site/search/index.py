"""Which words stand in which terms, and how often: all that lunr's ranking needs to know.

lunr writes the weight of every word in every term into its index. A weight follows from counts alone, so ours holds
the counts, and `search-index.js` weighs as lunr does what a query asks about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.site.search.folding import words
from sitegen.site.search.searchable import Searchable
from sitegen.site.search.stem import stem

Postings = Mapping[str, Sequence[int]]
"""A word to the rows it stands in, ascending, each as often as the word stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What is searched together: all names, or all definitions."""

    lengths: tuple[int, ...]
    """How many words each row has."""
    postings: Postings


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """The words of all terms; a term is its row in the list of names."""

    stemmed: bool
    names: Field
    text: Field


def indexed(terms: Sequence[Searchable], *, english: bool) -> Index:
    """Returns the words of names and of definitions. Only in English are they stemmed, and stop words left out."""
    known = _Known(english=english)
    return Index(
        stemmed=english,
        names=_field((" ".join((term.name, *term.other_names, *term.former_names)) for term in terms), known),
        text=_field((term.text for term in terms), known),
    )


class _Known(dict[str, str]):
    """What each word is in the index; nothing, where it is left out. Filled as words are met, most of them often."""

    def __init__(self, *, english: bool) -> None:
        self.english = english

    def __missing__(self, word: str) -> str:
        self[word] = found = _stem(word) if self.english else word
        return found


def _stem(word: str) -> str:
    return "" if word in STOP_WORDS else stem(word)


def _field(texts: Iterable[str], known: _Known) -> Field:
    lengths = []
    postings: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        found = [word for written in words(text) if (word := known[written])]
        lengths.append(len(found))
        for word in found:
            postings[word].append(row)
    return Field(lengths=tuple(lengths), postings=postings)
