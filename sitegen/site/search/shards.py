"""The index of words as files: a small directory, and shards of neighbouring words, of which a query needs few.

A shard has a line for each of its words: the word, the rows of names that it stands in, and those of definitions.
Rows are told by their distance from the one before, and by a count where a word stands there more than once: `8,3.2`
are row 8 and, twice, row 11. Each file is called by a hash of what is in it, and the list of names calls the
directory, so that nothing a browser has kept from an earlier release is ever taken for a part of this one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from sitegen.site.search.index import Index
from sitegen.site.search.script import script

SHARD = 32_000
"""The characters of a shard, 13 kB when compressed. A word that is everywhere may need more."""
WHOLE = 96_000
"""An index of so many characters comes in one piece, with its directory: sooner fetched than asked about."""


def sharded(index: Index) -> dict[str, bytes]:
    """Returns the script of each file by its name, the directory first."""
    parts = _parts(list(_lines(index)))
    shards = {_name(part): part for part in parts}
    directory = {
        "stemmed": index.stemmed,
        "lengths": (index.names.lengths, index.text.lengths),
        "starts": [part.partition(" ")[0] for part in parts],
        "shards": list(shards),
    }
    name = _name(str(directory))
    scripts = {name: script(name, value) for name, value in ((name, directory), *shards.items())}
    return scripts if len(shards) > 1 else {name: b"".join(scripts.values())}


def _lines(index: Index) -> Iterator[str]:
    names, text = index.names.postings, index.text.postings
    # JavaScript compares by UTF-16, Python by code point.
    for word in sorted({*names, *text}, key=lambda word: word.encode("utf-16-be")):
        yield f"{word} {_rows(names.get(word, ()))} {_rows(text.get(word, ()))}"


def _rows(rows: Sequence[int]) -> str:
    if len(rows) < 2:  # as of most words
        return "".join(map(str, rows))
    return ",".join(_steps(Counter(rows)))


def _steps(counts: Mapping[int, int]) -> Iterator[str]:
    last = 0
    for row, count in counts.items():
        yield f"{row - last}" if count == 1 else f"{row - last}.{count}"
        last = row


def _parts(lines: Sequence[str]) -> list[str]:
    """The lines in their order, in one part or in as few as hold them."""
    limit = WHOLE if sum(map(len, lines)) <= WHOLE else SHARD
    parts: list[list[str]] = []
    room = 0
    for line in lines:
        room -= len(line)
        if room < 0:
            parts.append([])
            room = limit - len(line)
        parts[-1].append(line)
    return ["\n".join(part) for part in parts]


def _name(text: str) -> str:
    return f"words-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
