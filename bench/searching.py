"""Measures the search of generated glossaries: writing the index, bytes per query, and time to a
name.

Bytes are as a server sends them, compressed. A query's are those of a reader whose first query it
is: the script that it loads, and the index of words with the definitions.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from statistics import median

from browsing import typing
from language import Language

from sitegen.addresses.slugs import slug
from sitegen.site.search import search_files
from sitegen.site.search.searched_terms import Searchable
from sitegen.site.templates import asset_files, read_templates

VOCABULARY = 30_000
LENGTHS = range(40, 121)
"""How many words a definition has."""
NAMES = "search/names.js"
SCRIPTS = ("search-index.js",)
"""The scripts that a query loads after the list of names."""
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
    index_bytes = sum(sent.values()) - sent[NAMES]
    return {
        "terms": terms,
        "index: CPU seconds": round(seconds, 2),
        "index: bytes": index_bytes,
        "names: bytes": sent[NAMES],
        "query: bytes": index_bytes + _scripts(),
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


def _sent(content: bytes) -> int:
    return len(gzip.compress(content, compresslevel=6))


@cache
def _scripts() -> int:
    files = {file.path.rpartition("/")[2]: file for file in asset_files(read_templates())}
    return sum(_sent(files[name].content) for name in SCRIPTS)


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
