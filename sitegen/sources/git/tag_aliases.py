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

    `v2` is an alias if there is an older `v2.1.0`, or any `v2.0.0`; `4.2` before `4.2.1` is a
    release. Of several versions on one commit, the one with the most numbers is none.
    """
    numbered = []
    for release in releases:
        if NUMBERS.fullmatch(parse_label(release.label).name):
            numbered.append(release)
    releases_of_commits = _releases_of_commits(numbered)
    times_of_fuller = _first_fuller_versions(numbered)
    aliases = set()
    for release in numbered:
        label = parse_label(release.label)
        time = release.time or 0
        time_of_fuller = times_of_fuller.get((label.family, label.version.release), time)
        is_newer_than_fuller = time_of_fuller < time
        if is_newer_than_fuller or label not in releases_of_commits:
            aliases.add(release.label)
    return aliases


def _releases_of_commits(releases: Iterable[Release]) -> set[ReleaseLabel]:
    """Returns the labels of one version for each commit: the one with the most numbers, then the
    lowest. Of `v2`, `v2.0.1`, `2.0.1` and `v2.1.0`, these are `v2.0.1` and `2.0.1`."""
    labels_on_commits = []
    for release in sorted(releases, key=lambda release: release.time or 0):
        label = parse_label(release.label)
        labels_on_commits.append(((label.family, release.commit), label))

    chosen: set[ReleaseLabel] = set()
    highest: dict[str, Version] = {}
    for (family, _), labels in grouped(labels_on_commits).items():
        highest_before = highest.get(family, Version("0.dev0"))
        # After `v2.0.1`, a tag `v1.0.2` is a mistake if its commit also has `v2.0.2`.
        rising = [label for label in labels if label.version >= highest_before]
        candidates = rising or labels
        best_rank = min(map(_rank, candidates))
        chosen.update([label for label in candidates if _rank(label) == best_rank])
        _, version = best_rank
        highest[family] = max(highest_before, version)
    return chosen


def _rank(label: ReleaseLabel) -> tuple[int, Version]:
    """Returns a rank by which the version with the most numbers is the lowest, and then the lower
    version."""
    return -len(label.version.release), label.version


def _first_fuller_versions(
    releases: Iterable[Release],
) -> Mapping[tuple[str, tuple[int, ...]], int]:
    """Returns the time of the first longer version of each shorter one, by its family and numbers:
    `v2.1.3` is longer than (2,) and (2, 1)."""
    before_all = -1
    first_times: dict[tuple[str, tuple[int, ...]], int] = {}
    for release in releases:
        label = parse_label(release.label)
        numbers = label.version.release
        for length in range(1, len(numbers)):
            adds_only_zeros = not any(numbers[length:])
            time = release.time or 0
            if adds_only_zeros:  # beside `v2.0`, `v2` is an alias whatever its time
                time = before_all
            key = label.family, numbers[:length]
            first_times[key] = min(time, first_times.get(key, time))
    return first_times
