"""Made-up documents of every format are read without a traceback, within their budgets of time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DOCUMENTS = 140


def test_made_up_documents() -> None:
    """A short run of `make fuzz`, with all kept cases, finds nothing."""
    program = Path(__file__).parent / "fuzz/fuzzing.py"
    ran = subprocess.run([sys.executable, str(program), str(DOCUMENTS)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
