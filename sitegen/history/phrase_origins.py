"""Finds the wording in which each phrase of a definition was added, by tracing words through all
its wordings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from sitegen.model import Prose
from sitegen.text.words import matching, split_words, words_of

ISLAND = 2
"""The longest run, in words, that does not count as a phrase of its own when the words on both
sides are newer.

Short runs such as "of the" survive a rewrite by chance.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrase:
    """A run of words that were added by the same wording."""

    wording: int
    """The 0-based number of that wording."""
    text: str


AddedRun = tuple[int, int, int]
"""(wording, first, past): the number of a wording, and the range of words that it added."""


def phrases(wordings: Sequence[Prose]) -> tuple[Phrase, ...]:
    """Returns the text of the last wording, split into phrases that were added by different
    wordings.

    `wordings` are those of one source, oldest first; no release between two of them may lack the
    term. The joined phrases equal the text of the last wording.
    """
    words = split_words(wordings[-1])
    return tuple(
        Phrase(wording=wording, text=words.text_between(first, past))
        for wording, first, past in _without_islands(_runs(origins(wordings)))
    )


def origins(wordings: Sequence[Prose]) -> tuple[int, ...]:
    """Returns, for each word of the last wording, the number of the wording since which it is there
    continuously."""
    current = (0,) * len(words_of(wordings[0]).keys)
    for number, (before, after) in enumerate(pairwise(wordings), start=1):
        carried = [number] * len(words_of(after).keys)
        for start, new_start, size in matching(before, after):
            carried[new_start : new_start + size] = current[start : start + size]
        current = tuple(carried)
    return current


def _runs(origins: Sequence[int]) -> list[AddedRun]:
    runs = [tuple(places) for _, places in groupby(range(len(origins)), key=origins.__getitem__)]
    return [(origins[places[0]], places[0], places[-1] + 1) for places in runs]


def _without_islands(runs: list[AddedRun]) -> list[AddedRun]:
    """Joins each run of at most `ISLAND` words that is older than both neighbors with the older
    neighbor."""
    joined: list[AddedRun] = []
    for run in runs:
        joined.append(run)
        if len(joined) < 3:
            continue
        before, (wording, first, past), after = joined[-3:]
        if past - first > ISLAND or wording >= min(before[0], after[0]):
            continue
        if before[0] == after[0]:
            joined[-3:] = [(before[0], before[1], after[2])]
        elif before[0] < after[0]:
            joined[-3:] = [(before[0], before[1], past), after]
        else:
            joined[-3:] = [before, (after[0], first, after[2])]
    return joined
