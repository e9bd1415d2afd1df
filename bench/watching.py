"""Measures how soon what was saved is served, by `sitegen serve`, over the loopback."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.request import urlopen

import glossary
from builds import long_lived
from glossary import Format
from running import build, scratch

EDITS = 5
RELEASES = 10
BETWEEN_LOOKS = 0.01
PATIENCE = 600
"""Seconds after which an edit counts as lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """How soon edits of a glossary were served."""

    terms: int
    seconds: tuple[float, ...]
    """Of each edit."""


def measure(terms: int, *, format: Format) -> Watch:
    """Returns how soon several edits were served, each of another term, where there is a ledger, as with most."""
    history = glossary.releases(terms, count=RELEASES)
    folder = scratch()
    content, site = folder / "content", folder / "site"
    format.write(content, history)
    build(content, site)
    with _serving(content, site, log=folder / "log") as address:
        return Watch(terms=terms, seconds=tuple(_edits(history, address, content, format)))


def _edits(history: tuple[glossary.Release, ...], address: str, content: Path, format: Format) -> Iterator[float]:
    *_, newest = history
    changed = newest.glossary
    for place in long_lived(history)[:EDITS]:
        term = changed[place]
        changed = glossary.edited(changed, place, "edited")
        format.write(content, [replace(newest, glossary=changed)])
        begun = time.perf_counter()
        _wait_for(f"{address}term/{term.slug}/index.html", b"edited")
        yield time.perf_counter() - begun


def _wait_for(address: str, words: bytes) -> None:
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        with urlopen(address) as answer:  # noqa: S310  (the loopback)
            if words in answer.read():
                return
        time.sleep(BETWEEN_LOOKS)
    sys.exit(f"{address}: what was saved was not served within {PATIENCE} s")


@contextmanager
def _serving(content: Path, site: Path, *, log: Path) -> Iterator[str]:
    """The address of a site that is served and watched."""
    command: list[str | Path] = [sys.executable, "-m", "sitegen", "serve", content, "--output", site, "--port", "0"]
    with log.open("w") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)  # noqa: S603  (our own command)
        try:
            while not (found := re.search(r" at (http://\S+) ", log.read_text(encoding="utf-8"))):
                if process.poll() is not None:
                    sys.exit(log.read_text(encoding="utf-8"))
                time.sleep(BETWEEN_LOOKS)
            yield found[1]
        finally:
            process.terminate()
            process.wait()
