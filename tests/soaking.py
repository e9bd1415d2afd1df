"""Seeds of what tests make up at random: few and always the same in `make test`, new ones in each
round of `make soak`, which `soak.py` runs.

SITEGEN_SEED is the seed of a round. Where it is unset, this is `make test`.
"""

from __future__ import annotations

import os

IS_SOAK = "SITEGEN_SEED" in os.environ
FIRST = 1000 * int(os.environ.get("SITEGEN_SEED", "0"))
"""The first seed of this round; each round has a thousand of its own."""


def seeds(*, test: int, soak: int) -> range:
    """Returns as many seeds as `make test`, or one round of a soak, tries."""
    return range(FIRST, FIRST + (soak if IS_SOAK else test))
