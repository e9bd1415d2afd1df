"""Builds prepared checkouts one after another in one process; run under strace by
`test_hostile.py`.

`hostile_builds.py CHECKOUTS` prints for each folder in it, as JSON, the status and the standard
error of a build.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
from pathlib import Path

from sitegen.commands import main

SECONDS = 100
"""After which a build is taken to hang."""


def build(checkout: Path) -> tuple[int, str]:
    os.chdir(checkout)
    output = (checkout / "OUTPUT").read_text() if (checkout / "OUTPUT").is_file() else "site"
    sys.argv = ["sitegen", "build", "-q", "-o", output]
    result = io.StringIO()
    signal.alarm(SECONDS)
    with contextlib.redirect_stderr(result):
        status = main.run()
    signal.alarm(0)
    return status, result.getvalue()


if __name__ == "__main__":
    for folder in sorted(Path(sys.argv[1]).iterdir()):
        print(json.dumps([folder.name, *build(folder)]), flush=True)
