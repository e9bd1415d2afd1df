"""Generates documents of every format and reads them, each with a budget of time and memory.

`fuzzing.py DOCUMENTS [SEED]` prints what was found and leaves with status 1 if there was anything.
A document is made of fragments of its format's markup: nested, repeated, cut off and joined in ways
that nobody would write. Every tenth repeats one or two fragments up to 100 kB, which shows where
time grows faster than the text. What once took too long or failed is kept in `cases/`, as a line of
Python that makes it. SITEGEN_FUZZ_K makes the long texts shorter: it is 1,000 unless it is set.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from random import Random

from fragments import ENDINGS, FRAGMENTS, SHARED

from sitegen.formats import FORMATS, read
from sitegen.model import Document
from sitegen.text.decoding import decode

SECONDS = float(os.environ.get("SITEGEN_FUZZ_SECONDS", "2"))
"""For each long text, and for a shorter one; loading a parser counts too."""
MEGABYTES = 300
K = int(os.environ.get("SITEGEN_FUZZ_K", "1000"))
LARGE = 100 * K
BATCH = 100
"""Documents that are read in one process."""


def documents(random: Random, count: int) -> Iterator[tuple[str, str]]:
    """Yields names of formats and texts."""
    names = [format.name for format in FORMATS if format.name in FRAGMENTS]
    for number in range(count):
        name = names[number % len(names)]
        own, every = FRAGMENTS[name], FRAGMENTS[name] + SHARED
        if number // len(names) % 10 == 0:
            unit = "".join(random.choices(every, k=random.randint(1, 3)))
            # Numbers make the entries of every second text differ, so that no cache helps.
            leaf = random.choice(("eaf", "eaf{}"))
            numbered = (
                unit.replace("eaf", leaf.format(n)) for n in range(LARGE // max(1, len(unit)))
            )
            yield name, (random.choice(own) + "".join(numbered))[:LARGE]
            continue
        parts = []
        for _ in range(random.randint(1, 12)):
            part = "".join(
                random.choices(own if random.random() < 0.6 else every, k=random.randint(1, 8))
            )
            parts.append(part * random.choice((1, 1, 1, 2, 30)))
        indented = "".join(parts).replace(
            "\n", random.choice(("\n", "\n", "\n  ", "\n   ", "\n> "))
        )
        yield name, indented[: random.choice((10**6, 10**6, len(indented) // 2))]


def parse(name: str, text: str) -> None:
    decoded = decode(text.encode(errors="replace"), path="a")
    if decoded.text is not None:
        path = f"glossary.{ENDINGS.get(name, 'txt')}"
        reading = read(
            Document(source="a", release="1", path=path, name=path, text=decoded.text, format=name)
        )
        for entry in reading.entries:
            shown = f"{entry.name}{entry.definition.html}{entry.definition.text}"
            assert not {*shown} & {*map(chr, range(9)), *"\x0e\x1b\x7f\u202e\u2066"}, (
                "a character that nobody sees"
            )


def check(name: str, text: str) -> str:
    """Returns the violation in reading a document; empty if there is none."""
    budget = SECONDS * max(1, len(text.encode(errors="replace")) / LARGE)
    begun = time.process_time()
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 10 * budget)
    try:
        parse(name, text)
    except BaseException:
        return traceback.format_exc(limit=-3)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    took = time.process_time() - begun
    if took > budget:
        return f"took {took:.1f} s of {budget:.1f}"
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"took {megabytes:.0f} MB" if megabytes > MEGABYTES else ""


def _stop(*_: object) -> None:
    raise TimeoutError("far above its time")


def cases() -> Iterator[tuple[str, str]]:
    """Yields the kept findings: the name of a format, and the text."""
    for path in sorted(Path(__file__).with_name("cases").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                yield path.stem, eval(line, {"k": K})


def main(count: int, seed: int) -> int:
    every = chain(cases(), documents(Random(seed), count))
    results = []
    while batch := list(islice(every, BATCH)):
        results.append(_in_a_copy(batch))
    found = sum(found for found, _ in results)
    print(f"{count:,} documents, {found} found, at most {max(most for _, most in results)} MB")
    return 1 if found else 0


def _in_a_copy(batch: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Checks documents in a forked process; returns violations and megabytes."""
    sys.stdout.flush()
    if (child := os.fork()) == 0:
        found = 0
        for name, text in batch:
            if wrong := check(name, text):
                found += 1
                print(
                    f"--- {name}, {len(text):,} characters: {wrong.strip()}\n{text[:200]!r} …",
                    flush=True,
                )
        os._exit(min(found, 100))
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss // 1024


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
