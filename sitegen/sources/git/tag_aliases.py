"""Tells the tags that repeat another tag, such as `v2` beside `v2.0.0`, from releases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from packaging.version import Version

from sitegen.model import Release, grouped
from sitegen.text.release_names import ReleaseLabel, parse_label

NUMBERS = re.compile(r"\d+(\.\d+)*")
"""Matches the name of a release that is numbers alone: `2` and `2.0.1`."""


def aliases_of(releases: Iterable[Release]) -> set[str]:
    """Returns the tags that repeat another tag of their family, and so may move.

    `v2` is an alias if `v2.0.0` is a tag, if a tag with more numbers is on the commit of `v2`, or
    if a tag such as `v2.1.0` is older than `v2`. Otherwise `v2` is a release, as `4.2` before
    `4.2.1` is. Of several versions on one commit, the lowest that continues its line is the
    release: the others repeat it, or are mistakes, such as `4.3.1` beside `0.4.3`.
    """
    numbered = []
    for release in releases:
        if NUMBERS.fullmatch(parse_label(release.label).name):
            numbered.append(release)
    chosen = _releases_of_commits(numbered)
    fuller = _first_fuller_versions(numbered)
    repeated = set()
    for release in numbered:
        label = parse_label(release.label)
        time = release.time or 0
        time_of_fuller = fuller.get((label.family, label.version.release), time)
        has_moved = time_of_fuller < time
        if has_moved or label not in chosen:
            repeated.add(release.label)
    return repeated


def _releases_of_commits(releases: Iterable[Release]) -> set[ReleaseLabel]:
    """Returns the labels of the version of each commit that is the release: of those not below the
    versions on earlier commits, if there are any, the one with the most numbers, and then the
    lowest.

    Of `v2`, `v2.0.1` and `v2.1.0` that is `v2.0.1`; after `v2.0.1`, of `v1.0.2` and `v2.0.2` it is
    `v2.0.2`.
    """
    on_commits = []
    for release in sorted(releases, key=lambda release: release.time or 0):
        label = parse_label(release.label)
        on_commits.append(((label.family, release.commit), label))
    chosen: set[ReleaseLabel] = set()
    highest: dict[str, Version] = {}
    for (family, _), several in grouped(on_commits).items():
        earlier = highest.get(family, Version("0.dev0"))
        not_below = [label for label in several if label.version >= earlier]
        possible = not_below or several
        first = min(map(_rank, possible))
        chosen.update([label for label in possible if _rank(label) == first])
        _, version = first
        highest[family] = max(earlier, version)
    return chosen


def _rank(label: ReleaseLabel) -> tuple[int, Version]:
    """Returns a rank by which the version with the most numbers is the lowest, and then the lower
    version."""
    return -len(label.version.release), label.version


def _first_fuller_versions(
    releases: Iterable[Release],
) -> Mapping[tuple[str, tuple[int, ...]], int]:
    """Returns the time of the first version that begins with some numbers, by its family and these
    numbers: `v2.1.3` gives its time for (2,) and for (2, 1). A version that adds only zeros, as
    `v2.0` does to (2,), is the same version, and comes before all times."""
    first: dict[tuple[str, tuple[int, ...]], int] = {}
    for release in releases:
        label = parse_label(release.label)
        numbers = label.version.release
        for length in range(1, len(numbers)):
            adds_only_zeros = not any(numbers[length:])
            time = -1 if adds_only_zeros else release.time or 0
            key = label.family, numbers[:length]
            first[key] = min(time, first.get(key, time))
    return first
