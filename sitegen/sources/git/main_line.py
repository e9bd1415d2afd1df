"""Decides which releases are on the main line of a project, and in which order they are, by
versions and times.

A release that was published after a higher version is a maintenance release: it has the wording of
an older line, without the changes of newer releases. `tags` decides which tags are releases.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from packaging.version import Version

from sitegen.sources.git.repositories import Point
from sitegen.text.release_names import ReleaseLabel, ordered, parse_label

MAX_OUTLIERS = 10
"""Of more releases than one in this number, none is far ahead: the project went back to lower
versions."""


def main_line(
    points: Iterable[Point], *, named: Collection[str] = ()
) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Returns the points in release order, and those among them that are not maintenance releases.

    Versions determine the order; commit dates do where names cannot: between words, and between
    versions and dates. A release is on the main line if no higher version precedes it in time, and
    no version of the scheme that the project has changed to, such as 5.0.0 before 2015.1.2; or if
    it is in `named`.
    """
    labels = {point: parse_label(point.label) for point in points}
    line: list[Point] = []
    highest: dict[str, Version] = {}
    outliers = _outliers(labels)
    times = _published({point: label for point, label in labels.items() if point not in outliers})
    for point, _ in sorted(
        times.items(), key=lambda item: (item[1], *_by_version(labels[item[0]]))
    ):
        label = labels[point]
        is_on_line = label.scheme == "word" or label.version >= highest.get(
            label.scheme, label.version
        )
        if is_on_line or point.release in named:
            line.append(point)
        if is_on_line:
            highest[label.scheme] = label.version
    if len({label.scheme for label in labels.values()} - {"word"}) > 1 or not highest:
        last = next(
            (labels[point].scheme for point in reversed(line) if labels[point].scheme != "word"),
            "word",
        )
        first = next(
            (number for number, point in enumerate(line) if labels[point].scheme == last), 0
        )
        after = (
            one
            for one in line[first:]
            if labels[one].scheme in (last, "word") or one.release in named
        )
        return tuple(line), (*line[:first], *after)
    by_release = {point.release: point for point in times}
    in_order = ordered(by_release, times={point.release: time for point, time in times.items()})
    return tuple(by_release[name] for name in in_order), tuple(line)


def _outliers(labels: Mapping[Point, ReleaseLabel]) -> frozenset[Point]:
    """Returns points whose version is far ahead of the project, such as a `v99` of an experiment.

    These are versions after which several lower major versions begin.
    """
    times = _times(labels)
    numbers = {
        point: labels[point].version.release[0]
        for point in times
        if labels[point].scheme == "number"
    }
    begins: dict[int, int] = {}
    for point, major in numbers.items():
        begins[major] = min(times[point], begins.get(major, times[point]))
    outliers = {
        point
        for point, number in numbers.items()
        if sum(time > times[point] and major < number for major, time in begins.items()) > 1
    }
    return frozenset(outliers if len(outliers) * MAX_OUTLIERS <= len(labels) else ())


def _times(labels: Mapping[Point, ReleaseLabel]) -> dict[Point, int]:
    """Returns the time of each point. A commit without a time gets that of the preceding
    version."""
    times, previous = {}, 0
    for point in sorted(labels, key=lambda point: _by_version(labels[point])):
        times[point] = previous = previous if point.time is None else point.time
    return times


def _published(labels: Mapping[Point, ReleaseLabel]) -> dict[Point, int]:
    """Returns the time at which each point was probably tagged.

    If a tag's commit is older than all versions of the line before it, the tag was created later.
    It gets the newest time of that line, but no later time than the next version.
    """
    times = _times(labels)
    points = list(times)
    for index, point in enumerate(points):
        line: list[int] = []
        for one in reversed(points[:index]):
            if not _precedes(labels[one], labels[point]):
                break
            line.append(times[one])
        if line and times[point] < min(line):
            following = [times[one] for one in points[index + 1 : index + 2]]
            times[point] = max(times[point], min([max(line), *following]))
    return times


def _precedes(one: ReleaseLabel, other: ReleaseLabel) -> bool:
    """True if a version belongs to the line before the other one: 1.1.4 and 1.2.0, 1.1.3 and 1.1.4,
    1.9.1 and 2.0."""
    if one.scheme != "number" or other.scheme != "number":
        return False
    old, new = ((*label.version.release, 0, 0, 0)[:3] for label in (one, other))
    if old[0] == new[0] - 1:
        return new[1:] == (0, 0)
    if old[:2] == (new[0], new[1] - 1):
        return new[2] == 0
    return old[:2] == new[:2] and old[2] == new[2] - 1


def _by_version(label: ReleaseLabel) -> tuple[Version, str]:
    return label.version, label.name
