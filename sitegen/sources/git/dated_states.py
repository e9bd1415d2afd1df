"""Reads dated states for a glossary without tags, and the days of its changes, from the commits of
a branch.

Only first-parent commits of one branch count: of a merge, only the merge commit. For dated states,
the last commit of a day, month or year represents that period. A state is named after its period,
so later commits do not change its name. `sources.git_releases` leaves out states without new words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from sitegen.config.patterns import alternatives
from sitegen.model import Release
from sitegen.sources.git.process import SAFE_LOG, lines
from sitegen.text.release_names import PERIODS, period_in

MAX_STATES = 60
"""The maximum number of states if the period is not configured."""


class DatedState(NamedTuple):
    """The glossary on a branch at the end of a period."""

    name: str
    """`2024-03-01`, `2024-03` or `2024`."""
    day: date
    """The day of the last commit of the period."""
    commit: str
    """The last commit of the period."""


def published_period(names: Iterable[str]) -> str:
    """Returns the period of most published states; empty if none was published."""
    periods = Counter(filter(None, map(period_in, names)))
    return max(periods, key=lambda period: periods[period], default="")


def dated_states(
    folder: Path, tip: Release, paths: Sequence[str], *, by: str = "", until: Release | None = None
) -> tuple[DatedState, ...]:
    """Returns the states of the files at some paths in the history of `tip`, oldest first: the last
    commit of each period.

    `by` is the period; if it is empty, the shortest with at most 60 states is used. With `until`,
    only commits before that release count.
    """
    commits = commits_of(folder, tip, paths)
    if until:
        commits = _commits_before(until, commits, folder, tip)
    period = by or period_of([day for _, day in commits])
    _, period_name = PERIODS[period]
    states: dict[str, DatedState] = {}
    for commit, day in commits:
        name = period_name(day)
        # A later commit of the period replaces an earlier one.
        states[name] = DatedState(name, day, commit)
    return tuple(states.values())


def _commits_before(
    release: Release, commits: Iterable[tuple[str, date]], folder: Path, tip: Release
) -> list[tuple[str, date]]:
    """Returns the commits before a release. All `commits` are in the history of `tip`."""
    excluding = f"^{release.commit}"
    outside = {*lines(folder, "rev-list", "--end-of-options", tip.commit, excluding)}
    day_of_release = release.date or date.min
    before = []
    for id, day in commits:
        # Earlier commits of the main line count too, if the release is on a branch of its own.
        if id not in outside or day < day_of_release:
            before.append((id, day))
    return before


def period_of(days: Sequence[date]) -> str:
    """Returns the shortest period (`day`, `month` or `year`) with at most 60 states for these days;
    `year` even if there are more."""
    for period, (_, period_name) in PERIODS.items():
        names = {period_name(day) for day in days}
        if len(names) <= MAX_STATES:
            return period
    return "year"


def commits_of(folder: Path, tip: Release, paths: Sequence[str]) -> list[tuple[str, date]]:
    """Returns the commits of the branch that changed the files, oldest first, each with its day.

    Days never decrease: a commit with an earlier day than the commit before it, or without a valid
    one, gets the day of that one. Commits before the first day are left out.
    """
    options = (*SAFE_LOG, "--first-parent", "--reverse", "--format=%H %cs")
    names = ("--end-of-options", tip.commit, "--", *pathspecs(paths))
    commits: list[tuple[str, date]] = []
    day = date.min
    for line in lines(folder, "log", *options, *names):
        commit, _, text = line.partition(" ")
        with suppress(ValueError):  # a commit may have a date that is none
            day = max(day, date.fromisoformat(text))
        if day > date.min:
            commits.append((commit, day))
    return commits


def pathspecs(paths: Sequence[str]) -> list[str]:
    """Returns the names by which git finds the files that patterns match: `:(glob)docs/a.md` and
    `:(glob)docs/b.md` for `docs/{a,b}.md`."""
    every = chain.from_iterable(map(alternatives, paths))
    return [f":(glob){one}" for one in every]
