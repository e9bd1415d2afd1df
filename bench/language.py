"""A generated language with the word frequencies, lengths and similarities of a real one.

A search index lives on that: few words stand everywhere, most stand almost nowhere, and many share
their beginning.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from random import Random

BEGINNINGS = (
    "b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sp st "
    "str t th tr v w"
).split()
MIDDLES = "a ai e ea ee i o oo ou u".split()
ENDS = "b ck ct d ft g ld lt m n nd ng nt p r rd rm rt s sh ss st t x".split()
PREFIXES = "con de ex in inter over per pre pro re sub trans un".split()
SUFFIXES = "s ed ing er able ation ment ly ness".split()
SMALL = (
    "a an and are as at be by can for from in is it may not of on or that the this to which with"
).split()
SMALL_SHARE = 0.45
"""How much of a text small words are."""


class Language:
    """Words by frequency: the nth about 1/n as often as the first."""

    def __init__(self, random: Random, *, size: int) -> None:
        self.random = random
        self.words = list(itertools.islice(_each_once(_words(random)), size))
        self.weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(size)))

    def text(self, length: int) -> str:
        rare = iter(self.random.choices(self.words, cum_weights=self.weights, k=length))
        return " ".join(
            self.random.choice(SMALL) if self.random.random() < SMALL_SHARE else word
            for word in rare
        )

    def name(self) -> str:
        return " ".join(self.random.choices(self.words, k=self.random.choice((1, 1, 2, 2, 2, 3))))


def _each_once(words: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in words:
        if word not in seen:
            seen.add(word)
            yield word


def _words(random: Random) -> Iterator[str]:
    """Words in families, short ones first."""
    for syllables in itertools.chain([1] * 400, itertools.repeat(2)):
        root = "".join(map(random.choice, [BEGINNINGS, MIDDLES, ENDS] * syllables))
        relatives = [*(root + ending for ending in SUFFIXES), *(start + root for start in PREFIXES)]
        yield root
        yield from random.sample(relatives, random.randint(0, 8))
