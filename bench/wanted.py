"""The targets for speed, as ratios within one run, and how far they are met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median

from builds import Builds
from growing import Growth
from ordinary import Ordinary
from others import Race
from running import spread
from watching import Watch

SIZE = 10_000
"""Terms of the glossary that most is wanted of."""
RACES = {"hugo": 1.7, "sphinx": 0.1, "mkdocs": 0.25}
"""At most this share of another generator's time for a page."""
GROWTH = 2.3
"""Times as long as half the terms: in proportion, and 15% more."""
WATCHES = {1_000: 0.6, 10_000: 6}
"""Seconds from save to served."""
SEARCHED = 1_000
"""Terms of the glossary whose search is weighed: few have more."""
QUERIES = {"query: bytes": 350_000, "names: bytes": 50_000}
MEMORY = 24 * 1024
"""Megabytes that 50,000 terms may take."""


@dataclass
class Results:
    """All measurements of one run of the bench."""

    ordinary: list[Ordinary] = field(default_factory=list)
    builds: list[Builds] = field(default_factory=list)
    growths: list[Growth] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    searches: list[Mapping[str, float]] = field(default_factory=list)
    races: list[Race] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One target and the measured value."""

    what: str
    measured: float
    limit: float
    spread: str = ""

    @property
    def is_reached(self) -> bool:
        return self.measured <= self.limit


def judged(results: Results) -> Iterator[Judged]:
    """Yields the measured value for each target."""
    for race in results.races:
        ratios = race.ratios()
        what = f"a page's time by that of {race.other}"
        yield Judged(
            what=what, measured=median(ratios), limit=RACES[race.other], spread=spread(ratios)
        )
    for format in dict.fromkeys(one.format for one in results.builds):
        sized = {(one.terms, one.releases): one for one in results.builds if one.format == format}
        yield from _grown(sized, format=format)
    for growth in results.growths:
        yield Judged(
            what=f"CPU of twice the terms, {growth.shape}", measured=growth.ratio, limit=GROWTH
        )
    for watch in results.watches:
        what = f"seconds from save to served, {watch.terms:,} terms, {watch.kind}"
        yield Judged(
            what=what,
            measured=median(watch.seconds),
            limit=WATCHES[watch.terms],
            spread=spread(watch.seconds),
        )
    for search in results.searches:
        if search["terms"] == SEARCHED:
            yield from (
                Judged(what=what, measured=search[what], limit=limit)
                for what, limit in QUERIES.items()
            )


def _grown(sized: Mapping[tuple[int, int], Builds], *, format: str) -> Iterator[Judged]:
    """Returns the growth of time and memory, by CPU seconds, since wall time depends on the
    machine."""
    small, long, large, huge = map(sized.get, [(1_000, 10), (1_000, 100), (SIZE, 10), (50_000, 10)])
    if small and long:
        what = f"CPU of 1,000 × 100 by 1,000 × 10, {format}"
        yield Judged(what=what, measured=_ratio(long, small, _time), limit=2.5)
    if small and large:
        yield Judged(
            what="a term's CPU, of 10,000 by of 1,000",
            measured=_ratio(large, small, _term_time),
            limit=1.15,
        )
    if large and huge:
        what = "a term's memory, of 50,000 by of 10,000"
        yield Judged(what=what, measured=_ratio(huge, large, _term_memory), limit=1.0)
        yield Judged(
            what="megabytes for 50,000 terms", measured=huge.clean.peak_megabytes, limit=MEMORY
        )


def _ratio(one: Builds, other: Builds, figure: Callable[[Builds], float]) -> float:
    return figure(one) / figure(other)


def _time(one: Builds) -> float:
    return one.clean.cpu_seconds


def _term_time(one: Builds) -> float:
    return one.clean.cpu_seconds / one.terms


def _term_memory(one: Builds) -> float:
    return one.clean.peak_megabytes / one.terms
