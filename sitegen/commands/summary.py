"""The summary of a build, as a line and as data; `build` and `serve` print it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitegen.build.site_build import Built


def summary(built: Built, output: Path, seconds: float) -> str:
    """Returns one line: `site: 137 terms, 19 releases, 348 changes, 0 problems, 902 files in 2.0 s`."""
    counted = ", ".join(f"{count:,} {name if count != 1 else name[:-1]}" for name, count in counts(built).items())
    return f"{output}: {counted} in {seconds:.1f} s"


def data(built: Built, output: Path, seconds: float) -> dict[str, object]:
    """Returns the summary and the problems as plain data."""
    problems = [asdict(problem) for problem in built.problems]
    seconds = round(seconds, 3)
    return {"output": str(output), **counts(built), "seconds": seconds, "problems": problems, "notes": built.notes}


def counts(built: Built) -> dict[str, int]:
    numbers = {"terms": built.terms, "releases": built.releases, "changes": built.changes}
    return {**numbers, "problems": len(built.problems), "files": built.files}
