"""Measures how soon `sitegen serve` serves a saved edit, over the loopback, after it has shown the
last one."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import glossary
from builds import long_lived
from glossary import Format, Glossary, Term
from running import build, scratch

EDITS = 5
"""Of each kind."""
RELEASES = 10
BETWEEN_LOOKS = 0.01
PATIENCE = 600
"""Seconds after which an edit counts as lost."""
SAID = "edited"


@dataclass(frozen=True, kw_only=True)
class Watch:
    """The times until edits of a glossary were served."""

    terms: int
    kind: str
    seconds: tuple[float, ...]
    """Of each edit."""


class Text(NamedTuple):
    """The newest release as written, with empty lines above all terms."""

    terms: Glossary
    lines: int = 0


Edit = Callable[[Text, int], tuple[Text, Term]]
"""Returns a text after an edit of the term in a place, and the term on whose page that is seen."""


def _a_word(text: Text, place: int) -> tuple[Text, Term]:
    """Changes one word: no other term is affected."""
    changed = glossary.edited(text.terms, place, SAID)
    return text._replace(terms=changed), changed[place]


def _all_lines(text: Text, place: int) -> tuple[Text, Term]:
    """Changes one word and adds a line above all terms, so that all move."""
    changed, term = _a_word(text, place)
    return changed._replace(lines=text.lines + 1), term


def _a_term(text: Text, place: int) -> tuple[Text, Term]:
    """Adds a term, so that all below it move."""
    beside = text.terms[place]
    new = Term(name=f"{beside.name} {SAID}", sentences=beside.sentences[::-1])
    return text._replace(terms=(*text.terms[: place + 1], new, *text.terms[place + 1 :])), new


KINDS: Mapping[str, Edit] = {"a word": _a_word, "all lines": _all_lines, "a term": _a_term}


def measure(terms: int, *, format: Format) -> list[Watch]:
    """Returns how soon edits of each kind were served, each of another term; there is a ledger, as
    with most."""
    history = glossary.releases(terms, count=RELEASES)
    folder = scratch()
    content, site = folder / "content", folder / "site"
    format.write(content, history)
    build(content, site)
    *_, newest = history
    unchanged = long_lived(history)
    places = reversed(
        unchanged[: len(unchanged) // 2]
    )  # upwards from the middle: a new term moves none of them
    text = Text(newest.glossary)
    watches = []
    with _serving(content, site, log=folder / "log") as address:
        for kind, edit in KINDS.items():
            seconds = []
            for place in islice(places, EDITS):
                # The page of another term is answered when everything of the last edit is compared.
                _wait_for(f"{address}term/{text.terms[-1].slug}/index.html", b"</html>")
                text, term = edit(text, place)
                lower = replace(format, opening=format.opening + "\n" * text.lines)
                lower.write(content, [replace(newest, glossary=text.terms)])
                begun = time.perf_counter()
                _wait_for(f"{address}term/{term.slug}/index.html", SAID.encode())
                seconds.append(time.perf_counter() - begun)
            watches.append(Watch(terms=terms, kind=kind, seconds=tuple(seconds)))
    return watches


def _wait_for(address: str, words: bytes) -> None:
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        with suppress(HTTPError), urlopen(address) as answer:  # noqa: S310  (the loopback)
            if words in answer.read():
                return
        time.sleep(BETWEEN_LOOKS)
    sys.exit(f"{address}: what was saved was not served within {PATIENCE} s")


@contextmanager
def _serving(content: Path, site: Path, *, log: Path) -> Iterator[str]:
    """Serves and watches a site, and gives its address."""
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "sitegen",
        "serve",
        content,
        "--output",
        site,
        "--port",
        "0",
    ]
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
