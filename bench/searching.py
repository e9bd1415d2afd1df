"""Measures the search of generated glossaries: writing the index, bytes per query, and time to a
name.

Bytes are as a server sends them, compressed. A query's are those of a reader whose first query it
is: the scripts that it loads, the directory of the index, the shards that its words may be in, and
the files with the definitions of ten terms that have its words.
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
from typing import Any

from browsing import typing
from language import Language
from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.addresses.slugs import slug
from sitegen.site.search import search_files
from sitegen.site.search.search_words import index_word, words
from sitegen.site.search.searched_terms import Searchable
from sitegen.site.templates import asset_files, read_templates

VOCABULARY = 30_000
LENGTHS = range(40, 121)
"""How many words a definition has."""
NAMES = "search/names.js"
SCRIPTS = ("search-index.js",)
"""The scripts that a query loads after the list of names."""
SHOWN = 10
"""The number of results whose passages are shown."""
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
    search = WrittenSearch(glossary, files)
    sent = search.sent
    asked = [search.bytes_of(query) for query in _queries(glossary)]
    starts = {word[:2] for term in glossary for word in words(term.name)}
    short = [search.bytes_of([start]) for start in starts]
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
            former_names={language.name(): ""} if number % 25 == 0 else {},
            sentence=" ".join(text.split()[:12]) + ".",
            text=text,
        )


class WrittenSearch:
    """The files of a search, and what a query loads of them."""

    def __init__(self, glossary: Sequence[Searchable], files: Mapping[str, bytes]) -> None:
        self.sent = {path: _sent(content) for path, content in files.items()}
        names = _value(files[NAMES])
        self.index = f"search/{names['index']}.js"
        self.directory = _value(files[self.index])
        self.texts: Sequence[tuple[int, str]] = names["texts"]
        self.rows: dict[str, list[int]] = {}
        for row, term in enumerate(glossary):
            for word in {*words(term.text)}:
                self.rows.setdefault(word, []).append(row)

    def bytes_of(self, query: Sequence[str]) -> int:
        """Returns what a reader's first query loads, beyond the page and the list of names."""
        loaded = {f"search/{name}.js" for name in (*self._shards(query), *self._parts(query))}
        return _scripts() + sum(self.sent[path] for path in loaded | {self.index})

    def _shards(self, query: Sequence[str]) -> Sequence[str]:
        """Returns the shards that `search-index.js` loads. A single one is in the directory's
        file."""
        starts, shards = self.directory["starts"], self.directory["shards"]
        if len(shards) == 1:
            return ()
        last = query[-1]
        stems = [index_word(word, language="en") for word in query]
        wanted = {number for number, start in enumerate(starts) if start.startswith(last)}
        wanted |= {bisect_right(starts, word) - 1 for word in (*stems, last)}
        return [shards[number] for number in wanted - {-1}]

    def _parts(self, query: Sequence[str]) -> set[str]:
        """Returns the files with the definitions of ten terms that have words of a query, the last
        of which may not be finished."""
        found = [word for word in self.rows if word in query or word.startswith(query[-1])]
        rows = {row for word in found for row in self.rows[word]}
        firsts = [first for first, _ in self.texts]
        return {self.texts[bisect_right(firsts, row) - 1][1] for row in sorted(rows)[:SHOWN]}


def _sent(content: bytes) -> int:
    return len(gzip.compress(content, compresslevel=6))


def _value(script: bytes) -> dict[str, Any]:
    """Returns the object that the first line of a script assigns."""
    value: dict[str, Any] = json.loads(script.partition(b"\n")[0].partition(b" = ")[2].rstrip(b";"))
    return value


@cache
def _scripts() -> int:
    files = {file.path.rpartition("/")[2]: file for file in asset_files(read_templates())}
    return sum(_sent(files[name].content) for name in SCRIPTS)


def _queries(glossary: Sequence[Searchable]) -> Iterator[list[str]]:
    """Returns words of definitions, alone, in pairs, or truncated."""
    random = Random(0)  # noqa: S311
    for number in range(QUERIES):
        found = [word for word in words(random.choice(glossary).text) if word not in STOP_WORDS]
        query = random.sample(found, 1 + (number % 3 == 1))
        yield [query[0][: random.randint(2, 5)]] if number % 3 == 2 else query


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
