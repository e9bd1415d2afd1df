"""Builds made-up glossaries and says how long it took and how much memory: `make bench`.

Each build runs in a process of its own, as a keeper's would, so that time and memory include starting up. The table
goes to the terminal and, as data, to build/bench.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import glossary

RELEASES = 10
MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024
"""What the system counts peak memory in, in bytes."""

Row = dict[str, float | int | str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("terms", type=int, nargs="*", default=[1_000, 10_000], help="sizes to build (%(default)s)")
    parser.add_argument("--format", choices=sorted(glossary.FORMATS), default="markdown")
    parser.add_argument("--data", type=Path, default=Path("build/bench.json"), metavar="FILE")
    options = parser.parse_args()
    rows = []
    print("format     terms  releases   pages  seconds  pages/s  peak MB")
    for terms in options.terms:
        rows.append(row := measure(terms, options.format))
        print(
            "{format:9} {terms:6}  {releases:8}  {pages:6}  {seconds:7.1f}  {pages_per_second:7.0f}  "
            "{peak_megabytes:7.0f}".format_map(row),
            flush=True,
        )
    options.data.parent.mkdir(parents=True, exist_ok=True)
    options.data.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


def measure(terms: int, format: str) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        content, site = Path(folder, "content"), Path(folder, "site")
        write(content, terms, format)
        seconds, peak = build(content, site)
        pages = sum(1 for _ in site.rglob("*.html"))
    return {
        "format": format,
        "terms": terms,
        "releases": RELEASES,
        "pages": pages,
        "seconds": round(seconds, 2),
        "pages_per_second": round(pages / seconds, 1),
        "peak_megabytes": round(peak / 2**20, 1),
    }


def write(content: Path, terms: int, format: str) -> None:
    name, text = glossary.FORMATS[format]
    for release, entries in glossary.releases(terms, count=RELEASES):
        (content / release).mkdir(parents=True)
        (content / release / name).write_text(text(entries), encoding="utf-8")


def build(content: Path, site: Path, *options: str) -> tuple[float, int]:
    """Returns the seconds that a build took and the most memory, in bytes, that it held at once."""
    command = [sys.executable, "-m", "sitegen", "build", str(content), "--output", str(site), "--quiet", *options]
    with tempfile.TemporaryFile("w+") as said:
        begun = time.perf_counter()
        process = subprocess.Popen(command, stderr=said)  # noqa: S603  (our own command)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        if status:
            said.seek(0)
            sys.exit(said.read())
    return seconds, usage.ru_maxrss * MEMORY_UNIT


if __name__ == "__main__":
    main()
