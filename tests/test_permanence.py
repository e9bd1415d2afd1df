"""What was published stays, whatever happens to a glossary, its releases and its site.toml."""

from __future__ import annotations

from random import Random

import pytest
from histories import ACCIDENTS, worlds
from published import Publication
from soaking import seeds

RELEASES = 8


@pytest.mark.parametrize("seed", seeds(test=10, soak=150))
def test_no_published_word_is_lost(seed: int) -> None:
    """After renames, removals, merges, returns and withdrawals, every published link shows its
    words."""
    publication = Publication()
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        publication.build(*world.inputs(), when=f"history {seed}, release {number}")


@pytest.mark.parametrize("seed", seeds(test=10, soak=150))
def test_no_accident_stops_a_build_or_loses_a_word(seed: int) -> None:
    """After edits, deletions and other accidents, a site is built, and every published link shows
    its words."""
    random, publication = Random(seed), Publication()
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        when = f"history {seed}, release {number}"
        if number > 2 and random.random() < 0.6:
            accident = random.choice(ACCIDENTS)
            when += f", {accident.__name__}"
            accident(world)
        publication.build(*world.inputs(), when=when)
