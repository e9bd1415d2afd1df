"""Measures the search of generated glossaries: writing the index, bytes per query, and time to a
name.

Bytes are as a server sends them, compressed. A query's are those of a reader whose first query it
is: the script that reads the index, its directory, and the shards that its words may be in.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from statistics import median

from browsing import typing
from language import Language
from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.addresses.slugs import slug
from sitegen.site.search import Searchable, search_files
from sitegen.site.search.search_words import index_word, words
from sitegen.site.templates import asset_files, read_templates

VOCABULARY = 30_000
LENGTHS = range(40, 121)
"""How many words a definition has."""
NAMES = "search/names.js"
QUERIES = 300
TYPED = 6
"""Names that are typed into a browser, every other with a slip."""

Row = dict[str, float | int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "terms", type=int, nargs="*", default=[1_000, 10_000], help="sizes to measure (%(default)s)"
    )
    for terms in parser.parse_args().terms:
        for name, value in measure(terms).items():
            print(f"{name:40} {value:10,}")
        print()


def measure(terms: int) -> Row:
    """Returns what the search of so many terms takes. What a browser says is missing where there is
    none."""
    glossary = tuple(_glossary(terms))
    begun = time.process_time()
    files = {file.path: file.content for file in search_files(glossary, language="en")}
    seconds = time.process_time() - begun
    sent = {path: _sent(content) for path, content in files.items()}
    asked = [_bytes(query, files, sent) for query in _queries(glossary)]
    short = [
        _bytes([start], files, sent)
        for start in {word[:2] for term in glossary for word in words(term.name)}
    ]
    return {
        "terms": terms,
        "index: CPU seconds": round(seconds, 2),
        "index: files": len(files) - 1,
        "index: bytes": sum(sent.values()) - sent[NAMES],
        "names: bytes": sent[NAMES],
        "query: bytes, median": int(median(asked)),
        "query: bytes, worst": max(asked),
        "two letters: bytes, worst": max(short),
        **_typed(glossary, files),
    }


def _glossary(terms: int) -> Iterator[Searchable]:
    random = Random(terms)  # noqa: S311  (nothing here is secret)
    language = Language(random, size=VOCABULARY)
    names: dict[str, None] = {}
    while len(names) < terms:
        names[language.name()] = None
    for number, name in enumerate(sorted(names)):
        text = language.text(random.choice(LENGTHS))
        yield Searchable(
            slug=slug(name),
            name=name,
            status="removed" if number % 30 == 0 else "current",
            other_names=(language.name(),) if number % 20 == 0 else (),
            former_names=(language.name(),) if number % 25 == 0 else (),
            sentence=" ".join(text.split()[:12]) + ".",
            text=text,
        )


def _sent(content: bytes) -> int:
    return len(gzip.compress(content, compresslevel=6))


def _bytes(query: Sequence[str], files: Mapping[str, bytes], sent: Mapping[str, int]) -> int:
    """What a query loads that is a reader's first, beyond the page and the list of names."""
    _, first, *others = files
    directory = json.loads(files[first].partition(b"\n")[0].partition(b" = ")[2].rstrip(b";"))
    wanted = _shards(query, directory["starts"]) if others else ()
    return (
        _reader()
        + sent[first]
        + sum(sent[f"search/{directory['shards'][number]}.js"] for number in wanted)
    )


@cache
def _reader() -> int:
    files = asset_files(read_templates())
    return next(_sent(file.content) for file in files if file.path.endswith("/search-index.js"))


def _queries(glossary: Sequence[Searchable]) -> Iterator[list[str]]:
    """Returns words of definitions, alone, in pairs, or truncated."""
    random = Random(0)  # noqa: S311
    for number in range(QUERIES):
        found = [word for word in words(random.choice(glossary).text) if word not in STOP_WORDS]
        query = random.sample(found, 1 + (number % 3 == 1))
        yield [query[0][: random.randint(2, 5)]] if number % 3 == 2 else query


def _shards(query: Sequence[str], starts: Sequence[str]) -> set[int]:
    """Returns the shards that `search-index.js` loads."""
    stems, last = [index_word(word, language="en") for word in query], query[-1]
    begun = {number for number, start in enumerate(starts) if start.startswith(last)}
    return begun | {bisect_right(starts, word) - 1 for word in (*stems, last)} - {-1}


def _typed(glossary: Sequence[Searchable], files: Mapping[str, bytes]) -> Row:
    random = Random(1)  # noqa: S311
    names = [term.name for term in random.sample(glossary, TYPED)]
    seen = typing(files, [_slip(name) if number % 2 else name for number, name in enumerate(names)])
    if not seen:
        return {}
    return {
        "typing: ms to the first answer": round(seen.answers[0], 1),
        "typing: ms to an answer, median": round(median(seen.answers), 1),
        "typing: ms of work for the first answer": round(seen.work[0], 1),
        "typing: ms of work, median": round(median(seen.work), 1),
        "typing: ms of work, worst": round(max(seen.work), 1),
    }


def _slip(name: str) -> str:
    """Returns the name with a letter doubled."""
    middle = len(name) // 2
    return name[:middle] + name[middle - 1 :]


if __name__ == "__main__":
    main()
