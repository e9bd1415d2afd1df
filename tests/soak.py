"""Runs the tests that make up their cases in rounds, each with a new seed: `make soak`.

SITEGEN_SOAK is for how many minutes rounds begin. SITEGEN_SEED repeats the round with that seed.
Arguments are handed on to pytest, such as the files to run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from random import SystemRandom

MINUTES = float(os.environ.get("SITEGEN_SOAK", "20"))


def seeds() -> Iterator[int]:
    """Yields the seed of each round."""
    if "SITEGEN_SEED" in os.environ:
        yield int(os.environ["SITEGEN_SEED"])
        return
    end = time.monotonic() + 60 * MINUTES
    while time.monotonic() < end:
        yield SystemRandom().randrange(1_000_000)


def passes(seed: int, arguments: Sequence[str]) -> bool:
    """Runs one round; returns True if no test failed in it."""
    world = {**os.environ, "SITEGEN_SEED": str(seed), "PYTHONHASHSEED": str(seed)}
    selected = ["-m", "soak or hypothesis", f"--hypothesis-seed={seed}"]
    command = [sys.executable, "-m", "pytest", "--quiet", *selected, *arguments]
    return subprocess.run(command, env=world, check=False).returncode == 0


def main(arguments: Sequence[str]) -> int:
    failed = []
    for number, seed in enumerate(seeds(), start=1):
        print(f"Round {number}; SITEGEN_SEED={seed} repeats it.", flush=True)
        if not passes(seed, arguments):
            failed.append(seed)
    print(f"{number} rounds; failed with these seeds: {failed or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
