"""Reads from the commits of a branch: dated states for a glossary without tags, days of changes,
former paths.

Only first-parent commits of one branch count: of a merge, only the merge commit. For dated states,
the last commit of a day, month or year represents that period. A state is named after its period,
so later commits do not change its name. Commits that changed no words are no states: the state
before gets their formatting.

`survey` is what `sitegen init` asks about a history besides its tags, with the branches that are
kept for versions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from sitegen.config.patterns import alternatives
from sitegen.model import grouped
from sitegen.sources.git.listing import SAFE_DIFF, TooManyPathsError, renames
from sitegen.sources.git.process import GitError, run
from sitegen.sources.git.repositories import Clones, Point, Repository, open_repository
from sitegen.sources.git.tags import read_points
from sitegen.sources.git.trees import find_files
from sitegen.text.release_names import is_prerelease, ordered, parse_label

MAX_STATES = 60
"""The maximum number of states if the period is not configured."""
MIN_BRANCHES = 3
"""The minimum number of version branches; fewer are maintenance branches."""
STALE = timedelta(days=365)
"""After this time without a new release, the branch is read as well."""
SAMPLE = 5
SAFE_LOG = (*SAFE_DIFF, "--no-show-signature", "--no-mailmap", "--no-decorate")
"""Options against what the configuration of a repository could run or change."""
MAX_ADDED = 20
"""The maximum number of times that a file may have been added or renamed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DatedState:
    """The glossary on a branch at the end of a period."""

    name: str
    """`2024-03-01`, `2024-03` or `2024`."""
    commit: str
    before: tuple[str, ...] = ()
    """The earlier commits of the period, oldest first."""


PERIODS: Mapping[str, tuple[str, Callable[[date], str]]] = {
    "day": (r"-\d\d-\d\d", date.isoformat),
    "month": (r"-\d\d", lambda day: f"{day.year:04}-{day.month:02}"),
    "year": ("", lambda day: f"{day.year:04}"),
}
"""For each period, the pattern of its names after the year, and the function that names the period
of a day."""


def period_in(name: str) -> str:
    """Returns the period whose states have names of this form, such as `month` for `2024-03`; empty
    if none has."""
    return next(
        (period for period, (form, _) in PERIODS.items() if re.fullmatch(rf"\d{{4}}{form}", name)),
        "",
    )


def dated_states(
    folder: Path, tip: Point, paths: Sequence[str], *, by: str = "", until: Point | None = None
) -> tuple[DatedState, ...]:
    """Returns the states of the files that the paths match, oldest first, up to the commit of
    `tip`.

    With `until`, only its ancestors and commits of earlier days count. Without `by`, the period is
    the shortest that gives at most 60 states.
    """
    commits = commits_of(folder, tip, paths)
    if until:
        later = set(
            run(folder, "rev-list", "--end-of-options", tip.commit, f"^{until.commit}")
            .decode("ascii")
            .split()
        )
        commits = [
            (id, day)
            for id, day in commits
            if id not in later or (until.date is not None and day < until.date)
        ]
    _, period_name = PERIODS[by or period_of([day for _, day in commits])]
    periods = grouped((period_name(day), commit) for commit, day in commits)
    return tuple(
        DatedState(name=name, commit=last, before=tuple(before))
        for name, (*before, last) in periods.items()
    )


def reworded(
    states: Iterable[DatedState], is_same: Callable[[str, str], bool], *, named: Container[str] = ()
) -> tuple[DatedState, ...]:
    """Returns the states whose words differ from those of the one before, each at the last commit
    with these words.

    `is_same` compares the words at two commits. States in `named` are kept, and periods whose words
    changed and changed back, as a build may have published them.
    """
    result: list[DatedState] = []
    last = ""
    for state in states:
        if (
            last
            and state.name not in named
            and all(is_same(last, one) for one in (state.commit, *state.before))
        ):
            result[-1] = replace(result[-1], commit=state.commit)
        else:
            result.append(state)
        last = state.commit
    return tuple(result)


def period_of(days: Sequence[date]) -> str:
    """Returns the shortest period that groups these days into at most 60 states, or `year`."""
    fitting = (
        by for by, (_, name) in PERIODS.items() if len({name(day) for day in days}) <= MAX_STATES
    )
    return next(fitting, "year")


def commits_of(folder: Path, tip: Point, paths: Sequence[str]) -> list[tuple[str, date]]:
    """Returns the commits of the branch that changed the files, oldest first, each with its day.

    Days never decrease: a commit with an earlier date than its predecessor gets the predecessor's
    day.
    """
    options = (
        *SAFE_LOG,
        "--first-parent",
        "--reverse",
        "--format=%H %cs",
        "--end-of-options",
        tip.commit,
        "--",
    )
    output = run(
        folder, "log", *options, *(f":(glob){one}" for path in paths for one in alternatives(path))
    )
    commits: list[tuple[str, date]] = []
    for line in output.decode("ascii", "replace").splitlines():
        commit, _, text = line.partition(" ")
        day = commits[-1][1] if commits else None
        with suppress(ValueError):
            day = max(date.fromisoformat(text), day or date.min)
        if day is not None:
            commits.append((commit, day))
    return commits


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """A repository's current branch, and its history besides tags."""

    branch: str = ""
    """The current branch."""
    day: date | None = None
    """The day of its newest commit."""
    newest: date | None = None
    """The date of the newest tag of the project's own tag family."""
    days: tuple[date, ...] = ()
    """The days on which the glossary changed on the current branch, oldest first; empty if its
    release is recent."""
    branches: str = ""
    """A pattern for branches that each contain the glossary of a version; empty if there are
    none."""
    are_few: bool = False
    """True if these branches are fewer than a project has that keeps one for each version."""


def survey(
    address: str, *, root: Path, clones: Clones, paths: Sequence[str], released: date | None = None
) -> Survey:
    """Surveys the history of the files at `paths`, whose newest release is of the day `released`.
    Raises GitError."""
    with open_repository(address, root=root, clones=clones) as repository:
        tip, _ = repository.head("HEAD")
        if tip is None:
            return Survey()
        is_recent = bool(released and tip.date and tip.date - released < STALE)
        days = (
            () if is_recent else tuple(day for _, day in commits_of(repository.folder, tip, paths))
        )
        branches, number = _branches(repository, paths)
        tags = read_points(repository).tagged
        newest = max((point.date for point in tags if point.date), default=None)
        return Survey(
            branch=tip.label,
            day=tip.date,
            newest=newest,
            days=days,
            branches=branches,
            are_few=number < MIN_BRANCHES,
        )


def _branches(repository: Repository, paths: Sequence[str]) -> tuple[str, int]:
    """Returns pattern and size of the largest group of branches that differ only in version and
    contain the glossary.

    Most of the newest ones contain it; older ones may be older than the glossary.
    """
    ids = repository.branches
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in ids:
        match = re.fullmatch(r"(.*?)(\d+(?:\.(?:\d+|x))*)([-_.][A-Za-z]+)?", name)
        label = parse_label(name.removesuffix(match[3] or "")) if match else None
        is_line = (
            match
            and label
            and label.scheme != "word"
            and label.family == ""
            and label.name == match[2]
        )
        if match and is_line and not is_prerelease(name):
            groups[match[1], match[3] or ""].append(name)
    # A branch `123` is one for an issue, and a lone `1.8` may be one for a release.
    likely = [
        (affixes, names)
        for affixes, names in groups.items()
        if len(names) >= MIN_BRANCHES
        or ("." in "".join(names) and (any(affixes) or len(names) > 1))
    ]
    for (prefix, suffix), names in sorted(likely, key=lambda item: (-len(item[1]), item[0])):
        sample = ordered(names)[-SAMPLE:]
        points, _ = repository.resolve({name: ids[name] for name in sample})
        having = [
            point
            for point in points.values()
            if find_files(repository.trees, point.tree, paths).files
        ]
        if 2 * len(having) > len(sample):
            return f"{prefix}[0-9]*{suffix}", len(names)
    return "", 0


def former_paths(folder: Path, commit: str, path: str) -> Iterator[str]:
    """Yields the paths from which a file was renamed, newest first, as far as git detects renames.
    Raises TooManyPathsError, as git compares all files of two commits.

    Only first parents are followed. `git log --follow` takes twice as long, as it compares the file
    with all others.
    """
    for _ in range(MAX_ADDED):
        try:
            added, *parents = _addition(folder, commit, path)
            if not parents:
                return
            commit = parents[0]
            former = {new: old for old, new in renames(folder, commit, added).items()}
        except TooManyPathsError:
            raise
        except GitError:
            return
        if path in former:
            path = former[path]
            yield path


def _addition(folder: Path, commit: str, path: str) -> list[str]:
    """Returns the last commit that added a file, and its parents."""
    options = ("-1", "--first-parent", "--diff-filter=A", "--no-renames", "--format=%H %P")
    names = ("--end-of-options", commit, "--", path)
    output = run(folder, "--literal-pathspecs", "log", *SAFE_LOG, *options, *names)
    return output.decode("ascii", "replace").split() or [""]
