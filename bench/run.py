"""The benchmark: builds, watches and searches generated glossaries, and races other generators:
`make bench`.

Each case can be asked for by its name; without names all run but the longest. What was measured
goes to the terminal as tables and, as data, to build/bench.json; and so does how it stands to what
we want to be true.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path

import builds
import growing
import ordinary
import others
import tables
import wanted
import watching
from glossary import FORMATS
from running import place
from wanted import Results

FORMAT = "markdown"
"""In which a glossary is written down, unless another is asked for."""
BUILDS = {
    "100x10": (100, 10, ""),
    "1000x10": (1_000, 10, ""),
    "1000x100": (1_000, 100, ""),
    "10000x10": (10_000, 10, ""),
    "50000x10": (50_000, 10, ""),
}
"""Terms and releases, and the format of those that have their own."""
BUILDS |= {
    f"1000x{releases}-{name}": (1_000, releases, name)
    for name in sorted(FORMATS.keys() - {FORMAT})
    for releases in (10, 100)
}
WATCHES = {"watch-1000": 1_000, "watch-10000": 10_000}
GROWTH = "growth"
SEARCHES = {"search-1000": 1_000, "search-10000": 10_000}
RACES = ("hugo", "sphinx", "mkdocs")
RACED = 10_000
"""Terms of the glossary that generators race with."""
RANKING = "ranking"
ORDINARY = "ordinary"
CASES = (ORDINARY, *BUILDS, GROWTH, *WATCHES, *SEARCHES, RANKING, *RACES)
IN_OTHER_FORMATS = {case for case in BUILDS if "-" in case} - {"1000x10-sphinx", "1000x100-sphinx"}
LONG = frozenset({"50000x10", "watch-10000", *IN_OTHER_FORMATS, *RACES})
"""Cases that run only when they are asked for, or all."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; else all that are quick"
    )
    parser.add_argument("--all", action="store_true", help="run every case")
    parser.add_argument(
        "--rounds", type=int, default=3, help="how often generators take turns (%(default)s)"
    )
    parser.add_argument("--format", choices=sorted(FORMATS), default=FORMAT)
    parser.add_argument("--data", type=Path, default=Path("build/bench.json"), metavar="FILE")
    options = parser.parse_args()
    if unknown := [case for case in options.cases if case not in CASES]:
        parser.error(f"no case {unknown[0]!r}; there are {', '.join(CASES)}")
    chosen = options.cases or [case for case in CASES if options.all or case not in LONG]
    is_asked = options.all or RANKING in options.cases
    results = measured(chosen, format=options.format, rounds=options.rounds, is_installing=is_asked)
    judged = list(wanted.judged(results))
    tables.show_wanted(judged)
    options.data.parent.mkdir(parents=True, exist_ok=True)
    data = {**asdict(results), "wanted": list(map(asdict, judged))}
    options.data.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def measured(cases: Collection[str], *, format: str, rounds: int, is_installing: bool) -> Results:
    """Runs these cases, prints each table as soon as it is complete, and returns the results.

    `is_installing`: the other search engines are installed for the case that needs them.
    """
    results = Results()
    print(f"In {place()}\n")
    if ORDINARY in cases:
        results.ordinary += ordinary.measure()
    tables.show_ordinary(results.ordinary)
    for case, (terms, releases, own) in BUILDS.items():
        if case in cases:
            results.builds.append(builds.measure(terms, releases, format=own or format))
    tables.show_builds(results.builds)
    if GROWTH in cases:
        results.growths += growing.measure()
    tables.show_growths(results.growths)
    for case, terms in WATCHES.items():
        if case in cases:
            results.watches += watching.measure(terms, format=FORMATS[format])
    tables.show_watches(results.watches)
    if sizes := [terms for case, terms in SEARCHES.items() if case in cases]:
        import searching  # which needs more than the rest: a browser where there is one

        results.searches += map(searching.measure, sizes)
    tables.show_searches(results.searches)
    if RANKING in cases:
        import ranking  # which needs node, npm and a browser

        ranking.main(is_installing=is_installing)
    for case in RACES:
        if case in cases and (
            race := others.race(case, RACED, rounds=rounds, format=FORMATS[format])
        ):
            results.races.append(race)
    tables.show_races(results.races)
    return results


if __name__ == "__main__":
    main()
