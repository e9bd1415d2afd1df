"""Builds a history by date for a glossary without tags: groups the commits that changed it into dated states.

Only first-parent commits of one branch count: of a merge, only the merge commit. The last commit of a day, week or
month represents that period. A state is named after its period, so later commits do not change its name. Commits that
changed no words are no states: the state before gets their formatting.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from sitegen.config.patterns import alternatives
from sitegen.model import Document
from sitegen.sources.git.process import run
from sitegen.sources.git.tags import Point

Wording = frozenset[tuple[Hashable, Hashable]]
"""The entries of files: for each what names it, and its words."""
MAX_STATES = 60
"""The maximum number of states if the period is not configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedState:
    """The glossary on a branch at the end of a period."""

    name: str
    """`2024-03-01`, `2024-W09`, `2024-03`, `2024-Q1` or `2024`."""
    commit: str
    before: tuple[str, ...] = ()
    """The earlier commits of the period, oldest first."""


def _week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


PERIODS: Mapping[str, Callable[[date], str]] = {
    "day": date.isoformat,
    "week": _week,
    "month": lambda day: f"{day.year:04}-{day.month:02}",
    "quarter": lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04}",
}


def period_in(name: str) -> str:
    """Returns the period whose states have names of this form, such as `month` for `2024-03`; empty if none has."""
    forms = {"day": r"-\d\d-\d\d", "week": r"-W\d\d", "month": r"-\d\d", "quarter": r"-Q\d", "year": ""}
    return next((period for period, form in forms.items() if re.fullmatch(rf"\d{{4}}{form}", name)), "")


def dated_states(folder: Path, tip: Point, paths: Sequence[str], *, by: str = "") -> tuple[DatedState, ...]:
    """Returns the states of the files that the paths match, oldest first, up to the commit of `tip`.

    Without `by`, the period is the shortest that gives at most 60 states.
    """
    commits = _commits(folder, tip, paths)
    return _joined(commits, by or period_of([day for _, day in commits]))


def reworded(
    states: Iterable[DatedState], is_same: Callable[[str, str], bool], *, named: Container[str] = ()
) -> tuple[DatedState, ...]:
    """Returns the states whose words differ from those of the one before, each at the last commit with these words.

    `is_same` compares the words at two commits. States in `named` are kept, and periods whose words changed and
    changed back, as a build may have published them.
    """
    kept: list[DatedState] = []
    before = ""
    for state in states:
        if before and state.name not in named and all(is_same(before, one) for one in (state.commit, *state.before)):
            kept[-1] = replace(kept[-1], commit=state.commit)
        else:
            kept.append(state)
        before = state.commit
    return tuple(kept)


def have_same_words(
    one: Mapping[str, str], other: Mapping[str, str], wording: Callable[[Mapping[str, str]], Wording]
) -> bool:
    """Returns whether two states of files have the same entries, and any at all.

    The states map paths to the ids of contents; `wording` returns the entries of such files. Only files that differ
    are read, those of both states first, and only up to the first in which an entry has other words or is new.
    """
    paths = [path for path in dict.fromkeys([*one, *other]) if one.get(path) != other.get(path)]
    paths.sort(key=lambda path: (path not in one, path not in other))
    old: set[Hashable] = set()
    new: set[Hashable] = set()
    for path in paths:
        first, second = (wording({path: files[path]} if path in files else {}) for files in (one, other))
        if not {name for name, _ in first - second}.isdisjoint(name for name, _ in second - first):
            return False
        if path not in one and second - old:
            return False
        old |= first
        new |= second
    return old == new and (bool(new) or len(paths) < len(other))


def wording_of_texts(documents: Iterable[Document]) -> Wording:
    """Returns the texts of documents by their names."""
    return frozenset((document.name, document.text) for document in documents)


def period_of(days: Sequence[date]) -> str:
    """Returns the shortest period that groups these days into at most 60 states, or `year`."""
    fitting = (by for by, name in PERIODS.items() if len({name(day) for day in days}) <= MAX_STATES)
    return next(fitting, "year")


def days_of(folder: Path, tip: Point, paths: Sequence[str]) -> tuple[date, ...]:
    """Returns the days on which the files were changed, oldest first."""
    return tuple(day for _, day in _commits(folder, tip, paths))


def _joined(commits: Sequence[tuple[str, date]], by: str) -> tuple[DatedState, ...]:
    periods: dict[str, list[str]] = defaultdict(list)
    for commit, day in commits:
        periods[PERIODS[by](day)].append(commit)
    return tuple(
        DatedState(name=name, commit=last, before=tuple(before)) for name, (*before, last) in periods.items()
    )


def _commits(folder: Path, tip: Point, paths: Sequence[str]) -> list[tuple[str, date]]:
    """Returns the commits of the branch that changed the files, oldest first, each with its day.

    Days never decrease: a commit with an earlier date than its predecessor gets the predecessor's day.
    """
    safe = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap", "--no-color", "--no-decorate")
    options = ("log", "--first-parent", "--reverse", "--format=%H %cs", *safe, "--end-of-options", tip.commit, "--")
    lines = (
        run(folder, *options, *(f":(glob){one}" for path in paths for one in alternatives(path)))
        .decode("ascii", "replace")
        .splitlines()
    )
    commits: list[tuple[str, date]] = []
    for line in lines:
        commit, _, text = line.partition(" ")
        day = _day(text)
        if commits and (day is None or day < commits[-1][1]):
            day = commits[-1][1]
        if day is not None:
            commits.append((commit, day))
    return commits


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
