"""Made-up documents of every format are read without a traceback, within a budget of memory, and
without hanging."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DOCUMENTS = 140


def test_made_up_documents() -> None:
    """A short run of `make fuzz`, with all kept cases, finds nothing and does not hang.

    A text of a tenth of the length has one and a half times the time of CPU, so that no machine is
    too slow. It finds what never ends; `make fuzz` finds times that grow with the square of the
    length.
    """
    program = Path(__file__).parent / "fuzz/fuzzing.py"
    world = {**os.environ, "SITEGEN_FUZZ_K": "100", "SITEGEN_FUZZ_SECONDS": "3"}
    ran = subprocess.run(
        [sys.executable, str(program), str(DOCUMENTS)], env=world, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
