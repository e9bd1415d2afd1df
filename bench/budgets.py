"""Compares the weight of a site's files with their budgets: `make bench` prints this for content/.

Bytes are as a server sends them, compressed. How many wordings a term had is read from the data
beside its page.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from running import build

from sitegen.addresses import urls

TERM = re.compile(r"term/[^/]+/index\.html")
FROZEN = re.compile(r"term/[^/]+/[^/]+/index\.html")
LOADED = re.compile(rb'<link rel="stylesheet"|<script src=')
NAMES = "search/names.js"
FEW = 3
"""Wordings of an ordinary term."""
LISTED = 300
"""Terms whose list of names has the budget that is told; of more terms it may grow as they do."""
REQUESTS = 3

Files = Mapping[str, bytes]


@dataclass(frozen=True, kw_only=True)
class Weight:
    """The purpose of a budget, and the heaviest file of a site for it."""

    name: str
    most: int
    value: int
    path: str

    @property
    def holds(self) -> bool:
        return self.value <= self.most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "folders", type=Path, nargs="*", default=[Path("content")], help="glossaries (%(default)s)"
    )
    over = 0
    for folder in parser.parse_args().folders:
        print(f"{folder}\nwhat                              at most    here  the heaviest")
        for weight in weights(built(folder)):
            over += not weight.holds
            print(f"{weight.name:32} {weight.most:8,} {weight.value:7,}  {weight.path}")
    sys.exit(min(over, 1))


def built(folder: Path) -> Files:
    """Returns every file of a glossary's site."""
    with TemporaryDirectory() as place:
        build(folder, Path(place, "site"), "--no-ledger")
        paths = (path for path in Path(place, "site").rglob("*") if path.is_file())
        return {
            path.relative_to(Path(place, "site")).as_posix(): path.read_bytes() for path in paths
        }


def weights(files: Files) -> Iterator[Weight]:
    """Yields one weight for each budget, of a site's files by path."""
    terms = [path for path in files if TERM.fullmatch(path)]
    ordinary = [path for path in terms if wordings(path, files) <= FEW]
    frozen = [path for path in files if FROZEN.fullmatch(path)]
    listed = max(LISTED, len(terms))
    yield from heaviest(f"term of up to {FEW} wordings", 6_000, ordinary, files)
    yield from heaviest("term", 20_000, terms, files)
    yield from heaviest("frozen page", 3_000, frozen, files)
    yield from heaviest("styles", 8_000, [urls.STYLE], files)
    yield from heaviest("scripts of every page", 5_000, [urls.SCRIPT], files)
    yield from heaviest("search, when it is opened", 6_000, [urls.SEARCH_SCRIPT], files)
    yield from heaviest(f"names of {listed} terms", 15_000 * listed // LISTED, [NAMES], files)
    busiest = max(terms, key=lambda path: requests(files[path]))
    yield Weight(
        name="requests for a term", most=REQUESTS, value=requests(files[busiest]), path=busiest
    )


def heaviest(name: str, most: int, paths: Sequence[str], files: Files) -> Iterator[Weight]:
    """Yields the heaviest of these files, if there are any."""
    sizes = {path: len(gzip.compress(files[path], 9)) for path in paths}
    if sizes:
        path = max(sizes, key=lambda path: sizes[path])
        yield Weight(name=name, most=most, value=sizes[path], path=path)


def wordings(path: str, files: Files) -> int:
    """Returns the number of wordings of a term's page; 0 for a former name's."""
    data = files.get(path.replace("index.html", "index.json"))
    return (
        len({(one["source"], one["since"]) for one in json.loads(data)["wordings"]}) if data else 0
    )


def requests(page: bytes) -> int:
    """Returns the number of requests for a page: itself, and the files that its head loads."""
    return 1 + len(LOADED.findall(page))


if __name__ == "__main__":
    main()
